/* check_desc.c -- test: descriptors: construction, queries, copies, printed text. */
#include <stdio.h>
#include <string.h>
#include "check_desc.h"

/* --- construction --- */

/* Check what does not depend on the halo. */
static void check_rows(const psb_desc *d, const struct layout *p, const char *kind)
{
    const int base = psb_index_base();
    int owner[ROWS];
    psb_lpk g[ROWS + 2];
    psb_ipk l[ROWS + 2], n = -1;
    EXPECT(psb_cd_local_rows(d) == p->nl[me] && psb_cd_global_rows(d) == p->n);
    EXPECT(psb_cd_ctxt(d) == ctxt && psb_cd_is_replicated(d) == (strcmp(kind, "replicated") == 0));
    EXPECT_SAYING(strcmp(psb_cd_kind(d), kind) == 0, "kind %s, expected %s", psb_cd_kind(d), kind);
    for (int i = 0; i < p->n; i++) {
        EXPECT(psb_is_owned(d, i + base) == p->owns[me][i]);
        g[i] = i + base;
    }
    for (int k = 0; k < p->nl[me]; k++) {
        EXPECT(psb_loc_to_glob(d, k) == p->row[me][k] + base);
        EXPECT(psb_glob_to_loc(d, p->row[me][k] + base) == k);
    }
    const psb_lpk out[] = { base - 1, p->n + base, -1, INT64_MIN, INT64_MAX };
    for (int k = 0; k < 5; k++)
        EXPECT(!psb_is_owned(d, out[k]) && psb_glob_to_loc(d, out[k]) == -1);
    EXPECT(psb_loc_to_glob(d, -1) == -1 && psb_loc_to_glob(d, psb_cd_local_cols(d)) == -1);
    GOOD(psb_cd_owners(d, p->n, g, owner));
    for (int i = 0; i < p->n; i++)
        EXPECT(owner[i] == (psb_cd_is_replicated(d) ? me : lowest(p, i)));
    GOOD(psb_cd_owners(d, me % 2 ? p->n / 2 : 0, g, owner));
    GOOD(psb_cd_list(d, PSB_CD_OWNED, &n, NULL));
    EXPECT(n == p->nl[me]);
    GOOD(psb_cd_list(d, PSB_CD_OWNED, &n, l));
    for (int k = 0; k < n; k++)
        EXPECT(l[k] == k);
    EXPECT(psb_cd_bytes(d) > 0);
}

/* The kind of map for rows given one by one: few ascending runs, or arbitrary. */
static const char *kind_of(const struct layout *p)
{
    int runs = p->nl[me] > 0;
    for (int k = 1; k < p->nl[me]; k++) {
        if (p->row[me][k] < p->row[me][k - 1])
            return "hash";
        runs += p->row[me][k] != p->row[me][k - 1] + 1;
    }
    return runs && runs <= p->nl[me] / 8 + 1 ? "list" : "hash";
}

/* Check a descriptor in all its states: new, with columns inserted, copied before and after assembly,
 * reopened, and its psb_cdall_like.  Frees d. */
static void check_all_states(psb_desc *d, const struct layout *p, const char *kind)
{
    DESC *make_like = NULL, *again = NULL;
    psb_desc *copy = NULL, *last = NULL;
    psb_ipk s = -1, r = -1;
    int n = -1;
    check_rows(d, p, kind);
    EXPECT(psb_cd_state(d) == PSB_BUILD && psb_cd_local_cols(d) == p->nl[me]);
    psb_cd_volume(d, &s, &r, &n);
    EXPECT(s == 0 && r == 0 && n == 0);
    use_pattern(d, p);
    use_pattern(d, p); /* a second time: no change */
    for (int i = 0; i < p->n; i++)
        EXPECT((psb_glob_to_loc(d, i + psb_index_base()) >= 0) == p->owns[me][i]);
    GOOD(psb_cdall_like(&make_like, d));
    GOOD(psb_cdcpy(&copy, d));
    psb_cdfree(d);
    check_rows(make_like, p, kind);
    EXPECT(psb_cd_state(make_like) == PSB_BUILD && psb_cd_local_cols(make_like) == p->nl[me]);
    use_pattern(make_like, p);
    GOOD(psb_cdasb(make_like));
    check_assembled(make_like, p);
    check_exchange(make_like, p);
    EXPECT(psb_cd_state(copy) == PSB_BUILD);
    GOOD(psb_cdasb(copy));
    check_assembled(copy, p);
    GOOD(psb_cdcpy(&last, copy));
    EXPECT(psb_cd_bytes(last) <= psb_cd_bytes(copy) && psb_cd_bytes(last) > 0);
    psb_cdfree(copy);
    check_rows(last, p, kind);
    check_assembled(last, p);
    check_exchange(last, p);
    GOOD(psb_cd_reinit(last));
    EXPECT(psb_cd_state(last) == PSB_BUILD);
    check_rows(last, p, kind);
    GOOD(psb_cdcpy(&again, last));
    psb_cdfree(last);
    GOOD(psb_cdasb(again));
    check_assembled(again, p);
    check_exchange(again, p);
}

