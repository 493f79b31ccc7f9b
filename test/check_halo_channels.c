/* check_halo_channels.c -- test: halo exchanges of vectors on a device by each transport. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "channel.h"
#include "psb_cuda.h"
#include "psb_onesided.h"
#include "psb_twosided.h"
#include "check_owners.h"
#include "check_halo.h"

/* Can MPI access the memory of the device? */
static int mpi_reaches_device(void)
{
    const struct psb_device *on = psb_cuda_device();
    return on->mpi_obstacle && !on->mpi_obstacle();
}

/* Can processes send messages from device to device?  NCCL sends none between processes that share a GPU,
 * unless it is told that they are on different hosts. */
static int have_device_messages(void)
{
    const struct psb_device *on = psb_cuda_device();
    return on->twosided && !on->twosided->obstacle() &&
           (!psb_cuda_stream() || have_own_gpus() || getenv("NCCL_HOSTID"));
}

void by_channel(void)
{
    setenv("PSB_HALO", "lsa", 1);
}

static void by_device_messages(void)
{
    setenv("PSB_HALO", "nccl", 1);
}

void by_both(void)
{
    setenv("PSB_HALO", "lsa+nccl", 1);
    play_hosts("2");
}

static void by_host(void)
{
    setenv("PSB_HALO", "staged", 1);
}

/* Messages from memory of the device, if MPI can access it. */
static void by_mpi(void)
{
    setenv("PSB_HALO", mpi_reaches_device() ? "mpi" : "staged", 1);
}

/* Many messages to each neighbour. */
static void in_pieces(void)
{
    by_host();
    psb_halo_piece(2);
}

void by_default(void)
{
    psb_halo_piece(PSB_HALO_PIECE);
    unsetenv("PSB_HALO");
    unsetenv("PSB_HALO_TIMEOUT");
}

void on_this_host(void)
{
    by_default();
    play_hosts(NULL);
}

/* The transport of a descriptor after a vector was assembled on the device, with PSB_HALO as given. */
static void check_transport(const char *wish, const char *transport, const char *reason)
{
    static T all[CELLS];
    const char *why = "unset";
    DESC *d = rows_with_halo(EVEN);
    EXPECT(strcmp(psb_cd_transport(d, &why), "") == 0 && !why);
    psb_gefree(multivector(d, 1, all, NULL));
    EXPECT(strcmp(psb_cd_transport(d, NULL), np > 1 ? "mpi" : "none") == 0);
    setenv("PSB_HALO", wish, 1);
    psb_gefree(multivector(d, 1, all, &psb_vect_cuda));
    EXPECT(strcmp(psb_cd_transport(d, &why), np > 1 ? transport : "none") == 0);
    if (np == 1)
        reason = "there is one process";
    EXPECT(reason ? why && strcmp(why, reason) == 0 : !why);
}

TEST(transports)
{
    static const char *const many = "not lsa: processes share a device; "
                                    "not lsa+nccl: processes share a device; "
                                    "not nccl: processes share a device";
    const int far = getenv("NCCL_HOSTID") != NULL;
    if (!far)
        check_transport("lsa", "lsa", NULL);
    if (have_device_messages()) {
        check_transport("lsa+nccl", "lsa+nccl", NULL);
        check_transport("nccl", "nccl", NULL);
    }
    if (mpi_reaches_device())
        check_transport("mpi", "mpi", "asked for by PSB_HALO");
    check_transport("staged", "staged", "asked for by PSB_HALO");
    if (!psb_cuda_stream()) {
        check_transport("auto", "mpi", many);
        check_transport("", "mpi", many);
    } else if (have_own_gpus() && !far) {
        check_transport("auto", "lsa", NULL);
    }
    EXPECT(strcmp(psb_cd_transport(NULL, NULL), "") == 0);
}

/* PSB_HALO cannot be obeyed for this reason. */
static void check_obstacle(const char *wish, const char *reason)
{
    DESC *d = rows_with_halo(EVEN);
    VECT *x = NULL;
    GOOD(psb_geall(&x, d));
    setenv("PSB_HALO", wish, 1);
    BAD(psb_geasb(x, &psb_vect_cuda), PSB_EDEVICE, reason);
}

