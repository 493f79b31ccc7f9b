/* psb_dia.t.h -- ext: diagonals: HDIA (psb_hdia.t.h) with a single hack. */
extern const struct X(hdia_mat) X(dia_mold); /* hack 0, limit 8 */
