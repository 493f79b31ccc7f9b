/* check_desc_layouts.c -- test: the layouts of the suites of descriptors, and descriptors, vectors and
 * matrices made from them. */
#include <math.h>
#include "check_desc.h"

/* --- layouts --- */

static int block_of(int i, int n, int parts)
{
    return (int)((long)i * parts / n);
}

static int is_owner(enum distribution distribution, int i, int r, struct rng *g)
{
    const int n = ROWS;
    switch (distribution) {
    case FIRST_EMPTY:
        return np == 1 || r == 1 + block_of(i, n, np - 1);
    case ONE_HAS_ALL:
        return r == np / 2;
    case RUNS:
        return r == block_of(i, n, 2 * np) % np;
    case CYCLES:
        return r == i % np;
    case FRINGES:
        return r == block_of(i, n, np) || (i > 0 && r == block_of(i - 1, n, np)) ||
               (i + 2 < n && r == block_of(i + 2, n, np));
    case SCATTERED:
        return rng_below(g, 3) == 0;
    case ALL_OF_ALL:
        return 1;
    case ONE_ROW:
        return i == 3 || r == block_of(i, n, np);
    case LAST_MORE:
        return r == np - 1 || (r > 0 && rng_below(g, 2));
    default:
        return r == block_of(i, n, np);
    }
}

static void shuffle(int n, int *x, struct rng *g)
{
    for (int k = n - 1; k > 0; k--) {
        int l = rng_below(g, k + 1), was = x[k];
        x[k] = x[l];
        x[l] = was;
    }
}

struct layout layout(enum distribution distribution)
{
    struct layout p = { .n = distribution == NO_ROWS ? 0 : ROWS };
    struct rng g = { 17 + (uint64_t)distribution };
    for (int i = 0; i < p.n; i++) {
        int some = 0, random = rng_below(&g, np);
        for (int r = 0; r < np; r++)
            some += p.owns[r][i] = distribution == SHUFFLED ? r == random : is_owner(distribution, i, r, &g);
        if (!some)
            p.owns[random][i] = 1;
    }
    for (int r = 0; r < np; r++) {
        for (int i = 0; i < p.n; i++) {
            if (p.owns[r][i])
                p.row[r][p.nl[r]++] = i;
            for (int j = 0; p.owns[r][i] && j < p.n; j++)
                p.uses[r][j] |= entry(i, j);
        }
        if (distribution == SHUFFLED || distribution == SCATTERED || distribution == ALL_OF_ALL)
            shuffle(p.nl[r], p.row[r], &g);
    }
    return p;
}

int entry(int i, int j)
{
    return i == j || j == (i + 1) % ROWS || j == (i * 7 + 3) % ROWS || (i == 5 && j % 4 == 0);
}

double _Complex value(int i, int j)
{
    return CMPLX((i * 3 + j) % 7 - 3, (i + 2 * j) % 5 - 2);
}

double _Complex element(int i)
{
    return CMPLX(i % 9 - 4, i * 5 % 7 - 3);
}

int lowest(const struct layout *p, int row)
{
    int r = 0;
    while (r < np && !p->owns[r][row])
        r++;
    return r;
}

int owners_of(const struct layout *p, int row)
{
    int n = 0;
    for (int r = 0; r < np; r++)
        n += p->owns[r][row];
    return n;
}

int halo_of(const struct layout *p, int r, int *g)
{
    int n = 0;
    for (int owner = 0; owner < np; owner++)
        for (int j = 0; j < p->n; j++)
            if (p->uses[r][j] && !p->owns[r][j] && lowest(p, j) == owner)
                g[n++] = j;
    return n;
}

struct layout ascending_rows(const struct layout *p)
{
    struct layout q = *p;
    for (int r = 0; r < np; r++)
        for (int i = 0, k = 0; i < p->n; i++)
            if (p->owns[r][i])
                q.row[r][k++] = i;
    return q;
}

int owners_by_layout(psb_lpk g, psb_lpk n, int procs, int *pv, void *arg)
{
    const struct layout *p = arg;
    int k = 0;
    g -= psb_index_base();
    if (n != p->n || procs != np || g < 0 || g >= n)
        return 0;
    for (int r = np - 1; r >= 0; r--)
        if (p->owns[r][g])
            pv[k++] = r;
    return k;
}

