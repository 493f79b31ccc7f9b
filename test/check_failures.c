/* check_failures.c -- test: the calls of suites "failures" and "ended". */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include "check_failures.h"
#include "multivector.h"

#pragma GCC diagnostic ignored "-Wunused-parameter" /* many calls have no variants */

char failing_path[60], failing_hb_path[300];

enum { MANY = 33 }; /* so many columns that methods allocate memory in each iteration */

void bench_make(struct bench *b, bool on_device, int columns)
{
    *b = (struct bench){ .mold = on_device ? &X(hlg_mold).mat : &X(csr_mold).mat };
    b->where = on_device ? &psb_vect_cuda : &psb_vect_host;
    b->p = make_problem(PROBLEM_HPD, 4, columns, EVEN, b->mold, b->where);
}

void bench_free(struct bench *b)
{
    X(gefree)(b->v);
    X(gefree)(b->w);
    X(gefree)(b->y);
    psb_scal_free(b->s);
    psb_scal_free(b->scal);
    X(spfree)(b->a);
    X(spfree)(b->b);
    X(mat_free)(b->all);
    psb_free(b->more);
    X(triplets_free)(&b->t);
    X(triplets_free)(&b->got);
    X(precfree)(b->prec);
    psb_cdfree(b->desc);
    problem_free(&b->p);
}

/* Where calls store their results. */
static struct {
    T t[2 * MOST];
    R r[2];
    double d[200];
    psb_ipk n;
    psb_epk nz;
    int yes;
} out;

/* A preparation or a call that is one expression. */
/* clang-format off */
#define PREPARE(name, ...) static void name(struct bench *b, const char *arg) { GOOD(__VA_ARGS__); }
#define CALL(name, ...)    static psb_err name(struct bench *b, const char *arg) { return __VA_ARGS__; }
/* clang-format on */

/* --- preparations --- */

/* A matrix that sends its entries of the last row, on a new descriptor that is not assembled yet. */
static void new_matrix(struct bench *b, const char *arg)
{
    const psb_lpk n = b->p.n;
    GOOD(alloc_desc(&b->desc, EVEN, b->p.n));
    GOOD(X(spall)(&b->a, b->desc, 0));
    GOOD(X(sp_set_remote)(b->a, PSB_REMOTE_SEND));
    for (psb_ipk l = 0; l < psb_cd_local_rows(b->desc); l++) {
        const psb_lpk i = psb_loc_to_glob(b->desc, l), ia[] = { i, i, n - 1 },
                      ja[] = { i, (i + n / 2) % n, i };
        const T val[] = { 4, 1, 1 };
        GOOD(X(spins)(3, ia, ja, val, b->a));
    }
}

static void new_assembled(struct bench *b, const char *arg)
{
    new_matrix(b, arg);
    GOOD(psb_cdasb(b->desc));
}

static void new_vector(struct bench *b, const char *arg)
{
    const psb_lpk last = b->p.n - 1;
    const T val = 1;
    new_assembled(b, arg);
    GOOD(X(spasb)(b->a, b->mold, PSB_DUPL_ADD));
    GOOD(X(geall)(&b->v, b->desc));
    GOOD(X(ge_set_remote)(b->v, PSB_REMOTE_SEND));
    GOOD(X(geins)(1, &last, &val, b->v, PSB_DUPL_ADD));
}

PREPARE(update, X(sprn)(b->p.a, 1))

/* A vector with rows of several owners. */
static void shared_rows(struct bench *b, const char *arg)
{
    GOOD(X(cdbldext)(b->p.a, 1, PSB_EXT_OVERLAP, &b->desc));
    GOOD(X(geall)(&b->v, b->desc));
    GOOD(X(geasb)(b->v, b->where));
}

PREPARE(file, X(mm_sp_write)(failing_path, b->p.a, PSB_MM_GENERAL, "a test"))
PREPARE(vector_file, X(mm_vect_write)(failing_path, &b->p.b, 1))

