/* psb_base.t.h -- base: the calls for one scalar. */
#include "psb_mat_calls.t.h"
#include "psb_mat_dense.t.h"
#include "psb_vect.t.h"
#include "psb_scal.t.h"
#include "psb_geops.t.h"
#include "psb_arrays.t.h"
#include "psb_spmat.t.h"
#include "psb_sp_calls.t.h"
