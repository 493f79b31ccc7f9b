/* check_sp_parts.c -- test: triangles, transposes, clones and entries of distributed matrices; gather
 * and print. */
#include "check_sp.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(triangles)
{
    for (int q = 0; X(mat_format)(q / 2); q++) {
        const int f = q / 2, upper = q % 2, k = f % 5 - 2;
        DISTRIBUTED w = sample_on(kinds[f % KINDS], N, _i, _i + f);
        HEAP struct reference *d = reference_of(w.s), *rest = reference_of(w.s);
        SPMAT *t = NULL, *other = NULL;
        if (!assembled(&w, X(mat_format)(f)))
            continue;
        if (!accepted(upper ? psb_sp_triu(w.a, k, &t, &other) : psb_sp_tril(w.a, k, &t, &other)))
            continue;
        reference_keep_band(d, upper ? k : -MOST, upper ? MOST : k);
        reference_keep_band(rest, upper ? -MOST : k + 1, upper ? k - 1 : MOST);
        EXPECT(t->row == w.row && t->col == w.col && other->row == w.row && other->col == w.col);
        check_matrix(t, d, 2, "a triangle");
        check_matrix(other, rest, 2, "the rest of a triangle");
        check_products(t, d, 2);
    }
}

/* Every third row of the permuted ones, one of them twice, to other owners; all columns permuted; both. */
TEST(selected_rows_and_columns)
{
    for (int f = 0; X(mat_format)(f); f++) {
        DISTRIBUTED w = sample_on(kinds[f % KINDS], N, _i, _i + f);
        HEAP struct reference *d = reference_of(w.s), *rows = calloc(1, sizeof *rows),
                              *both = calloc(1, sizeof *both);
        SPMAT *b = NULL, *c = NULL;
        psb_lpk mine[2][MOST];
        psb_ipk n[2] = { 0, 0 };
        int count[2] = { 0, 0 };
        for (int p = 0; p < np; p++)
            for (int k = p; k < N; k += np) {
                const int row = k * 5 % M, col = k * 8 % N;
                if (k % 3 == 0 && p == me)
                    mine[0][n[0]++] = row;
                if (p == me)
                    mine[1][n[1]++] = col;
                for (int j = 0; k % 3 == 0 && j < N; j++)
                    rows->at[count[0]][j] = d->at[row][j];
                count[0] += k % 3 == 0;
            }
        for (int p = 0; p < np; p++)
            for (int k = p; k < N; k += np, count[1]++)
                for (int i = 0; i < count[0]; i++)
                    both->at[i][count[1]] = rows->at[i][k * 8 % N];
        if (!assembled(&w, X(mat_format)(f)))
            continue;
        if (!accepted(psb_sp_csclip_list(w.a, n[0], mine[0], -1, NULL, &b)))
            continue;
        check_matrix(b, rows, 2, "some rows");
        check_products(b, rows, 2);
        if (accepted(psb_sp_csclip_list(w.a, n[0], mine[0], n[1], mine[1], &c)))
            check_matrix(c, both, 2, "some rows, permuted columns");
        psb_spfree(c);
        c = NULL;
        if (accepted(psb_sp_csclip_list(b, -1, NULL, n[1], mine[1], &c))) {
            check_matrix(c, both, 2, "permuted columns");
            check_products(c, both, 2);
        }
        struct X(spmat) *none = NULL;
        BAD(psb_sp_csclip_list(b, -1, NULL, -1, NULL, &none), PSB_EARG, "expected one list at least");
        mine[1][0] = N;
        if (n[1] > 0)
            BAD(psb_sp_csclip_list(b, -1, NULL, n[1], mine[1], &none), PSB_EARG, "37");
        EXPECT(!none);
    }
}