static void file_of_owners(struct bench *b, const char *arg)
{
    FILE *f = me == 0 ? fopen(failing_path, "w") : NULL;
    for (psb_ipk i = 0; f && i < b->p.n; i++)
        fprintf(f, "%d\n", i % np);
    if (f)
        fclose(f);
}

/* Entries of rows that belong to others. */
static void entries(struct bench *b, const char *arg)
{
    struct psb_gen g;
    GOOD(psb_gen_parse("banded:16,1", &g));
    GOOD(X(generate)(&g, b->p.desc, NULL, NULL, &b->t));
    for (psb_epk k = 0; k < b->t.nnz; k++)
        b->t.ia[k] = b->p.n - 1 - b->t.ia[k];
}

PREPARE(two_vectors, X(vect_clone)(b->p.b, &b->y))

static void scalars(struct bench *b, const char *arg)
{
    two_vectors(b, arg);
    GOOD(X(scal_new)(&b->scal, b->p.desc, b->where));
}

PREPARE(no_prec, X(precinit)(&b->prec, arg))

void built_prec(struct bench *b, const char *arg)
{
    no_prec(b, arg);
    GOOD(X(precbld)(b->prec, b->p.a, NULL, NULL));
}

/* --- calls --- */

/* Rows in turn, some of them with two owners. */
static int in_turn(psb_lpk g, psb_lpk n, int procs, int *pv, void *arg)
{
    const int nv = procs > 1 && g < n / 2 ? 2 : 1;
    for (int k = 0; k < nv; k++)
        pv[k] = (int)((g + k) % procs);
    return nv;
}

static psb_err new_desc(struct bench *b, const char *arg)
{
    psb_lpk rows[2 * MOST];
    int owner[MOST];
    psb_ipk order[MOST];
    const psb_ipk n = b->p.n / np;
    for (psb_ipk i = 0; i < b->p.n; i++) {
        rows[i] = me * n + i;
        owner[i] = i % np;
        order[i] = n - 1 - i;
    }
    const struct psb_cdall_how how = { .nl = n };
    switch (*arg) {
    case 'a':
        return psb_cdall(&b->desc, ctxt, &how);
    case 'n':
        return psb_cdall_nl(&b->desc, ctxt, n);
    case 'l':
        return psb_cdall_vl(&b->desc, ctxt, n, rows);
    case 'o':
        return psb_cdall_vl_lidx(&b->desc, ctxt, n, rows, order);
    case 'f':
        return psb_cdall_parts(&b->desc, ctxt, b->p.n, in_turn, NULL);
    case 'g':
        return psb_cdall_vg(&b->desc, ctxt, b->p.n, owner);
    default:
        return psb_cdall_repl(&b->desc, ctxt, b->p.n);
    }
}

static psb_err owners_of_rows(struct bench *b, const char *arg)
{
    const psb_lpk g[] = { 0, b->p.n - 1 };
    int owner[2];
    return psb_cd_owners(b->p.desc, 2, g, owner);
}

CALL(sum, psb_sum(ctxt, *arg == 'l' ? 200 : 1, out.d, -1))
CALL(broadcast, psb_bcast(ctxt, 200, out.d, 0))
CALL(scan, psb_scan_sum(ctxt, 200, out.d))
CALL(count_entries, X(nnz)(b->p.a, &out.nz))
CALL(drop_zeros, X(sp_clean_zeros)(b->p.a))
CALL(prune, X(sp_prune)(b->p.a, *arg == 's' ? PSB_PRUNE_SHARE : PSB_PRUNE_COUNT, 90, true))
CALL(renumber, X(sp_renum)("rcm", b->p.a, &b->a))
CALL(compare, *arg == 'v' ? X(sp_cmpval)(b->p.a, 1, 2, &out.yes) : X(sp_cmp)(b->p.a, b->p.a, 0, &out.yes))
CALL(assemble_desc, psb_cdasb(b->desc))
CALL(reopen_desc, psb_cd_reinit(b->desc))

