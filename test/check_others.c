/* check_others.c -- test: arrays of others: distributed vectors over memory of the caller, matrices of arrays
 * of entries. */
#include "check_sp.h"
#include <stdlib.h>
#include <string.h>
#include "counting_device.h"

/* Memory where vectors of `where` are; it poses as the caller's.  A copy there of `bytes` bytes; changed;
 * read; freed. */
static const struct psb_device *device_at(const struct psb_vmold *where)
{
    return where->device ? where->device() : NULL;
}

static void their_change(const struct psb_vmold *where, void *p, const void *from, size_t bytes)
{
    if (device_at(where))
        GOOD(device_at(where)->put(p, from, bytes));
    else
        memcpy(p, from, bytes);
}

static void *their_copy(const struct psb_vmold *where, const void *from, size_t bytes)
{
    const struct psb_device *on = device_at(where);
    void *p;
    GOOD(on ? on->alloc(&p, bytes + 8, "theirs") : psb_alloc(&p, bytes + 8, 1, "theirs"));
    their_change(where, p, from, bytes);
    return p;
}

static void their_read(const struct psb_vmold *where, const void *p, void *to, size_t bytes)
{
    if (device_at(where))
        GOOD(device_at(where)->get(to, p, bytes));
    else
        memcpy(to, p, bytes);
}

static void their_free(const struct psb_vmold *where, void *p)
{
    if (device_at(where))
        device_at(where)->free(p);
    else
        psb_free(p);
}

static const struct psb_vmold *const sides[] = { &psb_vect_host, &psb_vect_cuda };

/* y = A x in memory of the caller has the bits of y = A x elsewhere, and is written there. */
TEST(vectors_over_memory)
{
    for (int s = 0; s < 2; s++) {
        T all[MOST], was[MOST] = { 0 }, now[MOST] = { 0 }, x[2 * MOST] = { 0 }, y[2 * MOST] = { 0 };
        DISTRIBUTED w = sample_on(SPREAD, M, _i, _i);
        const struct X(mat) *mold = s ? X(mat_by_name)("hlg") : &X(csr_mold).mat;
        const psb_ipk nx = psb_cd_local_cols(w.col), ny = psb_cd_local_cols(w.row) + 5;
        const size_t rows = (size_t)psb_cd_local_rows(w.row) * sizeof *was;
        VECT *vx = NULL, *vy = NULL;
        GOOD(psb_spasb(w.a, mold, PSB_DUPL_ADD));
        random_vector(MOST, all, 3);
        w.x = make_vector(w.col, all, sides[s]);
        w.y = make_vector(w.row, all, sides[s]);
        for (psb_ipk i = 0; i < psb_cd_local_rows(w.col); i++)
            x[i] = all[psb_loc_to_glob(w.col, i)];
        for (psb_ipk i = 0; i < psb_cd_local_rows(w.row); i++)
            y[i] = all[psb_loc_to_glob(w.row, i)];
        T *px = their_copy(sides[s], x, sizeof x), *py = their_copy(sides[s], y, sizeof y);
        GOOD(psb_ge_wrap(&vx, w.col, 1, sides[s], nx, px));
        GOOD(psb_ge_wrap(&vy, w.row, 1, sides[s], ny, py));
        GOOD(psb_spmv(2, w.a, w.x, -1, w.y, 'N'));
        GOOD(psb_spmv(2, w.a, vx, -1, vy, 'N'));
        GOOD(psb_get_vect(w.y, psb_cd_local_rows(w.row), was));
        their_read(sides[s], py, now, rows);
        EXPECT(memcmp(now, was, rows) == 0);
        GOOD(psb_vect_cnv(vy, sides[!s])); /* leaves the memory, with its values */
        GOOD(psb_vect_zero(vy));
        their_read(sides[s], py, now, rows);
        EXPECT(memcmp(now, was, rows) == 0);
        psb_gefree(vx);
        psb_gefree(vy);
        vx = vy = NULL;
        their_free(sides[s], px);
        their_free(sides[s], py);
    }
}

