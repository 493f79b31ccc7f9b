/* psb_rows.t.h -- ext: rows of a format, listed by several threads.  Inside ext. */

/* Access to the rows of a format: `count` returns the entries of row i, `list` writes its columns, ascending,
 * and values. */
struct X(listing) {
    const void *of;
    psb_epk (*count)(const void *of, psb_ipk i);
    void (*list)(const void *of, psb_ipk i, psb_ipk *ja, T *val);
};

/* The slot rows; `work` is the number of elements that counting reads. */
PSB_MUST_CHECK psb_err X(list_rows)(const struct X(listing) *q, psb_epk work, psb_ipk lo, psb_ipk hi,
                                    psb_epk *ptr, struct X(coo_mat) *b);
