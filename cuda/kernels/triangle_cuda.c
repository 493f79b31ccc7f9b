/* triangle_cuda.c -- room: cuda/kernels.  Triangular solves on a GPU. */
#include "kernels.h"
#include "psb_cuda_device.h"
#include "launchers.h"
#include "gpu.h"
#include "psb_type.h"

static psb_err diagonal(const struct psb_dev_triangle *a, psb_epk *found)
{
    return psb_cudart_ok(X(triangle_diagonal_dev)(a, found, psb_cudart_stream()), "diagonal of a triangle");
}

static psb_err solve(const struct psb_dev_triangle *a, const struct X(solve_args) *q)
{
    return psb_cudart_ok(X(triangle_solve_dev)(a, q->k, &q->alpha, q->x, q->left, q->right, &q->beta, q->y,
                                               psb_cudart_stream()),
                         "triangular solve");
}

const struct X(triangle_kernels) X(triangle_kernels_cuda) = { .diagonal = diagonal, .solve = solve };
