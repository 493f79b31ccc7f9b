/* suites.h -- test: the suites compiled for each scalar type, all in one program: `suites_d geops`.
 * Each returns EXIT_SUCCESS or EXIT_FAILURE. */
#ifndef SUITES_H
#define SUITES_H
#include "ck.h"

int check_formats(void);
int check_mat(void);
int check_ops(void);
int check_vect(void);
int check_front(void);
int check_mm(void);
int check_hb(void);
int check_raw(void);
int check_open(void);
int check_device(void);
int check_convert(void);
int check_dist(void);
int check_asm(void);
int check_geops(void);
int check_halo(void);
int check_sp(void);
int check_read(void);
int check_gen(void);
int check_fused(void);
int check_scal(void);
int check_factor(void);
int check_prec(void);
int check_krylov(void);
int check_failures(void);
int check_ended(void);

extern psb_ctxt *ctxt;
extern int me, np;

/* Start MPI and the library, run the suite that `make` returns, end, and return the exit status of the
 * program. FAKE_DEVICE, or FAKE_IF_SEVERAL with several processes: on the fake device unless PSB_DEVICE says
 * otherwise. MINIMAL_FORMAT: minimal_mold is registered. */
enum { FAKE_DEVICE = 1, FAKE_IF_SEVERAL = 2, MINIMAL_FORMAT = 4 };
int run_suite(int how, Suite *(*make)(void));

/* The number of formats that are registered. */
int number_of_formats(void);
#endif
