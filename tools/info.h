/* info.h -- tools: what psb-info says about a build and a machine. */
#ifndef PSB_INFO_H
#define PSB_INFO_H
#include "command_line.h"
#include "machine.h"

enum { LINKED = 12, TRANSPORTS = 8, VERSION_TEXT = 64, OBSTACLE_TEXT = 400 };

struct info {
    struct machine machine;
    int threads; /* of a process in host kernels */
    const char *simd;
    /* What is linked: names and versions. */
    int nlinked;
    struct {
        const char *name;
        char version[VERSION_TEXT];
    } linked[LINKED];
    /* How halos between devices may travel: what hinders it, "" if PSB_HALO can ask for it; the one that is
     * used, and why not those before it. */
    int ntransports;
    struct {
        const char *name;
        char obstacle[OBSTACLE_TEXT];
    } transport[TRANSPORTS];
    char used[OBSTACLE_TEXT];
};

/* Fill all but the machine and the transports.  Local. */
void info_look(struct info *t);

/* Print t, and the variables of the environment that are set; all variables that the library reads.  Local.
 */
void info_print(const struct program *p, const struct info *t);
void info_print_environment(void);

/* Write all to the file at `path` as JSON.  Local.  PSB_EIO, PSB_ENOMEM, PSB_ENOTIMPL. */
PSB_MUST_CHECK psb_err info_json(const struct program *p, const struct info *t, const char *path);
#endif
