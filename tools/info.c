/* info.c -- tools: what psb-info says about a build and a machine, as text and as JSON. */
#include "config.h"
#include "info.h"
#include "bytes.h"
#include "env.h"
#include "gpu.h"
#include "graph.h"
#include "librsb.h"
#include "psb_base.h"
#include "psb_format.h"
#include "psb_simd.h"
#include "psb_threads.h"
#include "psb_version.h"
#include <stdio.h>
#include <string.h>
#ifdef HAVE_JANSSON
#include "json.h"
#endif

enum { INDENT = 17 };

/* --- collecting --- */

/* version: NULL or "" if the library is not there. */
static void add_linked(struct info *t, const char *name, const char *version)
{
    if (!version || !*version || t->nlinked == LINKED)
        return;
    t->linked[t->nlinked].name = name;
    snprintf(t->linked[t->nlinked++].version, VERSION_TEXT, "%s", version);
}

/* The library says "Open MPI v4.1.4, package: ..." or "MPICH Version: 4.0.2" and more lines. */
static void add_mpi(struct info *t)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    MPI_Get_library_version(text, &length);
    text[strcspn(text, ",\n")] = '\0';
    for (char *p = text; *p; p++)
        *p = *p == '\t' ? ' ' : *p;
    add_linked(t, "MPI", text);
}

static void add_cuda(struct info *t)
{
    int runtime, driver, nccl;
    char text[VERSION_TEXT] = "";
    psb_cudart_versions(&runtime, &driver, &nccl);
    if (runtime && driver)
        snprintf(text, sizeof text, "%d.%d, driver for %d.%d", runtime / 1000, runtime % 1000 / 10,
                 driver / 1000, driver % 1000 / 10);
    else if (runtime)
        snprintf(text, sizeof text, "%d.%d, no driver", runtime / 1000, runtime % 1000 / 10);
    add_linked(t, "CUDA", text);
    if (nccl)
        snprintf(text, sizeof text, "%d.%d.%d", nccl / 10000, nccl % 10000 / 100, nccl % 100);
    add_linked(t, "NCCL", nccl ? text : NULL);
}

void info_look(struct info *t)
{
    t->threads = psb_threads(INT64_MAX);
    t->simd = psb_simd_name(psb_simd());
    add_mpi(t);
    add_cuda(t);
    add_linked(t, "METIS", psb_metis_version());
    add_linked(t, "LIBRSB", psb_librsb_version());
    add_linked(t, "zlib", psb_gzip.version ? psb_gzip.version() : NULL);
    add_linked(t, "liblzma", psb_xz.version ? psb_xz.version() : NULL);
#ifdef HAVE_JANSSON
    add_linked(t, "jansson", JANSSON_VERSION);
#endif
#ifdef __VERSION__
    add_linked(t, "compiler", __VERSION__);
#endif
}

/* Does the format compute on devices? */
static bool for_devices(const struct psb_d_mat *mold)
{
    return psb_d_mat_dev(mold) != psb_d_root_mold.ops->dev;
}

/* --- text --- */

static void print_formats(const char *label, bool devices)
{
    const struct psb_d_mat *mold;
    char text[1024] = "";
    size_t n = 0;
    for (int i = 0; n < sizeof text && (mold = psb_d_mat_format(i)); i++)
        if (for_devices(mold) == devices)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? " " : "", psb_d_mat_get_fmt(mold));
    printf("  %-14s ", label);
    print_wrapped(n ? text : "none", INDENT);
}

static void print_transports(const struct info *t)
{
    printf("  %-14s ", "halos");
    print_wrapped(*t->used                                 ? t->used
                  : strcmp(t->machine.device, "none") == 0 ? "by MPI"
                  : t->machine.processes == 1              ? "mpirun -np 2 psb-info tries the transports"
                                                           : "by MPI",
                  INDENT);
    for (int i = 0; i < t->ntransports; i++) {
        char text[VERSION_TEXT + OBSTACLE_TEXT];
        snprintf(text, sizeof text, "%s: %s", t->transport[i].name,
                 *t->transport[i].obstacle ? t->transport[i].obstacle : "works");
        printf("%*s", INDENT, "");
        print_wrapped(text, INDENT);
    }
}