/* Refused on one process: no process has a vector. */
TEST(refused_memory)
{
    T p[2 * MOST];
    VECT *v = NULL;
    DESC *early = NULL;
    DISTRIBUTED w = sample_on(SPREAD, M, UNEVEN, UNEVEN);
    const psb_ipk n = psb_cd_local_cols(w.col);
    const int bad = me == np - 1;
    BAD(psb_ge_wrap(&v, w.col, 2, NULL, bad ? 2 * n - 1 : 2 * n, p), PSB_EARG, "expected at least");
    BAD(psb_ge_wrap(&v, w.col, 1, NULL, n + 1, bad ? NULL : p), PSB_EARG, "argument memory is NULL");
    BAD(psb_ge_wrap(&v, w.col, bad ? 0 : 1, NULL, n, p), PSB_EARG, "argument k is 0");
    GOOD(alloc_desc(&early, UNEVEN, M));
    BAD(psb_ge_wrap(&v, early, 1, NULL, n, p), PSB_ESTATE, "expected psb_cdasb before psb_ge_wrap");
    psb_ipk i[MOST] = { 0 };
    struct psb_i_vect *vi = NULL;
    BAD(psb_ge_wrap(&vi, w.col, 1, &psb_vect_cuda, n, i), PSB_ENOTIMPL, "has no vectors of integers");
    GOOD(psb_ge_wrap(&vi, w.col, 1, NULL, n, i));
    psb_gefree(vi);
    EXPECT(!v);
}

/* --- DLPack ------------------------------------------------------------------------------------------- */

/* A vector as a tensor, and that as another vector: both have the same memory. */
TEST(vectors_as_tensors)
{
    for (int s = 0; s < 2; s++)
        for (int k = 1; k <= 2; k++) {
            DISTRIBUTED w = sample_on(DIAGONAL, M, EVEN, EVEN); /* without a halo */
            VECT *x = NULL, *y = NULL;
            struct psb_dl_managed *t = NULL;
            struct psb_dl_versioned *u = NULL;
            const psb_ipk rows = psb_cd_local_rows(w.row);
            GOOD(psb_geall_n(&x, w.row, k));
            GOOD(psb_geasb(x, sides[s]));
            GOOD(psb_set_scal(3, x));
            GOOD(psb_vect_dlpack(x, &t));
            const struct psb_dl_tensor is = t->tensor;
            T first = 0;
            EXPECT((is.device_type == PSB_DL_CPU) == !s && is.device_id == 0 && is.ndim == k);
            EXPECT(is.shape[0] == rows && (k == 1 || (is.shape[1] == 2 && is.strides[1] == 1)));
            EXPECT(is.bits == 8 * sizeof(T) && is.lanes == 1 && is.strides[0] == k);
            their_read(sides[s], is.data, &first, rows ? sizeof first : 0);
            EXPECT(rows == 0 || first == 3);
            GOOD(psb_ge_dlpack(&y, w.row, t));
            GOOD(psb_set_scal(4, y));
            their_read(sides[s], is.data, &first, rows ? sizeof first : 0);
            EXPECT(rows == 0 || first == 4);
            psb_gefree(y); /* deletes t */
            y = NULL;
            GOOD(psb_vect_dlpack_versioned(x, true, &u));
            EXPECT(u->major == 1 && u->flags == PSB_DL_READ_ONLY && u->tensor.data == is.data);
            BAD(psb_ge_dlpack_versioned(&y, w.row, u), PSB_EARG, "argument t is read only");
            u->deleter(u);
            GOOD(psb_vect_dlpack_versioned(x, false, &u));
            GOOD(psb_ge_dlpack_versioned(&y, w.row, u));
        }
}

static int deleted;
static void count_deleted(struct psb_dl_managed *t)
{
    (void)t;
    deleted++;
}

