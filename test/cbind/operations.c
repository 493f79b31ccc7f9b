/* operations.c -- test/cbind: each operation on vectors and matrices, with results known beforehand.
 */
#include "program.h"

enum { N = 12 };

static void elementwise(void)
{
    P(vector) *x = line(1, 1), *y = line(2, 0), *z = line(0, 4);
    NEED(P(geaxpbyz)(2, x, -1, y, z, cd) == 0 && is(z, 0, N, 0, 0, 2));
    NEED(P(geaxpby)(1, x, 3, y, cd) == 0 && is(y, 0, N, 0, 7, 1));
    NEED(P(gemlt)(x, y, cd) == 0 && is(y, 0, N, 7, 8, 1));
    NEED(P(gemlt2)(2, x, x, 3, z, cd) == 0 && is(z, 0, N, 2, 4, 8));
    NEED(P(geaddconst)(x, -5, y, cd) == 0 && is(y, 0, N, 0, 1, -4));
    NEED(P(geabs)(y, z, cd) == 0 && near(P(getelem)(z, first, cd), fabs((double)first - 4)));
    NEED(P(gemlt)(x, y, cd) == 0 && is(y, 0, N, 1, -3, -4));
    NEED(P(gediv)(y, x, cd) == 0 && is(y, 0, N, 0, 1, -4));
    NEED(P(gediv_check)(y, x, cd, true) == 0 && P(gemlt)(x, y, cd) == 0 && is(y, 0, N, 0, 1, -4));
    NEED(P(gediv2)(y, x, z, cd) == 0 && P(gemlt)(x, z, cd) == 0 && is(z, 0, N, 0, 1, -4));
    NEED(P(geinv)(x, z, cd) == 0 && P(gemlt)(x, z, cd) == 0 && is(z, 0, N, 0, 0, 1));
    NEED(P(geinv_check)(x, z, cd, true) == 1 && P(gemlt)(x, z, cd) == 0 && is(z, 0, N, 0, 0, 1));
    NEED(P(gecmp)(x, 7, z, cd) == 0 && near(P(geasum)(z, cd), N - 6));
    drop(x);
    drop(y);
    drop(z);
}

static void reductions(void)
{
    P(vector) *x = line(1, -3), *w = line(0, 2), *id = line(0, 0);
    double squares = 0;
    for (int g = 0; g < N; g++)
        squares += (g - 3) * (g - 3);
    NEED(near(P(gedot)(x, w, cd), 2 * (N * (N - 1) / 2 - 3 * N)));
    NEED(near(P(genrm2)(x, cd), sqrt(squares)) && near(P(genrm2_weight)(x, w, cd), 2 * sqrt(squares)));
    NEED(near(P(genrm2_weightmask)(x, w, id, cd), 0));
    NEED(near(P(geamax)(x, cd), N - 4) && near(P(geasum)(x, cd), N * (N - 1) / 2 - 3 * N + 12));
    NEED(P(vect_zero)(x) == 0 && near(P(geamax)(x, cd), 0));
    drop(x);
    drop(w);
    drop(id);
}

/* What is declared for real types, and only for double. */
static void ordered(void)
{
    psb_c_dvector *x = psb_c_new_dvector(), *c = psb_c_new_dvector(), *m = psb_c_new_dvector();
    bool good;
    NEED(psb_c_dgeall(x, cd) == 0 && psb_c_dgeall(c, cd) == 0 && psb_c_dgeall(m, cd) == 0);
    for (psb_l_t g = first; g < last; g++) {
        const double v = (double)g - 2;
        NEED(psb_c_dgeins_v(1, &g, &v, x, cd, PSB_INSERT_VALUES) == 0);
    }
    NEED(psb_c_dvect_set_scal(c, 1) == 0);
    NEED(psb_c_dgemin(x, cd) == -2 && psb_c_dminquotient(x, c, cd) == -2 &&
         psb_c_dgenrmi(x, cd) == 3 + (N - 2) * (N - 3) / 2);
    NEED(psb_c_dmask(c, x, m, &good, cd) == 0 && !good && psb_c_dgeasum(m, cd) == 2);
    NEED(psb_c_dvect_set_scal(x, 3) == 0 && psb_c_dmask(c, x, m, &good, cd) == 0 && good);
    NEED(psb_c_dgefree(x, cd) == 0 && psb_c_dgefree(c, cd) == 0 && psb_c_dgefree(m, cd) == 0);
    free(x);
    free(c);
    free(m);
}

static void elements(void)
{
    P(vector) *x = line(1, 0);
    scalar v[N + 2] = { 0 };
    const psb_i_t n = (psb_i_t)(last - first);
    NEED(P(vect_set_scal_bound)(x, 9, 0, 1) == 0 && near(P(getelem)(x, first + 1, cd), 9));
    NEED(near(P(getelem)(x, first + 2, cd), (double)first + 2));
    for (psb_i_t i = 0; i < n; i++)
        v[i] = (scalar)(-i);
    NEED(P(vect_set_vect)(x, v, n) == 0 && near(P(getelem)(x, last - 1, cd), 1 - n));
    v[0] = 1;
    NEED(P(vect_f_get_cpy)(v, x) == 0 && near(v[0], 0));
    drop(x);
}