static psb_err print_desc(struct bench *b, const char *arg)
{
    FILE *f = fopen("/dev/null", "w");
    const psb_err e = psb_cd_print(b->p.desc, f);
    fclose(f);
    return e;
}

CALL(assemble_matrix,
     *arg ? X(spasb2)(b->a, b->mold, b->mold, PSB_DUPL_ADD) : X(spasb)(b->a, b->mold, PSB_DUPL_ADD))
CALL(assemble_vector, X(geasb)(b->v, b->where))
CALL(end_update, X(spasb)(b->p.a, NULL, PSB_DUPL_ADD))
CALL(to_format, X(spcnv)(b->p.a, X(mat_by_name)(arg)))
CALL(extend, X(cdbldext)(b->p.a, 1, *arg == 'h' ? PSB_EXT_HALO : PSB_EXT_OVERLAP, &b->desc))
CALL(new_vectors, X(vects_like)(b->p.a, &b->v, &b->w))

/* Memory of the caller, which is also that of the fake device. */
static T theirs[4000];
static const struct psb_vmold *where_theirs(const struct bench *b)
{
    return psb_cuda_device() == &psb_device_fake ? b->where : NULL;
}

CALL(wrap_vector, X(ge_wrap)(&b->v, b->p.desc, 1, where_theirs(b), 4000, theirs))

static void new_blocks(struct bench *b, const char *arg)
{
    GOOD(psb_cdall_nl(&b->desc, ctxt, 3));
}

/* Entries of rows and columns of this process and of others. */
static psb_err matrix_of_arrays(struct bench *b, const char *arg)
{
    const psb_lpk last = 3 * np - 1, i[] = { 3 * me, 0, last, 3 * me }, j[] = { 3 * me, 0, 0, last };
    const psb_epk off[] = { 0, 1, 2, 2 };
    const struct psb_rows_given r = { 64, 64, 1, off, j };
    return *arg == 'r'
               ? X(sp_csr)(&b->a, b->desc, b->desc, &r, theirs, b->mold)
               : X(sp_coo)(&b->a, b->desc, b->desc, where_theirs(b), 4, i, j, theirs, b->mold, PSB_DUPL_ADD);
}

static void new_matrix_of_arrays(struct bench *b, const char *arg)
{
    new_blocks(b, arg);
    GOOD(matrix_of_arrays(b, arg));
}

static psb_err matrix_of_an_equation(struct bench *b, const char *arg)
{
    const struct psb_pde p = { .dims = 2, .nx = np, .ny = 3, .nz = 1 };
    return X(sp_gen_pde)(&b->a, &p, b->desc, b->mold, theirs);
}

CALL(values_again, X(sp_coo_again)(b->a, where_theirs(b), 4, theirs))
CALL(new_scalar, X(scal_new)(&b->s, b->p.desc, b->where))
CALL(collect, X(gather)(b->p.b, out.t, atoi(arg)))
CALL(deal, X(scatter)(b->p.x, out.t, atoi(arg)))
CALL(collect_matrix, X(spgather)(b->p.a, &X(csr_mold).mat, &b->all, atoi(arg)))
CALL(fetch_rows, X(sphalo)(b->p.desc, b->p.a, NULL, &b->all, &b->more, &out.n))
CALL(dot, X(gedot)(b->p.b, b->y, out.t))

static psb_err many_dots(struct bench *b, const char *arg)
{
    struct X(vect) *x[20], *y[20];
    for (int i = 0; i < 20; i++)
        x[i] = b->p.b, y[i] = b->y;
    return X(gedots)(20, x, y, out.t);
}

CALL(norm, *arg == 'w'   ? X(genrm2_weight)(b->p.b, b->y, out.r)
           : *arg == 'i' ? X(genrm2_weightmask)(b->p.b, b->y, b->y, out.r)
           : *arg == '2' ? X(genrm2)(b->p.b, out.r)
           : *arg == '1' ? X(geasum)(b->p.b, out.r)
                         : X(geamax)(b->p.b, out.r))

