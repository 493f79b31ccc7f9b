/* psb_mm.h -- util: the header of a Matrix Market file. */
#ifndef PSB_MM_H
#define PSB_MM_H
#include "psb_err.h"
#include "psb_int.h"
#include "psb_lang.h"
#include <stdbool.h>
PSB_BEGIN_C

typedef enum psb_mm_field { PSB_MM_REAL, PSB_MM_COMPLEX, PSB_MM_INTEGER, PSB_MM_PATTERN } psb_mm_field;
typedef enum psb_mm_symmetry {
    PSB_MM_GENERAL,
    PSB_MM_SYMMETRIC,
    PSB_MM_SKEW,
    PSB_MM_HERMITIAN
} psb_mm_symmetry;

typedef struct psb_mm_header {
    psb_lpk m, n;
    psb_epk stored; /* entry lines in the file */
    enum psb_mm_field field;
    enum psb_mm_symmetry symmetry;
    bool array; /* all entries are stored, by columns; else coordinates */
} psb_mm_header;

/* Read the banner and the size line of the Matrix Market file at `path`, plain, gzip or xz; psb_mm.t.h says
 * what is accepted.  Local.  PSB_EIO, and *info is not set, if the file cannot be read or one of the two is
 * wrong. */
PSB_MUST_CHECK psb_err psb_mm_info(const char *path, struct psb_mm_header *info);

/* Return the number of bytes that a process reads at a time from a file that all processes read together.
 * Local. */
psb_epk psb_read_block(void);
PSB_END_C
#endif
