/* padding.t.h -- room: ext.  What formats that pad may take.  Inside ext. */

/* PSB_EPADDING where `need` bytes are more than `limit` times those of a in CSR (0: any are allowed), unless
 * they are `small`; and where they are more than offsets count; PSB_EARG where the
 * limit is negative or no number.  What would take them is said as by printf.
 */
PSB_MUST_CHECK psb_err X(check_padding)(const struct X(mat) *a, double limit, double need, int small,
                                        const char *format, ...) PSB_PRINTF(5, 6);
