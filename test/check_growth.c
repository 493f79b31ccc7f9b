/* check_growth.c -- test: growing halos: reopened descriptors, extension along a matrix, and entries
 * sent by other processes. */
#include <stdlib.h>
#include <string.h>
#include "check_desc.h"
#include "own.h"

/* --- psb_cd_reinit --- */

/* The layout in which each process uses its pattern and that of the next process. */
static struct layout wider_layout(const struct layout *p)
{
    struct layout q = *p;
    for (int r = 0; r < np; r++)
        for (int j = 0; j < p->n; j++)
            q.uses[r][j] |= p->nl[r] > 0 && p->uses[(r + 1) % np][j];
    return q;
}

static void use_all(psb_desc *d, const struct layout *p)
{
    for (psb_lpk j = p->n - 1; j >= 0; j--)
        if (p->uses[me][j])
            GOOD(psb_cdins(d, 1, NULL, &(psb_lpk){ j + psb_index_base() }));
}

TEST(reopen)
{
    const struct layout p = layout((enum distribution)(_i / 2)), q = wider_layout(&p);
    const char *relies = "1 assembled matrices and vectors rely on the descriptor; expected none";
    GOOD(psb_set_index_base(_i % 2));
    DESC *d = assembled(&p);
    psb_zvect *x = vector(d, 0), *y = NULL, *early = NULL;
    GOOD(psb_geall(&early, d)); /* a vector in BUILD does not prevent it */
    BAD(psb_cd_reinit(d), PSB_ESTATE, relies);
    GOOD(psb_vect_clone(x, &y));
    psb_gefree(x);
    BAD(psb_cd_reinit(d), PSB_ESTATE, relies);
    if (me == np - 1)
        psb_gefree(y);
    if (np > 1) /* enough on one process */
        BAD(psb_cd_reinit(d), PSB_ESTATE, relies);
    if (me < np - 1)
        psb_gefree(y);
    psb_zspmat *a = matrix(d, &p);
    BAD(psb_cd_reinit(d), PSB_ESTATE,
        "2 assembled matrices and vectors"); /* of the matrix: its row and its column descriptor */
    GOOD(psb_sprn(a, 1));
    BAD(psb_cd_reinit(d), PSB_ESTATE, "assembled matrices and vectors");
    GOOD(psb_spasb(a, NULL, PSB_DUPL_ADD));
    psb_spfree(a);
    check_assembled(d, &p);
    check_exchange(d, &p);

    GOOD(psb_cd_reinit(d));
    EXPECT(psb_cd_state(d) == PSB_BUILD && psb_cd_local_rows(d) == p.nl[me]);
    GOOD(psb_cdasb(d));
    check_assembled(d, &p);
    GOOD(psb_cd_reinit(d));
    use_all(d, &q);
    GOOD(psb_cdasb(d));
    check_assembled(d, &q);
    check_exchange(d, &q);
    GOOD(psb_geasb(early, NULL));
    GOOD(psb_halo(early, 'N'));
    EXPECT(psb_vect_get_nrows(early) == psb_cd_local_cols(d));
    psb_gefree(early);
    a = matrix(d, &p);
    psb_spfree(a);
    GOOD(psb_cd_reinit(d));
    GOOD(psb_set_index_base(0));
}

/* A matrix in BUILD keeps its entries when its descriptor is reopened. */
TEST(reopen_with_a_matrix_in_build)
{
    const struct layout p = layout(_i ? SHUFFLED : EVEN);
    DESC *d = build_desc(&p);
    ZSPMAT *a = NULL;
    double _Complex v = 3, w[ROWS];
    psb_lpk last = p.n - 1, first = 0;
    GOOD(psb_spall(&a, d, 0));
    GOOD(psb_sp_set_remote(a, PSB_REMOTE_DROP));
    for (psb_lpk i = 0; i < p.n; i++)
        GOOD(psb_spins(1, &i, &last, &v, a));
    GOOD(psb_cdasb(d));
    GOOD(psb_cd_reinit(d));
    for (psb_lpk i = 0; i < p.n; i++)
        GOOD(psb_spins(1, &i, &first, &v, a));
    GOOD(psb_cdasb(d));
    GOOD(psb_spasb(a, &psb_z_csr_mold.mat, PSB_DUPL_ADD));
    ZVECT *x = vector(d, 0), *y = vector(d, 0);
    GOOD(psb_spmv(1, a, x, 0, y, 'N'));
    GOOD(psb_get_vect(y, p.nl[me], w));
    for (int l = 0; l < p.nl[me]; l++)
        EXPECT(w[l] == 3 * (element(0) + element(p.n - 1)));
}

