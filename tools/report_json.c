/* report_json.c -- room: tools.  The results of psb-spmv as JSON, written with the library jansson. */
#include "config.h"
#include "report.h"

#ifdef HAVE_JANSSON
#include "psb_alloc.h"
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns the length of the UTF-8 character at s, or 0 if the bytes are not valid UTF-8. */
static size_t utf8_length(const char *s)
{
    size_t left = strlen(s);
    for (size_t n = 1; n <= 4 && n <= left; n++) {
        json_t *valid = json_stringn(s, n);
        json_decref(valid);
        if (valid)
            return n;
    }
    return 0;
}

/* s as a JSON string, or null for "".  A byte that is not valid UTF-8 becomes the character with its
 * number. */
static json_t *text(const char *s)
{
    if (!*s)
        return json_null();
    char *utf8 = NULL;
    if (psb_alloc(&utf8, 2 * strlen(s) + 1, 1, "a string of the JSON report") != PSB_OK)
        return NULL;
    char *to = utf8;
    while (*s) {
        size_t n = utf8_length(s);
        if (n == 0) {
            unsigned char byte = (unsigned char)*s++;
            *to++ = (char)(0xc0 | byte >> 6);
            *to++ = (char)(0x80 | (byte & 0x3f));
        }
        for (; n > 0; n--)
            *to++ = *s++;
    }
    *to = '\0';
    json_t *string = json_string(utf8);
    psb_free(utf8);
    return string;
}

static json_t *number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *machine(const struct machine *m)
{
    json_t *hosts = json_array();
    for (int i = 0; i < m->hosts; i++)
        if (json_array_append_new(hosts, text(m->host[i])) != 0) {
            json_decref(hosts);
            return NULL;
        }
    return json_pack("{s:o,s:o,s:o,s:o,s:i,s:o}", "hosts", hosts, "processor", text(m->cpu), "gpu",
                     text(m->gpu), "device", text(m->device), "processes", m->processes, "date",
                     text(m->date));
}

static json_t *result(const struct report *r, const struct result *k)
{
    const char type[] = { r->type, '\0' };
    return json_pack("{s:o,s:s,s:i,s:I,s:I,s:I,s:I,s:o,s:o,s:o,s:o,s:o,s:o,s:o}",           //
                     "format", text(k->format), "type", type,                               //
                     "ranks", r->machine.processes,                                         //
                     "rows", (json_int_t)r->rows, "cols", (json_int_t)r->cols,              //
                     "entries", (json_int_t)r->entries, "bytes", (json_int_t)k->bytes,      //
                     "conversion_s", number(k->conversion), "median_s", number(k->product), //
                     "gflops", number(k->flops / 1e9), "effective_gbs", number(k->rate / 1e9), "copy_gbs",
                     number(k->copy > 0 ? k->copy / 1e9 : NAN), "max_error",
                     number(k->error >= 0 ? k->error : NAN), "where", text(k->where));
}

static json_t *refused(const struct report *r, const struct result *k)
{
    (void)r;
    return json_pack("{s:o,s:o}", "format", text(k->format), "reason", text(k->refused));
}

/* A list of the refused results (which = 1) or of the others (which = 0). */
static json_t *list(const struct report *r, int which,
                    json_t *(*one)(const struct report *r, const struct result *k))
{
    json_t *all = json_array();
    for (int i = 0; i < r->nresults; i++)
        if ((*r->result[i].refused != '\0') == which &&
            json_array_append_new(all, one(r, &r->result[i])) != 0) {
            json_decref(all);
            return NULL;
        }
    return all;
}

static json_t *everything(const struct report *r)
{
    const struct options *o = r->options;
    const char trans[] = { o->trans, '\0' };
    return json_pack("{s:o,s:o,s:s,s:o,s:o}", "machine", machine(&r->machine), "matrix",
                     text(o->matrix ? o->matrix : o->generate), "trans", trans, "results", list(r, 0, result),
                     "refused", list(r, 1, refused));
}

psb_err report_json(const struct report *r, const char *path)
{
    json_t *all = everything(r);
    PSB_CHECK(all, PSB_ENOMEM, "%s: no memory for the report", path);
    FILE *f = fopen(path, "w");
    int bad = !f || json_dumpf(all, f, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) != 0 || putc('\n', f) == EOF;
    bad = (f && fclose(f) != 0) || bad;
    json_decref(all);
    PSB_CHECK(!bad, PSB_EIO, "%s: cannot be written: %s", path, strerror(errno));
    return PSB_OK;
}
#else
psb_err report_json(const struct report *r, const char *path)
{
    (void)r;
    return PSB_FAIL(PSB_ENOTIMPL, "%s: this psb-spmv was built without jansson", path);
}
#endif
