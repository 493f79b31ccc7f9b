/* psb_lang.h -- base/core: C declarations in C++ programs. */
#ifndef PSB_LANG_H
#define PSB_LANG_H
#ifndef __cplusplus
#define PSB_BEGIN_C
#define PSB_END_C
#elif defined(__clang__) /* std::complex is returned by C functions */
#define PSB_BEGIN_C \
    _Pragma("clang diagnostic push") \
        _Pragma("clang diagnostic ignored \"-Wreturn-type-c-linkage\"") extern "C" \
    {
#define PSB_END_C \
    } \
    _Pragma("clang diagnostic pop")
#else
#define PSB_BEGIN_C extern "C" {
#define PSB_END_C   }
#endif
#endif
