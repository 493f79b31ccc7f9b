/* ext_register.c -- ext: register the formats of ext for one scalar. */
#include "psb_ext_format.h"
#include "psb_type.h"

psb_err X(ext_register)(void)
{
#define PSB_FORMAT(f) PSB_TRY(X(mat_register)(&X(f##_mold).mat));
#include "ext_formats.h"
#undef PSB_FORMAT
    return PSB_OK;
}
