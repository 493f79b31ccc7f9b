/* base.t.h -- room: base.  What the room declares for one scalar. */
#include "vec_ops.t.h"
#include "mat.t.h"
#include "coo.t.h"
#include "csr.t.h"
#include "vect.t.h"
#include "spmat.t.h"
