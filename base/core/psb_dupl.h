/* psb_dupl.h -- base/core: what to do with duplicate entries. */
#ifndef PSB_DUPL_H
#define PSB_DUPL_H

/* Values for one place are added, the last one given is kept, or they are an error. */
typedef enum psb_dupl { PSB_DUPL_ADD, PSB_DUPL_OVERWRITE, PSB_DUPL_ERROR } psb_dupl;

#endif
