/* check_desc_errors.c -- test: descriptors: refused arguments and their messages. */
#include <stdio.h>
#include <string.h>
#include "check_desc.h"

/* An error on one process: all fail with its message, and no descriptor is made. */
#define ALL_FAIL(call, ...) (BAD(call, PSB_EARG, __VA_ARGS__), EXPECT(!d))

static int wrong_parts(psb_lpk g, psb_lpk n, int procs, int *pv, void *arg)
{
    const int *distribution = arg;
    (void)n;
    pv[0] = *distribution == 1 && g == 2   ? procs
            : *distribution == 2 && g == 2 ? -1
            : *distribution == 5 && g == 2 ? (me + 1) % procs
                                           : 0;
    return *distribution == 3 && g == 2 ? 0 : *distribution == 4 && g == 2 ? procs + 1 : 1;
}

TEST(wrong_on_one_process)
{
    const int bad = me == _i % np;
    psb_desc *d = NULL, **nowhere = bad ? NULL : &d;
    psb_lpk vl[3] = { 3 * me, 3 * me + 1, 3 * me + 2 };
    psb_ipk lidx[3] = { 2, 1, 0 };
    int vg[3] = { 0, 0, 0 };
    const char *no_desc = "argument desc is NULL; expected where to store the descriptor";
    ALL_FAIL(psb_cdall_nl(nowhere, ctxt, 2), no_desc);
    ALL_FAIL(psb_cdall_vl(nowhere, ctxt, 3, vl), no_desc);
    ALL_FAIL(psb_cdall_vl_lidx(nowhere, ctxt, 3, vl, lidx), no_desc);
    ALL_FAIL(psb_cdall_vg(nowhere, ctxt, 3, vg), no_desc);
    ALL_FAIL(psb_cdall_repl(nowhere, ctxt, 3), no_desc);
    ALL_FAIL(psb_cdall_parts(nowhere, ctxt, 3, wrong_parts, &(int){ 0 }), no_desc);

    ALL_FAIL(psb_cdall_nl(&d, ctxt, bad ? -1 : 2), "argument nl is -1; expected a number of rows >= 0");
    ALL_FAIL(psb_cdall_vl(&d, ctxt, bad ? -3 : 3, vl), "argument nl is -3");
    ALL_FAIL(psb_cdall_vl(&d, ctxt, 3, bad ? NULL : vl), "argument vl is NULL; expected 3 global rows");
    vl[1] = bad ? -1 : 3 * me + 1;
    ALL_FAIL(psb_cdall_vl(&d, ctxt, 3, vl), "argument vl[1] is -1; expected a global row >= 0");
    vl[1] = bad ? 3 * me + 2 : 3 * me + 1;
    ALL_FAIL(psb_cdall_vl(&d, ctxt, 3, vl),
             "argument vl has row %d, which is in the list already; expected each once", 3 * (_i % np) + 2);
    vl[1] = bad ? INT64_MAX : 3 * me + 1;
    ALL_FAIL(psb_cdall_vl(&d, ctxt, 3, vl), "expected less than 2^63 - 1");
    vl[1] = bad ? 3 * np : 3 * me + 1;
    ALL_FAIL(psb_cdall_vl(&d, ctxt, 3, vl),
             "argument vl has row %d while all processes list %d rows; expected 0 <= vl < %d", 3 * np, 3 * np,
             3 * np);
    vl[1] = bad ? (3 * me + 4) % (3 * np)
                : 3 * me + 1; /* one row twice on a process, one on two processes, one on none */
    if (np > 1)
        ALL_FAIL(psb_cdall_vl(&d, ctxt, 3, vl), "row %d of %d is owned by no process", 3 * (_i % np) + 1,
                 3 * np);
    vl[1] = 3 * me + 1;
    ALL_FAIL(psb_cdall_vl_lidx(&d, ctxt, bad ? -3 : 3, vl, lidx), "argument nl is -3; expected");
    ALL_FAIL(psb_cdall_vl_lidx(&d, ctxt, 3, bad ? NULL : vl, lidx),
             "argument vl is NULL; expected 3 global rows");
    vl[1] = bad ? -1 : 3 * me + 1;
    ALL_FAIL(psb_cdall_vl_lidx(&d, ctxt, 3, vl, lidx), "argument vl[1] is -1; expected a global");
    vl[1] = 3 * me + 1;
    lidx[1] = bad ? 3 : 1;
    ALL_FAIL(psb_cdall_vl_lidx(&d, ctxt, 3, vl, lidx), "argument lidx[1] is 3; expected 0 <= lidx < 3");
    lidx[1] = bad ? -1 : 1;
    ALL_FAIL(psb_cdall_vl_lidx(&d, ctxt, 3, vl, lidx), "argument lidx[1] is -1");
    lidx[1] = bad ? 2 : 1;
    ALL_FAIL(psb_cdall_vl_lidx(&d, ctxt, 3, vl, lidx),
             "argument lidx[1] is 2, which is in the list already; expected a permutation");

    ALL_FAIL(psb_cdall_vg(&d, ctxt, bad ? -1 : 3, vg), "argument ng is -1; expected a number of rows >= 0");
    ALL_FAIL(psb_cdall_vg(&d, ctxt, 3, bad ? NULL : vg),
             "argument vg is NULL; expected the owner of each of 3 rows");
    vg[2] = bad ? np : 0;
    ALL_FAIL(psb_cdall_vg(&d, ctxt, 3, vg), "argument vg[2] is %d; expected a process, 0 <= vg < %d", np, np);
    vg[2] = bad ? -1 : 0;
    ALL_FAIL(psb_cdall_vg(&d, ctxt, 3, vg), "argument vg[2] is -1");
    ALL_FAIL(psb_cdall_parts(&d, ctxt, bad ? -1 : 3, wrong_parts, &(int){ 0 }), "argument ng is -1");
    ALL_FAIL(psb_cdall_parts(&d, ctxt, 3, bad ? NULL : wrong_parts, &(int){ 0 }),
             "argument parts is NULL; expected a function");
    ALL_FAIL(psb_cdall_parts(&d, ctxt, 3, wrong_parts, &(int){ bad }),
             "argument parts says that row 2 is owned by %d; expected a process", np);
    ALL_FAIL(psb_cdall_parts(&d, ctxt, 3, wrong_parts, &(int){ 2 * bad }), "row 2 is owned by -1; expected");
    ALL_FAIL(psb_cdall_parts(&d, ctxt, 3, wrong_parts, &(int){ 3 * bad }),
             "argument parts says that row 2 has 0 owners; expected 1 to ");
    ALL_FAIL(psb_cdall_parts(&d, ctxt, 3, wrong_parts, &(int){ 4 * bad }), "row 2 has %d owners", np + 1);
    ALL_FAIL(psb_cdall_repl(&d, ctxt, bad ? -2 : 3), "argument n is -2; expected a number of rows >= 0");
    if (np > 1) {
        vg[2] = bad ? (_i + 1) % np : _i % np; /* no process says that it owns row 2 */
        ALL_FAIL(psb_cdall_vg(&d, ctxt, 3, vg), "row 2 of 3 is owned by no process");
        vg[2] = me; /* every process says so */
        ALL_FAIL(psb_cdall_vg(&d, ctxt, 3, vg),
                 "argument vg differs between processes; expected the same on all");
        vg[2] = 0;
        ALL_FAIL(psb_cdall_repl(&d, ctxt, bad ? 4 : 3), "argument n is ");
        ALL_FAIL(psb_cdall_repl(&d, ctxt, bad ? 4 : 3),
                 "it lies between 3 and 4 on the processes; expected the same on all");
        ALL_FAIL(psb_cdall_vg(&d, ctxt, bad ? 2 : 3, vg), "it lies between 2 and 3 on the processes");
        ALL_FAIL(psb_cdall_parts(&d, ctxt, bad ? 2 : 3, wrong_parts, &(int){ 0 }), "argument ng is ");
        ALL_FAIL(psb_cdall_parts(&d, ctxt, 3, wrong_parts, &(int){ 5 }), "row 2 of 3 is owned by no process");
    }
}

