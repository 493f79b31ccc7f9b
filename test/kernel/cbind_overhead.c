/* cbind_overhead.c -- test/kernel: what PSBLAS's C interface costs: psb_c_dspmm and psb_d_spmv on the
 * same matrix of 1,000 rows and the same vectors.
 *
 *     cbind_overhead [ROUNDS]
 *
 * In a round each is called a thousand times, in turns of fifty; the ratio is the median of the rounds'
 * ratios. */
#include "cbind.h"
#include "bench.h"
#include "pde.h"
#include "psb_type.h"
#include "cbind.t.h"

const char *const program = "cbind_overhead";
enum { SIDE = 10, ROWS = SIDE * SIDE * SIDE, TURN = 50, TURNS = 20, MOST_ROUNDS = 999 };

static psb_c_ctxt ctxt;
static psb_c_descriptor cd;
static psb_c_dvector x, y;
static psb_c_dspmat a;

/* The equation of test/cbind on a cube. */
static void assemble(void)
{
    psb_c_cdall_nl(ROWS, ctxt, &cd);
    psb_c_dspall(&a, &cd);
    psb_c_dgeall(&x, &cd);
    psb_c_dgeall(&y, &cd);
    for (psb_l_t g = 0; g < ROWS; g++) {
        const psb_l_t row[7] = { g, g, g, g, g, g, g };
        psb_l_t col[7];
        double val[7], rhs;
        psb_c_dspins(pde_row(g, SIDE, col, val, &rhs), row, col, val, &a, &cd);
    }
    psb_c_cdasb(&cd);
    psb_c_dspasb(&a, &cd);
    psb_c_dgeasb(&x, &cd);
    psb_c_dgeasb(&y, &cd);
    psb_c_dvect_set_scal(&x, 1);
}

static double time_interface(void)
{
    const double t = psb_wtime();
    for (int i = 0; i < TURN; i++)
        if (psb_c_dspmm(1, &a, &x, 0, &y, &cd) != 0)
            stop("psb_c_dspmm", psb_errmsg());
    return psb_wtime() - t;
}

static double time_native(const struct psb_d_spmat *m, const struct psb_d_vect *from, struct psb_d_vect *to)
{
    const double t = psb_wtime();
    for (int i = 0; i < TURN; i++)
        good(psb_d_spmv(1, m, from, 0, to, 'N'), "psb_d_spmv");
    return psb_wtime() - t;
}

int main(int argc, char **argv)
{
    static double ratio[MOST_ROUNDS], native[MOST_ROUNDS];
    const int rounds = argument(argc, argv, 1, 1, MOST_ROUNDS, 301);
    psb_c_init(&ctxt);
    assemble();
    const struct psb_d_spmat *m = ((struct psb_d_cbind_mat *)a.dspmat)->a;
    const struct psb_d_vect *from = ((struct psb_d_cbind_vect *)x.dvector)->v;
    struct psb_d_vect *to = ((struct psb_d_cbind_vect *)y.dvector)->v;
    for (int r = -1; r < rounds; r++) {
        double both[2] = { 0 };
        for (int turn = 0; turn < TURNS; turn++) {
            both[0] += time_native(m, from, to);
            both[1] += time_interface();
        }
        if (r >= 0) {
            native[r] = both[0] / (TURN * TURNS);
            ratio[r] = both[1] / both[0];
        }
    }
    printf("%d rows, psb_d_spmv %.0f ns, psb_c_dspmm %.4f of that (medians of %d rounds)\n", ROWS,
           1e9 * median_of(native, rounds), median_of(ratio, rounds), rounds);
    psb_c_dgefree(&x, &cd);
    psb_c_dgefree(&y, &cd);
    psb_c_dspfree(&a, &cd);
    psb_c_cdfree(&cd);
    psb_c_exit(ctxt);
    return 0;
}
