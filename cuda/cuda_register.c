/* cuda_register.c -- cuda: register the formats of this library for one scalar. */
#include "psb_cuda_format.h"
#include "psb_type.h"

psb_err X(cuda_register)(void)
{
#define PSB_FORMAT(f) PSB_TRY(X(mat_register)(&X(f##_mold).mat));
#include "cuda_formats.h"
#undef PSB_FORMAT
    return PSB_OK;
}
