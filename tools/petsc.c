/* petsc.c -- tools: the header of PETSc's binary files. */
#include "config.h"
#include "conversion.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int32_t petsc_word(FILE *f)
{
    unsigned char b[4];
    if (fread(b, 4, 1, f) != 1)
        return -1;
    return (int32_t)((uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]);
}

static int32_t word_at(FILE *f, int64_t at)
{
    return fseeko(f, (off_t)at, SEEK_SET) == 0 ? petsc_word(f) : -1;
}

/* Does the file of `size` bytes end at byte `at`, or another object begin there? */
static bool ends_at(FILE *f, int64_t at, int64_t size)
{
    const int32_t next = at < size ? word_at(f, at) : 0;
    return at == size || next == PETSC_MATRIX || next == PETSC_VECTOR || next == PETSC_INDICES;
}

static psb_err check_petsc(FILE *f, const char *name, int64_t size, struct psb_mm_header *header)
{
    const int32_t m = word_at(f, 4), n = word_at(f, 8), nz = word_at(f, 12);
    PSB_CHECK(size >= 16 && word_at(f, 0) == PETSC_MATRIX, PSB_EIO,
              "%s: not a matrix in PETSc's binary format; expected a plain file that begins with %d", name,
              PETSC_MATRIX);
    PSB_CHECK(nz != -1, PSB_EIO, "%s: a dense matrix of PETSc; expected a sparse one", name);
    PSB_CHECK(m >= 0 && n >= 0 && nz >= 0, PSB_EIO,
              "%s: %d by %d, %d entries; expected numbers >= 0 (indices of 64 bits are not read)", name, m, n,
              nz);
    const int64_t values = 16 + 4 * ((int64_t)m + nz), real = values + 8 * (int64_t)nz;
    const bool complex = !ends_at(f, real, size);
    PSB_CHECK(!complex || ends_at(f, real + 8 * (int64_t)nz, size), PSB_EIO,
              "%s: %lld bytes, where %d rows and %d entries need %lld, or %lld if they are complex", name,
              (long long)size, m, nz, (long long)real, (long long)(real + 8 * (int64_t)nz));
    *header = (struct psb_mm_header){ .m = m, .n = n, .stored = nz };
    header->field = complex ? PSB_MM_COMPLEX : PSB_MM_REAL;
    return PSB_OK;
}

psb_err petsc_header(const char *path, const char *name, struct psb_mm_header *header)
{
    struct stat about;
    FILE *f = fopen(path, "rb");
    PSB_CHECK(f, PSB_EIO, "%s: cannot be read: %s", name, strerror(errno));
    const bool plain = fstat(fileno(f), &about) == 0 && S_ISREG(about.st_mode);
    psb_err e = check_petsc(f, name, plain ? (int64_t)about.st_size : 0, header);
    fclose(f);
    return e;
}
