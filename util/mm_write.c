/* mm_write.c -- room: util.  Writing of Matrix Market files. */
#include "config.h"
#include "deal.h"
#include "psb_alloc.h"
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include "psb_type.h"

enum {
    DIGITS = sizeof(R) == sizeof(float) ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG,
    LINE = 128,      /* characters of an entry */
    CHUNK = 1 << 20, /* characters in a message to process 0 */
};

/* --- text --- */

/* A file being written, in the "C" locale, so that the decimal point is a point. */
struct out {
    const char *path;
    FILE *file;
    locale_t c, was;
};

static psb_err open_out(struct out *o, const char *path)
{
    *o = (struct out){ .path = path, .c = newlocale(LC_ALL_MASK, "C", (locale_t)0) };
    PSB_CHECK(o->c, PSB_ENOMEM, "%s: the C locale", path);
    o->was = uselocale(o->c);
    o->file = fopen(path, "w");
    if (o->file)
        return PSB_OK;
    int why = errno;
    uselocale(o->was);
    freelocale(o->c);
    return PSB_FAIL(PSB_EIO, "%s: cannot be written: %s", path, strerror(why));
}

/* e is an earlier error. */
static psb_err close_out(struct out *o, psb_err e)
{
    int bad = ferror(o->file), why = errno;
    if (fclose(o->file) != 0 && !bad) {
        bad = 1;
        why = errno;
    }
    uselocale(o->was);
    freelocale(o->c);
    PSB_TRY(e);
    PSB_CHECK(!bad, PSB_EIO, "%s: cannot be written: %s", o->path, strerror(why));
    return PSB_OK;
}

static void head(FILE *f, const char *format, enum psb_mm_field field, const char *title)
{
    static const char *const names[] = { "real", "complex", "integer", "pattern" };
    fprintf(f, "%%%%MatrixMarket matrix %s %s general\n", format, names[field]);
    while (title && *title) {
        size_t n = strcspn(title, "\r\n");
        fprintf(f, "%% %.*s\n", (int)(n < 1024 ? n : 1024), title);
        title += n + (title[n] != '\0');
    }
}

/* Print a blank and the value; returns the number of characters. */
static int print_value(char *p, enum psb_mm_field field, T v)
{
    if (field == PSB_MM_PATTERN)
        return 0;
    if (field == PSB_MM_INTEGER)
        return sprintf(p, " %" PRId64, (int64_t)RE(v));
    int n = sprintf(p, " %.*g", DIGITS, (double)RE(v));
    return field == PSB_MM_COMPLEX ? n + sprintf(p + n, " %.*g", DIGITS, (double)IM(v)) : n;
}

static int print_entry(char p[LINE], enum psb_mm_field field, psb_lpk i, psb_lpk j, T v)
{
    int n = sprintf(p, "%" PRId64 " %" PRId64, i + 1, j + 1);
    n += print_value(p + n, field, v);
    p[n++] = '\n';
    return n;
}

/* --- arrays and triplets --- */

static void print_column(FILE *f, psb_lpk n, const T *val)
{
    char line[LINE];
    for (psb_lpk k = 0; k < n && !ferror(f); k++) {
        int length = print_value(line, CPLX ? PSB_MM_COMPLEX : PSB_MM_REAL, val[k]);
        line[length] = '\n';
        fwrite(line + 1, 1, (size_t)length, f);
    }
}

static psb_err check_array(psb_lpk m, psb_lpk n, const T *val)
{
    PSB_CHECK(m >= 0, PSB_EARG, "argument m is %" PRId64 "; expected a number of rows >= 0", m);
    PSB_CHECK(n >= 0, PSB_EARG, "argument n is %" PRId64 "; expected a number of columns >= 0", n);
    PSB_CHECK(!n || m <= INT64_MAX / n, PSB_EARG,
              "arguments m and n are %" PRId64 " and %" PRId64 "; expected less than 2^63 entries", m, n);
    PSB_CHECK(val || m * n == 0, PSB_EARG, "argument val is NULL; expected an array of %" PRId64 " entries",
              m * n);
    return PSB_OK;
}