/* --- psb_cdren --- */

/* perm = a random permutation of the rows of process r. */
static void permutation_of(const struct layout *p, int r, psb_ipk *perm)
{
    struct rng g = { (uint64_t)(17 + r) };
    for (int i = 0; i < p->nl[r]; i++) {
        const int j = rng_below(&g, i + 1);
        perm[i] = perm[j];
        perm[j] = i;
    }
}

TEST(renumbering)
{
    const struct layout p = layout((enum distribution)(_i / 2));
    struct layout q = p;
    psb_ipk perm[ROWS], mine[ROWS];
    for (int r = 0; r < np; r++) {
        permutation_of(&p, r, perm);
        for (int i = 0; i < p.nl[r]; i++)
            q.row[r][perm[i]] = p.row[r][i];
    }
    permutation_of(&p, me, mine);
    GOOD(psb_set_index_base(_i % 2));
    DESC *d = assembled(&p);
    GOOD(psb_cdren('T', mine, d));
    check_assembled(d, &q);
    check_exchange(d, &q);
    GOOD(psb_cdren('N', mine, d)); /* back */
    check_assembled(d, &p);
    check_exchange(d, &p);
    GOOD(psb_set_index_base(0));
}

struct renumbering {
    psb_desc *d;
    const struct layout *p;
    psb_ipk perm[ROWS];
};

static psb_err renumber_again(void *arg)
{
    struct renumbering *r = arg;
    return psb_cdren('T', r->perm, r->d);
}

static void back_in_order(void *arg)
{
    struct renumbering *r = arg;
    GOOD(psb_cdren('N', r->perm, r->d));
}

static void still_in_order(void *arg)
{
    struct renumbering *r = arg;
    check_assembled(r->d, r->p);
}

TEST(refused_renumberings)
{
    const struct layout p = layout(RUNS);
    struct renumbering r = { .p = &p };
    psb_ipk bad[ROWS];
    DESC *d = assembled(&p), *open = build_desc(&p), *all = NULL;
    psb_zvect *x = NULL;
    permutation_of(&p, me, r.perm);
    memcpy(bad, r.perm, sizeof bad);
    BAD(psb_cdren('T', r.perm, NULL), PSB_EARG, "argument desc is NULL");
    BAD(psb_cdren('T', r.perm, open), PSB_ESTATE, "not assembled");
    BAD(psb_cdren(me == np - 1 ? 'C' : 'T', r.perm, d), PSB_EARG, "argument trans is 'C'");
    BAD(psb_cdren('T', me == np - 1 ? NULL : r.perm, d), PSB_EARG, "argument perm is NULL");
    if (me == np - 1)
        bad[1] = bad[0];
    BAD(psb_cdren('N', bad, d), PSB_EARG, "as perm[0] is; expected a permutation");
    if (me == np - 1)
        bad[0] = p.nl[me];
    BAD(psb_cdren('N', bad, d), PSB_EARG, "argument perm[0] is ");
    GOOD(psb_geall(&x, d)); /* its elements have local numbers */
    BAD(psb_cdren('T', r.perm, d), PSB_ESTATE, "matrices and vectors lie on the descriptor; expected none");
    psb_gefree(x);
    check_assembled(d, &p);
    GOOD(psb_cdall_repl(&all, ctxt, 3));
    GOOD(psb_cdasb(all));
    BAD(psb_cdren('T', (psb_ipk[]){ 0, 1, 2 }, all), PSB_ENOTIMPL, "replicated");
    r.d = d;
    walk(&(struct walk){ renumber_again, back_in_order, still_in_order, &r, "psb_cdren" });
}

