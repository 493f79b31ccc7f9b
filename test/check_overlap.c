/* check_overlap.c -- test: rows that several processes own, and replicated rows. */
#include <math.h>
#include <stdlib.h>
#include "check_desc.h"
#include "own.h"

/* The value of row i on process r before psb_ovrl. */
static double _Complex value_before(int r, int i)
{
    return CMPLX(r * 3 % 5 + i % 4 - 2, r - i % 3);
}

static int close_to(double _Complex x, double _Complex y, double scale)
{
    return cabs(x - y) <= 4 * scale * 2.3e-16;
}

/* --- psb_ovrl --- */

static const enum psb_ovrl ops[] = { PSB_OVRL_NONE, PSB_OVRL_SUM, PSB_OVRL_AVG, PSB_OVRL_SQRT,
                                     PSB_OVRL_ZERO };

/* The value of row i on process r after psb_ovrl; column j holds j more. */
static double _Complex combined(const struct layout *p, enum psb_ovrl op, int r, int i, int j)
{
    double _Complex sum = 0;
    int n = owners_of(p, i);
    for (int q = 0; q < np; q++)
        if (p->owns[q][i])
            sum += value_before(q, i) + j;
    switch (op) {
    case PSB_OVRL_NONE:
        return value_before(r, i) + j;
    case PSB_OVRL_AVG:
        return sum / n;
    case PSB_OVRL_SQRT:
        return sum / sqrt(n);
    case PSB_OVRL_ZERO:
        return r == lowest(p, i) ? sum : 0;
    default:
        return sum;
    }
}

static void check_ovrl(psb_desc *d, const struct layout *p, enum psb_ovrl op, int k)
{
    ZVECT *x = NULL;
    double _Complex v[4 * ROWS], w[4 * ROWS];
    const int n = p->nl[me], all = psb_cd_local_cols(d);
    GOOD(psb_geall_n(&x, d, k));
    GOOD(psb_geasb(x, NULL));
    for (int l = 0; l < all * k; l++)
        v[l] = l < n * k ? value_before(me, p->row[me][l / k]) + l % k : 77;
    GOOD(psb_set_vect(x, all, v));
    GOOD(psb_ovrl(x, op));
    GOOD(psb_get_vect(x, all, w));
    for (int l = 0; l < n * k; l++) {
        double _Complex want = combined(p, op, me, p->row[me][l / k], l % k);
        collective_note(close_to(w[l], want, 8 * np), __FILE__, __LINE__,
                        "op %d: row %d, column %d is %g %g; expected %g %g", (int)op, p->row[me][l / k],
                        l % k, creal(w[l]), cimag(w[l]), creal(want), cimag(want));
    }
    for (int l = n * k; l < all * k; l++)
        EXPECT(w[l] == 77);
}

/* --- sums --- */

static void check_sums(psb_desc *d, const struct layout *p)
{
    double _Complex dot = 0, got = 0, many[2] = { 0 };
    double squares = 0, asum = 0, amax = 0, res = -1;
    ZVECT *x = vector(d, 0), *y = vector(d, 0);
    for (int i = 0; i < p->n; i++) {
        dot += conj(element(i)) * 2 * element(i);
        squares += creal(conj(element(i)) * element(i));
        asum += cabs(element(i));
        amax = fmax(amax, cabs(element(i)));
    }
    GOOD(psb_geaxpby(1, x, 1, y));
    GOOD(psb_gedot(x, y, &got));
    collective_note(got == dot, __FILE__, __LINE__, "dot is %g, expected %g", creal(got), creal(dot));
    psb_zvect *left[2] = { x, y }, *right[2] = { y, x };
    GOOD(psb_gedots(2, left, right, many));
    EXPECT(many[0] == dot && many[1] == dot);
    GOOD(psb_genrm2(x, &res));
    EXPECT(fabs(res - sqrt(squares)) <= 8 * 2.3e-16 * sqrt(squares));
    GOOD(psb_geasum(x, &res));
    EXPECT(fabs(res - asum) <= 64 * 2.3e-16 * asum);
    GOOD(psb_geamax(x, &res));
    EXPECT(fabs(res - amax) <= 4 * 2.3e-16 * amax);
    GOOD(psb_genrm2_weight(x, y, &res));
    double want = 0;
    for (int i = 0; i < p->n; i++)
        want += pow(cabs(2 * element(i) * element(i)), 2);
    EXPECT(fabs(res - sqrt(want)) <= 64 * 2.3e-16 * sqrt(want));

    double _Complex all[ROWS];
    for (int root = -1; root < np; root += np) {
        GOOD(psb_gather(x, all, root));
        for (int i = 0; (root < 0 || me == root) && i < p->n; i++)
            EXPECT(all[i] == element(i));
        for (int i = 0; i < p->n; i++)
            all[i] = 3 * element(i);
        GOOD(psb_scatter(y, all, root));
        GOOD(psb_geaxpby(-3, x, 1, y));
        GOOD(psb_geamax(y, &res));
        EXPECT(res == 0);
    }
}

/* --- products --- */

