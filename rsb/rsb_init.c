/* rsb_init.c -- rsb: start and stop LIBRSB, and register its formats for all scalars. */
#include "psb_rsb_format.h"
#include "librsb.h"

bool psb_rsb_available(void)
{
    return psb_librsb_found();
}

psb_err psb_rsb_init(void)
{
    if (!psb_librsb_found())
        return PSB_OK;
    PSB_TRY(psb_librsb_open());
    PSB_TRY(psb_s_rsb_register());
    PSB_TRY(psb_d_rsb_register());
    PSB_TRY(psb_c_rsb_register());
    return PSB_PASS(psb_z_rsb_register());
}

void psb_rsb_exit(void)
{
    psb_librsb_close();
}
