/* check_desc.c -- room: test.  Descriptors: construction, queries, copies, errors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check_desc.h"

psb_ctxt *ctxt;
int me, np;

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

/* --- descriptors --- */

/* The rows of this process as arguments of psb_cdall_vl. */
static void rows_here(const struct layout *p, psb_lpk *vl)
{
    for (int k = 0; k < p->nl[me]; k++)
        vl[k] = p->row[me][k] + psb_index_base();
}

psb_desc *build_desc(const struct layout *p)
{
    psb_desc *d = NULL;
    psb_lpk vl[ROWS];
    rows_here(p, vl);
    GOOD(psb_cdall_vl(&d, ctxt, p->nl[me], vl));
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

/* Check what does not depend on the halo. */
static void check_rows(const psb_desc *d, const struct layout *p, const char *kind)
{
    const int base = psb_index_base();
    int owner[ROWS];
    psb_lpk g[ROWS + 2];
    psb_ipk l[ROWS + 2], n = -1;
    EXPECT(psb_cd_local_rows(d) == p->nl[me] && psb_cd_global_rows(d) == p->n);
    EXPECT(psb_cd_ctxt(d) == ctxt && psb_cd_is_replicated(d) == (strcmp(kind, "replicated") == 0));
    collective_note(strcmp(psb_cd_kind(d), kind) == 0, __FILE__, __LINE__, "kind %s, expected %s",
                    psb_cd_kind(d), kind);
    for (int i = 0; i < p->n; i++) {
        EXPECT(psb_is_owned(d, i + base) == p->owns[me][i]);
        g[i] = i + base;
    }
    for (int k = 0; k < p->nl[me]; k++) {
        EXPECT(psb_loc_to_glob(d, k) == p->row[me][k] + base);
        EXPECT(psb_glob_to_loc(d, p->row[me][k] + base) == k);
    }
    const psb_lpk out[] = { base - 1, p->n + base, -1, INT64_MIN, INT64_MAX };
    for (int k = 0; k < 5; k++)
        EXPECT(!psb_is_owned(d, out[k]) && psb_glob_to_loc(d, out[k]) == -1);
    EXPECT(psb_loc_to_glob(d, -1) == -1 && psb_loc_to_glob(d, psb_cd_local_cols(d)) == -1);
    GOOD(psb_cd_owners(d, p->n, g, owner));
    for (int i = 0; i < p->n; i++)
        EXPECT(owner[i] == (psb_cd_is_replicated(d) ? me : lowest(p, i)));
    GOOD(psb_cd_owners(d, me % 2 ? p->n / 2 : 0, g, owner));
    GOOD(psb_cd_list(d, PSB_CD_OWNED, &n, NULL));
    EXPECT(n == p->nl[me]);
    GOOD(psb_cd_list(d, PSB_CD_OWNED, &n, l));
    for (int k = 0; k < n; k++)
        EXPECT(l[k] == k);
    EXPECT(psb_cd_bytes(d) > 0);
}

static void check_list(const psb_desc *d, enum psb_cd_indices kind, const int *mark, int n)
{
    psb_ipk many = -1, list[2 * ROWS], k = 0;
    GOOD(psb_cd_list(d, kind, &many, NULL));
    int want = 0;
    for (int l = 0; l < n; l++)
        want += mark[l];
    collective_note(many == want, __FILE__, __LINE__, "%d of kind %d; expected %d", many, (int)kind, want);
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

/* --- construction --- */

/* Owners by the layout at arg, highest rank first. */
static int owners_by_layout(psb_lpk g, psb_lpk n, int procs, int *pv, void *arg)
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

/* The kind of map for rows given one by one: few ascending runs, or arbitrary. */
static const char *kind_of(const struct layout *p)
{
    int runs = p->nl[me] > 0;
    for (int k = 1; k < p->nl[me]; k++) {
        if (p->row[me][k] < p->row[me][k - 1])
            return "hash";
        runs += p->row[me][k] != p->row[me][k - 1] + 1;
    }
    return runs && runs <= p->nl[me] / 8 + 1 ? "list" : "hash";
}

/* Check a descriptor in all its states: new, with columns inserted, copied before and after assembly,
 * reopened, and its psb_cdall_like.  Frees d. */
static void check_all_states(psb_desc *d, const struct layout *p, const char *kind)
{
    psb_desc *make_like = NULL, *copy = NULL, *last = NULL;
    psb_ipk s = -1, r = -1;
    int n = -1;
    check_rows(d, p, kind);
    EXPECT(psb_cd_state(d) == PSB_BUILD && psb_cd_local_cols(d) == p->nl[me]);
    psb_cd_volume(d, &s, &r, &n);
    EXPECT(s == 0 && r == 0 && n == 0);
    use_pattern(d, p);
    use_pattern(d, p); /* a second time: no change */
    for (int i = 0; i < p->n; i++)
        EXPECT((psb_glob_to_loc(d, i + psb_index_base()) >= 0) == p->owns[me][i]);
    GOOD(psb_cdall_like(&make_like, d));
    GOOD(psb_cdcpy(&copy, d));
    psb_cdfree(d);
    check_rows(make_like, p, kind);
    EXPECT(psb_cd_state(make_like) == PSB_BUILD && psb_cd_local_cols(make_like) == p->nl[me]);
    use_pattern(make_like, p);
    GOOD(psb_cdasb(make_like));
    check_assembled(make_like, p);
    check_exchange(make_like, p);
    psb_cdfree(make_like);

    EXPECT(psb_cd_state(copy) == PSB_BUILD);
    GOOD(psb_cdasb(copy));
    check_assembled(copy, p);
    GOOD(psb_cdcpy(&last, copy));
    EXPECT(psb_cd_bytes(last) <= psb_cd_bytes(copy) && psb_cd_bytes(last) > 0);
    psb_cdfree(copy);
    check_rows(last, p, kind);
    check_assembled(last, p);
    check_exchange(last, p);
    GOOD(psb_cd_reinit(last));
    EXPECT(psb_cd_state(last) == PSB_BUILD);
    check_rows(last, p, kind);
    GOOD(psb_cdcpy(&copy, last));
    psb_cdfree(last);
    GOOD(psb_cdasb(copy));
    check_assembled(copy, p);
    check_exchange(copy, p);
    psb_cdfree(copy);
}

static void made_by_lists(const struct layout *p)
{
    psb_desc *d = NULL;
    psb_lpk vl[ROWS], transposed[ROWS];
    psb_ipk lidx[ROWS];
    const int nl = p->nl[me];
    rows_here(p, vl);
    GOOD(psb_cdall_vl(&d, ctxt, nl, nl ? vl : NULL));
    check_all_states(d, p, kind_of(p));
    for (int k = 0; k < nl; k++) {
        lidx[k] = (k + 3) % nl;
        transposed[k] = vl[lidx[k]];
    }
    GOOD(psb_cdall_vl_lidx(&d, ctxt, nl, transposed, nl ? lidx : NULL));
    check_all_states(d, p, kind_of(p));
}

/* The same owners, with local rows in ascending order. */
static struct layout ascending_rows(const struct layout *p)
{
    struct layout q = *p;
    for (int r = 0; r < np; r++)
        for (int i = 0, k = 0; i < p->n; i++)
            if (p->owns[r][i])
                q.row[r][k++] = i;
    return q;
}

static void made_by_rules(const struct layout *p)
{
    psb_desc *d = NULL;
    int vg[ROWS], one = 1;
    GOOD(psb_cdall_parts(&d, ctxt, p->n, owners_by_layout, (void *)p));
    check_all_states(d, p, kind_of(p));
    for (int i = 0; i < p->n; i++) {
        vg[i] = lowest(p, i);
        one &= owners_of(p, i) == 1;
    }
    if (one) {
        GOOD(psb_cdall_vg(&d, ctxt, p->n, p->n ? vg : NULL));
        check_all_states(d, p, kind_of(p));
    }
}

START_TEST(construction)
    {
        const struct layout p = layout((enum distribution)(_i / 2)), q = ascending_rows(&p);
        psb_desc *d = NULL;
        GOOD(psb_set_index_base(_i % 2));
        EXPECT(psb_index_base() == _i % 2);
        made_by_lists(&p);
        made_by_rules(&q);
        if (_i / 2 <= ONE_HAS_ALL || _i / 2 == NO_ROWS) {
            GOOD(psb_cdall_nl(&d, ctxt, p.nl[me]));
            check_all_states(d, &p, "block");
        }
        GOOD(psb_set_index_base(0));
    }
END_TEST

START_TEST(replicated)
    {
        psb_desc *d = NULL;
        struct layout p;
        GOOD(psb_set_index_base(_i));
        p = layout(ALL_OF_ALL);
        p = ascending_rows(&p);
        GOOD(psb_cdall_repl(&d, ctxt, p.n));
        check_all_states(d, &p, "replicated");
        p = layout(NO_ROWS);
        GOOD(psb_cdall_repl(&d, ctxt, 0));
        check_all_states(d, &p, "replicated");
        GOOD(psb_set_index_base(0));
    }
END_TEST

/* Long runs are stored as runs, not row by row; far more rows than processes, or fewer. */
START_TEST(kinds_of_maps)
    {
        psb_desc *d = NULL;
        psb_lpk vl[400], ng = 400 * np;
        for (int k = 0; k < 400; k++)
            vl[k] = k / 100 * 100 * np + 100 * me + k % 100;
        GOOD(psb_cdall_vl(&d, ctxt, 400, vl));
        EXPECT(strcmp(psb_cd_kind(d), "list") == 0);
        for (psb_lpk g = 0; g < ng; g++)
            EXPECT(psb_is_owned(d, g) == (g / 100 % np == me));
        for (int k = 0; k < 400; k++)
            EXPECT(psb_loc_to_glob(d, k) == vl[k] && psb_glob_to_loc(d, vl[k]) == k);
        psb_cdfree(d);
        vl[0] = np - 1 - me;
        GOOD(psb_cdall_vl(&d, ctxt, 1, vl));
        int owner[3] = { -1, -1, -1 };
        psb_lpk g[3] = { 0, np - 1, np / 2 };
        GOOD(psb_cd_owners(d, 3, g, owner));
        for (int k = 0; k < 3; k++)
            EXPECT(owner[k] == np - 1 - g[k]);
        psb_cdfree(d);
        vl[0] = 0;
        GOOD(psb_cdall_vl(&d, ctxt, me == np - 1, vl));
        GOOD(psb_cd_owners(d, 1, vl, owner));
        EXPECT(owner[0] == np - 1 && psb_cd_global_rows(d) == 1);
        psb_cdfree(d);
        psb_cdfree(NULL);
    }
END_TEST

/* --- print --- */

static void check_line(const char *line, const struct layout *p, int r, int assembled, int replicated)
{
    int halo[ROWS], v[9] = { -1 }, overlap = 0, sent = 0, near[PROCS] = { 0 }, neighbours = 0;
    int received = halo_of(p, r, halo), boundary[ROWS] = { 0 }, nb = 0, any = received;
    for (int k = 0; k < received; k++)
        near[lowest(p, halo[k])] = 1;
    for (int q = 0; q < np && !replicated; q++) {
        int m = q == r ? 0 : halo_of(p, q, halo);
        for (int k = 0; k < m; k++)
            if (lowest(p, halo[k]) == r) {
                sent++;
                near[q] = boundary[halo[k]] = 1;
            }
    }
    for (int i = 0; i < p->n; i++) {
        nb += boundary[i];
        overlap += p->owns[r][i] && owners_of(p, i) > 1;
    }
    for (int q = 0; q < np; q++)
        neighbours += near[q];
    int got = sscanf(line, "%d %d %d %d %d %d %d %d %d", v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6, v + 7,
                     v + 8);
    EXPECT(got == 9 && v[0] == r && v[1] == p->nl[r] && v[8] > 0);
    const int want[6] = { any, nb, overlap, neighbours, sent, received };
    for (int k = 0; k < 6; k++)
        collective_note(v[k + 2] == (assembled || k == 0 ? want[k] : 0), __FILE__, __LINE__,
                        "column %d of process %d is %d; expected %d", k + 2, r, v[k + 2], want[k]);
}

static void check_print(const psb_desc *d, const struct layout *p, const char *title)
{
    char text[4000] = "";
    FILE *f = me == 0 ? tmpfile() : NULL;
    GOOD(psb_cd_print(d, f));
    if (me > 0 || !f)
        return;
    rewind(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    EXPECT(strncmp(text, title, strlen(title)) == 0);
    const char *line = strchr(text, '\n');
    EXPECT(line && strstr(line, " process        rows      halo  boundary   overlap neighbours      sent"));
    line = line ? strchr(line + 1, '\n') : NULL;
    for (int r = 0; r < np; r++) {
        EXPECT(line && line[1]);
        if (!line)
            return;
        check_line(line + 1, p, r, psb_cd_state(d) == PSB_ASSEMBLED, psb_cd_is_replicated(d));
        line = strchr(line + 1, '\n');
    }
    EXPECT(line && !line[1]);
}

START_TEST(printed_text)
    {
        char title[100];
        const struct layout p = layout((enum distribution)_i);
        psb_desc *d = build_desc(&p);
        use_pattern(d, &p);
        const char *kind = psb_cd_kind(d); /* of process 0, which prints */
        snprintf(title, sizeof title, "descriptor: %d rows over %d processes, %s, being built\n", p.n, np,
                 kind);
        check_print(d, &p, title);
        GOOD(psb_cdasb(d));
        snprintf(title, sizeof title, "descriptor: %d rows over %d processes, %s, assembled\n", p.n, np,
                 kind);
        check_print(d, &p, title);
        BAD(psb_cd_print(d, NULL), PSB_EARG, "argument out is NULL; expected a file");
        BAD(psb_cd_print(NULL, stdout), PSB_EARG, "argument desc is NULL");
        FILE *full = me == 0 ? fopen("/dev/full", "w") : NULL;
        if (collective_count(full != NULL))
            BAD(psb_cd_print(d, full), PSB_EIO, "the table of the descriptor cannot be written");
        if (full)
            fclose(full);
        psb_cdfree(d);
    }
END_TEST

/* --- errors --- */

/* An error on one process: all fail with its message, and no descriptor is made. */
#define ALL_FAIL(call, code, in) all_fail((call), &d, (code), (in), #call, __LINE__)
static void all_fail(psb_err e, psb_desc **d, psb_err code, const char *in, const char *call, int line)
{
    collective_bad(e, code, in, call, __FILE__, line);
    collective_note(!*d, __FILE__, line, "%s: a descriptor was made", call);
}

static int wrong_parts(psb_lpk g, psb_lpk n, int procs, int *pv, void *arg)
{
    const int *distribution = arg;
    (void)n;
    pv[0] = *distribution == 1 && g == 2   ? procs
            : *distribution == 2 && g == 2 ? -1
            : *distribution == 5 && g == 2 ? (me + 1) % procs
                                           : 0;
    return *distribution == 3 && g == 2 ? 0 : *distribution == 4 && g == 2 ? procs + 1 : 1;
}

START_TEST(wrong_on_one_process)
    {
        const int bad = me == _i % np;
        char text[200];
        psb_desc *d = NULL, **nowhere = bad ? NULL : &d;
        psb_lpk vl[3] = { 3 * me, 3 * me + 1, 3 * me + 2 };
        psb_ipk lidx[3] = { 2, 1, 0 };
        int vg[3] = { 0, 0, 0 };
        const char *no_desc = "argument desc is NULL; expected where to store the descriptor";
        ALL_FAIL(psb_cdall_nl(nowhere, ctxt, 2), PSB_EARG, no_desc);
        ALL_FAIL(psb_cdall_vl(nowhere, ctxt, 3, vl), PSB_EARG, no_desc);
        ALL_FAIL(psb_cdall_vl_lidx(nowhere, ctxt, 3, vl, lidx), PSB_EARG, no_desc);
        ALL_FAIL(psb_cdall_vg(nowhere, ctxt, 3, vg), PSB_EARG, no_desc);
        ALL_FAIL(psb_cdall_repl(nowhere, ctxt, 3), PSB_EARG, no_desc);
        ALL_FAIL(psb_cdall_parts(nowhere, ctxt, 3, wrong_parts, &(int){ 0 }), PSB_EARG, no_desc);

        ALL_FAIL(psb_cdall_nl(&d, ctxt, bad ? -1 : 2), PSB_EARG,
                 "argument nl is -1; expected a number of rows >= 0");
        ALL_FAIL(psb_cdall_vl(&d, ctxt, bad ? -3 : 3, vl), PSB_EARG, "argument nl is -3");
        ALL_FAIL(psb_cdall_vl(&d, ctxt, 3, bad ? NULL : vl), PSB_EARG,
                 "argument vl is NULL; expected 3 global rows");
        vl[1] = bad ? -1 : 3 * me + 1;
        ALL_FAIL(psb_cdall_vl(&d, ctxt, 3, vl), PSB_EARG, "argument vl[1] is -1; expected a global row >= 0");
        vl[1] = bad ? 3 * me + 2 : 3 * me + 1;
        snprintf(text, sizeof text,
                 "argument vl has row %d, which is in the list already; expected each once",
                 3 * (_i % np) + 2);
        ALL_FAIL(psb_cdall_vl(&d, ctxt, 3, vl), PSB_EARG, text);
        vl[1] = bad ? INT64_MAX : 3 * me + 1;
        ALL_FAIL(psb_cdall_vl(&d, ctxt, 3, vl), PSB_EARG, "expected less than 2^63 - 1");
        vl[1] = bad ? 3 * np : 3 * me + 1;
        snprintf(text, sizeof text, "argument vl has row %d while all processes list %d rows", 3 * np,
                 3 * np);
        ALL_FAIL(psb_cdall_vl(&d, ctxt, 3, vl), PSB_EARG, text);
        vl[1] = bad ? (3 * me + 4) % (3 * np)
                    : 3 * me + 1; /* one row twice on a process, one on two processes, one on none */
        snprintf(text, sizeof text, "row %d of %d is owned by no process", 3 * (_i % np) + 1, 3 * np);
        if (np > 1)
            ALL_FAIL(psb_cdall_vl(&d, ctxt, 3, vl), PSB_EARG, text);
        vl[1] = 3 * me + 1;
        ALL_FAIL(psb_cdall_vl_lidx(&d, ctxt, bad ? -3 : 3, vl, lidx), PSB_EARG,
                 "argument nl is -3; expected");
        ALL_FAIL(psb_cdall_vl_lidx(&d, ctxt, 3, bad ? NULL : vl, lidx), PSB_EARG,
                 "argument vl is NULL; expected 3 global rows");
        vl[1] = bad ? -1 : 3 * me + 1;
        ALL_FAIL(psb_cdall_vl_lidx(&d, ctxt, 3, vl, lidx), PSB_EARG,
                 "argument vl[1] is -1; expected a global");
        vl[1] = 3 * me + 1;
        lidx[1] = bad ? 3 : 1;
        ALL_FAIL(psb_cdall_vl_lidx(&d, ctxt, 3, vl, lidx), PSB_EARG,
                 "argument lidx[1] is 3; expected 0 <= lidx < 3");
        lidx[1] = bad ? -1 : 1;
        ALL_FAIL(psb_cdall_vl_lidx(&d, ctxt, 3, vl, lidx), PSB_EARG, "argument lidx[1] is -1");
        lidx[1] = bad ? 2 : 1;
        ALL_FAIL(psb_cdall_vl_lidx(&d, ctxt, 3, vl, lidx), PSB_EARG,
                 "argument lidx[1] is 2, which is in the list already; expected a permutation");

        ALL_FAIL(psb_cdall_vg(&d, ctxt, bad ? -1 : 3, vg), PSB_EARG,
                 "argument ng is -1; expected a number of rows >= 0");
        ALL_FAIL(psb_cdall_vg(&d, ctxt, 3, bad ? NULL : vg), PSB_EARG,
                 "argument vg is NULL; expected the owner of each of 3 rows");
        vg[2] = bad ? np : 0;
        snprintf(text, sizeof text, "argument vg[2] is %d; expected a process, 0 <= vg < %d", np, np);
        ALL_FAIL(psb_cdall_vg(&d, ctxt, 3, vg), PSB_EARG, text);
        vg[2] = bad ? -1 : 0;
        ALL_FAIL(psb_cdall_vg(&d, ctxt, 3, vg), PSB_EARG, "argument vg[2] is -1");
        ALL_FAIL(psb_cdall_parts(&d, ctxt, bad ? -1 : 3, wrong_parts, &(int){ 0 }), PSB_EARG,
                 "argument ng is -1");
        ALL_FAIL(psb_cdall_parts(&d, ctxt, 3, bad ? NULL : wrong_parts, &(int){ 0 }), PSB_EARG,
                 "argument parts is NULL; expected a function");
        snprintf(text, sizeof text, "argument parts says that row 2 is owned by %d; expected a process", np);
        ALL_FAIL(psb_cdall_parts(&d, ctxt, 3, wrong_parts, &(int){ bad }), PSB_EARG, text);
        ALL_FAIL(psb_cdall_parts(&d, ctxt, 3, wrong_parts, &(int){ 2 * bad }), PSB_EARG,
                 "row 2 is owned by -1; expected");
        ALL_FAIL(psb_cdall_parts(&d, ctxt, 3, wrong_parts, &(int){ 3 * bad }), PSB_EARG,
                 "argument parts says that row 2 has 0 owners; expected 1 to ");
        snprintf(text, sizeof text, "row 2 has %d owners", np + 1);
        ALL_FAIL(psb_cdall_parts(&d, ctxt, 3, wrong_parts, &(int){ 4 * bad }), PSB_EARG, text);
        ALL_FAIL(psb_cdall_repl(&d, ctxt, bad ? -2 : 3), PSB_EARG,
                 "argument n is -2; expected a number of rows >= 0");
        if (np > 1) {
            vg[2] = bad ? (_i + 1) % np : _i % np; /* no process says that it owns row 2 */
            ALL_FAIL(psb_cdall_vg(&d, ctxt, 3, vg), PSB_EARG, "row 2 of 3 is owned by no process");
            vg[2] = me; /* every process says so */
            ALL_FAIL(psb_cdall_vg(&d, ctxt, 3, vg), PSB_EARG,
                     "argument vg differs between processes; expected the same on all");
            vg[2] = 0;
            ALL_FAIL(psb_cdall_repl(&d, ctxt, bad ? 4 : 3), PSB_EARG, "argument n is ");
            ALL_FAIL(psb_cdall_repl(&d, ctxt, bad ? 4 : 3), PSB_EARG,
                     "it lies between 3 and 4 on the processes; expected the same on all");
            ALL_FAIL(psb_cdall_vg(&d, ctxt, bad ? 2 : 3, vg), PSB_EARG,
                     "it lies between 2 and 3 on the processes");
            ALL_FAIL(psb_cdall_parts(&d, ctxt, bad ? 2 : 3, wrong_parts, &(int){ 0 }), PSB_EARG,
                     "argument ng is ");
            ALL_FAIL(psb_cdall_parts(&d, ctxt, 3, wrong_parts, &(int){ 5 }), PSB_EARG,
                     "row 2 of 3 is owned by no process");
        }
    }
END_TEST

/* Messages contain the caller's indices. */
START_TEST(messages_of_base_1)
    {
        psb_desc *d = NULL;
        char text[100];
        psb_lpk vl[3] = { 3 * me + 1, 0, 3 * me + 3 };
        GOOD(psb_set_index_base(1));
        ALL_FAIL(psb_cdall_vl(&d, ctxt, 3, vl), PSB_EARG, "argument vl[1] is 0; expected a global row >= 1");
        vl[1] = INT64_MIN;
        ALL_FAIL(psb_cdall_vl(&d, ctxt, 3, vl), PSB_EARG, "; expected a global row >= 1");
        vl[1] = vl[0];
        snprintf(text, sizeof text, "argument vl has row %d, which is in the list already", 3 * me + 1);
        ALL_FAIL(psb_cdall_vl(&d, ctxt, 3, vl), PSB_EARG, text);
        vl[1] = vl[0] + 3 * np;
        snprintf(text, sizeof text, "argument vl has row %d while", 6 * np - 2);
        ALL_FAIL(psb_cdall_vl(&d, ctxt, 3, vl), PSB_EARG, text);
        vl[1] = me == 0 ? 4 : 3 * me + 2;
        if (np > 1) {
            ALL_FAIL(psb_cdall_vl(&d, ctxt, 3, vl), PSB_EARG, "row 2 of ");
            ALL_FAIL(psb_cdall_parts(&d, ctxt, 3, wrong_parts, &(int){ 5 }), PSB_EARG, "row 2 of 3 is owned");
        }
        ALL_FAIL(psb_cdall_parts(&d, ctxt, 3, wrong_parts, &(int){ 3 }), PSB_EARG, "row 2 has 0 owners");
        GOOD(psb_cdall_nl(&d, ctxt, 2));
        psb_lpk g = 0;
        psb_ipk l = 7;
        int owner = 7;
        snprintf(text, sizeof text, "argument ja[0] is 0; expected 1 <= ja < %d", 2 * np + 1);
        BAD(psb_cdins(d, 1, NULL, &g), PSB_EARG, text);
        BAD(psb_cd_owners(d, 1, &g, &owner), PSB_EARG, "argument g[0] is 0; expected 1 <= g < ");
        EXPECT(psb_glob_to_loc(d, 0) == -1 && psb_glob_to_loc(d, INT64_MIN) == -1);
        g = 2 * np + 1;
        BAD(psb_cdins(d, 1, &g, &(psb_lpk){ 1 }), PSB_EARG, "argument ia[0] is ");
        GOOD(psb_glob_to_loc_n(d, 1, &g, &l));
        EXPECT(l == -1 && owner == 7);
        g = 2 * np;
        GOOD(psb_cdins(d, 1, NULL, &g));
        GOOD(psb_cdasb(d));
        psb_cdfree(d);
        BAD(psb_set_index_base(2), PSB_EARG, "argument base is 2; expected 0 or 1");
        BAD(psb_set_index_base(-1), PSB_EARG, "argument base is -1");
        EXPECT(psb_index_base() == 1);
        EXPECT(psb_index_from_0() == 1 && psb_index_base() == 0);
        GOOD(psb_set_index_base(0));
        EXPECT(psb_index_from_0() == 0);
    }
END_TEST

START_TEST(wrong_on_all_processes)
    {
        psb_desc *d = NULL, *e = NULL;
        psb_lpk g[3] = { 0, 1, 2 };
        psb_ipk l[3] = { 0, 1, 2 }, n = 7;
        int vg[3] = { 0, 0, 0 }, owner[3] = { 7, 7, 7 }, count = 7;
        psb_ctxt *const none = NULL;
        const char *no_ctxt = "argument ctxt is NULL; expected a context";
        ALL_FAIL(psb_cdall_nl(&d, none, 1), PSB_EARG, no_ctxt);
        ALL_FAIL(psb_cdall_vl(&d, none, 1, g), PSB_EARG, no_ctxt);
        ALL_FAIL(psb_cdall_vl_lidx(&d, none, 1, g, l), PSB_EARG, no_ctxt);
        ALL_FAIL(psb_cdall_vg(&d, none, 3, vg), PSB_EARG, no_ctxt);
        ALL_FAIL(psb_cdall_repl(&d, none, 1), PSB_EARG, no_ctxt);
        ALL_FAIL(psb_cdall_parts(&d, none, 3, wrong_parts, vg), PSB_EARG, no_ctxt);
        ALL_FAIL(psb_cdall_like(&d, NULL), PSB_EARG, "argument like is NULL; expected a descriptor");
        ALL_FAIL(psb_cdcpy(&d, NULL), PSB_EARG, "argument desc is NULL; expected a descriptor");
        const char *no_desc = "argument desc is NULL; expected a descriptor";
        BAD(psb_cdins(NULL, 1, NULL, g), PSB_EARG, no_desc);
        BAD(psb_cdasb(NULL), PSB_EARG, no_desc);
        BAD(psb_cd_reinit(NULL), PSB_EARG, no_desc);
        BAD(psb_glob_to_loc_n(NULL, 1, g, l), PSB_EARG, no_desc);
        BAD(psb_loc_to_glob_n(NULL, 1, l, g), PSB_EARG, no_desc);
        BAD(psb_cd_list(NULL, PSB_CD_OWNED, &n, l), PSB_EARG, no_desc);
        BAD(psb_cd_neighbours(NULL, &count, owner), PSB_EARG, no_desc);
        BAD(psb_cd_owners(NULL, 1, g, owner), PSB_EARG, no_desc);
        const psb_desc *const nobody = NULL;
        psb_ipk sent = 7, received = 7;
        EXPECT(psb_cd_local_rows(nobody) == 0 && psb_cd_local_cols(nobody) == 0);
        EXPECT(psb_cd_global_rows(nobody) == 0 && psb_cd_state(nobody) == PSB_NULL && !psb_cd_ctxt(nobody));
        EXPECT(strcmp(psb_cd_kind(nobody), "") == 0 && !psb_cd_is_replicated(nobody));
        EXPECT(!psb_is_owned(nobody, 0) && psb_glob_to_loc(nobody, 0) == -1);
        EXPECT(psb_loc_to_glob(nobody, 0) == -1 && psb_cd_bytes(nobody) == 0);
        psb_cd_volume(nobody, &sent, &received, &count);
        EXPECT(sent == 0 && received == 0 && count == 0);
        psb_cd_volume(nobody, NULL, NULL, NULL);
        psb_cdfree(NULL);
        count = 7;

        GOOD(psb_cdall_nl(&d, ctxt, 3));
        BAD(psb_cdall_like(NULL, d), PSB_EARG, "argument desc is NULL; expected where to store");
        BAD(psb_cdcpy(NULL, d), PSB_EARG, "argument copy is NULL; expected where to store");
        BAD(psb_cdins(d, -1, NULL, g), PSB_EARG, "argument nz is -1; expected >= 0");
        BAD(psb_cdins(d, 2, g, NULL), PSB_EARG, "argument ja is NULL; expected 2 indices");
        GOOD(psb_cdins(d, 0, NULL, NULL));
        g[1] = 3 * np;
        char text[120];
        snprintf(text, sizeof text, "argument ja[1] is %d; expected 0 <= ja < %d", 3 * np, 3 * np);
        BAD(psb_cdins(d, 3, NULL, g), PSB_EARG, text);
        g[1] = -1;
        BAD(psb_cdins(d, 3, g, g), PSB_EARG, "argument ia[1] is -1; expected 0 <= ia < ");
        BAD(psb_cd_neighbours(d, &count, owner), PSB_ESTATE, "the descriptor is not assembled");
        for (int k = PSB_CD_HALO; k <= PSB_CD_OVERLAP; k++)
            BAD(psb_cd_list(d, (enum psb_cd_indices)k, &n, l), PSB_ESTATE, "the descriptor is not assembled");
        BAD(psb_cd_list(d, (enum psb_cd_indices)4, &n, l), PSB_EARG,
            "argument kind is 4; expected one of enum psb_cd_indices");
        BAD(psb_cd_list(d, (enum psb_cd_indices) - 1, &n, l), PSB_EARG, "argument kind is -1");
        BAD(psb_cd_list(d, PSB_CD_OWNED, NULL, l), PSB_EARG, "argument n is NULL");
        BAD(psb_cd_neighbours(d, NULL, owner), PSB_EARG, "argument n is NULL");
        BAD(psb_glob_to_loc_n(d, -1, g, l), PSB_EARG, "argument n is -1; expected >= 0");
        BAD(psb_glob_to_loc_n(d, 1, NULL, l), PSB_EARG, "argument g is NULL; expected an array of 1");
        BAD(psb_glob_to_loc_n(d, 1, g, NULL), PSB_EARG, "argument l is NULL");
        BAD(psb_loc_to_glob_n(d, -1, l, g), PSB_EARG, "argument n is -1; expected >= 0");
        BAD(psb_loc_to_glob_n(d, 1, NULL, g), PSB_EARG, "argument l is NULL");
        BAD(psb_loc_to_glob_n(d, 1, l, NULL), PSB_EARG, "argument g is NULL");
        GOOD(psb_glob_to_loc_n(d, 0, NULL, NULL));
        EXPECT(n == 7 && count == 7);
        const int bad = me == np - 1;
        BAD(psb_cd_owners(d, bad ? -1 : 1, g, owner), PSB_EARG, "argument n is -1; expected >= 0");
        BAD(psb_cd_owners(d, 1, bad ? NULL : g, owner), PSB_EARG, "argument g is NULL");
        BAD(psb_cd_owners(d, 1, g, bad ? NULL : owner), PSB_EARG,
            "argument owner is NULL; expected an array of 1");
        BAD(psb_cd_owners(d, bad ? 2 : 1, g, owner), PSB_EARG, "argument g[1] is -1; expected 0 <= g < ");
        EXPECT(owner[0] == 7);
        BAD(psb_cd_reinit(d), PSB_ESTATE, "the descriptor is not assembled; expected state ASSEMBLED");
        GOOD(psb_cdcpy(&e, d));
        GOOD(psb_cdasb(e));
        BAD(psb_cdasb(bad ? e : d), PSB_ESTATE, "the descriptor is assembled already; expected state BUILD");
        EXPECT(psb_cd_state(d) == PSB_BUILD);
        BAD(psb_cd_reinit(bad ? d : e), PSB_ESTATE, "the descriptor is not assembled");
        EXPECT(psb_cd_state(e) == PSB_ASSEMBLED);
        if (me == 0)
            BAD(psb_cdins(e, 1, NULL, g), PSB_ESTATE, "the descriptor is assembled; expected state BUILD");
        BAD(psb_cdins(e, 0, NULL, NULL), PSB_ESTATE, "the descriptor is assembled; expected state BUILD");
        const psb_lpk here[3] = { 3 * me, 3 * me, 3 * me }, foreign = 3 * ((me + 1) % np);
        const psb_lpk to[3] = { 3 * me + 1, 3 * me + 2, 3 * ((me + 1) % np) };
        snprintf(text, sizeof text,
                 "argument ja[2] is %d, which is not in the halo, and the descriptor is assembled; expected "
                 "state BUILD",
                 (int)to[2]);
        if (np > 1) {
            BAD(psb_cdins(e, 3, NULL, to), PSB_ESTATE, text);
            BAD(psb_cdins(e, 1, &foreign, to + 2), PSB_ESTATE, "the descriptor is assembled; expected");
            BAD(psb_cdins(e, 3, here, to), PSB_ESTATE, text);
        }
        GOOD(psb_cdasb(d));
        EXPECT(psb_cd_local_cols(d) == 3);
        psb_cdfree(e);
        psb_cdfree(d);
    }
END_TEST

/* --- allocation failures --- */

void walk(const struct walk *w)
{
    for (int who = 0; who < np; who = who == 1 && np > 2 ? np - 1 : who + 1)
        for (long k = 1, failed = 1; failed && k < 1000; k++) {
            psb_alloc_fail_at(me == who ? k : 0);
            psb_err e = w->call(w->arg);
            psb_alloc_fail_at(0);
            failed = collective_count(e != PSB_OK);
            collective_note(failed == 0 || failed == np, __FILE__, __LINE__,
                            "%s: allocation %ld of process %d failed, and %ld of %d processes did", w->name,
                            k, who, failed, np);
            collective_note(e == PSB_OK || e == PSB_ENOMEM || e == PSB_EMPI, __FILE__, __LINE__, "%s: %s",
                            w->name, psb_errmsg());
            if (e == PSB_OK && w->undo)
                w->undo(w->arg);
            if (e != PSB_OK && w->still)
                w->still(w->arg);
        }
}

struct plot {
    const struct layout *p;
    psb_desc *d, *e;
    int way;
};

static psb_err make(void *arg)
{
    struct plot *t = arg;
    const struct layout *p = t->p;
    psb_lpk vl[ROWS];
    psb_ipk lidx[ROWS];
    int vg[ROWS];
    rows_here(p, vl);
    for (int k = 0; k < p->nl[me]; k++)
        lidx[k] = k;
    for (int i = 0; i < p->n; i++)
        vg[i] = lowest(p, i);
    switch (t->way) {
    case 0:
        return psb_cdall_nl(&t->d, ctxt, p->nl[me]);
    case 1:
        return psb_cdall_vl(&t->d, ctxt, p->nl[me], vl);
    case 2:
        return psb_cdall_vl_lidx(&t->d, ctxt, p->nl[me], vl, lidx);
    case 3:
        return psb_cdall_vg(&t->d, ctxt, p->n, vg);
    case 4:
        return psb_cdall_repl(&t->d, ctxt, p->n);
    default:
        return psb_cdall_parts(&t->d, ctxt, p->n, owners_by_layout, (void *)p);
    }
}

static void unmake(void *arg)
{
    struct plot *t = arg;
    EXPECT(t->d != NULL);
    psb_cdfree(t->d);
    t->d = NULL;
}

static void check_none_made(void *arg)
{
    EXPECT(!((struct plot *)arg)->d);
}

static psb_err assemble(void *arg)
{
    return psb_cdasb(((struct plot *)arg)->d);
}

static void check_and_reopen(void *arg)
{
    struct plot *t = arg;
    check_assembled(t->d, t->p);
    check_exchange(t->d, t->p);
    GOOD(psb_cd_reinit(t->d));
}

static void in_build(void *arg)
{
    EXPECT(psb_cd_state(((struct plot *)arg)->d) == PSB_BUILD);
}

static psb_err copy(void *arg)
{
    struct plot *t = arg;
    return psb_agree(ctxt, psb_cdcpy(&t->e, t->d));
}

static psb_err make_like(void *arg)
{
    struct plot *t = arg;
    return psb_agree(ctxt, psb_cdall_like(&t->e, t->d));
}

/* Processes on which the copy succeeded free it. */
static void drop_copy(void *arg)
{
    struct plot *t = arg;
    psb_cdfree(t->e);
    t->e = NULL;
}

static psb_err query(void *arg)
{
    psb_lpk g[ROWS];
    int owner[ROWS];
    const struct plot *t = arg;
    for (int i = 0; i < t->p->n; i++)
        g[i] = i;
    return psb_cd_owners(t->d, t->p->n, g, owner);
}

static psb_err print(void *arg)
{
    static FILE *null;
    if (me == 0 && !null)
        null = fopen("/dev/null", "w");
    return psb_cd_print(((struct plot *)arg)->d, null);
}

static psb_err insert(void *arg)
{
    struct plot *t = arg;
    psb_err e = PSB_OK;
    for (int j = 0; j < t->p->n && e == PSB_OK; j++)
        if (t->p->uses[me][j])
            e = psb_cdins(t->d, 1, NULL, &(psb_lpk){ j });
    return psb_agree(ctxt, e);
}

START_TEST(allocation_fails)
    {
        const struct layout p = layout((enum distribution)_i), q = ascending_rows(&p);
        struct plot t = { .p = &p };
        static const char *const names[] = { "psb_cdall_nl", "psb_cdall_vl",   "psb_cdall_vl_lidx",
                                             "psb_cdall_vg", "psb_cdall_repl", "psb_cdall_parts" };
        for (t.way = 0; t.way < 6; t.way++)
            walk(&(struct walk){ make, unmake, check_none_made, &t, names[t.way] });
        t.p = _i == SHUFFLED ? &p : &q;
        t.d = build_desc(t.p);
        walk(&(struct walk){ insert, NULL, in_build, &t, "psb_cdins" });
        walk(&(struct walk){ copy, drop_copy, drop_copy, &t, "psb_cdcpy" });
        walk(&(struct walk){ make_like, drop_copy, drop_copy, &t, "psb_cdall_like" });
        walk(&(struct walk){ query, NULL, NULL, &t, "psb_cd_owners" });
        walk(&(struct walk){ assemble, check_and_reopen, in_build, &t, "psb_cdasb" });
        GOOD(psb_cdasb(t.d));
        walk(&(struct walk){ copy, drop_copy, drop_copy, &t, "psb_cdcpy" });
        walk(&(struct walk){ print, NULL, NULL, &t, "psb_cd_print" });
        check_assembled(t.d, t.p);
        psb_cdfree(t.d);
    }
END_TEST

/* --- psb_cdall --- */

static void check_made(struct psb_cdall_how distribution, const struct layout *p, const char *kind)
{
    psb_desc *d = NULL;
    GOOD(psb_cdall(&d, ctxt, &distribution));
    if (d)
        check_all_states(d, p, kind);
}

START_TEST(psb_cdall_of_all_kinds)
    {
        const struct layout p = layout((enum distribution)_i), q = ascending_rows(&p);
        psb_lpk vl[ROWS], transposed[ROWS];
        psb_ipk lidx[ROWS];
        int vg[ROWS], one = 1;
        const int nl = p.nl[me];
        rows_here(&p, vl);
        for (int k = 0; k < nl; k++) {
            lidx[k] = (k + 3) % nl;
            transposed[k] = vl[lidx[k]];
        }
        for (int i = 0; i < p.n; i++) {
            vg[i] = lowest(&p, i);
            one &= owners_of(&p, i) == 1;
        }
        check_made((struct psb_cdall_how){ .nl = nl, .vl = nl || p.n == 0 ? vl : NULL }, &p, kind_of(&p));
        check_made((struct psb_cdall_how){ .nl = nl, .vl = nl || p.n == 0 ? transposed : NULL, .lidx = lidx },
                   &p, kind_of(&p));
        check_made((struct psb_cdall_how){ .ng = p.n, .parts = owners_by_layout, .arg = (void *)&q }, &q,
                   kind_of(&q));
        if (one)
            check_made((struct psb_cdall_how){ .ng = p.n, .vg = vg }, &q, kind_of(&q));
        if (_i == EVEN || _i == FIRST_EMPTY || _i == ONE_HAS_ALL)
            check_made((struct psb_cdall_how){ .nl = nl }, &p, "block");
        if (_i == EVEN) {
            const struct layout all = layout(ALL_OF_ALL), r = ascending_rows(&all);
            check_made((struct psb_cdall_how){ .ng = r.n, .repl = 1 }, &r, "replicated");
        }
    }
END_TEST

START_TEST(psb_cdall_wrong_arguments)
    {
        psb_desc *d = NULL;
        int vg[2] = { 0 };
        psb_lpk vl[2] = { 2 * me, 2 * me + 1 };
        const psb_ipk lidx[2] = { 0, 1 };
        const int bad = me == np - 1;
        struct psb_cdall_how one = { .nl = 2 }, none = { 0 }, many = { .ng = 2, .vg = vg, .repl = 1 };
        const char *hint = "; expected one of nl, vg, vl, repl and parts, the same on all processes";
        char text[200];
        ALL_FAIL(psb_cdall(&d, NULL, &one), PSB_EARG, "argument ctxt is NULL; expected a context");
        ALL_FAIL(psb_cdall(bad ? NULL : &d, ctxt, &one), PSB_EARG, "argument desc is NULL");
        ALL_FAIL(psb_cdall(&d, ctxt, bad ? NULL : &one), PSB_EARG,
                 "argument how is NULL; expected what says");
        snprintf(text, sizeof text, "argument how gives none of the ways%s", hint);
        ALL_FAIL(psb_cdall(&d, ctxt, &none), PSB_EARG, text);
        snprintf(text, sizeof text, "argument how gives vg and repl%s", hint);
        ALL_FAIL(psb_cdall(&d, ctxt, bad ? &many : &none), PSB_EARG, text);
        many = (struct psb_cdall_how){ .nl = 2, .vg = vg, .ng = 2 };
        snprintf(text, sizeof text, "argument how gives nl and vg%s", hint);
        ALL_FAIL(psb_cdall(&d, ctxt, bad ? &many : &one), PSB_EARG, text);
        many = (struct psb_cdall_how){ .nl = 2, .vl = vl, .vg = vg, .parts = wrong_parts, .repl = 1 };
        snprintf(text, sizeof text, "argument how gives vg and vl and repl and parts%s", hint);
        ALL_FAIL(psb_cdall(&d, ctxt, &many), PSB_EARG, text);
        many = (struct psb_cdall_how){ .nl = 2, .lidx = lidx };
        ALL_FAIL(psb_cdall(&d, ctxt, bad ? &many : &one), PSB_EARG,
                 "argument how->lidx is given and how->vl is NULL; expected both");
        many = (struct psb_cdall_how){ .ng = INT64_C(1) << 31, .repl = 1 };
        ALL_FAIL(psb_cdall(&d, ctxt, &many), PSB_EARG,
                 "argument how->ng is 2147483648; expected 0 <= ng < 2^31");
        many = (struct psb_cdall_how){ .ng = INT64_MIN + 2, .repl = 1 };
        ALL_FAIL(psb_cdall(&d, ctxt, bad ? &many : &one), PSB_EARG, "expected 0 <= ng < 2^31");
        many = (struct psb_cdall_how){ .nl = 2, .ng = 5 };
        ALL_FAIL(psb_cdall(&d, ctxt, bad ? &many : &one), PSB_EARG,
                 "argument how->ng is 5 and says nothing of owners; expected vg, parts or repl with it");
        many = (struct psb_cdall_how){ .nl = -1 };
        ALL_FAIL(psb_cdall(&d, ctxt, bad ? &many : &one), PSB_EARG, "argument nl is -1; expected");
        many = (struct psb_cdall_how){ .ng = 2, .vg = vg };
        if (np > 1) {
            many.ng = 2;
            ALL_FAIL(psb_cdall(&d, ctxt, bad ? &none : &many), PSB_EARG,
                     "argument how gives none of the ways here; expected vg, as on other processes");
            one.vl = vl;
            snprintf(text, sizeof text, "argument how gives nl and vl%s", hint);
            ALL_FAIL(psb_cdall(&d, ctxt, bad ? &(struct psb_cdall_how){ .nl = 2 } : &one), PSB_EARG, text);
        }
        many.vg = (int[]){ np, 0 };
        ALL_FAIL(psb_cdall(&d, ctxt, &many), PSB_EARG, "argument vg[0] is ");
    }
END_TEST

static Suite *descriptors(void)
{
    Suite *s = suite_create("descriptors");
    TCase *c = collective_tcase(s, "descriptors");
    tcase_add_loop_test(c, construction, 0, 2 * DISTRIBUTIONS);
    tcase_add_loop_test(c, replicated, 0, 2);
    tcase_add_test(c, kinds_of_maps);
    tcase_add_loop_test(c, printed_text, 0, DISTRIBUTIONS);
    tcase_add_loop_test(c, wrong_on_one_process, 0, 2);
    tcase_add_test(c, messages_of_base_1);
    tcase_add_loop_test(c, psb_cdall_of_all_kinds, 0, DISTRIBUTIONS);
    tcase_add_test(c, psb_cdall_wrong_arguments);
    tcase_add_test(c, wrong_on_all_processes);
    tcase_add_loop_test(c, allocation_fails, 0, DISTRIBUTIONS);
    add_overlap(s);
    add_growth(s);
    return s;
}

int main(void)
{
    int ended;
    ck_mpi_init();
    if (psb_init(&ctxt) != PSB_OK) {
        psb_print_errmsg();
        return EXIT_FAILURE;
    }
    psb_info(ctxt, &me, &np);
    int failed = np > PROCS ? 1 : collective_count(ck_run(descriptors()));
    psb_exit(ctxt);
    MPI_Finalized(&ended);
    if (!ended)
        MPI_Finalize();
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
