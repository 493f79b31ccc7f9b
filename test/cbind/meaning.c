/* meaning.c -- test/cbind: what a call means in PSBLAS where one could think otherwise: where results are
 * stored, values returned, what is ignored.  The error action is PSBLAS's default, so an error would abort
 * the program.
 */
#include "program.h"

#ifdef PSB_GEINS_OVERWRITES
enum { ADDS = 0 };
#else
enum { ADDS = 1 }; /* geins adds */
#endif
enum { N = 12 };

static psb_l_t mine(int i)
{
    return first + i;
}

static int owned(psb_l_t g)
{
    return first <= g && g < last;
}

/* Is row g here, or in the halo? */
static int here(psb_l_t g)
{
    return owned(g) || g == last % N;
}

/* Insert v at (g, g + d mod N) for the rows here. */
static void put(P(spmat) * a, int d, double v)
{
    const scalar s = (scalar)v;
    for (psb_l_t g = first; g < last; g++) {
        const psb_l_t j = (g + d + N) % N;
        NEED(P(spins)(1, &g, &j, &s, a, cd) == 0);
    }
}

/* The matrix with v on the diagonal, and w right of it if that is not 0. */
static P(spmat) * matrix(double v, double w)
{
    P(spmat) *a = NEW(spmat)();
    NEED(P(spall)(a, cd) == 0);
    put(a, 0, v);
    if (w != 0)
        put(a, 1, w);
    NEED(P(spasb)(a, cd) == 0);
    return a;
}

/* A = alpha A + beta B, B unchanged. */
static void sums_of_matrices(void)
{
    P(spmat) *a = matrix(1, 0), *b = matrix(2, 5);
    NEED(P(spaxpby)(3, a, 10, b, cd) == 0);
    NEED(near(P(matgetelem)(a, first, first, cd), 23) &&
         near(P(matgetelem)(a, first, (first + 1) % N, cd), 50));
    NEED(near(P(matgetelem)(b, first, first, cd), 2) &&
         near(P(matgetelem)(b, first, (first + 1) % N, cd), 5));
    NEED(P(nnz)(a, cd) == 2 * N);
    drop_matrix(a);
    drop_matrix(b);
}

/* genrmi: the sum of the moduli of a vector; of a matrix the infinity norm. */
static void norms(void)
{
    P(vector) *x = line(1, -4);
    P(spmat) *a = matrix(-2, 3);
    NEED(near(P(genrmi)(x, cd), 10 + 28) && near(P(genrmi)(a, cd), 5));
    drop(x);
    drop_matrix(a);
}

/* geinv_check: 1 on all processes if there is no 0, and 0 in place of 1/0; the divisions: 1 where there is a
 * 0, and rows from there on are as they were. */
static void checked_divisions(void)
{
    P(vector) *x = line(1, 1), *y = line(1, -4), *z = line(0, 9);
    NEED(P(geinv_check)(x, z, cd, true) == 1 && P(gemlt)(x, z, cd) == 0 && is(z, 0, N, 0, 0, 1));
    NEED(P(geinv_check)(y, z, cd, true) == 0 && is(z, 4, 5, 0, 0, 0));
    NEED(P(gemlt)(y, z, cd) == 0 && is(z, 0, 4, 0, 0, 1) && is(z, 5, N, 0, 0, 1));
    NEED(P(geinv_check)(x, x, cd, false) == 1 && P(geinv_check)(x, x, cd, true) == 1 && is(x, 0, N, 0, 1, 1));
    NEED(P(gediv2_check)(x, y, z, cd, true) == here(4) && P(gediv_check)(x, x, cd, true) == 0);
    NEED(is(x, 0, N, 0, 0, 1) && is(z, 4, 5, 0, 0, 0));
    if (!owned(4)) {
        NEED(P(gemlt)(y, z, cd) == 0);
        NEED(is(z, 0, N, 0, 1, 1));
    }
    NEED(P(gediv_check)(x, y, cd, true) == here(4));
    NEED(!owned(4) || is(x, 4, last, 0, 0, 1));
    NEED(P(gediv_check)(z, x, cd, false) == 0);
    drop(x);
    drop(y);
    drop(z);
}

