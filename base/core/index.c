/* index.c -- base/core: the index base. */
#include "psb_index.h"

static int index_base;

psb_err psb_set_index_base(int base)
{
    PSB_CHECK(base == 0 || base == 1, PSB_EARG, "argument base is %d; expected 0 or 1", base);
    index_base = base;
    return PSB_OK;
}

int psb_index_base(void)
{
    return index_base;
}

int psb_index_from_0(void)
{
    int was = index_base;
    index_base = 0;
    return was;
}
