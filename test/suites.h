/* suites.h -- room: test.  The suites compiled for each scalar type, all in one program: `suites_d geops`.
 * Each returns EXIT_SUCCESS or EXIT_FAILURE. */
#ifndef SUITES_H
#define SUITES_H
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
#endif
