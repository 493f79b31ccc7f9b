/* check_p2p.c -- test: point-to-point messages, and the sparse exchange. */
#include <limits.h>
#include <string.h>
#include "check_ctxt.h"
#include "pieces.h"

/* --- psb_snd and psb_rcv --- */

static int after(void)
{
    return (me + 1) % np;
}

static int before(void)
{
    return (me + np - 1) % np;
}

/* All processes send before they receive: psb_snd does not wait. */
TEST(ring)
{
    const psb_epk lengths[] = { 0, 1, 5, 7, 14, 15, LONG };
    enum psb_kind kind = (enum psb_kind)_i;
    for (int k = 0; k < 7; k++) {
        union array x, y;
        fill(kind, &x, me, lengths[k]);
        fill(kind, &y, 99, lengths[k]);
        GOOD(psb_any_snd(ctxt, kind, lengths[k], &x, after(), k));
        fill(kind, &x, 77, lengths[k]); /* psb_snd has copied the array */
        GOOD(psb_any_rcv(ctxt, kind, lengths[k], &y, before(), k));
        for (psb_epk i = 0; i < lengths[k]; i++)
            EXPECT(get(kind, &y, i) == element(kind, before(), (int)i));
        check_guard(kind, &y, lengths[k]);
    }
}

/* Long and short messages arrive in order; tags are distinct, also from user messages on the same
 * communicator. */
TEST(order_and_tags)
{
    static double big[1 << 16];
    double x = 1, y = 2, z = 3, mine = me, got;
    MPI_Request req;
    big[7] = me;
    MPI_Isend(&mine, 1, MPI_DOUBLE, after(), 5, psb_comm_of(ctxt), &req);
    GOOD(psb_snd(ctxt, 1 << 16, big, after(), 5));
    GOOD(psb_snd(ctxt, 1, &x, after(), 5));
    GOOD(psb_snd(ctxt, 1, &y, after(), 0));
    GOOD(psb_snd(ctxt, 1, &z, after(), PSB_TAGS - 1));
    GOOD(psb_rcv(ctxt, 1, &got, before(), PSB_TAGS - 1));
    EXPECT(got == 3);
    GOOD(psb_rcv(ctxt, 1, &got, before(), 0));
    EXPECT(got == 2);
    GOOD(psb_rcv(ctxt, 1 << 16, big, before(), 5));
    EXPECT(big[7] == before());
    GOOD(psb_rcv(ctxt, 1, &got, before(), 5));
    EXPECT(got == 1);
    MPI_Recv(&got, 1, MPI_DOUBLE, before(), 5, psb_comm_of(ctxt), MPI_STATUS_IGNORE);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    EXPECT(got == before());
}

_Static_assert(PSB_TAG_FIRST == 100 && PSB_TAG_HALO >= PSB_TAG_FIRST && PSB_TAG_HALO < PSB_TAG_END &&
                   PSB_TAG_EXCHANGE_ODD < PSB_TAG_END && PSB_TAG_TEXT < PSB_TAG_END,
               "every tag of the library is reserved");

/* User messages with the tags next to the reserved ones; a sparse exchange must not receive them. */
TEST(tags_next_to_reserved_ones)
{
    enum { BELOW = PSB_TAG_FIRST - 1, ABOVE = PSB_TAG_END };
    int mine = me, got = -1;
    MPI_Request req[2];
    struct psb_msg out = { after(), sizeof mine, &mine }, *in = NULL;
    int nin = 0;
    MPI_Isend(&mine, 1, MPI_INT, after(), BELOW, psb_comm_of(ctxt), &req[0]);
    MPI_Isend(&mine, 1, MPI_INT, after(), ABOVE, psb_comm_of(ctxt), &req[1]);
    for (int i = 0; i < 2; i++) {
        GOOD(psb_exchange(ctxt, &out, 1, &in, &nin));
        EXPECT(nin == 1 && in[0].rank == before() && in[0].bytes == sizeof mine);
        psb_msgs_free(in, nin);
        MPI_Recv(&got, 1, MPI_INT, before(), i ? BELOW : ABOVE, psb_comm_of(ctxt), MPI_STATUS_IGNORE);
        EXPECT(got == before());
    }
    MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
}

