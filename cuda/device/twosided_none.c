/* twosided_none.c -- cuda/device: messages between GPUs in a build without NCCL: none. */
#include "gpu.h"
#include "psb_twosided.h"

static const char *none_obstacle(void)
{
    return "this build has no NCCL";
}

static psb_err none_join(MPI_Comm comm, double seconds, void **group)
{
    (void)comm, (void)seconds, (void)group;
    return PSB_FAIL(PSB_ENOTIMPL, "%s", none_obstacle());
}

static psb_err none_exchange(void *group, const struct psb_device_message *m, int n, double seconds)
{
    (void)group, (void)m, (void)n, (void)seconds;
    return PSB_FAIL(PSB_ENOTIMPL, "%s", none_obstacle());
}

static psb_err none_check_open(const void *group)
{
    (void)group;
    return PSB_FAIL(PSB_ENOTIMPL, "%s", none_obstacle());
}

static psb_err none_complete(void *group)
{
    (void)group;
    return PSB_OK;
}

int psb_nccl_version(void)
{
    return 0;
}

void psb_nccl_close(void)
{
}

void psb_nccl_settle(void)
{
}

psb_err psb_nccl_wait(void)
{
    return PSB_OK;
}

const struct psb_twosided psb_twosided_cuda = {
    .name = "nccl",
    .obstacle = none_obstacle,
    .join = none_join,
    .check_open = none_check_open,
    .exchange = none_exchange,
    .complete = none_complete,
};
