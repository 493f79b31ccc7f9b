/* conversion.h -- tools: what psb-convert does once the formats of the files are known. */
#ifndef PSB_CONVERSION_H
#define PSB_CONVERSION_H
#include "psb_util.h"
#include <stdio.h>

/* PETSc's class numbers in its binary files. */
enum { PETSC_MATRIX = 1211216, PETSC_VECTOR = 1211214, PETSC_INDICES = 1211218 };

enum file_kind { FILE_MM, FILE_HB, FILE_PETSC, FILE_NPZ, FILE_JSON, FILE_KINDS };

struct conversion {
    const char *in, *out, *name; /* name: of the input, for messages */
    enum file_kind from, to;     /* not FILE_NPZ */
    struct psb_mm_header header; /* of the input */
    bool expand;                 /* write both triangles of a symmetric matrix */
};

/* Set *header to that of the PETSc binary file at `path`, called `name` in messages.  Local.  PSB_EIO: the
 * file cannot be read, or is not one with a sparse matrix, 32-bit indices and values in double precision. */
PSB_MUST_CHECK psb_err petsc_header(const char *path, const char *name, struct psb_mm_header *header);

/* Returns the number in the next four bytes of f, the first the most significant; -1 if there are fewer.
 * Local. */
int32_t petsc_word(FILE *f);

#define PSB_TEMPLATE "conversion.t.h"
#include "psb_each_type.h"
#endif