TEST(kronecker_products)
{
    enum { K = 2, L = 1, FEW_ROWS = 20 };
    const T block[4] = { 2, -1, 0.5, 0 };
    for (int f = 0; X(mat_format)(f); f++)
        for (int square = 0; square < 2; square++) {
            const int l = square ? K : L, dist = _i % DISTRIBUTIONS;
            DISTRIBUTED w = distribute(kinds[f % KINDS], FEW_ROWS, square ? FEW_ROWS : N,
                                       (enum distribution)dist,
                                       (enum distribution)(square ? dist : (_i + f) % DISTRIBUTIONS));
            HEAP struct reference *d = reference_of(w.s), *want = calloc(1, sizeof *want);
            SPMAT *b = NULL;
            for (int i = 0; i < FEW_ROWS * K; i++)
                for (int j = 0; j < (square ? FEW_ROWS : N) * l; j++) {
                    const struct cell *c = &d->at[i / K][j / l];
                    const T v = block[i % K * l + j % l];
                    want->at[i][j] = (struct cell){ c->v * v, c->size * ABS(v), c->n };
                }
            if (!assembled(&w, X(mat_format)(f)) || !accepted(psb_sp_kron(w.a, K, l, block, &b)))
                continue;
            EXPECT(!square || b->row == b->col);
            check_matrix(b, want, 4, "a Kronecker product");
            check_products(b, want, 4);
            struct X(spmat) *none = NULL;
            BAD(psb_sp_kron(w.a, 0, l, block, &none), PSB_EARG, "arguments k and l are 0");
            if (np > 1)
                BAD(psb_sp_kron(w.a, K, 1 + me % 2, block, &none), PSB_EARG, "expected the same on all");
            EXPECT(!none);
        }
}

TEST(transpose)
{
    for (int f = 0; X(mat_format)(f); f++) {
        int square = f % 3 == 0;
        DISTRIBUTED w = sample_on(kinds[f % KINDS], square ? M : N, _i, _i + (square ? 0 : f));
        HEAP struct reference *d = reference_of(w.s), *t = reference_transposed(d, f % 2);
        SPMAT *b = NULL;
        if (!assembled(&w, X(mat_format)(f)))
            continue;
        if (!accepted(f % 2 ? psb_sp_transc(w.a, &b) : psb_sp_transp(w.a, &b)))
            continue;
        EXPECT(square ? b->row == b->col : b->row == w.col);
        check_matrix(b, t, 2, "a transpose");
        check_products(b, t, 2);
    }
    /* The transpose of a symmetric pattern is on the same descriptor. */
    DISTRIBUTED w = sample_on(TRIDIAG, M, _i, _i);
    SPMAT *b = NULL;
    GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    GOOD(psb_sp_transp(w.a, &b));
    EXPECT(b->row == w.row && b->col == w.row);
}

TEST(clone)
{
    for (int f = 0; X(mat_format)(f); f++) {
        DISTRIBUTED w = sample_on(SPREAD, N, _i, _i + f);
        HEAP struct reference *d = reference_of(w.s), *a = reference_of(w.s);
        SPMAT *b = NULL;
        if (!assembled(&w, X(mat_format)(f)))
            continue;
        GOOD(psb_sp_set_symmetric(w.a, 1));
        GOOD(psb_sp_clone(w.a, &b));
        EXPECT(psb_sp_is_symmetric(b) && !psb_sp_is_triangle(b));
        GOOD(psb_spscal(2, b));
        reference_scale(d, 2, NULL, NULL);
        check_matrix(b, d, 2, "a clone");
        check_matrix(w.a, a, 0, "the cloned");
        psb_spfree(w.a);
        psb_cdfree(w.row);
        psb_cdfree(w.col);
        w.a = NULL;
        w.row = w.col = NULL;
        check_products(b, d, 2);
        GOOD(psb_sp_cscnv(b, &X(csc_mold).mat));
        check_matrix(b, d, 2, "a clone");
    }
}

