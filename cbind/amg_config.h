/* amg_config.h -- cbind: the newer name of amg_const.h. */
#include "amg_const.h"