/* --- descriptors --- */

void rows_here(const struct layout *p, psb_lpk *vl)
{
    for (int k = 0; k < p->nl[me]; k++)
        vl[k] = p->row[me][k] + psb_index_base();
}

psb_err make_desc(psb_desc **d, const struct layout *p, enum way way, bool general)
{
    const int nl = p->nl[me];
    psb_lpk vl[ROWS], moved[ROWS];
    psb_ipk lidx[ROWS];
    int vg[ROWS];
    rows_here(p, vl);
    for (int k = 0; k < nl; k++) {
        lidx[k] = (k + 3) % nl;
        moved[k] = vl[lidx[k]];
    }
    for (int i = 0; i < p->n; i++)
        vg[i] = lowest(p, i);
    const bool lists = nl || p->n == 0;
    const struct psb_cdall_how how[WAYS] = {
        [BY_NL] = { .nl = nl },
        [BY_VL] = { .nl = nl, .vl = lists ? vl : NULL },
        [BY_LIDX] = { .nl = nl, .vl = lists ? moved : NULL, .lidx = lidx },
        [BY_VG] = { .ng = p->n, .vg = vg },
        [BY_REPL] = { .ng = p->n, .repl = 1 },
        [BY_PARTS] = { .ng = p->n, .parts = owners_by_layout, .arg = (void *)p },
    };
    if (general)
        return psb_cdall(d, ctxt, &how[way]);
    switch (way) {
    case BY_NL:
        return psb_cdall_nl(d, ctxt, nl);
    case BY_VL:
        return psb_cdall_vl(d, ctxt, nl, nl ? vl : NULL);
    case BY_LIDX:
        return psb_cdall_vl_lidx(d, ctxt, nl, moved, nl ? lidx : NULL);
    case BY_VG:
        return psb_cdall_vg(d, ctxt, p->n, p->n ? vg : NULL);
    case BY_REPL:
        return psb_cdall_repl(d, ctxt, p->n);
    default:
        return psb_cdall_parts(d, ctxt, p->n, owners_by_layout, (void *)p);
    }
}

psb_desc *build_desc(const struct layout *p)
{
    psb_desc *d = NULL;
    GOOD(make_desc(&d, p, BY_VL, false));
    return d;
}

void use_pattern(psb_desc *d, const struct layout *p)
{
    psb_lpk ia[ROWS * ROWS], ja[ROWS * ROWS];
    int n = 0;
    for (int i = 0; i < p->n; i++)
        for (int j = p->n - 1; j >= 0; j--)
            if (entry(i, j)) {
                ia[n] = i + psb_index_base();
                ja[n++] = j + psb_index_base();
            }
    GOOD(psb_cdins(d, n, ia, ja));
}

psb_desc *assembled(const struct layout *p)
{
    psb_desc *d = build_desc(p);
    use_pattern(d, p);
    GOOD(psb_cdasb(d));
    return d;
}

psb_zvect *vector(psb_desc *d, int halo)
{
    psb_zvect *x = NULL;
    double _Complex v[ROWS];
    GOOD(psb_geall(&x, d));
    GOOD(psb_geasb(x, NULL));
    psb_ipk n = halo ? psb_cd_local_cols(d) : psb_cd_local_rows(d);
    for (psb_ipk l = 0; l < n; l++)
        v[l] = element((int)psb_loc_to_glob(d, l) - psb_index_base());
    GOOD(psb_set_scal(NAN, x));
    GOOD(psb_set_vect(x, n, v));
    return x;
}

psb_zspmat *matrix(psb_desc *d, const struct layout *p)
{
    psb_zspmat *a = NULL;
    GOOD(psb_spall(&a, d, 0));
    GOOD(psb_sp_set_remote(a, PSB_REMOTE_DROP));
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++)
            if (entry(i, j)) {
                psb_lpk ia = i + psb_index_base(), ja = j + psb_index_base();
                double _Complex v = value(i, j);
                GOOD(psb_spins(1, &ia, &ja, &v, a));
            }
    if (psb_cd_state(d) == PSB_BUILD)
        GOOD(psb_cdasb(d));
    GOOD(psb_spasb(a, &psb_z_csr_mold.mat, PSB_DUPL_ADD));
    return a;
}