/* --- psb_cdbldext --- */

/* Levels of the neighbourhood of process r: 0 its rows, 1 their columns, ...; -1: not reached. */
static void levels_of(const struct layout *p, int r, int upto, int *level)
{
    for (int i = 0; i < p->n; i++)
        level[i] = p->owns[r][i] ? 0 : -1;
    for (int now = 0; now < upto; now++)
        for (int i = 0; i < p->n; i++)
            for (int j = 0; level[i] == now && j < p->n; j++)
                if (entry(i, j) && level[j] < 0)
                    level[j] = now + 1;
}

/* The expected layout after psb_cdbldext; the order of new rows is that of the descriptor. */
static struct layout extended(const struct layout *p, int levels, enum psb_extension kind, const psb_desc *d)
{
    struct layout q = *p;
    for (int r = 0; r < np; r++) {
        int level[ROWS];
        levels_of(p, r, levels + 1, level);
        for (int i = 0; i < p->n; i++) {
            q.uses[r][i] = level[i] > 0;
            if (kind == PSB_EXT_OVERLAP && level[i] > 0 && level[i] <= levels) {
                q.owns[r][i] = 1;
                q.row[r][q.nl[r]++] = i;
            }
        }
        for (int k = p->nl[r]; r == me && k < q.nl[r]; k++) {
            int g = (int)psb_loc_to_glob(d, k) - psb_index_base();
            EXPECT(g >= 0 && g < p->n && level[g] > 0 && level[g] <= levels);
            if (k > p->nl[r]) /* in the order in which they were found */
                EXPECT(level[g] >= level[q.row[r][k - 1]]);
            q.row[r][k] = g;
        }
    }
    return q;
}

/* Levels end when no process finds new rows, however many are requested. */
static void check_extension(psb_zspmat *a, const struct layout *p, int levels, enum psb_extension kind)
{
    DESC *ext = NULL;
    GOOD(psb_cdbldext(a, levels, kind, &ext));
    if (!ext)
        return;
    const struct layout q = extended(p, levels < ROWS ? levels : ROWS, kind, ext);
    EXPECT(psb_cd_local_rows(ext) == q.nl[me]);
    for (int i = 0; i < p->n; i++)
        EXPECT(psb_is_owned(ext, i + psb_index_base()) == q.owns[me][i]);
    check_assembled(ext, &q);
    check_exchange(ext, &q);
}

TEST(extensions)
{
    static const int levels[] = { 0, 1, 2, 3, INT32_MAX };
    const struct layout p = layout((enum distribution)(_i / 2));
    psb_desc *d = NULL, *ext = NULL;
    GOOD(psb_set_index_base(_i % 2));
    d = build_desc(&p);
    ZSPMAT *a = matrix(d, &p);
    psb_dspmat *b = NULL;
    for (int l = 0; l < 5; l++)
        for (int kind = PSB_EXT_HALO; kind <= PSB_EXT_OVERLAP; kind++)
            check_extension(a, &p, levels[l], (enum psb_extension)kind);
    const int bad = me == np - 1;
    BAD(psb_cdbldext((psb_zspmat *)NULL, 1, PSB_EXT_HALO, &ext), PSB_EARG,
        "argument a is NULL; expected a matrix");
    BAD(psb_cdbldext(a, bad ? -1 : 1, PSB_EXT_HALO, &ext), PSB_EARG, "argument levels is -1; expected >= 0");
    BAD(psb_cdbldext(a, 1, bad ? (enum psb_extension)2 : PSB_EXT_HALO, &ext), PSB_EARG,
        "argument kind is 2; expected PSB_EXT_HALO or PSB_EXT_OVERLAP");
    BAD(psb_cdbldext(a, 1, PSB_EXT_HALO, bad ? NULL : &ext), PSB_EARG,
        "argument ext is NULL; expected where to store");
    if (np > 1) {
        BAD(psb_cdbldext(a, bad ? 2 : 1, PSB_EXT_HALO, &ext), PSB_EARG,
            "here) differ between processes; expected the same on all");
        BAD(psb_cdbldext(a, 1, bad ? PSB_EXT_OVERLAP : PSB_EXT_HALO, &ext), PSB_EARG,
            "differ between processes");
    }
    GOOD(psb_spall(&b, d, 0));
    BAD(psb_cdbldext(b, 1, PSB_EXT_HALO, &ext), PSB_ESTATE,
        "argument a is not assembled; expected psb_spasb");
    psb_spfree(b);
    EXPECT(ext == NULL);
    GOOD(psb_set_index_base(0));
    psb_cdfree(d);
}

