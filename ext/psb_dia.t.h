/* psb_dia.t.h -- room: ext.  Diagonals: HDIA (psb_hdia.t.h) whose only hack has all rows. */
extern const struct X(hdia_mat) X(dia_mold); /* hack 0, limit 8 */