/* Tensors of another type, place or order: refused on all processes, if one has it. */
TEST(refused_tensors)
{
    T p[2 * MOST];
    int64_t shape[] = { MOST, 2 }, strides[] = { 2, 1 }, wrong[] = { 1, MOST };
    const struct psb_dl_tensor good = {
        p, PSB_DL_CPU, 0, 2, sizeof(T) == sizeof(R) ? 2 : 5, 8 * sizeof(T), 1, shape, strides, 0
    };
    const int bad = me == np - 1;
    DISTRIBUTED w = sample_on(SPREAD, M, EVEN, EVEN);
    VECT *x = NULL;
    struct psb_dl_managed t = { good, NULL, count_deleted };
    deleted = 0;
    t.tensor.bits += bad;
    BAD(psb_ge_dlpack(&x, w.col, &t), PSB_EARG, "argument t has elements of code");
    t.tensor = good;
    t.tensor.strides = bad ? wrong : strides;
    BAD(psb_ge_dlpack(&x, w.col, &t), PSB_EARG, "expected 2 and 1, compact by rows");
    t.tensor = good;
    t.tensor.device_type = bad ? 10 : PSB_DL_CPU;
    BAD(psb_ge_dlpack(&x, w.col, &t), PSB_EARG, "argument t is on device 0 of kind 10");
    t.tensor = good;
    t.tensor.ndim = bad ? 3 : 2;
    BAD(psb_ge_dlpack(&x, w.col, &t), PSB_EARG, "argument t has 3 dimensions");
    t.tensor = good;
    shape[0] = bad ? psb_cd_local_cols(w.col) - 1 : MOST;
    BAD(psb_ge_dlpack(&x, w.col, &t), PSB_EARG, "expected at least");
    shape[0] = MOST;
    BAD(psb_ge_dlpack(&x, w.col, bad ? NULL : &t), PSB_EARG, "argument t is NULL");
    EXPECT(!x && deleted == 0);
    GOOD(psb_ge_dlpack(&x, w.col, &t));
    psb_gefree(x);
    x = NULL;
    EXPECT(deleted == 1);
}

/* --- entries with global indices ------------------------------------------------------------------------ */

/* This process's share of the entries of s, every np-th one, of any rows, in arrays where vectors of `where`
 * are; val: the values on the host. */
struct share {
    const struct psb_vmold *where;
    psb_epk n;
    psb_lpk *i, *j;
    T *v, val[MOST * MOST];
};

static struct share share_of(const struct X(coo_mat) *s, const struct psb_vmold *where)
{
    struct share h = { .where = where };
    psb_lpk i[MOST * MOST], j[MOST * MOST];
    for (psb_epk k = me; k < s->mat.nnz; k += np) {
        i[h.n] = s->ia[k];
        j[h.n] = s->ja[k];
        h.val[h.n++] = s->val[k];
    }
    h.i = their_copy(where, i, (size_t)h.n * sizeof *i);
    h.j = their_copy(where, j, (size_t)h.n * sizeof *j);
    h.v = their_copy(where, h.val, (size_t)h.n * sizeof *h.val);
    return h;
}

static void share_free(struct share *h)
{
    their_free(h->where, h->i);
    their_free(h->where, h->j);
    their_free(h->where, h->v);
}

/* A matrix of the shares of all processes, on new descriptors. */
static psb_err matrix_of_shares(const struct share *h, int distribution, psb_ipk n, const struct X(mat) *mold,
                                enum psb_dupl dupl, psb_desc **d, struct X(spmat) **a)
{
    GOOD(alloc_desc(d, (enum distribution)distribution, n));
    return psb_sp_coo(a, *d, *d, h->where, h->n, h->i, h->j, h->v, mold, dupl);
}

static void expect_equal(const struct X(spmat) *a, const struct X(spmat) *b, const char *what)
{
    int equal = 0;
    GOOD(psb_sp_cmp(a, b, 0, &equal));
    EXPECT_SAYING(equal, "%s, %s: the matrices differ", what, X(sp_fmt)(a));
}