psb_err X(mm_write_array)(const char *path, psb_lpk m, psb_lpk n, const T *val)
{
    struct out o;
    PSB_NEED(path, "the name of a file");
    PSB_TRY(check_array(m, n, val));
    PSB_TRY(open_out(&o, path));
    head(o.file, "array", CPLX ? PSB_MM_COMPLEX : PSB_MM_REAL, NULL);
    fprintf(o.file, "%" PRId64 " %" PRId64 "\n", m, n);
    print_column(o.file, m * n, val);
    return PSB_PASS(close_out(&o, PSB_OK));
}

static int is_in_field(enum psb_mm_field field, T v)
{
    R re = RE(v);
    if (field == PSB_MM_PATTERN || field == PSB_MM_COMPLEX)
        return 1;
    if (IM(v) != 0)
        return 0;
    return field == PSB_MM_REAL || (re >= -(R)0x1p62 && re <= (R)0x1p62 && re == (R)(int64_t)re);
}

static psb_err check_values(const char *path, const struct X(triplets) *t, enum psb_mm_field field)
{
    PSB_NEED(path, "the name of a file");
    PSB_TRY(X(check_triplets)(t, "t", NULL));
    PSB_CHECK(field >= PSB_MM_REAL && field <= PSB_MM_PATTERN, PSB_EARG,
              "argument field is %d; expected %d <= field <= %d, one of enum psb_mm_field", (int)field,
              (int)PSB_MM_REAL, (int)PSB_MM_PATTERN);
    for (psb_epk k = 0; k < t->nnz; k++)
        PSB_CHECK(is_in_field(field, t->val[k]), PSB_EARG,
                  "argument t: the value of entry %" PRId64 " is %g %g; expected %s, as argument field says",
                  k, (double)RE(t->val[k]), (double)IM(t->val[k]),
                  field == PSB_MM_REAL ? "a real number" : "an integer");
    return PSB_OK;
}

psb_err X(mm_write)(const char *path, const struct X(triplets) *t, enum psb_mm_field field, const char *title)
{
    struct out o;
    char line[LINE];
    PSB_TRY(check_values(path, t, field));
    PSB_TRY(open_out(&o, path));
    head(o.file, "coordinate", field, title);
    fprintf(o.file, "%" PRId64 " %" PRId64 " %" PRId64 "\n", t->m, t->n, t->nnz);
    for (psb_epk k = 0; k < t->nnz && !ferror(o.file); k++)
        fwrite(line, 1, (size_t)print_entry(line, field, t->ia[k], t->ja[k], t->val[k]), o.file);
    return PSB_PASS(close_out(&o, PSB_OK));
}

/* --- matrices --- */

static const enum psb_mm_field field_of_T = CPLX ? PSB_MM_COMPLEX : PSB_MM_REAL;

psb_err X(mm_mat_write)(const char *path, struct X(mat) *a, const char *title)
{
    struct X(mat) *b;
    struct out o;
    char line[LINE];
    PSB_NEED(path, "the name of a file");
    PSB_NEED(a, "a matrix");
    PSB_TRY(X(mat_convert)(a, &X(coo_mold).mat, &b));
    const struct X(coo_mat) *c = (struct X(coo_mat) *)b;
    psb_err e = open_out(&o, path);
    if (e == PSB_OK) {
        head(o.file, "coordinate", field_of_T, title);
        fprintf(o.file, "%d %d %" PRId64 "\n", b->nrows, b->ncols, b->nnz);
        for (psb_epk k = 0; k < b->nnz && !ferror(o.file); k++)
            fwrite(line, 1, (size_t)print_entry(line, field_of_T, c->ia[k], c->ja[k], c->val[k]), o.file);
        e = close_out(&o, PSB_OK);
    }
    X(mat_free)(b);
    return PSB_PASS(e);
}

