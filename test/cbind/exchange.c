/* exchange.c -- test/cbind: halo, gather, scatter, broadcasts; rows of other processes; overlap;
 * indices from 1. */
#include "program.h"

enum { N = 30 };

/* A ring: row g uses g - 1 and g + 1. */
static void ring(void)
{
    const int base = psb_c_get_index_base();
    psb_i_t vg[N];
    for (int p = 0; p < program_np; p++) {
        block(N, p, program_np, &first, &last);
        for (psb_l_t g = first; g < last; g++)
            vg[g] = p;
    }
    cd = psb_c_new_descriptor();
    NEED(psb_c_cdall_vg(N, vg, *program_ctxt, cd) == 0);
    block(N, program_me, program_np, &first, &last);
    for (psb_l_t g = first; g < last; g++) {
        const psb_l_t row[2] = { g + base, g + base },
                      col[2] = { (g + N - 1) % N + base, (g + 1) % N + base };
        NEED(psb_c_cdins(2, row, col, cd) == 0);
    }
    NEED(!psb_c_cd_is_asb(cd));
    NEED(psb_c_cdasb(cd) == 0);
    NEED(psb_c_cd_is_asb(cd));
    NEED(psb_c_cd_get_global_rows(cd) == N && psb_c_cd_get_global_cols(cd) == N);
    NEED(psb_c_cd_get_local_rows(cd) == last - first);
}

static void halo_and_gather(void)
{
    ring();
    const int base = psb_c_get_index_base();
    const psb_i_t rows = psb_c_cd_get_local_rows(cd), cols = psb_c_cd_get_local_cols(cd);
    psb_l_t index[N + 2];
    P(vector) *x = NEW(vector)();
    NEED(psb_c_cd_get_global_indices(index, cols, false, cd) == 0 && P(geall)(x, cd) == 0);
    for (psb_i_t i = 0; i < rows; i++) {
        const scalar v = (scalar)(double)(index[i] - base);
        NEED(psb_c_is_owned(index[i], cd));
        NEED(psb_c_g2l(cd, index[i], true) == i + base);
        NEED(P(geins)(1, &index[i], &v, x, cd) == 0);
    }
    for (psb_i_t i = rows; i < cols; i++) {
        NEED(!psb_c_is_owned(index[i], cd) && psb_c_g2l(cd, index[i], true) == -1);
        NEED(psb_c_g2l(cd, index[i], false) == i + base);
    }
    NEED(P(geasb)(x, cd) == 0);
    NEED(P(vect_get_nrows)(x) == cols);
    NEED(P(halo)(x, cd) == 0);
    scalar *local = P(vect_get_cpy)(x);
    for (psb_i_t i = 0; i < cols; i++)
        NEED(near(local[i], (double)(index[i] - base)) &&
             near(P(getelem)(x, index[i], cd), (double)(index[i] - base)));
    free(local);

    NEED(P(halo_opt)(x, cd, (char *)psb_NoTrans_, psb_swap_send_) == 0);
    NEED(P(halo_opt)(x, cd, (char *)psb_NoTrans_, psb_swap_recv_) == 0);
    scalar *seen = P(vect_f_get_pnt)(x);
    for (psb_i_t i = rows; i < cols; i++)
        seen[i] = -1;
    NEED(P(halo_opt)(x, cd, (char *)psb_NoTrans_, psb_swap_send_) == 0);
    NEED(P(halo_opt)(x, cd, (char *)psb_NoTrans_, psb_swap_recv_) == 0);
    for (psb_i_t i = 0; i < cols; i++)
        NEED(near(seen[i], (double)(index[i] - base)));
    scalar *all = P(vgather)(x, cd);
    for (int g = 0; g < N; g++)
        NEED(near(all[g], g));
    for (int g = 0; g < N; g++)
        all[g] = (scalar)(2 * g);
    NEED(P(vscatter)(N, all, x, cd) == 0);
    free(all);
    for (psb_i_t i = 0; i < rows; i++)
        NEED(near(P(getelem)(x, index[i], cd), 2 * (double)(index[i] - base)));
    NEED(near(P(gedot)(x, x, cd), 4.0 * (N - 1) * N * (2 * N - 1) / 6));
    NEED(near(P(geasum)(x, cd), (double)N * (N - 1)) && near(P(geamax)(x, cd), 2 * N - 2));
    drop(x);
    drop_descriptor(cd);
}

