/* random_algebra.c -- test: a random sequence of calls of sparse algebra, written to stdout with all results,
 * for random_algebra.py, which computes them again. random_algebra SEED STEPS A line `CALL RESULT
 * ARGUMENT...` and the result in Matrix Market form for each step; matrices are numbers of slots, scalars two
 * numbers; a result -1 is not kept, and a matrix -1 is none. */
#include "psb_cuda.h"
#include "psb_ext.h"
#include "psb_testing.h"
#include "psb_util.h"
#include <stdarg.h>
#include <stdlib.h>
#include "psb_type.h"

/* Rows and columns are those of two spaces; slot 2 r + c < KINDS always has rows of space r, columns of c. */
enum { SPACES = 2, KINDS = 4, SLOTS = 9, MOST = 37, LISTED = 12 };
static const psb_ipk sizes[SPACES] = { MOST, 11 };

static struct {
    psb_ctxt *ctxt;
    int me, np, formats;
    uint64_t seed, draws;
    psb_desc *space[SPACES];
    struct slot {
        struct X(spmat) *a;
        int row, col;
    } slot[SLOTS];
} w;

static void good(psb_err e, const char *call)
{
    if (e == PSB_OK)
        return;
    fprintf(stderr, "random_algebra: %s: %s\n", call, psb_errmsg());
    psb_abort(w.ctxt, call);
}

/* --- choices, the same on all processes ----------------------------------------------------------------- */

/* Number n of a series: splitmix64 (Steele, Lea and Flood, OOPSLA 2014). */
static uint64_t draw(uint64_t series, uint64_t n)
{
    uint64_t x = (series + n + 1) * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static int below(int n)
{
    return (int)(draw(w.seed << 32, w.draws++) % (uint64_t)n);
}

static double real_of(uint64_t x)
{
    return (double)(x >> 11) / (1LL << 52) - 1;
}

/* Often 1 or 0. */
static T scalar(void)
{
    static const double few[] = { 1, 1, 0, -1 };
    const int k = below(8);
    const uint64_t at = w.draws;
    w.draws += 2;
    return k < 4 ? (T)few[k]
                 : MAKE((R)real_of(draw(w.seed << 32, at)), (R)real_of(draw(w.seed << 32, at + 1)));
}

static char op(void)
{
    return "NTC"[below(3)];
}

/* A slot with these spaces. */
static int pick(int row, int col)
{
    for (int k = below(SLOTS);; k = (k + 1) % SLOTS)
        if (w.slot[k].a && w.slot[k].row == row && w.slot[k].col == col)
            return k;
}

/* A slot for a result. */
static int place(int row, int col)
{
    return below(2) ? 2 * row + col : KINDS + below(SLOTS - KINDS);
}

static struct X(spmat) *at(int k)
{
    return k < 0 ? NULL : w.slot[k].a;
}

/* The device's formats or the host's, or both, by the seed and the number of processes. */
static const struct X(mat) *some_format(void)
{
    static const char *const names[] = { "CSRG", "CSRG", "HLG", "CSR", "CSR", "CSC", "COO", "HLL" };
    const int k = w.formats == 0 ? below(3) : w.formats == 1 ? 3 + below(5) : below(8);
    return X(mat_by_name)(names[k]);
}

/* --- output --------------------------------------------------------------------------------------------- */

static void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (w.me == 0)
        vprintf(format, list);
    va_end(list);
}

static void say_scalar(T v)
{
    say(" %.17g %.17g", (double)RE(v), (double)IM(v));
}

static void show(const struct X(spmat) *a)
{
    say("\n");
    good(X(sp_print)(a, stdout, NULL), "sp_print");
}

/* Slot k becomes the new matrix a. */
static void keep(int k, int row, int col, struct X(spmat) *a)
{
    show(a);
    X(spfree)(w.slot[k].a);
    w.slot[k] = (struct slot){ a, row, col };
}

static void drop(struct X(spmat) *a)
{
    show(a);
    X(spfree)(a);
}

/* --- matrices ------------------------------------------------------------------------------------------- */

static int owner_of(int space, psb_ipk i)
{
    const psb_ipk n = sizes[space];
    return w.seed % 2 ? (int)(draw(w.seed, (uint64_t)i) % (uint64_t)w.np) : (int)((psb_lpk)i * w.np / n);
}

static void make_space(int s)
{
    psb_lpk own[MOST];
    psb_ipk n = 0;
    for (psb_ipk i = 0; i < sizes[s]; i++)
        if (owner_of(s, i) == w.me)
            own[n++] = i;
    good(psb_cdall_vl(&w.space[s], w.ctxt, n, own), "cdall_vl");
    good(psb_cdasb(w.space[s]), "cdasb");
}

