/* psb_err.h -- room: base/core.  How things go wrong here.
 *
 * Every fallible function returns a psb_err.  Whoever first knows what went wrong says so with
 * PSB_FAIL, in words that name the argument, its value and what was expected; everyone above
 * only passes it on with PSB_TRY or PSB_PASS.  A message names the file that found it and the function, which
 * becomes the psb_ call it came back through.
 * Messages are kept for each thread, newest first. */
#ifndef PSB_ERR_H
#define PSB_ERR_H

#define PSB_ERR_LIST(E) \
    E(PSB_OK, "success") \
    E(PSB_ENOMEM, "out of memory") \
    E(PSB_EARG, "invalid argument") \
    E(PSB_ESTATE, "object is in the wrong state") \
    E(PSB_ENOTIMPL, "operation not offered") \
    E(PSB_EPADDING, "the format would pad beyond its limit") \
    E(PSB_EIO, "input or output failure") \
    E(PSB_EMPI, "MPI failure") \
    E(PSB_EDEVICE, "device failure")

#define PSB_ERR_ENUM(code, text) code,
typedef enum { PSB_ERR_LIST(PSB_ERR_ENUM) PSB_NERR } psb_err;

#if defined(__GNUC__)
#define PSB_MUST_CHECK        __attribute__((warn_unused_result))
#define PSB_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define PSB_MUST_CHECK
#define PSB_PRINTF(fmt, args)
#endif

/* What happens when an error is first met.  Default: PSB_ACT_RETURN. */
enum psb_erraction { PSB_ACT_RETURN, PSB_ACT_PRINT, PSB_ACT_ABORT };

/* The general meaning of a code, in words.  Local. */
const char *psb_strerror(psb_err e);

/* Record an error and return its code; called through PSB_FAIL.  `fmt` as in printf.  Local. */
psb_err psb_fail(psb_err e, const char *file, const char *func, const char *fmt, ...) PSB_PRINTF(4, 5);

/* Function `func` passes e on, and returns it: where that is a psb_ call, and e an error, the newest message
 * names it.  Called through PSB_TRY and PSB_PASS.  Local. */
psb_err psb_passed(psb_err e, const char *func);

/* The newest recorded message of this thread, good until the next call here; "" where there is none.  Local.
 */
const char *psb_errmsg(void);

/* The code of the newest recorded error of this thread, PSB_OK where there is none.  Local. */
psb_err psb_errstatus(void);

/* Take the newest message off: copies at most `len` bytes, the closing 0 included, into `buf`
 * and returns its code; PSB_OK and "" where there is none.  Local. */
psb_err psb_pop_errmsg(char *buf, unsigned len);

/* Print every recorded message of this thread to stderr, newest first, and forget them.  Local. */
void psb_print_errmsg(void);

/* Forget every recorded message of this thread.  Local. */
void psb_clean_errstack(void);

/* Choose for the whole process what happens when an error is first met.  Of any other value an error is
 * recorded, and the action stays.  Local. */
void psb_set_erraction(enum psb_erraction action);

/* 1: until it is called with 0, as often, errors of this thread are returned and nothing else: not recorded,
 * not acted on.  For who tries what may fail.  Local. */
void psb_expect_errors(int yes);

#define PSB_FAIL(e, ...) psb_fail((e), __FILE__, __func__, __VA_ARGS__)
#define PSB_PASS(e)      psb_passed((e), __func__)
/* clang-format off */
#define PSB_CHECK(cond, e, ...) do { if (!(cond)) return PSB_FAIL((e), __VA_ARGS__); } while (0)
#define PSB_TRY(call) do { psb_err e_ = (call); if (e_ != PSB_OK) { psb_passed(e_, __func__); return e_; } } while (0)
/* clang-format on */

#endif
