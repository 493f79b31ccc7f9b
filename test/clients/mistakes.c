/* mistakes.c -- test/clients: usual mistakes of callers, on all processes or on the last one: each is
 * an error with the right code on every process that takes part, and a message that names the call and the
 * cause; nobody waits forever.  Status 0 if all are. */
#define _POSIX_C_SOURCE 200809L /* alarm */
#include <psb_cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 30, PATIENCE = 120 }; /* rows; seconds */

static psb_ctxt *ctxt;
static int me, np, last, mistakes, wrong;

static void must(psb_err e)
{
    if (e != PSB_OK)
        psb_abort(ctxt, psb_errmsg());
}

/* The call returned e; the message must name it and the cause. */
static void expect(psb_err e, psb_err code, const char *call, const char *cause)
{
    char name[80];
    snprintf(name, sizeof name, ": %s: ", call);
    mistakes++;
    if (e != code || !strstr(psb_errmsg(), name) || !strstr(psb_errmsg(), cause)) {
        printf("process %d: %s returned \"%s\" and said \"%s\"; expected \"%s\" and \"%s\"\n", me, call,
               psb_strerror(e), psb_errmsg(), psb_strerror(code), cause);
        wrong++;
    }
    psb_clean_errstack();
}

/* Objects in the states that calls may find them in. */
static psb_desc *d, *other, *building;
static psb_dspmat *a, *begun;
static psb_dvect *x, *y, *elsewhere, *unfinished, *local, *wide;
static const struct psb_d_mat *csr;

static psb_lpk mine(void)
{
    return psb_loc_to_glob(d, 0);
}

static void insert_rows(psb_dspmat *m)
{
    for (psb_ipk l = 0; l < psb_cd_local_rows(d); l++) {
        const psb_lpk i = psb_loc_to_glob(d, l), row[2] = { i, i }, col[2] = { i, (i + 1) % N };
        const double val[2] = { 4, -1 };
        must(psb_spins(2, row, col, val, m));
    }
}

static void make(void)
{
    const psb_ipk nl = N / np + (me < N % np);
    csr = psb_d_mat_by_name("csr");
    must(psb_cdall_nl(&d, ctxt, nl));
    must(psb_cdall_nl(&other, ctxt, nl));
    must(psb_cdall_nl(&building, ctxt, nl));
    must(psb_spall(&a, d, 0));
    insert_rows(a);
    must(psb_cdasb(d));
    must(psb_cdasb(other));
    must(psb_spasb(a, csr, PSB_DUPL_ADD));
    must(psb_spall(&begun, d, 0));
    must(psb_geall(&x, d));
    must(psb_geall(&y, d));
    must(psb_geall(&elsewhere, other));
    must(psb_geall(&unfinished, d));
    must(psb_geall_n(&wide, d, 2));
    must(psb_vect_new(&local, 3, NULL));
    must(psb_geasb(x, NULL));
    must(psb_geasb(y, NULL));
    must(psb_geasb(elsewhere, NULL));
    must(psb_geasb(wide, NULL));
}

static void destroy(void)
{
    psb_dvect *const v[] = { x, y, elsewhere, unfinished, local, wide };
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        psb_gefree(v[i]);
    psb_spfree(a);
    psb_spfree(begun);
    psb_cdfree(d);
    psb_cdfree(other);
    psb_cdfree(building);
}

/* --- contexts and descriptors --- */

