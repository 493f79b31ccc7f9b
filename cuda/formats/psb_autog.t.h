/* psb_autog.t.h -- cuda/formats: AUTOG, AUTO's rule for the formats of the device (psb_auto.t.h), and TUNEDG,
 * which times them; without a device AUTO and TUNED. */
extern const struct X(auto_mat) X(autog_mold);  /* DIAG, HDIAG: 1; HLG: 1.1; CSRG */
extern const struct X(auto_mat) X(tunedg_mold); /* near 1.5, 2 ms */
