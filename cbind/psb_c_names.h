/* psb_c_names.h -- cbind: names in headers that are included once for each scalar type, whose letter
 * is PSB_C_NOW: PSB_C(geall) is psb_c_dgeall. */
#ifndef PSB_C_NAMES_
#define PSB_C_NAMES_
#define PSB_C_CAT2_(a, b)    a##b
#define PSB_C_CAT2(a, b)     PSB_C_CAT2_(a, b)
#define PSB_C_CAT3_(a, b, c) a##b##c
#define PSB_C_CAT3(a, b, c)  PSB_C_CAT3_(a, b, c)
#define PSB_C(name)          PSB_C_CAT3(psb_c_, PSB_C_NOW, name)
#define PSB_C_CREATE(name)   PSB_C_CAT3(psb_c_new_, PSB_C_NOW, name)
#define PSB_C_MEMBER(name)   PSB_C_CAT2(PSB_C_NOW, name)
#define PSB_C_SCALAR         PSB_C_CAT3(psb_, PSB_C_NOW, _t)
#define PSB_C_REAL           PSB_C_CAT2(PSB_C_REAL_, PSB_C_NOW)
#define PSB_C_REAL_s         psb_s_t
#define PSB_C_REAL_d         psb_d_t
#define PSB_C_REAL_c         psb_s_t
#define PSB_C_REAL_z         psb_d_t
#define PSB_C_ORDERED        PSB_C_CAT2(PSB_C_ORDERED_, PSB_C_NOW) /* 1 for real types */
#define PSB_C_ORDERED_s      1
#define PSB_C_ORDERED_d      1
#define PSB_C_ORDERED_c      0
#define PSB_C_ORDERED_z      0
#endif
