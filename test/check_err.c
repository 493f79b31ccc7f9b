/* check_err.c -- test: errors and their messages. */
#include "config.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check_err.h"
#include "errcall.h"
#include "lines.h"
#include "psb_log_lines.h"

/* --- messages --- */

static psb_err fails_with(int n)
{
    return PSB_FAIL(PSB_EIO, "number %d", n);
}

static psb_err inner(int x)
{
    PSB_CHECK(x > 0, PSB_EARG, "argument x is %d; expected > 0", x);
    return PSB_OK;
}

static psb_err psb_outer(int x)
{
    PSB_TRY(inner(x));
    return PSB_OK;
}

static psb_err callers_own(int x)
{
    PSB_TRY(psb_outer(x));
    return PSB_OK;
}

static int calls;

/* A macro that passes on an error evaluates its argument once. */
static psb_err counted(int x)
{
    calls++;
    return inner(x);
}

static psb_err psb_passes(int x)
{
    return PSB_PASS(counted(x));
}

/* The message contains the file that found the error and the public function that was called. */
TEST(messages_name_the_call)
{
    ck_assert_int_eq(callers_own(0), PSB_EARG);
    ck_assert_str_eq(psb_errmsg(),
                     "test/check_err.c: psb_outer: invalid argument: argument x is 0; expected > 0");
    ck_assert_int_eq(callers_own(1), PSB_OK);
    psb_clean_errstack();
    calls = 0;
    ck_assert_int_eq(psb_passes(0), PSB_EARG);
    ck_assert_ptr_nonnull(strstr(psb_errmsg(), ": psb_passes: invalid"));
    ck_assert_int_eq(psb_passes(1), PSB_OK);
    ck_assert_int_eq(calls, 2);
    psb_clean_errstack();
}

TEST(text_of_every_code)
{
    static const char *const names[] = { "PSB_OK",       "PSB_ENOMEM",   "PSB_EARG", "PSB_ESTATE",
                                         "PSB_ENOTIMPL", "PSB_EPADDING", "PSB_EIO",  "PSB_EMPI",
                                         "PSB_EDEVICE",  "PSB_EPIVOT" };
    ck_assert_uint_eq(sizeof names / sizeof *names, PSB_NERR);
    for (int i = 0; i < PSB_NERR; i++) {
        ck_assert_str_eq(psb_errname((psb_err)i), names[i]);
        ck_assert_uint_gt(strlen(psb_strerror((psb_err)i)), 0);
        for (int j = 0; j < i; j++)
            ck_assert_str_ne(psb_strerror((psb_err)i), psb_strerror((psb_err)j));
    }
    ck_assert_str_eq(psb_strerror(PSB_OK), "success");
    ck_assert_str_eq(psb_errname(PSB_NERR), "unknown");
    ck_assert_str_eq(psb_strerror(PSB_NERR), "unknown error");
    ck_assert_str_eq(psb_strerror((psb_err)-1), "unknown error");
}

TEST(message_contents)
{
    ck_assert_str_eq(psb_errmsg(), "");
    ck_assert_int_eq(psb_errstatus(), PSB_OK);
    ck_assert_int_eq(fails_with(7), PSB_EIO);
    ck_assert_int_eq(psb_errstatus(), PSB_EIO);
    ck_assert_str_eq(psb_errmsg(), "test/check_err.c: fails_with: input or output failure: number 7");
    psb_clean_errstack();
    ck_assert_str_eq(psb_errmsg(), "");
    ck_assert_int_eq(psb_errstatus(), PSB_OK);
}

TEST(file_name_in_messages)
{
    const char *file[] = { "/a/base/b/base/mat/mat.c", "../ext/ell.c", "/a/app/ell.c", "app/ell.c", "ell.c" };
    const char *prefix[] = { "base/mat/mat.c: f", "ext/ell.c: f", "app/ell.c: f", "app/ell.c: f",
                             "ell.c: f" };
    for (int k = 0; k < 5; k++) {
        psb_fail(PSB_EARG, file[k], "f", "no");
        ck_assert_int_eq(strncmp(psb_errmsg(), prefix[k], strlen(prefix[k])), 0);
    }
}

TEST(newest_first)
{
    char text[100], number[20];
    for (int n = 0; n < 100; n++)
        fails_with(n);
    int popped = 0;
    for (; psb_errstatus() != PSB_OK; popped++) {
        snprintf(number, sizeof number, "number %d", 99 - popped);
        ck_assert_int_eq(psb_pop_errmsg(text, sizeof text), PSB_EIO);
        ck_assert_ptr_nonnull(strstr(text, number));
    }
    ck_assert_int_gt(popped, 2);
    ck_assert_int_eq(psb_pop_errmsg(text, sizeof text), PSB_OK);
    ck_assert_str_eq(text, "");
}

