/* psb_front.h -- base: type-generic calls: the type of an argument selects one of the four typed
 * calls. psb_spmv(alpha, a, x, beta, y, 'N') is psb_d_spmv(...) if a is a psb_dspmat *. */
#ifndef PSB_FRONT_H
#define PSB_FRONT_H
#ifdef __cplusplus
#include <type_traits>
#include <utility>

/* Whether a function accepts arguments of these types. */
template <auto Call, class, class... Args>
struct psb_accepts : std::false_type {
};
template <auto Call, class... Args>
struct psb_accepts<Call, std::void_t<decltype(Call(std::declval<Args>()...))>, Args...> : std::true_type {
};

/* Call the first of the functions Call, More ... that accepts the arguments. */
template <auto Call, auto... More, class... Args>
[[nodiscard]] decltype(auto) psb_front(Args &&...args)
{
    if constexpr (psb_accepts<Call, void, Args...>::value)
        return Call(std::forward<Args>(args)...);
    else if constexpr (sizeof...(More) > 0)
        return psb_front<More...>(std::forward<Args>(args)...);
    else
        static_assert(sizeof...(More) > 0, "no scalar has a call with arguments of these types");
}
#endif

/* The short names of typed structs: psb_dspmat is struct psb_d_spmat.  Other public types have the name of
 * their struct or enum. */
/* clang-format off */
#define PSB_SHORT_NAMES(kind) \
    typedef struct psb_s_##kind psb_s##kind; typedef struct psb_d_##kind psb_d##kind; \
    typedef struct psb_c_##kind psb_c##kind; typedef struct psb_z_##kind psb_z##kind
PSB_SHORT_NAMES(mat);
PSB_SHORT_NAMES(spmat);
PSB_SHORT_NAMES(vect);
PSB_SHORT_NAMES(scal);
PSB_SHORT_NAMES(axpby);
PSB_SHORT_NAMES(epilogue);
typedef struct psb_i_vect psb_ivect;
typedef struct psb_l_vect psb_lvect;

/* Select psb_?_name by the type of `obj`: a pointer to a struct psb_?_kind, which may be const; for _NEW, a
 * pointer to such a pointer.  _VECT: the same for calls that integer vectors have too.
 * _OF: by the scalar type of `val`. */
#ifdef __cplusplus
#define PSB_FRONT_OF(val, name)        PSB_FRONT(val, , name)
#define PSB_FRONT(obj, kind, name)     psb_front<psb_s_##name, psb_d_##name, psb_c_##name, psb_z_##name>
#define PSB_FRONT_NEW(obj, kind, name) psb_front<psb_s_##name, psb_d_##name, psb_c_##name, psb_z_##name>
#define PSB_FRONT_VECT(obj, name) \
    psb_front<psb_s_##name, psb_d_##name, psb_c_##name, psb_z_##name, psb_i_##name, psb_l_##name>
