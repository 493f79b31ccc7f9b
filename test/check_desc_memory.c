/* check_desc_memory.c -- test: descriptors: allocations that fail on one process. */
#include <stdio.h>
#include "check_desc.h"

void walk(const struct walk *w)
{
    for (int who = 0; who < np; who = who == 1 && np > 2 ? np - 1 : who + 1)
        for (long k = 1, failed = 1; failed && k < 1000; k++) {
            psb_alloc_fail_at(me == who ? k : 0);
            psb_err e = w->call(w->arg);
            psb_alloc_fail_at(0);
            failed = collective_count(e != PSB_OK);
            EXPECT_SAYING(failed == 0 || failed == np,
                          "%s: allocation %ld of process %d failed, and %ld of %d processes did", w->name, k,
                          who, failed, np);
            EXPECT_SAYING(e == PSB_OK || e == PSB_ENOMEM || e == PSB_EMPI, "%s: %s", w->name, psb_errmsg());
            if (e == PSB_OK && w->undo)
                w->undo(w->arg);
            if (e != PSB_OK && w->still)
                w->still(w->arg);
        }
}

struct plot {
    const struct layout *p;
    psb_desc *d, *e;
    enum way way;
};

static psb_err make(void *arg)
{
    struct plot *t = arg;
    return make_desc(&t->d, t->p, t->way, false);
}

static void unmake(void *arg)
{
    struct plot *t = arg;
    EXPECT(t->d != NULL);
    psb_cdfree(t->d);
    t->d = NULL;
}

static void check_none_made(void *arg)
{
    EXPECT(!((struct plot *)arg)->d);
}

static psb_err assemble(void *arg)
{
    return psb_cdasb(((struct plot *)arg)->d);
}

static void check_and_reopen(void *arg)
{
    struct plot *t = arg;
    check_assembled(t->d, t->p);
    check_exchange(t->d, t->p);
    GOOD(psb_cd_reinit(t->d));
}

static void in_build(void *arg)
{
    EXPECT(psb_cd_state(((struct plot *)arg)->d) == PSB_BUILD);
}

static psb_err copy(void *arg)
{
    struct plot *t = arg;
    return psb_agree(ctxt, psb_cdcpy(&t->e, t->d));
}

static psb_err make_like(void *arg)
{
    struct plot *t = arg;
    return psb_agree(ctxt, psb_cdall_like(&t->e, t->d));
}

/* Processes on which the copy succeeded free it. */
static void drop_copy(void *arg)
{
    struct plot *t = arg;
    psb_cdfree(t->e);
    t->e = NULL;
}

static psb_err query(void *arg)
{
    psb_lpk g[ROWS];
    int owner[ROWS];
    const struct plot *t = arg;
    for (int i = 0; i < t->p->n; i++)
        g[i] = i;
    return psb_cd_owners(t->d, t->p->n, g, owner);
}

static psb_err print(void *arg)
{
    static FILE *null;
    if (me == 0 && !null)
        null = fopen("/dev/null", "w");
    return psb_cd_print(((struct plot *)arg)->d, null);
}

static psb_err insert(void *arg)
{
    struct plot *t = arg;
    psb_err e = PSB_OK;
    for (int j = 0; j < t->p->n && e == PSB_OK; j++)
        if (t->p->uses[me][j])
            e = psb_cdins(t->d, 1, NULL, &(psb_lpk){ j });
    return psb_agree(ctxt, e);
}

TEST(allocation_fails)
{
    const struct layout p = layout((enum distribution)_i), q = ascending_rows(&p);
    struct plot t = { .p = &p };
    static const char *const names[] = { "psb_cdall_nl", "psb_cdall_vl",   "psb_cdall_vl_lidx",
                                         "psb_cdall_vg", "psb_cdall_repl", "psb_cdall_parts" };
    for (t.way = BY_NL; t.way < WAYS; t.way++)
        walk(&(struct walk){ make, unmake, check_none_made, &t, names[t.way] });
    t.p = _i == SHUFFLED ? &p : &q;
    t.d = build_desc(t.p);
    walk(&(struct walk){ insert, NULL, in_build, &t, "psb_cdins" });
    walk(&(struct walk){ copy, drop_copy, drop_copy, &t, "psb_cdcpy" });
    walk(&(struct walk){ make_like, drop_copy, drop_copy, &t, "psb_cdall_like" });
    walk(&(struct walk){ query, NULL, NULL, &t, "psb_cd_owners" });
    walk(&(struct walk){ assemble, check_and_reopen, in_build, &t, "psb_cdasb" });
    GOOD(psb_cdasb(t.d));
    walk(&(struct walk){ copy, drop_copy, drop_copy, &t, "psb_cdcpy" });
    walk(&(struct walk){ print, NULL, NULL, &t, "psb_cd_print" });
    check_assembled(t.d, t.p);
    psb_cdfree(t.d);
}

void add_allocation_failures(TCase *c)
{
    ck_add_loop_tests(c, DISTRIBUTIONS, allocation_fails);
}