/* Messages contain the caller's indices. */
TEST(messages_of_base_1)
{
    psb_desc *d = NULL;
    psb_lpk vl[3] = { 3 * me + 1, 0, 3 * me + 3 };
    GOOD(psb_set_index_base(1));
    ALL_FAIL(psb_cdall_vl(&d, ctxt, 3, vl), "argument vl[1] is 0; expected a global row >= 1");
    vl[1] = INT64_MIN;
    ALL_FAIL(psb_cdall_vl(&d, ctxt, 3, vl), "; expected a global row >= 1");
    vl[1] = vl[0];
    ALL_FAIL(psb_cdall_vl(&d, ctxt, 3, vl), "argument vl has row %d, which is in the list already",
             3 * me + 1);
    vl[1] = vl[0] + 3 * np;
    ALL_FAIL(psb_cdall_vl(&d, ctxt, 3, vl), "argument vl has row %d while", 6 * np - 2);
    vl[1] = me == 0 ? 4 : 3 * me + 2;
    if (np > 1) {
        ALL_FAIL(psb_cdall_vl(&d, ctxt, 3, vl), "row 2 of ");
        ALL_FAIL(psb_cdall_parts(&d, ctxt, 3, wrong_parts, &(int){ 5 }), "row 2 of 3 is owned");
    }
    ALL_FAIL(psb_cdall_parts(&d, ctxt, 3, wrong_parts, &(int){ 3 }), "row 2 has 0 owners");
    GOOD(psb_cdall_nl(&d, ctxt, 2));
    psb_lpk g = 0;
    psb_ipk l = 7;
    int owner = 7;
    BAD(psb_cdins(d, 1, NULL, &g), PSB_EARG, "argument ja[0] is 0; expected 1 <= ja < %d", 2 * np + 1);
    BAD(psb_cd_owners(d, 1, &g, &owner), PSB_EARG, "argument g[0] is 0; expected 1 <= g < ");
    EXPECT(psb_glob_to_loc(d, 0) == -1 && psb_glob_to_loc(d, INT64_MIN) == -1);
    g = 2 * np + 1;
    BAD(psb_cdins(d, 1, &g, &(psb_lpk){ 1 }), PSB_EARG, "argument ia[0] is ");
    GOOD(psb_glob_to_loc_n(d, 1, &g, &l));
    EXPECT(l == -1 && owner == 7);
    g = 2 * np;
    GOOD(psb_cdins(d, 1, NULL, &g));
    GOOD(psb_cdasb(d));
    psb_cdfree(d);
    BAD(psb_set_index_base(2), PSB_EARG, "argument base is 2; expected 0 or 1");
    BAD(psb_set_index_base(-1), PSB_EARG, "argument base is -1");
    EXPECT(psb_index_base() == 1);
    EXPECT(psb_index_from_0() == 1 && psb_index_base() == 0);
    GOOD(psb_set_index_base(0));
    EXPECT(psb_index_from_0() == 0);
}