TEST(strings)
{
    char text[40] = "no", word[] = "from one to the next";
    GOOD(psb_snd(ctxt, (psb_epk)sizeof word, word, after(), 1));
    GOOD(psb_rcv(ctxt, (psb_epk)sizeof word, text, before(), 1));
    EXPECT(strcmp(text, word) == 0);
}

TEST(messages_in_pieces)
{
    size_t was = psb_set_piece((size_t[]){ 24, 1000, 8000, 7999 }[_i]);
    double x[LONG], y[LONG];
    for (int i = 0; i < LONG; i++)
        x[i] = i + me;
    GOOD(psb_snd(ctxt, LONG, x, after(), 1));
    GOOD(psb_rcv(ctxt, LONG, y, before(), 1));
    for (int i = 0; i < LONG; i++)
        EXPECT(y[i] == i + before());
    GOOD(psb_snd(ctxt, LONG, x, after(), 1));
    BAD(psb_rcv(ctxt, LONG - 1, x, before(), 1), PSB_EARG,
        "sent 1000 elements of type double; expected 999 of double");
    EXPECT(x[0] == me);
    GOOD(psb_snd(ctxt, 1, x, after(), 1));
    GOOD(psb_rcv(ctxt, 1, y, before(), 1));
    EXPECT(y[0] == before());
    psb_set_piece(was);
}

/* Too long, too short, of another type, truncated; the next message is received correctly. */
TEST(unexpected_messages)
{
    static double x[1 << 16], y[1 << 16];
    static float z[8];
    const int sent[] = { 3, 5, 100, 100, 1 << 16, 1, 4 }, due[] = { 4, 4, 4, 101, 5, 1 << 16, 8 };
    psb_err e;
    for (int k = 0; k < 7; k++) {
        y[0] = -1;
        GOOD(psb_snd(ctxt, sent[k], x, after(), 3));
        e = k == 6 ? psb_rcv(ctxt, 8, z, before(), 3) : psb_rcv(ctxt, due[k], y, before(), 3);
        BAD(e, PSB_EARG,
            k == 6 ? "of type double; expected 8 of float" : "elements of type double; expected");
        EXPECT(y[0] == -1);
    }
    x[0] = me;
    GOOD(psb_snd(ctxt, 1, x, after(), 3));
    GOOD(psb_rcv(ctxt, 1, y, before(), 3));
    EXPECT(y[0] == before());
}

