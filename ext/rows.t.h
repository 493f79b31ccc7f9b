/* rows.t.h -- room: ext.  Rows of a format, listed by several threads.  Inside ext. */

/* A format's rows: how many entries row i has, and its columns, ascending, and values. */
struct X(listing) {
    const void *of;
    psb_epk (*count)(const void *of, psb_ipk i);
    void (*list)(const void *of, psb_ipk i, psb_ipk *ja, T *val);
};

/* The slot get_ptr; `work` is what is looked at for that. */
void X(count_rows)(const struct X(listing) *q, psb_epk work, psb_ipk lo, psb_ipk hi, psb_epk *ptr);

/* The slot rows, and to_coo, of all of them. */
PSB_MUST_CHECK psb_err X(list_rows)(const struct X(listing) *q, psb_epk work, psb_ipk lo, psb_ipk hi,
                                    struct X(coo_mat) *b);
