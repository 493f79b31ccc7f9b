/* freed.c -- test/clients: objects freed twice, and used after they are freed: each is an error that
 * says so, and nothing crashes.  Best effort: this holds for the last PSB_RETIRED objects freed.  Status 0 if
 * all are. */
#include <psb_base.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static psb_ctxt *ctxt;
static int wrong;

static void must(psb_err e)
{
    if (e != PSB_OK)
        psb_abort(ctxt, psb_errmsg());
}

/* The last call recorded an error that says `cause`. */
static void expect(const char *cause)
{
    if (psb_errstatus() != PSB_EARG || !strstr(psb_errmsg(), cause)) {
        printf("said \"%s\"; expected \"%s\"\n", psb_errmsg(), cause);
        wrong++;
    }
    psb_clean_errstack();
}

/* The same for a call that returns its error. */
static void refused(psb_err e, const char *cause)
{
    wrong += e != PSB_EARG;
    expect(cause);
}

static void matrices(psb_desc *d, psb_dvect *x, psb_dvect *y)
{
    const struct psb_d_mat *csr = psb_d_mat_by_name("csr");
    psb_dspmat *a = NULL;
    struct psb_d_mat *m = NULL;
    const psb_lpk i = psb_loc_to_glob(d, 0);
    const double one = 1;
    must(psb_spall(&a, d, 1));
    must(psb_spins(1, &i, &i, &one, a));
    must(psb_spasb(a, csr, PSB_DUPL_ADD));
    must(psb_d_mat_all(3, 3, 1, &m));
    psb_spfree(a);
    psb_spfree(a);
    expect("psb_d_spfree: invalid argument: the argument is freed already");
    refused(psb_spmv(1.0, a, x, 0.0, y, 'N'), "psb_d_spmv: invalid argument: argument a is freed");
    refused(psb_spins(1, &i, &i, &one, a), "psb_d_spins: invalid argument: argument a is freed");
    refused(psb_spasb(a, csr, PSB_DUPL_ADD), "psb_d_spasb: invalid argument: argument a is freed");
    wrong += psb_sp_nnz(a) != 0 || psb_sp_bytes(a) != 0 || psb_sp_fmt(a)[0] || psb_sp_row_desc(a);
    psb_d_mat_free(m);
    psb_d_mat_free(m);
    expect("psb_d_mat_free: invalid argument: the argument is freed already");
    refused(psb_d_mat_asb(m, PSB_DUPL_ADD), "psb_d_mat_asb: invalid argument: argument a is freed");
    wrong += psb_d_mat_get_nrows(m) != 0;
}

static void vectors(psb_desc *d, psb_dvect *y)
{
    psb_dvect *x = NULL;
    double r;
    must(psb_geall(&x, d));
    must(psb_geasb(x, NULL));
    psb_gefree(x);
    psb_gefree(x);
    expect("psb_d_gefree: invalid argument: the argument is freed already");
    refused(psb_geaxpby(1.0, x, 1.0, y), "psb_d_geaxpby: invalid argument: argument x is freed");
    refused(psb_gedot_local(y, x, &r), "psb_d_gedot_local: invalid argument: argument y is freed");
    refused(psb_halo(x, 'N'), "psb_d_halo: invalid argument: argument x is freed");
    refused(psb_geasb(x, NULL), "psb_d_geasb: invalid argument: argument x is freed");
    wrong += psb_vect_get_nrows(x) != 0;
}

int main(void)
{
    psb_desc *d, *unused;
    psb_dvect *x = NULL, *y = NULL;
    int me, np;
    must(psb_init(&ctxt));
    must(psb_cdall_nl(&d, ctxt, 5));
    must(psb_cdall_nl(&unused, ctxt, 5));
    must(psb_cdasb(d));
    must(psb_geall(&x, d));
    must(psb_geasb(x, NULL));
    must(psb_geall(&y, d));
    must(psb_geasb(y, NULL));
    matrices(d, x, y);
    vectors(d, y);

    psb_cdfree(d);
    psb_cdfree(d); /* vectors keep it */
    expect("psb_cdfree: invalid argument: the argument is freed already");
    must(psb_geaxpby(1.0, x, 1.0, y));
    psb_cdfree(unused);
    psb_cdfree(unused);
    expect("psb_cdfree: invalid argument: the argument is freed already");
    refused(psb_cdasb(unused), "psb_cdasb: invalid argument: argument desc is freed");
    psb_gefree(x);
    psb_gefree(y);

    psb_ctxt *const was = ctxt;
    int begun;
    MPI_Initialized(&begun);
    psb_exit(ctxt);
    psb_exit(was);
    expect("psb_exit: invalid argument: the argument is freed already");
    psb_info(was, &me, &np);
    wrong += !begun || me != -1 || np != -1;
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