TEST(wrong_arguments)
{
    double x[3] = { 0 };
    BAD(psb_snd(ctxt, 1, x, np, 0), PSB_EARG, "argument dest is ");
    BAD(psb_snd(ctxt, 1, x, -1, 0), PSB_EARG, "argument dest is -1; expected 0 <= dest < ");
    BAD(psb_snd(ctxt, 1, x, 0, PSB_TAGS), PSB_EARG, "argument tag is 16384; expected 0 <= tag < 16384");
    BAD(psb_snd(ctxt, 1, x, 0, -1), PSB_EARG, "argument tag is -1");
    BAD(psb_rcv(ctxt, 1, x, np, 0), PSB_EARG, "argument source is ");
    BAD(psb_rcv(ctxt, 1, x, -1, 0), PSB_EARG, "argument source is -1; expected 0 <= source < ");
    BAD(psb_rcv(ctxt, 1, x, 0, PSB_TAGS), PSB_EARG, "argument tag is ");
    BAD(psb_rcv(ctxt, 1, x, 0, -1), PSB_EARG, "argument tag is -1");
    /* a failed receive drops its message; the next receive gets the next one */
    for (int k = 0; k < 4; k++) {
        x[0] = k;
        GOOD(psb_snd(ctxt, 1, x, after(), 0));
    }
    BAD(psb_rcv(ctxt, -1, x, before(), 0), PSB_EARG, "argument n is -1");
    BAD(psb_rcv(ctxt, 1, (double *)NULL, before(), 0), PSB_EARG, "argument x is NULL");
    BAD(psb_any_rcv(ctxt, PSB_NKINDS, 1, x, before(), 0), PSB_EARG, "argument kind is 11");
    GOOD(psb_rcv(ctxt, 1, x, before(), 0));
    EXPECT(x[0] == 3);
    /* errors that the receiver gets too */
    BAD(psb_snd(ctxt, -1, x, after(), 0), PSB_EARG, "argument n is -1; expected 0 <= n");
    BAD(psb_rcv(ctxt, 1, x, before(), 0), PSB_EARG, "could not send: invalid argument");
    BAD(psb_snd(ctxt, 3, (double *)NULL, after(), 0), PSB_EARG, "argument x is NULL; expected 3 elements");
    BAD(psb_rcv(ctxt, 3, x, before(), 0), PSB_EARG, "could not send: invalid argument");
    BAD(psb_any_snd(ctxt, (enum psb_kind) - 1, 3, x, after(), 0), PSB_EARG, "argument kind is -1");
    BAD(psb_rcv(ctxt, 3, x, before(), 0), PSB_EARG, "could not send");
    psb_alloc_fail_at(1);
    BAD(psb_snd(ctxt, 3, x, after(), 0), PSB_ENOMEM, "no memory for message to send");
    BAD(psb_rcv(ctxt, 3, x, before(), 0), PSB_ENOMEM, "could not send: out of memory");
    GOOD(psb_snd(ctxt, 3, x, after(), 0));
    GOOD(psb_rcv(ctxt, 3, x, before(), 0));
}

/* --- the sparse exchange --- */

enum { SIZES = 7 };
static const size_t sizes[SIZES] = { 1, 15, 16, 17, 32, 1000, 0 };

/* Byte i of the message of exchange k between two processes. */
static unsigned char byte(int k, int from, int to, size_t i)
{
    return (unsigned char)(k * 101 + from * 31 + to * 7 + (int)i);
}

/* In exchange k every process sends to the processes at distance 0, 2, 4, ... above it. */
static psb_err exchange(psb_ctxt *on, int k, struct psb_msg **in, int *nin)
{
    static unsigned char text[8][1000];
    struct psb_msg out[8];
    int nout = 0, rank, size;
    psb_info(on, &rank, &size);
    for (int d = 0; d < size; d += 2, nout++) {
        int to = (rank + d) % size;
        out[nout] = (struct psb_msg){ to, sizes[(k + d) % SIZES], text[nout] };
        for (size_t i = 0; i < out[nout].bytes; i++)
            text[nout][i] = byte(k, rank, to, i);
    }
    return psb_exchange(on, out, nout, in, nin);
}

static void check_exchanged(psb_ctxt *on, int k, const struct psb_msg *in, int nin)
{
    int rank, size, n = 0;
    psb_info(on, &rank, &size);
    for (int from = 0; from < size; from++) {
        int d = (rank - from + size) % size;
        size_t bytes = d % 2 == 0 ? sizes[(k + d) % SIZES] : 0;
        if (bytes == 0)
            continue;
        EXPECT(n < nin && in[n].rank == from && in[n].bytes == bytes);
        for (size_t i = 0; n < nin && i < bytes && i < in[n].bytes; i++)
            EXPECT(((unsigned char *)in[n].data)[i] == byte(k, from, rank, i));
        n++;
    }
    EXPECT(n == nin);
}

