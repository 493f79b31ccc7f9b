/* page.h -- tools: the page that psb-plot draws of a report, and other programs that a program runs. */
#ifndef PSB_PAGE_H
#define PSB_PAGE_H
#include "psb_err.h"

/* Run the program argv[0], found as the shell finds it, with these arguments up to a NULL, and wait.  Returns
 * its exit status; 127 if it cannot be run, 128 if it was killed.  Local. */
int page_run(const char *const argv[]);

/* Draw the report in the JSON file as the page at `html`, by the program psb-plot beside this one or where
 * the shell finds it.  Local.  PSB_EIO, with what is missing; the JSON file stays. */
PSB_MUST_CHECK psb_err page_draw(const char *json, const char *html);
#endif