static void descriptors(void)
{
    psb_desc *new = NULL;
    const psb_lpk far[1] = { N }, twice[2] = { 0, 0 }, zero[1] = { 0 };
    const psb_ipk order[1] = { 5 };
    int owner[N] = { 0 };
    psb_ipk n;
    owner[3] = np;
    expect(psb_init_comm(NULL, MPI_COMM_WORLD), PSB_EARG, "psb_init_comm", "argument ctxt is NULL");
    expect(psb_init_comm(&ctxt, MPI_COMM_NULL), PSB_EARG, "psb_init_comm", "argument comm is MPI_COMM_NULL");
    expect(psb_cdall_nl(NULL, ctxt, 5), PSB_EARG, "psb_cdall_nl", "argument desc is NULL");
    expect(psb_cdall_nl(&new, NULL, 5), PSB_EARG, "psb_cdall_nl", "argument ctxt is NULL");
    expect(psb_cdall_nl(&new, ctxt, -1), PSB_EARG, "psb_cdall_nl", "argument nl is -1");
    expect(psb_cdall_nl(&new, ctxt, me == last ? -7 : 1), PSB_EARG, "psb_cdall_nl", "argument nl is -7");
    expect(psb_cdall_vg(&new, ctxt, N, owner), PSB_EARG, "psb_cdall_vg", "argument vg[3] is ");
    expect(psb_cdall_vg(&new, ctxt, N, NULL), PSB_EARG, "psb_cdall_vg", "argument vg is NULL");
    expect(psb_cdall_vl(&new, ctxt, 2, twice), PSB_EARG, "psb_cdall_vl", "vl");
    expect(psb_cdall_vl(&new, ctxt, 1, NULL), PSB_EARG, "psb_cdall_vl", "argument vl is NULL");
    expect(psb_cdall_vl_lidx(&new, ctxt, 1, zero, order), PSB_EARG, "psb_cdall_vl_lidx", "lidx[0] is 5");
    expect(psb_cdall_repl(&new, ctxt, -1), PSB_EARG, "psb_cdall_repl", "argument n is -1");
    expect(psb_cdall_parts(&new, ctxt, N, NULL, NULL), PSB_EARG, "psb_cdall_parts", "argument parts is NULL");
    expect(psb_cdall(&new, ctxt, &(struct psb_cdall_how){ .ng = 3 }), PSB_EARG, "psb_cdall", "expected");
    expect(psb_cdins(building, 1, NULL, far), PSB_EARG, "psb_cdins", "argument ja[0] is 30");
    expect(psb_cdins(d, 1, NULL, zero), PSB_ESTATE, "psb_cdins", "assembled");
    expect(psb_cdasb(d), PSB_ESTATE, "psb_cdasb", "assembled already");
    expect(psb_cd_reinit(d), PSB_ESTATE, "psb_cd_reinit", "rely on the descriptor");
    expect(psb_cd_list(building, PSB_CD_HALO, &n, NULL), PSB_ESTATE, "psb_cd_list", "not assembled");
    expect(psb_cd_list(d, PSB_CD_HALO, NULL, NULL), PSB_EARG, "psb_cd_list", "argument n is NULL");
    expect(psb_cuda_init_device(NULL, 0), PSB_EARG, "psb_cuda_init_device", "argument ctxt is NULL");
    expect(psb_set_index_base(2), PSB_EARG, "psb_set_index_base", "2");
}

/* --- matrices --- */

static void entries(void)
{
    const psb_lpk i[1] = { mine() }, far[1] = { N }, below[1] = { -1 };
    const double one[1] = { 1 };
    psb_dspmat *new = NULL;
    expect(psb_spall(&new, NULL, 0), PSB_EARG, "psb_d_spall", "argument desc is NULL");
    expect(psb_d_spall(NULL, d, 0), PSB_EARG, "psb_d_spall", "argument a is NULL");
    expect(psb_spall(&new, d, -1), PSB_EARG, "psb_d_spall", "argument nnz is -1");
    expect(psb_spins(1, far, i, one, begun), PSB_EARG, "psb_d_spins", "argument ia[0] is 30");
    expect(psb_spins(1, below, i, one, begun), PSB_EARG, "psb_d_spins", "argument ia[0] is -1");
    expect(psb_spins(1, i, far, one, begun), PSB_EARG, "psb_d_spins", "argument ja[0] is 30");
    expect(psb_spins(-1, i, i, one, begun), PSB_EARG, "psb_d_spins", "argument nz is -1");
    expect(psb_spins(1, i, i, NULL, begun), PSB_EARG, "psb_d_spins", "argument val is NULL");
    expect(psb_spins(1, i, i, one, a), PSB_ESTATE, "psb_d_spins", "expected state BUILD");
    expect(psb_d_spins(1, i, i, one, NULL), PSB_EARG, "psb_d_spins", "argument a is NULL");
    if (np > 1) {
        const psb_lpk others[1] = { (mine() + N - 1) % N };
        expect(psb_spins(1, others, i, one, begun), PSB_EARG, "psb_d_spins", "a row of another process");
        expect(psb_geins(1, others, one, unfinished, PSB_DUPL_ADD), PSB_EARG, "psb_d_geins",
               "a row of another process");
    }
    expect(psb_sp_set_remote(begun, (enum psb_remote_mode)9), PSB_EARG, "psb_d_sp_set_remote",
           "argument mode is 9");
    expect(psb_sp_set_remote(a, PSB_REMOTE_SEND), PSB_ESTATE, "psb_d_sp_set_remote", "assembled");
}