/* Insert the entries of row i; `near`: only in columns of its owner. */
static void insert_row(struct X(spmat) *a, int row, int col, psb_ipk i, bool near, uint64_t series)
{
    const uint64_t first = series + 100 * (uint64_t)i, n = draw(first, 0) % 5;
    for (uint64_t k = 1; k <= n; k++) {
        const psb_ipk j = (psb_ipk)(draw(first, 4 * k) % (uint64_t)sizes[col]);
        const T v = MAKE((R)real_of(draw(first, 4 * k + 1)), (R)real_of(draw(first, 4 * k + 2)));
        if (!near || owner_of(row, i) == owner_of(col, j))
            good(X(spins)(1, &(psb_lpk){ i }, &(psb_lpk){ j }, &v, a), "spins");
    }
}

static void new_matrix(int k, int row, int col)
{
    const bool near = w.formats == 0 || below(2);
    const uint64_t series = draw(w.seed << 32, w.draws++);
    psb_desc *d;
    struct X(spmat) *a;
    good(psb_cdall_like(&d, w.space[col]), "cdall_like");
    good(X(spall2)(&a, w.space[row], d, 0), "spall2");
    for (psb_ipk i = 0; i < sizes[row]; i++)
        if (owner_of(row, i) == w.me)
            insert_row(a, row, col, i, near, series);
    good(psb_cdasb(d), "cdasb");
    good(X(spasb)(a, some_format(), PSB_DUPL_ADD), "spasb");
    psb_cdfree(d);
    say("new %d", k);
    keep(k, row, col, a);
}

/* --- steps ---------------------------------------------------------------------------------------------- */

static void step_new(void)
{
    const int k = below(SLOTS);
    new_matrix(k, k < KINDS ? k / 2 : below(SPACES), k < KINDS ? k % 2 : below(SPACES));
}

/* Multiply rows or columns of slot k by factors. */
static void step_scale_lines(int k)
{
    const char side = "LR"[below(2)];
    const int s = side == 'L' ? w.slot[k].row : w.slot[k].col;
    struct X(vect) *x, *y;
    T own[MOST];
    psb_ipk n = 0;
    good(X(vects_like)(at(k), &x, &y), "vects_like");
    struct X(vect) *const d = side == 'L' ? y : x;
    say("spscalv %d %c", k, side);
    for (psb_ipk i = 0; i < sizes[s]; i++) {
        const T v = scalar();
        say_scalar(v);
        if (owner_of(s, i) == w.me)
            own[n++] = v;
    }
    good(X(set_vect)(d, n, own), "set_vect");
    good(X(spscalv)(d, at(k), side), "spscalv");
    show(at(k));
    X(gefree)(x);
    X(gefree)(y);
}

static void step_scale(void)
{
    const int k = below(SLOTS);
    const T s = scalar();
    const bool plus_one = below(2) && w.slot[k].row == w.slot[k].col;
    if (below(2)) {
        step_scale_lines(k);
        return;
    }
    say(plus_one ? "scalpid %d" : "spscal %d", k);
    say_scalar(s);
    good(plus_one ? X(sp_scalpid)(s, at(k)) : X(spscal)(s, at(k)), "spscal");
    show(at(k));
}

struct product {
    T alpha, beta;
    int a, b, d, mask;
    char ta, tb;
};

static void say_product(int to, const struct product *p, int mask)
{
    say("spgemm %d", to);
    say_scalar(p->alpha);
    say(" %d %c %d %c", p->a, p->ta, p->b, p->tb);
    say_scalar(p->beta);
    say(" %d %d", p->d, mask);
}

static void step_product(void)
{
    const int r = below(SPACES), k = below(SPACES), c = below(SPACES), to = place(r, c);
    struct product p = { .d = -1, .mask = -1 };
    struct X(spmat) *new;
    p.alpha = scalar();
    p.beta = scalar();
    p.ta = op();
    p.tb = op();
    p.a = p.ta == 'N' ? pick(r, k) : pick(k, r);
    p.b = p.tb == 'N' ? pick(k, c) : pick(c, k);
    if (below(2))
        p.d = pick(r, c);
    if (below(3) == 0)
        p.mask = pick(r, c);
    say_product(to, &p, p.mask);
    good(X(spgemm)(p.alpha, at(p.a), p.ta, at(p.b), p.tb, p.beta, at(p.d), at(p.mask), some_format(), &new),
         "spgemm");
    const bool intact = to != p.a && to != p.b && to != p.d;
    keep(to, r, c, new);
    if (!intact || below(2))
        return;
    step_scale_lines(p.a);
    step_scale_lines(p.b);
    say_product(to, &p, p.mask < 0 ? -1 : to);
    good(X(spgemm_again)(p.alpha, at(p.a), at(p.b), p.beta, at(p.d), new), "spgemm_again");
    show(new);
}