/* Element i of 2i op(A) x + (1 - i) y with y_i = element(i + 5). */
static double _Complex product(int n, char trans, int i)
{
    double _Complex sum = 0;
    for (int j = 0; j < n; j++)
        sum += trans == 'N'   ? (entry(i, j) ? value(i, j) * element(j) : 0)
               : !entry(j, i) ? 0
               : trans == 'T' ? value(j, i) * element(j)
                              : conj(value(j, i)) * element(j);
    return 2 * I * sum + (1 - I) * element(i + 5);
}

static void check_product(psb_zspmat *a, psb_desc *row, psb_desc *col, const struct layout *prow,
                          const struct layout *pcol, char trans)
{
    const struct layout *py = trans == 'N' ? prow : pcol;
    ZVECT *x = vector(trans == 'N' ? col : row, 0), *y = vector(trans == 'N' ? row : col, 0);
    double _Complex v[ROWS];
    for (int l = 0; l < py->nl[me]; l++)
        v[l] = element(py->row[me][l] + 5);
    GOOD(psb_set_vect(y, py->nl[me], v));
    GOOD(psb_spmv(2 * I, a, x, 1 - I, y, trans));
    GOOD(psb_get_vect(y, py->nl[me], v));
    for (int l = 0; l < py->nl[me]; l++) {
        double _Complex want = product(py->n, trans, py->row[me][l]);
        collective_note(v[l] == want, __FILE__, __LINE__, "op %c: element %d is %g %g; expected %g %g", trans,
                        py->row[me][l], creal(v[l]), cimag(v[l]), creal(want), cimag(want));
    }
    GOOD(psb_spmv(0, a, x, 2, y, trans));
}

/* Without an exchange every process adds the contribution of the rows for which it is the lowest owner. */
static void check_local_share(psb_zspmat *a, psb_desc *d, const struct layout *p)
{
    ZVECT *x = vector(d, 1), *y = vector(d, 1);
    double _Complex v[2 * ROWS];
    const int all = psb_cd_local_cols(d), repl = psb_cd_is_replicated(d);
    GOOD(psb_z_spmv_opt(1, a, x, 0, y, 'T', 0));
    GOOD(psb_get_vect(y, all, v));
    for (int l = 0; l < all; l++) {
        double _Complex want = 0;
        int j = (int)psb_loc_to_glob(d, l) - psb_index_base();
        for (int i = 0; i < p->n; i++)
            if (entry(i, j) && (repl ? me == 0 : lowest(p, i) == me))
                want += value(i, j) * element(i);
        collective_note(v[l] == want, __FILE__, __LINE__, "share of %d is %g; expected %g", j, creal(v[l]),
                        creal(want));
    }
}

static void check_all(psb_desc *d, const struct layout *p)
{
    for (int o = 0; o < 5; o++)
        for (int k = 1; k <= 3; k += 2)
            check_ovrl(d, p, ops[o], k);
    check_sums(d, p);
    ZSPMAT *a = matrix(d, p);
    for (const char *t = "NTC"; *t; t++)
        check_product(a, d, d, p, p, *t);
    check_local_share(a, d, p);
}

TEST(several_owners)
{
    const struct layout p = layout((enum distribution)(_i / 2 % DISTRIBUTIONS));
    GOOD(psb_set_index_base(_i % 2));
    psb_desc *d = assembled(&p);
    DESC *copy = NULL;
    GOOD(psb_cdcpy(&copy, d));
    psb_cdfree(d);
    check_all(copy, &p);
    check_exchange(copy, &p);
    GOOD(psb_set_index_base(0));
}

static struct layout all_own_all(void)
{
    struct layout p = layout(ALL_OF_ALL);
    for (int r = 0; r < np; r++)
        for (int i = 0; i < p.n; i++)
            p.row[r][i] = i;
    return p;
}

TEST(replicated)
{
    const struct layout p = all_own_all();
    DESC *d = NULL;
    GOOD(psb_set_index_base(_i));
    GOOD(psb_cdall_repl(&d, ctxt, p.n));
    GOOD(psb_cdasb(d));
    check_assembled(d, &p);
    check_all(d, &p);
    GOOD(psb_set_index_base(0));
}

static psb_desc *rows_of(int distribution, struct layout *p)
{
    psb_desc *d = NULL;
    *p = distribution == DISTRIBUTIONS ? all_own_all() : layout((enum distribution)distribution);
    if (distribution < DISTRIBUTIONS)
        return build_desc(p);
    GOOD(psb_cdall_repl(&d, ctxt, p->n));
    return d;
}

/* Rows and columns with different distributions. */
TEST(different_row_and_column_descriptors)
{
    static const int hows[] = { EVEN, LAST_MORE, SCATTERED, ONE_ROW, DISTRIBUTIONS };
    struct layout p, q;
    DESC *row = rows_of(hows[_i / 5], &p), *col = rows_of(hows[_i % 5], &q);
    ZSPMAT *a = NULL;
    GOOD(psb_spall2(&a, row, col, 0));
    GOOD(psb_sp_set_remote(a, PSB_REMOTE_DROP));
    for (psb_lpk i = 0; i < p.n; i++)
        for (psb_lpk j = 0; j < p.n; j++)
            if (entry((int)i, (int)j)) {
                double _Complex v = value((int)i, (int)j);
                GOOD(psb_spins(1, &i, &j, &v, a));
            }
    GOOD(psb_cdasb(row));
    GOOD(psb_cdasb(col));
    GOOD(psb_spasb(a, &psb_z_csr_mold.mat, PSB_DUPL_ADD));
    for (const char *t = "NTC"; *t; t++)
        check_product(a, row, col, &p, &q, *t);
}

