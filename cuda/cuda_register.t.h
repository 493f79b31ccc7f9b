/* cuda_register.t.h -- room: cuda.  Inside the room: its formats, for one scalar. */
PSB_MUST_CHECK psb_err X(cuda_register)(void);