/* For complex vectors there is another operation instead. */
CALL(least, CPLX          ? norm(b, arg)
            : *arg == 'q' ? X(minquotient)(b->p.b, b->y, out.r)
            : *arg == 'c' ? X(mask)(b->y, b->p.b, b->p.x, &out.yes)
                          : X(gemin)(b->p.b, out.r))
CALL(norm_of_matrix, *arg == '1'   ? X(spnrm1)(b->p.a, out.r)
                     : *arg == 'm' ? X(sp_maxval)(b->p.a, out.r)
                                   : X(spnrmi)(b->p.a, out.r))
CALL(sums_of_columns, *arg == 'a' ? X(sp_aclsum)(b->p.a, b->p.x) : X(sp_colsum)(b->p.a, b->p.x))
static const psb_lpk first = 0;
static const T halves[] = { (T)0.5, (T)0.5 };

CALL(transpose, X(sp_transp)(b->p.a, &b->a))
CALL(multiply_matrices, X(spgemm)(1, b->p.a, *arg, b->p.a, arg[1], 1, b->p.a, NULL, NULL, &b->a))
CALL(add_matrices, X(spaxpby)(1, b->p.a, 2, b->p.a))
CALL(select_lists, X(sp_csclip_list)(b->p.a, 1, &first, 1, &first, &b->a))
CALL(kronecker, X(sp_kron)(b->p.a, 2, 1, halves, &b->a))
CALL(triangles, *arg == 'u' ? X(sp_triu)(b->p.a, 0, &b->a, &b->b) : X(sp_tril)(b->p.a, 0, &b->a, &b->b))
CALL(clip,
     *arg == 'd' ? X(sp_clip_diag)(b->p.a, &b->a) : X(sp_csclip)(b->p.a, 1, b->p.n - 1, 0, b->p.n, &b->a))
CALL(scale, *arg ? X(spscalv)(b->p.b, b->p.a, *arg) : X(spscal)(2, b->p.a))
CALL(add_identity, X(sp_scalpid)(2, b->p.a))
CALL(exchange, X(halo)(b->p.x, *arg))
CALL(multiply, arg[1] ? X(spmm_opt)(1, b->p.a, b->p.b, 0, b->p.x, *arg, 1)
                      : X(spmv)(1, b->p.a, b->p.b, 0, b->p.x, *arg))

static psb_err multiply_and_sum(struct bench *b, const char *arg)
{
    const struct X(epilogue) e = { .ndots = 1, .dot = { { b->p.b, b->p.x } } };
    return X(spmv_fused)(1, b->p.a, b->p.b, 0, b->p.x, *arg, &e, out.t);
}

/* On a GPU the failure would be told by psb_scal_get. */
static psb_err sum_in_scalar(struct bench *b, const char *arg)
{
    const struct X(epilogue) e = { .ndots = 1, .dot = { { b->p.b, b->y } }, .to = { b->scal } };
    const psb_err f = *arg == 'A' ? X(spmv_fused)(1, b->p.a, b->p.b, 0, b->p.x, 'N', &e, NULL)
                                  : X(gefused)(b->p.b, &e, NULL);
    return f == PSB_OK ? X(scal_get)(b->scal, out.t) : f;
}

CALL(build, X(precbld)(b->prec, b->p.a, NULL, NULL))
CALL(renew, X(precupd)(b->prec, b->p.a))

psb_err apply_prec(struct bench *b, const char *arg)
{
    return X(precapply)(b->prec, b->p.b, b->p.x, 'N');
}

static psb_err solve(struct bench *b, const char *arg)
{
    struct psb_solve_result res[MANY];
    return X(solve)(b->p.a, b->p.b, b->p.x, arg, res);
}

static psb_err start_and_end(struct bench *b, const char *arg)
{
    const psb_err e = X(halo_start)(b->p.x, *arg);
    return e == PSB_OK ? X(halo_end)(b->p.x) : e;
}

CALL(combine, X(ovrl)(b->v, PSB_OVRL_SUM))

