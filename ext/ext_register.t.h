/* ext_register.t.h -- room: ext.  Inside the room: psb_ext_init for one scalar. */
PSB_MUST_CHECK psb_err X(ext_register)(void);
