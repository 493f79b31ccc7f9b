/* check_scal_iteration.c -- test: A whole iteration of conjugate gradients of which the host knows no
 * number, compared with one that the host controls. */
#include <string.h>
#include "psb_cuda.h"
#include "check_scal.h"

enum { STEPS = 6 };

struct cg {
    psb_desc *rows;
    struct X(spmat) *a;
    struct X(vect) *x, *r, *z, *p, *q, *diag;
    struct X(scal) *pq, *rho[2], *rr, *alpha, *beta;
};

/* Iteration k; the host knows no number.  Odd ones divide with the dot products. */
static void iterate(struct cg *c, int k)
{
    struct X(scal) *rho = c->rho[k % 2], *next = c->rho[(k + 1) % 2];
    const int together = k % 2;
    const struct X(epilogue) direction = { .ndots = 1,
                                           .dot = { { c->p, c->q } },
                                           .to = { c->pq },
                                           .nratios = together,
                                           .ratio = { { rho, c->pq, c->alpha } } };
    const struct X(epilogue) residual = { .gamma = -1,
                                          .gamma_by = c->alpha,
                                          .delta = 1,
                                          .z = c->r,
                                          .d = c->diag,
                                          .u = c->z,
                                          .ndots = 2,
                                          .dot = { { c->r, c->z }, { c->r, c->r } },
                                          .to = { next, c->rr },
                                          .nratios = together,
                                          .ratio = { { next, rho, c->beta } } };
    const struct X(axpby) update[] = {
        { .alpha = 1, .alpha_by = c->alpha, .x = c->p, .beta = 1, .y = c->x, .z = c->x },
        { .alpha = 1, .x = c->z, .beta = 1, .beta_by = c->beta, .y = c->p, .z = c->p },
    };
    GOOD(psb_spmv_fused(1, c->a, c->p, 0, c->q, 'N', &direction, NULL));
    if (!together)
        GOOD(psb_scal_divide(rho, c->pq, c->alpha));
    GOOD(psb_gefused(c->q, &residual, NULL));
    if (!together)
        GOOD(psb_scal_divide(next, rho, c->beta));
    GOOD(psb_geaxpbys(2, update));
}

/* The same by the calls that return numbers. */
static void iterate_by_host(struct cg *c, T *rho)
{
    T pq, next;
    GOOD(psb_spmv(1, c->a, c->p, 0, c->q, 'N'));
    GOOD(psb_gedot(c->p, c->q, &pq));
    GOOD(psb_geaxpby(*rho / pq, c->p, 1, c->x));
    GOOD(psb_geaxpby(-*rho / pq, c->q, 1, c->r));
    GOOD(psb_gemlt2(1, c->diag, c->r, 0, c->z));
    GOOD(psb_gedot(c->r, c->z, &next));
    GOOD(psb_geaxpby(1, c->z, next / *rho, c->p));
    *rho = next;
}

static void begin(struct cg *c, T *rho)
{
    T b[MOST];
    random_vector(MOST, b, 5);
    set_owned(c->r, b);
    GOOD(psb_vect_zero(c->x));
    GOOD(psb_gemlt2(1, c->diag, c->r, 0, c->z));
    GOOD(psb_geaxpby(1, c->z, 0, c->p));
    GOOD(psb_gedot(c->r, c->z, rho));
    GOOD(psb_scal_set(c->rho[0], *rho));
}

/* A is hermitian, with diagonal 4 and -1 or (-1, +-1/2) beside it: its condition is small, so that both ways
 * to iterate stay close. */
static void make_matrix(struct cg *c, enum distribution distribution, const struct X(mat) *mold)
{
    GOOD(alloc_desc(&c->rows, distribution, ROWS));
    GOOD(psb_spall(&c->a, c->rows, 3 * ROWS));
    for (psb_lpk i = 0; i < ROWS; i++) {
        const psb_lpk ia[] = { i, i, i }, ja[] = { i, i - 1, i + 1 };
        const T val[] = { 4, MAKE(-1, 0.5), MAKE(-1, -0.5) };
        for (int k = 0; k < 3 && psb_is_owned(c->rows, i); k++)
            if (ja[k] >= 0 && ja[k] < ROWS)
                GOOD(psb_spins(1, &ia[k], &ja[k], &val[k], c->a));
    }
    GOOD(psb_cdasb(c->rows));
    GOOD(psb_spasb(c->a, mold, PSB_DUPL_ADD));
}

static void cg_make(struct cg *c, enum distribution distribution, const struct X(mat) *mold,
                    const struct psb_vmold *place)
{
    struct X(vect) **const v[] = { &c->x, &c->r, &c->z, &c->p, &c->q, &c->diag };
    struct X(scal) **const s[] = { &c->pq, &c->rho[0], &c->rho[1], &c->rr, &c->alpha, &c->beta };
    const T none[MOST] = { 0 };
    *c = (struct cg){ .a = NULL };
    make_matrix(c, distribution, mold);
    for (int i = 0; i < 6; i++) {
        *v[i] = make_vector(c->rows, none, place);
        *s[i] = make_scalar(c->rows, 0, place);
    }
    GOOD(psb_set_scal((R)0.25, c->diag));
}

static void cg_free(struct cg *c)
{
    struct X(vect) *const v[] = { c->x, c->r, c->z, c->p, c->q, c->diag };
    struct X(scal) *const s[] = { c->pq, c->rho[0], c->rho[1], c->rr, c->alpha, c->beta };
    for (int i = 0; i < 6; i++) {
        psb_gefree(v[i]);
        psb_scal_free(s[i]);
    }
    psb_spfree(c->a);
    psb_cdfree(c->rows);
}

/* The transfers of an iteration on a device, other than halos and sums that are exchanged through the host.
 */
static long long transfers(void)
{
    const struct psb_transfer_counts t = psb_transfers(NULL);
    return t.puts + t.gets;
}

TEST(an_iteration)
{
    const struct X(mat) *const mold[] = { &X(csr_mold).mat, &X(csrg_mold).mat, &X(hlg_mold).hll.mat,
                                          &X(hdiag_mold).mat };
    const struct psb_vmold *place = places[_i / SOME_DISTRIBUTIONS > 0];
    struct cg c;
    T rho, want[MOST], got[MOST], rr, dot;
    cg_make(&c, some_distributions[_i % SOME_DISTRIBUTIONS], mold[_i / SOME_DISTRIBUTIONS], place);
    begin(&c, &rho);
    for (int k = 0; k < STEPS; k++)
        iterate_by_host(&c, &rho);
    GOOD(psb_gather(c.x, want, -1));
    begin(&c, &rho);
    iterate(&c, 0);
    psb_transfers_reset();
    for (int k = 1; k < STEPS; k++)
        iterate(&c, k);
    const int silent = np == 1 || strcmp(psb_cd_sums_transport(c.rows, NULL), "lsa") == 0;
    EXPECT(!silent || transfers() == 0);
    GOOD(psb_gather(c.x, got, -1));
    for (int i = 0; i < ROWS; i++)
        EXPECT((double)ABS(got[i] - want[i]) <= 1e3 * EPS * (1 + (double)ABS(want[i])));
    GOOD(psb_scal_get(c.rr, &rr));
    GOOD(psb_gedot(c.r, c.r, &dot));
    EXPECT(is_near(rr, dot) && (double)RE(rr) < 1e-2); /* it was at least 1 */
    cg_free(&c);
}

void add_scal_iteration(TCase *c)
{
    ck_add_sampled_tests(c, 4 * SOME_DISTRIBUTIONS, an_iteration);
}
