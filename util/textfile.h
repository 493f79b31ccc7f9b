/* textfile.h -- util: text files read line by line.
 *
 * A line ends with LF, CR or CRLF; the last one may lack its end.  The caller reads a line in the buffer,
 * where the line always has an end to stop at.
 *
 *     while (psb_text_data_line(&t, &p) == PSB_OK && p) { read up to q; psb_text_line_done(&t, q); }
 *
 * leaves p NULL at the end of the text. */
#ifndef PSB_TEXTFILE_H
#define PSB_TEXTFILE_H
#include "bytes.h"
#include "psb_err.h"
#include "psb_int.h"

enum { PSB_LONGEST_LINE = 1 << 18, PSB_TOKEN = 40 };

struct psb_text {
    const char *name; /* the path, or its last part if it is long */
    psb_epk line;     /* number of the current line, from 1 */
    bool *wrong;      /* if not NULL, an error is not reported but noted here */
    void (*progress)(void *arg, double fraction);
    void *arg;
    struct psb_bytes *from;
    /* buf: lines read | next: complete lines | whole: an incomplete line | end */
    char *buf, *next, *whole, *end;
    bool ended;       /* nothing is left in `from` */
    psb_epk at;       /* position of buf in the text */
    psb_epk until;    /* lines that begin at this position or later are not read, */
    const char *last; /* nor those from here in buf on */
};

/* Open the text file at `path`, plain, gzip or xz; the string must outlive *t.  Local.  PSB_EIO, PSB_ENOMEM;
 * *t then needs no closing. */
PSB_MUST_CHECK psb_err psb_text_open(const char *path, struct psb_text *t);

/* Close the file; allowed if it is closed or *t is all zero.  Local. */
void psb_text_close(struct psb_text *t);

/* Skip to the first line that begins at byte `to` of the text or later, never backwards; skipped lines are
 * not counted in t->line.  Local.  PSB_EIO. */
PSB_MUST_CHECK psb_err psb_text_skip(struct psb_text *t, psb_epk to);

/* Let the text end before the first line that begins at byte `to` of the text or later. */
void psb_text_until(struct psb_text *t, psb_epk to);

/* Returns whether it is known that no line is left, whatever `until` is.  Local. */
static inline bool psb_text_is_over(const struct psb_text *t)
{
    return t->ended && t->next == t->whole;
}

/* Set *p to the next line, of any kind, or to NULL at the end of the text.  Local.  PSB_EIO if the file
 * cannot be read or the line is longer than PSB_LONGEST_LINE. */
PSB_MUST_CHECK psb_err psb_text_line(struct psb_text *t, const char **p);

/* The same for the next line that is neither blank nor a comment (whose first character is `%`); *p points to
 * its first character that is not white space.  Local.  PSB_EIO. */
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

/* Quote the word at p for a message: its beginning, without unprintable characters; "(end of line)" if there
 * is none. Returns buf.  Local. */
const char *psb_text_token(const char *p, char buf[PSB_TOKEN]);

/* Returns whether c is white space within a line, the end of a line, or one of the two and so ends a word.
 * psb_blanks returns p past white space.  Local. */
static inline bool psb_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}
static inline bool psb_is_eol(char c)
{
    return c == '\n' || c == '\r';
}
static inline bool psb_is_gap(char c)
{
    return psb_is_blank(c) || psb_is_eol(c);
}
static inline const char *psb_blanks(const char *p)
{
    while (psb_is_blank(*p))
        p++;
    return p;
}

/* Report or note PSB_EIO at the current line; an argument must follow the format. */
#define PSB_TEXT_FAIL(t, fmt, ...) \
    ((t)->wrong ? (*(t)->wrong = true, PSB_EIO) \
                : PSB_FAIL(PSB_EIO, "%s:%" PRId64 ": " fmt, (t)->name, (t)->line, __VA_ARGS__))
#endif