/* Unsorted entries, some twice or three times, of rows of any process; the device has the host's bits. */
TEST(matrix_of_entries)
{
    for (int f = 0; X(mat_format)(f); f++) {
        COO *s = sample(f % 2 ? TWICE : DENSE_ROW, M, M);
        HEAP struct reference *d = reference_of(s);
        const struct X(mat) *mold = X(mat_format)(f);
        psb_desc *p[3] = { NULL };
        struct X(spmat) *a[3] = { NULL };
        for (int w = 0; w < 2; w++) {
            struct share h = share_of(s, sides[w]);
            if (!accepted(matrix_of_shares(&h, _i, M, mold, PSB_DUPL_ADD, &p[w], &a[w]))) {
                share_free(&h);
                break;
            }
            check_matrix(a[w], d, 1, "entries added");
            check_products(a[w], d, 1);
            for (psb_epk k = 0; k < h.n; k++)
                h.val[k] *= 3;
            their_change(h.where, h.v, h.val, (size_t)h.n * sizeof *h.val);
            GOOD(psb_sp_coo_again(a[w], sides[w], h.n, h.v));
            if (w == 0)
                GOOD(matrix_of_shares(&h, _i, M, &X(csr_mold).mat, PSB_DUPL_ADD, &p[2], &a[2]));
            expect_equal(a[w], a[2], "again");
            GOOD(psb_spcnv(a[w], f % 2 ? &X(csr_mold).mat : X(mat_by_name)("hlg")));
            GOOD(psb_spscal(5, a[w]));
            GOOD(psb_sp_coo_again(a[w], sides[w], h.n, h.v));
            expect_equal(a[w], a[2], "again after a conversion");
            share_free(&h);
        }
        for (int w = 0; w < 3; w++) {
            psb_spfree(a[w]);
            psb_cdfree(p[w]);
        }
    }
    EXPECT(counting_device_blocks == 0);
}

/* Entries of owned columns do not leave the device, nor do their new values. */
TEST(entries_stay_on_the_device)
{
    COO *s = sample(TWICE, M, M);
    const char *const molds[] = { "csrg", "hlg" };
    for (int f = 0; f < 2; f++) {
        struct share h = share_of(s, &psb_vect_cuda);
        DESC *d = NULL;
        SPMAT *a = NULL;
        psb_transfers_reset();
        GOOD(matrix_of_shares(&h, EVEN, M, X(mat_by_name)(molds[f]), PSB_DUPL_ADD, &d, &a));
        GOOD(psb_sp_coo_again(a, &psb_vect_cuda, h.n, h.v));
        EXPECT(psb_mat_is_dev(a->ad));
        EXPECT(psb_transfers("ia").gets == 0 && psb_transfers("ja").gets == 0);
        EXPECT(psb_transfers("val").gets == 0);
        EXPECT(np > 1 || psb_transfers("entries outside").gets == 0);
        EXPECT(X(sp_bytes)(a) >= X(mat_bytes)(a->ad) + (size_t)a->ad->nnz * sizeof(psb_epk));
        share_free(&h);
    }
}

/* A device with space for some arrays only: the host does the rest, with the same result. */
TEST(entries_without_device_memory)
{
    COO *s = sample(TWICE, M, M);
    const struct psb_device *on = psb_cuda_device();
    if (!on || strcmp(on->name, "fake") != 0)
        return;
    struct share h = share_of(s, &psb_vect_cuda), host = share_of(s, &psb_vect_host);
    DESC *d = NULL;
    SPMAT *want = NULL;
    GOOD(matrix_of_shares(&host, EVEN, M, &X(csr_mold).mat, PSB_DUPL_ADD, &d, &want));
    for (int k = 0; k < 16; k++) {
        DESC *e = NULL;
        SPMAT *a = NULL;
        psb_transfers_reset();
        psb_cuda_fake_limit(1 + (size_t)h.n * (2 * sizeof *h.i + sizeof *h.v + (size_t)k * sizeof(psb_ipk)));
        GOOD(matrix_of_shares(&h, EVEN, M, X(mat_by_name)(k % 2 ? "hlg" : "csrg"), PSB_DUPL_ADD, &e, &a));
        EXPECT(k > 0 || psb_transfers("ia").gets > 0);
        if (a)
            expect_equal(a, want, "little memory");
        psb_cuda_fake_limit(0);
        GOOD(psb_sp_coo_again(a, &psb_vect_cuda, h.n, h.v));
        expect_equal(a, want, "again");
    }
    share_free(&h);
    share_free(&host);
}

