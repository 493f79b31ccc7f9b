/* env.c -- cbind: contexts, errors, devices, broadcasts. */
#include "cbind.h"
#include "env.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static int contexts;
static bool started_mpi, action_chosen;
static bool by_environment, opened; /* the device: PSB_DEVICE is set; this library has asked for it */

psb_i_t psb_cbind_code(psb_err e, const char *call)
{
    if (e == PSB_CBIND_HANDLE)
        return PSB_ERR_ERROR;
    return psb_passed(e, call) == PSB_OK ? 0 : -100 - (psb_i_t)e;
}

psb_err psb_cbind_quiet(psb_err e)
{
    psb_expect_errors(0);
    return e;
}

psb_err psb_cbind_empty(const void *handle, const char *name, const char *what)
{
    PSB_CHECK(handle, PSB_EARG, "argument %s is NULL; expected %s", name, what);
    return PSB_CBIND_HANDLE;
}

psb_err psb_cbind_agree(psb_ctxt *ctxt, psb_err mine)
{
    const psb_err e = psb_agree(ctxt, mine == PSB_CBIND_HANDLE ? PSB_EARG : mine);
    return mine == PSB_CBIND_HANDLE ? mine : e;
}

psb_err psb_cbind_ctxt(psb_c_ctxt cctxt, psb_ctxt **ctxt)
{
    *ctxt = (psb_ctxt *)(void *)cctxt.ctxt;
    PSB_CHECK(psb_is_live(*ctxt), PSB_EARG, "argument cctxt is %s; expected a context of psb_c_init",
              psb_handle_state(*ctxt));
    return PSB_OK;
}

bool psb_cbind_same_word(const char *a, const char *b)
{
    for (; *a && tolower((unsigned char)*a) == tolower((unsigned char)*b); a++)
        b++;
    return *a == *b;
}

char psb_cbind_letter(const char *trans)
{
    return trans ? (char)toupper((unsigned char)*trans) : 'N';
}

/* --- errors -------------------------------------------------------------------------------------------- */

void psb_c_seterraction_ret(void)
{
    action_chosen = true;
    psb_set_erraction(PSB_ACT_RETURN);
}

void psb_c_seterraction_print(void)
{
    action_chosen = true;
    psb_set_erraction(PSB_ACT_PRINT);
}

void psb_c_seterraction_abort(void)
{
    action_chosen = true;
    psb_set_erraction(PSB_ACT_ABORT);
}

psb_i_t psb_c_get_errstatus(void)
{
    return (psb_i_t)psb_errstatus();
}

void psb_c_print_errmsg(void)
{
    psb_print_errmsg();
}

psb_i_t psb_c_error(void)
{
    psb_print_errmsg();
    return 0;
}

psb_i_t psb_c_clean_errstack(void)
{
    psb_clean_errstack();
    return 0;
}

psb_i_t psb_c_f2c_errmsg(char *cmesg, psb_i_t len)
{
    if (!cmesg || len <= 0)
        return 0;
    return psb_pop_errmsg(cmesg, (unsigned)len) != PSB_OK;
}

char *psb_c_pop_errmsg(void)
{
    const size_t size = strlen(psb_errmsg()) + 1;
    char *text = size > 1 ? malloc(size) : NULL;
    if (text)
        psb_pop_errmsg(text, (unsigned)size);
    return text;
}

void psb_c_check_error(psb_c_ctxt cctxt)
{
    psb_ctxt *ctxt = NULL;
    bool failed = psb_errstatus() != PSB_OK;
    if (psb_cbind_ctxt(cctxt, &ctxt) != PSB_OK || psb_max(ctxt, 1, &failed, -1) != PSB_OK)
        failed = true;
    if (!failed)
        return;
    psb_print_errmsg();
    psb_abort(ctxt, "psb_c_check_error found an error");
}

/* --- the device ---------------------------------------------------------------------------------------- */

psb_err psb_cbind_open_device(psb_ctxt *ctxt)
{
    opened = true;
    return PSB_PASS(psb_cuda_init(ctxt));
}

/* Register the formats, and open the device that PSB_DEVICE names, if it is set on some process.  Collective.
 */
