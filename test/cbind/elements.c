/* elements.c -- test/cbind: the calls that a finite-element library makes, in its order: a descriptor
 * from owned and ghost indices with local numbers given, vectors used before they are assembled, insertion
 * after assembly, elements read and written through f_get_pnt, halo updates, matrices from a pattern,
 * refills, products of vectors on descriptors of their own. */
#include "program.h"

enum { N = 24 };

/* A vector of the rows here, on a descriptor of its own, as it is made without ghosts. */
static P(vector) * new_vector(psb_c_descriptor *cd)
{
    psb_l_t vl[N];
    P(vector) *x = NEW(vector)();
    for (psb_l_t g = first; g < last; g++)
        vl[g - first] = g;
    NEED(psb_c_cdall_vl((psb_i_t)(last - first), vl, *program_ctxt, cd) == 0);
    NEED(P(geall_remote_options)(x, cd, PSB_MATBLD_REMOTE, PSB_DUPL_DEF) == 0);
    NEED(P(vect_set_scal)(x, 0) == 0);
    return x;
}

/* The same with the neighbours' rows as ghosts, under numbers that the program gives. */
static P(vector) * new_ghosted(psb_c_descriptor *cd, psb_i_t *ghosts, int reversed)
{
    psb_l_t vl[N], ghost[2];
    psb_i_t lidx[N], numbers[2], n = (psb_i_t)(last - first), k = 0;
    P(vector) *x = NEW(vector)();
    for (psb_i_t i = 0; i < n; i++) {
        vl[i] = first + i;
        lidx[i] = i;
    }
    NEED(psb_c_cdall_vl_lidx(n, vl, lidx, *program_ctxt, cd) == 0);
    if (first > 0)
        ghost[k++] = first - 1;
    if (last < N)
        ghost[k++] = last;
    for (psb_i_t i = 0; i < k; i++)
        numbers[i] = n + (reversed ? k - 1 - i : i);
    NEED(psb_c_cdins_lidx(k, ghost, numbers, cd) == 0);
    NEED(P(geall_remote_options)(x, cd, PSB_MATBLD_REMOTE, PSB_DUPL_DEF) == 0);
    NEED(psb_c_cdasb_format(cd, "CPU") == 0);
    *ghosts = k;
    return x;
}

static void compress(P(vector) * x, psb_c_descriptor *cd, psb_i_t dupl)
{
    if (!psb_c_cd_is_asb(cd))
        NEED(psb_c_cdasb_format(cd, "CPU") == 0);
    NEED(P(geasb_options_format)(x, cd, dupl, "CPU") == 0);
}

static void set(P(vector) * x, psb_c_descriptor *cd, psb_l_t g, double v, psb_i_t mode)
{
    const scalar s = (scalar)v;
    NEED(P(geins_options)(1, &g, &s, x, cd, mode) == 0);
}

/* Insertion, also of rows of other processes, before and after assembly. */
static void insertion(P(vector) * x, psb_c_descriptor *cd)
{
    const psb_l_t next = last % N, one = first;
    const scalar v = 1;
    for (psb_l_t g = first; g < last; g++)
        set(x, cd, g, (double)g, PSB_INSERT_VALUES);
    NEED(P(geins_options)(1, &one, &v, x, cd, PSB_ADD_VALUES) == PSB_ERR_MODE_MISMATCH);
    compress(x, cd, PSB_DUPL_DEF);
    NEED(near(P(geasum)(x, cd), N * (N - 1) / 2));
    set(x, cd, next, 100, PSB_ADD_VALUES); /* without a word about it before */
    set(x, cd, first, 10, PSB_ADD_VALUES);
    NEED(P(vect_set_entry)(x, 1, 5) == 0 && near(P(vect_get_entry)(x, 1), 5));
    NEED(P(setelem)(first + 1, (scalar)(double)(first + 1), x, cd) == 0);
    compress(x, cd, PSB_DUPL_ADD);
    NEED(near(P(getelem)(x, first, cd), (double)first + 110));
    NEED(near(P(geasum)(x, cd), N * (N - 1) / 2 + 110 * program_np));
    NEED(P(gereinit)(x, cd, true) == 0);
    set(x, cd, next, 3, PSB_INSERT_VALUES);
    compress(x, cd, PSB_DUPL_DEF);
    NEED(near(P(geasum)(x, cd), 3 * program_np));
    NEED(P(vect_reinit)(x, false) == 0);
    set(x, cd, next, 4, PSB_ADD_VALUES);
    compress(x, cd, PSB_DUPL_DEF);
    NEED(near(P(geasum)(x, cd), 7 * program_np));
}

