/* report_json.c -- tools: the results of psb-spmv as JSON, written with the library jansson. */
#include "config.h"
#include "report.h"

#ifdef HAVE_JANSSON
#include "json.h"
#include "page.h"
#include <math.h>

static json_t *result_json(const struct report *r, const struct result *k)
{
    const char type[] = { r->type, '\0' };
    return json_pack("{s:o,s:s,s:i,s:I,s:I,s:I,s:I,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}",             //
                     "format", json_text(k->format), "type", type,                                    //
                     "ranks", r->machine.processes,                                                   //
                     "rows", (json_int_t)r->rows, "cols", (json_int_t)r->cols,                        //
                     "entries", (json_int_t)r->entries, "bytes", (json_int_t)k->bytes,                //
                     "conversion_s", json_number(k->conversion), "median_s", json_number(k->product), //
                     "gflops", json_number(k->flops / 1e9), "effective_gbs", json_number(k->rate / 1e9),
                     "copy_gbs", json_number(k->copy > 0 ? k->copy / 1e9 : NAN), "max_error",
                     json_number(k->error >= 0 ? k->error : NAN), "where", json_text(k->where), "halo",
                     json_text(k->halo), "halo_reason", json_text(k->halo_reason));
}

/* A list of the refused results, or of the others. */
static json_t *list_json(const struct report *r, bool refused)
{
    json_t *all = json_array();
    for (int i = 0; i < r->nresults; i++) {
        const struct result *k = &r->result[i];
        if ((*k->refused != '\0') != refused)
            continue;
        json_t *one = refused ? json_pack("{s:o,s:o}", "format", json_text(k->format), "reason",
                                          json_text(k->refused))
                              : result_json(r, k);
        if (json_array_append_new(all, one) != 0) {
            json_decref(all);
            return NULL;
        }
    }
    return all;
}

static psb_err write_json(const struct report *r, const char *path)
{
    const struct options *o = r->options;
    const struct machine *m = &r->machine;
    const char trans[] = { o->trans, '\0' };
    json_t *all = json_pack("{s:s,s:o,s:o,s:o,s:o,s:o,s:s,s:o,s:o}", "program", "psb-spmv", "command",
                            json_text(program_command()), "machine", json_machine(m), "host_copy_gbs",
                            json_number(m->host_copy / 1e9), "gpu_copy_gbs",
                            json_number(m->gpu_copy > 0 ? m->gpu_copy / 1e9 : NAN), "matrix",
                            json_text(o->matrix ? o->matrix : o->generate), "trans", trans, "results",
                            list_json(r, false), "refused", list_json(r, true));
    if (r->picture)
        json_object_set_new(all, "picture", picture_json(r->picture));
    return json_write(all, path);
}

psb_err report_files(const struct report *r)
{
    const struct options *o = r->options;
    PSB_TRY(o->json ? write_json(r, o->json) : PSB_OK);
    PSB_TRY(o->csv ? csv_write(list_json(r, false), o->csv) : PSB_OK);
    return o->report ? page_draw(o->json, o->report) : PSB_OK;
}
#else
psb_err report_files(const struct report *r)
{
    (void)r;
    return PSB_OK;
}
#endif