TEST(row_entries_in_global_indices)
{
    for (int f = 0; X(mat_format)(f); f++) {
        DISTRIBUTED w = sample_on(DENSE_ROW, N, _i, _i + f);
        HEAP struct reference *d = reference_of(w.s);
        int base = f % 2;
        int accepted = assembled(&w, X(mat_format)(f));
        GOOD(psb_set_index_base(base));
        for (psb_ipk l = 0; accepted && l < psb_cd_local_rows(w.row); l++) {
            psb_lpk ia[MOST], ja[MOST], g = psb_loc_to_glob(w.row, l) - base;
            T val[MOST];
            psb_epk n = -1, m = -1;
            int stored = 0;
            for (int j = 0; j < MOST; j++)
                stored += d->at[g][j].n > 0;
            GOOD(psb_sp_csget(w.a, l, 0, NULL, NULL, NULL, &m));
            GOOD(psb_sp_csget(w.a, l, MOST, ia, ja, val, &n));
            EXPECT(n == stored && m == n);
            for (psb_epk k = 0; k < n; k++)
                EXPECT(ia[k] == g + base && d->at[g][ja[k] - base].n &&
                       within(val[k], &d->at[g][ja[k] - base], 2));
            if (n > 0) {
                char text[64];
                snprintf(text, sizeof text, "the %d entries of row %d", (int)n, (int)l);
                BAD(psb_sp_csget(w.a, l, n - 1, ia, NULL, NULL, &m), PSB_EARG, text);
            }
        }
        GOOD(psb_set_index_base(0));
    }
}

/* --- blocks, and all but the diagonal --- */

static void reference_clip(struct reference *d, int imin, int imax, int jmin, int jmax)
{
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++)
            if (i < imin || i >= imax || j < jmin || j >= jmax)
                d->at[i][j] = (struct cell){ 0 };
}

TEST(blocks)
{
    static const int range[][4] = { { 0, M, 0, N }, { 3, 30, 8, 20 }, { 7, 7, 0, N }, { 5, 6, N - 1, N } };
    for (int f = 0; X(mat_format)(f); f++) {
        const int *r = range[f % 4], base = f % 2;
        DISTRIBUTED w = sample_on(kinds[f % KINDS], N, _i, _i + f);
        HEAP struct reference *d = reference_of(w.s), *all = reference_of(w.s);
        SPMAT *b = NULL;
        if (assembled(&w, X(mat_format)(f))) {
            GOOD(psb_set_index_base(base));
            psb_err e = psb_sp_csclip(w.a, r[0] + base, r[1] + base, r[2] + base, r[3] + base, &b);
            GOOD(psb_set_index_base(0));
            reference_clip(d, r[0], r[1], r[2], r[3]);
            if (accepted(e)) {
                EXPECT(b->row == w.row && b->col == w.col);
                check_matrix(b, d, 2, "a block");
                check_products(b, d, 2);
            }
            check_matrix(w.a, all, 2, "the matrix after csclip");
        }
    }
}

TEST(all_but_the_diagonal)
{
    for (int f = 0; X(mat_format)(f); f++) {
        DISTRIBUTED w = sample_on(kinds[f % KINDS], M, _i, _i + f % 2);
        HEAP struct reference *d = reference_of(w.s);
        SPMAT *b = NULL;
        if (assembled(&w, X(mat_format)(f))) {
            for (int i = 0; i < MOST; i++)
                d->at[i][i] = (struct cell){ 0 };
            if (accepted(psb_sp_clip_diag(w.a, &b))) {
                check_matrix(b, d, 2, "all but the diagonal");
                check_products(b, d, 2);
            }
        }
    }
}

/* --- local rows --- */

/* The global columns reached from global row g in at most lev steps through rows of this process. */
static void reach(const psb_desc *row, const struct reference *d, psb_lpk g, int lev, int *reached)
{
    for (int j = 0; j < MOST; j++) {
        psb_ipk l = psb_glob_to_loc(row, j);
        if (!d->at[g][j].n)
            continue;
        reached[j] = 1;
        if (lev > 1 && l >= 0 && l < psb_cd_local_rows(row))
            reach(row, d, j, lev - 1, reached);
    }
}

static void check_neighbours(const struct distributed *w, const struct reference *d, psb_ipk l, int lev)
{
    int reached[MOST] = { 0 }, count = 0;
    psb_ipk *idx = NULL, n = -1;
    reach(w->row, d, psb_loc_to_glob(w->row, l), lev, reached);
    for (int j = 0; j < MOST; j++)
        count += reached[j];
    GOOD(psb_sp_get_neigh(w->a, l, lev, &idx, &n));
    EXPECT(n == count);
    for (psb_ipk k = 0; k < n; k++)
        EXPECT(reached[psb_loc_to_glob(w->col, idx[k])] && (k == 0 || idx[k - 1] < idx[k]));
    psb_free(idx);
}

