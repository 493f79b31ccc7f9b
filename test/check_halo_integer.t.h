/* check_halo_integer.t.h -- test: vectors of psb_ipk and psb_lpk: included by check_halo.c for both.
 */

/* Element (g, j) of k columns; it needs all bytes of T. */
static T X(number)(psb_lpk g, int j)
{
    return (T)((T)1 << (8 * sizeof(T) - 8)) + (T)(10 * g + j);
}

/* Every process inserts the rows g with g mod np = me, wherever they are owned, in two halves that are added.
 */
static struct X(vect) *X(inserted)(psb_desc *d, int k, const struct psb_vmold *mold)
{
    struct X(vect) *x = NULL;
    GOOD(psb_geall_n(&x, d, k));
    GOOD(psb_ge_set_remote(x, PSB_REMOTE_SEND));
    for (psb_lpk g = me; g < ROWS; g += np) {
        T one[COLS], rest[COLS];
        for (int j = 0; j < k; j++) {
            one[j] = 1;
            rest[j] = X(number)(g, j) - 1;
        }
        GOOD(psb_geins(1, &g, one, x, PSB_DUPL_ADD));
        GOOD(psb_geins(1, &g, rest, x, PSB_DUPL_ADD));
    }
    GOOD(psb_geasb(x, mold));
    return x;
}

/* The first n local rows hold their numbers. */
static void X(check_numbers)(const struct X(vect) *x, psb_ipk n, const char *what)
{
    T now[MOST * COLS];
    int k = psb_vect_get_ncols(x);
    GOOD(psb_get_vect(x, n, now));
    for (psb_ipk i = 0; i < n * k; i++) {
        psb_lpk g = psb_loc_to_glob(x->desc, i / k);
        collective_note(now[i] == X(number)(g, i % k), __FILE__, __LINE__, "%s: row %d, column %d is %lld",
                        what, (int)g, i % k, (long long)now[i]);
    }
}

/* Halo values are added to the owners' elements. */
static void X(check_sums)(struct X(vect) *x)
{
    const psb_ipk m = psb_cd_local_rows(x->desc), n = psb_cd_local_cols(x->desc);
    const T *p = NULL;
    T one = 1, sums = 0, halos = (T)(n - m) * (T)psb_vect_get_ncols(x);
    GOOD(psb_set_scal(one, x));
    GOOD(psb_halo(x, 'T'));
    GOOD(psb_host_read(x, &p));
    for (psb_ipk i = 0; i < m * psb_vect_get_ncols(x); i++)
        sums += p[i] - 1;
    GOOD(psb_sum(ctxt, 1, &sums, -1));
    GOOD(psb_sum(ctxt, 1, &halos, -1));
    EXPECT(sums == halos);
}

static void X(check_elements)(struct X(vect) *x)
{
    const psb_ipk m = psb_cd_local_rows(x->desc), idx[] = { m - 1, 0 };
    T val[2 * COLS] = { 0 }, twice[COLS];
    const int k = psb_vect_get_ncols(x);
    if (m == 0)
        return;
    GOOD(psb_vect_gth(x, 2, idx, val));
    for (int j = 0; j < k; j++)
        EXPECT(val[j] == X(number)(psb_loc_to_glob(x->desc, m - 1), j));
    GOOD(psb_getelem(x, psb_loc_to_glob(x->desc, 0), val));
    GOOD(psb_vect_sct(1, &idx[1], val, -1, x));
    GOOD(psb_vect_get_entry(x, 0, twice));
    EXPECT(twice[0] == 0 && twice[k - 1] == 0);
    GOOD(psb_vect_ins(1, &idx[1], val, x, PSB_DUPL_OVERWRITE));
}

static void X(check_gathered)(struct X(vect) *x)
{
    T all[ROWS * COLS];
    const int k = psb_vect_get_ncols(x);
    struct X(vect) *y = NULL;
    GOOD(psb_gather(x, all, -1));
    for (int i = 0; i < ROWS * k; i++)
        EXPECT(all[i] == X(number)(i / k, i % k));
    GOOD(psb_vect_clone(x, &y));
    GOOD(psb_vect_zero(y));
    GOOD(psb_scatter(y, all, np - 1));
    X(check_numbers)(y, psb_cd_local_rows(x->desc), "scatter");
    psb_gefree(y);
}

static void X(check_integers)(enum distribution distribution)
{
    psb_desc *d = rows_with_halo(distribution);
    for (int k = 1; k <= 3; k += 2) {
        struct X(vect) *x = X(inserted)(d, k, k == 1 ? NULL : &psb_vect_cuda), *local = NULL;
        T row[COLS] = { 0 };
        EXPECT(psb_vect_is_host(x) && !psb_vect_is_dev(x) && psb_vect_get_nrows(x) == psb_cd_local_cols(d));
        X(check_numbers)(x, psb_cd_local_rows(d), "insertion");
        GOOD(psb_halo_start(x, 'N'));
        GOOD(psb_halo_end(x));
        X(check_numbers)(x, psb_cd_local_cols(d), "halo");
        X(check_elements)(x);
        X(check_gathered)(x);
        X(check_sums)(x);
        BAD(psb_halo(x, 'C'), PSB_EARG, "argument trans is 'C'; expected 'N' or 'T'");
        BAD(psb_vect_get_entry(x, -1, row), PSB_EARG, "argument i is -1; expected 0 <= i < ");
        BAD(psb_halo((struct X(vect) *)NULL, 'N'), PSB_EARG, "argument x is NULL");
        GOOD(psb_vect_bld(&local, 1, k, row, &psb_vect_cuda));
        GOOD(psb_vect_sync(local));
        BAD(psb_halo(local, 'N'), PSB_EARG, "argument x is local; expected a distributed vector");
        psb_gefree(local);
        psb_gefree(x);
    }
    psb_cdfree(d);
}
