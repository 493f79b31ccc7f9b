/* legacy.c -- cbind: handles, descriptions and infos with cuSPARSE's arguments. */
#include "legacy.h"
#include "psb_alloc.h"
#include "psb_device.h"
#include "psb_handle.h"
#include <stdlib.h>
#include <string.h>

static psb_ctxt *own; /* of all handles, from the first one until the program ends */

static const struct {
    const char *name, *words;
} statuses[] = { { "CUSPARSE_STATUS_SUCCESS", "success" },
                 { "CUSPARSE_STATUS_NOT_INITIALIZED", "initialization error" },
                 { "CUSPARSE_STATUS_ALLOC_FAILED", "out of memory" },
                 { "CUSPARSE_STATUS_INVALID_VALUE", "invalid value" },
                 { "CUSPARSE_STATUS_ARCH_MISMATCH", "architecture mismatch" },
                 { "CUSPARSE_STATUS_MAPPING_ERROR", "mapping error" },
                 { "CUSPARSE_STATUS_EXECUTION_FAILED", "device failure" },
                 { "CUSPARSE_STATUS_INTERNAL_ERROR", "internal error" },
                 { "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED", "matrix type not supported" },
                 { "CUSPARSE_STATUS_ZERO_PIVOT", "zero pivot" },
                 { "CUSPARSE_STATUS_NOT_SUPPORTED", "operation not supported" },
                 { "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES", "insufficient resources" } };
enum { STATUSES = sizeof statuses / sizeof *statuses, INVALID_VALUE = 3, INTERNAL_ERROR = 7 };

static const unsigned char status_of[PSB_NERR] = { [PSB_OK] = 0,
                                                   [PSB_ENOMEM] = 2,
                                                   [PSB_EARG] = INVALID_VALUE,
                                                   [PSB_ESTATE] = 1,
                                                   [PSB_ENOTIMPL] = 10,
                                                   [PSB_EPADDING] = INTERNAL_ERROR,
                                                   [PSB_EIO] = INTERNAL_ERROR,
                                                   [PSB_EMPI] = INTERNAL_ERROR,
                                                   [PSB_EDEVICE] = 6,
                                                   [PSB_EPIVOT] = 9 };

int psb_legacy_status(psb_err e, const char *call)
{
    return status_of[psb_passed(e, call)];
}

const char *psb_cusparse_error_name(int status)
{
    return status >= 0 && status < STATUSES ? statuses[status].name : "unrecognized error code";
}

const char *psb_cusparse_error_string(int status)
{
    return status >= 0 && status < STATUSES ? statuses[status].words : "unrecognized error code";
}

/* --- handles -------------------------------------------------------------------------------------------- */

static bool ends_mpi; /* begun by begin_mpi */

static void end_own(void)
{
    int ended = 0;
    MPI_Finalized(&ended);
    psb_exit(own);
    if (ends_mpi && !ended)
        MPI_Finalize();
}

static psb_err begin_mpi(void)
{
    int running = 0, got;
    MPI_Initialized(&running);
    if (running)
        return PSB_OK;
    PSB_CHECK(MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &got) == MPI_SUCCESS, PSB_EMPI,
              "MPI cannot be started");
    ends_mpi = true;
    return PSB_OK;
}

/* MPI and the device, until the program ends. */
static psb_err begin_own(void)
{
    if (!own) {
        PSB_TRY(begin_mpi());
        PSB_TRY(psb_init_comm(&own, MPI_COMM_SELF));
        atexit(end_own);
    }
    return psb_cuda_device() ? PSB_OK : psb_cuda_init(own);
}

psb_ctxt *psb_legacy_ctxt(void)
{
    return own;
}

static psb_err create(struct psb_cusparse_handle **handle)
{
    PSB_NEED(handle, "where to store the handle");
    PSB_TRY(begin_own());
    PSB_TRY(psb_alloc(handle, 1, sizeof **handle, "a handle"));
    **handle = (struct psb_cusparse_handle){ 0 };
    return PSB_OK;
}

int psb_cusparse_create(struct psb_cusparse_handle **handle)
{
    return STATUS(create(handle));
}

int psb_cusparse_destroy(struct psb_cusparse_handle *handle)
{
    if (handle && !psb_may_free(handle, "psb_cusparse_destroy"))
        return INVALID_VALUE;
    if (handle)
        psb_retire(handle, sizeof *handle);
    return 0;
}

