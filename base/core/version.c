/* version.c -- base/core: the version of the library, and what was built in. */
#include "psb_version.h"
#include "config.h"
#include <stddef.h>

#ifdef _OPENMP
#define WITH_OPENMP 1
#endif

/* 1 if the macro x of config.h is defined as 1, 0 if it is not defined. */
#define BUILT_IN(x)        BUILT_IN_(x)
#define BUILT_IN_(x)       SECOND(COMMA_##x 1, 0, 0)
#define COMMA_1            0,
#define SECOND(...)        SECOND_(__VA_ARGS__)
#define SECOND_(a, b, ...) b

static const struct psb_feature built_features[] = {
    { "OpenMP", "threads in host kernels", BUILT_IN(WITH_OPENMP) },
    { "AVX2, AVX-512", "host kernels chosen at run time", BUILT_IN(HAVE_X86_SIMD) },
    { "CUDA", "GPU formats", BUILT_IN(HAVE_CUDA) },
    { "LIBRSB", "format RSB", BUILT_IN(HAVE_RSB) },
    { "METIS", "partitions of graphs", BUILT_IN(HAVE_METIS) },
    { "zlib", "matrices in .gz", BUILT_IN(HAVE_ZLIB) },
    { "liblzma", "matrices in .xz", BUILT_IN(HAVE_LZMA) },
    { "jansson", "reports as JSON", BUILT_IN(HAVE_JANSSON) },
    { NULL, NULL, 0 },
};

static const struct psb_version_info this_version = {
    { PSBC_VERSION_MAJOR, PSBC_VERSION_MINOR, PSBC_VERSION_PATCH }, PACKAGE_STRING, built_features
};

const struct psb_version_info *psb_version(void)
{
    return &this_version;
}
