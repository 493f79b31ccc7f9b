/* convert_launchers.t.h -- room: cuda/kernels.  The launcher between C and CUDA for conversions; see
 * vec_launchers.t.h.  If room->at is NULL, it only sets the size of the memory that the step needs. */
int X(step_dev)(enum psb_step s, const struct psb_convert *q, struct psb_step_room *room, void *stream);
