/* psb_err.h -- base/core: error codes and reporting.
 *
 * Every function that can fail returns a psb_err.  The function that detects an error records it with
 * PSB_FAIL, in a message that names the argument, its value and what was expected; its callers pass the code
 * on with PSB_TRY or PSB_PASS.  A message names the source file that detected the error and the outermost
 * psb_ call that the error has been returned through.  Each thread keeps its own messages, newest first. */
#ifndef PSB_ERR_H
#define PSB_ERR_H
#include "psb_lang.h"
PSB_BEGIN_C

#define PSB_ERR_LIST(E) \
    E(PSB_OK, "success") \
    E(PSB_ENOMEM, "out of memory") \
    E(PSB_EARG, "invalid argument") \
    E(PSB_ESTATE, "object is in the wrong state") \
    E(PSB_ENOTIMPL, "operation not offered") \
    E(PSB_EPADDING, "the format does not fit this matrix") \
    E(PSB_EIO, "input or output failure") \
    E(PSB_EMPI, "MPI failure") \
    E(PSB_EDEVICE, "device failure") \
    E(PSB_EPIVOT, "a pivot is missing, zero, or not as the factors require")

#define PSB_ERR_ENUM(code, text) code,
typedef enum { PSB_ERR_LIST(PSB_ERR_ENUM) PSB_NERR } psb_err;

#if defined(__GNUC__)
#define PSB_MUST_CHECK        __attribute__((warn_unused_result))
#define PSB_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define PSB_MUST_CHECK
#define PSB_PRINTF(fmt, args)
#endif

/* What happens when an error is recorded: nothing more (the default), print the message, print it and
 * abort. */
enum psb_erraction { PSB_ACT_RETURN, PSB_ACT_PRINT, PSB_ACT_ABORT };

/* Return the general meaning of a code in words.  Local. */
const char *psb_strerror(psb_err e);

/* Return the name of a code, as "PSB_EARG"; "unknown" for a number that is none.  Local. */
const char *psb_errname(psb_err e);

/* Record an error and return its code; called through PSB_FAIL.  `fmt` as in printf.  Local. */
psb_err psb_fail(psb_err e, const char *file, const char *func, const char *fmt, ...) PSB_PRINTF(4, 5);

/* Return e, which function `func` passes on.  If e is an error and `func` a psb_ call, the newest message
 * names `func` from now on; the calls psb_any_... are named by their macros, without any_.  Called through
 * PSB_TRY and PSB_PASS.  Local. */
psb_err psb_passed(psb_err e, const char *func);

/* Return the newest recorded message of this thread, valid until the next psb_ call; "" if there is none.
 * Local. */
const char *psb_errmsg(void);

/* Return the text of that message alone, without file, call and code; "" if there is none.  Local. */
const char *psb_errtext(void);

/* Return the code of the newest recorded error of this thread, PSB_OK if there is none.  Local. */
psb_err psb_errstatus(void);

/* For calls that return nothing: if e is an error, print its message, the newest one, to stderr, unless the
 * error action has done so.  Local. */
void psb_tell(psb_err e);

/* Remove the newest message of this thread: copy at most `len` bytes of it, the terminating 0 included, to
 * `buf` and return its code; "" and PSB_OK if there is none.  Local. */
psb_err psb_pop_errmsg(char *buf, unsigned len);

/* Print the newest message of this thread to stderr, unless that was done when it was recorded, and remove
 * all: older ones are of errors that the caller has dealt with.  With several processes the line names this
 * one; an error that all have because another process failed is printed by that one and by process 0 alone.
 * Local. */
void psb_print_errmsg(void);

/* Remove all recorded messages of this thread.  Local. */
void psb_clean_errstack(void);

/* Set for the whole process what happens when an error is recorded; those of calls that return nothing, as
 * psb_gefree of a vector that is freed already, are printed in any case.  Any other value of `action` is
 * itself recorded as an error, and the action is unchanged.  Local. */
void psb_set_erraction(enum psb_erraction action);

/* Suspend error reporting on this thread, or resume it (yes = 0); calls nest.  While it is suspended
 * errors are returned, but neither recorded nor acted on.  For code that tries an operation that may fail.
 * Local. */
void psb_expect_errors(int yes);

#define PSB_FAIL(e, ...) psb_fail((e), __FILE__, __func__, __VA_ARGS__)
#define PSB_PASS(e)      psb_passed((e), __func__)
/* clang-format off */
#define PSB_CHECK(cond, e, ...) do { if (!(cond)) return PSB_FAIL((e), __VA_ARGS__); } while (0)
#define PSB_TRY(call) do { psb_err e_ = (call); if (e_ != PSB_OK) { psb_passed(e_, __func__); return e_; } } while (0)
/* clang-format on */

/* Return PSB_EARG unless argument p is not NULL; `what` says what is expected. */
#define PSB_NEED(p, what) PSB_CHECK(p, PSB_EARG, "argument %s is NULL; expected %s", #p, what)
/* The next of several steps: e = call, unless e is an error already. */
/* clang-format off */
#define PSB_THEN(e, call) do { if ((e) == PSB_OK) (e) = (call); } while (0)
/* clang-format on */

PSB_END_C
#endif
