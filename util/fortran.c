/* fortran.c -- util: Fortran formats of numbers in columns. */
#include "fortran.h"
#include <ctype.h>
#include <stddef.h>
#include <string.h>

struct format_text {
    const char *p;
    struct psb_format *f;
    int later;       /* 1: set the scale factors of later lines */
    int depth;       /* open groups */
    int skip, scale; /* of the next field */
    bool scaled;     /* the item before was a scale factor: no comma need follow */
};

/* Returns the number of at most 3 digits at q->p; -1 if there is none. */
static int read_digits(struct format_text *q)
{
    int x = -1;
    for (int k = 0; k < 3 && isdigit((unsigned char)*q->p); k++)
        x = 10 * (x < 0 ? 0 : x) + (*q->p++ - '0');
    return x;
}

/* Add `repeat` fields such as I8, F12.4 or E20.12E3. */
static bool read_fields(struct format_text *q, int repeat)
{
    const char letter = *q->p;
    const bool real = letter && strchr("FEDG", letter);
    struct psb_format *f = q->f;
    int digits = -1;
    if (letter != 'I' && !real)
        return false;
    q->p++;
    if (letter == 'E' && (*q->p == 'S' || *q->p == 'N'))
        q->p++;
    const int width = read_digits(q);
    if (*q->p == '.') {
        q->p++;
        digits = read_digits(q);
        if (digits < 0)
            return false;
    }
    if (real && digits >= 0 && letter != 'F' && letter != 'D' && *q->p == 'E') {
        q->p++;
        if (read_digits(q) <= 0)
            return false;
    }
    if (width < 1 || width > PSB_FIELD_WIDTH || (real && digits < 0) || (f->n > 0 && f->real != real))
        return false;
    f->real = real;
    for (; repeat > 0; repeat--) {
        if (f->n == PSB_FORMAT_FIELDS)
            return false;
        struct psb_field *new = &f->field[f->n++];
        new->skip = (short)q->skip;
        new->width = (short)width;
        new->digits = (short)(real ? digits : 0);
        new->scale[q->later] = (short)q->scale;
        q->skip = 0;
    }
    return true;
}

static bool read_list(struct format_text *q);

/* Later lines begin with the last group that is in no other.  A group holds a field, so that there is an end
 * of groups in groups. */
static bool read_group(struct format_text *q, int repeat)
{
    const char *begin = ++q->p;
    if (q->depth++ == 0) {
        q->f->again = q->f->n;
        q->f->outside = q->skip;
    }
    for (; repeat > 0; repeat--) {
        const int n = q->f->n;
        q->p = begin;
        if (!read_list(q) || q->f->n == n)
            return false;
    }
    q->depth--;
    return true;
}

static bool read_item(struct format_text *q)
{
    const bool minus = *q->p == '-', sign = minus || *q->p == '+';
    q->p += sign;
    const int x = read_digits(q), repeat = x < 0 ? 1 : x;
    q->scaled = *q->p == 'P';
    if (q->scaled) {
        q->p++;
        q->scale = minus ? -x : x;
        return x >= 0;
    }
    if (sign || repeat == 0)
        return false;
    if (*q->p == '(')
        return read_group(q, repeat);
    if (*q->p != 'X')
        return read_fields(q, repeat);
    q->p++;
    q->skip += repeat;
    return q->skip <= PSB_FIELD_WIDTH;
}

/* Items up to the closing parenthesis. */
static bool read_list(struct format_text *q)
{
    for (;;) {
        if (!read_item(q))
            return false;
        if (*q->p == ')') {
            q->p++;
            q->scaled = false;
            return true;
        }
        if (*q->p == ',')
            q->p++;
        else if (!q->scaled)
            return false;
    }
}

bool psb_format_read(const char *text, struct psb_format *f)
{
    int scale = 0; /* holds until the next one, also from line to line */
    *f = (struct psb_format){ .n = 0 };
    for (int later = 0; later < 2; later++) {
        struct format_text q = { .p = text + 1, .f = f, .later = later, .scale = scale };
        f->n = 0;
        if (*text != '(' || !read_list(&q) || *q.p || f->n == 0)
            return false;
        scale = q.scale;
    }
    return true;
}
