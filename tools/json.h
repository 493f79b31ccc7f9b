/* json.h -- tools: parts of the JSON reports of the programs, in builds with the library jansson.  The
 * values returned are new references, or NULL where memory is short. */
#ifndef PSB_JSON_H
#define PSB_JSON_H
#include "machine.h"
#include <jansson.h>

/* Return s as a JSON string, or null for "".  A byte that is not valid UTF-8 becomes the character with its
 * number.  Local. */
json_t *json_text(const char *s);

/* Return x, or null for an x that is not finite.  Local. */
json_t *json_number(double x);

/* Return the names of the machine as an object.  Local. */
json_t *json_machine(const struct machine *m);

/* Return the picture as an object.  Local. */
struct picture;
json_t *picture_json(const struct picture *p);

/* Write the objects in the array `rows`, and release it, to the file at `path` as comma-separated values: a
 * line of the names in the first, then one for each.  Local.  PSB_EIO; PSB_ENOMEM if `rows` is NULL. */
PSB_MUST_CHECK psb_err csv_write(json_t *rows, const char *path);

/* Write `all` to the file at `path`, and release it.  Local.  PSB_EIO; PSB_ENOMEM if `all` is NULL. */
PSB_MUST_CHECK psb_err json_write(json_t *all, const char *path);
#endif
