/* events.h -- base/device: what has been recorded of ranges (psb_trace.h), for summaries and traces. */
#ifndef PSB_EVENTS_H
#define PSB_EVENTS_H
#include "psb_err.h"
#include <stdbool.h>

enum { PSB_EVENTS = 512, PSB_STAGES = 32, PSB_STAGE_NAME = 32 };

/* All ranges of one name in one stage; those for which the table is too short are one event, "others". */
struct psb_event {
    int stage;
    const char *of, *what;
    bool device; /* a call that may return before its work is done */
    long long times, items;
    double seconds, bytes, flops;
};

/* What was chosen and why, with the times that it was: formats, transports. */
enum { PSB_NOTES = 64, PSB_NOTE = 200 };
struct psb_note {
    char text[PSB_NOTE];
    long long times;
};

/* Take a note if the log has a summary; those for which the table is too short are left out.  The notes so
 * far.  Local. */
void psb_note(const char *fmt, ...) PSB_PRINTF(1, 2);
const struct psb_note *psb_notes(int *n);

/* A range of a trace. */
struct psb_span {
    int event;
    double from, to;
};

/* The events so far, the spans of the trace, and how many did not fit.  Local. */
const struct psb_event *psb_events(int *n);
const struct psb_span *psb_spans(long *n, long *lost);

/* The name of stage i, NULL past the last; the seconds since recording began.  Local. */
const char *psb_stage_name(int i);
double psb_recorded_seconds(void);

void psb_events_reset(void);
#endif
