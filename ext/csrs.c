/* csrs.c -- ext: CSRS: one half of a symmetric or Hermitian matrix in compressed rows. */
#include "psb_ext_format.h"
#include "psb_search.h"
#include "psb_team.h"
#include "psb_threads.h"
#include <string.h>
#include "psb_type.h"

static int csrs_arrays(struct X(mat) *a_, struct psb_dual **list)
{
    struct X(csrs_mat) *a = (struct X(csrs_mat) *)a_;
    list[0] = &a->irp;
    list[1] = &a->ja;
    list[2] = &a->val;
    return 3;
}

static psb_err csrs_open(struct X(mat) *a_, struct X(compressed) *l)
{
    struct X(csrs_mat) *a = (struct X(csrs_mat) *)a_;
    l->n = a_->nrows;
    l->m = a_->ncols;
    return X(compressed_read)(&a->irp, &a->ja, &a->val, l);
}

/* --- is it symmetric? --------------------------------------------------------------------------------- */

static bool same_number(R a, R b)
{
    return a == b || (a != a && b != b);
}

/* May an entry be v and its mirror image w?  On the diagonal v and w are one entry. */
static bool are_mirrored(enum psb_symmetry s, bool diagonal, T v, T w)
{
    if (s == PSB_HERMITIAN && CPLX)
        return diagonal ? IM(v) == 0 : same_number(RE(v), RE(w)) && same_number(IM(v), -IM(w));
    return diagonal || (same_number(RE(v), RE(w)) && same_number(IM(v), IM(w)));
}

/* at = row and column of the first entry of l that is not its mirror image, or of one that is missing; -1:
 * none.  Of several entries in one place, the mirror image of the r-th is the r-th. */
static void find_asymmetry(const struct X(compressed) *l, enum psb_symmetry s, psb_ipk at[2])
{
    for (psb_ipk i = 0; i < l->n; i++)
        for (psb_epk k = l->ptr[i], r = 0; k < l->ptr[i + 1]; k++) {
            const psb_ipk j = l->idx[k];
            const psb_epk from = l->ptr[j], to = l->ptr[j + 1];
            r = k > l->ptr[i] && l->idx[k - 1] == j ? r + 1 : 0;
            const psb_epk m = from + psb_first_from(l->idx + from, 1, to - from, i) + r;
            const bool missing = m >= to || l->idx[m] != i;
            if (missing || !are_mirrored(s, i == j, l->val[k], l->val[m])) {
                at[0] = missing ? j : i;
                at[1] = missing ? i : j;
                return;
            }
        }
    at[0] = at[1] = -1;
}

/* Set a->has; l: the rows. */
static psb_err find_symmetry(struct X(csrs_mat) *a, const struct X(compressed) *l)
{
    const enum psb_symmetry first = a->wants ? a->wants : PSB_SYMMETRIC,
                            last = a->wants ? a->wants : PSB_HERMITIAN;
    psb_ipk at[2] = { 0, 0 };
    a->has = PSB_ASYMMETRIC;
    PSB_CHECK(!a->wants || l->n == l->m, PSB_EPADDING, "%s: the matrix is %d x %d; expected a square one",
              a->mat.ops->fmt, l->n, l->m);
    if (l->n != l->m)
        return PSB_OK;
    for (enum psb_symmetry s = first; s <= last && !a->has; s++) {
        find_asymmetry(l, s, at);
        a->has = at[0] < 0 ? s : PSB_ASYMMETRIC;
    }
    PSB_CHECK(
        a->has || !a->wants, PSB_EPADDING,
        "%s: the matrix is not %s: row %d, column %d; expected its entry there to be %s, as the mold wants",
        a->mat.ops->fmt, a->wants == PSB_SYMMETRIC ? "symmetric" : "Hermitian", at[0], at[1],
        at[0] == at[1]                       ? "real"
        : a->wants == PSB_SYMMETRIC || !CPLX ? "that of the transpose"
                                             : "that of the conjugate transpose");
    return PSB_OK;
}

