/* spmv_run.c -- tools: read or generate the matrix, convert it, time the products, for one scalar. */
#include "config.h"
#include "spmv_run.h"
#include "psb_cuda_format.h"
#include "say.h"
#include "spmat.h"
#include "spmv_petsc.h"
#include <stdio.h>
#include <string.h>
#include "psb_type.h"

enum { MOST_PRODUCTS = 1 << 20 }; /* in a sample */
static const double sample_time = 2e-3;

struct spmv {
    const struct task *t;
    psb_ctxt *ctxt;
    psb_desc *row, *col;     /* the same if the matrix is square */
    struct X(entries) from;  /* the entries of the rows owned here */
    struct X(spmat) *a;      /* the matrix; NULL or in COO between two formats */
    struct petsc *petsc;     /* it multiplies in place of a, unless it is NULL */
    struct X(vect) *product; /* y after one product in the last format */
    T alpha, beta, *x, *y;   /* x, and y before the product: elements owned here */
    struct X(oracle) oracle;
};

static psb_desc *x_desc(const struct spmv *r)
{
    return r->t->options->trans == 'N' ? r->col : r->row;
}

static psb_desc *y_desc(const struct spmv *r)
{
    return r->t->options->trans == 'N' ? r->row : r->col;
}

/* --- the matrix --- */

/* Read the entries, or generate those that METIS needs; others are generated where they are used. */
static psb_err get_entries(struct spmv *r)
{
    const struct task *t = r->t;
    const char *path = t->options->matrix;
    const bool by_metis = load_by_metis(t->options->partition), square = t->m == t->n;
    PSB_TRY(load_rows(r->ctxt, t->options->partition, t->m, &r->row));
    r->col = r->row;
    if (!square)
        PSB_TRY(psb_part_blocks(r->ctxt, t->n, &r->col));
    psb_err e = PSB_OK;
    if (path)
        e = X(load_entries)(path, psb_hb_named(path), r->row, &r->from.stored);
    else if (by_metis)
        e = psb_agree(r->ctxt, X(generate)(&t->gen, r->row, say_progress, "generating", &r->from.stored));
    else
        r->from.gen = &t->gen;
    if (e == PSB_OK && by_metis)
        e = X(load_metis)(&r->row, &r->from.stored);
    r->col = square ? r->row : r->col;
    return e;
}

/* Set r->a to the matrix in COO. */
static psb_err assemble_coo(struct spmv *r)
{
    return r->a ? PSB_OK : X(load_assemble)(r->row, r->col, &r->from, &X(coo_mold).mat, &r->a);
}

/* --- x and y before the product --- */

static psb_err get_vectors(struct spmv *r)
{
    const struct options *o = r->t->options;
    psb_desc *dx = x_desc(r);
    psb_err e = psb_alloc_zero(&r->x, (size_t)psb_cd_local_rows(dx), sizeof *r->x, "x");
    PSB_THEN(e, psb_alloc_zero(&r->y, (size_t)psb_cd_local_rows(y_desc(r)), sizeof *r->y, "y"));
    PSB_TRY(psb_agree(r->ctxt, e));
    if (o->x)
        PSB_TRY(X(load_vector)(o->x, "x", dx, r->x));
    for (psb_ipk l = 0; l < psb_cd_local_rows(dx) && !o->x; l++)
        r->x[l] = (R)(1 + (double)((psb_loc_to_glob(dx, l) - psb_index_base()) % 17) / 10);
    return o->y ? X(load_vector)(o->y, "y", y_desc(r), r->y) : PSB_OK;
}

/* Make a vector on d with mold `mold`, with the given local values or zeros. */
static psb_err new_vector(const struct spmv *r, psb_desc *d, const struct psb_vmold *mold, const T *values,
                          struct X(vect) **v)
{
    struct X(vect) *new = NULL;
    psb_err e = psb_agree(r->ctxt, X(geall)(&new, d));
    PSB_THEN(e, X(geasb)(new, mold));
    if (e == PSB_OK && values)
        e = psb_agree(r->ctxt, X(set_vect)(new, psb_cd_local_rows(d), values));
    if (e == PSB_OK)
        *v = new;
    else
        X(gefree)(new);
    return e;
}

static psb_err make_oracle(struct spmv *r)
{
    struct X(vect) *x = NULL, *y = NULL;
    say_progress("computing what to check with", -1);
    psb_err e = new_vector(r, x_desc(r), NULL, r->x, &x);
    PSB_THEN(e, new_vector(r, y_desc(r), NULL, r->y, &y));
    PSB_THEN(e, X(oracle_new)(&r->oracle, &r->from, r->row, r->t->options->trans, r->alpha, x, r->beta, y));
    X(gefree)(x);
    X(gefree)(y);
    return e;
}

/* --- one format --- */