/* The part of a distributed matrix that this process writes: both blocks as triplets. */
struct part {
    const struct X(spmat) *a;
    struct X(mat) *d, *h;
    const psb_ipk *bnd;
    psb_epk nd, nh; /* entries written of each */
    char *text;     /* a chunk and a line */
    locale_t c;
};

static psb_err open_part(struct part *p, const char *path, const struct X(spmat) *a)
{
    *p = (struct part){ .a = a };
    PSB_NEED(path, "the name of a file");
    PSB_CHECK(a->state == PSB_ASSEMBLED, PSB_ESTATE,
              "argument a is not assembled; expected psb_spasb before");
    p->c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    PSB_CHECK(p->c, PSB_ENOMEM, "%s: the C locale", path);
    PSB_TRY(psb_alloc(&p->text, CHUNK + LINE, 1, "text"));
    PSB_TRY(psb_dual_read(&a->bnd, PSB_HOST, &p->bnd));
    PSB_TRY(X(mat_convert)(a->ad, &X(coo_mold).mat, &p->d));
    return X(mat_convert)(a->ah, &X(coo_mold).mat, &p->h);
}

static void close_part(struct part *p)
{
    X(mat_free)(p->d);
    X(mat_free)(p->h);
    psb_free(p->text);
    if (p->c)
        freelocale(p->c);
}

/* Print the next entry if it belongs to local row i and to the given block, ad or ah. */
static int print_next(struct part *p, int halo, psb_ipk i, char *at)
{
    const struct X(coo_mat) *c = (struct X(coo_mat) *)(halo ? p->h : p->d);
    psb_epk *k = halo ? &p->nh : &p->nd;
    if (*k == c->mat.nnz || (halo ? p->bnd[c->ia[*k]] : c->ia[*k]) != i)
        return 0;
    psb_ipk j = c->ja[*k] + (halo ? psb_cd_local_rows(p->a->col) : 0);
    int base = psb_index_base();
    int n = print_entry(at, field_of_T, psb_loc_to_glob(p->a->row, i) - base,
                        psb_loc_to_glob(p->a->col, j) - base, c->val[*k]);
    ++*k;
    return n;
}

/* Fill p->text from local row *i on.  Returns the number of characters, 0 at the end. */
static int print_chunk(struct part *p, psb_ipk *i)
{
    int n = 0;
    locale_t was = uselocale(p->c);
    while (*i < psb_cd_local_rows(p->a->row) && n < CHUNK) {
        int more = print_next(p, 0, *i, p->text + n);
        if (!more)
            more = print_next(p, 1, *i, p->text + n);
        *i += !more;
        n += more;
    }
    uselocale(was);
    return n;
}

/* Process 0 writes its own entries, then the text that each other process sends, up to an empty message. */
static psb_err write_all(struct part *p, MPI_Comm comm, int np, FILE *f)
{
    psb_ipk i = 0;
    for (int n; (n = print_chunk(p, &i)) > 0;)
        fwrite(p->text, 1, (size_t)n, f);
    for (int q = 1; q < np; q++)
        for (int n = 1; n > 0;) {
            MPI_Status s;
            PSB_MPI(MPI_Recv(p->text, CHUNK + LINE, MPI_CHAR, q, PSB_TAG_TEXT, comm, &s));
            MPI_Get_count(&s, MPI_CHAR, &n);
            fwrite(p->text, 1, (size_t)n, f);
        }
    return PSB_OK;
}

static psb_err send_all(struct part *p, MPI_Comm comm)
{
    psb_ipk i = 0;
    for (int n = 1; n > 0;) {
        n = print_chunk(p, &i);
        PSB_MPI(MPI_Send(p->text, n, MPI_CHAR, 0, PSB_TAG_TEXT, comm));
    }
    return PSB_OK;
}