/* All processes on one host, on two, and each on its own.  The fake device plays the hosts. */
TEST(transports_between_hosts)
{
    static const char *const no_lsa = "neighbours are on different hosts";
    const char *text = "not lsa: neighbours are on different hosts";
    play_hosts("1");
    check_transport("auto", "lsa", NULL);
    check_transport("lsa+nccl", "lsa+nccl", NULL);
    for (int all = 0; all < 2 && np > 1; all++) {
        const int mixed = np > 2 && !all;
        play_hosts(all ? "100" : "2");
        if (!mixed)
            text = "not lsa: neighbours are on different hosts; not lsa+nccl: all neighbours need messages";
        check_transport("auto", mixed ? "lsa+nccl" : "nccl", text);
        check_transport("lsa+nccl", "lsa+nccl", NULL);
        check_obstacle("lsa", no_lsa);
    }
}

static void check_printed(const psb_desc *d, const char *line)
{
    char text[2000] = "";
    FILE *f = tmpfile();
    ck_assert_ptr_nonnull(f);
    GOOD(psb_cd_print(d, f));
    rewind(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    EXPECT(me != 0 || strstr(text, line));
}

TEST(printed_transport)
{
    static T all[CELLS];
    DESC *d = rows_with_halo(EVEN);
    play_hosts("2");
    setenv("PSB_HALO", "auto", 1);
    psb_gefree(multivector(d, 1, all, &psb_vect_cuda));
    check_printed(d, np == 1   ? "halo exchanges: none (there is one process)\n"
                     : np == 2 ? "halo exchanges: nccl (not lsa: neighbours are on different hosts; "
                                 "not lsa+nccl: all neighbours need messages)\n"
                               : "halo exchanges: lsa+nccl (not lsa: neighbours are on different hosts)\n");
}

TEST(wrong_wishes)
{
    static const char *const seconds[] = { "0", "-1", "1e9", "soon", "1s" };
    DESC *d = rows_with_halo(EVEN);
    VECT *x = NULL;
    GOOD(psb_geall(&x, d));
    setenv("PSB_HALO", "warp", 1);
    BAD(psb_geasb(x, &psb_vect_cuda), PSB_EARG,
        "PSB_HALO is \"warp\"; expected auto, lsa, lsa+nccl, nccl, mpi or staged");
    setenv("PSB_HALO", "lsa", 1);
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds && np > 1; i++) {
        setenv("PSB_HALO_TIMEOUT", seconds[i], 1);
        BAD(psb_geasb(x, &psb_vect_cuda), PSB_EARG, "PSB_HALO_TIMEOUT is");
    }
    unsetenv("PSB_HALO_TIMEOUT");
    GOOD(psb_geasb(x, &psb_vect_cuda));
}

TEST(wishes_that_differ)
{
    DESC *d = rows_with_halo(EVEN);
    VECT *x = NULL;
    GOOD(psb_geall(&x, d));
    setenv("PSB_HALO", me == 0 ? "lsa" : "staged", 1);
    if (np > 1)
        BAD(psb_geasb(x, &psb_vect_cuda), PSB_EARG, "");
    setenv("PSB_HALO", "staged", 1);
    GOOD(psb_geasb(x, &psb_vect_cuda));
}

/* The last process does not take part in the exchange of x, which is completed as that of y starts: the
 * others learn it at the end of x. */
TEST(failure_while_another_starts)
{
    const int wrong = np > 1 && me == np - 1;
    DESC *d = all_neighbours();
    const T *all = numbers();
    for (int t = 0; t < PLACES * PLACES; t++) {
        VECT *x = multivector(d, 3, all, places[t % PLACES]), *y = multivector(d, 2, all, places[t / PLACES]);
        if (wrong)
            BAD(psb_halo_start(x, 'Q'), PSB_EARG, "argument trans is 'Q'");
        else
            GOOD(psb_halo_start(x, 'N'));
        GOOD(psb_halo_start(y, 'N'));
        if (np == 1)
            GOOD(psb_halo_end(x));
        else
            BAD(end_and_check(x), wrong ? PSB_ESTATE : PSB_EMPI, wrong ? "no exchange" : "");
        GOOD(psb_halo_end(y));
        check_rows(y, all, "y");
    }
}

/* A descriptor outlives the device that its channel is on. */
TEST(device_closed)
{
    psb_desc *d = rows_with_halo(EVEN);
    const T *all = numbers();
    for (int again = 0; again < 2; again++) {
        struct X(vect) *x = multivector(d, 1 + 2 * again, all, &psb_vect_cuda);
        GOOD(psb_halo(x, 'N'));
        check_rows(x, all, "x");
        psb_gefree(x);
        psb_cuda_exit();
        GOOD(psb_cuda_init(ctxt));
    }
    psb_cuda_exit();
    psb_cdfree(d);
    GOOD(psb_cuda_init(ctxt));
}