TEST(rows_and_their_neighbours)
{
    for (int f = 0; X(mat_format)(f); f++) {
        int square = f % 2;
        DISTRIBUTED w = sample_on(kinds[f % KINDS], square ? M : N, _i, _i + (square ? 0 : f));
        HEAP struct reference *d = reference_of(w.s);
        int accepted = assembled(&w, X(mat_format)(f));
        for (psb_ipk l = 0; accepted && l < psb_cd_local_rows(w.row); l++) {
            psb_epk nz = -1, m = -2;
            GOOD(psb_sp_get_nz_row(w.a, l, &nz));
            GOOD(psb_sp_csget(w.a, l, 0, NULL, NULL, NULL, &m));
            EXPECT(nz == m);
            check_neighbours(&w, d, l, 1);
            if (square && l % 5 == 0)
                check_neighbours(&w, d, l, 2 + l % 2);
        }
    }
}

/* Add the rows of a local matrix, in global numbers, to d. */
static void add_part(const struct distributed *w, const struct X(mat) *part, const psb_ipk *rows,
                     psb_ipk shift, struct reference *d)
{
    struct X(csr_mat) *c = (struct X(csr_mat) *)part;
    const psb_epk *irp;
    const psb_ipk *ja;
    const T *val;
    GOOD(psb_dual_read(&c->irp, PSB_HOST, &irp));
    GOOD(psb_dual_read(&c->ja, PSB_HOST, &ja));
    GOOD(psb_dual_read(&c->val, PSB_HOST, &val));
    for (psb_ipk i = 0; i < psb_mat_get_nrows(part); i++)
        for (psb_epk k = irp[i]; k < irp[i + 1]; k++)
            add_cell(
                &d->at[psb_loc_to_glob(w->row, rows ? rows[i] : i)][psb_loc_to_glob(w->col, ja[k] + shift)],
                val[k]);
}

TEST(local_matrices)
{
    DISTRIBUTED w = sample_on(SPREAD, N, _i, _i + 3);
    HEAP struct reference *d = calloc(1, sizeof *d);
    const struct X(mat) *own = NULL, *halo = NULL;
    const psb_ipk *rows = NULL;
    GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
    GOOD(psb_sp_local(w.a, &own, &halo, &rows));
    EXPECT(psb_mat_get_nrows(own) == psb_cd_local_rows(w.row));
    EXPECT(psb_mat_get_nzeros(own) + psb_mat_get_nzeros(halo) == psb_sp_nnz(w.a));
    add_part(&w, own, NULL, 0, d);
    add_part(&w, halo, rows, psb_cd_local_rows(w.col), d);
    check_matrix(w.a, d, 2, "the local matrices");
    GOOD(psb_sp_local(w.a, NULL, NULL, NULL));
}

/* --- gather and print --- */

TEST(gather)
{
    for (int f = 0; X(mat_format)(f); f++) {
        DISTRIBUTED w = sample_on(kinds[f % KINDS], N, _i, _i + f);
        HEAP struct reference *d = reference_of(w.s);
        int root = f % (np + 1) - 1;
        struct X(mat) *m = (struct X(mat) *)&w;
        if (assembled(&w, X(mat_format)(f))) {
            if (!accepted(psb_spgather(w.a, X(mat_format)(f), &m, root)))
                GOOD(psb_spgather(w.a, NULL, &m, root));
            if (root < 0 || root == me)
                check_whole(m, d, M, N);
            else
                EXPECT(m == NULL);
            X(mat_free)(m);
            GOOD(psb_spgather(w.a, NULL, me == 0 ? &m : NULL, 0));
            if (me == 0) {
                EXPECT(strcmp(m->ops->fmt, "COO") == 0);
                check_whole(m, d, M, N);
                X(mat_free)(m);
            }
        }
    }
}

