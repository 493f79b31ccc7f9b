/* multivector.c -- test: distributed vectors of several columns. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "channel.h"
#include "psb_cuda.h"
#include "multivector.h"

/* A device with few vector operations, whose memory MPI cannot access unless PSB_HALO asks for it. */
static const struct psb_device *minimal_device(void)
{
    const char *halo = getenv("PSB_HALO");
    static struct psb_device minimal;
    static struct X(vec_ops) few;
    few = (struct X(vec_ops)){ .fill = X(vec_host).fill, .axpby = X(vec_host).axpby };
    few.gth = X(vec_host).gth;
    few.scatter_add = X(vec_host).scatter_add;
    minimal = counting_device;
    minimal.name = "minimal";
    if (!halo || strcmp(halo, "mpi") != 0)
        minimal.mpi_obstacle = NULL;
    minimal.X(vec) = &few;
    return &minimal;
}

static const struct psb_vmold minimal_device_vect = { .name = "minimal", .device = minimal_device };
const struct psb_vmold *const places[PLACES] = { &psb_vect_host, &psb_vect_cuda, &counting_device_vect,
                                                 &minimal_device_vect };
const T sentinel = 77;

psb_desc *rows_with_halo(enum distribution distribution)
{
    struct rng r = { (uint64_t)(100 + me) };
    psb_desc *d = NULL;
    GOOD(alloc_desc(&d, distribution, ROWS));
    for (int i = 0; i < 20; i++) {
        psb_lpk g = rng_below(&r, ROWS);
        GOOD(psb_cdins(d, 1, NULL, &g));
    }
    GOOD(psb_cdasb(d));
    return d;
}

void play_hosts(const char *hosts)
{
    if (hosts)
        setenv("PSB_FAKE_HOSTS", hosts, 1);
    else
        unsetenv("PSB_FAKE_HOSTS");
    psb_cuda_exit();
    GOOD(psb_cuda_init(ctxt));
}

int have_own_gpus(void)
{
    int n = 0;
    return psb_cuda_stream() && psb_cuda_getDeviceCount(&n) == PSB_OK && n >= np;
}

psb_err checked(psb_err e, struct psb_channel *c)
{
    if (e == PSB_OK)
        e = psb_cuda_DeviceSync();
    return e == PSB_OK ? psb_channel_check(c) : e;
}

void multivector_load(struct X(vect) *x, const T *all)
{
    T mine[MOST * COLS];
    psb_ipk m = psb_cd_local_rows(x->desc), n = psb_cd_local_cols(x->desc);
    for (psb_ipk i = 0; i < m; i++)
        memcpy(mine + i * x->ncols, all + psb_loc_to_glob(x->desc, i) * x->ncols,
               (size_t)x->ncols * sizeof *mine);
    fill_vector((n - m) * x->ncols, mine + m * x->ncols, sentinel);
    GOOD(psb_set_scal(-sentinel, x)); /* the copy on the device, until it is updated */
    GOOD(psb_set_vect(x, n, mine));
}

struct X(vect) *multivector(psb_desc *d, int k, const T *all, const struct psb_vmold *place)
{
    struct X(vect) *x = NULL;
    GOOD(psb_geall_n(&x, d, k));
    GOOD(psb_geasb(x, place));
    multivector_load(x, all);
    return x;
}

void multivector_check(struct X(vect) *x, const struct want *w, const char *what)
{
    static T now[MOST * COLS];
    int k = x->ncols;
    psb_ipk m = psb_cd_local_rows(x->desc), n = psb_cd_local_cols(x->desc);
    GOOD(psb_get_vect(x, n, now));
    for (psb_ipk i = 0; i < m * k; i++) {
        psb_lpk g = psb_loc_to_glob(x->desc, i / k);
        const struct want *must = &w[g * k + i % k];
        EXPECT_SAYING(is_right(now[i], must), "%s: row %d, column %d is %g %g, expected %Lg %Lg within %Lg",
                      what, (int)g, i % k, (double)RE(now[i]), (double)IM(now[i]), creall(must->value),
                      cimagl(must->value), must->slack);
    }
    for (psb_ipk i = m * k; i < n * k; i++)
        EXPECT_SAYING(now[i] == sentinel, "%s: the halo was changed", what);
}

void check_exact(struct X(vect) *x, const T *all, const char *what)
{
    struct want w[CELLS];
    for (int i = 0; i < ROWS * x->ncols; i++)
        w[i] = (struct want){ (long double _Complex)all[i], 0 };
    multivector_check(x, w, what);
}

int same_bits(const void *value, size_t size)
{
    HEAP char *first = malloc(size);
    ck_assert_ptr_nonnull(first);
    memcpy(first, value, size);
    MPI_Bcast(first, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD);
    int same = memcmp(first, value, size) == 0;
    return same;
}