/* A channel is made larger while an exchange is under way in it, and again after that has failed. */
TEST(longer_rows)
{
    const T *all = numbers();
    DESC *d = rows_with_halo(EVEN);
    VECT *wide = NULL;
    VECT *x = multivector(d, 1, all, &psb_vect_cuda);
    GOOD(psb_geall_n(&wide, d, 5));
    GOOD(psb_halo_start(x, 'N'));
    psb_alloc_fail_at(me == np - 1 ? 4 : 0);
    psb_err e = psb_geasb(wide, &psb_vect_cuda);
    psb_alloc_fail_at(0);
    EXPECT(collective_count(e != PSB_OK) % np == 0);
    if (e != PSB_OK)
        GOOD(psb_geasb(wide, &psb_vect_cuda));
    GOOD(psb_halo_end(x));
    check_rows(x, all, "x");
    multivector_load(wide, all);
    GOOD(psb_halo(wide, 'N'));
    check_rows(wide, all, "wide");
}

static void be_late(double seconds)
{
    const double begin = psb_wtime();
    while (psb_wtime() - begin < seconds)
        ;
}

/* The last process starts late, or, in the end, not at all. */
TEST(late_neighbour)
{
    DESC *d = all_neighbours();
    setenv("PSB_HALO_TIMEOUT", "3", 1); /* long for an exchange, also on a busy machine */
    const T *all = numbers();
    VECT *x = multivector(d, 2, all, &psb_vect_cuda);
    for (int again = 0; again < 3; again++) {
        multivector_load(x, all);
        if (me == np - 1)
            be_late(0.05); /* longer than an exchange takes */
        GOOD(psb_halo(x, "NT"[again % 2]));
    }
    if (np > 1 && me < np - 1) {
        GOOD(psb_halo_start(x, 'N'));
        psb_err e = end_and_check(x);
        collective_note(e == PSB_EMPI, __FILE__, __LINE__, "nobody came: %d", (int)e);
        collective_note(strstr(psb_errmsg(), "within 3 seconds (PSB_HALO_TIMEOUT)") != NULL, __FILE__,
                        __LINE__, "%s", psb_errmsg());
        e = psb_halo(x, 'N');
        collective_note(e == PSB_EMPI && strstr(psb_errmsg(), "did not come to its end"), __FILE__, __LINE__,
                        "afterwards: %s", psb_errmsg());
    }
}

/* The last process comes when the others have stopped to wait: all end, and no further exchange succeeds. */
TEST(too_late)
{
    DESC *d = all_neighbours();
    setenv("PSB_HALO_TIMEOUT", "1", 1);
    const T *all = numbers();
    VECT *x = multivector(d, 2, all, &psb_vect_cuda);
    GOOD(psb_barrier(ctxt));
    if (np > 1 && me == np - 1)
        be_late(3); /* the others may be slow to start on a busy machine */
    for (int again = 0; again < 2; again++) {
        psb_err e = psb_halo_start(x, 'N');
        if (e == PSB_OK)
            e = end_and_check(x);
        EXPECT(collective_count(e == PSB_EMPI) >= np - 1 && (e == PSB_OK || e == PSB_EMPI));
    }
}

/* Process 0 fails in an exchange to which the others come later than it would wait: they learn of the
 * failure, the next exchange succeeds, and then a failure of the last process reaches its neighbours too. */
TEST(late_after_a_failure)
{
    DESC *d = all_neighbours();
    setenv("PSB_HALO_TIMEOUT", "3", 1); /* long for an exchange */
    const T *all = numbers();
    VECT *x = multivector(d, 2, all, &psb_vect_cuda);
    for (int k = 0; k < 2 && np > 1; k++) {
        const int failing = k * (np - 1);
        if (me == failing) {
            BAD(psb_halo_start(x, 'Q'), PSB_EARG, "argument trans is 'Q'");
        } else {
            be_late(k == 0 ? 3.5 : 0);
            GOOD(psb_halo_start(x, 'N'));
            BAD(end_and_check(x), PSB_EMPI, "it failed");
        }
        GOOD(psb_barrier(ctxt));
        multivector_load(x, all);
        GOOD(psb_halo(x, 'N'));
        check_rows(x, all, "the next");
    }
}

