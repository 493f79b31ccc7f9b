/* psb_column.h -- base/device: the progress of a system that an iteration solves, where its scalars are, and
 * how a device reports it to the host. */
#ifndef PSB_COLUMN_H
#define PSB_COLUMN_H
#include <stdbool.h>

/* Why a column ended: its estimate is as small as asked; not finite; too large; it has made all iterations; a
 * step cannot be made, with a text; scalars are out of range; the square of the norm is, and the norm is to
 * be computed in another way. */
enum psb_ending {
    PSB_GOES_ON,
    PSB_ENDS_SMALL,
    PSB_ENDS_NOT_FINITE,
    PSB_ENDS_LARGE,
    PSB_ENDS_LAST,
    PSB_ENDS_BROKEN,
    PSB_ENDS_OUT_OF_RANGE,
    PSB_ENDS_UNSAFE,
    PSB_ENDINGS
};

/* The last PSB_REPORTS reports of a column, in memory that host and device access.  Each word has four bytes
 * of struct psb_report, and above them the number of the report, from 1 on: so the host sees whether all have
 * come, in whatever order they did.  Method: the protocol LL of NCCL. */
enum { PSB_REPORTS = 128, PSB_REPORT_WORDS = 12 };
struct psb_report_ring {
    volatile unsigned long long word[PSB_REPORTS][PSB_REPORT_WORDS];
};

struct psb_column {
    bool active, certain; /* certain: the text rests on a number that is far inside the range of the type */
    enum psb_ending ending;
    const char *why;    /* of PSB_ENDS_BROKEN; memory of the host, which a device does not access */
    int it, iterations; /* tests so far; when the column was last active */
    double estimate, first;
    double alpha, beta; /* coefficients of CG's next step */
    double tol, divergence,
        divisor; /* the estimate is the norm by divisor; limits: tol, divergence times the first */
    int itmax;
    double least_square;          /* below it the root of a sum of squares is not accurate */
    double tiny;                  /* numbers below it in modulus have lost digits */
    unsigned number;              /* of the last report */
    struct psb_report_ring *ring; /* NULL: no reports */
};

struct psb_report {
    double estimate, alpha, beta;
    const char *why;
    int ending, iterations;
    bool active, certain;
};

/* Steps on scalars a, b, *to: to = a / b, or 0 if b is 0; the same, which may end the column, and 0 if it has
 * ended (what NULL: b = 0 does not end it); end the column unless a > 0; to = a; -a; the root of the real part
 * of a; a b; a - b to; keep the coefficients a and b of CG; test the square a of a norm and report, for the
 * first time, or after an iteration. */
enum psb_step_kind {
    PSB_STEP_DIVIDE,
    PSB_STEP_RATIO,
    PSB_STEP_POSITIVE,
    PSB_STEP_COPY,
    PSB_STEP_NEGATE,
    PSB_STEP_ROOT,
    PSB_STEP_MULTIPLY,
    PSB_STEP_LESS_PRODUCT,
    PSB_STEP_KEEP,
    PSB_STEP_TEST_FIRST,
    PSB_STEP_TEST
};
enum { PSB_MOST_STEPS = 12 };
#endif
