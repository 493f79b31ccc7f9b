/* together.h -- room: test.  Checks of tests that run on several processes.
 *
 * A test that stops on one process leaves the others waiting.  So what is found wrong here is only noted, the
 * test goes on to its end, and there all processes learn of it and fail together. */
#ifndef TOGETHER_H
#define TOGETHER_H
#include "ck.h"

/* It holds; the call succeeds; it fails with that code, that text in its message.  Local. */
#define EXPECT(cond)         together_note((cond), __FILE__, __LINE__, "%s", #cond)
#define GOOD(call)           together_good((call), #call, __FILE__, __LINE__)
#define BAD(call, code, in_) together_bad((call), (code), (in_), #call, __FILE__, __LINE__)
void together_note(int ok, const char *file, int line, const char *fmt, ...) PSB_PRINTF(4, 5);
void together_good(psb_err e, const char *call, const char *file, int line);
void together_bad(psb_err e, psb_err code, const char *in, const char *call, const char *file, int line);

/* How many processes say yes.  Collective. */
int together_count(int yes);

/* A new test case of s whose tests end with the verdict of all processes. */
TCase *together_tcase(Suite *s, const char *name);
#endif