/* The halo is up to date after geasb; on an assembled vector one process alone may call it if there is no
 * halo. */
static void assembly(void)
{
    P(vector) *x = line(1, 0);
    const psb_l_t next = last % N;
    NEED(near(P(getelem)(x, next, cd), (double)next));
    NEED(psb_c_get_errstatus() == 0);
    drop(x);
    psb_c_descriptor *alone = psb_c_new_descriptor();
    P(vector) *y = NEW(vector)();
    const psb_l_t me = program_me;
    const scalar v = 3;
    NEED(psb_c_cdall_nl(1, *program_ctxt, alone) == 0 && psb_c_cdasb(alone) == 0);
    NEED(P(geall)(y, alone) == 0 && P(geasb)(y, alone) == 0);
    if (program_me == program_np - 1) {
        NEED(P(geins)(1, &me, &v, y, alone) == 0 && P(geasb)(y, alone) == 0);
        NEED(near(P(getelem)(y, me, alone), 3) && P(geins)(1, &me, &v, y, alone) == 0);
        NEED(P(geasb_options)(y, alone, PSB_DUPL_DEF) == 0 && near(P(getelem)(y, me, alone), 3 + 3 * ADDS));
    }
    NEED(near(P(geasum)(y, alone), 3 + 3 * ADDS));
    NEED(P(gefree)(y, alone) == 0);
    free(y);
    drop_descriptor(alone);
}

/* Elementwise calls compute the halo too. */
static void halos(void)
{
    const double g = (double)(last % N);
    P(vector) *x = line(1, 1), *y = line(-1, 4), *z = line(0, 2);
    NEED(P(geabs)(y, z, cd) == 0 && near(P(getelem)(z, last % N, cd), fabs(4 - g)));
    NEED(P(gecmp)(y, 3, z, cd) == 0 && near(P(getelem)(z, last % N, cd), fabs(4 - g) >= 3));
    NEED(P(gemlt2)(2, x, y, 3, z, cd) == 0);
    NEED(near(P(getelem)(z, last % N, cd), 2 * (g + 1) * (4 - g) + 3 * (fabs(4 - g) >= 3)));
    NEED(P(geaddconst)(y, -4, y, cd) == 0 && near(P(getelem)(y, last % N, cd), -g));
    NEED(P(geinv)(x, z, cd) == 0 && P(gemlt)(x, z, cd) == 0 && near(P(getelem)(z, last % N, cd), 1));
    NEED(P(gediv2)(y, x, z, cd) == 0 && near(P(getelem)(z, last % N, cd), -g / (g + 1)));
    drop(x);
    drop(y);
    drop(z);
}

/* What is not in the system is ignored. */
static void ignored_rows(void)
{
    const psb_l_t row[5] = { -3, mine(0), N, mine(0), (psb_l_t)1 << 40 };
    const scalar v[5] = { 1, 2, 3, 4, 5 };
    P(vector) *x = NEW(vector)(), *y = NEW(vector)();
    NEED(P(geall)(x, cd) == 0 && P(geins)(5, row, v, x, cd) == 0 && P(geasb)(x, cd) == 0);
    NEED(is(x, mine(0), mine(1), 0, 0, 4 + 2 * ADDS) && is(x, mine(1), last, 0, 0, 0));
    NEED(P(geall_remote)(y, cd) == 0 && P(geins)(5, row, v, y, cd) == 0 && P(geasb)(y, cd) == 0);
    NEED(is(y, mine(0), mine(1), 0, 0, 4 + 2 * ADDS));
    NEED(P(geins_overwrite)(2, row, v, x, cd) == 0 && P(geasb)(x, cd) == 0 &&
         is(x, mine(0), mine(1), 0, 0, 2));
    NEED(P(vect_set_scal_bound)(x, 7, -5, 1000) == 0 && is(x, 0, N, 0, 0, 7));
    scalar all[2 * N + 10];
    for (int i = 0; i < 2 * N + 10; i++)
        all[i] = (scalar)i;
    NEED(P(vect_set_vect)(x, all, 2 * N + 10) == 0 &&
         near(P(getelem)(x, last - 1, cd), (double)(last - 1 - first)));
    NEED(P(vect_set_vect)(x, all, -1) == 0);
    drop(x);
    drop(y);
}

