/* psb_padding.t.h -- ext: limits on the memory of formats that pad.  Inside ext. */

/* PSB_EPADDING if `need` bytes are more than `limit` times the bytes of a in CSR (limit 0: no limit), unless
 * `small` is set, or if they are more than offsets can count.  PSB_EARG if the limit is negative or NaN.
 * `format` and the following arguments describe, as for printf, what needs the bytes. */
PSB_MUST_CHECK psb_err X(check_padding)(const struct X(mat) *a, double limit, double need, bool small,
                                        const char *format, ...) PSB_PRINTF(5, 6);