/* In every way that suits the layout. */
TEST(construction)
{
    const enum distribution distribution = (enum distribution)(_i / 2);
    const struct layout p = layout(distribution), q = ascending_rows(&p);
    const bool blocks = distribution <= ONE_HAS_ALL || distribution == NO_ROWS;
    int one = 1;
    GOOD(psb_set_index_base(_i % 2));
    EXPECT(psb_index_base() == _i % 2);
    for (int i = 0; i < p.n; i++)
        one &= owners_of(&p, i) == 1;
    for (int k = 0; k < 2 * WAYS; k++) {
        const enum way way = (enum way)(k / 2);
        const bool general = k % 2;
        const struct layout *of = way == BY_VG || way == BY_PARTS ? &q : &p;
        psb_desc *d = NULL;
        if (way == BY_REPL || (way == BY_VG && !one) || (way == BY_NL && (!blocks || (general && !p.n))))
            continue;
        GOOD(make_desc(&d, of, way, general));
        check_all_states(d, of, way == BY_NL ? "block" : kind_of(of));
    }
    GOOD(psb_set_index_base(0));
}

TEST(replicated)
{
    const struct layout none = layout(NO_ROWS), mixed = layout(ALL_OF_ALL), all = ascending_rows(&mixed);
    GOOD(psb_set_index_base(_i));
    for (int k = 0; k < 3; k++) {
        const struct layout *of = k < 2 ? &all : &none;
        psb_desc *d = NULL;
        GOOD(make_desc(&d, of, BY_REPL, k == 1));
        check_all_states(d, of, "replicated");
    }
    GOOD(psb_set_index_base(0));
}

/* Long runs are stored as runs, not row by row; far more rows than processes, or fewer. */
TEST(kinds_of_maps)
{
    DESC *d = NULL, *reverse = NULL, *single = NULL;
    psb_lpk vl[400], ng = 400 * np;
    for (int k = 0; k < 400; k++)
        vl[k] = k / 100 * 100 * np + 100 * me + k % 100;
    GOOD(psb_cdall_vl(&d, ctxt, 400, vl));
    EXPECT(strcmp(psb_cd_kind(d), "list") == 0);
    for (psb_lpk g = 0; g < ng; g++)
        EXPECT(psb_is_owned(d, g) == (g / 100 % np == me));
    for (int k = 0; k < 400; k++)
        EXPECT(psb_loc_to_glob(d, k) == vl[k] && psb_glob_to_loc(d, vl[k]) == k);
    vl[0] = np - 1 - me;
    GOOD(psb_cdall_vl(&reverse, ctxt, 1, vl));
    int owner[3] = { -1, -1, -1 };
    psb_lpk g[3] = { 0, np - 1, np / 2 };
    GOOD(psb_cd_owners(reverse, 3, g, owner));
    for (int k = 0; k < 3; k++)
        EXPECT(owner[k] == np - 1 - g[k]);
    vl[0] = 0;
    GOOD(psb_cdall_vl(&single, ctxt, me == np - 1, vl));
    GOOD(psb_cd_owners(single, 1, vl, owner));
    EXPECT(owner[0] == np - 1 && psb_cd_global_rows(single) == 1);
    psb_cdfree(NULL);
}

