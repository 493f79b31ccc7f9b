/* ext_init.c -- ext: register the formats of ext for all scalars. */
#include "psb_ext_format.h"

psb_err psb_ext_init(void)
{
    PSB_TRY(psb_s_ext_register());
    PSB_TRY(psb_d_ext_register());
    PSB_TRY(psb_c_ext_register());
    return PSB_PASS(psb_z_ext_register());
}