static psb_err part(struct bench *b, const char *arg)
{
    const psb_lpk i = 0; /* as many rows as processes need no METIS */
    return *arg == 'f'   ? psb_part_file(ctxt, b->p.n, failing_path, &b->desc)
           : *arg == 'g' ? psb_part_graph(ctxt, np, 1, &i, &i, &b->desc)
                         : psb_part_blocks(ctxt, 10, &b->desc);
}

CALL(write_file, *arg == 'v' ? X(mm_vect_write)(failing_path, &b->p.b, 1)
                             : X(mm_sp_write)(failing_path, b->p.a, PSB_MM_GENERAL, "a test"))

/* Read a matrix, or send it from process 0. */
static psb_err new_from(struct bench *b, const char *arg)
{
    psb_desc *col = NULL;
    const psb_err e = *arg == 'h'   ? X(hb_mat_read)(&b->a, &b->desc, &col, ctxt, failing_hb_path)
                      : *arg == 't' ? X(sp_matdist)(&b->a, &b->desc, &col, ctxt, 0, &b->t)
                                    : X(mm_mat_read)(&b->a, &b->desc, &col, ctxt, failing_path);
    if (col != b->desc)
        psb_cdfree(col);
    return e;
}

CALL(read_entries, X(mm_read_all)(failing_path, b->p.desc, NULL, NULL, &b->got))
CALL(read_vector, X(mm_vect_read)(&b->v, 1, b->p.desc, failing_path))
CALL(send_entries, *arg == '0' ? X(matdist)(b->p.desc, 0, &b->t, &b->got) : X(redist)(b->p.desc, &b->t))
CALL(send_vector, X(vecdist)(b->p.desc, atoi(arg), b->p.want, out.t))