static void assembly(void)
{
    psb_dspmat *twice = NULL, *early = NULL;
    const psb_lpk i[2] = { mine(), mine() }, j[1] = { (mine() + N / 2) % N };
    const double ones[2] = { 1, 1 };
    must(psb_spall(&twice, d, 0));
    must(psb_spins(2, i, i, ones, twice));
    must(psb_spall(&early, building, 0));
    expect(psb_spasb(twice, csr, PSB_DUPL_ERROR), PSB_EARG, "psb_d_spasb", "more than one entry");
    expect(psb_spasb(twice, NULL, PSB_DUPL_ADD), PSB_EARG, "psb_d_spasb", "argument mold is NULL");
    expect(psb_spasb(twice, psb_d_mat_by_name("crs"), PSB_DUPL_ADD), PSB_EARG, "psb_d_spasb",
           "argument name is \"crs\"");
    csr = psb_d_mat_by_name("csr");
    expect(psb_spasb(twice, me == last ? NULL : csr, PSB_DUPL_ADD), PSB_EARG, "psb_d_spasb",
           "argument mold is NULL");
    expect(psb_spasb(twice, csr, (enum psb_dupl)77), PSB_EARG, "psb_d_spasb", "argument dupl is 77");
    expect(psb_spasb(early, csr, PSB_DUPL_ADD), PSB_ESTATE, "psb_d_spasb", "expected psb_cdasb before");
    expect(psb_spasb(a, csr, PSB_DUPL_ADD), PSB_ESTATE, "psb_d_spasb", "assembled already");
    expect(psb_spcnv(a, NULL), PSB_EARG, "psb_d_spcnv", "argument mold is NULL");
    expect(psb_spcnv(begun, csr), PSB_ESTATE, "psb_d_spcnv", "expected psb_spasb before");
    expect(psb_sprn(begun, 1), PSB_ESTATE, "psb_d_sprn", "expected psb_spasb before");
    must(psb_sprn(a, 0));
    expect(psb_spmv(1.0, a, x, 0.0, y, 'N'), PSB_ESTATE, "psb_d_spmv", "argument a is open for new values");
    expect(psb_spins(1, i, j, ones, a), PSB_EARG, "psb_d_spins", "is not in the matrix");
    must(psb_spasb(a, NULL, PSB_DUPL_ADD));
    psb_spfree(twice);
    psb_spfree(early);
}

static void parts(void)
{
    psb_dspmat *b = NULL, *c = NULL;
    struct psb_d_mat *all = NULL;
    expect(psb_spsm(1.0, a, x, 0.0, y, 'N', 'U', NULL), PSB_EARG, "psb_d_spsm", "triang");
    must(psb_sp_set_triangle(a, 1));
    if (np == 1)
        expect(psb_spsm(1.0, a, x, 0.0, y, 'N', 'Q', NULL), PSB_EARG, "psb_d_spsm", "argument scale is 'Q'");
    must(psb_sp_set_triangle(a, 0));
    expect(psb_sp_clone(a, (psb_dspmat **)NULL), PSB_EARG, "psb_d_sp_clone", "argument b is NULL");
    expect(psb_sp_clone(begun, &b), PSB_ESTATE, "psb_d_sp_clone", "expected psb_spasb before");
    expect(psb_d_spspmm(a, NULL, csr, &c), PSB_EARG, "psb_d_spspmm", "argument b is NULL");
    expect(psb_spscalv(x, a, 'Q'), PSB_EARG, "psb_d_spscalv", "argument side is 'Q'");
    expect(psb_spgather(a, csr, &all, np), PSB_EARG, "psb_d_spgather", "argument root is ");
    expect(psb_spnrmi(a, NULL), PSB_EARG, "psb_d_spnrmi", "argument res is NULL");
}

/* --- vectors --- */

static void vectors(void)
{
    psb_dvect *new = NULL;
    const psb_lpk i[1] = { mine() }, far[1] = { N };
    const double one[1] = { 1 };
    double v[N];
    expect(psb_geall(&new, NULL), PSB_EARG, "psb_d_geall", "argument desc is NULL");
    expect(psb_geall_n(&new, d, 0), PSB_EARG, "psb_d_geall_n", "argument k is 0");
    expect(psb_vect_new(&new, -1, NULL), PSB_EARG, "psb_d_vect_new", "argument n is -1");
    expect(psb_geins(1, far, one, unfinished, PSB_DUPL_ADD), PSB_EARG, "psb_d_geins",
           "argument irw[0] is 30");
    expect(psb_geins(1, i, NULL, unfinished, PSB_DUPL_ADD), PSB_EARG, "psb_d_geins", "argument val is NULL");
    expect(psb_geins(1, i, one, unfinished, PSB_DUPL_ERROR), PSB_EARG, "psb_d_geins", "argument dupl is ");
    expect(psb_geins(1, i, one, x, PSB_DUPL_ADD), PSB_ESTATE, "psb_d_geins", "the vector is assembled");
    expect(psb_geasb(x, NULL), PSB_ESTATE, "psb_d_geasb", "assembled already");
    expect(psb_geasb(local, NULL), PSB_EARG, "psb_d_geasb", "argument x is local");
    must(psb_geall(&new, building));
    expect(psb_geasb(new, NULL), PSB_ESTATE, "psb_d_geasb", "expected psb_cdasb before");
    psb_gefree(new);
    expect(psb_getelem(x, N, v), PSB_EARG, "psb_d_getelem", "argument g is 30");
    expect(psb_get_vect(x, N + 5, v), PSB_EARG, "psb_d_get_vect", "argument n is 35");
    expect(psb_set_vect(x, 1, NULL), PSB_EARG, "psb_d_set_vect", "argument from is NULL");
    expect(psb_gather(x, v, np), PSB_EARG, "psb_d_gather", "argument root is ");
    expect(psb_gather(x, NULL, -1), PSB_EARG, "psb_d_gather", "argument all is NULL");
    expect(psb_halo(x, 'Q'), PSB_EARG, "psb_d_halo", "argument trans is 'Q'");
    expect(psb_halo(unfinished, 'N'), PSB_ESTATE, "psb_d_halo", "expected psb_geasb before");
    expect(psb_halo_end(x), PSB_ESTATE, "psb_d_halo_end", "expected psb_halo_start before");
    expect(psb_ovrl(local, PSB_OVRL_SUM), PSB_EARG, "psb_d_ovrl", "argument x is local");
}

