/* fuzz.h -- test: common parts of the targets.  libFuzzer (run.sh) calls a target, or replay.c with
 * the files of corpus/. */
#ifndef FUZZ_H
#define FUZZ_H
#include <stddef.h>
#include <stdint.h>
#include "psb_util.h"

/* Process one input and return 0; an error in the library ends the program. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Write the input to a file; its path is valid until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* Unless the condition holds, print it and end the program. */
#define HOLDS(cond) fuzz_holds((cond), #cond, __FILE__, __LINE__)
void fuzz_holds(int yes, const char *what, const char *file, int line);

/* The error is one that a file may cause, with a message that names the file; or PSB_OK. */
void fuzz_refusal(psb_err e, const char *path);
#endif
