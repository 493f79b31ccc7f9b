/* ext.t.h -- room: ext.  What the room declares for one scalar: a line a format. */
#include "padding.t.h"
#include "rows.t.h"
#include "hll.t.h"
#include "ell.t.h"
#include "sell.t.h"
#include "hdia.t.h"
#include "dia.t.h"
#include "bsr.t.h"
#include "bell.t.h"
#include "hyb.t.h"
#include "dns.t.h"
#include "auto.t.h"
#include "raw.t.h"

/* psb_ext_init for this scalar; inside the room. */
PSB_MUST_CHECK psb_err X(ext_register)(void);