void info_print(const struct program *p, const struct info *t)
{
    const struct machine *m = &t->machine;
    print_version(p);
    for (int i = 0; i < t->nlinked; i++)
        printf("  %-14s %s\n", t->linked[i].name, t->linked[i].version);
    printf("  %-14s %s, %s instructions\n", "processor", *m->cpu ? m->cpu : "unknown", t->simd);
    printf("  %-14s %s%s%s", "device", m->device, *m->gpu ? ", " : "", m->gpu);
    if (psb_cudart_count() > 1)
        printf(", one of %d GPUs", psb_cudart_count());
    putchar('\n');
    printf("  %-14s %d on %d host%s, %d thread%s each\n", "processes", m->processes, m->hosts,
           m->hosts > 1 ? "s" : "", t->threads, t->threads > 1 ? "s" : "");
    printf("  %-14s %.3g GB/s on the host%s", "copies", 1e-9 * m->host_copy, m->gpu_copy > 0 ? "" : "\n");
    if (m->gpu_copy > 0)
        printf(", %.4g GB/s on GPUs\n", 1e-9 * m->gpu_copy);
    print_transports(t);
    print_formats("host formats", false);
    print_formats("device formats", true);
    const struct psb_variable *v;
    for (int i = 0; (v = psb_variable(i)); i++)
        if (psb_env(v->name))
            printf("  %-14s %s\n", v->name, psb_env(v->name));
}

void info_print_environment(void)
{
    const struct psb_variable *v;
    for (int i = 0; (v = psb_variable(i)); i++)
        printf("%s: %s; default: %s\n    %s\n", v->name, v->values, v->preset, v->meaning);
}

/* --- JSON --- */

#ifdef HAVE_JANSSON
static json_t *formats_json(bool devices)
{
    const struct psb_d_mat *mold;
    json_t *all = json_array();
    for (int i = 0; (mold = psb_d_mat_format(i)); i++)
        if (for_devices(mold) == devices)
            json_array_append_new(all, json_text(psb_d_mat_get_fmt(mold)));
    return all;
}

static json_t *features_json(void)
{
    json_t *all = json_object();
    for (const struct psb_feature *f = psb_version()->feature; f->name; f++)
        json_object_set_new(all, f->name, json_boolean(f->built_in));
    return all;
}

static json_t *linked_json(const struct info *t)
{
    json_t *all = json_object();
    for (int i = 0; i < t->nlinked; i++)
        json_object_set_new(all, t->linked[i].name, json_text(t->linked[i].version));
    return all;
}

static json_t *transports_json(const struct info *t)
{
    json_t *all = json_object();
    for (int i = 0; i < t->ntransports; i++)
        json_object_set_new(all, t->transport[i].name, json_text(t->transport[i].obstacle));
    return all;
}

static json_t *environment_json(void)
{
    const struct psb_variable *v;
    json_t *all = json_array();
    for (int i = 0; (v = psb_variable(i)); i++)
        json_array_append_new(all, json_pack("{s:s,s:o,s:s,s:s,s:s}", "name", v->name, "set",
                                             json_text(or_else(psb_env(v->name), "")), "values", v->values,
                                             "default", v->preset, "meaning", v->meaning));
    return all;
}

psb_err info_json(const struct program *p, const struct info *t, const char *path)
{
    json_t *all = json_pack(
        "{s:s,s:s,s:o,s:o,s:o,s:s,s:i,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:i}", "program", p->name, "version",
        psb_version()->name, "machine", json_machine(&t->machine), "features", features_json(), "linked",
        linked_json(t), "simd", t->simd, "threads", t->threads, "host_copy_gbs",
        json_number(1e-9 * t->machine.host_copy), "gpu_copy_gbs",
        t->machine.gpu_copy > 0 ? json_number(1e-9 * t->machine.gpu_copy) : json_null(), "halo",
        json_text(t->used), "transports", transports_json(t), "host_formats", formats_json(false),
        "device_formats", formats_json(true), "environment", environment_json(), "gpus", psb_cudart_count());
    return json_write(all, path);
}
#else
psb_err info_json(const struct program *p, const struct info *t, const char *path)
{
    (void)p, (void)t;
    return PSB_FAIL(PSB_ENOTIMPL, "%s: this program was built without jansson", path);
}
#endif
