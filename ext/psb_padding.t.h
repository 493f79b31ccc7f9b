/* psb_padding.t.h -- room: ext.  Limits on the memory and time of formats that pad.  Inside ext. */

/* PSB_EPADDING if `need` bytes are more than `limit` times the bytes of a in CSR (limit 0: no limit), unless
 * `small` is set, or if they are more than offsets can count.  PSB_EARG if the limit is negative or NaN.
 * `format` and the following arguments describe, as for printf, what needs the bytes. */
PSB_MUST_CHECK psb_err X(check_padding)(const struct X(mat) *a, double limit, double need, int small,
                                        const char *format, ...) PSB_PRINTF(5, 6);

/* PSB_EPADDING if a is on a device and a product with these padded arrays is forecast to take more than 3
 * times as long as in CSRG, so that despite the errors of forecasts few products take more than 4 times as
 * long as the best (docs/decisions); a limit above 8 allows 3/8 of it, 0 any time. */
PSB_MUST_CHECK psb_err X(check_device_time)(const struct X(mat) *a, double limit, const struct psb_padded *p);

/* The same for a matrix of these rows on the host, where a product is forecast by f and compared with one in
 * CSR; and, unless the format sorts rows, with one in SELL, of whose time it may take a sixth more: 3.5
 * times, or 7/16 of a limit above 8. */
PSB_MUST_CHECK psb_err X(check_host_time)(const struct X(mat) *a, double limit, const struct psb_forecast *f,
                                          const struct X(compressed) *rows);
