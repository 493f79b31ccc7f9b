/* conversion.t.h -- tools: conversion of a file, for one scalar. */

/* Read the matrix in the file c->in, and write the file c->out.  Local.  PSB_EIO; PSB_EARG: the format written
 * cannot hold the matrix. */
PSB_MUST_CHECK psb_err X(convert)(const struct conversion *c);