/* The last process has no memory for its n-th allocation while the channel is made. */
TEST(no_memory_for_a_channel)
{
    int n = 1;
    const T *all = numbers();
    for (int failed = 1; failed && n < 80; n++) {
        DESC *d = rows_with_halo(EVEN);
        VECT *x = NULL;
        GOOD(psb_geall_n(&x, d, 3));
        psb_alloc_fail_at(me == np - 1 ? n : 0);
        psb_err e = psb_geasb(x, &psb_vect_cuda);
        psb_alloc_fail_at(0);
        failed = collective_count(e != PSB_OK);
        EXPECT(failed == 0 || failed == np);
        if (failed)
            GOOD(psb_geasb(x, &psb_vect_cuda));
        multivector_load(x, all);
        GOOD(psb_halo(x, 'N'));
        check_rows(x, all, "afterwards");
    }
    EXPECT(n > (np > 1 ? 3 : 1) && n < 80);
}

/* Vectors are on a device on every other process only. */
TEST(some_without_a_device)
{
    const struct psb_vmold *mine = (me + _i) % 2 ? NULL : &psb_vect_cuda;
    for (int k = 1; k <= 3; k += 2) {
        DESC *d = all_neighbours();
        const T *all = numbers();
        VECT *x = multivector(d, k, all, mine), *y = NULL;
        const char *by = psb_cd_transport(d, NULL);
        EXPECT(np == 1 || strcmp(by, "mpi") == 0 || strcmp(by, "staged") == 0);
        GOOD(psb_vect_clone(x, &y));
        GOOD(psb_halo_start(x, 'N'));
        GOOD(psb_halo_start(y, 'T'));
        GOOD(psb_halo_end(x));
        GOOD(psb_halo_end(y));
        check_rows(x, all, "x");
        GOOD(psb_vect_cnv(x, mine ? NULL : &psb_vect_cuda));
        multivector_load(x, all);
        GOOD(psb_halo(x, 'N'));
        check_rows(x, all, "converted");
    }
}

/* The last process receives a row of process 0 and sends none, for a vector on a device that the channel does
 * not reach: the row lands on the host, and is copied to that device alone. */
TEST(nothing_to_send)
{
    const psb_lpk first = 0;
    DESC *d = NULL;
    GOOD(psb_cdall_nl(&d, ctxt, 3));
    if (me == np - 1)
        GOOD(psb_cdins(d, 1, NULL, &first));
    GOOD(psb_cdasb(d));
    const T *all = numbers();
    psb_gefree(multivector(d, 1, all, &psb_vect_cuda));
    VECT *x = multivector(d, 1, all, &counting_device_vect);
    for (int again = 0; again < 2; again++) { /* the first copies owned rows to the device */
        psb_transfers_reset();
        GOOD(psb_halo(x, 'N'));
    }
    EXPECT(psb_transfers(NULL).puts == (np > 1 && me == np - 1));
    check_rows(x, all, "x");
}

/* A wait ends by its time limit, and the next one, which would take an hour, ends at once. */
TEST(waits_after_a_late_one)
{
    const struct psb_device *on = psb_cuda_device();
    const struct psb_channel_counts zero = { 0 };
    const unsigned none[2] = { 0, 0 };
    struct psb_arrival job = { .n = 1, .seconds = 0.2 };
    void *counts, *flags, *status;
    ck_assert_int_eq(on->alloc(&counts, sizeof zero, "test"), PSB_OK);
    ck_assert_int_eq(on->alloc(&flags, sizeof none, "test"), PSB_OK);
    ck_assert_int_eq(on->alloc_host(&status, sizeof(int)), PSB_OK);
    GOOD(on->put(counts, &zero, sizeof zero));
    GOOD(on->put(flags, none, sizeof none));
    job.counts = counts;
    job.flag = flags;
    job.status = status;
    for (int again = 0; again < 2; again++, job.seconds = 3600) {
        *job.status = 0;
        GOOD(on->onesided->arrive(&job));
        GOOD(on->sync());
        EXPECT(*job.status == -1);
    }
    on->free(counts);
    on->free(flags);
    on->free_host(status);
}

/* Processes 0 and 1 send each other their numbers. */
static psb_err swap_numbers(const struct psb_twosided *by, void *group, int *at)
{
    const struct psb_device_message m = { 1 - me, at, sizeof *at, at + 1, sizeof *at };
    return me < 2 && np > 1 ? by->exchange(group, &m, 1, 20) : PSB_OK;
}