/* All processes have opened their parts, and process 0 the file. */
static psb_err exchange_text(struct part *p, psb_ctxt *ctxt, struct out *o, const char *title)
{
    int me, np;
    MPI_Comm comm = psb_comm_of(ctxt);
    psb_epk mine = X(sp_nnz)(p->a), all;
    psb_info(ctxt, &me, &np);
    PSB_MPI(MPI_Reduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, 0, comm));
    if (me > 0)
        return send_all(p, comm);
    head(o->file, "coordinate", field_of_T, title);
    fprintf(o->file, "%" PRId64 " %" PRId64 " %" PRId64 "\n", psb_cd_global_rows(p->a->row),
            psb_cd_global_rows(p->a->col), all);
    return write_all(p, comm, np, o->file);
}

psb_err X(mm_sp_write)(const char *path, const struct X(spmat) *a, const char *title)
{
    int me;
    struct part p;
    struct out o = { .file = NULL };
    PSB_NEED(a, "a matrix");
    psb_ctxt *ctxt = psb_cd_ctxt(a->row);
    psb_info(ctxt, &me, NULL);
    psb_err e = open_part(&p, path, a);
    if (e == PSB_OK && me == 0)
        e = open_out(&o, path);
    e = psb_agree(ctxt, e);
    if (e == PSB_OK)
        e = exchange_text(&p, ctxt, &o, title);
    if (o.file)
        e = close_out(&o, e);
    close_part(&p);
    return PSB_PASS(psb_agree(ctxt, e));
}

/* --- vectors --- */

static psb_err check_vectors(const char *path, struct X(vect) *const *x, psb_ipk n)
{
    PSB_CHECK(n >= 1, PSB_EARG, "argument n is %d; expected a number of vectors >= 1", n);
    PSB_NEED(path, "the name of a file");
    for (psb_ipk k = 0; k < n; k++) {
        PSB_CHECK(x[k], PSB_EARG, "argument x[%d] is NULL; expected a vector", k);
        PSB_CHECK(x[k]->desc == x[0]->desc, PSB_EARG,
                  "argument x[%d] lies on another descriptor than x[0]; expected one for all", k);
        PSB_CHECK(x[k]->ncols == 1, PSB_EARG, "argument x[%d] has %d columns; expected 1", k, x[k]->ncols);
        PSB_CHECK(x[k]->state == PSB_ASSEMBLED, PSB_ESTATE,
                  "argument x[%d] is not assembled; expected psb_geasb "
                  "before",
                  k);
    }
    return PSB_OK;
}

/* Process 0 gathers each column in `all` and writes it. */
static psb_err write_columns(FILE *f, struct X(vect) *const *x, psb_ipk n, T *all)
{
    psb_lpk m = psb_cd_global_rows(x[0]->desc);
    if (f) {
        head(f, "array", field_of_T, NULL);
        fprintf(f, "%" PRId64 " %d\n", m, n);
    }
    for (psb_ipk k = 0; k < n; k++) {
        PSB_TRY(X(gather)(x[k], all, 0));
        if (f)
            print_column(f, m, all);
    }
    return PSB_OK;
}

psb_err X(mm_vect_write)(const char *path, struct X(vect) *const *x, psb_ipk n)
{
    int me;
    T *all = NULL;
    struct out o = { .file = NULL };
    PSB_CHECK(x && x[0] && x[0]->desc, PSB_EARG, "argument %s; expected distributed vectors",
              !x     ? "x is NULL"
              : x[0] ? "x[0] is local"
                     : "x[0] is NULL");
    psb_ctxt *ctxt = psb_cd_ctxt(x[0]->desc);
    psb_info(ctxt, &me, NULL);
    psb_err e = check_vectors(path, x, n);
    if (e == PSB_OK && me == 0)
        e = psb_alloc(&all, (size_t)psb_cd_global_rows(x[0]->desc), sizeof *all, "a column");
    if (e == PSB_OK && me == 0)
        e = open_out(&o, path);
    e = psb_agree_on(ctxt, n, -1, e);
    if (e == PSB_OK)
        e = write_columns(o.file, x, n, all);
    if (o.file)
        e = close_out(&o, e);
    psb_free(all);
    return PSB_PASS(psb_agree(ctxt, e));
}