/* --- build -------------------------------------------------------------------------------------------- */

/* The first entry of row i that is stored. */
static psb_epk first_stored(const struct X(compressed) *l, enum psb_symmetry has, psb_ipk i)
{
    const psb_epk k = l->ptr[i];
    return has ? k + psb_first_from(l->idx + k, 1, l->ptr[i + 1] - k, i) : k;
}

struct halving {
    const struct X(compressed) *from, *to;
    enum psb_symmetry has;
};

static void halve_part(void *job, int t, int p)
{
    const struct halving *q = job;
    psb_ipk i, end;
    for (X(compressed_share)(q->to, t, p, &i, &end); i < end; i++) {
        const psb_epk k = first_stored(q->from, q->has, i), to = q->to->ptr[i];
        const size_t n = (size_t)(q->to->ptr[i + 1] - to);
        if (n > 0) {
            memcpy(q->to->idx + to, q->from->idx + k, n * sizeof *q->to->idx);
            memcpy(q->to->val + to, q->from->val + k, n * sizeof *q->to->val);
        }
    }
}

/* Divide the half l into `blocks` blocks; returns the number of elements that they store apart. */
static psb_epk divide(struct X(csrs_mat) *a, const struct X(compressed) *l, int blocks)
{
    psb_epk apart = 0;
    a->blocks = blocks;
    for (int b = 0; b <= blocks; b++)
        a->first[b] = b < blocks ? psb_thread_start(l->ptr, l->n, b, blocks) : l->n;
    for (int b = 0; b < blocks; b++) {
        a->end[b] = a->first[b + 1];
        for (psb_ipk i = a->first[b]; i < a->first[b + 1]; i++)
            if (l->ptr[i + 1] > l->ptr[i] && l->idx[l->ptr[i + 1] - 1] >= a->end[b])
                a->end[b] = l->idx[l->ptr[i + 1] - 1] + 1;
        apart += a->end[b] - a->first[b + 1];
    }
    return apart;
}

/* As many blocks as have enough entries each, and store little apart. */
static void choose_blocks(struct X(csrs_mat) *a, const struct X(compressed) *l)
{
    enum { ENOUGH = 2048, WORTH = 4 }; /* entries of a block; entries for each element apart */
    const psb_epk nz = l->ptr[l->n];
    int blocks = PSB_CSRS_BLOCKS;
    while (blocks > 1 && (nz < (psb_epk)blocks * ENOUGH || divide(a, l, blocks) > nz / WORTH))
        blocks /= 2;
    divide(a, l, blocks);
}

static psb_err csrs_build(struct X(mat) *a_, const struct X(compressed) *rows)
{
    static const char *const names[] = { "CSRS row pointers", "CSRS columns", "CSRS values" };
    struct X(csrs_mat) *a = (struct X(csrs_mat) *)a_;
    struct X(compressed) to = { .n = rows->n, .m = rows->m };
    psb_epk nz = 0;
    PSB_CHECK(a->wants >= PSB_ASYMMETRIC && a->wants <= PSB_HERMITIAN, PSB_EARG,
              "the mold's wants is %d; expected one of enum psb_symmetry", (int)a->wants);
    PSB_TRY(find_symmetry(a, rows));
    for (psb_ipk i = 0; i < rows->n; i++)
        nz += rows->ptr[i + 1] - first_stored(rows, a->has, i);
    PSB_TRY(X(compressed_make)(&a->irp, &a->ja, &a->val, nz, a_->on, names, &to));
    to.ptr[0] = 0;
    for (psb_ipk i = 0; i < rows->n; i++)
        to.ptr[i + 1] = to.ptr[i] + rows->ptr[i + 1] - first_stored(rows, a->has, i);
    psb_team(psb_threads(nz), halve_part, &(struct halving){ rows, &to, a->has });
    choose_blocks(a, &to);
    return PSB_OK;
}