static psb_err convert(struct spmv *r, const struct X(mat) *mold, struct result *k)
{
    PSB_TRY(psb_barrier(r->ctxt));
    double begun = psb_wtime();
    PSB_TRY(X(spcnv)(r->a, mold));
    k->conversion = psb_wtime() - begun;
    PSB_TRY(psb_max(r->ctxt, 1, &k->conversion, -1));
    k->bytes = (double)X(sp_bytes)(r->a);
    return psb_sum(r->ctxt, 1, &k->bytes, -1);
}

/* Let PETSc's products find the arrays of x and y on the host: after this no process fails to read them. */
static psb_err bring_arrays(const struct spmv *r, struct X(vect) *x, struct X(vect) *y)
{
    const T *px;
    T *py;
    psb_err e = r->petsc ? X(host_read)(x, &px) : PSB_OK;
    PSB_THEN(e, r->petsc ? X(host_update)(y, &py) : PSB_OK);
    return psb_agree(r->ctxt, e);
}

/* After a failed product the loop continues, since neighbours wait for messages. */
static psb_err multiply(const struct spmv *r, struct X(vect) *x, struct X(vect) *y, int n)
{
    const char trans = r->t->options->trans;
    psb_err e = PSB_OK;
    const T *px;
    T *py;
    if (r->petsc) {
        PSB_TRY(X(host_read)(x, &px));
        PSB_TRY(X(host_update)(y, &py));
        return petsc_multiply(r->petsc, n, &r->alpha, trans, px, &r->beta, py);
    }
    for (int i = 0; i < n; i++) {
        psb_err f = X(spmv)(r->alpha, r->a, x, r->beta, y, trans);
        e = e != PSB_OK ? e : f;
    }
    return e;
}

/* The seconds of n consecutive products. */
static psb_err time_sample(const struct spmv *r, struct X(vect) *x, struct X(vect) *y, int n, double *seconds)
{
    PSB_TRY(bring_arrays(r, x, y));
    double begun = psb_wtime();
    psb_err e = multiply(r, x, y, n);
    PSB_THEN(e, psb_cuda_DeviceSync());
    *seconds = psb_wtime() - begun;
    PSB_TRY(psb_agree(r->ctxt, e));
    return psb_max(r->ctxt, 1, seconds, -1);
}

/* Find the number of products in a sample; the first products warm up. */
static psb_err calibrate(const struct spmv *r, struct X(vect) *x, struct X(vect) *y, int *n)
{
    double t;
    PSB_TRY(time_sample(r, x, y, 1, &t));
    for (*n = 1; *n < MOST_PRODUCTS;) {
        PSB_TRY(time_sample(r, x, y, *n, &t));
        if (t >= sample_time)
            break;
        double factor = t > 0 ? 1.2 * sample_time / t : 10;
        *n = (int)fmin(ceil(*n * fmin(factor, 10)), MOST_PRODUCTS);
    }
    return PSB_OK;
}

static psb_err time_products(const struct spmv *r, struct X(vect) *x, struct X(vect) *y, struct result *k)
{
    int n = 1, reps = r->t->options->reps;
    double *t = NULL;
    psb_err e = psb_agree(r->ctxt, psb_alloc(&t, (size_t)reps, sizeof *t, "times of samples"));
    PSB_THEN(e, calibrate(r, x, y, &n));
    psb_transfers_reset();
    for (int i = 0; i < reps && e == PSB_OK; i++) {
        e = time_sample(r, x, y, n, &t[i]);
        say_progress("timing", (double)i / reps);
    }
    if (e == PSB_OK) {
        k->product = median(t, reps) / n;
        e = count_transfers(r->ctxt, k);
    }
    psb_free(t);
    return e;
}

/* Do one product for the check and the output, then the timed ones into another vector, which may
 * overflow. */
static psb_err run_products(struct spmv *r, struct X(vect) *x, struct X(vect) *y, struct X(vect) *z,
                            const struct report *p, struct result *k)
{
    const struct options *o = r->t->options;
    const struct X(mat) *a = r->a->ad;
    k->where = X(mat_side)(a, o->trans, x, y) == PSB_DEV ? a->on->name : "host";
    const char *reason;
    k->halo = psb_cd_transport(x->desc, &reason);
    snprintf(k->halo_reason, sizeof k->halo_reason, "%s", reason ? reason : "");
    k->error = -1;
    PSB_TRY(bring_arrays(r, x, y));
    PSB_TRY(psb_agree(r->ctxt, multiply(r, x, y, 1)));
    if (o->check) {
        say_progress("checking", -1);
        PSB_TRY(X(oracle_error)(&r->oracle, y, &k->error));
    }
    PSB_TRY(time_products(r, x, z, k));
    /* Rates computed from the time of one product; --help says how bytes are counted. */
    double m = (double)p->rows, n = (double)p->cols, nz = (double)p->entries, s = sizeof(T);
    double again = r->beta != 0 ? (double)psb_cd_global_rows(y_desc(r)) : 0;
    double bytes = nz * (s + 4) + 4 * (m + 1) + s * (m + n + again);
    const bool on_host = strcmp(k->where, "host") == 0;
    k->flops = nz * (CPLX ? 8 : 2) / k->product;
    k->rate = bytes / k->product;
    k->copy = on_host || p->machine.gpu_copy == 0 ? p->machine.host_copy : p->machine.gpu_copy;
    return PSB_OK;
}