/* --- print --- */

static void check_line(const char *line, const struct layout *p, int r, int assembled, int replicated)
{
    int halo[ROWS], v[9] = { -1 }, overlap = 0, sent = 0, near[PROCS] = { 0 }, neighbours = 0;
    int received = halo_of(p, r, halo), boundary[ROWS] = { 0 }, nb = 0, any = received;
    for (int k = 0; k < received; k++)
        near[lowest(p, halo[k])] = 1;
    for (int q = 0; q < np && !replicated; q++) {
        int m = q == r ? 0 : halo_of(p, q, halo);
        for (int k = 0; k < m; k++)
            if (lowest(p, halo[k]) == r) {
                sent++;
                near[q] = boundary[halo[k]] = 1;
            }
    }
    for (int i = 0; i < p->n; i++) {
        nb += boundary[i];
        overlap += p->owns[r][i] && owners_of(p, i) > 1;
    }
    for (int q = 0; q < np; q++)
        neighbours += near[q];
    int got = sscanf(line, "%d %d %d %d %d %d %d %d %d", v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6, v + 7,
                     v + 8);
    EXPECT(got == 9 && v[0] == r && v[1] == p->nl[r] && v[8] > 0);
    const int want[6] = { any, nb, overlap, neighbours, sent, received };
    for (int k = 0; k < 6; k++)
        EXPECT_SAYING(v[k + 2] == (assembled || k == 0 ? want[k] : 0),
                      "column %d of process %d is %d; expected %d", k + 2, r, v[k + 2], want[k]);
}

static void check_print(const psb_desc *d, const struct layout *p, const char *title)
{
    char text[4000] = "";
    FILE *f = me == 0 ? tmpfile() : NULL;
    GOOD(psb_cd_print(d, f));
    if (me > 0 || !f)
        return;
    rewind(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    EXPECT(strncmp(text, title, strlen(title)) == 0);
    const char *line = strchr(text, '\n');
    EXPECT(line && strstr(line, " process        rows      halo  boundary   overlap neighbours      sent"));
    line = line ? strchr(line + 1, '\n') : NULL;
    for (int r = 0; r < np; r++) {
        EXPECT(line && line[1]);
        if (!line)
            return;
        check_line(line + 1, p, r, psb_cd_state(d) == PSB_ASSEMBLED, psb_cd_is_replicated(d));
        line = strchr(line + 1, '\n');
    }
    EXPECT(line && !line[1]);
}

TEST(printed_text)
{
    char title[100];
    const struct layout p = layout((enum distribution)_i);
    DESC *d = build_desc(&p);
    use_pattern(d, &p);
    const char *kind = psb_cd_kind(d); /* of process 0, which prints */
    snprintf(title, sizeof title, "descriptor: %d rows over %d processes, %s, being built\n", p.n, np, kind);
    check_print(d, &p, title);
    GOOD(psb_cdasb(d));
    snprintf(title, sizeof title, "descriptor: %d rows over %d processes, %s, assembled\n", p.n, np, kind);
    check_print(d, &p, title);
    BAD(psb_cd_print(d, NULL), PSB_EARG, "argument out is NULL; expected a file");
    BAD(psb_cd_print(NULL, stdout), PSB_EARG, "argument desc is NULL");
    FILE *full = me == 0 ? fopen("/dev/full", "w") : NULL;
    if (collective_count(full != NULL))
        BAD(psb_cd_print(d, full), PSB_EIO, "the table of the descriptor cannot be written");
    if (full)
        fclose(full);
}

static Suite *descriptors(void)
{
    Suite *s = suite_create("descriptors");
    TCase *c = collective_tcase(s, "descriptors");
    ck_add_loop_tests(c, 2 * DISTRIBUTIONS, construction);
    ck_add_loop_tests(c, 2, replicated);
    ck_add_tests(c, kinds_of_maps);
    ck_add_loop_tests(c, DISTRIBUTIONS, printed_text);
    add_wrong_on_one(c);
    add_wrong_on_all(c);
    add_allocation_failures(c);
    add_overlap(s);
    add_growth(s);
    return s;
}

int main(void)
{
    return collective_main(descriptors);
}
