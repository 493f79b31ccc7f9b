/* desc_query.c -- base/desc: queries of a descriptor. */
#include "desc.h"
#include "psb_alloc.h"
#include <string.h>

psb_ipk psb_cd_local_rows(const psb_desc *d)
{
    return psb_is_live(d) ? d->map->nrow : 0;
}

psb_ipk psb_cd_local_cols(const psb_desc *d)
{
    return psb_is_live(d) ? d->map->nrow + psb_desc_nhalo(d) : 0;
}

psb_lpk psb_cd_global_rows(const psb_desc *d)
{
    return psb_is_live(d) ? d->map->nglob : 0;
}

enum psb_state psb_cd_state(const psb_desc *d)
{
    return psb_is_live(d) ? d->state : PSB_NULL;
}

psb_ctxt *psb_cd_ctxt(const psb_desc *d)
{
    return psb_is_live(d) ? d->ctxt : NULL;
}

const char *psb_cd_kind(const psb_desc *d)
{
    return psb_is_live(d) ? d->map->ops->name : "";
}

int psb_cd_is_replicated(const psb_desc *d)
{
    return psb_is_live(d) && d->map->replicated;
}

static const char *transport_of(const struct psb_halo *h, const char **reason)
{
    const int known = h && h->transport;
    if (reason)
        *reason = known && *h->why ? h->why : NULL;
    return known ? h->transport : "";
}

const char *psb_cd_transport(const psb_desc *d, const char **reason)
{
    return transport_of(psb_is_live(d) ? &d->plan : NULL, reason);
}

const char *psb_cd_sums_transport(const psb_desc *d, const char **reason)
{
    return transport_of(psb_is_live(d) ? &d->sums : NULL, reason);
}

struct psb_halo *psb_desc_halo(psb_desc *d)
{
    return &d->plan;
}

struct psb_halo *psb_desc_sums(psb_desc *d)
{
    return &d->sums;
}

const struct psb_overlap *psb_desc_overlap(const psb_desc *d)
{
    return &d->overlap;
}

/* --- numbers ---------------------------------------------------------------------------------------- */

int psb_is_owned(const psb_desc *d, psb_lpk g)
{
    return psb_is_live(d) && psb_map_g2l(d->map, psb_from_0(g)) >= 0;
}

psb_ipk psb_glob_to_loc(const psb_desc *d, psb_lpk g)
{
    if (!psb_is_live(d))
        return -1;
    g = psb_from_0(g);
    psb_ipk l = psb_map_g2l(d->map, g);
    if (l >= 0 || d->state != PSB_ASSEMBLED)
        return l;
    l = psb_hash_get(&d->halo, g);
    return l < 0 ? -1 : d->map->nrow + d->place[l];
}

psb_lpk psb_loc_to_glob(const psb_desc *d, psb_ipk l)
{
    if (!psb_is_live(d))
        return -1;
    if (l >= 0 && l < d->map->nrow)
        return d->map->ops->l2g(d->map, l) + psb_index_base();
    if (d->state != PSB_ASSEMBLED || l < 0 || l >= psb_cd_local_cols(d))
        return -1;
    return d->glob[l - d->map->nrow] + psb_index_base();
}

bool psb_desc_ascends(const psb_desc *d)
{
    const struct psb_map *m = d->map;
    psb_ipk l = 1;
    while (!m->one_run && l < m->nrow && m->ops->l2g(m, l - 1) < m->ops->l2g(m, l))
        l++;
    return m->one_run || l >= m->nrow;
}

psb_ipk psb_desc_slot_to_loc(const psb_desc *d, psb_ipk slot)
{
    return slot < d->map->nrow ? slot : d->map->nrow + d->place[slot - d->map->nrow];
}

psb_err psb_desc_check_one(const psb_desc *d, psb_epk k, psb_lpk g, const char *name)
{
    const psb_lpk first = psb_index_base(), end = d->map->nglob + psb_index_base();
    PSB_CHECK(g >= first && g < end, PSB_EARG,
              "argument %s[%" PRId64 "] is %" PRId64 "; expected %" PRId64 " <= %s < %" PRId64, name, k, g,
              first, name, end);
    return PSB_OK;
}

psb_err psb_desc_check(const psb_desc *d, psb_epk n, const psb_lpk *g, const char *name)
{
    for (psb_epk k = 0; k < n; k++)
        PSB_TRY(psb_desc_check_one(d, k, g[k], name));
    return PSB_OK;
}

static psb_err check_arrays(const psb_desc *d, psb_epk n, const void *g, const void *l)
{
    PSB_CHECK(psb_is_live(d), PSB_EARG, "argument desc is %s; expected a descriptor", psb_handle_state(d));
    PSB_CHECK(n >= 0, PSB_EARG, "argument n is %" PRId64 "; expected >= 0", n);
    PSB_CHECK(n == 0 || (g && l), PSB_EARG, "argument %s is NULL; expected an array of %" PRId64,
              g ? "l" : "g", n);
    return PSB_OK;
}

