/* gpu_none.c -- cuda/device: gpu.h in a build without nvcc: no GPU. */
#include "gpu.h"

static psb_err none(void)
{
    return PSB_FAIL(PSB_EDEVICE, "this build has no CUDA; expected one configured where nvcc is");
}

int psb_cudart_count(void)
{
    return 0;
}

void psb_cudart_versions(int *runtime, int *driver, int *nccl)
{
    *runtime = *driver = *nccl = 0;
}

psb_err psb_cudart_open(int number)
{
    (void)number;
    return none();
}

void psb_cudart_close(void)
{
}

psb_err psb_cudart_thread_open(int number)
{
    (void)number;
    return none();
}

psb_err psb_cudart_thread_close(void)
{
    return none();
}

psb_err psb_cudart_ask(int number, enum psb_cudart_question q, int *out)
{
    (void)number, (void)q, (void)out;
    return none();
}

psb_err psb_cudart_name(int number, char *out, size_t len)
{
    (void)number, (void)out, (void)len;
    return none();
}

psb_err psb_cudart_copy_time(size_t bytes, int reps, double *seconds)
{
    (void)bytes, (void)reps, (void)seconds;
    return none();
}

void *psb_cudart_stream(void)
{
    return NULL;
}

psb_err psb_cudart_set_stream(void *stream)
{
    (void)stream;
    return none();
}