const struct call failing_calls[] = {
    { "cdall", "any way", new_desc, NULL, 1, 1 },
    { "cdall_nl", "nl", new_desc, NULL, 1, 1 },
    { "cdall_vl", "list of rows", new_desc, NULL, 1, 1 },
    { "cdall_vg", "global list", new_desc, NULL, 1, 1 },
    { "cdall_repl", "repl", new_desc, NULL, 1, 1 },
    { "cdall_vl_lidx", "order of rows", new_desc, NULL, 1, 1 },
    { "cdall_parts", "function", new_desc, NULL, 1, 1 },
    { "cd_reinit", "", reopen_desc, new_assembled, 1, 1 },
    { "cd_print", "", print_desc, NULL, 1, 1 },
    { "cd_owners", "", owners_of_rows, NULL, 1, 1 },
    { "sum", "short", sum, NULL, 1, 1 },
    { "sum", "long", sum, NULL, 1, 1 },
    { "bcast", "", broadcast, NULL, 1, 1 },
    { "scan_sum", "", scan, NULL, 1, 1 },
    { "nnz", "", count_entries, NULL, 1, 1 },
    { "sp_clean_zeros", "", drop_zeros, NULL, 1, 1 },
    { "sp_prune", "share", prune, NULL, 1, 1 },
    { "sp_prune", "count", prune, NULL, 1, 1 },
    { "sp_renum", "", renumber, NULL, 1, 1 },
    { "sp_cmp", "", compare, NULL, 1, 1 },
    { "sp_cmpval", "value", compare, NULL, 1, 1 },
    { "cdasb", "", assemble_desc, new_matrix, 1, 1 },
    { "spasb", "", assemble_matrix, new_assembled, 1, 1 },
    { "geasb", "", assemble_vector, new_vector, 1, 1 },
    { "spasb2", "halo", assemble_matrix, new_assembled, 1, 1 },
    { "spasb of an update", "", end_update, update, 1, 1 },
    { "spcnv", "COO", to_format, NULL, 1, 1 },
    { "cdbldext", "halo", extend, NULL, 1, 1 },
    { "cdbldext", "overlap", extend, NULL, 1, 1 },
    { "vects_like", "", new_vectors, NULL, 1, 1 },
    { "ge_wrap", "", wrap_vector, NULL, 1, 1 },
    { "sp_coo", "", matrix_of_arrays, new_blocks, 1, 1 },
    { "sp_coo_again", "", values_again, new_matrix_of_arrays, 1, 1 },
    { "sp_csr", "rows", matrix_of_arrays, new_blocks, 1, 1 },
    { "scal_new", "", new_scalar, NULL, 1, 1 },
    { "gather", "-1", collect, NULL, 2, 1 },
    { "gather", "0", collect, NULL, 1, 1 },
    { "scatter", "-1", deal, NULL, 2, 1 },
    { "scatter", "0", deal, NULL, 1, 1 },
    { "spgather", "-1", collect_matrix, NULL, 1, 1 },
    { "spgather", "0", collect_matrix, NULL, 1, 1 },
    { "sphalo", "", fetch_rows, NULL, 1, 1 },
    { "gedot", "", dot, two_vectors, 2, 1 },
    { "gedots", "", many_dots, two_vectors, 1, 1 },
    { "genrm2", "2", norm, NULL, 2, 1 },
    { "geasum", "1", norm, NULL, 1, 1 },
    { "geamax", "m", norm, NULL, 2, 1 },
    { "genrm2_weight", "weight", norm, two_vectors, 2, 1 },
    { "genrm2_weightmask", "id", norm, two_vectors, 1, 1 },
    { CPLX ? "geamax" : "gemin", "m", least, NULL, 2, 1 },
    { CPLX ? "geamax" : "minquotient", "quotient", least, two_vectors, 1, 1 },
    { CPLX ? "geamax" : "mask", "constraint", least, two_vectors, 1, 1 },
    { "spnrm1", "1", norm_of_matrix, NULL, 1, 1 },
    { "spnrmi", "i", norm_of_matrix, NULL, 1, 1 },
    { "sp_maxval", "m", norm_of_matrix, NULL, 1, 1 },
    { "sp_colsum", "", sums_of_columns, NULL, 1, 1 },
    { "sp_aclsum", "absolute", sums_of_columns, NULL, 1, 1 },
    { "sp_transp", "", transpose, NULL, 1, 1 },
    { "spgemm", "NN", multiply_matrices, NULL, 1, 1 },
    { "spgemm", "CN", multiply_matrices, NULL, 1, 1 },
    { "spgemm", "NT", multiply_matrices, NULL, 1, 1 },
    { "spaxpby", "", add_matrices, NULL, 1, 1 },
    { "sp_csclip_list", "", select_lists, NULL, 1, 1 },
    { "sp_kron", "", kronecker, NULL, 1, 1 },
    { "sp_tril", "", triangles, NULL, 1, 1 },
    { "sp_triu", "upper", triangles, NULL, 1, 1 },
    { "sp_csclip", "", clip, NULL, 1, 1 },
    { "sp_clip_diag", "diagonal", clip, NULL, 1, 1 },
    { "spscal", "", scale, NULL, 1, 1 },
    { "spscalv", "L", scale, NULL, 1, 1 },
    { "spscalv", "R", scale, NULL, 1, 1 },
    { "sp_scalpid", "", add_identity, NULL, 1, 1 },
    { "halo", "N", exchange, NULL, 2, 0 },
    { "halo", "T", exchange, NULL, 2, 0 },
    { "halo in two phases", "N", start_and_end, NULL, 1, 0 },
    { "ovrl", "", combine, shared_rows, 1, 0 },
    { "part_blocks", "", part, NULL, 1, 1 },
    { "part_file", "file", part, file_of_owners, 1, 1 },
    { "part_graph", "graph", part, NULL, 1, 1 },
    { "matdist", "0", send_entries, entries, 1, 1 },
    { "redist", "", send_entries, entries, 1, 1 },
    { "sp_matdist", "triplets", new_from, entries, 1, 1 },
    { "vecdist", "0", send_vector, NULL, 1, 1 },
    { "hb_mat_read", "hb", new_from, NULL, 1, 1 },
    { "mm_read_all", "", read_entries, file, 1, 1 },
    { "mm_vect_read", "", read_vector, vector_file, 1, 1 },
    { "mm_vect_write", "vector", write_file, NULL, 1, 1 },
    { "mm_sp_write", "", write_file, NULL, 1, 1 },
    { "mm_mat_read", "", new_from, file, 1, 1 },
    { "spmv", "N", multiply, NULL, 2, 0 },
    { "spmv", "T", multiply, NULL, 2, 0 },
    { "spmm_opt", "N with halo", multiply, NULL, 2, 0 },
    { "spmm_opt", "T with halo", multiply, NULL, 2, 0 },
    { "spmv_fused", "N", multiply_and_sum, NULL, 1, 1 },
    { "spmv_fused", "C", multiply_and_sum, NULL, 1, 1 },
    { "gefused in a scalar", "", sum_in_scalar, scalars, 1, 0 },
    { "spmv_fused in a scalar", "A", sum_in_scalar, scalars, 1, 0 },
    { "precbld", "l1-jacobi", build, no_prec, 1, 1 },
    { "precbld", "bjac", build, no_prec, 1, 1 },
    { "precbld", "bjac(ic0)", build, no_prec, 1, 1 },
    { "precbld", "ras(ilut)", build, no_prec, 1, 1 },
    { "precbld", "ainv", build, no_prec, 1, 1 },
    { "precbld", "chebyshev", build, no_prec, 1, 1 },
    { "precupd", "as", renew, built_prec, 1, 1 },
    { "precupd", "invt", renew, built_prec, 1, 1 },
    { "precapply", "ras", apply_prec, built_prec, 2, 0 },
    { "precapply", "neumann", apply_prec, built_prec, 2, 0 },
    { "precbld", "ssor", build, no_prec, 1, 1 },
    { "precapply", "ssor", apply_prec, built_prec, 2, 0 },
    { "precbld", "amg(coarse=4)", build, no_prec, 1, 1 },
    { "precbld", "amg(aggregation=matching, coarse=4)", build, no_prec, 1, 1 },
    { "precapply", "amg(coarse=4)", apply_prec, built_prec, 2, 0 },
    { "solve", "cg, prec=bjac(ic0)", solve, NULL, 1, 1 },
    { "solve", "cg, prec=as", solve, NULL, MANY, 1 },
    { "solve", "cg, prec=chebyshev", solve, NULL, 2, 1 },
    { "solve", "cg-single, prec=diag", solve, NULL, 2, 1 },
    { "solve", "cg-single, prec=as", solve, NULL, MANY, 1 },
    { "solve", "cg-pipelined, prec=as", solve, NULL, MANY, 1 },
    { "solve", "cg-pipelined, prec=diag", solve, NULL, 2, 1 },
    { "solve", "fcg, restart=3, prec=neumann", solve, NULL, MANY, 1 },
    { "solve", "block-cg, prec=as", solve, NULL, MANY, 1 },
    { "solve", "cgs, prec=ras", solve, NULL, MANY, 1 },
    { "solve", "bicg, prec=ras", solve, NULL, MANY, 1 },
    { "solve", "bicgstab, prec=bjac", solve, NULL, MANY, 1 },
    { "solve", "bicgstab, prec=ras(overlap=2), stop=backward", solve, NULL, 1, 1 },
    { "solve", "bicgstabl, prec=ainv", solve, NULL, MANY, 1 },
    { "solve", "rgmres, restart=3, prec=ras", solve, NULL, MANY, 1 },
    { "solve", "fgmres, restart=3, prec=bjac(sweeps=2)", solve, NULL, MANY, 1 },
    { "solve", "gcr, restart=3, prec=ash", solve, NULL, MANY, 1 },
    { "solve", "minres, prec=as", solve, NULL, MANY, 1 },
    { "solve", "richardson, itmax=5, prec=ras", solve, NULL, MANY, 1 },
    { "sp_gen_pde", "", matrix_of_an_equation, new_blocks, 1, 1 },
};
const int nfailing_calls = sizeof failing_calls / sizeof *failing_calls;