static void check_swap(const struct psb_device *on, int *at)
{
    const int mine[2] = { me, -1 };
    int both[2] = { -1, -1 };
    void *group = NULL;
    GOOD(on->twosided->join(psb_comm_of(ctxt), 20, &group));
    GOOD(on->put(at, mine, sizeof mine));
    GOOD(swap_numbers(on->twosided, group, at));
    GOOD(on->twosided->complete(group));
    GOOD(on->get(both, at, sizeof both));
    EXPECT(both[0] == me && both[1] == (me < 2 && np > 1 ? 1 - me : -1));
}

/* Process 1 does not send what process 0 is to receive: process 0 learns it in time, at the latest when it
 * waits for its device, also if memory was freed before; after joining again messages come. */
TEST(message_that_never_comes)
{
    const struct psb_device *on = psb_cuda_device();
    void *at, *other, *group = NULL;
    ck_assert_int_eq(on->alloc(&at, 2 * sizeof(int), "test"), PSB_OK);
    ck_assert_int_eq(on->alloc(&other, sizeof(int), "test"), PSB_OK);
    check_swap(on, at);
    GOOD(on->twosided->join(psb_comm_of(ctxt), 20, &group));
    if (me == 0 && np > 1) {
        const struct psb_device_message m = { 1, NULL, 0, at, sizeof(int) };
        psb_err e = on->twosided->exchange(group, &m, 1, 0.5);
        if (_i)
            on->free(other);
        if (e == PSB_OK)
            e = _i ? on->twosided->complete(group) : on->sync();
        collective_note(e == PSB_EMPI && strstr(psb_errmsg(), "within 0.5 seconds"), __FILE__, __LINE__,
                        "%d: %s", (int)e, psb_errmsg());
    }
    GOOD(psb_barrier(ctxt));
    check_swap(on, at);
    on->free(at);
    if (!_i || me != 0 || np == 1)
        on->free(other);
}

/* By any transport. */
static void add_all_exchanges(TCase *c)
{
    add_exchanges(c);
    ck_add_tests(c, failure_while_another_starts, device_closed, longer_rows, no_memory_for_a_channel);
    add_owners(c);
}

/* The tests that wait for seconds.  What they promise does not depend on the scalar: a sampled run has them
 * for one transport alone. */
static void add_waits(TCase *c)
{
    if (!getenv("CHECK_ZOO"))
        ck_add_tests(c, late_neighbour, too_late);
}

/* A test case whose tests exchange by what `before` chooses. */
static TCase *exchanges_by(Suite *s, const char *name, SFun before, SFun after)
{
    TCase *c = collective_tcase(s, name);
    tcase_add_checked_fixture(c, before, after);
    return c;
}

void add_channels(Suite *s)
{
    TCase *c = exchanges_by(s, "channels", by_channel, by_default);
    add_all_exchanges(c);
    add_pending(c);
    ck_add_tests(c, late_neighbour, too_late, late_after_a_failure, waits_after_a_late_one);
    add_clones(c);
    ck_add_tests(c, transports, wrong_wishes, wishes_that_differ);
    if (have_device_messages()) {
        c = exchanges_by(s, "messages between devices", by_device_messages, by_default);
        add_all_exchanges(c);
        add_computations(c);
        add_waits(c);
        ck_add_tests(c, late_after_a_failure);
        ck_add_loop_tests(c, 2, message_that_never_comes);
        c = exchanges_by(s, "near and far neighbours", by_both, on_this_host);
        add_all_exchanges(c);
        add_pending(c);
        add_waits(c);
        if (!psb_cuda_stream())
            ck_add_tests(c, transports_between_hosts, printed_transport);
    }
    c = exchanges_by(s, "through the host", by_host, by_default);
    ck_add_tests(c, nothing_to_send);
    add_all_exchanges(c);
    add_pending(c);
    ck_add_loop_tests(c, 2, some_without_a_device);
    c = exchanges_by(s, "by MPI from memory of the device", by_mpi, by_default);
    add_all_exchanges(c);
    ck_add_loop_tests(c, 2, some_without_a_device);
    c = exchanges_by(s, "in pieces", in_pieces, by_default);
    add_exchanges(c);
    add_device_failures(c);
    ck_add_loop_tests(c, 2, some_without_a_device);
}