/* Columns that the assembled descriptor does not have, rows elsewhere and out of range; entries not stored,
 * when refilling; sprn of an open matrix. */
static void ignored_entries(void)
{
    const psb_l_t row[5] = { mine(0), mine(0), -1, (last + N / 2) % N, mine(0) };
    const psb_l_t col[5] = { mine(0), N + 5, mine(0), -7, (psb_l_t)1 << 50 };
    const scalar v[5] = { 4, 5, 6, 7, 8 };
    P(spmat) *a = NEW(spmat)(), *b = NEW(spmat)();
    NEED(P(spall)(a, cd) == 0 && P(sprn)(a, cd, true) == 0 && P(is_matbld)(a, cd));
    NEED(P(spins)(5, row, col, v, a, cd) == 0 && P(set_matupd)(a, cd) == 0 && P(set_matbld)(a, cd) == 0);
    NEED(P(copy_mat)(a, b, cd) == PSB_ERR_ERROR);
    NEED(P(spscal)(2, a, cd) == 0);
    put(a, 0, 1);
    put(a, 1, 2);
    NEED(P(spasb)(a, cd) == 0 && P(nnz)(a, cd) == 2 * N);
    NEED(near(P(matgetelem)(a, mine(0), mine(0), cd), 9));
    NEED(P(set_matbld)(a, cd) == PSB_ERR_ERROR && P(is_matasb)(a, cd));
    NEED(P(sprn)(a, cd, true) == 0 && P(is_matupd)(a, cd));
    NEED(P(spins)(5, row, col, v, a, cd) == 0);
    put(a, 2, 99); /* not stored */
    NEED(P(sprn)(a, cd, true) == 0 && P(is_matupd)(a, cd));
    NEED(P(spscal)(2, a, cd) == 0 && P(is_matupd)(a, cd));
    put(a, 0, 1);
    NEED(P(spasb)(a, cd) == 0 && P(nnz)(a, cd) == 2 * N);
    NEED(near(P(matgetelem)(a, mine(0), mine(0), cd), 9) && near(P(matgetelem)(a, mine(1), mine(1), cd), 1));
    NEED(near(P(matgetelem)(a, mine(0), (mine(0) + 1) % N, cd), 0));
    drop_matrix(a);
    NEED(P(spall_remote)(b, cd) == 0 && P(spins)(5, row, col, v, b, cd) == 0);
    put(b, 0, 1);
    NEED(P(spasb)(b, cd) == 0 && P(nnz)(b, cd) == N);
    drop_matrix(b);
}

/* x = A x; trans in lower case; entries are counted before the assembly; DIAG does not scale by 0. */
static void products(void)
{
    P(spmat) *a = NEW(spmat)();
    P(vector) *x = line(1, 1), *y = line(0, 7);
    P(prec) *p = NEW(prec)();
    psb_c_SolverOptions o;
    NEED(P(spall)(a, cd) == 0);
    put(a, 0, 0);
    put(a, 1, 2);
    NEED(P(precinit)(*program_ctxt, p, "DIAG") == 0 && P(precbld)(a, cd, p) == -1);
    NEED(P(nnz)(a, cd) == 2 * N && P(spasb)(a, cd) == 0);
    NEED(P(spmm)(1, a, x, 0, x, cd) == 0 && is(x, 0, N - 1, 0, 2, 4) && is(x, N - 1, N, 0, 0, 2));
    char trans[] = "t";
    NEED(P(spmm_opt)(1, a, x, 0, y, cd, trans, true) == 0 && is(y, 1, N, 0, 4, 4) && is(y, 0, 1, 0, 0, 4));
    psb_c_DefaultSolverOptions(&o);
    o.itrace = -1;
    NEED(P(precbld)(a, cd, p) == 0 && SOLVE("RGMRES", a, p, y, x, cd, &o) == 0);
    drop_prec(p);
    drop(x);
    drop(y);
    drop_matrix(a);
}