/* Matrices for which there is no extension. */
TEST(refused_extensions)
{
    const struct layout p = layout(ONE_ROW), even = layout(EVEN);
    psb_desc *d = build_desc(&p), *e = assembled(&even), *f = assembled(&even), *ext = NULL;
    psb_zspmat *a = matrix(d, &p), *b = NULL;
    if (np > 1)
        BAD(psb_cdbldext(a, 1, PSB_EXT_HALO, &ext), PSB_EARG,
            "the descriptor of a has rows with several owners; expected one owner a row");
    psb_spfree(a);
    GOOD(psb_spall2(&b, e, f, 0));
    GOOD(psb_spasb(b, &psb_z_csr_mold.mat, PSB_DUPL_ADD));
    BAD(psb_cdbldext(b, 1, PSB_EXT_HALO, &ext), PSB_EARG, "a row and a column descriptor");
    psb_spfree(b);
    psb_cdfree(d);
    GOOD(psb_cdall_repl(&d, ctxt, 3));
    GOOD(psb_cdasb(d));
    GOOD(psb_spall(&b, d, 0));
    GOOD(psb_spasb(b, &psb_z_csr_mold.mat, PSB_DUPL_ADD));
    BAD(psb_cdbldext(b, 1, PSB_EXT_HALO, &ext), PSB_EARG, "has rows with several owners");
    psb_spfree(b);
    psb_cdfree(d);
    psb_cdfree(e);
    psb_cdfree(f);
    EXPECT(ext == NULL);
}

/* --- entries for rows of other processes --- */

/* Process r inserts row i if i modulo np is r, whether it owns the row or not. */
static int inserts_row(int i)
{
    return i % np == (me + 1) % np;
}

/* The expected value in column 1 of owned row g: each process adds 1, and process g modulo np before that
 * overwrites with 7 and adds 7.  Own insertions come first, then those received, in order of ranks. */
static double second_column(int g)
{
    int inserter = (g + np - 1) % np, sum = 15;
    for (int r = 0; r < np; r++)
        sum += r != inserter && (inserter == me || (r != me && r > inserter));
    return sum;
}