/* The matrix with 2 on the diagonal and -1 below it, or above. */
static P(spmat) * triangle(int side)
{
    P(spmat) *a = NEW(spmat)();
    NEED(P(spall)(a, cd) == 0);
    for (psb_l_t g = first; g < last; g++) {
        const psb_l_t row[2] = { g, g }, col[2] = { g, g + side };
        const scalar v[2] = { 2, -1 };
        NEED(P(spins)(1 + (col[1] >= first && col[1] < last), row, col, v, a, cd) == 0);
    }
    NEED(P(spasb_opt)(a, cd, "COO", psb_upd_def_, psb_dupl_err_) == 0);
    NEED(P(spasb_opt)(a, cd, "HLL", psb_upd_def_, psb_dupl_err_) == 0); /* is converted */
    return a;
}

static void matrices(void)
{
    P(vector) *x = line(1, 1), *y = line(0, 0);
    for (int side = -1; side <= 1; side += 2) {
        P(spmat) *a = triangle(side);
        NEED(P(spmm)(1, a, x, 0, y, cd) == 0);
        NEED(P(spsm)(1, a, y, 0, y, cd) == 0 && is(y, 0, N, 0, 1, 1));
        NEED(P(mat_get_nrows)(a) == last - first && P(mat_get_ncols)(a) == psb_c_cd_get_local_cols(cd));
        NEED(!P(gecmpmat_val)(a, 2, 0.5, cd) && P(gecmpmat_val)(a, 0, 2, cd));
        NEED(P(spscalpid)(3, a, cd) == 0 && near(P(matgetelem)(a, last - 1, last - 1, cd), 7));
        NEED(near(P(matgetelem)(a, last - 1, first, cd), 0));
        NEED(P(set_matupd)(a, cd) == 0 && P(set_matasb)(a, cd) == 0 && P(is_matasb)(a, cd));
        drop_matrix(a);
    }
    drop(x);
    drop(y);
}

/* The number of lines of a file. */
static int lines_of(const char *name)
{
    int c, lines = 0;
    FILE *f = fopen(name, "r");
    while (f && (c = getc(f)) != EOF)
        lines += c == '\n';
    if (f)
        fclose(f);
    return lines;
}

static void files(void)
{
    char mine[60], all[60], vector[60];
    P(spmat) *a = triangle(-1);
    P(vector) *x = line(1, 0);
    snprintf(mine, sizeof mine, "cbind-mine-%d.mtx", program_me);
    snprintf(all, sizeof all, "A-np-%d.mtx", program_np);
    snprintf(vector, sizeof vector, "v-np-%d.mtx", program_np);
    char title[] = "local rows";
    NEED(P(mm_mat_write)(a, title, mine) == 0 && lines_of(mine) == 3 + 2 * (last - first) - 1);
    NEED(P(mat_name_print)(a, mine) == 0 && lines_of(mine) >= 2 + 2 * (last - first) - 1);
    NEED(P(global_mat_write)(a, cd) == 0 && P(global_vec_write)(x, cd) == 0);
    psb_c_barrier(*program_ctxt);
    NEED(lines_of(all) == 3 + 2 * N - program_np && lines_of(vector) >= 2 + N);
    psb_c_barrier(*program_ctxt);
    remove(mine);
    if (program_me == 0) {
        remove(all);
        remove(vector);
    }
    drop_matrix(a);
    drop(x);
}

/* An unknown method, and the ways to name the others. */
static void methods(void)
{
    static const char *const names[] = { PSB_VALID_KRYLOV_METHODS_STRINGS, "minres", "gmres", "nonsense" };
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        P(spmat) *a = NEW(spmat)();
        P(vector) *b = line(0, 3), *x = line(0, 0);
        P(prec) *p = NEW(prec)();
        psb_c_SolverOptions o;
        NEED(P(spall)(a, cd) == 0);
        for (psb_l_t g = first; g < last; g++) {
            const scalar v = 3;
            NEED(P(spins)(1, &g, &g, &v, a, cd) == 0);
        }
        NEED(P(spasb)(a, cd) == 0 && P(precinit)(*program_ctxt, p, "Diag") == 0 && P(precbld)(a, cd, p) == 0);
        NEED(psb_c_DefaultSolverOptions(&o) == 0);
        o.irst = 20;
        NEED(SOLVE(names[m], a, p, b, x, cd, &o) == 0 && o.iter >= 1 && o.err <= o.eps &&
             is(x, 0, N, 0, 0, 1));
        drop_prec(p);
        drop_matrix(a);
        drop(b);
        drop(x);
    }
}

int main(void)
{
    psb_l_t vl[N];
    begin();
    psb_c_seterraction_ret();
    cd = psb_c_new_descriptor();
    block(N, program_me, program_np, &first, &last);
    for (psb_l_t g = first; g < last; g++)
        vl[g - first] = g;
    NEED(psb_c_cdall_vl_opt((psb_i_t)(last - first), vl, *program_ctxt, cd) == 0 && psb_c_cdasb(cd) == 0);
    elementwise();
    reductions();
    ordered();
    elements();
    matrices();
    files();
    methods();
    drop_descriptor(cd);
    return end();
}