static psb_err check_handle(const struct psb_cusparse_handle *handle)
{
    PSB_NEED_HANDLE(handle, "one of psb_cusparse_create");
    return PSB_OK;
}

psb_err psb_legacy_begin(const struct psb_cusparse_handle *handle)
{
    /* NULL is CUDA's default stream, which the second name means everywhere */
    void *const default_stream = (void *)(uintptr_t)1;
    PSB_TRY(check_handle(handle));
    void *const now = psb_cuda_stream(), *const want = handle->stream ? handle->stream : default_stream;
    return now && now != want ? psb_cuda_set_stream(want) : PSB_OK;
}

int psb_cusparse_set_stream(struct psb_cusparse_handle *handle, void *stream)
{
    const psb_err e = check_handle(handle);
    if (e == PSB_OK)
        handle->stream = stream;
    return STATUS(e);
}

static psb_err ask(const struct psb_cusparse_handle *handle, const void *to)
{
    PSB_TRY(check_handle(handle));
    PSB_CHECK(to, PSB_EARG, "the address of the result is NULL; expected where to store it");
    return PSB_OK;
}

int psb_cusparse_get_stream(struct psb_cusparse_handle *handle, void **stream)
{
    const psb_err e = ask(handle, stream);
    if (e == PSB_OK)
        *stream = handle->stream;
    return STATUS(e);
}

static psb_err check_option(const char *name, int value, int end)
{
    PSB_CHECK(value >= 0 && value < end, PSB_EARG, "argument %s is %d; expected 0 <= %s < %d", name, value,
              name, end);
    return PSB_OK;
}

int psb_cusparse_set_pointer_mode(struct psb_cusparse_handle *handle, int mode)
{
    psb_err e = check_handle(handle);
    PSB_THEN(e, check_option("mode", mode, 2));
    if (e == PSB_OK)
        handle->scalars_on_dev = mode;
    return STATUS(e);
}

int psb_cusparse_get_pointer_mode(struct psb_cusparse_handle *handle, int *mode)
{
    const psb_err e = ask(handle, mode);
    if (e == PSB_OK)
        *mode = handle->scalars_on_dev;
    return STATUS(e);
}

/* --- descriptions --------------------------------------------------------------------------------------- */

static psb_err create_descr(struct psb_cusparse_descr **descr)
{
    PSB_NEED(descr, "where to store the description");
    PSB_TRY(psb_alloc(descr, 1, sizeof **descr, "a description"));
    **descr = (struct psb_cusparse_descr){ 0 };
    return PSB_OK;
}

int psb_cusparse_create_descr(struct psb_cusparse_descr **descr)
{
    return STATUS(create_descr(descr));
}

int psb_cusparse_destroy_descr(struct psb_cusparse_descr *descr)
{
    if (descr && !psb_may_free(descr, "psb_cusparse_destroy_descr"))
        return INVALID_VALUE;
    if (descr)
        psb_retire(descr, sizeof *descr);
    return 0;
}

static psb_err set_option(struct psb_cusparse_descr *descr, int *option, const char *name, int value, int end)
{
    PSB_NEED_HANDLE(descr, "one of psb_cusparse_create_descr");
    PSB_TRY(check_option(name, value, end));
    *option = value;
    return PSB_OK;
}

int psb_cusparse_set_type(struct psb_cusparse_descr *descr, int type)
{
    return STATUS(set_option(descr, &descr->type, "type", type, 4));
}

int psb_cusparse_set_fill(struct psb_cusparse_descr *descr, int fill)
{
    return STATUS(set_option(descr, &descr->fill, "fill", fill, 2));
}

int psb_cusparse_set_diag(struct psb_cusparse_descr *descr, int diag)
{
    return STATUS(set_option(descr, &descr->diag, "diag", diag, 2));
}

int psb_cusparse_set_base(struct psb_cusparse_descr *descr, int base)
{
    return STATUS(set_option(descr, &descr->base, "base", base, 2));
}

int psb_cusparse_get_type(const struct psb_cusparse_descr *descr)
{
    return psb_is_live(descr) ? descr->type : 0;
}

int psb_cusparse_get_fill(const struct psb_cusparse_descr *descr)
{
    return psb_is_live(descr) ? descr->fill : 0;
}

int psb_cusparse_get_diag(const struct psb_cusparse_descr *descr)
{
    return psb_is_live(descr) ? descr->diag : 0;
}