TEST(remote_vector_entries)
{
    const struct layout p = layout((enum distribution)(_i / 2));
    const int base = _i % 2;
    GOOD(psb_set_index_base(base));
    DESC *d = assembled(&p);
    psb_zvect *x = NULL, *y = NULL, *z = NULL;
    double _Complex v[2], w[3 * ROWS];
    GOOD(psb_geall_n(&x, d, 2));
    GOOD(psb_ge_set_remote(x, PSB_REMOTE_SEND));
    GOOD(psb_ge_set_remote(x, PSB_REMOTE_SEND));
    for (psb_lpk g = 0; g < p.n; g++) {
        psb_lpk irw = g + base;
        v[0] = element((int)g);
        v[1] = 7;
        if (inserts_row((int)g)) {
            GOOD(psb_geins(1, &irw, v, x, PSB_DUPL_OVERWRITE));
            GOOD(psb_geins(1, &irw, v, x, PSB_DUPL_ADD));
        }
        v[0] = 0;
        v[1] = 1;
        GOOD(psb_geins(1, &irw, v, x, PSB_DUPL_ADD));
    }
    GOOD(psb_vect_clone(x, &y)); /* with its entries for other processes */
    GOOD(psb_vect_clone(x, &z));
    GOOD(psb_ge_set_remote(z, PSB_REMOTE_REFUSE)); /* drops those entries */
    psb_gefree(x);
    GOOD(psb_geasb(y, NULL));
    GOOD(psb_geasb(z, NULL));
    GOOD(psb_get_vect(y, p.nl[me], w));
    for (int l = 0; l < p.nl[me]; l++) {
        int g = p.row[me][l];
        EXPECT(w[2 * l] == 2 * element(g) && w[2 * l + 1] == second_column(g));
    }
    GOOD(psb_get_vect(z, p.nl[me], w));
    for (int l = 0; l < p.nl[me]; l++)
        EXPECT(w[2 * l] == (inserts_row(p.row[me][l]) ? 2 * element(p.row[me][l]) : 0));
    BAD(psb_ge_set_remote(y, PSB_REMOTE_SEND), PSB_ESTATE, "the vector is assembled; expected state BUILD");
    BAD(psb_ge_set_remote((psb_zvect *)NULL, PSB_REMOTE_SEND), PSB_EARG, "argument x is NULL");
    GOOD(psb_vect_new(&x, 3, NULL));
    BAD(psb_ge_set_remote(x, PSB_REMOTE_SEND), PSB_EARG,
        "argument x is local; expected a distributed vector");
    psb_gefree(x);
    psb_gefree(y);
    psb_gefree(z);

    /* one process keeps entries for others, the rest drop them */
    GOOD(psb_geall(&x, d));
    GOOD(psb_ge_set_remote(x, me == np - 1 ? PSB_REMOTE_SEND : PSB_REMOTE_DROP));
    for (psb_lpk g = base; g < p.n + base; g++)
        GOOD(psb_geins(1, &g, (v[0] = me + 1, v), x, PSB_DUPL_ADD));
    GOOD(psb_geasb(x, NULL));
    GOOD(psb_get_vect(x, p.nl[me], w));
    for (int l = 0; l < p.nl[me]; l++) {
        double _Complex e = 0;
        EXPECT(w[l] == me + 1 + (me < np - 1 ? np : 0));
        GOOD(psb_getelem(x, p.row[me][l] + base, &e));
        EXPECT(e == w[l]);
    }
    for (int i = 0; i < p.n; i++)
        if (!p.owns[me][i])
            BAD(psb_getelem(x, i + base, w), PSB_EARG, "expected a row owned here");
    BAD(psb_getelem(x, p.n + base, w), PSB_EARG, "expected a row owned here");
    BAD(psb_getelem(x, base - 1, w), PSB_EARG, "expected a row owned here");
    GOOD(psb_set_index_base(0));
    psb_gefree(x);
}

static psb_zspmat *begun(psb_desc *d, const struct layout *p)
{
    psb_zspmat *a = NULL;
    GOOD(psb_spall(&a, d, 0));
    GOOD(psb_sp_set_remote(a, PSB_REMOTE_SEND));
    for (int i = 0; i < p->n; i++)
        for (int j = 0; inserts_row(i) && j < p->n; j++)
            if (entry(i, j)) {
                psb_lpk ia = i + psb_index_base(), ja = j + psb_index_base();
                double _Complex v = value(i, j);
                GOOD(psb_spins(1, &ia, &ja, &v, a));
            }
    return a;
}

static void check_product(psb_zspmat *a, psb_desc *d, const struct layout *p)
{
    double _Complex v[ROWS];
    ZVECT *x = vector(d, 0), *y = vector(d, 0);
    GOOD(psb_spmv(1, a, x, 0, y, 'N'));
    GOOD(psb_get_vect(y, p->nl[me], v));
    for (int l = 0; l < p->nl[me]; l++) {
        double _Complex want = 0;
        int i = p->row[me][l];
        for (int j = 0; j < p->n; j++)
            want += entry(i, j) ? value(i, j) * element(j) : 0;
        EXPECT(v[l] == want);
    }
}