/* --- all entries -------------------------------------------------------------------------------------- */

/* What is stored, and its transpose if that is a half. */
struct whole {
    struct X(compressed) stored, lower;
    enum psb_symmetry has;
};

/* The number of entries of row i left of the diagonal, which are not stored. */
static psb_epk left_of(const struct whole *w, psb_ipk i)
{
    if (!w->has)
        return 0;
    const psb_epk k = w->lower.ptr[i];
    return psb_first_from(w->lower.idx + k, 1, w->lower.ptr[i + 1] - k, i);
}

static psb_epk csrs_count(const void *of, psb_ipk i)
{
    const struct whole *w = of;
    return left_of(w, i) + w->stored.ptr[i + 1] - w->stored.ptr[i];
}

static void csrs_list(const void *of, psb_ipk i, psb_ipk *ja, T *val)
{
    const struct whole *w = of;
    const psb_epk left = left_of(w, i);
    for (psb_epk k = 0; k < left; k++) {
        const T v = w->lower.val[w->lower.ptr[i] + k];
        *ja++ = w->lower.idx[w->lower.ptr[i] + k];
        *val++ = w->has == PSB_HERMITIAN ? CONJ(v) : v;
    }
    for (psb_epk k = w->stored.ptr[i]; k < w->stored.ptr[i + 1]; k++) {
        *ja++ = w->stored.idx[k];
        *val++ = w->stored.val[k];
    }
}

static psb_err csrs_rows(struct X(mat) *a, psb_ipk lo, psb_ipk hi, psb_epk *ptr, struct X(coo_mat) *b)
{
    struct whole w = { .has = ((struct X(csrs_mat) *)a)->has };
    struct X(mat) *other = NULL;
    PSB_TRY(csrs_open(a, &w.stored));
    if (w.has)
        PSB_TRY(X(csr_make)(a->nrows, a->nrows, w.stored.ptr[a->nrows], &other, &w.lower));
    psb_err e = w.has ? X(compressed_transpose)(&w.stored, &w.lower) : PSB_OK;
    PSB_THEN(e, X(list_rows)(&(struct X(listing)){ &w, csrs_count, csrs_list }, hi - lo, lo, hi, ptr, b));
    X(mat_free)(other);
    return e;
}

/* --- products ----------------------------------------------------------------------------------------- */

enum { CSRS_CHUNK = 8 }; /* columns at once */

/* y = alpha op(A) x + beta y, k columns; entries are conjugated in their row and in their column or not. */
struct half_product {
    const struct X(csrs_mat) *a;
    struct X(compressed) l;
    psb_ipk k;
    T alpha;
    const T *x;
    T beta, *y, *apart;
    psb_epk at[PSB_CSRS_BLOCKS]; /* where in `apart` the rows after each block begin */
    bool in_row, in_column;
};

/* y of row i, and what its entries add to later rows, for columns c .. c+w-1; rows from `next` on are
 * `apart`.
 */
PSB_INLINE void half_row(const struct half_product *q, psb_ipk i, psb_ipk next, psb_ipk c, psb_ipk w,
                         T *apart)
{
    const T *x = q->x + c;
    T *y = q->y + c, sum[CSRS_CHUNK] = { 0 }, xi[CSRS_CHUNK];
    for (psb_ipk j = 0; j < w; j++)
        xi[j] = q->alpha * x[(psb_epk)i * q->k + j];
    for (psb_epk e = q->l.ptr[i]; e < q->l.ptr[i + 1]; e++) {
        const psb_epk col = q->l.idx[e];
        const T v = q->l.val[e], here = CPLX && q->in_row ? CONJ(v) : v,
                there = CPLX && q->in_column ? CONJ(v) : v;
        T *to = col < next ? y + col * q->k : apart + (col - next) * q->k + c;
        for (psb_ipk j = 0; j < w; j++)
            sum[j] += here * x[col * q->k + j];
        for (psb_ipk j = 0; j < w && col > i; j++)
            to[j] += there * xi[j];
    }
    for (psb_ipk j = 0; j < w; j++)
        y[(psb_epk)i * q->k + j] += q->alpha * sum[j];
}

