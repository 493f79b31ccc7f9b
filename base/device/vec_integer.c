/* vec_integer.c -- base/device: operations on integer vectors, on the host. */
#include "psb_format.h"
#include "psb_team.h"
#include "psb_type.h"
#include "vec_basic.t.h"

const struct X(vec_ops) X(vec_host) = {
    .fill = fill,
    .axpby = axpby,
    .gth = gth,
    .scatter_add = scatter_add,
    .scatter = scatter,
};
