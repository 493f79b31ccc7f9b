/* page.c -- tools: the page that psb-plot draws of a report, and other programs that a program runs. */
#include "config.h"
#include "page.h"
#include "say.h"
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int page_run(const char *const argv[])
{
    pid_t child;
    int status;
    fflush(stdout);
    if (posix_spawnp(&child, argv[0], NULL, NULL, (char *const *)argv, environ) != 0 ||
        waitpid(child, &status, 0) != child)
        return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* Store in `path` the name of psb-plot: in the folder of this program, or in the one above, since libtool
 * keeps programs that are not installed in .libs; without a folder if it is in neither. */
static void find_plot(char path[PATH_MAX])
{
    static const char name[] = "psb-plot";
    const ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - sizeof name);
    char *slash = n > 0 ? memrchr(path, '/', (size_t)n) : NULL;
    for (int up = 0; up < 2 && slash; up++) {
        memcpy(slash + 1, name, sizeof name);
        if (access(path, X_OK) == 0)
            return;
        slash = memrchr(path, '/', (size_t)(slash - path));
    }
    memcpy(path, name, sizeof name);
}

psb_err page_draw(const char *json, const char *html)
{
    char path[PATH_MAX];
    find_plot(path);
    say_progress("drawing", -1);
    const int status = page_run((const char *const[]){ path, json, html, NULL });
    say_clear();
    PSB_CHECK(status != 127, PSB_EIO,
              "%s: not drawn, since psb-plot cannot be run: it is neither beside this program nor in PATH; the report is in %s",
              html, json);
    PSB_CHECK(status == 0, PSB_EIO, "%s: not drawn, as psb-plot has said; the report is in %s", html, json);
    return PSB_OK;
}