TEST(remote_matrix_entries)
{
    const struct layout p = layout((enum distribution)(_i / 2));
    GOOD(psb_set_index_base(_i % 2));
    psb_desc *known = assembled(&p), *d = build_desc(&p);
    psb_zspmat *a = begun(known, &p), *b = begun(d, &p);
    GOOD(psb_spasb(a, &psb_z_csr_mold.mat, PSB_DUPL_ADD)); /* the halo has every column that is needed */
    check_assembled(known, &p);
    check_product(a, known, &p);
    BAD(psb_sp_set_remote(a, PSB_REMOTE_SEND), PSB_ESTATE, "the matrix is assembled; expected state BUILD");
    BAD(psb_sp_set_remote((psb_zspmat *)NULL, PSB_REMOTE_SEND), PSB_EARG,
        "argument a is NULL; expected a matrix");

    GOOD(psb_cdasb(d)); /* the halo has only columns inserted on this process */
    int few = psb_cd_local_cols(d) < psb_cd_local_cols(known);
    few = collective_count(few) > 0;
    psb_zvect *x = vector(d, 0);
    if (few) {
        psb_ipk cols = psb_cd_local_cols(d);
        BAD(psb_spasb(b, &psb_z_csr_mold.mat, PSB_DUPL_ADD), PSB_ESTATE,
            "expected psb_spasb before psb_geasb");
        EXPECT(psb_cd_state(d) == PSB_ASSEMBLED && psb_cd_local_cols(d) == cols);
        GOOD(psb_halo(x, 'N'));
    }
    psb_gefree(x);
    GOOD(psb_spasb(b, &psb_z_csr_mold.mat, PSB_DUPL_ADD));
    check_product(b, d, &p);
    EXPECT(psb_cd_local_cols(d) >= psb_cd_local_cols(known));
    for (int j = 0; j < p.n; j++)
        if (p.uses[me][j])
            EXPECT(psb_glob_to_loc(d, j + psb_index_base()) >= 0);
    BAD(psb_cd_reinit(d), PSB_ESTATE, "2 assembled matrices and vectors");
    psb_spfree(a);
    psb_spfree(b);
    psb_cdfree(known);
    GOOD(psb_cd_reinit(d));
    psb_cdfree(d);

    d = assembled(&p); /* remote entries are dropped */
    a = begun(d, &p);
    GOOD(psb_sp_set_remote(a, PSB_REMOTE_REFUSE));
    GOOD(psb_spasb(a, &psb_z_csr_mold.mat, PSB_DUPL_ADD));
    psb_epk nz = 0;
    for (int l = 0; l < p.nl[me]; l++)
        for (int j = 0; inserts_row(p.row[me][l]) && j < p.n; j++)
            nz += entry(p.row[me][l], j);
    EXPECT(psb_z_sp_nnz(a) == nz);
    GOOD(psb_set_index_base(0));
    psb_spfree(a);
    psb_cdfree(d);
}

/* --- dropped message --- */

/* Process 1 requests an invalid kind of halo exchange, so that no receive matches the message of process 0,
 * short or of several MiB.  It must be received and dropped. */
TEST(dropped_message)
{
    const int rows = 40000, columns = _i, odd = me == 1;
    DESC *d = NULL;
    DVECT *x = NULL;
    double v[64] = { 0 };
    GOOD(psb_cdall_nl(&d, ctxt, me == 0 ? rows : 1));
    for (psb_lpk g = 0; odd && g < rows; g++)
        GOOD(psb_cdins(d, 1, NULL, &g));
    GOOD(psb_cdasb(d));
    GOOD(psb_geall_n(&x, d, columns));
    GOOD(psb_geasb(x, NULL));
    GOOD(psb_set_scal(me == 0 ? 5 : 6, x));
    for (int k = 0; k < 2; k++) {
        psb_err e = psb_halo(x, odd ? 'X' : 'N');
        EXPECT(e == (odd ? PSB_EARG : PSB_OK));
    }
    GOOD(psb_halo(x, 'N'));
    for (psb_ipk l = 1; odd && l <= rows; l += rows - 1) {
        GOOD(psb_vect_get_entry(x, l, v));
        for (int j = 0; j < columns; j++)
            EXPECT(v[j] == 5);
    }
    psb_traffic_reset(ctxt);
    GOOD(psb_halo(x, 'N'));
    struct psb_traffic t = psb_traffic(ctxt);
    EXPECT(t.messages == (me == 0 && np > 1) && t.bytes == t.messages * rows * columns * 8);
}

/* --- allocation failures --- */