/* Check the header and every entry of the file. */
static void check_file(FILE *f, const struct reference *d, int m, int n)
{
    char line[200];
    int rows = 0, cols = 0, nz = 0, found = 0, stored = 0;
    rewind(f);
    EXPECT(fgets(line, sizeof line, f) && strstr(line, "%%MatrixMarket matrix coordinate ") == line);
    EXPECT(strstr(line, CPLX ? "complex general" : "real general") != NULL);
    EXPECT(fgets(line, sizeof line, f) && strcmp(line, "% a header\n") == 0);
    EXPECT(fgets(line, sizeof line, f) && sscanf(line, "%d %d %d", &rows, &cols, &nz) == 3);
    EXPECT(rows == m && cols == n);
    while (fgets(line, sizeof line, f)) {
        int i = 0, j = 0;
        double re = 0, im = 0;
        EXPECT(sscanf(line, "%d %d %lf %lf", &i, &j, &re, &im) == (CPLX ? 4 : 3));
        EXPECT(i >= 1 && i <= m && j >= 1 && j <= n);
        if (i < 1 || i > m || j < 1 || j > n)
            return;
        EXPECT(d->at[i - 1][j - 1].n && within(MAKE(re, im), &d->at[i - 1][j - 1], 2));
        found++;
    }
    for (int i = 0; i < MOST * MOST; i++)
        stored += (&d->at[0][0])[i].n > 0;
    EXPECT(found == stored && nz == stored);
}

TEST(print)
{
    for (int k = 0; k < KINDS; k++) {
        DISTRIBUTED w = sample_on(kinds[k], N, _i, _i + k);
        HEAP struct reference *d = reference_of(w.s);
        FILE *f = me == 0 ? tmpfile() : NULL;
        GOOD(psb_spasb(w.a, &X(csr_mold).mat, PSB_DUPL_ADD));
        GOOD(psb_sp_print(w.a, f, "a header"));
        if (f)
            check_file(f, d, M, N);
        if (f)
            fclose(f);
    }
}

/* More entries on each process than fit in one message; then a stream on which writing fails. */
TEST(print_of_many_entries)
{
    enum { ROWS = 3000 };
    DESC *d = NULL;
    SPMAT *a = NULL;
    FILE *f = me == 0 ? tmpfile() : NULL;
    GOOD(psb_cdall_nl(&d, ctxt, ROWS));
    GOOD(psb_spall(&a, d, 2 * ROWS));
    for (psb_lpk i = me * ROWS; i < (me + 1) * ROWS; i++) {
        psb_lpk ia[] = { i, i }, ja[] = { i, (i + ROWS) % (ROWS * np) };
        T val[] = { (R)i, (R)-i };
        GOOD(psb_spins(2, ia, ja, val, a));
    }
    GOOD(psb_cdasb(d));
    GOOD(psb_spasb(a, &X(csr_mold).mat, PSB_DUPL_ADD));
    GOOD(psb_sp_print(a, f, NULL));
    if (f) {
        char line[200];
        long lines = 0, right = 0, nz = 0;
        rewind(f);
        EXPECT(fgets(line, sizeof line, f) && fgets(line, sizeof line, f));
        EXPECT(sscanf(line, "%*d %*d %ld", &nz) == 1);
        for (long i, j; fgets(line, sizeof line, f); lines++) {
            double v;
            right += sscanf(line, "%ld %ld %lf", &i, &j, &v) == 3 &&
                     (np == 1 ? v == 0 : v == (i == j ? (double)(i - 1) : (double)(1 - i)));
        }
        EXPECT(lines == nz && right == lines && nz == (np == 1 ? 1 : 2) * (long)np * ROWS);
        fclose(f);
    }
    f = me == 0 ? fopen("/dev/full", "w") : NULL;
    if (collective_count(f != NULL)) {
        BAD(psb_sp_print(a, f, NULL), PSB_EIO, "cannot write a matrix");
        GOOD(psb_barrier(ctxt));
    }
    if (f)
        fclose(f);
}

void sp_parts_tests(Suite *s)
{
    TCase *c = collective_tcase(s, "parts");
    ck_add_sampled_tests(c, DISTRIBUTIONS, triangles, selected_rows_and_columns, kronecker_products,
                         transpose, clone, row_entries_in_global_indices, blocks, all_but_the_diagonal,
                         rows_and_their_neighbours, local_matrices, gather, print);
    ck_add_tests(c, print_of_many_entries);
}