/* Consecutive exchanges without synchronisation, on two contexts in turn, in one message or in several. */
TEST(consecutive_exchanges)
{
    MPI_Comm some;
    psb_ctxt *second = NULL;
    size_t was = psb_set_piece(_i ? 16 : psb_piece());
    MPI_Comm_split(psb_comm_of(ctxt), me % 2, -me, &some);
    GOOD(psb_init_comm(&second, some));
    MPI_Comm_free(&some);
    for (int k = 0; k < 30; k++)
        for (int which = 0; which < 2; which++) {
            struct psb_msg *in = NULL;
            int nin = -1;
            psb_ctxt *on = which ? second : ctxt;
            GOOD(exchange(on, k, &in, &nin));
            check_exchanged(on, k, in, nin);
            psb_msgs_free(in, nin);
        }
    psb_exit(second);
    psb_set_piece(was);
}

/* Two messages to the same process remain two. */
TEST(two_messages_to_one)
{
    size_t was = psb_set_piece(4);
    char text[] = "abcdefghijkl";
    struct psb_msg out[] = { { after(), 4, text }, { after(), 5, text + 4 } }, *in = NULL;
    int nin;
    GOOD(psb_exchange(ctxt, out, 2, &in, &nin));
    EXPECT(nin == 2 && in[0].bytes + in[1].bytes == 9 && in[0].rank == before() && in[1].rank == before());
    psb_msgs_free(in, nin);
    psb_set_piece(was);
}

TEST(wrong_messages)
{
    char c = 'c';
    struct psb_msg out = { after(), 1, &c }, *in = NULL, *const none = in;
    int nin = -1, last = me == np - 1;
    for (int k = 0; k < 3; k++) {
        out = (struct psb_msg){ last && k < 2 ? (k ? np : -1) : after(), 1, last && k == 2 ? NULL : &c };
        psb_err e = psb_exchange(ctxt, &out, 1, &in, &nin);
        if (last)
            EXPECT(in == none && nin == -1);
        else if (e == PSB_OK)
            psb_msgs_free(in, nin);
        BAD(psb_agree(ctxt, e), PSB_EARG, k == 2 ? "is NULL; expected 1 bytes" : "expected 0 <= rank < ");
        in = NULL;
    }
}

/* Allocation n of process `who` fails in an exchange; return whether the exchange failed. */
static int allocation_fails(int who, int n)
{
    struct psb_msg *in = NULL;
    int nin;
    psb_alloc_fail_at(me == who ? n : 0);
    psb_err here = exchange(ctxt, 5, &in, &nin);
    psb_alloc_fail_at(0);
    psb_err e = psb_agree(ctxt, here);
    if (here == PSB_OK)
        psb_msgs_free(in, nin);
    EXPECT(here == PSB_OK || me == who);
    EXPECT(e == PSB_OK || e == PSB_ENOMEM);
    GOOD(exchange(ctxt, 4, &in, &nin));
    check_exchanged(ctxt, 4, in, nin);
    psb_msgs_free(in, nin);
    return collective_count(e != PSB_OK) > 0;
}

TEST(allocation_fails_on_one_process)
{
    size_t was = psb_set_piece(_i ? 16 : psb_piece());
    for (int who = 0; who < np; who++) {
        int n = 1;
        while (allocation_fails(who, n) && n < 400)
            n++;
        EXPECT(n > 2 && n < 400);
    }
    psb_set_piece(was);
}

void add_messages(Suite *s)
{
    TCase *c = collective_tcase(s, "messages");
    ck_add_loop_tests(c, PSB_NKINDS, ring);
    ck_add_tests(c, order_and_tags, tags_next_to_reserved_ones, strings);
    ck_add_loop_tests(c, 4, messages_in_pieces);
    ck_add_tests(c, unexpected_messages, wrong_arguments);
    ck_add_loop_tests(c, 2, consecutive_exchanges);
    ck_add_tests(c, two_messages_to_one, wrong_messages);
    ck_add_loop_tests(c, 2, allocation_fails_on_one_process);
}
