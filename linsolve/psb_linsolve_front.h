/* psb_linsolve_front.h -- linsolve: type-generic calls, as in psb_front.h: the type of a matrix,
 * vector, preconditioner or factor selects one of the four scalars. */
#ifndef PSB_LINSOLVE_FRONT_H
#define PSB_LINSOLVE_FRONT_H
#include "psb_front.h"

PSB_SHORT_NAMES(prec);
PSB_SHORT_NAMES(factor);
PSB_SHORT_NAMES(solver);
PSB_SHORT_NAMES(operator);
PSB_SHORT_NAMES(nullspace);
PSB_SHORT_NAMES(operator_calls);
PSB_SHORT_NAMES(prec_calls);

#define psb_factor_bld(a, o, rows, mold, vmold, f) PSB_FRONT(a, mat, factor_bld)(a, o, rows, mold, vmold, f)
#define psb_factor_renew(f, a, rows)               PSB_FRONT(f, factor, factor_renew)(f, a, rows)
#define psb_factor_solve(f, x, y, trans, sweeps)   PSB_FRONT(f, factor, factor_solve)(f, x, y, trans, sweeps)
#define psb_factor_nnz(f)                          PSB_FRONT(f, factor, factor_nnz)(f)
#define psb_factor_bytes(f)                        PSB_FRONT(f, factor, factor_bytes)(f)
#define psb_factor_boosted(f)                      PSB_FRONT(f, factor, factor_boosted)(f)
#define psb_factor_free(f)                         PSB_FRONT(f, factor, factor_free)(f)

#define psb_precinit(p, text)          PSB_FRONT_NEW(p, prec, precinit)(p, text)
#define psb_precinit_opt(p, o)         PSB_FRONT_NEW(p, prec, precinit_opt)(p, o)
#define psb_precbld(p, a, mold, vmold) PSB_FRONT(p, prec, precbld)(p, a, mold, vmold)
#define psb_precupd(p, a)              PSB_FRONT(p, prec, precupd)(p, a)
#define psb_precapply(p, x, y, trans)  PSB_FRONT(p, prec, precapply)(p, x, y, trans)
#define psb_prec_bytes(p)              PSB_FRONT(p, prec, prec_bytes)(p)
#define psb_precdescr(p, text, size)   PSB_FRONT(p, prec, precdescr)(p, text, size)
#define psb_precfree(p)                PSB_FRONT(p, prec, precfree)(p)
#define psb_krylov(a, p, b, x, o, res) PSB_FRONT(a, spmat, krylov)(a, p, b, x, o, res)
#define psb_solve(a, b, x, text, res)  PSB_FRONT(a, spmat, solve)(a, b, x, text, res)
#define psb_lsmr(a, b, x, o, res)      PSB_FRONT(a, spmat, lsmr)(a, b, x, o, res)

#define psb_solver_new(s, a, text)              PSB_FRONT_NEW(s, solver, solver_new)(s, a, text)
#define psb_solver_solve(s, b, x, res)          PSB_FRONT(s, solver, solver_solve)(s, b, x, res)
#define psb_solver_update(s)                    PSB_FRONT(s, solver, solver_update)(s)
#define psb_solver_view(s, to)                  PSB_FRONT(s, solver, solver_view)(s, to)
#define psb_solver_history(s, column, n, value) PSB_FRONT(s, solver, solver_history)(s, column, n, value)
#define psb_solver_extremes(s, column, smallest, largest) \
    PSB_FRONT(s, solver, solver_extremes)(s, column, smallest, largest)
#define psb_solver_free(s)                PSB_FRONT(s, solver, solver_free)(s)
#define psb_solver_new_op(s, op, p, text) PSB_FRONT_NEW(s, solver, solver_new_op)(s, op, p, text)

#define psb_operator_new(op, desc, calls, data) \
    PSB_FRONT_NEW(op, operator, operator_new)(op, desc, calls, data)
#define psb_operator_of(op, a)                    PSB_FRONT_NEW(op, operator, operator_of)(op, a)
#define psb_operator_apply(op, x, y, trans)       PSB_FRONT(op, operator, operator_apply)(op, x, y, trans)
#define psb_operator_free(op)                     PSB_FRONT(op, operator, operator_free)(op)
#define psb_precbld_op(p, op, mold, vmold)        PSB_FRONT(p, prec, precbld_op)(p, op, mold, vmold)
#define psb_precupd_op(p, op)                     PSB_FRONT(p, prec, precupd_op)(p, op)
#define psb_krylov_op(op, p, b, x, o, res)        PSB_FRONT(op, operator, krylov_op)(op, p, b, x, o, res)
#define psb_prec_set_inner(p, m)                  PSB_FRONT(p, prec, prec_set_inner)(p, m)
#define psb_prec_set_near_null(p, q)              PSB_FRONT(p, prec, prec_set_near_null)(p, q)
#define psb_prec_set_coarsening(p, coarsen, data) PSB_FRONT(p, prec, prec_set_coarsening)(p, coarsen, data)
#define psb_precinit_user(p, calls, data)         PSB_FRONT_NEW(p, prec, precinit_user)(p, calls, data)

#define psb_nullspace_new(q, desc, constant, n, v) \
    PSB_FRONT_NEW(q, nullspace, nullspace_new)(q, desc, constant, n, v)
#define psb_nullspace_free(q)                PSB_FRONT(q, nullspace, nullspace_free)(q)
#define psb_solver_set_nullspace(s, q, left) PSB_FRONT(s, solver, solver_set_nullspace)(s, q, left)
#endif