/* The address stays, writes count, and what calls compute is seen there. */
static void pointers(P(vector) * x, psb_c_descriptor *cd)
{
    const psb_i_t n = (psb_i_t)(last - first);
    scalar *p = P(vect_f_get_pnt)(x);
    NEED(p != NULL);
    for (psb_i_t i = 0; i < n; i++)
        p[i] = (scalar)(double)(first + i);
    NEED(near(P(geasum)(x, cd), N * (N - 1) / 2));
    NEED(P(geaxpby)(1, x, 1, x, cd) == 0);
    NEED(near(p[0], 2 * (double)first) && near(p[n - 1], 2 * (double)(last - 1)));
    p[0] = (scalar)(-1);
    NEED(near(P(getelem)(x, first, cd), -1));
    NEED(P(vect_set_scal)(x, 2) == 0 && near(p[n - 1], 2));
    p[0] = 3;
    NEED(near(P(geasum)(x, cd), 2 * N + program_np));
    NEED(P(vect_f_get_pnt)(x) == p);
}

/* A vector with ghosts is written through the pointer and never assembled by the program; the ghosts have the
 * program's numbers, ascending or descending. */
static void ghosts(int reversed)
{
    psb_c_descriptor *cd = psb_c_new_descriptor();
    psb_l_t index[N];
    psb_i_t k, n = (psb_i_t)(last - first);
    P(vector) *x = new_ghosted(cd, &k, reversed);
    const psb_i_t left = n + (reversed ? k - 1 : 0), right = n + (reversed ? 0 : k - 1);
    NEED(P(gereinit)(x, cd, true) == 0);
    scalar *p = P(vect_f_get_pnt)(x);
    for (psb_i_t i = 0; i < n; i++)
        p[i] = (scalar)(double)(first + i);
    NEED(P(halo)(x, cd) == 0);
    p = P(vect_f_get_pnt)(x);
    NEED(P(vect_get_nrows)(x) == n + k);
    NEED(psb_c_cd_get_global_indices(index, n + k, false, cd) == 0);
    if (first > 0)
        NEED(near(p[left], (double)first - 1) && index[left] == first - 1 &&
             psb_c_g2l(cd, first - 1, false) == left);
    if (last < N)
        NEED(near(p[right], (double)last) && index[right] == last && psb_c_g2l(cd, last, false) == right);
    scalar *copy = P(vect_get_cpy)(x);
    for (psb_i_t i = 0; i < n + k; i++)
        NEED(near(copy[i], (double)index[i]) && near(P(vect_get_entry)(x, i), (double)index[i]));
    free(copy);
    p[0] = 50;
    NEED(P(halo)(x, cd) == 0);
    if (last < N)
        NEED(near(p[right], 50)); /* the address is still that of the elements */
    NEED(P(gefree)(x, cd) == 0);
    free(x);
    drop_descriptor(cd);
}

/* A chain: elements g, g + 1 add [1 -1; -1 1], by the process that owns g, also to rows of the next one. */
static void add_elements(P(spmat) * a, psb_c_descriptor *cd, double factor)
{
    for (psb_l_t g = first; g < last && g + 1 < N; g++) {
        const psb_l_t row[4] = { g, g, g + 1, g + 1 }, col[4] = { g, g + 1, g, g + 1 };
        const scalar v[4] = { (scalar)factor, (scalar)(-factor), (scalar)(-factor), (scalar)factor };
        NEED(P(spins)(4, row, col, v, a, cd) == 0);
    }
}

