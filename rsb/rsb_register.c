/* rsb_register.c -- rsb: register the formats of rsb for one scalar. */
#include "psb_rsb_format.h"
#include "psb_type.h"

psb_err X(rsb_register)(void)
{
#define PSB_FORMAT(f) PSB_TRY(X(mat_register)(&X(f##_mold).mat));
#include "rsb_formats.h"
#undef PSB_FORMAT
    return PSB_OK;
}
