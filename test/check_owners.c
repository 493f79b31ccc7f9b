/* check_owners.c -- test: psb_ovrl of vectors on devices has the bits of psb_ovrl on the host. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "desc.h"
#include "psb_cuda.h"
#include "check_owners.h"
#include "multivector.h"

static const enum psb_ovrl ops[] = { PSB_OVRL_NONE, PSB_OVRL_SUM, PSB_OVRL_AVG, PSB_OVRL_SQRT,
                                     PSB_OVRL_ZERO };
enum { OPS = sizeof ops / sizeof *ops, TOO_MANY = 60 };

/* Each process owns its part of the rows and every third row elsewhere, in ascending order, or in descending
 * order if its number is odd: any two processes share rows. */
static psb_desc *rows_of_several(void)
{
    psb_desc *d = NULL;
    psb_lpk mine[ROWS], g;
    int n = 0;
    for (int i = 0; i < ROWS; i++) {
        const int row = me % 2 ? ROWS - 1 - i : i;
        if (row * np / ROWS == me || (row * 7 + me) % 3 == 0)
            mine[n++] = row;
    }
    GOOD(psb_cdall_vl(&d, ctxt, n, mine));
    for (int i = 0; i < 5; i++) {
        g = (me * 11 + i * 9) % ROWS;
        GOOD(psb_cdins(d, 1, NULL, &g));
    }
    GOOD(psb_cdasb(d));
    return d;
}

/* Fill x with random numbers, different on each process. */
static void load(struct X(vect) *x)
{
    static T v[MOST * COLS];
    const psb_ipk n = psb_cd_local_cols(x->desc);
    random_vector(n * x->ncols, v, (uint64_t)me + 1);
    GOOD(psb_set_vect(x, n, v));
}

static struct X(vect) *loaded(psb_desc *d, int k, const struct psb_vmold *place)
{
    struct X(vect) *x = NULL;
    GOOD(psb_geall_n(&x, d, k));
    GOOD(psb_geasb(x, place));
    load(x);
    return x;
}

/* After a failure x is as it was, unless a GPU has learned of it too late. */
static void restore(struct X(vect) *x)
{
    if (psb_cuda_stream() && x->v.on == psb_cuda_device())
        load(x);
}

/* The rows of x, those of the halo too, have the bits `want`. */
static void check_bits(const struct X(vect) *x, const T *want, const char *what)
{
    static T now[MOST * COLS];
    const psb_ipk n = psb_cd_local_cols(x->desc);
    GOOD(psb_get_vect(x, n, now));
    for (psb_ipk i = 0; i < n * x->ncols; i++)
        collective_note(memcmp(&now[i], &want[i], sizeof *now) == 0, __FILE__, __LINE__,
                        "%s: element (%d, %d) is %.17g; expected %.17g", what, (int)i / x->ncols,
                        (int)i % x->ncols, (double)RE(now[i]), (double)RE(want[i]));
}

/* psb_ovrl on the host, by messages. */
static void on_host(int k, enum psb_ovrl op, T *want)
{
    DESC *d = rows_of_several();
    VECT *x = loaded(d, k, NULL);
    GOOD(psb_ovrl(x, op));
    GOOD(psb_get_vect(x, psb_cd_local_cols(d), want));
}

/* Vectors in all places, on a descriptor that has a vector on the device. */
TEST(bits_of_the_host)
{
    static T want[MOST * COLS];
    const int k = _i / OPS ? 3 : 1;
    const enum psb_ovrl op = ops[_i % OPS];
    psb_desc *d = rows_of_several();
    struct X(vect) *first = loaded(d, k, &psb_vect_cuda);
    on_host(k, op, want);
    for (int again = 0; again < 2; again++)
        for (int p = 0; p < PLACES; p++) {
            VECT *x = loaded(d, k, places[p]);
            GOOD(psb_ovrl(x, op));
            check_bits(x, want, x->v.on ? x->v.on->name : "host");
        }
    psb_gefree(first);
    psb_cdfree(d);
    EXPECT(counting_device_blocks == 0);
}

/* A longer row than the channel was made for; and nothing is copied once the lists are on the device. */
TEST(longer_rows_of_several_owners)
{
    static T want[MOST * COLS];
    DESC *d = rows_of_several();
    for (int k = 1; k < 6; k += 2) {
        VECT *x = loaded(d, k, &psb_vect_cuda);
        on_host(k, PSB_OVRL_AVG, want);
        GOOD(psb_ovrl(x, PSB_OVRL_AVG));
        check_bits(x, want, "device");
        GOOD(psb_gescal(1, x));
        psb_transfers_reset();
        GOOD(psb_ovrl(x, PSB_OVRL_SUM));
        const struct psb_transfer_counts t = psb_transfers(NULL);
        EXPECT(strcmp(getenv("PSB_HALO"), "staged") == 0 || np == 1 || t.puts + t.gets == 0);
    }
}

/* Combine the rows of x, and check their channel. */
static psb_err ovrl_and_check(struct X(vect) *x, enum psb_ovrl op)
{
    return checked(psb_ovrl(x, op), x->desc->overlap.plan.channel);
}

/* The last process fails, with and without a vector: those that share rows with it, which are all, learn it,
 * and the next call succeeds. */
TEST(one_owner_fails)
{
    static T want[MOST * COLS];
    const int wrong = me == np - 1;
    DESC *d = rows_of_several();
    on_host(2, PSB_OVRL_SUM, want);
    for (int p = 0; p < PLACES; p++) {
        VECT *x = loaded(d, 2, places[p]), *build = NULL;
        GOOD(psb_geall(&build, d));
        psb_err e = ovrl_and_check(x, wrong ? (enum psb_ovrl)9 : PSB_OVRL_SUM);
        EXPECT(e == (wrong ? PSB_EARG : PSB_EMPI));
        if (wrong)
            X(ovrl_refuse)(d, PSB_EARG);
        else
            BAD(ovrl_and_check(x, PSB_OVRL_SUM), PSB_EMPI, "");
        e = ovrl_and_check(wrong ? build : x, PSB_OVRL_SUM);
        EXPECT(e == (wrong ? PSB_ESTATE : PSB_EMPI));
        restore(x);
        GOOD(psb_ovrl(x, PSB_OVRL_SUM));
        check_bits(x, want, "afterwards");
    }
}

/* The n-th allocation of the last process fails. */
TEST(no_memory_for_several_owners)
{
    static T want[MOST * COLS];
    int n = 1;
    on_host(3, PSB_OVRL_SQRT, want);
    for (int failed = 1; failed && n < TOO_MANY; n++) {
        DESC *d = rows_of_several();
        VECT *x = loaded(d, 3, &psb_vect_cuda);
        psb_alloc_fail_at(me == np - 1 ? n : 0);
        psb_err e = ovrl_and_check(x, PSB_OVRL_SQRT);
        psb_alloc_fail_at(0);
        failed = collective_count(e != PSB_OK);
        EXPECT(failed == 0 || failed == np);
        if (failed) {
            restore(x);
            GOOD(psb_ovrl(x, PSB_OVRL_SQRT));
        }
        check_bits(x, want, "afterwards");
    }
    EXPECT(n < TOO_MANY);
}

void add_owners(TCase *c)
{
    ck_add_loop_tests(c, 2 * OPS, bits_of_the_host);
    ck_add_tests(c, longer_rows_of_several_owners);
    if (np > 1)
        ck_add_tests(c, one_owner_fails);
    ck_add_tests(c, no_memory_for_several_owners);
}