psb_err psb_glob_to_loc_n(const psb_desc *d, psb_epk n, const psb_lpk *g, psb_ipk *l)
{
    PSB_TRY(check_arrays(d, n, g, l));
    for (psb_epk k = 0; k < n; k++)
        l[k] = psb_glob_to_loc(d, g[k]);
    return PSB_OK;
}

psb_err psb_loc_to_glob_n(const psb_desc *d, psb_epk n, const psb_ipk *l, psb_lpk *g)
{
    PSB_TRY(check_arrays(d, n, g, l));
    for (psb_epk k = 0; k < n; k++)
        g[k] = psb_loc_to_glob(d, l[k]);
    return PSB_OK;
}

psb_err psb_cd_owners(const psb_desc *d, psb_ipk n, const psb_lpk *g, int *owner)
{
    psb_lpk *from0 = NULL;
    PSB_CHECK(psb_is_live(d), PSB_EARG, "argument desc is %s; expected a descriptor", psb_handle_state(d));
    psb_err e = n == 0 || owner ? check_arrays(d, n, g, owner)
                                : PSB_FAIL(PSB_EARG, "argument owner is NULL; expected an array of %d", n);
    PSB_THEN(e, psb_desc_check(d, n, g, "g"));
    PSB_THEN(e, psb_alloc(&from0, (size_t)n, sizeof *from0, "indices asked"));
    for (psb_ipk k = 0; k < n && e == PSB_OK; k++)
        from0[k] = g[k] - psb_index_base();
    e = psb_agree(d->ctxt, e);
    PSB_THEN(e, psb_map_owners(d->map, d->ctxt, n, from0, owner));
    psb_free(from0);
    return PSB_PASS(e);
}

/* --- lists ------------------------------------------------------------------------------------------ */

static void list_range(psb_ipk a, psb_ipk b, psb_ipk *n, psb_ipk *list)
{
    *n = b - a;
    for (psb_ipk i = a; list && i < b; i++)
        list[i - a] = i;
}

psb_err psb_cd_list(const psb_desc *d, enum psb_cd_indices kind, psb_ipk *n, psb_ipk *list)
{
    PSB_CHECK(psb_is_live(d), PSB_EARG, "argument desc is %s; expected a descriptor", psb_handle_state(d));
    PSB_NEED(n, "where to store how many there are");
    PSB_CHECK(kind == PSB_CD_OWNED || kind == PSB_CD_HALO || kind == PSB_CD_BOUNDARY ||
                  kind == PSB_CD_OVERLAP,
              PSB_EARG, "argument kind is %d; expected one of enum psb_cd_indices", (int)kind);
    PSB_CHECK(kind == PSB_CD_OWNED || d->state == PSB_ASSEMBLED, PSB_ESTATE,
              "the descriptor is not assembled; expected psb_cdasb before");
    if (kind == PSB_CD_BOUNDARY || (kind == PSB_CD_OVERLAP && !d->map->replicated)) {
        const psb_ipk *idx = d->map->shared.loc;
        psb_ipk m = d->map->shared.n;
        bool *mark;
        if (kind == PSB_CD_BOUNDARY && (m = psb_neighbour_rows(&d->plan.send)) > 0)
            PSB_TRY(psb_dual_read((struct psb_dual *)&d->plan.idx, PSB_HOST, &idx));
        PSB_TRY(psb_alloc_zero(&mark, (size_t)d->map->nrow, sizeof *mark, "marks"));
        for (psb_ipk i = 0; i < m; i++)
            mark[idx[i]] = true;
        *n = 0;
        for (psb_ipk i = 0; i < d->map->nrow; i++) {
            if (mark[i] && list)
                list[*n] = i;
            *n += mark[i];
        }
        psb_free(mark);
        return PSB_OK;
    }
    if (kind == PSB_CD_HALO)
        list_range(d->map->nrow, psb_cd_local_cols(d), n, list);
    else
        list_range(0, kind == PSB_CD_OWNED || d->map->np > 1 ? d->map->nrow : 0, n, list);
    return PSB_OK;
}

/* The union of two ascending lists; `out` may be NULL. */
static int merge_ranks(const struct psb_neighbours *x, const struct psb_neighbours *y, int *out)
{
    int n = 0;
    for (int i = 0, j = 0; i < x->n || j < y->n; n++) {
        int a = i < x->n ? x->rank[i] : INT32_MAX, b = j < y->n ? y->rank[j] : INT32_MAX;
        if (out)
            out[n] = a < b ? a : b;
        i += a <= b;
        j += b <= a;
    }
    return n;
}

psb_err psb_cd_neighbours(const psb_desc *d, int *n, int *rank)
{
    PSB_CHECK(psb_is_live(d), PSB_EARG, "argument desc is %s; expected a descriptor", psb_handle_state(d));
    PSB_NEED(n, "where to store how many there are");
    PSB_CHECK(d->state == PSB_ASSEMBLED, PSB_ESTATE,
              "the descriptor is not assembled; expected psb_cdasb before");
    *n = merge_ranks(&d->plan.recv, &d->plan.send, rank);
    return PSB_OK;
}

