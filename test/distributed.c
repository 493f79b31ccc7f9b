/* distributed.c -- test: A matrix and two vectors distributed over the processes in every supported
 * way. */
#include "config.h"
#include "distributed.h"
#include "suites.h"
#include "minimal_format.h"
#include <stdio.h>
#include <stdlib.h>

const enum distribution some_distributions[] = { EVEN, ONE_HAS_ALL, FIRST_EMPTY, RANDOM };

/* --- distributions --- */

static int owner_of(enum distribution distribution, psb_ipk i, psb_ipk n, struct rng *r)
{
    int p = 0;
    switch (distribution) {
    case EVEN:
        return (int)(i * np / n);
    case UNEVEN: /* process p has rows up to n ((p+1) / np)^2 */
        while (i * np * np >= n * (p + 1) * (p + 1))
            p++;
        return p;
    case FIRST_EMPTY:
        return np > 1 ? 1 + (int)(i * (np - 1) / n) : 0;
    case LAST_EMPTY:
        return np > 1 ? (int)(i * (np - 1) / n) : 0;
    case ONE_HAS_ALL:
        return np / 2;
    case CYCLIC:
        return (int)(i % np);
    default:
        return rng_below(r, np);
    }
}

void owners(enum distribution distribution, psb_ipk n, int *owner)
{
    struct rng r = { 11 };
    for (psb_ipk i = 0; i < n; i++)
        owner[i] = owner_of(distribution, i, n, &r);
}

/* The rows of this process in random local order. */
static psb_ipk my_rows(const int *owner, psb_ipk n, psb_lpk *row)
{
    struct rng r = { 5 };
    psb_ipk nl = 0;
    for (psb_ipk i = 0; i < n; i++)
        if (owner[i] == me)
            row[nl++] = i;
    for (psb_ipk k = nl - 1; k > 0; k--) {
        int l = rng_below(&r, k + 1);
        psb_lpk g = row[k];
        row[k] = row[l];
        row[l] = g;
    }
    return nl;
}

psb_err alloc_desc(psb_desc **desc, enum distribution distribution, psb_ipk n)
{
    int owner[MOST];
    psb_lpk row[MOST];
    owners(distribution, n, owner);
    psb_ipk nl = my_rows(owner, n, row);
    if (distribution == SHUFFLED)
        return psb_cdall_vl(desc, ctxt, nl, row);
    return distribution < CYCLIC ? psb_cdall_nl(desc, ctxt, nl) : psb_cdall_vg(desc, ctxt, n, owner);
}

/* --- matrices --- */

psb_err insert_all(struct X(spmat) *a, const struct X(coo_mat) *s)
{
    HEAP psb_lpk *i = malloc((size_t)(s->mat.nnz + 1) * sizeof *i);
    HEAP psb_lpk *j = malloc((size_t)(s->mat.nnz + 1) * sizeof *j);
    ck_assert(i && j);
    for (psb_epk k = 0; k < s->mat.nnz; k++) {
        i[k] = s->ia[k];
        j[k] = s->ja[k];
    }
    psb_err e = a->remote_mode == PSB_REMOTE_REFUSE ? psb_sp_set_remote(a, PSB_REMOTE_DROP) : PSB_OK;
    if (e == PSB_OK)
        e = psb_spins(s->mat.nnz, i, j, s->val, a);
    return e;
}

struct distributed distribute(enum sample_kind kind, psb_ipk m, psb_ipk n, enum distribution row,
                              enum distribution col)
{
    struct distributed w = { .distribution = row, .s = sample(kind, m, n) };
    GOOD(alloc_desc(&w.row, row, m));
    if (m == n && row == col)
        w.col = w.row;
    else
        GOOD(alloc_desc(&w.col, col, n));
    GOOD(psb_spall2(&w.a, w.row, w.col, 0));
    GOOD(insert_all(w.a, w.s));
    GOOD(psb_cdasb(w.row));
    if (w.col != w.row)
        GOOD(psb_cdasb(w.col));
    return w;
}

struct distributed square_sample(enum sample_kind kind, int distribution)
{
    return distribute(kind, 41, 41, (enum distribution)distribution, (enum distribution)distribution);
}

void distributed_free(struct distributed *w)
{
    psb_gefree(w->x);
    psb_gefree(w->y);
    if (w->col != w->row)
        psb_cdfree(w->col);
    psb_cdfree(w->row);
    X(spfree)(w->a); /* last, to test that the matrix keeps its descriptors alive */
    X(mat_free)(&w->s->mat);
}

/* --- vectors --- */

void set_owned(struct X(vect) *x, const T *all)
{
    T mine[MOST];
    psb_ipk n = psb_cd_local_rows(x->desc);
    for (psb_ipk i = 0; i < n; i++)
        mine[i] = all[psb_loc_to_glob(x->desc, i)];
    GOOD(X(set_scal)(MAKE(NAN, NAN), x));
    GOOD(X(set_vect)(x, n, mine));
}

struct X(vect) *make_vector(psb_desc *d, const T *all, const struct psb_vmold *where)
{
    struct X(vect) *x = NULL;
    GOOD(psb_geall(&x, d));
    GOOD(psb_geasb(x, where));
    set_owned(x, all);
    return x;
}

void check_vector(struct X(vect) *y, const struct want *w, const char *what)
{
    T mine[MOST];
    psb_ipk n = psb_cd_local_rows(y->desc);
    GOOD(X(get_vect)(y, n, mine));
    for (psb_ipk i = 0; i < n; i++) {
        psb_lpk g = psb_loc_to_glob(y->desc, i);
        EXPECT_SAYING(is_right(mine[i], &w[g]), "%s: element %d is %g %g, expected %Lg %Lg within %Lg", what,
                      (int)g, (double)RE(mine[i]), (double)IM(mine[i]), creall(w[g].value),
                      cimagl(w[g].value), w[g].slack);
    }
}

void check_product(struct distributed *w, char trans, T alpha, T beta, const struct psb_vmold *where)
{
    T x[MOST], y[MOST];
    struct want want[MOST];
    char what[64];
    random_vector(MOST, x, 1);
    random_vector(MOST, y, 2);
    sample_product(w->s, trans, alpha, x, beta, y, want);
    if (beta == 0)
        fill_vector(MOST, y, MAKE(NAN, NAN));
    VECT *vx = make_vector(trans == 'N' ? w->col : w->row, x, where),
         *vy = make_vector(trans == 'N' ? w->row : w->col, y, where);
    GOOD(psb_spmv(alpha, w->a, vx, beta, vy, trans));
    snprintf(what, sizeof what, "%s, op %c, %s vectors", X(sp_fmt)(w->a), trans, where->name);
    check_vector(vy, want, what);
}

void halo_by_messages(void)
{
    setenv("PSB_HALO", "staged", 1);
}

void halo_by_default(void)
{
    unsetenv("PSB_HALO");
}

int number_of_formats(void)
{
    int n = 0;
    while (X(mat_format)(n))
        n++;
    return n;
}

int run_suite(int how, Suite *(*make)(void))
{
    ck_mpi_init();
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if ((how & FAKE_DEVICE) || ((how & FAKE_IF_SEVERAL) && np > 1))
        setenv("PSB_DEVICE", "fake", 0);
    if (ck_init(&ctxt) != PSB_OK ||
        ((how & MINIMAL_FORMAT) && X(mat_register)(&minimal_mold.mat) != PSB_OK)) {
        psb_print_errmsg();
        return EXIT_FAILURE;
    }
    psb_info(ctxt, &me, &np);
    return ck_end(ctxt, collective_count(ck_run(make())));
}