/* A vector on an assembled descriptor has its halo before geasb, which one process may call alone. */
static void new_vectors(void)
{
    P(vector) *x = NEW(vector)();
    NEED(P(geall)(x, cd) == 0 && P(vect_get_nrows)(x) == psb_c_cd_get_local_cols(cd));
    scalar *v = P(vect_f_get_pnt)(x);
    for (psb_i_t i = 0; i < psb_c_cd_get_local_cols(cd); i++)
        v[i] = 2;
    NEED(near(P(getelem)(x, last % N, cd), 2) && near(P(geasum)(x, cd), 2 * N));
    drop(x);
    psb_c_descriptor *alone = psb_c_new_descriptor();
    NEED(psb_c_cdall_nl(2, *program_ctxt, alone) == 0 && psb_c_cdasb(alone) == 0);
    x = NEW(vector)();
    NEED(P(geall)(x, alone) == 0);
    if (program_me == 0)
        NEED(P(geasb)(x, alone) == 0);
    psb_c_barrier(*program_ctxt);
    NEED(P(gefree)(x, alone) == 0);
    free(x);
    drop_descriptor(alone);
}

/* Handles that have no object, or one too many. */
static void handles(void)
{
    psb_c_descriptor *none = psb_c_new_descriptor();
    P(vector) *x = line(1, 0), *y = NEW(vector)();
    P(spmat) *a = matrix(1, 0), *b = NEW(spmat)();
    P(prec) *p = NEW(prec)();
    psb_c_SolverOptions o;
    NEED(psb_c_DefaultSolverOptions(&o) == 0 && !o.s1 && !o.s2);
    NEED(psb_c_cd_check_addr(cd) == 0 && psb_c_cd_check_addr(none) == PSB_ERR_ERROR);
    NEED(psb_c_cdasb(none) == -1 && psb_c_cdins(1, &first, &first, none) == -1 && psb_c_cdfree(none) == -1);
    NEED(psb_c_cdasb_format(none, "CPU") == -1);
    NEED(P(geall)(x, cd) == -1 && P(geall_remote)(x, cd) == -1 && P(geall)(y, none) == -1);
    NEED(P(spall)(a, cd) == -1 && P(spall_remote)(a, cd) == -1 && P(spall)(b, none) == -1);
    NEED(P(geins)(0, NULL, NULL, y, cd) == -1 && P(geasb)(y, cd) == -1 && P(gefree)(y, cd) == -1);
    NEED(P(spins)(0, NULL, NULL, NULL, b, cd) == -1 && P(spasb)(b, cd) == -1 && P(spfree)(b, cd) == -1);
    NEED(P(sprn)(b, cd, true) == -1 && P(nnz)(b, cd) == 0 && P(copy_mat)(b, a, cd) == -1);
    NEED(!P(is_matbld)(b, cd) && P(set_matbld)(b, cd) == -1 && P(mat_get_nrows)(b) == 0);
    NEED(near(P(genrm2)(y, cd), -1) && near(P(geamax)(x, none), -1) && near(P(gedot)(x, y, cd), -1));
    NEED(P(geaxpby)(1, x, 1, y, cd) == -1 && P(geabs)(y, x, cd) == -1 &&
         P(gediv_check)(x, y, cd, true) == -1);
    NEED(P(geinv_check)(x, y, cd, true) == -1 && near(P(getelem)(y, first, cd), -1));
    NEED(P(spmm)(1, a, x, 0, x, none) == -1 && P(spasb)(a, none) == -1 && P(geasb)(x, none) == -1);
    NEED(P(nnz)(a, none) == 0 && !P(is_matasb)(a, none) && near(P(getelem)(x, first, none), -1));
    NEED(P(spmm)(1, a, y, 0, x, cd) == -1 && P(spmm)(1, b, x, 0, x, cd) == -1);
    NEED(P(spaxpby)(1, a, 1, b, cd) == -1 && P(spscal)(2, b, cd) == -1 && !P(gecmpmat)(a, b, 1, cd));
    NEED(!P(gecmpmat)(a, a, -1, cd) && !P(gecmpmat_val)(a, 1, -1, cd));
    NEED(P(halo)(y, cd) == -1 && P(vgather)(y, cd) == NULL && P(vect_get_cpy)(y) == NULL);
    NEED(P(precbld)(a, cd, p) == -1 && SOLVE("CG", a, p, x, x, cd, &o) == -1 && P(precfree)(p) == -1);
    NEED(P(precinit)(*program_ctxt, p, "nonsense") < 0);
    NEED(P(precinit)(*program_ctxt, p, "NONE") == 0 && P(precinit)(*program_ctxt, p, "DIAG") == -1);
    NEED(P(precfree)(p) == 0);
    NEED(P(geall_remote_options)(y, cd, 77, 55) == 0 && P(geasb_options_format)(y, cd, 44, "disk") == 0);
    drop(x);
    drop(y);
    drop_matrix(a);
    free(b);
    free(p);
    psb_c_delete_descriptor(none);
}

