/* psb_elg.t.h -- room: cuda/formats.  ELL whose arrays have their second copy on the device: see psb_hlg.t.h. */
