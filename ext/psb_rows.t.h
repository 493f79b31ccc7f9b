/* psb_rows.t.h -- ext: rows of a format, listed by several threads.  Inside ext. */

/* Access to the rows of a format: `count` returns the entries of row i, `list` writes its columns, ascending,
 * and values. */
struct X(listing) {
    const void *of;
    psb_epk (*count)(const void *of, psb_ipk i);
    void (*list)(const void *of, psb_ipk i, psb_ipk *ja, T *val);
};

/* The slot get_ptr; `work` is the number of elements that counting reads. */
void X(count_rows)(const struct X(listing) *q, psb_epk work, psb_ipk lo, psb_ipk hi, psb_epk *ptr);

/* The slot rows; for all rows, the slot to_coo. */
PSB_MUST_CHECK psb_err X(list_rows)(const struct X(listing) *q, psb_epk work, psb_ipk lo, psb_ipk hi,
                                    struct X(coo_mat) *b);
