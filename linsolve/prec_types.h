/* prec_types.h -- room: linsolve.  The tables of preconditioners, by type; a type that is not listed is not
 * offered. */
PSB_PREC_TABLE(PSB_PREC_NONE, prec_none)
PSB_PREC_TABLE(PSB_PREC_DIAG, prec_diag)
PSB_PREC_TABLE(PSB_PREC_L1, prec_l1)
PSB_PREC_TABLE(PSB_PREC_CHEBYSHEV, prec_chebyshev)
PSB_PREC_TABLE(PSB_PREC_NEUMANN, prec_neumann)
PSB_PREC_TABLE(PSB_PREC_BJAC, prec_schwarz)
PSB_PREC_TABLE(PSB_PREC_RAS, prec_schwarz)
PSB_PREC_TABLE(PSB_PREC_AS, prec_schwarz)
PSB_PREC_TABLE(PSB_PREC_ASH, prec_schwarz)
PSB_PREC_TABLE(PSB_PREC_AINV, prec_inverse)
PSB_PREC_TABLE(PSB_PREC_INVK, prec_inverse)
PSB_PREC_TABLE(PSB_PREC_INVT, prec_inverse)