TEST(pop_into_a_short_buffer)
{
    char text[8] = "1234567";
    fails_with(1);
    ck_assert_int_eq(psb_pop_errmsg(text, 5), PSB_EIO);
    ck_assert_mem_eq(text,
                     "test\0"
                     "67",
                     8);
    fails_with(2);
    ck_assert_int_eq(psb_pop_errmsg(NULL, 0), PSB_EIO);
    ck_assert_int_eq(psb_errstatus(), PSB_OK);
}

TEST(long_messages)
{
    char giant[5000];
    memset(giant, 'x', sizeof giant - 1);
    giant[sizeof giant - 1] = '\0';
    PSB_FAIL(PSB_EARG, "%s", giant);
    ck_assert_uint_gt(strlen(psb_errmsg()), 100);
    ck_assert_uint_lt(strlen(psb_errmsg()), sizeof giant);
    psb_fail(PSB_EARG, giant, giant, "%s", giant);
    ck_assert_uint_lt(strlen(psb_errmsg()), sizeof giant);
}

/* A zero byte does not end a message. */
TEST(zero_bytes_in_messages)
{
    char long_one[600], *end = long_one + sizeof long_one - 1;
    PSB_FAIL(PSB_EARG, "'%c' and '%c%c'; expected %s", 'T', 0, 0, "no 0");
    const char *said = strstr(psb_errmsg(), "invalid argument: ");
    ck_assert_ptr_nonnull(said);
    ck_assert_str_eq(said, "invalid argument: 'T' and '\\0\\0'; expected no 0");
    memset(long_one, 'x', sizeof long_one - 1);
    *end = '\0';
    for (size_t n = 350; n < 600;
         n++) { /* the zero byte is before, at and after the end of the truncated message */
        PSB_FAIL(PSB_EARG, "%s%c%cy", end - n, 0, 0);
        ck_assert_uint_lt(strlen(psb_errmsg()), n + 100);
        ck_assert_uint_gt(strlen(psb_errmsg()), n < 400 ? n : 400);
    }
}

static void *other_thread(void *seen)
{
    *(psb_err *)seen = psb_errstatus();
    fails_with(2);
    return NULL;
}

TEST(errors_of_each_thread)
{
    pthread_t t;
    psb_err seen = PSB_NERR;
    fails_with(1);
    ck_assert_int_eq(pthread_create(&t, NULL, other_thread, &seen), 0);
    pthread_join(t, NULL);
    ck_assert_int_eq(seen, PSB_OK);
    ck_assert_ptr_nonnull(strstr(psb_errmsg(), "number 1"));
}

/* Call f; return what it writes to stderr. */
static const char *written_by(void (*f)(void))
{
    ck_stderr_begin();
    f();
    return ck_stderr_end();
}

static void fail_twice(void)
{
    fails_with(1);
    fails_with(2);
}

static void choose_99(void)
{
    psb_set_erraction((enum psb_erraction)99);
}

TEST(print_newest_and_clear)
{
    fail_twice();
    const char *text = written_by(psb_print_errmsg);
    ck_assert(strstr(text, "number 2\n") && !strstr(text, "number 1\n"));
    ck_assert_int_eq(psb_errstatus(), PSB_OK);
    ck_assert_str_eq(written_by(psb_print_errmsg), "");
}

TEST(action_print)
{
    ck_assert_str_eq(written_by(fail_twice), "");
    psb_set_erraction(PSB_ACT_PRINT);
    const char *text = written_by(fail_twice);
    ck_assert(strstr(text, "number 1\n") && strstr(text, "number 2\n"));
    psb_set_erraction(PSB_ACT_RETURN);
    ck_assert_str_eq(written_by(fail_twice), "");
}

static void *handle;

static void free_again(void)
{
    ck_assert(!psb_may_free(handle, "psb_gefree"));
}

/* A call that returns nothing prints its error. */
TEST(freed_twice)
{
    OK(psb_alloc_zero(&handle, 1, 64, "handle"));
    psb_retire(handle, 64);
    ck_assert(strstr(written_by(free_again), "psb_gefree: invalid argument: the argument is freed already"));
    psb_set_erraction(PSB_ACT_PRINT);
    const char *once = strstr(written_by(free_again), "psb_gefree");
    psb_set_erraction(PSB_ACT_RETURN);
    ck_assert(once && !strstr(once + 1, "psb_gefree"));
    psb_expect_errors(1);
    ck_assert_str_eq(written_by(free_again), "");
    psb_expect_errors(0);
}

