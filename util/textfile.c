/* textfile.c -- util: text files read line by line. */
#include "config.h"
#include "textfile.h"
#include "psb_alloc.h"
#include <string.h>

enum {
    LONGEST_NAME = 255, /* as much as a message holds */
    SLACK = 10          /* characters after the last one that may be read: an end of line, zeros */
};

psb_err psb_text_open(const char *path, struct psb_text *t)
{
    size_t n = strlen(path);
    *t = (struct psb_text){ .name = n > LONGEST_NAME ? path + n - LONGEST_NAME : path };
    psb_err e = psb_alloc(&t->buf, PSB_LONGEST_LINE + SLACK, 1, "text buffer");
    PSB_THEN(e, psb_bytes_open(path, t->name, &t->from));
    if (e != PSB_OK)
        psb_text_close(t);
    t->next = t->whole = t->end = t->buf;
    psb_text_until(t, INT64_MAX);
    return PSB_PASS(e);
}

void psb_text_close(struct psb_text *t)
{
    psb_bytes_close(t->from);
    psb_free(t->buf);
    t->from = NULL;
    t->buf = NULL;
}

/* Returns the end of the last complete line before t->end.  A CR there may be half of a CRLF. */
static char *last_eol(const struct psb_text *t)
{
    char *p = t->end;
    if (!t->ended && p > t->buf && p[-1] == '\r')
        p--;
    while (p > t->buf && !psb_is_eol(p[-1]))
        p--;
    return p;
}

void psb_text_until(struct psb_text *t, psb_epk to)
{
    t->until = to;
    t->last = to - t->at < t->whole - t->buf ? t->buf + (to > t->at ? to - t->at : 0) : t->whole;
}

/* Read more text; called when all complete lines are used. */
static psb_err fill_text(struct psb_text *t)
{
    size_t got, kept = (size_t)(t->end - t->next);
    t->at += t->next - t->buf;
    memmove(t->buf, t->next, kept);
    t->next = t->buf;
    PSB_TRY(psb_bytes_read(t->from, t->buf + kept, PSB_LONGEST_LINE - kept, &got));
    t->end = t->buf + kept + got;
    t->ended = kept + got < PSB_LONGEST_LINE;
    if (t->ended && t->end > t->buf && !psb_is_eol(t->end[-1]))
        *t->end++ = '\n';
    memset(t->end, 0, SLACK - 1);
    t->whole = last_eol(t);
    psb_text_until(t, t->until);
    t->line += t->whole == t->buf && !t->ended; /* for the message */
    if (t->whole == t->buf && !t->ended)
        return PSB_TEXT_FAIL(t, "the line has more than %d characters", PSB_LONGEST_LINE);
    if (t->progress && psb_bytes_fraction(t->from) >= 0)
        t->progress(t->arg, psb_bytes_fraction(t->from));
    return PSB_OK;
}

psb_err psb_text_line(struct psb_text *t, const char **p)
{
    if (t->next == t->whole && !t->ended && t->at + (t->next - t->buf) < t->until)
        PSB_TRY(fill_text(t));
    const bool more = t->next < t->last;
    t->line += more;
    *p = more ? t->next : NULL;
    return PSB_OK;
}

/* Continue after p, the end of a line. */
static void continue_after(struct psb_text *t, const char *p)
{
    p += *p == '\r' && p[1] == '\n' ? 2 : 1;
    t->next += p - t->next;
}

/* Set next to byte `to` of the text, which is at or after the current one. */
static psb_err move_text(struct psb_text *t, psb_epk to)
{
    psb_epk ahead = to - t->at - (t->next - t->buf), here = t->end - t->next;
    if (ahead <= here) {
        t->next += ahead;
        t->whole = t->whole > t->next ? t->whole : t->next;
        return PSB_OK;
    }
    t->next = t->whole = t->end = t->buf;
    t->at = to;
    return t->ended ? PSB_OK : psb_bytes_skip(t->from, ahead - here);
}

psb_err psb_text_skip(struct psb_text *t, psb_epk to)
{
    const char *p;
    if (to <= t->at + (t->next - t->buf))
        return PSB_OK;
    PSB_TRY(move_text(t, to - 1));
    psb_text_until(t, INT64_MAX);
    PSB_TRY(psb_text_line(t, &p));
    if (!p)
        return PSB_OK;
    while (!psb_is_eol(*p))
        p++;
    continue_after(t, p);
    t->line--;
    return PSB_OK;
}

psb_err psb_text_any_data_line(struct psb_text *t, const char **p)
{
    for (;;) {
        PSB_TRY(psb_text_line(t, p));
        if (!*p)
            return PSB_OK;
        const bool comment = **p == '%';
        *p = comment ? *p + strcspn(*p, "\r\n") : psb_blanks(*p);
        if (comment && !**p)
            return PSB_PASS(PSB_TEXT_FAIL(t, "%s in a comment", "NUL byte"));
        if (**p == '%')
            return PSB_PASS(PSB_TEXT_FAIL(
                t, "white space before the %s of a comment; expected it as the first character of the line",
                "%"));
        if (!psb_is_eol(**p))
            return PSB_OK;
        continue_after(t, *p);
    }
}

psb_err psb_text_any_line_done(struct psb_text *t, const char *p)
{
    char token[PSB_TOKEN];
    p = psb_blanks(p);
    if (!psb_is_eol(*p))
        return PSB_PASS(PSB_TEXT_FAIL(t, "unexpected %s at the end of the line", psb_text_token(p, token)));
    continue_after(t, p);
    return PSB_OK;
}

const char *psb_text_token(const char *p, char buf[PSB_TOKEN])
{
    p = psb_blanks(p);
    if (psb_is_eol(*p))
        return strcpy(buf, "(end of line)");
    if (!*p)
        return strcpy(buf, "(NUL byte)");
    char *q = buf;
    *q++ = '\'';
    for (; q < buf + PSB_TOKEN - 2 && *p && !psb_is_gap(*p); p++)
        *q++ = *p >= ' ' && *p <= '~' ? *p : '?';
    *q++ = '\'';
    *q = '\0';
    return buf;
}