#define PSB_FRONT_NEW_VECT(obj, name) PSB_FRONT_VECT(obj, name)
#else
#define PSB_FRONT_OF(val, name) \
    _Generic((val), float : psb_s_##name, double : psb_d_##name, \
        float _Complex : psb_c_##name, double _Complex : psb_z_##name)
#define PSB_FRONT_CASE(type, call) type * : call, const type * : call
#define PSB_FRONT(obj, kind, name) \
    _Generic((obj), PSB_FRONT_CASE(struct psb_s_##kind, psb_s_##name), PSB_FRONT_CASE(struct psb_d_##kind, psb_d_##name), \
        PSB_FRONT_CASE(struct psb_c_##kind, psb_c_##name), PSB_FRONT_CASE(struct psb_z_##kind, psb_z_##name))
#define PSB_FRONT_NEW(obj, kind, name) \
    _Generic((obj), struct psb_s_##kind ** : psb_s_##name, struct psb_d_##kind ** : psb_d_##name, \
        struct psb_c_##kind ** : psb_c_##name, struct psb_z_##kind ** : psb_z_##name)
#define PSB_FRONT_VECT(obj, name) \
    _Generic((obj), PSB_FRONT_CASE(struct psb_s_vect, psb_s_##name), PSB_FRONT_CASE(struct psb_d_vect, psb_d_##name), \
        PSB_FRONT_CASE(struct psb_c_vect, psb_c_##name), PSB_FRONT_CASE(struct psb_z_vect, psb_z_##name), \
        PSB_FRONT_CASE(struct psb_i_vect, psb_i_##name), PSB_FRONT_CASE(struct psb_l_vect, psb_l_##name))
#define PSB_FRONT_NEW_VECT(obj, name) \
    _Generic((obj), struct psb_s_vect ** : psb_s_##name, struct psb_d_vect ** : psb_d_##name, \
        struct psb_c_vect ** : psb_c_##name, struct psb_z_vect ** : psb_z_##name, \
        struct psb_i_vect ** : psb_i_##name, struct psb_l_vect ** : psb_l_##name)
#endif
/* clang-format on */

#define psb_spall(a, desc, nnz)               PSB_FRONT_NEW(a, spmat, spall)(a, desc, nnz)
#define psb_spall2(a, row, col, nnz)          PSB_FRONT_NEW(a, spmat, spall2)(a, row, col, nnz)
#define psb_spins(nz, ia, ja, val, a)         PSB_FRONT(a, spmat, spins)(nz, ia, ja, val, a)
#define psb_spins_local(nz, ia, ja, val, a)   PSB_FRONT(a, spmat, spins_local)(nz, ia, ja, val, a)
#define psb_sp_set_remote(a, mode)            PSB_FRONT(a, spmat, sp_set_remote)(a, mode)
#define psb_sp_dropped(a)                     PSB_FRONT(a, spmat, sp_dropped)(a)
#define psb_cdbldext(a, levels, kind, ext)    PSB_FRONT(a, spmat, cdbldext)(a, levels, kind, ext)
#define psb_sprn(a, clear)                    PSB_FRONT(a, spmat, sprn)(a, clear)
#define psb_spasb(a, mold, dupl)              PSB_FRONT(a, spmat, spasb)(a, mold, dupl)
#define psb_spasb2(a, mold, halo_mold, dupl)  PSB_FRONT(a, spmat, spasb2)(a, mold, halo_mold, dupl)
#define psb_spcnv(a, mold)                    PSB_FRONT(a, spmat, spcnv)(a, mold)
#define psb_spfree(a)                         PSB_FRONT(a, spmat, spfree)(a)
#define psb_spmv(alpha, a, x, beta, y, trans) PSB_FRONT(a, spmat, spmv)(alpha, a, x, beta, y, trans)

#define psb_sp_coo(a, row, col, where, nz, ia, ja, val, mold, dupl) \
    PSB_FRONT_NEW(a, spmat, sp_coo)(a, row, col, where, nz, ia, ja, val, mold, dupl)
#define psb_sp_csr(a, row, col, r, val, mold) PSB_FRONT_NEW(a, spmat, sp_csr)(a, row, col, r, val, mold)
#define psb_sp_of_local(a, row, col, own, halo, n, rows) \
    PSB_FRONT_NEW(a, spmat, sp_of_local)(a, row, col, own, halo, n, rows)
#define psb_sp_coo_again(a, where, nz, val)      PSB_FRONT(a, spmat, sp_coo_again)(a, where, nz, val)
#define psb_ge_wrap(x, desc, k, mold, n, memory) PSB_FRONT_NEW_VECT(x, ge_wrap)(x, desc, k, mold, n, memory)

#define psb_band_solve(b, diag, x, mold) PSB_FRONT_OF(*(x), band_solve)(b, diag, x, mold)
#define psb_sv_gather(v, y, val, mold)      PSB_FRONT_OF(*(val), sv_gather)(v, y, val, mold)
#define psb_sv_take(v, y, val, mold)        PSB_FRONT_OF(*(val), sv_take)(v, y, val, mold)
#define psb_sv_scatter(v, val, y, mold)     PSB_FRONT_OF(*(y), sv_scatter)(v, val, y, mold)
#define psb_sv_rot(v, c, s, val, y, mold)   PSB_FRONT_OF(*(y), sv_rot)(v, c, s, val, y, mold)
#define psb_sv_dot(v, val, y, conj, dot, mold) PSB_FRONT_OF(*(dot), sv_dot)(v, val, y, conj, dot, mold)
#define psb_sv_axpby(v, alpha, val, beta, y, mold) \
    PSB_FRONT_OF(*(y), sv_axpby)(v, alpha, val, beta, y, mold)

#define psb_vects_like(a, x, y)      PSB_FRONT(a, spmat, vects_like)(a, x, y)
#define psb_vects_like_n(a, k, x, y) PSB_FRONT(a, spmat, vects_like_n)(a, k, x, y)
#define psb_spmv_opt(alpha, a, x, beta, y, trans, halo_update) \
    PSB_FRONT(a, spmat, spmv_opt)(alpha, a, x, beta, y, trans, halo_update)
#define psb_spmv_fused(alpha, a, x, beta, y, trans, e, dots) \
    PSB_FRONT(a, spmat, spmv_fused)(alpha, a, x, beta, y, trans, e, dots)
#define psb_gefused(y, e, dots)               PSB_FRONT(y, vect, gefused)(y, e, dots)
#define psb_scal_new(s, desc, mold)           PSB_FRONT_NEW(s, scal, scal_new)(s, desc, mold)
#define psb_scal_free(s)                      PSB_FRONT(s, scal, scal_free)(s)
#define psb_scal_set(s, v)                    PSB_FRONT(s, scal, scal_set)(s, v)
#define psb_scal_get(s, v)                    PSB_FRONT(s, scal, scal_get)(s, v)
#define psb_scal_device_read(s, p)            PSB_FRONT(s, scal, scal_device_read)(s, p)
#define psb_scal_device_update(s, p)          PSB_FRONT(s, scal, scal_device_update)(s, p)
#define psb_scal_multiply(a, b, c)            PSB_FRONT(c, scal, scal_multiply)(a, b, c)
#define psb_scal_divide(a, b, c)              PSB_FRONT(c, scal, scal_divide)(a, b, c)
#define psb_scal_root(a, c)                   PSB_FRONT(c, scal, scal_root)(a, c)
#define psb_geaxpbys(m, sum)                  PSB_FRONT(sum, axpby, geaxpbys)(m, sum)
#define psb_spmm(alpha, a, x, beta, y, trans) PSB_FRONT(a, spmat, spmm)(alpha, a, x, beta, y, trans)
#define psb_spmm_opt(alpha, a, x, beta, y, trans, halo_update) \
    PSB_FRONT(a, spmat, spmm_opt)(alpha, a, x, beta, y, trans, halo_update)

#define psb_geall(x, desc)              PSB_FRONT_NEW_VECT(x, geall)(x, desc)
#define psb_geins(n, irw, val, x, dupl) PSB_FRONT_VECT(x, geins)(n, irw, val, x, dupl)
#define psb_ge_set_remote(x, mode)      PSB_FRONT_VECT(x, ge_set_remote)(x, mode)
#define psb_gereinit(x, clear)          PSB_FRONT_VECT(x, gereinit)(x, clear)
#define psb_vect_copy(x, y)             PSB_FRONT_VECT(x, vect_copy)(x, y)
#define psb_ge_dropped(x)               PSB_FRONT_VECT(x, ge_dropped)(x)
#define psb_geasb(x, mold)              PSB_FRONT_VECT(x, geasb)(x, mold)
#define psb_gefree(x)                   PSB_FRONT_VECT(x, gefree)(x)
#define psb_getelem(x, g, val)          PSB_FRONT_VECT(x, getelem)(x, g, val)
#define psb_set_scal(a, x)              PSB_FRONT_VECT(x, set_scal)(a, x)
#define psb_get_vect(x, n, to)          PSB_FRONT_VECT(x, get_vect)(x, n, to)
#define psb_set_vect(x, n, from)        PSB_FRONT_VECT(x, set_vect)(x, n, from)
#define psb_ovrl(x, op)                 PSB_FRONT(x, vect, ovrl)(x, op)
#define psb_halo(x, trans)              PSB_FRONT_VECT(x, halo)(x, trans)
#define psb_geaxpby(alpha, x, beta, y)  PSB_FRONT(x, vect, geaxpby)(alpha, x, beta, y)
#define psb_gedot(x, y, res)            PSB_FRONT(x, vect, gedot)(x, y, res)
#define psb_genrm2(x, res)              PSB_FRONT(x, vect, genrm2)(x, res)
#define psb_gather_3(x, all, root)      PSB_FRONT_VECT(x, gather)(x, all, root)

/* psb_gather has three arguments for a vector, (x, all, root), and five for an array, (ctxt, n, x, all,
 * root): see psb_coll.h. */
#define PSB_SIXTH(a, b, c, d, e, f, ...) f
#define psb_gather(...) \
    PSB_SIXTH(__VA_ARGS__, psb_gather_5, psb_gather_takes_3_or_5_arguments, psb_gather_3, 0)(__VA_ARGS__)

#define psb_vect_new_n(x, n, k, mold)      PSB_FRONT_NEW_VECT(x, vect_new_n)(x, n, k, mold)
#define psb_vect_bld(x, n, k, from, mold)  PSB_FRONT_NEW_VECT(x, vect_bld)(x, n, k, from, mold)
#define psb_geall_n(x, desc, k)            PSB_FRONT_NEW_VECT(x, geall_n)(x, desc, k)
#define psb_vect_ins(n, idx, val, x, dupl) PSB_FRONT_VECT(x, vect_ins)(n, idx, val, x, dupl)
#define psb_vect_clone(x, y)               PSB_FRONT_VECT(x, vect_clone)(x, y)
#define psb_vect_cnv(x, mold)              PSB_FRONT_VECT(x, vect_cnv)(x, mold)
#define psb_vect_get_nrows(x)              PSB_FRONT_VECT(x, vect_get_nrows)(x)
#define psb_vect_get_ncols(x)              PSB_FRONT_VECT(x, vect_get_ncols)(x)
#define psb_vect_sizeof(x)                 PSB_FRONT_VECT(x, vect_sizeof)(x)
#define psb_vect_is_host(x)                PSB_FRONT_VECT(x, vect_is_host)(x)
#define psb_vect_is_dev(x)                 PSB_FRONT_VECT(x, vect_is_dev)(x)
#define psb_vect_is_sync(x)                PSB_FRONT_VECT(x, vect_is_sync)(x)
#define psb_vect_sync(x)                   PSB_FRONT_VECT(x, vect_sync)(x)
#define psb_vect_zero(x)                   PSB_FRONT_VECT(x, vect_zero)(x)
#define psb_vect_get_entry(x, i, val)      PSB_FRONT_VECT(x, vect_get_entry)(x, i, val)
#define psb_vect_gth(x, n, idx, buf)       PSB_FRONT_VECT(x, vect_gth)(x, n, idx, buf)
#define psb_vect_sct(n, idx, buf, beta, x) PSB_FRONT_VECT(x, vect_sct)(n, idx, buf, beta, x)
#define psb_halo_start(x, trans)           PSB_FRONT_VECT(x, halo_start)(x, trans)
#define psb_halo_end(x)                    PSB_FRONT_VECT(x, halo_end)(x)
#define psb_scatter(x, all, root)          PSB_FRONT_VECT(x, scatter)(x, all, root)
#define psb_mat_vect_sv(alpha, t, x, beta, y, trans, scale, d) \
    PSB_FRONT(t, mat, mat_vect_sv)(alpha, t, x, beta, y, trans, scale, d)
#define psb_geaxpbyz(alpha, x, beta, y, z) PSB_FRONT(x, vect, geaxpbyz)(alpha, x, beta, y, z)
#define psb_gemaxpy(m, alpha, x, y)        PSB_FRONT(y, vect, gemaxpy)(m, alpha, x, y)
#define psb_upd_xyz(alpha, beta, gamma, delta, x, y, z) \
    PSB_FRONT(x, vect, upd_xyz)(alpha, beta, gamma, delta, x, y, z)
#define psb_xyzw(a, b, c, d, e, f, x, y, z, w)     PSB_FRONT(x, vect, xyzw)(a, b, c, d, e, f, x, y, z, w)
#define psb_geaxpby_cols(alpha, x, beta, y)        PSB_FRONT(x, vect, geaxpby_cols)(alpha, x, beta, y)
#define psb_gescal_cols(alpha, x)                  PSB_FRONT(x, vect, gescal_cols)(alpha, x)
#define psb_gescal(alpha, x)                       PSB_FRONT(x, vect, gescal)(alpha, x)
#define psb_gemlt(x, y)                            PSB_FRONT(x, vect, gemlt)(x, y)
#define psb_gemlt2(alpha, x, y, beta, z)           PSB_FRONT(x, vect, gemlt2)(alpha, x, y, beta, z)
#define psb_gediv(x, y)                            PSB_FRONT(x, vect, gediv)(x, y)
#define psb_gediv_check(x, y)                      PSB_FRONT(x, vect, gediv_check)(x, y)
#define psb_gediv2(x, y, z)                        PSB_FRONT(x, vect, gediv2)(x, y, z)
#define psb_gediv2_check(x, y, z)                  PSB_FRONT(x, vect, gediv2_check)(x, y, z)
#define psb_geinv(x, y)                            PSB_FRONT(x, vect, geinv)(x, y)
#define psb_geinv_check(x, y)                      PSB_FRONT(x, vect, geinv_check)(x, y)
#define psb_geabs(x, y)                            PSB_FRONT(x, vect, geabs)(x, y)
#define psb_gecmp(x, c, z)                         PSB_FRONT(x, vect, gecmp)(x, c, z)
#define psb_geaddconst(x, b, z)                    PSB_FRONT(x, vect, geaddconst)(x, b, z)
#define psb_gedot_local(x, y, res)                 PSB_FRONT(x, vect, gedot_local)(x, y, res)
#define psb_genrm2_local(x, res)                   PSB_FRONT(x, vect, genrm2_local)(x, res)
#define psb_genrm2_weight(x, w, res)               PSB_FRONT(x, vect, genrm2_weight)(x, w, res)
#define psb_genrm2_weight_local(x, w, res)         PSB_FRONT(x, vect, genrm2_weight_local)(x, w, res)
#define psb_genrm2_weightmask(x, w, id, res)       PSB_FRONT(x, vect, genrm2_weightmask)(x, w, id, res)
#define psb_genrm2_weightmask_local(x, w, id, res) PSB_FRONT(x, vect, genrm2_weightmask_local)(x, w, id, res)
#define psb_geamax(x, res)                         PSB_FRONT(x, vect, geamax)(x, res)
#define psb_geamax_local(x, res)                   PSB_FRONT(x, vect, geamax_local)(x, res)
#define psb_genrmi(x, res)                         PSB_FRONT(x, vect, genrmi)(x, res)
#define psb_genrmi_local(x, res)                   PSB_FRONT(x, vect, genrmi_local)(x, res)
#define psb_geasum(x, res)                         PSB_FRONT(x, vect, geasum)(x, res)
#define psb_geasum_local(x, res)                   PSB_FRONT(x, vect, geasum_local)(x, res)
#define psb_gemin(x, res)                          PSB_FRONT(x, vect, gemin)(x, res)
#define psb_gemin_local(x, res)                    PSB_FRONT(x, vect, gemin_local)(x, res)
#define psb_minquotient(x, y, res)                 PSB_FRONT(x, vect, minquotient)(x, y, res)
#define psb_minquotient_local(x, y, res)           PSB_FRONT(x, vect, minquotient_local)(x, y, res)
#define psb_mask(c, x, m, ok)                      PSB_FRONT(x, vect, mask)(c, x, m, ok)
#define psb_mask_local(c, x, m, ok)                PSB_FRONT(x, vect, mask_local)(c, x, m, ok)
#define psb_gedots(m, x, y, res)                   PSB_FRONT(*(x), vect, gedots)(m, x, y, res)
#define psb_gedots_local(m, x, y, res)             PSB_FRONT(*(x), vect, gedots_local)(m, x, y, res)
#define psb_vect_new(x, n, mold)                   PSB_FRONT_NEW_VECT(x, vect_new)(x, n, mold)

#define psb_nnz(a, nz)               PSB_FRONT(a, spmat, nnz)(a, nz)
#define psb_sp_is_triangle(a)        PSB_FRONT(a, spmat, sp_is_triangle)(a)
#define psb_sp_is_upper(a)           PSB_FRONT(a, spmat, sp_is_upper)(a)
#define psb_sp_is_lower(a)           PSB_FRONT(a, spmat, sp_is_lower)(a)
#define psb_sp_is_unit(a)            PSB_FRONT(a, spmat, sp_is_unit)(a)
#define psb_sp_is_symmetric(a)       PSB_FRONT(a, spmat, sp_is_symmetric)(a)
#define psb_sp_set_triangle(a, yes)  PSB_FRONT(a, spmat, sp_set_triangle)(a, yes)
#define psb_sp_set_upper(a, yes)     PSB_FRONT(a, spmat, sp_set_upper)(a, yes)
#define psb_sp_set_lower(a, yes)     PSB_FRONT(a, spmat, sp_set_lower)(a, yes)
#define psb_sp_set_unit(a, yes)      PSB_FRONT(a, spmat, sp_set_unit)(a, yes)
#define psb_sp_set_symmetric(a, yes) PSB_FRONT(a, spmat, sp_set_symmetric)(a, yes)
#define psb_sp_get_diag(a, d)        PSB_FRONT(a, spmat, sp_get_diag)(a, d)
#define psb_sp_rowsum(a, d)          PSB_FRONT(a, spmat, sp_rowsum)(a, d)
#define psb_sp_arwsum(a, d)          PSB_FRONT(a, spmat, sp_arwsum)(a, d)
#define psb_sp_colsum(a, d)          PSB_FRONT(a, spmat, sp_colsum)(a, d)
#define psb_sp_aclsum(a, d)          PSB_FRONT(a, spmat, sp_aclsum)(a, d)
#define psb_spnrmi(a, res)           PSB_FRONT(a, spmat, spnrmi)(a, res)
#define psb_spnrm1(a, res)           PSB_FRONT(a, spmat, spnrm1)(a, res)
#define psb_sp_maxval(a, res)        PSB_FRONT(a, spmat, sp_maxval)(a, res)
#define psb_spscal(s, a)             PSB_FRONT(a, spmat, spscal)(s, a)
#define psb_spscalv(d, a, side)      PSB_FRONT(a, spmat, spscalv)(d, a, side)
#define psb_sp_clean_zeros(a)        PSB_FRONT(a, spmat, sp_clean_zeros)(a)
#define psb_spsm(alpha, t, x, beta, y, trans, scale, d) \
    PSB_FRONT(t, spmat, spsm)(alpha, t, x, beta, y, trans, scale, d)
#define psb_sphalo(desc, b, mold, blk, more, n)  PSB_FRONT(b, spmat, sphalo)(desc, b, mold, blk, more, n)
#define psb_spspmm(a, b, mold, c)                PSB_FRONT(a, spmat, spspmm)(a, b, mold, c)
#define psb_sp_colour(a, distance, colour, n)    PSB_FRONT(a, spmat, sp_colour)(a, distance, colour, n)
#define psb_spgemm(alpha, a, transa, b, transb, beta, d, mask, mold, c) \
    PSB_FRONT(a, spmat, spgemm)(alpha, a, transa, b, transb, beta, d, mask, mold, c)
#define psb_spgemm_again(alpha, a, b, beta, d, c) PSB_FRONT(c, spmat, spgemm_again)(alpha, a, b, beta, d, c)
#define psb_sprap(r, a, p, mold, c)              PSB_FRONT(a, spmat, sprap)(r, a, p, mold, c)
#define psb_sprap_again(r, a, p, c)              PSB_FRONT(c, spmat, sprap_again)(r, a, p, c)
#define psb_spaxpby(alpha, a, beta, b)           PSB_FRONT(b, spmat, spaxpby)(alpha, a, beta, b)
#define psb_sp_cmp(a, b, tol, equal)             PSB_FRONT(a, spmat, sp_cmp)(a, b, tol, equal)
#define psb_sp_clone(a, b)                       PSB_FRONT(a, spmat, sp_clone)(a, b)
#define psb_sp_tril(a, k, l, u)                  PSB_FRONT(a, spmat, sp_tril)(a, k, l, u)
#define psb_sp_triu(a, k, u, l)                  PSB_FRONT(a, spmat, sp_triu)(a, k, u, l)
#define psb_sp_transp(a, b)                      PSB_FRONT(a, spmat, sp_transp)(a, b)
#define psb_sp_transc(a, b)                      PSB_FRONT(a, spmat, sp_transc)(a, b)
#define psb_sp_csget(a, i, cap, ia, ja, val, nz) PSB_FRONT(a, spmat, sp_csget)(a, i, cap, ia, ja, val, nz)
#define psb_spgather(a, mold, all, root)         PSB_FRONT(a, spmat, spgather)(a, mold, all, root)
#define psb_sp_print(a, to, header)              PSB_FRONT(a, spmat, sp_print)(a, to, header)
#define psb_sp_is_null(a)                        PSB_FRONT(a, spmat, sp_is_null)(a)
#define psb_sp_is_bld(a)                         PSB_FRONT(a, spmat, sp_is_bld)(a)
#define psb_sp_is_asb(a)                         PSB_FRONT(a, spmat, sp_is_asb)(a)
#define psb_sp_is_upd(a)                         PSB_FRONT(a, spmat, sp_is_upd)(a)
#define psb_sp_is_host(a)                        PSB_FRONT(a, spmat, sp_is_host)(a)
#define psb_sp_is_dev(a)                         PSB_FRONT(a, spmat, sp_is_dev)(a)
#define psb_sp_is_sync(a)                        PSB_FRONT(a, spmat, sp_is_sync)(a)
#define psb_sp_sync(a)                           PSB_FRONT(a, spmat, sp_sync)(a)
#define psb_sp_trim(a)                           PSB_FRONT(a, spmat, sp_trim)(a)
#define psb_sp_local(a, own, halo, rows)         PSB_FRONT(a, spmat, sp_local)(a, own, halo, rows)
#define psb_sp_get_nz_row(a, i, nz)              PSB_FRONT(a, spmat, sp_get_nz_row)(a, i, nz)
#define psb_sp_get_neigh(a, i, lev, idx, n)      PSB_FRONT(a, spmat, sp_get_neigh)(a, i, lev, idx, n)
#define psb_sp_scalpid(s, a)                     PSB_FRONT(a, spmat, sp_scalpid)(s, a)
#define psb_sp_csput(nz, ia, ja, val, a, dupl)   PSB_FRONT(a, spmat, sp_csput)(nz, ia, ja, val, a, dupl)
#define psb_sp_cmpval(a, v, tol, equal)          PSB_FRONT(a, spmat, sp_cmpval)(a, v, tol, equal)
#define psb_sp_clip_diag(a, b)                   PSB_FRONT(a, spmat, sp_clip_diag)(a, b)
#define psb_sp_csclip(a, imin, imax, jmin, jmax, b) \
    PSB_FRONT(a, spmat, sp_csclip)(a, imin, imax, jmin, jmax, b)
#define psb_sp_cscnv psb_spcnv

#define psb_sp_csclip_list(a, m, rows, n, cols, b) PSB_FRONT(a, spmat, sp_csclip_list)(a, m, rows, n, cols, b)
#define psb_sp_kron(a, k, l, block, b)             PSB_FRONT(a, spmat, sp_kron)(a, k, l, block, b)

#define psb_sp_nnz(a)           PSB_FRONT(a, spmat, sp_nnz)(a)
#define psb_sp_bytes(a)         PSB_FRONT(a, spmat, sp_bytes)(a)
#define psb_sp_fmt(a)           PSB_FRONT(a, spmat, sp_fmt)(a)
#define psb_sp_row_desc(a)      PSB_FRONT(a, spmat, sp_row_desc)(a)
#define psb_sp_col_desc(a)      PSB_FRONT(a, spmat, sp_col_desc)(a)
#define psb_sp_state(a)         PSB_FRONT(a, spmat, sp_state)(a)
#define psb_host_read(x, p)     PSB_FRONT_VECT(x, host_read)(x, p)
#define psb_host_write(x, p)    PSB_FRONT_VECT(x, host_write)(x, p)
#define psb_host_update(x, p)   PSB_FRONT_VECT(x, host_update)(x, p)
#define psb_device_read(x, p)   PSB_FRONT_VECT(x, device_read)(x, p)
#define psb_device_write(x, p)  PSB_FRONT_VECT(x, device_write)(x, p)
#define psb_device_update(x, p) PSB_FRONT_VECT(x, device_update)(x, p)

/* Calls on a local matrix.  psb_?_mat_by_name and psb_?_mat_format have no argument that depends on the type,
 * and so no generic name. */
#define psb_mat_convert(a, mold, b)               PSB_FRONT(a, mat, mat_convert)(a, mold, b)
#define psb_mat_cscnv(a, mold)                    PSB_FRONT_NEW(a, mat, mat_cscnv)(a, mold)
#define psb_mat_clone(a, b)                       PSB_FRONT(a, mat, mat_clone)(a, b)
#define psb_mat_free(a)                           PSB_FRONT(a, mat, mat_free)(a)
#define psb_mat_bytes(a)                          PSB_FRONT(a, mat, mat_bytes)(a)
#define psb_mat_register(mold)                    PSB_FRONT(mold, mat, mat_register)(mold)
#define psb_mat_can_put(a)                        PSB_FRONT(a, mat, mat_can_put)(a)
#define psb_mat_all(m, n, nz, a)                  PSB_FRONT_NEW(a, mat, mat_all)(m, n, nz, a)
#define psb_mat_csput(a, nz, ia, ja, val, dupl)   PSB_FRONT(a, mat, mat_csput)(a, nz, ia, ja, val, dupl)
#define psb_mat_asb(a, dupl)                      PSB_FRONT(a, mat, mat_asb)(a, dupl)
#define psb_mat_reinit(a, clear)                  PSB_FRONT(a, mat, mat_reinit)(a, clear)
#define psb_mat_zero_vals(a)                      PSB_FRONT(a, mat, mat_zero_vals)(a)
#define psb_mat_trim(a)                           PSB_FRONT(a, mat, mat_trim)(a)
#define psb_mat_clean_zeros(a)                    PSB_FRONT(a, mat, mat_clean_zeros)(a)
#define psb_mat_make_nonunit(a)                   PSB_FRONT(a, mat, mat_make_nonunit)(a)
#define psb_mat_get_fmt(a)                        PSB_FRONT(a, mat, mat_get_fmt)(a)
#define psb_mat_get_nrows(a)                      PSB_FRONT(a, mat, mat_get_nrows)(a)
#define psb_mat_get_ncols(a)                      PSB_FRONT(a, mat, mat_get_ncols)(a)
#define psb_mat_get_nzeros(a)                     PSB_FRONT(a, mat, mat_get_nzeros)(a)
#define psb_mat_get_order(a)                      PSB_FRONT(a, mat, mat_get_order)(a)
#define psb_mat_is_sorted(a)                      PSB_FRONT(a, mat, mat_is_sorted)(a)
#define psb_mat_is_by_rows(a)                     PSB_FRONT(a, mat, mat_is_by_rows)(a)
#define psb_mat_is_by_cols(a)                     PSB_FRONT(a, mat, mat_is_by_cols)(a)
#define psb_mat_set_sorted(a, order)              PSB_FRONT(a, mat, mat_set_sorted)(a, order)
#define psb_mat_is_null(a)                        PSB_FRONT(a, mat, mat_is_null)(a)
#define psb_mat_is_bld(a)                         PSB_FRONT(a, mat, mat_is_bld)(a)
#define psb_mat_is_asb(a)                         PSB_FRONT(a, mat, mat_is_asb)(a)
#define psb_mat_is_upd(a)                         PSB_FRONT(a, mat, mat_is_upd)(a)
#define psb_mat_set_state(a, state)               PSB_FRONT(a, mat, mat_set_state)(a, state)
#define psb_mat_is_triangle(a)                    PSB_FRONT(a, mat, mat_is_triangle)(a)
#define psb_mat_is_upper(a)                       PSB_FRONT(a, mat, mat_is_upper)(a)
#define psb_mat_is_lower(a)                       PSB_FRONT(a, mat, mat_is_lower)(a)
#define psb_mat_is_unit(a)                        PSB_FRONT(a, mat, mat_is_unit)(a)
#define psb_mat_is_symmetric(a)                   PSB_FRONT(a, mat, mat_is_symmetric)(a)
#define psb_mat_set_triangle(a, yes)              PSB_FRONT(a, mat, mat_set_triangle)(a, yes)
#define psb_mat_set_upper(a, yes)                 PSB_FRONT(a, mat, mat_set_upper)(a, yes)
#define psb_mat_set_lower(a, yes)                 PSB_FRONT(a, mat, mat_set_lower)(a, yes)
#define psb_mat_set_unit(a, yes)                  PSB_FRONT(a, mat, mat_set_unit)(a, yes)
#define psb_mat_set_symmetric(a, yes)             PSB_FRONT(a, mat, mat_set_symmetric)(a, yes)
#define psb_mat_is_host(a)                        PSB_FRONT(a, mat, mat_is_host)(a)
#define psb_mat_is_dev(a)                         PSB_FRONT(a, mat, mat_is_dev)(a)
#define psb_mat_is_sync(a)                        PSB_FRONT(a, mat, mat_is_sync)(a)
#define psb_mat_sync(a)                           PSB_FRONT(a, mat, mat_sync)(a)
#define psb_mat_csmv(alpha, a, x, beta, y, trans) PSB_FRONT(a, mat, mat_csmv)(alpha, a, x, beta, y, trans)
#define psb_mat_csmm(alpha, a, k, x, beta, y, trans) \
    PSB_FRONT(a, mat, mat_csmm)(alpha, a, k, x, beta, y, trans)
#define psb_mat_spmm(q, alpha, a, val, x, beta, y, mold) \
    PSB_FRONT(a, mat, mat_spmm)(q, alpha, a, val, x, beta, y, mold)
#define psb_mat_spsm(q, a, val, y, mold) PSB_FRONT(a, mat, mat_spsm)(q, a, val, y, mold)
#define psb_mat_sddmm(alpha, k, left, x, right, y, beta, c, mold) \
    PSB_FRONT(c, mat, mat_sddmm)(alpha, k, left, x, right, y, beta, c, mold)
#define psb_mat_vect_mv(alpha, a, x, beta, y, trans) \
    PSB_FRONT(a, mat, mat_vect_mv)(alpha, a, x, beta, y, trans)
#define psb_mat_cssv(alpha, a, x, beta, y, trans, side, d) \
    PSB_FRONT(a, mat, mat_cssv)(alpha, a, x, beta, y, trans, side, d)
#define psb_mat_cssm(alpha, a, k, x, beta, y, trans, side, d) \
    PSB_FRONT(a, mat, mat_cssm)(alpha, a, k, x, beta, y, trans, side, d)
#define psb_mat_get_diag(a, d)             PSB_FRONT(a, mat, mat_get_diag)(a, d)
#define psb_mat_rowsum(a, d)               PSB_FRONT(a, mat, mat_rowsum)(a, d)
#define psb_mat_arwsum(a, d)               PSB_FRONT(a, mat, mat_arwsum)(a, d)
#define psb_mat_colsum(a, d)               PSB_FRONT(a, mat, mat_colsum)(a, d)
#define psb_mat_aclsum(a, d)               PSB_FRONT(a, mat, mat_aclsum)(a, d)
#define psb_mat_maxval(a, res)             PSB_FRONT(a, mat, mat_maxval)(a, res)
#define psb_mat_spnmi(a, res)              PSB_FRONT(a, mat, mat_spnmi)(a, res)
#define psb_mat_spnm1(a, res)              PSB_FRONT(a, mat, mat_spnm1)(a, res)
#define psb_mat_cmpval(a, v, tol, equal)   PSB_FRONT(a, mat, mat_cmpval)(a, v, tol, equal)
#define psb_mat_cmpmat(a, b, tol, equal)   PSB_FRONT(a, mat, mat_cmpmat)(a, b, tol, equal)
#define psb_mat_scal(a, s)                 PSB_FRONT(a, mat, mat_scal)(a, s)
#define psb_mat_scalv(a, d, side)          PSB_FRONT(a, mat, mat_scalv)(a, d, side)
#define psb_mat_scalpid(a, s)              PSB_FRONT(a, mat, mat_scalpid)(a, s)
#define psb_mat_transp(a, b)               PSB_FRONT(a, mat, mat_transp)(a, b)
#define psb_mat_transc(a, b)               PSB_FRONT(a, mat, mat_transc)(a, b)
#define psb_mat_transp_ip(a)               PSB_FRONT(a, mat, mat_transp_ip)(a)
#define psb_mat_transc_ip(a)               PSB_FRONT(a, mat, mat_transc_ip)(a)
#define psb_mat_clip_diag(a, b)            PSB_FRONT(a, mat, mat_clip_diag)(a, b)
#define psb_mat_tril(a, k, block, l, u)    PSB_FRONT(a, mat, mat_tril)(a, k, block, l, u)
#define psb_mat_triu(a, k, block, u, l)    PSB_FRONT(a, mat, mat_triu)(a, k, block, u, l)
#define psb_mat_csclip(a, block, shift, b) PSB_FRONT(a, mat, mat_csclip)(a, block, shift, b)
#define psb_mat_csget(a, block, cap, ia, ja, val, nz) \
    PSB_FRONT(a, mat, mat_csget)(a, block, cap, ia, ja, val, nz)
#define psb_mat_get_ptr(a, lo, hi, ptr)             PSB_FRONT(a, mat, mat_get_ptr)(a, lo, hi, ptr)
#define psb_mat_get_nz_row(a, i, nz)                PSB_FRONT(a, mat, mat_get_nz_row)(a, i, nz)
#define psb_mat_get_neigh(a, i, lev, idx, n)        PSB_FRONT(a, mat, mat_get_neigh)(a, i, lev, idx, n)
#define psb_mat_csclip_list(a, m, rows, n, cols, b) PSB_FRONT(a, mat, mat_csclip_list)(a, m, rows, n, cols, b)
#define psb_mat_from_s(a, mold, b)                  PSB_FRONT_NEW(b, mat, mat_from_s)(a, mold, b)
#define psb_mat_from_d(a, mold, b)                  PSB_FRONT_NEW(b, mat, mat_from_d)(a, mold, b)
#define psb_mat_from_c(a, mold, b)                  PSB_FRONT_NEW(b, mat, mat_from_c)(a, mold, b)
#define psb_mat_from_z(a, mold, b)                  PSB_FRONT_NEW(b, mat, mat_from_z)(a, mold, b)
#define psb_mat_from_half(half, symmetry, mold, a)  PSB_FRONT(half, mat, mat_from_half)(half, symmetry, mold, a)
#define psb_mat_kron(a, k, l, block, b)             PSB_FRONT(a, mat, mat_kron)(a, k, l, block, b)
#define psb_mat_spaxpby(alpha, a, beta, b, mold, c) PSB_FRONT(a, mat, mat_spaxpby)(alpha, a, beta, b, mold, c)
#define psb_mat_spspmm(a, b, c)                     PSB_FRONT(a, mat, mat_spspmm)(a, b, c)
#define psb_mat_spspmm_size(a, b, nz)               PSB_FRONT(a, mat, mat_spspmm_size)(a, b, nz)
#define psb_mat_print(a, to, header)                PSB_FRONT(a, mat, mat_print)(a, to, header)
#define psb_mat_print_path(a, path, header)         PSB_FRONT(a, mat, mat_print_path)(a, path, header)

/* Lists of rows, other orders, thresholds, dense arrays. */
#define psb_vect_renum(x, y)                     PSB_FRONT_VECT(x, vect_renum)(x, y)
#define psb_vect_gthv(x, idx, buf)               PSB_FRONT_VECT(x, vect_gthv)(x, idx, buf)
#define psb_vect_sctv(idx, buf, beta, x)         PSB_FRONT_VECT(x, vect_sctv)(idx, buf, beta, x)
#define psb_getelems(x, n, g, val)               PSB_FRONT_VECT(x, getelems)(x, n, g, val)
#define psb_setelems(n, g, val, x, dupl)         PSB_FRONT_VECT(x, setelems)(n, g, val, x, dupl)
#define psb_mat_prune(a, rule, t, keep_diagonal) PSB_FRONT(a, mat, mat_prune)(a, rule, t, keep_diagonal)
#define psb_sp_prune(a, rule, t, keep_diagonal)  PSB_FRONT(a, spmat, sp_prune)(a, rule, t, keep_diagonal)
#define psb_mat_to_dense(a, d, ld, order)        PSB_FRONT(a, mat, mat_to_dense)(a, d, ld, order)
#define psb_sp_to_dense(a, d, ld, order)         PSB_FRONT(a, spmat, sp_to_dense)(a, d, ld, order)
#define psb_mat_from_dense(m, n, d, ld, order, t, mold, a) \
    PSB_FRONT_NEW(a, mat, mat_from_dense)(m, n, d, ld, order, t, mold, a)
#define psb_sp_from_dense(row, col, d, ld, order, t, a) \
    PSB_FRONT_NEW(a, spmat, sp_from_dense)(row, col, d, ld, order, t, a)
#endif