/* Every process inserts 1 in each row of a vector, and 1 in each entry of the ring's matrix. */
static void rows_of_others(void)
{
    ring();
    P(vector) *x = NEW(vector)(), *y = NEW(vector)();
    P(spmat) *a = NEW(spmat)();
    NEED(P(geall_remote)(x, cd) == 0 && P(geall)(y, cd) == 0 && P(spall_remote)(a, cd) == 0);
    NEED(P(spall_remote)(a, cd) == PSB_ERR_ERROR); /* the handle has a matrix */
    for (psb_l_t g = 0; g < N; g++) {
        const int base = psb_c_get_index_base();
        const psb_l_t row[2] = { g + base, g + base }, col[2] = { g + base, (g + 1) % N + base };
        const scalar v[2] = { 1, 2 };
        NEED(P(geins)(1, row, v, x, cd) == 0 && P(geins)(1, row, v, y, cd) == 0);
        NEED(P(spins)(2, row, col, v, a, cd) == 0);
    }
    NEED(P(geasb)(x, cd) == 0 && P(geasb)(y, cd) == 0);
    NEED(P(is_matbld)(a, cd) && !P(is_matasb)(a, cd));
    NEED(P(spasb)(a, cd) == 0);
    NEED(P(is_matasb)(a, cd));
    NEED(P(nnz)(a, cd) == 2 * N);
    NEED(near(P(geamax)(x, cd), program_np) && near(P(geasum)(x, cd), (double)N * program_np));
    NEED(near(P(geasum)(y, cd), N)); /* rows of others were dropped */
    NEED(P(gereinit)(y, cd, true) == 0);
    for (psb_l_t g = 0; g < N; g++) {
        const psb_l_t row = g + psb_c_get_index_base();
        const scalar v = 2;
        NEED(P(geins_add)(1, &row, &v, y, cd) == 0);
    }
    NEED(P(geasb)(y, cd) == 0);
    NEED(near(P(geasum)(y, cd), 2.0 * N * program_np)); /* they were sent */
    NEED(P(spmm)(1, a, x, 0, y, cd) == 0);
    NEED(near(P(geasum)(y, cd), 3.0 * N * program_np * program_np));
    NEED(P(spmm_opt)(1, a, x, 0, y, cd, (char *)psb_Trans_, true) == 0);
    NEED(near(P(geamax)(y, cd), 3.0 * program_np * program_np));

    /* The whole matrix here, and a copy. */
    P(spmat) *whole = P(spgather)(a, cd), *copy = NEW(spmat)();
    NEED(whole && P(mat_get_nrows)(whole) == N && P(mat_get_ncols)(whole) == N);
    NEED(P(copy_mat)(a, copy, cd) == 0);
    NEED(P(gecmpmat)(a, copy, 0, cd));
    NEED(P(spscal)(2, copy, cd) == 0);
    NEED(!P(gecmpmat)(a, copy, 0, cd));
    NEED(P(spaxpby)(1, copy, -1, a, cd) == 0);
    NEED(P(gecmpmat)(a, copy, 0, cd) && P(nnz)(copy, cd) == 2 * N);
    drop_matrix(whole);
    drop_matrix(copy);
    drop_matrix(a);
    drop(x);
    drop(y);
    drop_descriptor(cd);
}