static void descriptors(void)
{
    psb_c_descriptor *d = psb_c_new_descriptor();
    psb_i_t owner = 0;
    const psb_l_t row[3] = { program_me, -2, program_np }, col[3] = { program_np - 1 - program_me, 0, -9 };
    NEED(psb_c_cdall_nl(-1, *program_ctxt, d) == -1 && psb_c_cdall_vl(-1, NULL, *program_ctxt, d) == -1);
    NEED(psb_c_cdall_vg(0, &owner, *program_ctxt, d) == -1 && psb_c_cdall_repl(0, *program_ctxt, d) == -1);
    NEED(psb_c_cdall_nl(1, *program_ctxt, d) == 0);
    NEED(psb_c_cdins(3, row, col, d) == 0); /* rows that are not here */
    NEED(psb_c_cdins(2, row, row, d) == 0);
    NEED(psb_c_cdins(1, row, col + 2, d) == 0); /* a column out of range */
    NEED(psb_c_cdasb_format(d, "nowhere") == 0);
    NEED(psb_c_cd_get_local_cols(d) == 1 + (col[0] != row[0]));
    NEED(psb_c_cdfree(d) == 0);
    psb_c_delete_descriptor(d);
    psb_c_ibcast(*program_ctxt, -1, &owner, 0);
    psb_c_ibcast(*program_ctxt, 0, NULL, 0);
}

/* The first coordinate runs fastest; outside the box the same is computed. */
static void indices(void)
{
    psb_i_t ijk[3], box[3] = { 4, 5, 6 }, v[4];
    NEED(psb_c_i_idx2ijk(ijk, 1, box, 3, 0) == 0 && ijk[0] == 1 && ijk[1] == 0 && ijk[2] == 0);
    NEED(psb_c_l_idx2ijk(ijk, 4 * 5 * 6 + 3 + 4 * 2, box, 3, 1) == 0 && ijk[0] == 3 && ijk[1] == 3 &&
         ijk[2] == 1);
    NEED(psb_c_l_idx2ijk(ijk, -1, box, 3, 0) == 0 && ijk[0] == -1 && ijk[1] == 0 && ijk[2] == 0);
    ijk[0] = -2;
    ijk[1] = 7;
    ijk[2] = 6;
    NEED(psb_c_i_ijk2idx(ijk, box, 3, 0) == -2 + 4 * (7 + 5 * 6) &&
         psb_c_l_ijk2idx(ijk, box, 3, 1) == 1 - 3 + 4 * (6 + 5 * 5));
    psb_i_t far_away[2] = { 5, 1 << 30 }, wide[2] = { 1 << 30, 2 };
    NEED(psb_c_l_ijk2idx(far_away, wide, 2, 0) == ((psb_l_t)1 << 60) + 5);
    NEED(psb_c_dist1didx(10, 0, 0, 4, v) == -1 && psb_c_dist1didx(10, 3, 5, 4, v) == 0 && v[0] == 5 &&
         v[3] == 15);
    NEED(psb_c_dist1didx(9, 3, 1, 3, v) == 0 && v[0] == 1 && v[2] == 7 && v[3] == 15);
}

