/* amg_const.h -- cbind: the version of AMG4PSBLAS whose C interface this is. */
#ifndef AMG_CONST_H_
#define AMG_CONST_H_
#define AMG_VERSION_STRING_ ("1.2.0")
#define AMG_VERSION_MAJOR_  (1)
#define AMG_VERSION_MINOR_  (2)
#define AMG_PATCHLEVEL_     (0)
#endif
