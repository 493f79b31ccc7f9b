/* device.c -- test/cbind: names that PSBLAS's C interface got with GPUs: the device, formats by name, types.
 * The same system is solved on the host and, if there is a device, there: in as many iterations. */
#include "program.h"
#include "psb_linsolve_cbind.h"
#include "pde.h"

enum { POINTS = 6 };

/* The iterations of a solve in matrix format `afmt`, with vectors on `side`. */
static int solve(const char *afmt, const char *side)
{
    psb_c_SolverOptions o;
    P(spmat) *a = NEW(spmat)();
    P(vector) *x = NEW(vector)(), *b = NEW(vector)();
    P(prec) *p = NEW(prec)();
    pde_insert(POINTS, a, x, b);
    NEED(psb_c_cdasb_format(cd, side) == 0 && P(spasb_opt)(a, cd, afmt, PSB_UPD_DFLT, psb_dupl_def_) == 0);
    NEED(P(geasb_options_format)(x, cd, psb_dupl_add_, side) == 0);
    NEED(P(geasb_options_format)(b, cd, psb_dupl_add_, side) == 0);
    NEED(P(precinit)(*program_ctxt, p, "DIAG") == 0 && P(precbld)(a, cd, p) == 0);
    psb_c_DefaultSolverOptions(&o);
    NEED(SOLVE("BICGSTAB", a, p, b, x, cd, &o) == 0 && o.err <= o.eps);
    drop_prec(p);
    drop(b);
    drop(x);
    drop_matrix(a);
    drop_descriptor(cd);
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
