/* psb_ext.t.h -- ext: the formats of ext for one scalar; one line per format. */
#include "psb_padding.t.h"
#include "psb_rows.t.h"
#include "psb_hll.t.h"
#include "psb_ell.t.h"
#include "psb_sell.t.h"
#include "psb_hdia.t.h"
#include "psb_dia.t.h"
#include "psb_bsr.t.h"
#include "psb_bell.t.h"
#include "psb_hyb.t.h"
#include "psb_dns.t.h"
#include "psb_csrs.t.h"
#include "psb_csrn.t.h"
#include "psb_auto.t.h"

/* psb_ext_init for this scalar.  Inside ext.  Local. */
PSB_MUST_CHECK psb_err X(ext_register)(void);