/* A file that cannot be written is no error. */
static void files(void)
{
    P(spmat) *a = matrix(1, 0);
    char name[] = "/no/such/folder/a.mtx", title[] = "";
    NEED(P(mm_mat_write)(a, title, name) < 0 && P(mat_name_print)(a, name) < 0);
    NEED(psb_c_get_errstatus() == 0);
    drop_matrix(a);
}

/* A solve that does not converge says so, and its options tell. */
static void solves(void)
{
    P(spmat) *a = matrix(4, 1);
    P(vector) *b = line(0, 5), *x = line(0, 0);
    P(prec) *p = NEW(prec)();
    psb_c_SolverOptions o;
    NEED(P(precinit)(*program_ctxt, p, "NONE") == 0 && P(precbld)(a, cd, p) == 0);
    psb_c_DefaultSolverOptions(&o);
    NEED(psb_c_PrintSolverOptions(o) == 0);
    o.eps = 1e-5;
    o.itmax = 1;
    NEED(P(vect_set_entry)(b, 0, -3) == 0);
    NEED(SOLVE("BICGSTAB", a, p, b, x, cd, &o) == 0 && o.iter == 1 && o.err > o.eps);
    o.itrace = -1; /* says nothing */
    NEED(SOLVE("BICGSTAB", a, p, b, x, cd, &o) == 0 && o.err > o.eps);
    o.eps = 0; /* is not reached */
    NEED(SOLVE("GCR", a, p, b, x, cd, &o) == 0 && o.iter >= 0);
    o.irst = -1; /* is not for GCR */
    o.itmax = -1;
    NEED(SOLVE("GCR", a, p, b, x, cd, &o) == 0 && o.iter == 0);
    o.eps = 1e-5;
    o.itmax = 200;
    NEED(P(vect_zero)(x) == 0);
    NEED(JOIN(psb_c_, SCALAR, precfree)(p) == 0 && P(precinit)(*program_ctxt, p, "DIAG") == 0 &&
         P(precbld)(a, cd, p) == 0);
    NEED(JOIN(psb_c_, SCALAR, richardson)(a, p, b, x, cd, &o) == 0 && o.err <= o.eps && o.iter > 3);
    drop_prec(p);
    drop(b);
    drop(x);
    drop_matrix(a);
}

int main(void)
{
    begin();
    cd = psb_c_new_descriptor();
    block(N, program_me, program_np, &first, &last);
    NEED(psb_c_cdall_nl((psb_i_t)(last - first), *program_ctxt, cd) == 0);
    for (psb_l_t g = first; g < last; g++) {
        const psb_l_t col[2] = { g, (g + 1) % N }, row[2] = { g, g };
        NEED(psb_c_cdins(2, row, col, cd) == 0);
    }
    NEED(psb_c_cdasb(cd) == 0);
    sums_of_matrices();
    norms();
    checked_divisions();
    assembly();
    halos();
    ignored_rows();
    ignored_entries();
    products();
    new_vectors();
    handles();
    descriptors();
    indices();
    files();
    solves();
    NEED(psb_c_cdfree(cd) == 0 && psb_c_get_errstatus() == 0);
    psb_c_delete_descriptor(cd);
    return end();
}
