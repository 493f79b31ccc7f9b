/* psb_version.h -- base/core: the version of the library, and what was built in. */
#ifndef PSB_VERSION_H
#define PSB_VERSION_H
#include "psb_lang.h"
#include "psb_release.h"
PSB_BEGIN_C

/* An optional part of the library; built_in is 1 if configure found what it needs, else 0. */
typedef struct psb_feature {
    const char *name, *purpose;
    int built_in;
} psb_feature;

/* The version of the library: its numbers (major, minor, patch) and its name, such as "psbc 1.2".  `feature`
 * lists OpenMP, AVX2 and AVX-512, CUDA, LIBRSB, METIS, zlib, liblzma and jansson; it ends with a NULL name.
 */
typedef struct psb_version_info {
    int number[3];
    const char *name;
    const struct psb_feature *feature;
} psb_version_info;

/* Return the version of the library that the program runs with, a constant; before psb_init too.  Local. */
const struct psb_version_info *psb_version(void);
PSB_END_C
#endif
