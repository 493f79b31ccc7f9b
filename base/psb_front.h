/* psb_front.h -- room: base.  The calls without a letter: the type of an argument chooses among the four.
 * psb_spmv(alpha, a, x, beta, y, 'N') is psb_d_spmv(...) where a is a psb_dspmat *. */
#ifndef PSB_FRONT_H
#define PSB_FRONT_H

typedef struct psb_s_spmat psb_sspmat;
typedef struct psb_d_spmat psb_dspmat;
typedef struct psb_c_spmat psb_cspmat;
typedef struct psb_z_spmat psb_zspmat;
typedef struct psb_s_vect psb_svect;
typedef struct psb_d_vect psb_dvect;
typedef struct psb_c_vect psb_cvect;
typedef struct psb_z_vect psb_zvect;

/* psb_?_name, the letter that of `obj`, a pointer (or a pointer to a pointer, `star`) to a psb_?_kind. */
/* clang-format off */
#define PSB_FRONT(obj, kind, star, name) \
    _Generic((obj), struct psb_s_##kind star : psb_s_##name, struct psb_d_##kind star : psb_d_##name, \
        struct psb_c_##kind star : psb_c_##name, struct psb_z_##kind star : psb_z_##name)
/* clang-format on */

#define psb_spall(a, desc, nnz)               PSB_FRONT(a, spmat, **, spall)(a, desc, nnz)
#define psb_spall2(a, row, col, nnz)          PSB_FRONT(a, spmat, **, spall2)(a, row, col, nnz)
#define psb_spins(nz, ia, ja, val, a)         PSB_FRONT(a, spmat, *, spins)(nz, ia, ja, val, a)
#define psb_spasb(a, mold, dupl)              PSB_FRONT(a, spmat, *, spasb)(a, mold, dupl)
#define psb_spcnv(a, mold)                    PSB_FRONT(a, spmat, *, spcnv)(a, mold)
#define psb_spfree(a)                         PSB_FRONT(a, spmat, *, spfree)(a)
#define psb_spmv(alpha, a, x, beta, y, trans) PSB_FRONT(a, spmat, *, spmv)(alpha, a, x, beta, y, trans)

#define psb_geall(x, desc)              PSB_FRONT(x, vect, **, geall)(x, desc)
#define psb_geins(n, irw, val, x, dupl) PSB_FRONT(x, vect, *, geins)(n, irw, val, x, dupl)
#define psb_geasb(x, mold)              PSB_FRONT(x, vect, *, geasb)(x, mold)
#define psb_gefree(x)                   PSB_FRONT(x, vect, *, gefree)(x)
#define psb_getelem(x, g, val)          PSB_FRONT(x, vect, *, getelem)(x, g, val)
#define psb_set_scal(a, x)              PSB_FRONT(x, vect, *, set_scal)(a, x)
#define psb_get_vect(x, n, to)          PSB_FRONT(x, vect, *, get_vect)(x, n, to)
#define psb_set_vect(x, n, from)        PSB_FRONT(x, vect, *, set_vect)(x, n, from)
#define psb_halo(x, trans)              PSB_FRONT(x, vect, *, halo)(x, trans)
#define psb_geaxpby(alpha, x, beta, y)  PSB_FRONT(x, vect, *, geaxpby)(alpha, x, beta, y)
#define psb_gedot(x, y, res)            PSB_FRONT(x, vect, *, gedot)(x, y, res)
#define psb_genrm2(x, res)              PSB_FRONT(x, vect, *, genrm2)(x, res)
#define psb_gather(x, all, root)        PSB_FRONT(x, vect, *, gather)(x, all, root)
#endif
