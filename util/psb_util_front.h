/* psb_util_front.h -- util: type-generic calls: the type of an argument selects one of the
 * four scalars, as in psb_front.h.  psb_mm_read(path, NULL, NULL, &t) is psb_d_mm_read(...) where t is a
 * psb_dtriplets.  Every typed call of util has such an argument: triplets, a matrix, a vector, or an
 * array of the scalar. */
#ifndef PSB_UTIL_FRONT_H
#define PSB_UTIL_FRONT_H
#include "psb_front.h"

PSB_SHORT_NAMES(triplets);

/* Triplets that are only read may be const, so the type that the pointer points to selects the call. */
#define psb_triplets_free(t)                PSB_FRONT(t, triplets, triplets_free)(t)
#define psb_mm_read(path, progress, arg, t) PSB_FRONT(t, triplets, mm_read)(path, progress, arg, t)
#define psb_mm_read_array(path, m, n, val)  PSB_FRONT_OF(**(val), mm_read_array)(path, m, n, val)
#define psb_mm_read_all(path, rows, progress, arg, mine) \
    PSB_FRONT(mine, triplets, mm_read_all)(path, rows, progress, arg, mine)
#define psb_mm_mat_read(a, row, col, ctxt, path)   PSB_FRONT_NEW(a, spmat, mm_mat_read)(a, row, col, ctxt, path)
#define psb_mm_vect_read(x, n, desc, path)         PSB_FRONT_NEW(x, vect, mm_vect_read)(x, n, desc, path)
#define psb_mm_write_array(path, m, n, val)        PSB_FRONT_OF(*(val), mm_write_array)(path, m, n, val)
#define psb_mm_write(path, t, field, title)        PSB_FRONT(t, triplets, mm_write)(path, t, field, title)
#define psb_mm_mat_write(path, a, symmetry, title) PSB_FRONT(a, mat, mm_mat_write)(path, a, symmetry, title)
#define psb_mm_sp_write(path, a, symmetry, title)  PSB_FRONT(a, spmat, mm_sp_write)(path, a, symmetry, title)
#define psb_mm_vect_write(path, x, n)              PSB_FRONT(*(x), vect, mm_vect_write)(path, x, n)
#define psb_hb_read(path, t)                       PSB_FRONT(t, triplets, hb_read)(path, t)
#define psb_hb_read_rhs(path, which, m, n, val)    PSB_FRONT_OF(**(val), hb_read_rhs)(path, which, m, n, val)
#define psb_hb_mat_read(a, row, col, ctxt, path)   PSB_FRONT_NEW(a, spmat, hb_mat_read)(a, row, col, ctxt, path)
#define psb_matdist(rows, root, all, mine)         PSB_FRONT(mine, triplets, matdist)(rows, root, all, mine)
#define psb_redist(rows, t)                        PSB_FRONT(t, triplets, redist)(rows, t)
#define psb_sp_matdist(a, row, col, ctxt, root, all) \
    PSB_FRONT_NEW(a, spmat, sp_matdist)(a, row, col, ctxt, root, all)
#define psb_vecdist(desc, root, all, mine)      PSB_FRONT_OF(*(mine), vecdist)(desc, root, all, mine)
#define psb_generate(g, rows, progress, arg, t) PSB_FRONT(t, triplets, generate)(g, rows, progress, arg, t)
#define psb_generate_rows(g, rows, lo, hi, t)   PSB_FRONT(t, triplets, generate_rows)(g, rows, lo, hi, t)
#define psb_gen_pde(p, rows, t, rhs)            PSB_FRONT(t, triplets, gen_pde)(p, rows, t, rhs)
#define psb_sp_gen_pde(a, p, rows, mold, rhs)   PSB_FRONT_NEW(a, spmat, sp_gen_pde)(a, p, rows, mold, rhs)
#define psb_mat_renum(alg, a, perm)             PSB_FRONT(a, mat, mat_renum)(alg, a, perm)
#define psb_sp_renum(alg, a, b)                 PSB_FRONT(a, spmat, sp_renum)(alg, a, b)
#define psb_sp_renum_by(perm, a, b)             PSB_FRONT(a, spmat, sp_renum_by)(perm, a, b)
#endif