static void fails_elsewhere(void)
{
    ck_assert_int_eq(PSB_FAIL(PSB_EIO, "on process 1: no such file"), PSB_EIO);
    psb_print_errmsg();
}

/* Lines of several processes name theirs and come once; what another has found is told by it and by the
 * first. */
TEST(messages_of_processes)
{
    psb_err_process(1, false);
    ck_assert_int_eq(fails_with(1), PSB_EIO);
    ck_assert_str_eq(written_by(psb_print_errmsg),
                     "psb: process 1: test/check_err.c: fails_with: input or output failure: number 1\n");
    ck_assert_str_eq(written_by(fails_elsewhere), "");
    psb_err_process(1, true);
    ck_assert_ptr_nonnull(strstr(written_by(fails_elsewhere), "psb: process 1: "));
    psb_set_erraction(PSB_ACT_PRINT);
    const char *once = strstr(written_by(fails_elsewhere), "no such file");
    psb_set_erraction(PSB_ACT_RETURN);
    ck_assert(once && !strstr(once + 1, "no such file"));
    psb_err_process(-1, true);
    ck_assert_ptr_nonnull(strstr(written_by(fails_elsewhere), "psb: test/check_err.c: "));
}

/* --- the log --- */

static int received;
static char newest[1200];

/* Keep the line, and fail in turn; its own errors are no lines. */
static int receive(enum psb_log_level level, const char *line, void *data)
{
    received++;
    snprintf(newest, sizeof newest, "%d %s", (int)level, line);
    fails_with(7);
    return *(const int *)data;
}

/* An error is a line when it occurs, and is not printed again; one that is expected is none. */
TEST(errors_in_the_log)
{
    OK(psb_log_set("error"));
    const char *text = written_by(fail_twice);
    ck_assert_str_eq(text, "psb: error: test/check_err.c: fails_with: input or output failure: number 1\n"
                           "psb: error: test/check_err.c: fails_with: input or output failure: number 2\n");
    ck_assert_str_eq(written_by(psb_print_errmsg), "");
    psb_set_erraction(PSB_ACT_PRINT);
    const char *once = strstr(written_by(fail_twice), "number 2\n");
    psb_set_erraction(PSB_ACT_RETURN);
    ck_assert(once && !strstr(once + 1, "number 2\n"));
    psb_expect_errors(1);
    ck_assert_str_eq(written_by(fail_twice), "");
    psb_expect_errors(0);
    OK(psb_log_set("off"));
    ck_assert_str_eq(written_by(fail_twice), "");
    ck_assert(strstr(written_by(psb_print_errmsg), "number 2\n"));
    OK(psb_log_set(NULL));
}

/* A callback has the lines instead, until it fails; what it does itself is not logged. */
TEST(callback_of_the_log)
{
    int result = 0;
    OK(psb_log_set("error"));
    psb_log_set_callback(receive, &result);
    ck_assert_str_eq(written_by(fail_twice), "");
    ck_assert_int_eq(received, 2);
    ck_assert_str_eq(newest, "1 error: test/check_err.c: fails_with: input or output failure: number 2");
    ck_assert_str_eq(psb_errtext(), "number 2");
    psb_log_line(PSB_LOGS_HALOS, "halo: %s", "mpi");
    ck_assert_str_eq(newest, "3 halo: mpi");
    psb_log_line(PSB_LOGS_KERNELS, "%.1100d", 1);
    ck_assert(strncmp(newest, "4 000", 5) == 0 && strlen(newest) == 1025);
    result = 5;
    ck_assert_str_eq(written_by(fail_twice),
                     "psb: the callback of the log returned 5, and is called no more\n"
                     "psb: error: test/check_err.c: fails_with: input or output failure: number 2\n");
    ck_assert_int_eq(received, 5);
    psb_log_set_callback(NULL, NULL);
    OK(psb_log_set(NULL));
}

static const char *content(const char *path)
{
    static char text[1000];
    FILE *f = fopen(path, "r");
    ck_assert_msg(f, "%s is missing", path);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    return text;
}

/* Lines go to a file, whose name may have the numbers of the process; one that cannot be written changes
 * nothing, and lines that are lost are told once. */