static psb_err follow_environment(psb_ctxt *ctxt)
{
    const char *want = psb_env("PSB_DEVICE");
    const bool here = want && strcmp(want, "none") != 0;
    bool some = here;
    psb_err e = psb_ext_init();
    PSB_TRY(psb_agree(ctxt, e == PSB_OK ? psb_rsb_init() : e));
    PSB_TRY(psb_max(ctxt, 1, &some, -1));
    by_environment |= here;
    return some ? psb_cbind_open_device(ctxt) : PSB_OK;
}

const struct psb_vmold *psb_cbind_vmold(void)
{
    return by_environment ? &psb_vect_cuda : NULL;
}

/* Does `format` name the device?  Another word means the host, as in PSBLAS. */
static psb_err read_side(const char *format, bool *gpu)
{
    PSB_NEED(format, "CPU, HOST, GPU or DEVICE");
    *gpu = psb_cbind_same_word(format, "GPU") || psb_cbind_same_word(format, "DEVICE");
    if (!*gpu && !psb_cbind_same_word(format, "CPU") && !psb_cbind_same_word(format, "HOST"))
        fprintf(stderr, "psb: unknown format \"%s\"; the host is used\n", format);
    return PSB_OK;
}

psb_err psb_cbind_vmold_named(psb_ctxt *ctxt, const char *format, const struct psb_vmold **mold)
{
    bool gpu = false;
    PSB_TRY(psb_agree(ctxt, read_side(format, &gpu)));
    const bool mine = gpu;
    PSB_TRY(psb_max(ctxt, 1, &gpu, -1));
    if (gpu)
        PSB_TRY(psb_cbind_open_device(ctxt));
    psb_err e = PSB_OK;
    if (mine && !psb_cuda_device())
        e = PSB_FAIL(PSB_EDEVICE, "argument format is \"%s\", and there is no device", format);
    if (gpu)
        PSB_TRY(psb_agree(ctxt, e));
    *mold = mine ? &psb_vect_cuda : psb_cbind_vmold();
    return PSB_OK;
}

const char *psb_cbind_format(void)
{
    const char *want = psb_env("PSB_FORMAT");
    if (want)
        return want;
    return by_environment && psb_cuda_device() ? "HLG" : "CSR";
}

/* device: NULL, or the number of the GPU to use. */
static psb_err open_named_device(const psb_c_ctxt *cctxt, const psb_m_t *device)
{
    psb_ctxt *ctxt = NULL;
    PSB_NEED(cctxt, "a context of psb_c_init");
    PSB_TRY(psb_cbind_ctxt(*cctxt, &ctxt));
    if (!device)
        return psb_cbind_open_device(ctxt);
    opened = true;
    return psb_cuda_init_device(ctxt, *device);
}

psb_i_t psb_c_cuda_init(psb_c_ctxt *cctxt)
{
    return CODE(open_named_device(cctxt, NULL));
}

psb_i_t psb_c_cuda_init_opt(psb_c_ctxt *cctxt, psb_m_t device)
{
    return CODE(open_named_device(cctxt, &device));
}

void psb_c_cuda_exit(void)
{
    opened = false;
    psb_cuda_exit();
}

psb_m_t psb_c_cuda_getDeviceCount(void)
{
    int n = 0;
    return QUIETLY(psb_cuda_getDeviceCount(&n)) == PSB_OK ? n : 0;
}

/* --- contexts ------------------------------------------------------------------------------------------ */

psb_c_ctxt *psb_c_new_ctxt(void)
{
    return calloc(1, sizeof(psb_c_ctxt));
}

void psb_c_delete_ctxt(psb_c_ctxt *cctxt)
{
    free(cctxt);
}

/* MPI is started here, so that psb_c_exit_ctxt can leave it running. */
static psb_err start(psb_c_ctxt *cctxt, const psb_i_t *f_comm)
{
    int running, provided;
    psb_ctxt *ctxt = NULL;
    if (!action_chosen)
        psb_set_erraction(PSB_ACT_ABORT);
    PSB_NEED(cctxt, "a handle of psb_c_new_ctxt");
    PSB_MPI(MPI_Initialized(&running));
    if (!running) {
        PSB_MPI(MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided));
        started_mpi = true;
    }
    PSB_TRY(psb_init_comm(&ctxt, f_comm ? MPI_Comm_f2c(*f_comm) : MPI_COMM_WORLD));
    cctxt->ctxt = (psb_i_t *)(void *)ctxt;
    contexts++;
    return follow_environment(ctxt);
}