/* Measure r->a in its format.  If the format has a device, the vectors are on the device too. */
static psb_err measure_format(struct spmv *r, const struct report *p, struct result *k)
{
    struct X(vect) *x = NULL, *y = NULL, *z = NULL;
    const struct psb_vmold *mold = r->a->ad->on ? &psb_vect_cuda : NULL;
    psb_err e = new_vector(r, x_desc(r), mold, r->x, &x);
    PSB_THEN(e, new_vector(r, y_desc(r), mold, r->y, &y));
    PSB_THEN(e, new_vector(r, y_desc(r), mold, NULL, &z));
    PSB_THEN(e, run_products(r, x, y, z, p, k));
    X(gefree)(x);
    X(gefree)(z);
    if (e != PSB_OK) {
        X(gefree)(y);
        return e;
    }
    X(gefree)(r->product);
    r->product = y;
    return PSB_OK;
}

/* The error e is known to all processes.  If on all of them it says that the format does not suit the matrix,
 * it becomes a result: the reason without the format's name, which the report prints anyway. */
static psb_err refusal_or_error(const struct spmv *r, struct result *k, psb_err e)
{
    bool all = e == PSB_EPADDING || e == PSB_ENOTIMPL || e == PSB_ENOMEM || e == PSB_EARG;
    if (e == PSB_OK)
        return PSB_OK;
    PSB_TRY(psb_min(r->ctxt, 1, &all, -1));
    if (!all)
        return e;
    const char *why = say_why();
    const size_t n = strlen(k->format);
    const bool named = strncmp(why, k->format, n) == 0 && strncmp(why + n, ": ", 2) == 0;
    snprintf(k->refused, sizeof k->refused, "%s", named ? why + n + 2 : why);
    return PSB_OK;
}

static const struct X(mat) *find_mold(const char *name)
{
    static struct X(csrg_mat) by_cusparse;
    if (strcmp(name, CUSPARSE) != 0)
        return X(mat_by_name)(name);
    by_cusparse = X(csrg_mold);
    by_cusparse.vendor = 1;
    return &by_cusparse.mat;
}

/* --- PETSc --- */

/* Create *number: PETSc's numbers of the local indices of d; those of a process follow each other. */
static psb_err petsc_numbers(psb_desc *d, psb_lpk **number)
{
    const psb_ipk n = psb_cd_local_rows(d), all = psb_cd_local_cols(d);
    struct psb_l_vect *v = NULL;
    psb_lpk first = n;
    PSB_TRY(psb_exscan_sum(psb_cd_ctxt(d), 1, &first));
    psb_err e = psb_alloc(number, (size_t)all, sizeof **number, "PETSc's numbers");
    for (psb_ipk l = 0; l < n && e == PSB_OK; l++)
        (*number)[l] = first + l;
    PSB_THEN(e, psb_l_geall(&v, d));
    e = psb_agree(psb_cd_ctxt(d), e);
    PSB_THEN(e, psb_l_geasb(v, NULL));
    PSB_THEN(e, psb_agree(psb_cd_ctxt(d), psb_l_set_vect(v, n, *number)));
    PSB_THEN(e, psb_agree(psb_cd_ctxt(d), psb_l_halo(v, 'N')));
    PSB_THEN(e, psb_l_get_vect(v, all, *number));
    psb_l_gefree(v);
    return psb_agree(psb_cd_ctxt(d), e);
}

/* Give PETSc the entries c, in local numbers. */
static psb_err give_petsc(struct spmv *r, const struct X(coo_mat) *c, const psb_lpk *row, const psb_lpk *col,
                          bool sell, struct result *k)
{
    psb_lpk *ia = NULL, *ja = NULL;
    psb_err e = psb_alloc(&ia, (size_t)c->mat.nnz, sizeof *ia, "PETSc's rows");
    PSB_THEN(e, psb_alloc(&ja, (size_t)c->mat.nnz, sizeof *ja, "PETSc's columns"));
    for (psb_epk i = 0; i < c->mat.nnz && e == PSB_OK; i++) {
        ia[i] = row[c->ia[i]];
        ja[i] = col[c->ja[i]];
    }
    e = psb_agree(r->ctxt, e);
    const struct petsc_entries t = { .rows = psb_cd_local_rows(r->row),
                                     .cols = psb_cd_local_rows(r->col),
                                     .nz = c->mat.nnz,
                                     .ia = ia,
                                     .ja = ja,
                                     .val = c->val };
    const double begun = psb_wtime();
    PSB_THEN(e, petsc_new(r->ctxt, &t, sell, &r->petsc));
    k->conversion = psb_wtime() - begun;
    psb_free(ia);
    psb_free(ja);
    PSB_TRY(e);
    PSB_TRY(psb_max(r->ctxt, 1, &k->conversion, -1));
    return psb_agree(r->ctxt, petsc_bytes(r->petsc, &k->bytes));
}

