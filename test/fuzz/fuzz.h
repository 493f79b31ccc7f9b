/* fuzz.h -- room: test.  What the targets share.  A target is fed by libFuzzer (run.sh), or by replay.c with
 * the files of corpus/. */
#ifndef FUZZ_H
#define FUZZ_H
#include <stddef.h>
#include <stdint.h>
#include "psb_util.h"

/* One input.  Returns 0; whatever is wrong ends the program. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input as a file: its path, good until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* It holds, or the program ends, saying what did not. */
#define HOLDS(cond) fuzz_holds((cond), #cond, __FILE__, __LINE__)
void fuzz_holds(int yes, const char *what, const char *file, int line);

/* An error that a file may cause, said in words that name it; or none. */
void fuzz_refusal(psb_err e, const char *path);
#endif
