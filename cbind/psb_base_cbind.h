/* psb_base_cbind.h -- cbind: PSBLAS's C interface: contexts, descriptors, vectors, matrices. */
#ifndef PSB_BASE_CBIND_
#define PSB_BASE_CBIND_
#include "psb_c_base.h"
#include "psb_c_sbase.h"
#include "psb_c_dbase.h"
#include "psb_c_cbase.h"
#include "psb_c_zbase.h"
#endif