static psb_err convert_by_petsc(struct spmv *r, bool sell, struct result *k)
{
    psb_lpk *row = NULL, *col = NULL;
    struct X(coo_mat) *c = NULL;
    PSB_CHECK(LETTER == petsc_scalar(), PSB_ENOTIMPL, "this PETSc computes in type %c", petsc_scalar());
    PSB_CHECK(!sell || r->t->options->trans == 'N', PSB_ENOTIMPL, "SELL is compared for op(A) = A alone");
    psb_err e = petsc_numbers(r->row, &row);
    PSB_THEN(e, r->col == r->row ? PSB_OK : petsc_numbers(r->col, &col));
    PSB_THEN(e, psb_agree(r->ctxt, X(sp_rows)(r->a, &c)));
    PSB_THEN(e, give_petsc(r, c, row, col ? col : row, sell, k));
    if (c)
        X(mat_free)(&c->mat);
    psb_free(row);
    psb_free(col);
    return e;
}

static psb_err try_petsc(struct spmv *r, const char *name, const struct report *p, struct result *k)
{
    psb_err e = convert_by_petsc(r, strcmp(name, PETSC_SELL) == 0, k);
    PSB_THEN(e, measure_format(r, p, k));
    petsc_free(r->petsc);
    r->petsc = NULL;
    return refusal_or_error(r, k, e);
}

/* --- any format --- */

static psb_err try_format(struct spmv *r, const char *name, const struct report *p, struct result *k)
{
    const struct X(mat) *mold = find_mold(name);
    *k = (struct result){ .asked = name, .format = name };
    PSB_TRY(assemble_coo(r));
    say_progress("converting", -1);
    if (strcmp(name, PETSC_AIJ) == 0 || strcmp(name, PETSC_SELL) == 0)
        return try_petsc(r, name, p, k);
    psb_err e = mold ? convert(r, mold, k)
                     : PSB_FAIL(PSB_ENOTIMPL, "there is no such format of type %c", LETTER);
    if (e == PSB_OK) {
        if (strcmp(name, CUSPARSE) != 0)
            k->format = X(mat_get_fmt)(r->a->ad); /* what AUTO chose on this process */
        e = measure_format(r, p, k);
        X(spfree)(r->a);
        r->a = NULL;
    }
    return refusal_or_error(r, k, e);
}

/* --- all formats --- */

static psb_err run_formats(struct spmv *r, struct report *p)
{
    PSB_TRY(get_entries(r));
    PSB_TRY(assemble_coo(r));
    PSB_TRY(X(load_count)(r->a, &p->entries));
    if (r->t->options->report)
        PSB_TRY(X(picture_of)(r->a, &p->picture));
    PSB_TRY(get_vectors(r));
    if (r->t->options->check)
        PSB_TRY(make_oracle(r));
    say_progress("measuring copies", -1);
    PSB_TRY(machine_look(r->ctxt, &p->machine));
    say_clear();
    if (r->t->me == 0)
        report_head(p);
    for (int i = 0; i < r->t->nformats; i++) {
        struct result *k = &p->result[p->nresults];
        PSB_TRY(try_format(r, r->t->format[i], p, k));
        p->nresults++;
        k->wrong = k->error > r->oracle.bound;
        k->bound = r->oracle.bound;
        say_clear();
        if (r->t->me == 0)
            report_result(p, k);
    }
    const char *output = r->t->options->output;
    return r->product && output ? X(mm_vect_write)(output, &r->product, 1) : PSB_OK;
}

psb_err X(spmv_run)(const struct task *t, struct report *report)
{
    const struct options *o = t->options;
    struct spmv r = { .t = t, .ctxt = t->ctxt };
    r.alpha = MAKE(o->alpha.re, o->alpha.im);
    r.beta = MAKE(o->beta.re, o->beta.im);
    psb_err e = run_formats(&r, report);
    say_clear();
    X(gefree)(r.product);
    X(spfree)(r.a);
    X(oracle_free)(&r.oracle);
    X(triplets_free)(&r.from.stored);
    psb_free(r.x);
    psb_free(r.y);
    if (r.col != r.row)
        psb_cdfree(r.col);
    psb_cdfree(r.row);
    return e;
}