/* --- errors --- */

TEST(wrong_arguments)
{
    const struct layout p = layout((enum distribution)_i);
    DESC *d = assembled(&p);
    psb_zvect *x = vector(d, 0), *y = NULL, *local = NULL;
    const int bad = me == np - 1;
    BAD(psb_ovrl((psb_zvect *)NULL, PSB_OVRL_SUM), PSB_EARG,
        "argument x is NULL; expected a distributed vector");
    GOOD(psb_vect_new(&local, 3, NULL));
    BAD(psb_ovrl(local, PSB_OVRL_SUM), PSB_EARG, "argument x is local");
    psb_gefree(local);
    BAD(psb_ovrl(x, (enum psb_ovrl)9), PSB_EARG, "argument op is 9; expected one of enum psb_ovrl");
    BAD(psb_ovrl(x, (enum psb_ovrl) - 1), PSB_EARG, "argument op is -1");
    GOOD(psb_geall(&y, d));
    BAD(psb_ovrl(y, PSB_OVRL_NONE), PSB_ESTATE, "argument x is not assembled");
    psb_err e = psb_ovrl(bad ? y : x, PSB_OVRL_SUM); /* processes that share rows with it fail too */
    int shares = 0;
    for (int i = 0; i < p.n; i++)
        shares |= p.owns[me][i] && p.owns[np - 1][i];
    EXPECT((e != PSB_OK) == (bad || (shares && me != np - 1)));
    GOOD(psb_geasb(y, NULL));
    e = psb_ovrl(x, bad ? (enum psb_ovrl)9 : PSB_OVRL_SUM);
    EXPECT((e != PSB_OK) == (bad || shares));
    GOOD(psb_ovrl(y, PSB_OVRL_AVG));
    psb_gefree(x);
    psb_gefree(y);

    DVECT *z = NULL;
    psb_dspmat *a = NULL;
    GOOD(psb_geall(&z, d));
    GOOD(psb_spall(&a, d, 0));
    BAD(psb_ge_set_remote(z, PSB_REMOTE_SEND), PSB_ENOTIMPL, "PSB_REMOTE_SEND expects one owner a row");
    BAD(psb_sp_set_remote(a, PSB_REMOTE_SEND), PSB_ENOTIMPL, "PSB_REMOTE_SEND expects one owner a row");
    GOOD(psb_ge_set_remote(z, PSB_REMOTE_REFUSE));
    GOOD(psb_sp_set_remote(a, PSB_REMOTE_REFUSE));
    psb_spfree(a);
}

struct act {
    psb_desc *d;
    const struct layout *p;
    psb_zspmat *a;
    psb_zvect *x, *y;
};

static psb_err sum_up(void *arg)
{
    return psb_agree(ctxt, psb_ovrl(((struct act *)arg)->x, PSB_OVRL_SUM));
}

static psb_err transposed(void *arg)
{
    struct act *t = arg;
    return psb_agree(ctxt, psb_spmv(1, t->a, t->x, 0, t->y, 'T'));
}

static void reload(void *arg)
{
    struct act *t = arg;
    psb_gefree(t->x);
    t->x = vector(t->d, 0);
}

static void check_still_multiplies(void *arg)
{
    struct act *t = arg;
    for (const char *o = "NT"; *o; o++)
        check_product(t->a, t->d, t->d, t->p, t->p, *o);
}

TEST(allocation_fails)
{
    const struct layout p = layout((enum distribution)_i);
    struct act t = { .p = &p, .d = assembled(&p) };
    t.a = matrix(t.d, &p);
    t.x = vector(t.d, 0);
    t.y = vector(t.d, 0);
    walk(&(struct walk){ sum_up, reload, reload, &t, "psb_ovrl" });
    walk(&(struct walk){ transposed, NULL, check_still_multiplies, &t, "psb_spmv, transposed" });
    check_still_multiplies(&t);
    psb_gefree(t.x);
    psb_gefree(t.y);
    psb_spfree(t.a);
    psb_cdfree(t.d);
}

void add_overlap(Suite *s)
{
    TCase *c = collective_tcase(s, "overlap");
    ck_add_loop_tests(c, 2 * DISTRIBUTIONS, several_owners);
    ck_add_loop_tests(c, 2, replicated);
    ck_add_loop_tests(c, 25, different_row_and_column_descriptors);
    if (np > 1) /* with one process nothing is shared */
        tcase_add_loop_test(c, wrong_arguments, FRINGES, LAST_MORE);
    tcase_add_loop_test(c, allocation_fails, FRINGES, DISTRIBUTIONS);
}