TEST(wrong_on_all_processes)
{
    psb_desc *d = NULL;
    DESC *e = NULL;
    psb_lpk g[3] = { 0, 1, 2 };
    psb_ipk l[3] = { 0, 1, 2 }, n = 7;
    int vg[3] = { 0, 0, 0 }, owner[3] = { 7, 7, 7 }, count = 7;
    psb_ctxt *const none = NULL;
    const char *no_ctxt = "argument ctxt is NULL; expected a context";
    ALL_FAIL(psb_cdall_nl(&d, none, 1), no_ctxt);
    ALL_FAIL(psb_cdall_vl(&d, none, 1, g), no_ctxt);
    ALL_FAIL(psb_cdall_vl_lidx(&d, none, 1, g, l), no_ctxt);
    ALL_FAIL(psb_cdall_vg(&d, none, 3, vg), no_ctxt);
    ALL_FAIL(psb_cdall_repl(&d, none, 1), no_ctxt);
    ALL_FAIL(psb_cdall_parts(&d, none, 3, wrong_parts, vg), no_ctxt);
    ALL_FAIL(psb_cdall_like(&d, NULL), "argument like is NULL; expected a descriptor");
    ALL_FAIL(psb_cdcpy(&d, NULL), "argument desc is NULL; expected a descriptor");
    const char *no_desc = "argument desc is NULL; expected a descriptor";
    BAD(psb_cdins(NULL, 1, NULL, g), PSB_EARG, no_desc);
    BAD(psb_cdasb(NULL), PSB_EARG, no_desc);
    BAD(psb_cd_reinit(NULL), PSB_EARG, no_desc);
    BAD(psb_glob_to_loc_n(NULL, 1, g, l), PSB_EARG, no_desc);
    BAD(psb_loc_to_glob_n(NULL, 1, l, g), PSB_EARG, no_desc);
    BAD(psb_cd_list(NULL, PSB_CD_OWNED, &n, l), PSB_EARG, no_desc);
    BAD(psb_cd_neighbours(NULL, &count, owner), PSB_EARG, no_desc);
    BAD(psb_cd_owners(NULL, 1, g, owner), PSB_EARG, no_desc);
    GOOD(psb_cdall_nl(&d, ctxt, 3));
    psb_cdfree(d);
    const psb_desc *const none_or_freed[] = { NULL, d };
    for (int k = 0; k < 2; k++) {
        const psb_desc *const nobody = none_or_freed[k];
        psb_ipk sent = 7, received = 7;
        EXPECT(psb_cd_local_rows(nobody) == 0 && psb_cd_local_cols(nobody) == 0);
        EXPECT(psb_cd_global_rows(nobody) == 0 && psb_cd_state(nobody) == PSB_NULL && !psb_cd_ctxt(nobody));
        EXPECT(strcmp(psb_cd_kind(nobody), "") == 0 && !psb_cd_is_replicated(nobody));
        EXPECT(!psb_is_owned(nobody, 0) && psb_glob_to_loc(nobody, 0) == -1);
        EXPECT(psb_loc_to_glob(nobody, 0) == -1 && psb_cd_bytes(nobody) == 0);
        psb_cd_volume(nobody, &sent, &received, &count);
        EXPECT(sent == 0 && received == 0 && count == 0);
        psb_cd_volume(nobody, NULL, NULL, NULL);
    }
    psb_cdfree(NULL);
    count = 7;

    GOOD(psb_cdall_nl(&d, ctxt, 3));
    BAD(psb_cdall_like(NULL, d), PSB_EARG, "argument desc is NULL; expected where to store");
    BAD(psb_cdcpy(NULL, d), PSB_EARG, "argument copy is NULL; expected where to store");
    BAD(psb_cdins(d, -1, NULL, g), PSB_EARG, "argument nz is -1; expected >= 0");
    BAD(psb_cdins(d, 2, g, NULL), PSB_EARG, "argument ja is NULL; expected 2 indices");
    GOOD(psb_cdins(d, 0, NULL, NULL));
    g[1] = 3 * np;
    char text[120];
    BAD(psb_cdins(d, 3, NULL, g), PSB_EARG, "argument ja[1] is %d; expected 0 <= ja < %d", 3 * np, 3 * np);
    g[1] = -1;
    BAD(psb_cdins(d, 3, g, g), PSB_EARG, "argument ia[1] is -1; expected 0 <= ia < ");
    BAD(psb_cd_neighbours(d, &count, owner), PSB_ESTATE, "the descriptor is not assembled");
    for (int k = PSB_CD_HALO; k <= PSB_CD_OVERLAP; k++)
        BAD(psb_cd_list(d, (enum psb_cd_indices)k, &n, l), PSB_ESTATE, "the descriptor is not assembled");
    BAD(psb_cd_list(d, (enum psb_cd_indices)4, &n, l), PSB_EARG,
        "argument kind is 4; expected one of enum psb_cd_indices");
    BAD(psb_cd_list(d, (enum psb_cd_indices) - 1, &n, l), PSB_EARG, "argument kind is -1");
    BAD(psb_cd_list(d, PSB_CD_OWNED, NULL, l), PSB_EARG, "argument n is NULL");
    BAD(psb_cd_neighbours(d, NULL, owner), PSB_EARG, "argument n is NULL");
    BAD(psb_glob_to_loc_n(d, -1, g, l), PSB_EARG, "argument n is -1; expected >= 0");
    BAD(psb_glob_to_loc_n(d, 1, NULL, l), PSB_EARG, "argument g is NULL; expected an array of 1");
    BAD(psb_glob_to_loc_n(d, 1, g, NULL), PSB_EARG, "argument l is NULL");
    BAD(psb_loc_to_glob_n(d, -1, l, g), PSB_EARG, "argument n is -1; expected >= 0");
    BAD(psb_loc_to_glob_n(d, 1, NULL, g), PSB_EARG, "argument l is NULL");
    BAD(psb_loc_to_glob_n(d, 1, l, NULL), PSB_EARG, "argument g is NULL");
    GOOD(psb_glob_to_loc_n(d, 0, NULL, NULL));
    EXPECT(n == 7 && count == 7);
    const int bad = me == np - 1;
    BAD(psb_cd_owners(d, bad ? -1 : 1, g, owner), PSB_EARG, "argument n is -1; expected >= 0");
    BAD(psb_cd_owners(d, 1, bad ? NULL : g, owner), PSB_EARG, "argument g is NULL");
    BAD(psb_cd_owners(d, 1, g, bad ? NULL : owner), PSB_EARG,
        "argument owner is NULL; expected an array of 1");
    BAD(psb_cd_owners(d, bad ? 2 : 1, g, owner), PSB_EARG, "argument g[1] is -1; expected 0 <= g < ");
    EXPECT(owner[0] == 7);
    BAD(psb_cd_reinit(d), PSB_ESTATE, "the descriptor is not assembled; expected state ASSEMBLED");
    GOOD(psb_cdcpy(&e, d));
    GOOD(psb_cdasb(e));
    BAD(psb_cdasb(bad ? e : d), PSB_ESTATE, "the descriptor is assembled already; expected state BUILD");
    EXPECT(psb_cd_state(d) == PSB_BUILD);
    BAD(psb_cd_reinit(bad ? d : e), PSB_ESTATE, "the descriptor is not assembled");
    EXPECT(psb_cd_state(e) == PSB_ASSEMBLED);
    if (me == 0)
        BAD(psb_cdins(e, 1, NULL, g), PSB_ESTATE, "the descriptor is assembled; expected state BUILD");
    BAD(psb_cdins(e, 0, NULL, NULL), PSB_ESTATE, "the descriptor is assembled; expected state BUILD");
    const psb_lpk here[3] = { 3 * me, 3 * me, 3 * me }, foreign = 3 * ((me + 1) % np);
    const psb_lpk to[3] = { 3 * me + 1, 3 * me + 2, 3 * ((me + 1) % np) };
    snprintf(text, sizeof text,
             "argument ja[2] is %d, which is not in the halo, and the descriptor is assembled; expected "
             "state BUILD",
             (int)to[2]);
    if (np > 1) {
        BAD(psb_cdins(e, 3, NULL, to), PSB_ESTATE, text);
        BAD(psb_cdins(e, 1, &foreign, to + 2), PSB_ESTATE, "the descriptor is assembled; expected");
        BAD(psb_cdins(e, 3, here, to), PSB_ESTATE, text);
    }
    GOOD(psb_cdasb(d));
    EXPECT(psb_cd_local_cols(d) == 3);
    psb_cdfree(d);
}