static void step_triple(void)
{
    const int f = below(SPACES), c = below(SPACES), to = place(c, c), a = pick(f, f), p = pick(f, c),
              r = below(2) ? pick(c, f) : -1;
    struct X(spmat) *new;
    say("sprap %d %d %d %d", to, r, a, p);
    good(X(sprap)(at(r), at(a), at(p), some_format(), &new), "sprap");
    keep(to, c, c, new);
    if (to == r || to == a || to == p)
        return;
    step_scale_lines(a);
    step_scale_lines(p);
    say("sprap %d %d %d %d", to, r, a, p);
    good(X(sprap_again)(at(r), at(a), at(p), new), "sprap_again");
    show(new);
}

static void copy(int to, int from)
{
    struct X(spmat) *new;
    say("copy %d %d", to, from);
    good(X(sp_clone)(at(from), &new), "sp_clone");
    keep(to, w.slot[from].row, w.slot[from].col, new);
}

/* Of two matrices, or of one and its copy, which has the same pattern. */
static void step_sum(void)
{
    const int r = below(SPACES), c = below(SPACES), a = pick(r, c), b = below(2) ? pick(r, c) : place(r, c);
    const T alpha = scalar(), beta = scalar();
    if (w.slot[b].row != r || w.slot[b].col != c || below(2))
        copy(b, a);
    if (below(2))
        step_scale_lines(b);
    say("spaxpby %d", b);
    say_scalar(alpha);
    say(" %d", a);
    say_scalar(beta);
    good(X(spaxpby)(alpha, at(a), beta, at(b)), "spaxpby");
    show(at(b));
}

static void step_transpose(void)
{
    const int k = below(SLOTS), r = w.slot[k].row, c = w.slot[k].col, to = place(c, r);
    const bool conjugate = below(2);
    struct X(spmat) *new;
    say("%s %d %d", conjugate ? "transc" : "transp", to, k);
    good((conjugate ? X(sp_transc) : X(sp_transp))(at(k), &new), "sp_transp");
    keep(to, c, r, new);
}

static void step_part(void)
{
    const int k = below(SLOTS), r = w.slot[k].row, c = w.slot[k].col, to = place(r, c),
              diagonal = below(21) - 10, i = below(sizes[r]), j = below(sizes[c]),
              m = i + below(sizes[r] - i + 1), n = j + below(sizes[c] - j + 1);
    struct X(spmat) *new = NULL;
    switch (below(4)) {
    case 0:
        say("tril %d %d %d", to, k, diagonal);
        good(X(sp_tril)(at(k), diagonal, &new, NULL), "sp_tril");
        break;
    case 1:
        say("triu %d %d %d", to, k, diagonal);
        good(X(sp_triu)(at(k), diagonal, &new, NULL), "sp_triu");
        break;
    case 2:
        say("csclip %d %d %d %d %d %d", to, k, i, m, j, n);
        good(X(sp_csclip)(at(k), i, m, j, n, &new), "sp_csclip");
        break;
    default:
        say("clip_diag %d %d", to, k);
        good(X(sp_clip_diag)(at(k), &new), "sp_clip_diag");
    }
    keep(to, r, c, new);
}

/* Store n indices of the space in list; all of them, in another order, if n is its size. */
static void make_list(int space, psb_ipk n, psb_lpk *list)
{
    for (psb_ipk k = 0; k < n; k++)
        list[k] = n == sizes[space] ? k : below(sizes[space]);
    for (psb_ipk k = n - 1; k > 0; k--) {
        const int l = below(k + 1);
        const psb_lpk was = list[k];
        list[k] = list[l];
        list[l] = was;
    }
}

static void say_list(psb_ipk n, const psb_lpk *list)
{
    say(" %d", n);
    for (psb_ipk k = 0; k < n; k++)
        say(" %d", (int)list[k]);
}