static void computations(void)
{
    double r[2];
    expect(psb_spmv(1.0, a, x, 0.0, y, 'Q'), PSB_EARG, "psb_d_spmv", "argument trans is 'Q'");
    expect(psb_spmv(1.0, a, x, 0.0, x, 'N'), PSB_EARG, "psb_d_spmv", "arguments x and y are the same vector");
    expect(psb_spmv(1.0, a, elsewhere, 0.0, y, 'N'), PSB_EARG, "psb_d_spmv", "argument x ");
    expect(psb_spmv(1.0, a, unfinished, 0.0, y, 'N'), PSB_ESTATE, "psb_d_spmv",
           "argument x is not assembled");
    expect(psb_spmv(1.0, begun, x, 0.0, y, 'N'), PSB_ESTATE, "psb_d_spmv", "argument a is not assembled");
    expect(psb_d_spmv(1, NULL, x, 0, y, 'N'), PSB_EARG, "psb_d_spmv", "argument a is NULL");
    expect(psb_d_spmv(1, a, NULL, 0, y, 'N'), PSB_EARG, "psb_d_spmv", "argument x is NULL");
    expect(psb_spmv(1.0, a, wide, 0.0, y, 'N'), PSB_EARG, "psb_d_spmv", "expected as many");
    expect(psb_geaxpby(1.0, elsewhere, 0.0, y), PSB_EARG, "psb_d_geaxpby",
           "x and y are on different descriptors");
    expect(psb_geaxpby(1.0, wide, 0.0, y), PSB_EARG, "psb_d_geaxpby", "x (");
    expect(psb_gedot(x, elsewhere, r), PSB_EARG, "psb_d_gedot", "x and y are on different descriptors");
    expect(psb_gedot(x, y, NULL), PSB_EARG, "psb_d_gedot", "argument res is NULL");
    expect(psb_genrm2(unfinished, r), PSB_ESTATE, "psb_d_genrm2", "argument x is not assembled");
    expect(psb_genrm2(me == last ? unfinished : x, r), PSB_ESTATE, "psb_d_genrm2",
           "argument x is not assembled");
    psb_err e = psb_spmv(1.0, me == last ? begun : a, x, 0.0, y, 'N'); /* its neighbours may go on */
    if (me == last)
        expect(e, PSB_ESTATE, "psb_d_spmv", "argument a is not assembled");
    else if (e != PSB_OK)
        expect(e, PSB_EMPI, "psb_d_spmv", "it failed");
}

static void collectives(void)
{
    double v[4] = { 1, 2, 3, 4 };
    expect(psb_bcast(ctxt, 1, v, np), PSB_EARG, "psb_bcast", "argument root is ");
    expect(psb_sum(ctxt, -1, v, -1), PSB_EARG, "psb_sum", "argument n is -1");
    expect(psb_sum(NULL, 1, v, -1), PSB_EARG, "psb_sum", "argument ctxt is NULL");
    expect(psb_max(ctxt, 2, (double *)NULL, -1), PSB_EARG, "psb_max", "argument x is NULL");
    if (np > 1)
        expect(psb_sum(ctxt, me == last ? 3 : 2, v, -1), PSB_EARG, "psb_sum", "argument n is ");
}

int main(void)
{
    alarm(PATIENCE);
    must(psb_init(&ctxt));
    psb_info(ctxt, &me, &np);
    last = np - 1;
    make();
    descriptors();
    entries();
    assembly();
    parts();
    vectors();
    computations();
    collectives();
    destroy();
    if (me == 0)
        printf("%d mistakes\n", mistakes);
    must(psb_sum(ctxt, 1, &wrong, -1));
    psb_exit(ctxt);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