/* Each process owns its block and the first row of the next one. */
static void overlap(void)
{
    P(vector) *x = NEW(vector)();
    psb_l_t mine[N];
    psb_i_t n = 0;
    cd = psb_c_new_descriptor();
    block(N, program_me, program_np, &first, &last);
    for (psb_l_t g = first; g < last + (last < N); g++)
        mine[n++] = g + psb_c_get_index_base();
    NEED(psb_c_cdall_vl(n, mine, *program_ctxt, cd) == 0 && psb_c_cdasb(cd) == 0 && P(geall)(x, cd) == 0);
    NEED(P(geasb)(x, cd) == 0 && P(vect_set_scal)(x, (scalar)(double)(program_me + 1)) == 0);
    NEED(P(ovrl_opt)(x, cd, psb_none_, 0) == 0);
    NEED(P(ovrl)(x, cd) == 0); /* the average */
    if (program_me > 0)
        NEED(near(P(getelem)(x, mine[0], cd), program_me + 0.5));
    NEED(P(vect_set_scal)(x, 1) == 0 && P(ovrl_opt)(x, cd, psb_sum_, 0) == 0);
    NEED(near(P(geasum)(x, cd), N + program_np - 1));
    drop(x);
    drop_descriptor(cd);
}

static void broadcasts_and_indices(void)
{
    char text[20] = "";
    psb_i_t n = program_me == 0 ? 7 : 0, ijk[3], sizes[3] = { 4, 5, 6 }, v[4];
    psb_l_t l = program_me == program_np - 1 ? 1L << 40 : 0;
    psb_z_t z = program_me == 0 ? 2.5 : 0;
    if (program_me == 0)
        strcpy(text, "some words");
    psb_c_hbcast(*program_ctxt, text, 0);
    psb_c_ibcast(*program_ctxt, 1, &n, 0);
    psb_c_lbcast(*program_ctxt, 1, &l, program_np - 1);
    psb_c_zbcast(*program_ctxt, 1, &z, 0);
    NEED(strcmp(text, "some words") == 0 && n == 7 && l == 1L << 40 && z == (psb_z_t)2.5);
    for (psb_i_t base = 0; base < 2; base++)
        for (psb_i_t g = base; g < 120 + base; g++) {
            NEED(psb_c_i_idx2ijk(ijk, g, sizes, 3, base) == 0);
            NEED(((ijk[2] - base) * 5 + ijk[1] - base) * 4 + ijk[0] - base == g - base);
            NEED(psb_c_i_ijk2idx(ijk, sizes, 3, base) == g && psb_c_l_ijk2idx(ijk, sizes, 3, base) == g);
        }
    NEED(psb_c_dist1didx(INT32_MAX, 2, 1, 3, v) < 0);
    NEED(psb_c_dist1didx(10, 3, 0, 4, v) == 0 && v[0] == 0 && v[1] == 4 && v[2] == 7 && v[3] == 10);
}

/* Objects may be freed after the end of MPI, which then keeps what they had of it. */
static int end_before_free(void)
{
    ring();
    P(vector) *x = NEW(vector)();
    NEED(P(geall)(x, cd) == 0 && P(geasb)(x, cd) == 0 && P(halo)(x, cd) == 0);
    const int wrong = end(), kept = P(gefree)(x, cd) != 0 || psb_c_cdfree(cd) != 0;
    free(x);
    psb_c_delete_descriptor(cd);
    return wrong || kept;
}

/* With an argument: free objects after the end of MPI. */
int main(int argc, char **argv)
{
    (void)argv;
    begin();
    psb_c_seterraction_ret();
    for (psb_i_t base = 0; base < 2; base++) {
        psb_c_set_index_base(base);
        NEED(psb_c_get_index_base() == base);
        halo_and_gather();
        rows_of_others();
        overlap();
    }
    psb_c_set_index_base(0);
    broadcasts_and_indices();
    NEED(psb_c_get_errstatus() == 0);
    return argc > 1 ? end_before_free() : end();
}