void psb_c_init(psb_c_ctxt *cctxt)
{
    (void)CODE(start(cctxt, NULL));
}

void psb_c_init_from_fint(psb_c_ctxt *cctxt, psb_i_t f_comm)
{
    (void)CODE(start(cctxt, &f_comm));
}

void psb_c_exit_ctxt(psb_c_ctxt cctxt)
{
    psb_ctxt *ctxt = NULL;
    if (CODE(psb_cbind_ctxt(cctxt, &ctxt)) != 0)
        return;
    if (--contexts == 0 && opened)
        psb_c_cuda_exit();
    psb_exit(ctxt);
}

void psb_c_exit(psb_c_ctxt cctxt)
{
    int ended = 0;
    psb_c_exit_ctxt(cctxt);
    if (contexts > 0 || !started_mpi || MPI_Finalized(&ended) != MPI_SUCCESS || ended)
        return;
    MPI_Finalize();
    started_mpi = false;
}

void psb_c_abort(psb_c_ctxt cctxt)
{
    psb_abort((psb_ctxt *)(void *)cctxt.ctxt, "psb_c_abort was called");
}

void psb_c_barrier(psb_c_ctxt cctxt)
{
    psb_ctxt *ctxt = NULL;
    psb_err e = psb_cbind_ctxt(cctxt, &ctxt);
    (void)CODE(e == PSB_OK ? psb_barrier(ctxt) : e);
}

void psb_c_info(psb_c_ctxt cctxt, psb_i_t *iam, psb_i_t *np)
{
    psb_info((psb_ctxt *)(void *)cctxt.ctxt, iam, np);
}

void psb_c_get_i_ctxt(psb_c_ctxt cctxt, psb_i_t *ictxt, psb_i_t *info)
{
    psb_ctxt *ctxt = NULL;
    *info = CODE(psb_cbind_ctxt(cctxt, &ctxt));
    if (*info == 0)
        *ictxt = MPI_Comm_c2f(psb_comm_of(ctxt));
}

bool psb_c_cmp_ctxt(psb_c_ctxt cctxt1, psb_c_ctxt cctxt2)
{
    return cctxt1.ctxt == cctxt2.ctxt;
}

psb_d_t psb_c_wtime(void)
{
    return psb_wtime();
}

psb_i_t psb_c_get_index_base(void)
{
    return psb_index_base();
}

void psb_c_set_index_base(psb_i_t base)
{
    (void)CODE(psb_set_index_base(base));
}

/* --- broadcasts ---------------------------------------------------------------------------------------- */

static psb_err bcast(psb_c_ctxt cctxt, enum psb_kind kind, psb_i_t n, void *v, psb_i_t root)
{
    psb_ctxt *ctxt = NULL;
    PSB_TRY(psb_cbind_ctxt(cctxt, &ctxt));
    if (n < 0)
        fprintf(stderr, "psb: broadcast of %d elements: nothing is done\n", n);
    return n > 0 ? psb_any_bcast(ctxt, kind, n, v, root) : PSB_OK;
}

/* clang-format off */
#define BCAST(t, kind) \
    void psb_c_##t##bcast(psb_c_ctxt cctxt, psb_i_t n, psb_##t##_t *v, psb_i_t root) \
    { (void)CODE(bcast(cctxt, kind, n, v, root)); }
/* clang-format on */
BCAST(m, PSB_KIND_i)
BCAST(i, PSB_KIND_i)
BCAST(l, PSB_KIND_l)
BCAST(e, PSB_KIND_l)
BCAST(s, PSB_KIND_s)
BCAST(d, PSB_KIND_d)
BCAST(c, PSB_KIND_c)
BCAST(z, PSB_KIND_z)

void psb_c_hbcast(psb_c_ctxt cctxt, const char *v, psb_i_t root)
{
    psb_i_t iam, n = 0;
    psb_c_info(cctxt, &iam, NULL);
    if (iam == root && v)
        n = (psb_i_t)strlen(v) + 1;
    psb_err e = bcast(cctxt, PSB_KIND_i, 1, &n, root);
    (void)CODE(e == PSB_OK ? bcast(cctxt, PSB_KIND_h, n, (void *)v, root) : e);
}