void psb_cd_volume(const psb_desc *d, psb_ipk *sent, psb_ipk *received, int *neighbours)
{
    if (sent)
        *sent = psb_is_live(d) ? psb_neighbour_rows(&d->plan.send) : 0;
    if (received)
        *received = psb_is_live(d) ? psb_neighbour_rows(&d->plan.recv) : 0;
    if (neighbours)
        *neighbours = psb_is_live(d) ? merge_ranks(&d->plan.recv, &d->plan.send, NULL) : 0;
}

/* --- size and print ------------------------------------------------------------------------------------- */

static size_t neighbours_bytes(const struct psb_neighbours *s)
{
    return s->rank ? (size_t)s->n * sizeof *s->rank + ((size_t)s->n + 1) * sizeof *s->start : 0;
}

static size_t plan_bytes(const struct psb_halo *h)
{
    return neighbours_bytes(&h->recv) + neighbours_bytes(&h->send) + h->idx.bytes;
}

size_t psb_cd_bytes(const psb_desc *d)
{
    if (!psb_is_live(d))
        return 0;
    const struct psb_overlap *s = &d->overlap;
    size_t halo = d->halo.n;
    size_t b = sizeof *d + psb_map_bytes(d->map) + d->halo.cap * (sizeof(psb_lpk) + sizeof(psb_ipk));
    b += d->used_cap * sizeof *d->used;
    if (d->state == PSB_ASSEMBLED)
        b += halo * (sizeof *d->place + sizeof *d->glob);
    b += plan_bytes(&d->plan) + plan_bytes(&s->plan);
    b += s->lists.bytes;
    if (s->n)
        b += (size_t)s->start[s->n] * sizeof *s->place + (size_t)d->map->nrow * sizeof *s->counted;
    return b;
}

enum { COLUMNS = 8 };

static psb_err numbers_of(const psb_desc *d, long long *v)
{
    psb_ipk sent, received, boundary = 0, overlap = 0;
    int neighbours;
    psb_cd_volume(d, &sent, &received, &neighbours);
    if (d->state == PSB_ASSEMBLED) {
        PSB_TRY(psb_cd_list(d, PSB_CD_BOUNDARY, &boundary, NULL));
        PSB_TRY(psb_cd_list(d, PSB_CD_OVERLAP, &overlap, NULL));
    }
    const long long all[COLUMNS] = { d->map->nrow, psb_desc_nhalo(d),
                                     boundary,     overlap,
                                     neighbours,   sent,
                                     received,     (long long)psb_cd_bytes(d) };
    memcpy(v, all, sizeof all);
    return PSB_OK;
}

static void print_transport(const struct psb_halo *h, const char *what, FILE *out)
{
    if (h->transport)
        fprintf(out, "%s: %s%s%s%s\n", what, h->transport, *h->why ? " (" : "", h->why, *h->why ? ")" : "");
}

/* Process 0 prints a line for each process, received from it. */
static psb_err print_lines(const psb_desc *d, long long *v, FILE *out)
{
    int me = d->map->me, np = d->map->np;
    if (me > 0) {
        PSB_MPI(MPI_Send(v, COLUMNS, MPI_LONG_LONG, 0, PSB_TAG_PRINT, psb_comm_of(d->ctxt)));
        return PSB_OK;
    }
    fprintf(out, "descriptor: %" PRId64 " rows over %d processes, %s, %s\n", d->map->nglob, np,
            psb_cd_kind(d), d->state == PSB_ASSEMBLED ? "assembled" : "being built");
    print_transport(&d->plan, "halo exchanges", out);
    print_transport(&d->overlap.plan, "rows of several owners", out);
    print_transport(&d->sums, "sums of scalars", out);
    fprintf(out, "%8s %11s %9s %9s %9s %10s %9s %9s %11s\n", "process", "rows", "halo", "boundary", "overlap",
            "neighbours", "sent", "received", "bytes");
    for (int p = 0; p < np; p++) {
        if (p > 0)
            PSB_MPI(MPI_Recv(v, COLUMNS, MPI_LONG_LONG, p, PSB_TAG_PRINT, psb_comm_of(d->ctxt),
                             MPI_STATUS_IGNORE));
        fprintf(out, "%8d %11lld %9lld %9lld %9lld %10lld %9lld %9lld %11lld\n", p, v[0], v[1], v[2], v[3],
                v[4], v[5], v[6], v[7]);
    }
    PSB_CHECK(fflush(out) == 0 && !ferror(out), PSB_EIO, "the table of the descriptor cannot be written");
    return PSB_OK;
}

psb_err psb_cd_print(const psb_desc *d, FILE *out)
{
    long long v[COLUMNS];
    PSB_CHECK(psb_is_live(d), PSB_EARG, "argument desc is %s; expected a descriptor", psb_handle_state(d));
    psb_err e = d->map->me > 0 || out ? PSB_OK : PSB_FAIL(PSB_EARG, "argument out is NULL; expected a file");
    PSB_THEN(e, numbers_of(d, v));
    PSB_TRY(psb_agree(d->ctxt, e));
    return PSB_PASS(psb_agree(d->ctxt, print_lines(d, v, out)));
}