/* The last entry of a place counts: those of other processes come last, by rank. */
TEST(last_entries)
{
    for (int w = 0; w < 2; w++)
        for (int f = 0; f < 2; f++) {
            DESC *d = NULL;
            SPMAT *a = NULL;
            psb_lpk i[] = { 0, 0, 1 }, j[] = { 0, 0, M - 1 };
            T v[] = { 7, MAKE(me + 1, 0), MAKE(me + 1, 0) };
            struct share h = { .where = sides[w], .n = 3 };
            h.i = their_copy(h.where, i, sizeof i);
            h.j = their_copy(h.where, j, sizeof j);
            h.v = their_copy(h.where, v, sizeof v);
            GOOD(matrix_of_shares(&h, EVEN, M, f ? X(mat_by_name)("csrg") : &X(csr_mold).mat,
                                  PSB_DUPL_OVERWRITE, &d, &a));
            psb_epk nz = 0;
            R most = 0;
            GOOD(psb_nnz(a, &nz));
            GOOD(psb_sp_maxval(a, &most));
            EXPECT(nz == 2 && most == (np > 1 ? np : 1));
            share_free(&h);
        }
}

/* Refused on one process: an error on all, no matrix. */
TEST(refused_entries)
{
    COO *s = sample(TWICE, M, M);
    for (int w = 0; w < 2; w++)
        for (int f = 0; f < 2; f++) {
            const struct X(mat) *mold = f ? X(mat_by_name)("hlg") : &X(csr_mold).mat;
            struct share h = share_of(s, sides[w]);
            const T *none = h.v;
            DESC *d = NULL, *e = NULL;
            SPMAT *a = NULL, *b = NULL;
            const int last = me == np - 1;
            GOOD(alloc_desc(&d, EVEN, M));
            if (last)
                none = NULL;
            BAD(psb_sp_coo(&a, d, d, h.where, h.n, h.i, h.j, none, mold, PSB_DUPL_ADD), PSB_EARG,
                "argument val is NULL");
            BAD(psb_sp_coo(&a, d, d, h.where, last ? -1 : h.n, h.i, h.j, h.v, mold, PSB_DUPL_ADD), PSB_EARG,
                "argument nz is -1");
            const psb_lpk was = s->ja[me + 2 * np], large = last ? M : was, less = last ? -1 : was;
            their_change(h.where, h.j + 2, &large, sizeof large);
            BAD(psb_sp_coo(&a, d, d, h.where, h.n, h.i, h.j, h.v, mold, PSB_DUPL_ADD), PSB_EARG,
                "argument ja[2] is 41; expected 0 <= ja < 41");
            their_change(h.where, h.j + 2, &less, sizeof less);
            BAD(psb_sp_coo(&a, d, d, h.where, h.n, h.i, h.j, h.v, mold, PSB_DUPL_ADD), PSB_EARG,
                "argument ja[2] is -1");
            their_change(h.where, h.j + 2, &was, sizeof was);
            BAD(psb_sp_coo(&a, d, d, h.where, h.n, h.i, h.j, h.v, mold, PSB_DUPL_ERROR), PSB_EARG,
                "more than one entry");
            EXPECT(!a);
            GOOD(psb_sp_coo(&a, d, d, h.where, h.n, h.i, h.j, h.v, mold, PSB_DUPL_ADD));
            GOOD(matrix_of_shares(&h, EVEN, M, mold, PSB_DUPL_ADD, &e, &b));
            BAD(psb_sp_coo_again(a, h.where, h.n + last, h.v), PSB_EARG, "argument nz is");
            BAD(psb_sp_coo_again(a, h.where, h.n, none), PSB_EARG, "argument val is NULL");
            expect_equal(a, b, "refused");
            GOOD(f ? psb_sp_prune(a, PSB_PRUNE_COUNT, 1, false) : psb_sp_scalpid(2, a));
            BAD(psb_sp_coo_again(a, h.where, h.n, h.v), PSB_ESTATE, "its pattern has changed");
            share_free(&h);
        }
}

