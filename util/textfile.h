/* textfile.h -- room: util.  A text file, line by line.
 *
 * A line ends with LF, CR or CRLF; the last one may lack its end.  A caller reads a line where it lies:
 * its end is always there to stop at.
 *
 *     while (psb_text_data_line(&t, &p) == PSB_OK && p) { ... read up to q ...; psb_text_line_done(&t, q); }
 */
#ifndef PSB_TEXTFILE_H
#define PSB_TEXTFILE_H
#include "bytes.h"
#include "psb_err.h"
#include "psb_int.h"
#include <locale.h>

enum { PSB_LONGEST_LINE = 1 << 18, PSB_TOKEN = 40 };

struct psb_text {
    const char *name; /* the path, or its end where it is long */
    psb_epk line;     /* number of the line being read, from 1 */
    int *wrong;       /* not NULL: what is wrong is not said, but noted here */
    locale_t c;       /* the "C" locale, for numbers */
    void (*progress)(void *arg, double fraction);
    void *arg;
    struct psb_bytes *from;
    char *buf, *next, *whole, *end; /* buf: lines done | next: whole lines | whole: a begun line | end */
    int ended;                      /* nothing is left in `from` */
    psb_epk at;                     /* where in the text buf is */
    psb_epk until;                  /* lines that begin there or later are not read, */
    const char *last;               /* nor from here in buf on */
};

/* Open the text at `path`, plain, gzip or xz; the string must outlive *t.  Local.
 * PSB_EIO, PSB_ENOMEM; *t then needs no closing. */
PSB_MUST_CHECK psb_err psb_text_open(const char *path, struct psb_text *t);

/* Close what was opened; again, or one that is all zero, is fine.  Local. */
void psb_text_close(struct psb_text *t);

/* Go to the first line that begins at byte `to` of the text or behind it, never back; lines passed by are not
 * counted in t->line.  Local.  PSB_EIO. */
PSB_MUST_CHECK psb_err psb_text_skip(struct psb_text *t, psb_epk to);

/* From now on the text seems to end before the first line that begins at byte `to` of it, or behind it. */
void psb_text_until(struct psb_text *t, psb_epk to);

/* Is it known that no line is left, whatever `until` is?  Local. */
static inline int psb_text_is_over(const struct psb_text *t)
{
    return t->ended && t->next == t->whole;
}

/* Let *p point at the next line, whatever it is, or be NULL at the end of the text.  Local.
 * PSB_EIO where the file fails or the line is longer than PSB_LONGEST_LINE. */
PSB_MUST_CHECK psb_err psb_text_line(struct psb_text *t, const char **p);

/* The same for the next line that is neither blank nor a comment (its first character `%`);
 * *p points at its first character that is no white space.  Local.  PSB_EIO. */
PSB_MUST_CHECK psb_err psb_text_any_data_line(struct psb_text *t, const char **p);
static inline psb_err psb_text_data_line(struct psb_text *t, const char **p)
{
    if (t->next >= t->last || *t->next < '0' || *t->next > '9')
        return psb_text_any_data_line(t, p);
    t->line++;
    *p = t->next;
    return PSB_OK;
}

/* The line was read up to p; only white space may follow.  Local.  PSB_EIO. */
PSB_MUST_CHECK psb_err psb_text_any_line_done(struct psb_text *t, const char *p);
static inline psb_err psb_text_line_done(struct psb_text *t, const char *p)
{
    if (*p != '\n')
        return psb_text_any_line_done(t, p);
    t->next += p + 1 - t->next;
    return PSB_OK;
}

/* Quote the word at p for a message: its beginning, nothing unprintable; "(end of line)" where there is
 * none.  Returns buf.  Local. */
const char *psb_text_token(const char *p, char buf[PSB_TOKEN]);

/* Is c white space within a line; the end of a line; one of the two, so that a word ends before it.
 * psb_blanks: p past white space.  Local. */
static inline int psb_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}
static inline int psb_is_eol(char c)
{
    return c == '\n' || c == '\r';
}
static inline int psb_is_gap(char c)
{
    return psb_is_blank(c) || psb_is_eol(c);
}
static inline const char *psb_blanks(const char *p)
{
    while (psb_is_blank(*p))
        p++;
    return p;
}

/* PSB_EIO at the line being read, said or noted; there must be an argument after the format. */
#define PSB_TEXT_FAIL(t, fmt, ...) \
    ((t)->wrong ? (*(t)->wrong = 1, PSB_EIO) \
                : PSB_FAIL(PSB_EIO, "%s:%" PRId64 ": " fmt, (t)->name, (t)->line, __VA_ARGS__))
#endif