struct act {
    const struct layout *p;
    psb_desc *d, *ext;
    psb_zspmat *a;
    psb_zvect *x;
    int kind;
};

static psb_err extend(void *arg)
{
    struct act *t = arg;
    return psb_cdbldext(t->a, 2, (enum psb_extension)t->kind, &t->ext);
}

static void free_extension(void *arg)
{
    struct act *t = arg;
    psb_cdfree(t->ext);
    t->ext = NULL;
}

static void check_no_extension(void *arg)
{
    EXPECT(((struct act *)arg)->ext == NULL);
}

static psb_err assemble(void *arg)
{
    return psb_spasb(((struct act *)arg)->a, &psb_z_csr_mold.mat, PSB_DUPL_ADD);
}

/* A new matrix on a new descriptor whose halo lacks columns. */
static void new_matrix(void *arg)
{
    struct act *t = arg;
    psb_spfree(t->a);
    psb_cdfree(t->d);
    t->d = build_desc(t->p);
    t->a = begun(t->d, t->p);
    GOOD(psb_cdasb(t->d));
}

static void check_product_and_renew(void *arg)
{
    struct act *t = arg;
    check_product(t->a, t->d, t->p);
    new_matrix(t);
}

static void check_not_assembled(void *arg)
{
    struct act *t = arg;
    EXPECT(psb_cd_state(t->d) == PSB_ASSEMBLED && psb_z_sp_state(t->a) == PSB_BUILD);
    ZVECT *x = vector(t->d, 0);
    GOOD(psb_halo(x, 'N'));
}

static psb_err fetch_vector(void *arg)
{
    return psb_geasb(((struct act *)arg)->x, NULL);
}

static void new_vector(void *arg)
{
    struct act *t = arg;
    psb_gefree(t->x);
    const double _Complex one = 1;
    GOOD(psb_geall(&t->x, t->d));
    GOOD(psb_ge_set_remote(t->x, PSB_REMOTE_SEND));
    for (psb_lpk g = 0; g < t->p->n; g++)
        GOOD(psb_geins(1, &g, &one, t->x, PSB_DUPL_ADD));
}

/* After all attempts each entry was added exactly once. */
static void check_sent_once(void *arg)
{
    struct act *t = arg;
    double _Complex v[ROWS];
    GOOD(psb_get_vect(t->x, t->p->nl[me], v));
    for (int l = 0; l < t->p->nl[me]; l++)
        EXPECT(v[l] == np);
    new_vector(t);
}

TEST(allocation_fails)
{
    const struct layout p = layout((enum distribution)_i);
    struct act t = { .p = &p, .d = build_desc(&p) };
    t.a = matrix(t.d, &p);
    for (t.kind = PSB_EXT_HALO; t.kind <= PSB_EXT_OVERLAP; t.kind++)
        walk(&(struct walk){ extend, free_extension, check_no_extension, &t, "psb_cdbldext" });
    new_matrix(&t);
    walk(&(struct walk){ assemble, check_product_and_renew, check_not_assembled, &t,
                         "psb_spasb, built from elsewhere" });
    new_vector(&t);
    walk(&(struct walk){ fetch_vector, check_sent_once, NULL, &t, "psb_geasb, built from elsewhere" });
    psb_gefree(t.x);
    psb_spfree(t.a);
    psb_cdfree(t.d);
}

void add_growth(Suite *s)
{
    TCase *c = collective_tcase(s, "growth");
    ck_add_loop_tests(c, 2 * DISTRIBUTIONS, reopen);
    ck_add_loop_tests(c, 2, reopen_with_a_matrix_in_build);
    ck_add_loop_tests(c, 2 * DISTRIBUTIONS, renumbering);
    ck_add_tests(c, refused_renumberings);
    ck_add_loop_tests(c, 2 * FRINGES, extensions);
    ck_add_tests(c, refused_extensions);
    ck_add_loop_tests(c, 2 * FRINGES, remote_vector_entries, remote_matrix_entries);
    tcase_add_loop_test(c, dropped_message, 1, 2);
    tcase_add_loop_test(c, dropped_message, 64, 65);
    ck_add_loop_tests(c, FRINGES, allocation_fails);
}
