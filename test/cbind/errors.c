/* errors.c -- test/cbind: errors: actions, messages, return values; PSBLAS's default is to abort,
 * which `errors abort` does. */
#define _POSIX_C_SOURCE 200112L /* setenv */
#include "program.h"

/* The newest message names `what`; it is removed. */
static void says(const char *what)
{
    char *text = psb_c_pop_errmsg();
    if (!text || !strstr(text, what))
        fprintf(stderr, "the message \"%s\" does not contain \"%s\"\n", text ? text : "", what);
    NEED(text && strstr(text, what));
    free(text);
    psb_c_clean_errstack();
}

static void wrong_calls(psb_c_descriptor *cd)
{
    const psb_l_t far_away = 1000, row[2] = { 2 * program_me, 2 * program_me };
    const psb_l_t col[2] = { row[0], (2 * program_me + 2) % (2 * program_np) };
    const scalar v = 1, two[2] = { 1, 1 };
    P(vector) *x = NEW(vector)(), *y = NEW(vector)(), *none = NEW(vector)();
    P(spmat) *a = NEW(spmat)();
    P(prec) *p = NEW(prec)(), *nothing = NEW(prec)();
    psb_c_SolverOptions o;
    psb_c_DefaultSolverOptions(&o);
    NEED(P(geall)(x, cd) == 0);
    NEED(P(geins)(-1, &far_away, &v, x, cd) < 0);
    says("geins");
    NEED(P(geall_remote_options)(y, cd, psb_matbld_noremote_, psb_dupl_err_) < 0);
    says("psb_dupl_err_");
    NEED(P(getelem)(x, far_away, cd) == (scalar)0);
    says("getelem");
    NEED(P(geall)(program_me == 0 ? NULL : y, cd) < 0 && P(spall)(program_me == 0 ? NULL : a, cd) < 0);
    psb_c_clean_errstack(); /* it failed on all processes */
    NEED(P(vect_get_nrows)(y) == PSB_ERR_ERROR && P(mat_get_nrows)(a) == 0 &&
         psb_c_cd_get_local_rows(NULL) == -1);
    NEED(psb_c_get_errstatus() == 0);
    NEED(P(genrm2)(NULL, cd) == -1);
    says("first vector is NULL");
    NEED(P(geasb_options)(x, cd, psb_dupl_err_) < 0);
    says("psb_dupl_err_");
    NEED(P(geasb_options_format)(x, cd, PSB_DUPL_DEF, NULL) == 0);
    NEED(psb_c_cuda_init(program_ctxt) == 0 && psb_c_cuda_getDeviceCount() >= 0);
    if (P(geasb_options_format)(x, cd, PSB_DUPL_DEF, "gpu") != 0)
        says("there is no device");
    NEED(P(geasb_options_format)(x, cd, PSB_DUPL_DEF, "host") == 0);
    NEED(P(gefree)(none, cd) == PSB_ERR_ERROR && psb_c_get_errstatus() == 0 && P(spall)(a, cd) == 0);
    NEED(P(spmm)(1, a, x, 0, x, cd) < 0);
    says("spmm");
    NEED(P(spins)(2, row, col, two, a, cd) == 0);
    NEED(P(spasb_opt)(a, cd, "nonsense", psb_upd_def_, psb_dupl_add_) < 0);
    says("argument afmt is \"nonsense\"");
    setenv("PSB_FORMAT", "neither", 1);
    NEED(P(spasb)(a, cd) < 0);
    says("PSB_FORMAT is \"neither\"");
    unsetenv("PSB_FORMAT");
    NEED(P(spasb_opt)(a, cd, "csr  ", psb_upd_def_, psb_dupl_add_) == 0);
    NEED(P(geall)(y, cd) == 0 && P(geasb)(y, cd) == 0);
    const int code = P(spmm)(1, a, program_me == 0 ? none : x, 0, y, cd); /* nobody waits for process 0 */
    if (program_me == 0 || program_me == program_np - 1)
        NEED(code < 0);
    psb_c_clean_errstack();
    NEED(P(spmm)(1, a, x, 0, y, cd) == 0);
    NEED(P(spins)(2, row, col, two, a, cd) < 0);
    says("spins");
    NEED(P(precbld)(a, cd, NULL) < 0);
    says("argument ph is NULL");
    NEED(P(precinit)(*program_ctxt, p, "noprec") == 0 && P(precbld)(a, cd, p) == 0);
    o.istop = 9;
    NEED(SOLVE("CG", a, p, x, x, cd, &o) < 0);
    psb_c_clean_errstack();
    if (program_np > 1) {
        NEED(SOLVE("CG", a, program_me == 1 ? NULL : p, x, y, cd, &o) < 0);
        says("krylov");
        NEED(SOLVE("CG", a, program_me == 1 ? nothing : p, x, y, cd, &o) < 0);
        NEED((psb_c_get_errstatus() == 0) == (program_me == 1)); /* nobody waits for process 1 */
        psb_c_clean_errstack();
    }
    NEED(P(precfree)(p) == 0 && P(precfree)(p) == PSB_ERR_ERROR);
    o.istop = 2;
    o.s1 = x;
    NEED(P(precinit)(*program_ctxt, p, "none") == 0 && P(precbld)(a, cd, p) == 0);
    NEED(SOLVE("CG", a, p, x, y, cd, &o) < 0);
    says("option s1");
    NEED(P(precfree)(p) == 0 && P(gefree)(x, cd) == 0 && P(gefree)(y, cd) == 0);
    free(y);
    NEED(P(spfree)(a, cd) == 0);
    free(x);
    free(none);
    free(a);
    free(p);
    free(nothing);
}

