/* simd.c -- base/core: the level of vector instructions that host kernels use. */
#include "psb_simd.h"
#include "config.h"
#include "env.h"
#include <stdatomic.h>

static const char *const level_names[PSB_SIMD_LEVELS] = { "plain", "avx2", "avx512" };
static atomic_int chosen_level = -1;

const char *psb_simd_name(enum psb_simd_level s)
{
    return (int)s >= 0 && s < PSB_SIMD_LEVELS ? level_names[s] : "?";
}

static enum psb_simd_level widest_level(void)
{
#ifdef HAVE_X86_SIMD
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return PSB_SIMD_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return PSB_SIMD_AVX2;
#endif
    return PSB_SIMD_PLAIN;
}

enum psb_cpu_vendor psb_cpu_vendor(void)
{
#ifdef HAVE_X86_SIMD
    __builtin_cpu_init();
    return __builtin_cpu_is("intel") ? PSB_CPU_INTEL : PSB_CPU_OTHER;
#else
    return PSB_CPU_OTHER;
#endif
}

enum psb_simd_level psb_simd(void)
{
    int s = atomic_load_explicit(&chosen_level, memory_order_relaxed);
    if (s < 0) {
        int most = widest_level(), want = psb_env_which("PSB_SIMD", level_names, PSB_SIMD_LEVELS);
        s = want >= 0 && want < most ? want : most;
        atomic_store(&chosen_level, s);
    }
    return (enum psb_simd_level)s;
}

psb_err psb_set_simd(enum psb_simd_level s)
{
    PSB_CHECK((int)s >= 0 && s < PSB_SIMD_LEVELS, PSB_EARG, "argument s is %d; expected 0 <= s < %d", (int)s,
              PSB_SIMD_LEVELS);
    PSB_CHECK(s <= widest_level(), PSB_EARG,
              "argument s is %s; expected no more than %s, which this processor has", level_names[s],
              level_names[widest_level()]);
    atomic_store(&chosen_level, (int)s);
    return PSB_OK;
}

psb_err psb_simd_check(void)
{
    int s = PSB_SIMD_PLAIN;
    PSB_TRY(psb_env_choice("PSB_SIMD", level_names, PSB_SIMD_LEVELS, &s));
    PSB_CHECK(s <= (int)widest_level(), PSB_EARG,
              "PSB_SIMD is %s; expected no more than %s, which this processor has", level_names[s],
              level_names[widest_level()]);
    return PSB_OK;
}
