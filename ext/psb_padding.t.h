/* psb_padding.t.h -- room: ext.  Limit on the memory of formats that pad.  Inside ext. */

/* PSB_EPADDING if `need` bytes are more than `limit` times the bytes of a in CSR (limit 0: no limit), unless
 * `small` is set, or if they are more than offsets can count.  PSB_EARG if the limit is negative or NaN.
 * `format` and the following arguments describe, as for printf, what needs the bytes. */
PSB_MUST_CHECK psb_err X(check_padding)(const struct X(mat) *a, double limit, double need, int small,
                                        const char *format, ...) PSB_PRINTF(5, 6);

/* PSB_EPADDING if a is on a device and a product with these padded arrays is forecast to take more than
 * 3.5 times as long as in CSRG, so that despite the errors of forecasts few products take more than 4 times
 * as long (docs/tuning.md); a limit above 8 allows half of it, 0 any time.  The host hardly reads padding:
 * ELL of 8 times the bytes of CSR was 1.3 times as slow. */
PSB_MUST_CHECK psb_err X(check_time)(const struct X(mat) *a, double limit, const struct psb_padded *p);