/* Numbers of halo indices that the library does not give. */
static void wrong_numbers(void)
{
    psb_c_descriptor *cd = psb_c_new_descriptor();
    psb_l_t mine = program_me, ghost[2] = { (program_me + 1) % program_np, (program_me + 2) % program_np };
    psb_i_t number[2] = { 1, 1 };
    NEED(psb_c_cdall_vl(1, &mine, *program_ctxt, cd) == 0);
    NEED(psb_c_cdins_lidx(program_np > 2 ? 2 : 0, ghost, number, cd) == 0);
    NEED((psb_c_cdasb(cd) == 0) == (program_np <= 2));
    if (program_np > 2)
        says("cdasb");
    NEED(psb_c_cdasb_format(cd, NULL) < 0);
    says("expected CPU, HOST, GPU or DEVICE");
    NEED(psb_c_cdfree(cd) == 0 && psb_c_cdfree(cd) == PSB_ERR_ERROR);
    psb_c_delete_descriptor(cd);
}

int main(int argc, char **argv)
{
    char text[200];
    begin();
    psb_c_descriptor *cd = psb_c_new_descriptor();
    if (argc > 1 && strcmp(argv[1], "abort") == 0)
        psb_c_cdasb(NULL);
    psb_c_seterraction_ret();
    NEED(psb_c_cdasb(NULL) < 0 && psb_c_get_errstatus() > 0);
    NEED(psb_c_f2c_errmsg(text, sizeof text) == 1 && strstr(text, "cdasb"));
    NEED(psb_c_pop_errmsg() == NULL && psb_c_f2c_errmsg(text, sizeof text) == 0);
    psb_c_seterraction_print();
    NEED(psb_c_cdasb(NULL) < 0);
    psb_c_seterraction_ret();
    psb_c_print_errmsg();
    NEED(psb_c_get_errstatus() == 0);
    psb_c_error();
    NEED(psb_c_cdall_repl((psb_l_t)1 << 40, *program_ctxt, cd) < 0);
    says("cdall_repl");
    NEED(psb_c_cdall_repl(program_np + 3, *program_ctxt, cd) == 0);
    NEED(psb_c_cdall_nl(2, *program_ctxt, cd) == 0); /* in place of the former */
    const psb_l_t mine = 2 * program_me, next = (2 * program_me + 2) % (2 * program_np);
    NEED(psb_c_cdins(1, &mine, &next, cd) == 0 && psb_c_cdasb(cd) == 0);
    wrong_calls(cd);
    wrong_numbers();
    drop_descriptor(cd);
    psb_c_check_error(*program_ctxt);
    return end();
}