static void half_block(const struct half_product *q, int b)
{
    const psb_ipk from = q->a->first[b], next = q->a->first[b + 1];
    T *apart = q->apart + q->at[b], *y = q->y + (psb_epk)from * q->k;
    for (psb_epk i = 0; i < (psb_epk)(next - from) * q->k; i++)
        y[i] = q->beta == 0 ? 0 : q->beta * y[i];
    for (psb_epk i = 0; i < (psb_epk)(q->a->end[b] - next) * q->k; i++)
        apart[i] = 0;
    for (psb_ipk i = from; i < next; i++)
        if (q->k == 1)
            half_row(q, i, next, 0, 1, apart);
        else
            for (psb_ipk c = 0; c < q->k; c += CSRS_CHUNK)
                half_row(q, i, next, c, q->k - c < CSRS_CHUNK ? q->k - c : CSRS_CHUNK, apart);
}

static void half_part(void *job, int t, int p)
{
    const struct half_product *q = job;
    psb_epk b, end;
    for (psb_thread_range(q->a->blocks, t, p, &b, &end); b < end; b++)
        half_block(q, (int)b);
}

/* Add what is apart to y, in the order of the blocks. */
static void join_part(void *job, int t, int p)
{
    const struct half_product *q = job;
    psb_epk from, to;
    psb_thread_range(q->l.n, t, p, &from, &to);
    for (int b = 0; b < q->a->blocks; b++) {
        const psb_epk first = q->a->first[b + 1], lo = from > first ? from : first;
        const psb_epk hi = to < q->a->end[b] ? to : q->a->end[b];
        for (psb_epk i = lo * q->k; i < hi * q->k; i++)
            q->y[i] += q->apart[q->at[b] + i - first * q->k];
    }
}

static psb_err csrs_csmm(T alpha, struct X(mat) *a_, psb_ipk k, const T *x, T beta, T *y, char trans)
{
    const struct X(csrs_mat) *a = (struct X(csrs_mat) *)a_;
    const bool hermitian = a->has == PSB_HERMITIAN;
    struct half_product q = { .a = a, .k = k, .alpha = alpha, .x = x, .beta = beta, .y = y };
    psb_epk apart = 0;
    PSB_TRY(csrs_open(a_, &q.l));
    if (!a->has)
        return X(compressed_csmm)(&q.l, k, alpha, x, beta, y, trans != 'N', trans == 'C');
    q.in_row = hermitian ? trans == 'T' : trans == 'C';
    q.in_column = hermitian ? trans != 'T' : trans == 'C';
    for (int b = 0; b < a->blocks; b++) {
        q.at[b] = apart;
        apart += (psb_epk)(a->end[b] - a->first[b + 1]) * k;
    }
    PSB_TRY(psb_alloc(&q.apart, (size_t)apart, sizeof *q.apart, "product of half a matrix"));
    const int most = psb_threads(2 * q.l.ptr[q.l.n] * k), p = most < a->blocks ? most : a->blocks;
    psb_team(p, half_part, &q);
    psb_team(p, join_part, &q);
    psb_free(q.apart);
    return PSB_OK;
}

static const struct X(mat_ops) csrs_ops = {
    .super = &X(root_mold),
    .fmt = "CSRS",
    .size = sizeof(struct X(csrs_mat)),
    .storage = { .arrays = csrs_arrays, .build = csrs_build },
    .entries.rows = csrs_rows,
    .products.csmm = csrs_csmm,
};

const struct X(csrs_mat) X(csrs_mold) = { .mat.ops = &csrs_ops };