static void matrices(void)
{
    psb_c_descriptor *cd = psb_c_new_descriptor(), *dx = psb_c_new_descriptor(), *dy = psb_c_new_descriptor();
    psb_l_t vl[N];
    P(spmat) *a = NEW(spmat)();
    for (psb_l_t g = first; g < last; g++)
        vl[g - first] = g;
    NEED(psb_c_cdall_vl((psb_i_t)(last - first), vl, *program_ctxt, cd) == 0);
    for (psb_l_t g = first; g < last; g++) {
        const psb_l_t row[3] = { g, g, g }, col[3] = { g > 0 ? g - 1 : g, g, g + 1 < N ? g + 1 : g };
        NEED(psb_c_cdins(3, row, col, cd) == 0);
    }
    NEED(psb_c_cdasb(cd) == 0 && P(spall_remote)(a, cd) == 0);
    add_elements(a, cd, 1);
    NEED(!P(is_matasb)(a, cd));
    NEED(P(spasb)(a, cd) == 0);
    NEED(P(nnz)(a, cd) == 3 * N - 2);
    NEED(near(P(matgetelem)(a, first, first, cd), first == 0 ? 1 : 2));

    P(vector) *x = new_vector(dx), *y = new_vector(dy);
    for (psb_l_t g = first; g < last; g++)
        set(x, dx, g, (double)(g * g), PSB_INSERT_VALUES);
    compress(x, dx, PSB_DUPL_DEF);
    for (int refill = 1; refill < 4; refill++) {
        NEED(P(spmm)(1, a, x, 0, y, cd) == 0); /* y has never been assembled */
        for (psb_l_t g = first; g < last; g++) {
            const double must = g == 0 ? -1 : g == N - 1 ? 2 * N - 3 : -2;
            NEED(near(P(getelem)(y, g, dy), refill * must));
        }
        NEED(P(sprn)(a, cd, true) == 0 && P(is_matupd)(a, cd));
        add_elements(a, cd, refill + 1);
        NEED(P(set_matasb)(a, cd) == 0 && P(is_matasb)(a, cd));
    }
    NEED(P(geaxpby)(2, x, 0, y, dy) == 0); /* on two descriptors */
    NEED(near(P(geamax)(y, dy), 2.0 * (N - 1) * (N - 1)));
    insertion(x, dx);
    pointers(x, dx);
    pointers(y, dy);
    NEED(P(spmm)(1, a, x, 0, y, cd) == 0);
    P(vector) *z = NEW(vector)();
    NEED(P(vect_clone)(x, z) == 0);
    NEED(P(geaxpby)(-1, x, 1, z, dx) == 0 && near(P(genrm2)(z, dx), 0));
    NEED(P(gefree)(z, dx) == 0 && P(gefree)(x, dx) == 0 && P(gefree)(y, dy) == 0);
    NEED(P(gefree)(x, dx) != 0); /* has been freed */
    NEED(P(spfree)(a, cd) == 0);
    NEED(psb_c_cdfree(cd) == 0 && psb_c_cdfree(dx) == 0 && psb_c_cdfree(dy) == 0);
    free(a);
    free(x);
    free(y);
    free(z);
    psb_c_delete_descriptor(cd);
    psb_c_delete_descriptor(dx);
    psb_c_delete_descriptor(dy);
}

/* The last process owns all rows; the others pass NULL for empty lists. */
static void processes_without_rows(void)
{
    psb_c_descriptor *cd = psb_c_new_descriptor();
    P(vector) *x = NEW(vector)();
    psb_l_t vl[N];
    psb_i_t lidx[N];
    const int all = program_me == program_np - 1;
    for (int i = 0; i < N; i++) {
        vl[i] = i;
        lidx[i] = N - 1 - i;
    }
    NEED(psb_c_cdall_vl_lidx(all ? N : 0, all ? vl : NULL, all ? lidx : NULL, *program_ctxt, cd) == 0);
    NEED(psb_c_cdins_lidx(0, NULL, NULL, cd) == 0 && P(geall_remote)(x, cd) == 0 && psb_c_cdasb(cd) == 0);
    NEED(P(vect_set_scal)(x, 4) == 0 && P(vect_f_get_pnt)(x) != NULL);
    NEED(near(P(geasum)(x, cd), 4 * N));
    if (all)
        NEED(psb_c_g2l(cd, 0, true) == N - 1);
    NEED(P(gefree)(x, cd) == 0 && psb_c_cdfree(cd) == 0);
    free(x);
    psb_c_delete_descriptor(cd);
}

int main(void)
{
    begin();
    block(N, program_me, program_np, &first, &last);
    psb_c_set_index_base(0);
    matrices();
    ghosts(0);
    ghosts(1);
    processes_without_rows();
    psb_c_check_error(*program_ctxt);
    return end();
}
