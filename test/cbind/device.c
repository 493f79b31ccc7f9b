/* device.c -- test/cbind: names that PSBLAS's C interface got with GPUs: the device, formats by name, types.
 * The same system is solved on the host and, if there is a device, there: in as many iterations. */
#include "program.h"
#include "psb_linsolve_cbind.h"
#include "pde.h"

enum { POINTS = 6 };

/* The iterations of a solve in matrix format `afmt`, with vectors on `side`. */
static int solve(const char *afmt, const char *side)
{
    psb_c_l_t from, to, row[7], col[7];
    psb_c_d_t val[7], rhs;
    psb_c_SolverOptions o;
    psb_c_descriptor *cd = psb_c_new_descriptor();
    P(spmat) *a = NEW(spmat)();
    P(vector) *x = NEW(vector)(), *b = NEW(vector)();
    P(prec) *p = NEW(prec)();
    block(POINTS * POINTS * POINTS, program_me, program_np, &from, &to);
    NEED(psb_c_cdall_nl((psb_c_i_t)(to - from), *program_ctxt, cd) == 0);
    NEED(P(spall)(a, cd) == 0 && P(geall)(x, cd) == 0 && P(geall)(b, cd) == 0);
    for (psb_c_l_t g = from; g < to; g++) {
        scalar v[7], f;
        const int count = pde_row(g, POINTS, col, val, &rhs);
        for (int k = 0; k < count; k++) {
            row[k] = g;
            v[k] = (scalar)val[k];
        }
        f = (scalar)rhs;
        NEED(P(spins)(count, row, col, v, a, cd) == 0 && P(geins)(1, &g, &f, b, cd) == 0);
    }
    NEED(psb_c_cdasb_format(cd, side) == 0 && P(spasb_opt)(a, cd, afmt, PSB_UPD_DFLT, psb_dupl_def_) == 0);
    NEED(P(geasb_options_format)(x, cd, psb_dupl_add_, side) == 0);
    NEED(P(geasb_options_format)(b, cd, psb_dupl_add_, side) == 0);
    NEED(P(precinit)(*program_ctxt, p, "DIAG") == 0 && P(precbld)(a, cd, p) == 0);
    psb_c_DefaultSolverOptions(&o);
    NEED(SOLVE("BICGSTAB", a, p, b, x, cd, &o) == 0 && o.err <= o.eps);
    NEED(P(precfree)(p) == 0 && P(gefree)(b, cd) == 0 && P(gefree)(x, cd) == 0);
    NEED(P(spfree)(a, cd) == 0 && psb_c_cdfree(cd) == 0);
    free(p);
    free(b);
    free(x);
    free(a);
    psb_c_delete_descriptor(cd);
    return o.iter;
}

int main(void)
{
    const psb_c_i_t *as_local = &program_me;
    const psb_c_m_t small_one = 1;
    const psb_c_e_t large_one = 1;
    const psb_c_s_t s = 1;
    const psb_c_c_t c = 1;
    const psb_c_z_t z = 1;
    begin();
    NEED(*as_local == program_me && small_one == large_one && s == (psb_c_s_t)1 && c == (psb_c_t)1 &&
         z == (psb_z_t)1);
#ifdef PSB_HAVE_CUDA
    psb_c_cuda_init(program_ctxt);
    psb_c_cuda_init_opt(program_ctxt, 0);
#endif
    const int iterations = solve("CSR", "CPU");
    if (psb_c_cuda_getDeviceCount() > 0 || (getenv("PSB_DEVICE") && *getenv("PSB_DEVICE")))
        NEED(solve("HLG", "GPU") == iterations);
    psb_c_cuda_exit();
    return end();
}
