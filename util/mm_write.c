/* mm_write.c -- util: writing of Matrix Market files. */
#include "config.h"
#include "mm_text.h"
#include "base_inside.h"
#include "psb_alloc.h"
#include "spmat.h"
#include "sink.h"
#include "triplets.h"
#include <stdio.h>
#include <string.h>
#include "psb_type.h"

enum {
    DIGITS = sizeof(R) == sizeof(float) ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG,
    ENTRY_TEXT = 128,     /* characters of an entry */
    TEXT_CHUNK = 1 << 20, /* characters in a message to process 0 */
};

/* --- text --- */

static void print_head(struct psb_sink *f, const char *format, enum psb_mm_field field,
                       enum psb_mm_symmetry symmetry, const char *title)
{
    psb_sink_print(f, "%%%%MatrixMarket matrix %s %s %s\n", format, psb_mm_fields[field],
                   psb_mm_symmetries[symmetry]);
    while (title && *title) {
        size_t n = strcspn(title, "\r\n");
        psb_sink_print(f, "%% %.*s\n", (int)(n < 1024 ? n : 1024), title);
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
    int n = 1 + psb_print_number(p + 1, DIGITS, (double)RE(v));
    *p = ' ';
    if (field != PSB_MM_COMPLEX)
        return n;
    p[n++] = ' ';
    return n + psb_print_number(p + n, DIGITS, (double)IM(v));
}

static int print_entry(char p[ENTRY_TEXT], enum psb_mm_field field, psb_lpk i, psb_lpk j, T v)
{
    int n = sprintf(p, "%" PRId64 " %" PRId64, i + 1, j + 1);
    n += print_value(p + n, field, v);
    p[n++] = '\n';
    return n;
}

/* --- arrays and triplets --- */

static void print_column(struct psb_sink *f, psb_lpk n, const T *val)
{
    char line[ENTRY_TEXT];
    for (psb_lpk k = 0; k < n && !f->why; k++) {
        int length = print_value(line, CPLX ? PSB_MM_COMPLEX : PSB_MM_REAL, val[k]);
        line[length] = '\n';
        psb_sink_write(f, line + 1, (size_t)length);
    }
}

psb_err X(mm_write_array)(const char *path, psb_lpk m, psb_lpk n, const T *val)
{
    struct psb_sink o;
    PSB_NEED(path, "the name of a file");
    PSB_CHECK(m >= 0, PSB_EARG, "argument m is %" PRId64 "; expected a number of rows >= 0", m);
    PSB_CHECK(n >= 0, PSB_EARG, "argument n is %" PRId64 "; expected a number of columns >= 0", n);
    PSB_CHECK(!n || m <= INT64_MAX / n, PSB_EARG,
              "arguments m and n are %" PRId64 " and %" PRId64 "; expected less than 2^63 entries", m, n);
    PSB_CHECK(val || m * n == 0, PSB_EARG, "argument val is NULL; expected an array of %" PRId64 " entries",
              m * n);
    PSB_TRY(psb_sink_open(&o, path));
    print_head(&o, "array", CPLX ? PSB_MM_COMPLEX : PSB_MM_REAL, PSB_MM_GENERAL, NULL);
    psb_sink_print(&o, "%" PRId64 " %" PRId64 "\n", m, n);
    print_column(&o, m * n, val);
    return PSB_PASS(psb_sink_close(&o, PSB_OK));
}

static bool is_in_field(enum psb_mm_field field, T v)
{
    R re = RE(v);
    if (field == PSB_MM_PATTERN || field == PSB_MM_COMPLEX)
        return true;
    if (IM(v) != 0)
        return false;
    return field == PSB_MM_REAL || (re >= -(R)0x1p62 && re <= (R)0x1p62 && re == (R)(int64_t)re);
}

static psb_err check_fields(const struct X(triplets) *t, enum psb_mm_field field)
{
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

/* Is an entry in row i, column j written? */
static bool is_written(enum psb_mm_symmetry symmetry, psb_lpk i, psb_lpk j)
{
    return symmetry == PSB_MM_GENERAL || i > j || (i == j && symmetry != PSB_MM_SKEW);
}

psb_err X(mm_write_half)(const char *path, const struct X(triplets) *t, enum psb_mm_field field,
                         enum psb_mm_symmetry symmetry, const char *title)
{
    struct psb_sink o;
    char line[ENTRY_TEXT];
    psb_epk n = 0;
    PSB_NEED(path, "the name of a file");
    PSB_TRY(X(check_triplets)(t, "t", NULL));
    PSB_TRY(check_fields(t, field));
    for (psb_epk k = 0; k < t->nnz; k++)
        n += is_written(symmetry, t->ia[k], t->ja[k]);
    PSB_TRY(psb_sink_open(&o, path));
    print_head(&o, "coordinate", field, symmetry, title);
    psb_sink_print(&o, "%" PRId64 " %" PRId64 " %" PRId64 "\n", t->m, t->n, n);
    for (psb_epk k = 0; k < t->nnz && !o.why; k++)
        if (is_written(symmetry, t->ia[k], t->ja[k]))
            psb_sink_write(&o, line, (size_t)print_entry(line, field, t->ia[k], t->ja[k], t->val[k]));
    return PSB_PASS(psb_sink_close(&o, PSB_OK));
}

psb_err X(mm_write)(const char *path, const struct X(triplets) *t, enum psb_mm_field field, const char *title)
{
    return PSB_PASS(X(mm_write_half)(path, t, field, PSB_MM_GENERAL, title));
}

/* --- matrices --- */

static const enum psb_mm_field field_of_T = CPLX ? PSB_MM_COMPLEX : PSB_MM_REAL;

static psb_err check_symmetry(enum psb_mm_symmetry symmetry, psb_lpk m, psb_lpk n)
{
    PSB_CHECK(symmetry >= PSB_MM_GENERAL && symmetry <= PSB_MM_HERMITIAN, PSB_EARG,
              "argument symmetry is %d; expected %d <= symmetry <= %d, one of enum psb_mm_symmetry",
              (int)symmetry, (int)PSB_MM_GENERAL, (int)PSB_MM_HERMITIAN);
    PSB_CHECK(symmetry != PSB_MM_HERMITIAN || CPLX, PSB_EARG,
              "argument symmetry is PSB_MM_HERMITIAN and the matrix is real; expected PSB_MM_SYMMETRIC");
    PSB_CHECK(symmetry == PSB_MM_GENERAL || m == n, PSB_EARG,
              "argument a is %" PRId64 " by %" PRId64 "; expected a square matrix to be written as %s", m, n,
              psb_mm_symmetries[symmetry]);
    return PSB_OK;
}

static psb_err not_symmetric(enum psb_mm_symmetry symmetry, psb_lpk i, psb_lpk j)
{
    return PSB_FAIL(PSB_EARG,
                    "argument a is not %s, because of its entry in row %" PRId64 ", column %" PRId64
                    "; expected a matrix equal to its %s%s",
                    psb_mm_symmetries[symmetry], i, j, symmetry == PSB_MM_SKEW ? "negative " : "",
                    symmetry == PSB_MM_HERMITIAN ? "conjugate transpose" : "transpose");
}

static psb_err check_mat_symmetry(const char *path, const struct X(mat) *a, enum psb_mm_symmetry symmetry)
{
    struct X(mat) *b = NULL;
    psb_ipk at[2];
    PSB_NEED(path, "the name of a file");
    PSB_NEED_HANDLE(a, "a matrix");
    PSB_TRY(check_symmetry(symmetry, a->nrows, a->ncols));
    if (symmetry == PSB_MM_GENERAL)
        return PSB_OK;
    PSB_TRY(symmetry == PSB_MM_HERMITIAN ? X(mat_transc)(a, &b) : X(mat_transp)(a, &b));
    psb_err e = symmetry == PSB_MM_SKEW ? X(mat_scal)(b, -1) : PSB_OK;
    PSB_THEN(e, X(mat_first_difference)(a, b, 0, at));
    X(mat_free)(b);
    return e == PSB_OK && at[0] >= 0 ? not_symmetric(symmetry, at[0], at[1]) : e;
}

psb_err X(mm_mat_write)(const char *path, const struct X(mat) *a, enum psb_mm_symmetry symmetry,
                        const char *title)
{
    struct X(coo_mat) *c;
    struct psb_sink o;
    char line[ENTRY_TEXT];
    PSB_TRY(check_mat_symmetry(path, a, symmetry));
    PSB_TRY(X(mat_entries)(a, 0, a->nrows, &c));
    psb_err e = psb_sink_open(&o, path);
    if (e == PSB_OK) {
        psb_epk n = 0;
        for (psb_epk k = 0; k < c->mat.nnz; k++)
            n += is_written(symmetry, c->ia[k], c->ja[k]);
        print_head(&o, "coordinate", field_of_T, symmetry, title);
        psb_sink_print(&o, "%d %d %" PRId64 "\n", a->nrows, a->ncols, n);
        for (psb_epk k = 0; k < c->mat.nnz && !o.why; k++)
            if (is_written(symmetry, c->ia[k], c->ja[k]))
                psb_sink_write(&o, line,
                               (size_t)print_entry(line, field_of_T, c->ia[k], c->ja[k], c->val[k]));
        e = psb_sink_close(&o, PSB_OK);
    }
    X(mat_free)(&c->mat);
    return PSB_PASS(e);
}

/* The part of a distributed matrix that this process writes: rows of several owners are written by one. */
struct written_part {
    const struct X(spmat) *a;
    enum psb_mm_symmetry symmetry;
    struct X(coo_mat) *c; /* in local numbers */
    psb_epk next;         /* the first entry that is not written yet */
    char *text;           /* a chunk and a line */
};

/* Check that a is as symmetric as it is to be written.  Collective. */
static psb_err check_sp_symmetry(const struct X(spmat) *a, enum psb_mm_symmetry symmetry)
{
    struct X(spmat) *b = NULL;
    psb_lpk at[2];
    int differ[2] = { (int)symmetry, -(int)symmetry };
    psb_ctxt *ctxt = psb_cd_ctxt(a->row);
    PSB_TRY(psb_max(ctxt, 2, differ, -1));
    PSB_CHECK(differ[0] == -differ[1], PSB_EARG,
              "argument symmetry is %d on one process and %d on another; expected one value", differ[0],
              -differ[1]);
    PSB_TRY(check_symmetry(symmetry, psb_cd_global_rows(a->row), psb_cd_global_rows(a->col)));
    if (symmetry == PSB_MM_GENERAL)
        return PSB_OK;
    PSB_TRY(symmetry == PSB_MM_HERMITIAN ? X(sp_transc)(a, &b) : X(sp_transp)(a, &b));
    psb_err e = symmetry == PSB_MM_SKEW ? X(spscal)(-1, b) : PSB_OK;
    PSB_THEN(e, X(sp_first_difference)(a, b, 0, at));
    X(spfree)(b);
    return e == PSB_OK && at[0] >= 0 ? not_symmetric(symmetry, at[0], at[1]) : e;
}

static psb_err open_part(struct written_part *p, const char *path, const struct X(spmat) *a)
{
    PSB_NEED(path, "the name of a file");
    PSB_CHECK(a->state == PSB_ASSEMBLED, PSB_ESTATE,
              "argument a is not assembled; expected psb_spasb before");
    PSB_TRY(psb_alloc(&p->text, TEXT_CHUNK + ENTRY_TEXT, 1, "text"));
    return X(sp_rows_counted)(a, &p->c);
}

/* Global row and column, from 0, of entry k. */
static void find_place(const struct written_part *p, psb_epk k, psb_lpk *i, psb_lpk *j)
{
    *i = psb_loc_to_glob(p->a->row, p->c->ia[k]) - psb_index_base();
    *j = psb_loc_to_glob(p->a->col, p->c->ja[k]) - psb_index_base();
}

/* The entries that this process writes. */
static psb_epk count_written(const struct written_part *p)
{
    psb_epk n = 0;
    psb_lpk i, j;
    for (psb_epk k = 0; k < p->c->mat.nnz; k++) {
        find_place(p, k, &i, &j);
        n += is_written(p->symmetry, i, j);
    }
    return n;
}

/* Fill p->text with the next entries.  Returns the number of characters, 0 at the end. */
static int print_chunk(struct written_part *p)
{
    int n = 0;
    psb_lpk i, j;
    for (; p->next < p->c->mat.nnz && n < TEXT_CHUNK; p->next++) {
        find_place(p, p->next, &i, &j);
        if (is_written(p->symmetry, i, j))
            n += print_entry(p->text + n, field_of_T, i, j, p->c->val[p->next]);
    }
    return n;
}

/* Process 0 writes its own entries, then the text that each other process sends, up to an empty message.  All
 * processes have opened their parts, and process 0 the file. */
static psb_err exchange_text(struct written_part *p, psb_ctxt *ctxt, struct psb_sink *o, const char *title)
{
    int me, np, n = 1;
    MPI_Comm comm = psb_comm_of(ctxt);
    psb_epk all = p->symmetry == PSB_MM_GENERAL ? p->c->mat.nnz : count_written(p);
    psb_info(ctxt, &me, &np);
    PSB_TRY(psb_sum(ctxt, 1, &all, 0));
    while (me > 0 && n > 0) {
        n = print_chunk(p);
        PSB_MPI(MPI_Send(p->text, n, MPI_CHAR, 0, PSB_TAG_TEXT, comm));
    }
    if (me > 0)
        return PSB_OK;
    print_head(o, "coordinate", field_of_T, p->symmetry, title);
    psb_sink_print(o, "%" PRId64 " %" PRId64 " %" PRId64 "\n", psb_cd_global_rows(p->a->row),
                   psb_cd_global_rows(p->a->col), all);
    while ((n = print_chunk(p)) > 0)
        psb_sink_write(o, p->text, (size_t)n);
    for (int q = 1; q < np; q++)
        for (n = 1; n > 0;) {
            MPI_Status s;
            PSB_MPI(MPI_Recv(p->text, TEXT_CHUNK + ENTRY_TEXT, MPI_CHAR, q, PSB_TAG_TEXT, comm, &s));
            MPI_Get_count(&s, MPI_CHAR, &n);
            psb_sink_write(o, p->text, (size_t)n);
        }
    return PSB_OK;
}

psb_err X(mm_sp_write)(const char *path, const struct X(spmat) *a, enum psb_mm_symmetry symmetry,
                       const char *title)
{
    struct written_part p = { .a = a, .symmetry = symmetry };
    struct psb_sink o = { .file = NULL };
    PSB_NEED_HANDLE(a, "a matrix");
    psb_ctxt *ctxt = psb_cd_ctxt(a->row);
    const int me = psb_rank_of(ctxt);
    psb_err e = psb_agree(ctxt, open_part(&p, path, a));
    PSB_THEN(e, check_sp_symmetry(a, symmetry));
    PSB_THEN(e, psb_agree(ctxt, me == 0 ? psb_sink_open(&o, path) : PSB_OK));
    PSB_THEN(e, exchange_text(&p, ctxt, &o, title));
    if (o.file)
        e = psb_sink_close(&o, e);
    X(mat_free)(p.c ? &p.c->mat : NULL);
    psb_free(p.text);
    return PSB_PASS(psb_agree(ctxt, e));
}

/* --- vectors --- */

static psb_err check_vectors(const char *path, struct X(vect) *const *x, psb_ipk n)
{
    PSB_CHECK(n >= 1, PSB_EARG, "argument n is %d; expected a number of vectors >= 1", n);
    PSB_NEED(path, "the name of a file");
    for (psb_ipk k = 0; k < n; k++) {
        PSB_CHECK(psb_is_live(x[k]), PSB_EARG, "argument x[%d] is %s; expected a vector", k,
                  psb_handle_state(x[k]));
        PSB_CHECK(x[k]->desc == x[0]->desc, PSB_EARG,
                  "argument x[%d] lies on another descriptor than x[0]; expected one for all", k);
        PSB_CHECK(x[k]->ncols == 1, PSB_EARG, "argument x[%d] has %d columns; expected 1", k, x[k]->ncols);
        PSB_CHECK(x[k]->state == PSB_ASSEMBLED, PSB_ESTATE,
                  "argument x[%d] is not assembled; expected psb_geasb before", k);
    }
    return PSB_OK;
}

/* Process 0 gathers each column in `all` and writes it. */
static psb_err write_columns(struct psb_sink *f, struct X(vect) *const *x, psb_ipk n, T *all)
{
    psb_lpk m = psb_cd_global_rows(x[0]->desc);
    if (f) {
        print_head(f, "array", field_of_T, PSB_MM_GENERAL, NULL);
        psb_sink_print(f, "%" PRId64 " %d\n", m, n);
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
    T *all = NULL;
    struct psb_sink o = { .file = NULL };
    PSB_CHECK(x && x[0] && x[0]->desc, PSB_EARG, "argument %s; expected distributed vectors",
              !x     ? "x is NULL"
              : x[0] ? "x[0] is local"
                     : "x[0] is NULL");
    psb_ctxt *ctxt = psb_cd_ctxt(x[0]->desc);
    const int me = psb_rank_of(ctxt);
    psb_err e = check_vectors(path, x, n);
    if (e == PSB_OK && me == 0)
        e = psb_alloc(&all, (size_t)psb_cd_global_rows(x[0]->desc), sizeof *all, "a column");
    if (e == PSB_OK && me == 0)
        e = psb_sink_open(&o, path);
    e = psb_agree_on(ctxt, n, -1, e);
    PSB_THEN(e, write_columns(o.file ? &o : NULL, x, n, all));
    if (o.file)
        e = psb_sink_close(&o, e);
    psb_free(all);
    return PSB_PASS(psb_agree(ctxt, e));
}
