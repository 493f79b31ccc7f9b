/* json.c -- tools: parts of the JSON reports of the programs, by the library jansson. */
#include "config.h"

#ifdef HAVE_JANSSON
#include "json.h"
#include "psb_alloc.h"
#include "psb_threads.h"
#include "psb_version.h"
#include <errno.h>
#include <math.h>
#include <stdbool.h>
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

json_t *json_text(const char *s)
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

json_t *json_number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *json_machine(const struct machine *m)
{
    json_t *hosts = json_array();
    for (int i = 0; i < m->hosts; i++)
        if (json_array_append_new(hosts, json_text(m->host[i])) != 0) {
            json_decref(hosts);
            return NULL;
        }
    return json_pack("{s:o,s:o,s:o,s:o,s:i,s:i,s:o,s:s}", "hosts", hosts, "processor", json_text(m->cpu),
                     "gpu", json_text(m->gpu), "device", json_text(m->device), "processes", m->processes,
                     "threads", psb_threads(INT64_MAX), "date", json_text(m->date), "version",
                     psb_version()->name);
}

psb_err json_write(json_t *all, const char *path)
{
    PSB_CHECK(all, PSB_ENOMEM, "%s: no memory for the report", path);
    FILE *f = fopen(path, "w");
    bool bad = !f || json_dumpf(all, f, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) != 0 || putc('\n', f) == EOF;
    bad = (f && fclose(f) != 0) || bad;
    json_decref(all);
    PSB_CHECK(!bad, PSB_EIO, "%s: cannot be written: %s", path, strerror(errno));
    return PSB_OK;
}

/* --- comma-separated values --- */

static void put_quoted(FILE *f, const char *s)
{
    putc('"', f);
    for (; *s; s++)
        fputs(*s == '"' ? "\"\"" : (const char[]){ *s, '\0' }, f);
    putc('"', f);
}

/* Write a string, a number or a truth; anything else is empty. */
static void put_csv(FILE *f, const json_t *v)
{
    if (json_is_string(v))
        put_quoted(f, json_string_value(v));
    else if (json_is_integer(v))
        fprintf(f, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
    else if (json_is_real(v))
        fprintf(f, "%.9g", json_real_value(v));
    else if (json_is_boolean(v))
        fputs(json_is_true(v) ? "true" : "false", f);
}

psb_err csv_write(json_t *rows, const char *path)
{
    PSB_CHECK(rows, PSB_ENOMEM, "%s: no memory for the report", path);
    FILE *f = fopen(path, "w");
    const size_t n = f ? json_array_size(rows) : 0;
    for (size_t i = 0; i <= n && n > 0; i++) {
        json_t *row = json_array_get(rows, i ? i - 1 : 0), *value;
        const char *name, *comma = "";
        json_object_foreach(row, name, value)
        {
            fputs(comma, f);
            comma = ",";
            if (i == 0)
                fputs(name, f);
            else
                put_csv(f, value);
        }
        putc('\n', f);
    }
    bool bad = !f || ferror(f);
    bad = (f && fclose(f) != 0) || bad;
    json_decref(rows);
    PSB_CHECK(!bad, PSB_EIO, "%s: cannot be written: %s", path, strerror(errno));
    return PSB_OK;
}
#endif