/* Rows and columns by lists, sometimes permutations; each process gives its share. */
static void step_lists(void)
{
    const int k = below(SLOTS), all = below(2);
    const psb_ipk m = all ? sizes[w.slot[k].row] : 1 + below(LISTED - 1),
                  n = all ? sizes[w.slot[k].col] : 1 + below(LISTED - 1), i = m * w.me / w.np,
                  j = n * w.me / w.np;
    psb_lpk rows[MOST], cols[MOST];
    struct X(spmat) *new;
    make_list(w.slot[k].row, m, rows);
    make_list(w.slot[k].col, n, cols);
    say("csclip_list -1 %d", k);
    say_list(m, rows);
    say_list(n, cols);
    good(X(sp_csclip_list)(at(k), m * (w.me + 1) / w.np - i, rows + i, n * (w.me + 1) / w.np - j, cols + j,
                           &new),
         "sp_csclip_list");
    drop(new);
}

static void step_kron(void)
{
    const int k = below(SLOTS), m = 1 + below(3), n = 1 + below(3);
    T block[9];
    struct X(spmat) *new;
    say("kron -1 %d %d %d", k, m, n);
    for (int e = 0; e < m * n; e++) {
        block[e] = scalar();
        say_scalar(block[e]);
    }
    good(X(sp_kron)(at(k), m, n, block, &new), "sp_kron");
    drop(new);
}

static void step_prune(void)
{
    static const double of[] = { 0.5, 25, 3, 0.4, 0.3 };
    const int k = below(SLOTS), rule = below(5), diagonal = below(2) && w.slot[k].row == w.slot[k].col;
    say("prune %d %d %.17g %d", k, rule, of[rule], diagonal);
    good(X(sp_prune)(at(k), (enum psb_prune)rule, (R)of[rule], diagonal), "sp_prune");
    show(at(k));
}

/* A matrix in another format, without zeros, or in another local order is the same. */
static void step_same(void)
{
    const int k = below(SLOTS);
    struct X(spmat) *new;
    if (below(2)) {
        say("copy %d %d", k, k);
        good(X(spcnv)(at(k), some_format()), "spcnv");
        show(at(k));
    } else if (w.slot[k].row != w.slot[k].col) {
        say("clean_zeros %d", k);
        good(X(sp_clean_zeros)(at(k)), "sp_clean_zeros");
        show(at(k));
    } else {
        say("copy -1 %d", k);
        good(X(sp_renum)("rcm", at(k), &new), "sp_renum");
        drop(new);
    }
}

/* Few entries and small values, so that sequences may be long. */
static void keep_small(int k)
{
    psb_epk nz;
    R largest;
    good(X(nnz)(at(k), &nz), "nnz");
    good(X(sp_maxval)(at(k), &largest), "sp_maxval");
    if (nz > 4 * sizes[w.slot[k].row]) {
        say("prune %d %d 3 0", k, (int)PSB_PRUNE_COUNT);
        good(X(sp_prune)(at(k), PSB_PRUNE_COUNT, 3, false), "sp_prune");
        show(at(k));
    }
    if (largest > 1000 || (largest > 0 && largest < (R)1e-3)) {
        say("spscal %d", k);
        say_scalar(1 / largest);
        good(X(spscal)(1 / largest, at(k)), "spscal");
        show(at(k));
    }
}

static void run_steps(int n)
{
    static void (*const steps[])(
        void) = { step_new, step_scale, step_product, step_product,   step_product, step_triple, step_sum,
                  step_sum, step_part,  step_lists,   step_transpose, step_kron,    step_prune,  step_same };
    for (int k = 0; k < n; k++) {
        steps[below((int)(sizeof steps / sizeof *steps))]();
        for (int s = 0; s < SLOTS; s++)
            keep_small(s);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return EXIT_FAILURE;
    good(psb_init(&w.ctxt), "psb_init");
    good(psb_cuda_init(w.ctxt), "psb_cuda_init");
    psb_cuda_convert_from(0);
    psb_info(w.ctxt, &w.me, &w.np);
    w.seed = (uint64_t)strtoull(argv[1], NULL, 10);
    w.formats = (int)((w.seed + (uint64_t)w.np) % 3);
    for (int s = 0; s < SPACES; s++)
        make_space(s);
    for (int k = 0; k < SLOTS; k++)
        new_matrix(k, k < KINDS ? k / 2 : below(SPACES), k < KINDS ? k % 2 : below(SPACES));
    run_steps(atoi(argv[2]));
    for (int k = 0; k < SLOTS; k++)
        X(spfree)(w.slot[k].a);
    for (int s = 0; s < SPACES; s++)
        psb_cdfree(w.space[s]);
    psb_cuda_exit();
    psb_exit(w.ctxt);
    return EXIT_SUCCESS;
}