TEST(psb_cdall_wrong_arguments)
{
    psb_desc *d = NULL;
    int vg[2] = { 0 };
    psb_lpk vl[2] = { 2 * me, 2 * me + 1 };
    const psb_ipk lidx[2] = { 0, 1 };
    const int bad = me == np - 1;
    struct psb_cdall_how one = { .nl = 2 }, none = { 0 }, many = { .ng = 2, .vg = vg, .repl = 1 };
    const char *hint = "; expected one of nl, vg, vl, repl and parts, the same on all processes";
    ALL_FAIL(psb_cdall(&d, NULL, &one), "argument ctxt is NULL; expected a context");
    ALL_FAIL(psb_cdall(bad ? NULL : &d, ctxt, &one), "argument desc is NULL");
    ALL_FAIL(psb_cdall(&d, ctxt, bad ? NULL : &one), "argument how is NULL; expected what says");
    ALL_FAIL(psb_cdall(&d, ctxt, &none), "argument how gives none of the ways%s", hint);
    ALL_FAIL(psb_cdall(&d, ctxt, bad ? &many : &none), "argument how gives vg and repl%s", hint);
    many = (struct psb_cdall_how){ .nl = 2, .vg = vg, .ng = 2 };
    ALL_FAIL(psb_cdall(&d, ctxt, bad ? &many : &one), "argument how gives nl and vg%s", hint);
    many = (struct psb_cdall_how){ .nl = 2, .vl = vl, .vg = vg, .parts = wrong_parts, .repl = 1 };
    ALL_FAIL(psb_cdall(&d, ctxt, &many), "argument how gives vg and vl and repl and parts%s", hint);
    many = (struct psb_cdall_how){ .nl = 2, .lidx = lidx };
    ALL_FAIL(psb_cdall(&d, ctxt, bad ? &many : &one),
             "argument how->lidx is given and how->vl is NULL; expected both");
    many = (struct psb_cdall_how){ .ng = INT64_C(1) << 31, .repl = 1 };
    ALL_FAIL(psb_cdall(&d, ctxt, &many), "argument how->ng is 2147483648; expected 0 <= ng < 2^31");
    many = (struct psb_cdall_how){ .ng = INT64_MIN + 2, .repl = 1 };
    ALL_FAIL(psb_cdall(&d, ctxt, bad ? &many : &one), "expected 0 <= ng < 2^31");
    many = (struct psb_cdall_how){ .nl = 2, .ng = 5 };
    ALL_FAIL(psb_cdall(&d, ctxt, bad ? &many : &one),
             "argument how->ng is 5 and says nothing of owners; expected vg, parts or repl with it");
    many = (struct psb_cdall_how){ .nl = -1 };
    ALL_FAIL(psb_cdall(&d, ctxt, bad ? &many : &one), "argument nl is -1; expected");
    many = (struct psb_cdall_how){ .ng = 2, .vg = vg };
    if (np > 1) {
        many.ng = 2;
        ALL_FAIL(psb_cdall(&d, ctxt, bad ? &none : &many),
                 "argument how gives none of the ways here; expected vg, as on other processes");
        one.vl = vl;
        ALL_FAIL(psb_cdall(&d, ctxt, bad ? &(struct psb_cdall_how){ .nl = 2 } : &one),
                 "argument how gives nl and vl%s", hint);
    }
    many.vg = (int[]){ np, 0 };
    ALL_FAIL(psb_cdall(&d, ctxt, &many), "argument vg[0] is ");
}

void add_wrong_on_one(TCase *c)
{
    ck_add_loop_tests(c, 2, wrong_on_one_process);
    ck_add_tests(c, messages_of_base_1);
}

void add_wrong_on_all(TCase *c)
{
    ck_add_tests(c, psb_cdall_wrong_arguments, wrong_on_all_processes);
}
