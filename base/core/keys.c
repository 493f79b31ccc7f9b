/* keys.c -- base/core: stable counting sort by several threads. */
#include "keys.h"
#include "psb_alloc.h"
#include "psb_team.h"
#include "psb_threads.h"
#include <string.h>

enum { MOST_SORT_THREADS = 64 };

struct counting {
    const struct psb_keys *k;
    const psb_ipk *key;
    psb_epk nz, *ptr;
    psb_epk first[MOST_SORT_THREADS + 1]; /* [t + 1]: entries of thread t's keys; then prefix sums */
};

/* Count each key in the entries of thread t. */
static void count_keys(void *job, int t, int p)
{
    const struct counting *c = job;
    psb_epk *mine = psb_keys_next(c->k, t), e, end;
    memset(mine, 0, (size_t)c->k->n * sizeof *mine);
    for (psb_thread_range(c->nz, t, p, &e, &end); e < end; e++)
        mine[c->key[e]]++;
}

/* Count the entries of the keys of thread t. */
static void add_counts(void *job, int t, int p)
{
    struct counting *c = job;
    psb_epk j, from, end, sum = 0;
    psb_thread_range(c->k->n, t, p, &from, &end);
    for (int u = 0; u < p; u++)
        for (j = from; j < end; j++)
            sum += psb_keys_next(c->k, u)[j];
    c->first[t + 1] = sum;
}

/* Turn counts into positions: ordered by key, and for one key by thread. */
static void place_keys(void *job, int t, int p)
{
    const struct counting *c = job;
    psb_epk j, end, at = c->first[t];
    for (psb_thread_range(c->k->n, t, p, &j, &end); j < end; j++) {
        if (c->ptr)
            c->ptr[j] = at;
        for (int u = 0; u < p; u++) {
            psb_epk *next = psb_keys_next(c->k, u) + j, n = *next;
            *next = at;
            at += n;
        }
    }
}

static int sort_threads(psb_ipk n, psb_epk nz)
{
    const psb_epk p = psb_threads(nz),
                  most = n > 0 && nz / n < MOST_SORT_THREADS ? nz / n : MOST_SORT_THREADS;
    return most < 1 ? 1 : p < most ? (int)p : (int)most;
}

psb_err psb_keys_begin(psb_ipk n, psb_epk nz, const psb_ipk *key, psb_epk *ptr, struct psb_keys *k)
{
    struct counting c = { .k = k, .key = key, .nz = nz, .ptr = ptr };
    k->p = sort_threads(n, nz);
    k->n = n;
    PSB_TRY(psb_alloc(&k->next, (size_t)n * (size_t)k->p, sizeof *k->next, "sort"));
    psb_team(k->p, count_keys, &c);
    psb_team(k->p, add_counts, &c);
    for (int t = 0; t < k->p; t++)
        c.first[t + 1] += c.first[t];
    psb_team(k->p, place_keys, &c);
    if (ptr)
        ptr[n] = nz;
    return PSB_OK;
}

void psb_keys_end(struct psb_keys *k)
{
    psb_free(k->next);
}
