/* scaling_matrix.c -- test/kernel: the matrix that the program scaling distributes: a generated one,
 * or copies of a matrix in a file. */
#include "psb_util.h"
#include <limits.h>
#include <string.h>
#include "psb_type.h"
#include "matrix.h"
#include "scaling.h"

/* The number of copies that have at least `fill` entries. */
static int copies_of(const struct X(triplets) *t, int fill, const char *what)
{
    char why[160];
    const long long m = t->m, nnz = t->nnz, copies = nnz > 0 && fill > nnz ? (fill + nnz - 1) / nnz : 1;
    if (t->m != t->n) {
        snprintf(why, sizeof why, "it is %lld by %lld; expected a square matrix", m, (long long)t->n);
        stop(what, why);
    }
    if (m > 0 && copies > INT_MAX / m) {
        snprintf(why, sizeof why, "--fill is %d, %lld copies of %lld rows; expected fewer than 2^31 rows",
                 fill, copies, m);
        stop(what, why);
    }
    return (int)copies;
}

void source_open(struct source *f, const char *what, int fill, bool metis)
{
    *f = (struct source){ .metis = metis };
    if (matrix_is_generated(what)) {
        good(matrix_parse(what, &f->g), what);
        if (metis)
            stop(what, "with --partition metis the matrix is a file");
        return;
    }
    good(X(mm_read)(what, NULL, NULL, &f->t), what);
    f->copies = copies_of(&f->t, fill, what);
}

void source_close(struct source *f)
{
    X(triplets_free)(&f->t);
}

/* --- copies of a file's matrix -------------------------------------------------------------------------- */

/* Store the owner of each row of one copy: even blocks, or the parts of METIS. */
static void find_owners(const struct source *f, int np, int *owner)
{
    const psb_lpk m = f->t.m;
    if (f->metis) {
        good(psb_part_metis(m, f->t.nnz, f->t.ia, f->t.ja, np, owner), "--partition metis");
        return;
    }
    for (psb_lpk i = 0; i < m; i++)
        owner[i] = (int)(i * np / m);
}

/* The rows of process `me`, copy after copy. */
static void make_rows(const struct source *f, psb_ctxt *ctxt, const int *owner, int me, psb_desc **rows)
{
    const psb_lpk m = f->t.m;
    size_t most = 0;
    psb_ipk n = 0;
    psb_lpk *row;
    for (psb_lpk i = 0; i < m; i++)
        most += owner[i] == me;
    good(psb_alloc(&row, most * (size_t)f->copies, sizeof *row, "rows"), "rows");
    for (psb_lpk g = 0; g < m * f->copies; g++)
        if (owner[g % m] == me)
            row[n++] = g;
    good(psb_cdall_vl(rows, ctxt, n, row), "rows");
    psb_free(row);
}

/* The entries in the rows of process `me`, copy after copy. */
static void make_entries(const struct source *f, const int *owner, int me, struct X(triplets) *t)
{
    const struct X(triplets) *one = &f->t;
    size_t most = 0;
    for (psb_epk k = 0; k < one->nnz; k++)
        most += owner[one->ia[k]] == me;
    most *= (size_t)f->copies;
    *t = (struct X(triplets)){ .m = one->m * f->copies, .n = one->n * f->copies };
    good(psb_alloc(&t->ia, most, sizeof *t->ia, "entries"), "entries");
    good(psb_alloc(&t->ja, most, sizeof *t->ja, "entries"), "entries");
    good(psb_alloc(&t->val, most, sizeof *t->val, "entries"), "entries");
    for (int copy = 0; copy < f->copies; copy++)
        for (psb_epk k = 0; k < one->nnz; k++)
            if (owner[one->ia[k]] == me) {
                t->ia[t->nnz] = one->ia[k] + copy * one->m;
                t->ja[t->nnz] = one->ja[k] + copy * one->n;
                t->val[t->nnz++] = one->val[k];
            }
}

/* --- both ----------------------------------------------------------------------------------------------- */

void source_share(const struct source *f, psb_ctxt *ctxt, psb_desc **rows, struct X(triplets) *t)
{
    int me, np, *owner;
    if (!f->copies) {
        good(psb_part_blocks(ctxt, f->g.m, rows), "rows");
        good(X(generate)(&f->g, *rows, NULL, NULL, t), "entries");
        return;
    }
    psb_info(ctxt, &me, &np);
    good(psb_alloc(&owner, (size_t)f->t.m, sizeof *owner, "owners"), "owners");
    find_owners(f, np, owner);
    make_rows(f, ctxt, owner, me, rows);
    make_entries(f, owner, me, t);
    psb_free(owner);
}
