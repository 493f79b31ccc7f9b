/* check_scal_transports.c -- test: sums of scalars over processes, by messages and through the memory
 * of devices. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "psb_cuda.h"
#include "check_halo.h"
#include "check_scal.h"

/* --- transports --- */

/* How sums on devices are made if PSB_HALO is `wish`. */
static const char *expected_transport(const char *wish)
{
    if (np == 1 || !psb_cuda_device())
        return "";
    if (strcmp(wish, "auto") == 0)
        return have_own_gpus() ? "lsa" : "staged";
    return strcmp(wish, "mpi") == 0 ? "staged" : wish;
}

TEST(transports)
{
    static const char *const one = "there is one process";
    static const char *const wish[] = { "lsa", "lsa+nccl", "nccl", "mpi", "staged", "auto" };
    const char *why = one;
    psb_desc *d = rows_with_halo(EVEN);
    struct X(scal) *host = make_scalar(d, 1, NULL);
    EXPECT(strcmp(psb_cd_sums_transport(d, &why), "") == 0 && !why);
    setenv("PSB_HALO", wish[_i], 1);
    struct X(scal) *s = make_scalar(d, 1, &psb_vect_cuda);
    const char *by = psb_cd_sums_transport(d, &why);
    EXPECT(strcmp(by, expected_transport(wish[_i])) == 0);
    EXPECT(strcmp(by, "staged") != 0 || why);
    EXPECT(strcmp(psb_cd_sums_transport(NULL, NULL), "") == 0);
    psb_scal_free(s);
    psb_scal_free(host);
    psb_cdfree(d);
    by_default();
}

/* Sums by messages and through memory have the same bits on up to three processes. */
TEST(same_bits_by_all_transports)
{
    enum { TRANSPORTS = 4 };
    static const char *const wish[TRANSPORTS] = { "lsa", "nccl", "lsa+nccl", "staged" };
    T dots[TRANSPORTS][3];
    for (int t = 0; t < TRANSPORTS; t++) {
        struct scal_bench b;
        setenv("PSB_HALO", wish[t], 1);
        play_hosts(t == 2 ? "2" : NULL);
        scal_bench_make(&b, some_distributions[_i], &psb_vect_cuda, &psb_vect_cuda);
        for (int again = 0; again < 5; again++)
            epilogue_dots(&b, 1, dots[t]);
        scal_bench_free(&b);
    }
    by_default();
    EXPECT(memcmp(dots[0], dots[1], sizeof dots[0]) == 0);
    EXPECT(memcmp(dots[0], dots[2], sizeof dots[0]) == 0);
    EXPECT(np > 3 || memcmp(dots[0], dots[3], sizeof dots[0]) == 0);
}

/* A descriptor outlives the device that its channel for sums is on. */
TEST(device_closed)
{
    DESC *d = rows_with_halo(EVEN);
    const T all[CELLS] = { 1, 2 };
    for (int again = 0; again < 3; again++) {
        struct X(vect) *x = multivector(d, 1, all, &psb_vect_cuda);
        struct X(scal) *s = make_scalar(d, 0, &psb_vect_cuda);
        const struct X(epilogue) e = { .ndots = 1, .dot = { { x, x } }, .to = { s } };
        GOOD(psb_gefused(x, &e, NULL));
        EXPECT(scalar_value(s) == 5);
        psb_gefree(x);
        psb_scal_free(s);
        psb_cuda_exit();
        GOOD(psb_cuda_init(ctxt));
    }
}

/* The last process does not take part: the others fail after PSB_HALO_TIMEOUT seconds, and from then on. */
TEST(process_that_does_not_come)
{
    SCAL_BENCH b;
    T v;
    setenv("PSB_HALO_TIMEOUT", "3", 1); /* long for an exchange, also on a busy machine */
    scal_bench_make(&b, EVEN, &psb_vect_cuda, &psb_vect_cuda);
    const struct X(epilogue) e = { .ndots = 1, .dot = { { b.v[0], b.v[1] } }, .to = { b.s[0] } };
    GOOD(psb_gefused(b.v[0], &e, NULL));
    if (me < np - 1) {
        psb_err f = psb_gefused(b.v[0], &e, NULL);
        if (f == PSB_OK)
            f = psb_scal_get(b.s[0], &v);
        EXPECT(f == PSB_EMPI && strstr(psb_errmsg(), "sent no sums within 3 seconds (PSB_HALO_TIMEOUT)"));
        BAD(psb_gefused(b.v[0], &e, NULL), PSB_EMPI, "did not come to its end");
    }
}

/* --- test cases --- */

void add_scal_transports(TCase *c)
{
    ck_add_loop_tests(c, 6, transports);
    ck_add_loop_tests(c, SOME_DISTRIBUTIONS, same_bits_by_all_transports);
}

static void add_sums(TCase *c)
{
    add_scal_dots(c);
    add_scal_iteration(c);
    ck_add_tests(c, device_closed);
    add_scal_failures(c);
}

void add_scal_sums(Suite *s)
{
    TCase *c = collective_tcase(s, "sums by messages");
    tcase_add_checked_fixture(c, halo_by_messages, by_default);
    add_sums(c);
    c = collective_tcase(s, "sums through memory");
    tcase_add_checked_fixture(c, by_channel, by_default);
    add_sums(c);
    ck_add_tests(c, process_that_does_not_come);
    c = collective_tcase(s, "sums through memory and by messages between devices");
    tcase_add_checked_fixture(c, by_both, on_this_host);
    add_sums(c);
    ck_add_tests(c, process_that_does_not_come);
}