int psb_cusparse_get_base(const struct psb_cusparse_descr *descr)
{
    return psb_is_live(descr) ? descr->base : 0;
}

/* --- infos ---------------------------------------------------------------------------------------------- */

static psb_err create_info(struct psb_cusparse_info **info)
{
    PSB_NEED(info, "where to store the info");
    PSB_TRY(psb_alloc(info, 1, sizeof **info, "an info"));
    **info = (struct psb_cusparse_info){ .pivot = -1 };
    return PSB_OK;
}

int psb_cusparse_create_info(struct psb_cusparse_info **info)
{
    return STATUS(create_info(info));
}

void psb_legacy_keep(struct psb_cusparse_info *to, void *p, void (*release)(void *p))
{
    if (to->kept)
        to->free_kept(to->kept);
    to->kept = p;
    to->free_kept = release;
}

int psb_cusparse_destroy_info(struct psb_cusparse_info *info)
{
    if (info && !psb_may_free(info, "psb_cusparse_destroy_info"))
        return INVALID_VALUE;
    if (info) {
        psb_legacy_keep(info, NULL, NULL);
        psb_retire(info, sizeof *info);
    }
    return 0;
}

static psb_err zero_pivot(const struct psb_cusparse_handle *handle, const struct psb_cusparse_info *info,
                          int *position)
{
    PSB_TRY(psb_legacy_begin(handle));
    PSB_NEED_HANDLE(info, "one of psb_cusparse_create_info");
    PSB_TRY(psb_legacy_write(handle, position, sizeof *position, "position", &info->pivot));
    PSB_CHECK(info->pivot < 0, PSB_EPIVOT, "the pivot at position %d is missing or 0", info->pivot);
    return PSB_OK;
}

int psb_cusparse_zero_pivot(struct psb_cusparse_handle *handle, struct psb_cusparse_info *info, int *position)
{
    return STATUS(zero_pivot(handle, info, position));
}

/* --- arrays and scalars of the caller ------------------------------------------------------------------- */

psb_err psb_legacy_least(const char *name, int value, int least)
{
    PSB_CHECK(value >= least, PSB_EARG, "argument %s is %d; expected at least %d", name, value, least);
    return PSB_OK;
}

static psb_err check_given(const void *p, size_t bytes, const char *name)
{
    PSB_CHECK(p || bytes == 0, PSB_EARG, "argument %s is NULL; expected an array", name);
    return PSB_OK;
}

psb_err psb_legacy_get(void *host, const void *from, size_t bytes, const char *name)
{
    const struct psb_device *on = psb_cuda_device();
    PSB_TRY(check_given(from, bytes, name));
    if (on)
        return bytes ? psb_get(on, host, from, bytes, "arrays of the caller") : PSB_OK;
    if (bytes)
        memcpy(host, from, bytes);
    return PSB_OK;
}

psb_err psb_legacy_put(void *to, const void *host, size_t bytes, const char *name)
{
    const struct psb_device *on = psb_cuda_device();
    PSB_TRY(check_given(to, bytes, name));
    if (on)
        return bytes ? psb_put(on, to, host, bytes, "arrays of the caller") : PSB_OK;
    if (bytes)
        memcpy(to, host, bytes);
    return PSB_OK;
}

psb_err psb_legacy_read(const struct psb_cusparse_handle *handle, const void *from, size_t bytes,
                        const char *name, void *host)
{
    if (handle->scalars_on_dev)
        return psb_legacy_get(host, from, bytes, name);
    PSB_TRY(check_given(from, bytes, name));
    memcpy(host, from, bytes);
    return PSB_OK;
}

psb_err psb_legacy_write(const struct psb_cusparse_handle *handle, void *to, size_t bytes, const char *name,
                         const void *host)
{
    if (handle->scalars_on_dev)
        return psb_legacy_put(to, host, bytes, name);
    PSB_TRY(check_given(to, bytes, name));
    memcpy(to, host, bytes);
    return PSB_OK;
}

int psb_legacy_size(const struct psb_cusparse_handle *handle, size_t *size, const char *call)
{
    const psb_err e = ask(handle, size);
    if (e == PSB_OK)
        *size = 1;
    return psb_legacy_status(e, call);
}

int psb_legacy_size_int(const struct psb_cusparse_handle *handle, int *size, const char *call)
{
    size_t one = 1;
    const int status = psb_legacy_size(handle, size ? &one : NULL, call);
    if (status == 0)
        *size = (int)one;
    return status;
}
