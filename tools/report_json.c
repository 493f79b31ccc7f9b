/* report_json.c -- room: tools.  What psb-spmv found out, as JSON. */
#include "config.h"
#include "report.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the UTF-8 character at s; 0 where that is none.  RFC 3629. */
static int utf8_length(const unsigned char *s)
{
    int n = *s < 0x80 ? 1 : *s < 0xc2 ? 0 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : *s < 0xf5 ? 4 : 0;
    for (int i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    int too_long = (*s == 0xe0 && s[1] < 0xa0) || (*s == 0xf0 && s[1] < 0x90);
    int no_character = (*s == 0xed && s[1] >= 0xa0) || (*s == 0xf4 && s[1] >= 0x90);
    return too_long || no_character ? 0 : n;
}

/* s in quotes, or null for "".  A byte that is no UTF-8 becomes the character of that number. */
static void text(FILE *f, const char *s)
{
    if (!*s) {
        fputs("null", f);
        return;
    }
    putc('"', f);
    for (const unsigned char *p = (const unsigned char *)s; *p;) {
        int n = utf8_length(p);
        if (n == 0 || *p < ' ' || *p == '"' || *p == '\\')
            fprintf(f, "\\u%04x", (unsigned)*p);
        else
            fwrite(p, 1, (size_t)n, f);
        p += n ? n : 1;
    }
    putc('"', f);
}

/* , "name": "s" */
static void item(FILE *f, const char *name, const char *s)
{
    fprintf(f, ", \"%s\": ", name);
    text(f, s);
}

static void item_number(FILE *f, const char *name, double x)
{
    if (isfinite(x))
        fprintf(f, ", \"%s\": %.9g", name, x);
    else
        fprintf(f, ", \"%s\": null", name);
}

static void machine(FILE *f, const struct machine *m)
{
    fprintf(f, "{\"hosts\": [");
    for (int i = 0; i < m->hosts; i++) {
        fputs(i ? ", " : "", f);
        text(f, m->host[i]);
    }
    putc(']', f);
    item(f, "processor", m->cpu);
    item(f, "gpu", m->gpu);
    item(f, "device", m->device);
    fprintf(f, ", \"processes\": %d", m->processes);
    item(f, "date", m->date);
    putc('}', f);
}

static void result(FILE *f, const struct report *r, const struct result *k)
{
    fprintf(f, "{\"format\": ");
    text(f, k->format);
    fprintf(f,
            ", \"type\": \"%c\", \"ranks\": %d, \"rows\": %" PRId64 ", \"cols\": %" PRId64
            ", \"entries\": %" PRId64,
            r->type, r->machine.processes, r->rows, r->cols, r->entries);
    fprintf(f, ", \"bytes\": %.0f", k->bytes);
    item_number(f, "conversion_s", k->conversion);
    item_number(f, "median_s", k->product);
    item_number(f, "gflops", k->flops / 1e9);
    item_number(f, "effective_gbs", k->rate / 1e9);
    item_number(f, "copy_gbs", k->copy > 0 ? k->copy / 1e9 : NAN);
    item_number(f, "max_error", k->error >= 0 ? k->error : NAN);
    item(f, "where", k->where);
    putc('}', f);
}

static void refused(FILE *f, const struct report *r, const struct result *k)
{
    (void)r;
    fprintf(f, "{\"format\": ");
    text(f, k->format);
    item(f, "reason", k->refused);
    putc('}', f);
}

/* The results that were refused, or those that were not, each on its line. */
static void list(FILE *f, const struct report *r, int which,
                 void (*one)(FILE *f, const struct report *r, const struct result *k))
{
    int n = 0;
    putc('[', f);
    for (int i = 0; i < r->nresults; i++)
        if ((*r->result[i].refused != '\0') == which) {
            fputs(n++ ? ",\n    " : "\n    ", f);
            one(f, r, &r->result[i]);
        }
    putc(']', f);
}

static void everything(FILE *f, const struct report *r)
{
    const struct options *o = r->options;
    fprintf(f, "{\n  \"machine\": ");
    machine(f, &r->machine);
    fprintf(f, ",\n  \"matrix\": ");
    text(f, o->matrix ? o->matrix : o->generate);
    fprintf(f, ",\n  \"trans\": \"%c\",\n  \"results\": ", o->trans);
    list(f, r, 0, result);
    fprintf(f, ",\n  \"refused\": ");
    list(f, r, 1, refused);
    fprintf(f, "\n}\n");
}

psb_err report_json(const struct report *r, const char *path)
{
    FILE *f = fopen(path, "w");
    PSB_CHECK(f, PSB_EIO, "%s: cannot be written: %s", path, strerror(errno));
    everything(f, r);
    int bad = ferror(f);
    bad = fclose(f) != 0 || bad;
    PSB_CHECK(!bad, PSB_EIO, "%s: cannot be written: %s", path, strerror(errno));
    return PSB_OK;
}