/* A sum, which may change the pattern of B, leaves no pattern for new values, in any format. */
TEST(no_values_after_a_sum)
{
    COO *s = sample(TRIDIAG, M, M);
    for (int f = 0; f < 2; f++) {
        struct share h = share_of(s, sides[0]);
        DESC *d = NULL;
        SPMAT *a = NULL, *b = NULL;
        GOOD(matrix_of_shares(&h, EVEN, M, f ? X(mat_by_name)("hlg") : &X(csr_mold).mat, PSB_DUPL_ADD, &d,
                              &a));
        GOOD(psb_sp_clone(a, &b));
        GOOD(psb_spaxpby(1, b, 1, a));
        BAD(psb_sp_coo_again(a, h.where, h.n, h.v), PSB_ESTATE, "its pattern has changed");
        share_free(&h);
    }
}

/* --- the caller's rows ---------------------------------------------------------------------------------- */

/* The rows of w.s that are owned here, in CSR with columns in descending order, in both widths. */
struct rows {
    psb_epk off[MOST + 1], idx[MOST * MOST];
    int32_t off32[MOST + 1], idx32[MOST * MOST];
    T val[MOST * MOST];
};

static struct rows rows_here(const struct distributed *w, int global)
{
    struct rows r = { .off = { 0 } };
    const psb_ipk m = psb_cd_local_rows(w->row);
    psb_epk n = 0;
    for (psb_ipk i = 0; i < m; i++) {
        for (psb_epk k = w->s->mat.nnz - 1; k >= 0; k--)
            if (w->s->ia[k] == psb_loc_to_glob(w->row, i)) {
                r.val[n] = w->s->val[k];
                r.idx[n++] = global ? w->s->ja[k] : psb_glob_to_loc(w->col, w->s->ja[k]);
            }
        r.off[i + 1] = n;
    }
    for (psb_epk k = 0; k < n; k++)
        r.idx32[k] = (int32_t)r.idx[k];
    for (psb_ipk i = 0; i <= m; i++)
        r.off32[i] = (int32_t)r.off[i];
    return r;
}

TEST(matrix_of_rows)
{
    for (int v = 0; v < 8; v++)
        for (int f = v % 3; X(mat_format)(f); f += 3) {
            const int global = v & 1;
            SPMAT *a = NULL;
            DISTRIBUTED w = sample_on(TWICE, M, _i, _i);
            HEAP struct reference *d = reference_of(w.s);
            HEAP struct rows *r = malloc(sizeof *r);
            ck_assert(r != NULL);
            *r = rows_here(&w, global);
            const struct psb_rows_given g = { v & 2 ? 64 : 32, v & 4 ? 64 : 32, global,
                                              v & 2 ? (void *)r->off : r->off32,
                                              v & 4 ? (void *)r->idx : r->idx32 };
            if (!accepted(psb_sp_csr(&a, w.row, w.col, &g, r->val, X(mat_format)(f))))
                continue;
            check_matrix(a, d, 1, "rows");
            check_products(a, d, 1);
        }
}