/* --- comparison of a descriptor with its layout --- */

static void check_list(const psb_desc *d, enum psb_cd_indices kind, const int *mark, int n)
{
    psb_ipk many = -1, list[2 * ROWS], k = 0;
    GOOD(psb_cd_list(d, kind, &many, NULL));
    int want = 0;
    for (int l = 0; l < n; l++)
        want += mark[l];
    EXPECT_SAYING(many == want, "%d of kind %d; expected %d", many, (int)kind, want);
    GOOD(psb_cd_list(d, kind, &many, list));
    for (int l = 0; l < n && many == want; l++)
        if (mark[l])
            EXPECT(list[k++] == l);
}

void check_assembled(psb_desc *d, const struct layout *p)
{
    const int base = psb_index_base();
    int halo[ROWS], others[ROWS], nl = p->nl[me], n = halo_of(p, me, halo);
    int boundary[ROWS] = { 0 }, overlap[ROWS] = { 0 }, is_halo[2 * ROWS] = { 0 }, near[PROCS] = { 0 };
    int sent = 0, neighbours = 0, all = psb_cd_is_replicated(d);
    EXPECT(psb_cd_state(d) == PSB_ASSEMBLED);
    EXPECT(psb_cd_local_cols(d) == nl + n);
    psb_lpk g[2 * ROWS];
    psb_ipk l[2 * ROWS];
    for (int k = 0; k < n; k++) {
        g[k] = halo[k] + base;
        is_halo[nl + k] = 1;
        EXPECT(psb_loc_to_glob(d, nl + k) == halo[k] + base);
        EXPECT(psb_glob_to_loc(d, halo[k] + base) == nl + k);
        near[lowest(p, halo[k])] = 1;
    }
    GOOD(psb_glob_to_loc_n(d, n, g, l));
    for (int k = 0; k < n; k++)
        EXPECT(l[k] == nl + k);
    GOOD(psb_loc_to_glob_n(d, n, l, g));
    for (int k = 0; k < n; k++)
        EXPECT(g[k] == halo[k] + base);
    for (int i = 0; i < p->n; i++)
        if (!p->owns[me][i] && !p->uses[me][i])
            EXPECT(psb_glob_to_loc(d, i + base) == -1);
    for (int r = 0; r < np && !all; r++) {
        int m = r == me ? 0 : halo_of(p, r, others);
        for (int k = 0; k < m; k++)
            if (lowest(p, others[k]) == me) {
                sent++;
                near[r] = 1;
                boundary[psb_glob_to_loc(d, others[k] + base)] = 1;
            }
    }
    for (int k = 0; k < nl; k++)
        overlap[k] = owners_of(p, p->row[me][k]) > 1;
    check_list(d, PSB_CD_BOUNDARY, boundary, nl);
    check_list(d, PSB_CD_OVERLAP, overlap, nl);
    check_list(d, PSB_CD_HALO, is_halo, nl + n);

    int rank[PROCS], count = -1, k = 0;
    psb_ipk s = -1, r = -1;
    for (int q = 0; q < np; q++)
        neighbours += near[q];
    GOOD(psb_cd_neighbours(d, &count, NULL));
    EXPECT(count == neighbours);
    GOOD(psb_cd_neighbours(d, &count, rank));
    for (int q = 0; q < np && count == neighbours; q++)
        if (near[q])
            EXPECT(rank[k++] == q);
    psb_cd_volume(d, &s, &r, &count);
    EXPECT(s == sent && r == n && count == neighbours);
    psb_cd_volume(d, NULL, NULL, NULL);
}

void check_exchange(psb_desc *d, const struct layout *p)
{
    double _Complex v[2 * ROWS];
    int halo[ROWS], n = halo_of(p, me, halo), nl = p->nl[me];
    psb_zvect *x = vector(d, 0);
    GOOD(psb_halo(x, 'N'));
    GOOD(psb_get_vect(x, nl + n, v));
    for (int k = 0; k < n; k++)
        EXPECT(v[nl + k] == element(halo[k]));
    psb_gefree(x);
}