TEST(file_of_the_log)
{
    static const char first[] =
        "psb: error: test/check_err.c: fails_with: input or output failure: number 1\n";
    char items[200], path[100], other[100], expected[200];
    snprintf(path, sizeof path, "check_err.%ld.0.log", (long)getpid());
    snprintf(other, sizeof other, "check_err.%ld.other", (long)getpid());
    OK(psb_log_set("error,file:check_err.%p.%i.log"));
    fails_with(1);
    ck_assert_str_eq(content(path), first);
    FAILS(psb_log_set("debug,file:/none/x"), PSB_EIO, "/none/x cannot be written: ");
    snprintf(expected, sizeof expected, "%spsb: error: base/core/lines.c: psb_log_set: input", first);
    ck_assert(strncmp(content(path), expected, strlen(expected)) == 0 && psb_log_bits == PSB_LOGS_ERRORS);
    OK(psb_log_set("errors,file:check_err.%p.%i.log"));
    ck_assert(strncmp(content(path), expected, strlen(expected)) == 0);
    snprintf(items, sizeof items, "hint,file:%s", other);
    OK(psb_log_set(items));
    fails_with(1);
    ck_assert_str_eq(content(other), first);
    remove(path);
    remove(other);
    OK(psb_log_set("error,file:/dev/full"));
    ck_assert_str_eq(written_by(fail_twice), "psb: lines of the log are lost: /dev/full cannot be written\n");
    setenv("PSB_LOG", "error,file:/none/x", 1);
    OK(psb_log_set(NULL));
    const char *text = written_by(fail_twice);
    ck_assert(strncmp(text, "psb: no log: /none/x cannot be written: ", 40) == 0 &&
              strstr(text, "number 1\n") && strstr(text, "number 2\n"));
    unsetenv("PSB_LOG");
    OK(psb_log_set(NULL));
}

/* A wrong action is refused, and the previous one stays in force. */
TEST(wrong_actions)
{
    const int bad[] = { 99, -1, PSB_ACT_ABORT + 1 };
    for (int k = 0; k < 3; k++) {
        psb_set_erraction((enum psb_erraction)bad[k]);
        FAILS(psb_errstatus(), PSB_EARG,
              "base/core/err.c: psb_set_erraction: invalid argument: argument action is %d; "
              "expected PSB_ACT_RETURN, PSB_ACT_PRINT or PSB_ACT_ABORT",
              bad[k]);
        ck_assert_str_eq(written_by(fail_twice), "");
    }
    psb_set_erraction(PSB_ACT_PRINT);
    psb_clean_errstack();
    ck_assert(strstr(written_by(choose_99), "argument action is 99"));
    ck_assert(strstr(written_by(fail_twice), "number 1\n"));
    psb_clean_errstack();
    psb_set_erraction(PSB_ACT_RETURN);
    ck_assert_int_eq(psb_errstatus(), PSB_OK);
}

TEST(action_abort)
{
    psb_set_erraction(PSB_ACT_ABORT);
    fails_with(1);
}

/* Expected errors are returned, but neither recorded nor acted on.  Calls nest; only this thread is
 * concerned. */
TEST(expected_errors)
{
    psb_set_erraction(PSB_ACT_ABORT);
    psb_expect_errors(1);
    psb_expect_errors(1);
    ck_assert_int_eq(PSB_FAIL(PSB_EARG, "first"), PSB_EARG);
    psb_expect_errors(0);
    ck_assert_int_eq(PSB_FAIL(PSB_EARG, "second"), PSB_EARG);
    psb_expect_errors(0);
    psb_expect_errors(0);
    ck_assert_str_eq(psb_errmsg(), "");
    psb_set_erraction(PSB_ACT_RETURN);
    ck_assert_int_eq(PSB_FAIL(PSB_EARG, "third"), PSB_EARG);
    ck_assert_ptr_nonnull(strstr(psb_errmsg(), "third"));
}

int main(void)
{
    Suite *s = suite_create("errors");
    TCase *c = tcase_create("each in a process of its own");
    ck_add_tests(c, messages_name_the_call, text_of_every_code, message_contents, file_name_in_messages,
                 newest_first, expected_errors, pop_into_a_short_buffer, long_messages,
                 zero_bytes_in_messages, errors_of_each_thread, print_newest_and_clear, action_print,
                 freed_twice, messages_of_processes, errors_in_the_log, callback_of_the_log, file_of_the_log,
                 wrong_actions);
    tcase_add_test_raise_signal(c, action_abort, SIGABRT);
    add_basics(c);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