/* Rows without columns of others are used where they are. */
TEST(rows_without_a_copy)
{
    for (int bits = 32; bits <= 64; bits += 32) {
        DESC *d = NULL;
        SPMAT *a = NULL;
        int32_t off32[] = { 0, 1, 3 }, idx[] = { 1, 0, 1 };
        psb_epk off[] = { 0, 1, 3 };
        T val[] = { 1, 2, 3 };
        const struct psb_rows_given g = { bits, 32, 0, bits == 32 ? (void *)off32 : off, idx };
        GOOD(psb_cdall_nl(&d, ctxt, 2));
        GOOD(psb_cdasb(d));
        GOOD(psb_sp_csr(&a, d, d, &g, val, &X(csr_mold).mat));
        const struct X(csr_mat) *c = (const struct X(csr_mat) *)a->ad;
        EXPECT(c->val.host == val && c->ja.host == idx && (c->irp.host == off) == (bits == 64));
        R most = 0;
        GOOD(psb_sp_maxval(a, &most));
        EXPECT(most == 3);
        GOOD(psb_spcnv(a, X(mat_by_name)("hlg")));
        psb_spfree(a);
        a = NULL;
        idx[0] = me == np - 1 ? 2 : 1;
        BAD(psb_sp_csr(&a, d, d, &g, val, &X(csr_mold).mat), PSB_EARG,
            "argument r->idx[0] is 2; expected 0 <= idx < 2");
        idx[0] = 1;
        off[1] = off32[1] = me == 0 ? 4 : 1;
        BAD(psb_sp_csr(&a, d, d, &g, val, &X(csr_mold).mat), PSB_EARG, "argument r->off[2] is 3 after 4");
        off[1] = off32[1] = 1;
        BAD(psb_sp_csr(&a, d, d, &g, me == 0 ? NULL : val, &X(csr_mold).mat), PSB_EARG,
            "argument val is NULL");
        BAD(psb_sp_csr(&a, d, d, me == 0 ? NULL : &g, val, &X(csr_mold).mat), PSB_EARG, "argument r is NULL");
        EXPECT(!a);
    }
}

/* The parts of a matrix make another one; refused on one process, they stay the caller's. */
TEST(matrix_of_parts)
{
    for (int f = 0; X(mat_format)(f); f++) {
        DISTRIBUTED w = sample_on(SPREAD, M, _i, _i);
        const struct X(mat) *own, *halo;
        struct X(mat) *p = NULL, *q = NULL;
        const psb_ipk *rows;
        SPMAT *b = NULL;
        if (!assembled(&w, X(mat_format)(f)))
            continue;
        GOOD(psb_sp_local(w.a, &own, &halo, &rows));
        const psb_ipk n = psb_mat_get_nrows(halo), bad = me == np - 1;
        GOOD(psb_mat_clone(own, &p));
        GOOD(psb_mat_clone(halo, &q));
        BAD(psb_sp_of_local(&b, w.row, w.col, bad ? NULL : p, q, n, rows), PSB_EARG, "argument own is");
        BAD(psb_sp_of_local(&b, w.row, w.col, p, bad ? p : q, n, rows), PSB_EARG, "");
        BAD(psb_sp_of_local(&b, w.row, w.col, p, q, n + bad, rows), PSB_EARG, "argument halo is");
        EXPECT(!b);
        GOOD(psb_sp_of_local(&b, w.row, w.col, p, n ? q : NULL, n, rows));
        if (!n)
            psb_mat_free(q);
        expect_equal(b, w.a, "parts");
    }
}

void others_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "arrays of others");
    ck_add_loop_tests(c, DISTRIBUTIONS, vectors_over_memory);
    ck_add_tests(c, refused_memory, vectors_as_tensors, refused_tensors);
    ck_add_loop_tests(c, DISTRIBUTIONS, matrix_of_entries);
    ck_add_loop_tests(c, DISTRIBUTIONS, matrix_of_rows, matrix_of_parts);
    ck_add_tests(c, rows_without_a_copy);
    ck_add_tests(c, entries_stay_on_the_device, entries_without_device_memory, last_entries, refused_entries,
                 no_values_after_a_sum);
}
