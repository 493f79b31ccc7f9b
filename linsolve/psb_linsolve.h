/* psb_linsolve.h -- linsolve: the whole public interface of linsolve: incomplete factors,
 * preconditioners and Krylov methods, written on calls of base only, so that they run where their operands
 * live. */
#ifndef PSB_LINSOLVE_H
#define PSB_LINSOLVE_H
#include "psb_base.h"
#include "psb_factor.h"
#include "psb_prec.h"
#include "psb_krylov.h"
#define PSB_TEMPLATE "psb_factor.t.h"
#include "psb_each_type.h"
#define PSB_TEMPLATE "psb_operator.t.h"
#include "psb_each_type.h"
#define PSB_TEMPLATE "psb_prec.t.h"
#include "psb_each_type.h"
#define PSB_TEMPLATE "psb_krylov.t.h"
#include "psb_each_type.h"
#define PSB_TEMPLATE "psb_solver.t.h"
#include "psb_each_type.h"
#include "psb_linsolve_front.h"
#endif
