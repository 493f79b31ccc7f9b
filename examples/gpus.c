/* gpus.c -- examples: several GPUs, a process for each: conjugate gradients whose scalars stay on the GPUs,
 * so that the host only launches kernels.
 *
 *     $ mpirun -np 2 ./gpus
 *     HLG: norm of the residual after 60 iterations below 1e-6: yes
 *
 * psb_cuda_init gives process i of a node its GPU i.  With PSB_LOG=halo a line on stderr tells how GPUs
 * exchange halos; by "lsa" they store into each other's memory.  Without a GPU the same program computes on
 * the host. */
#include <psb_cuda.h>
#include <psb_util.h>
#include <stdio.h>

enum { ITERATIONS = 60 };

static void must(psb_err e)
{
    if (e != PSB_OK)
        psb_abort(NULL, psb_errmsg());
}

/* The vectors and scalars of conjugate gradients with the preconditioner d, the inverse of the diagonal. */
struct cg {
    psb_dspmat *a;
    psb_dvect *x, *r, *z, *p, *q, *d;
    psb_dscal *pq, *rho, *next, *alpha, *beta, *rr;
};

/* Launch an iteration; no call returns a number. */
static void iterate(struct cg *c)
{
    const psb_depilogue direction = { .ndots = 1,
                                      .dot = { { c->p, c->q } },
                                      .to = { c->pq },
                                      .nratios = 1,
                                      .ratio = { { c->rho, c->pq, c->alpha } } };
    const psb_depilogue residual = { .gamma = -1,
                                     .gamma_by = c->alpha,
                                     .delta = 1,
                                     .z = c->r,
                                     .d = c->d,
                                     .u = c->z,
                                     .ndots = 2,
                                     .dot = { { c->r, c->z }, { c->r, c->r } },
                                     .to = { c->next, c->rr },
                                     .nratios = 1,
                                     .ratio = { { c->next, c->rho, c->beta } } };
    const psb_daxpby update[] = {
        { .alpha = 1, .alpha_by = c->alpha, .x = c->p, .beta = 1, .y = c->x, .z = c->x },
        { .alpha = 1, .x = c->z, .beta = 1, .beta_by = c->beta, .y = c->p, .z = c->p },
    };
    must(psb_spmv_fused(1, c->a, c->p, 0, c->q, 'N', &direction, NULL)); /* q = A p, alpha = rho / <p,q> */
    must(psb_gefused(c->q, &residual, NULL)); /* r -= alpha q, z = d r, <r,z>, <r,r> */
    must(psb_geaxpbys(2, update));            /* x += alpha p, p = z + beta p */
    psb_dscal *swap = c->rho;
    c->rho = c->next;
    c->next = swap;
}

/* Make x = 0, r = 1, z = d r, p = z. */
static void start(struct cg *c)
{
    psb_desc *desc = psb_sp_row_desc(c->a);
    psb_dscal **scalars[] = { &c->pq, &c->rho, &c->next, &c->alpha, &c->beta, &c->rr };
    double rho;
    must(psb_vects_like(c->a, &c->x, &c->r));
    must(psb_vects_like(c->a, &c->z, &c->d));
    must(psb_vects_like(c->a, &c->p, &c->q));
    for (int i = 0; i < 6; i++)
        must(psb_scal_new(scalars[i], desc, &psb_vect_cuda));
    must(psb_sp_get_diag(c->a, c->q));
    must(psb_set_scal(1, c->r));
    must(psb_geaxpby(1, c->r, 0, c->d));
    must(psb_gediv(c->d, c->q));
    must(psb_geaxpby(1, c->d, 0, c->z));
    must(psb_geaxpby(1, c->z, 0, c->p));
    must(psb_gedot(c->r, c->z, &rho));
    must(psb_scal_set(c->rho, rho));
}

static void finish(struct cg *c)
{
    psb_dvect *vectors[] = { c->x, c->r, c->z, c->p, c->q, c->d };
    psb_dscal *scalars[] = { c->pq, c->rho, c->next, c->alpha, c->beta, c->rr };
    for (int i = 0; i < 6; i++) {
        psb_gefree(vectors[i]);
        psb_scal_free(scalars[i]);
    }
    psb_spfree(c->a);
}

int main(void)
{
    psb_ctxt *ctxt;
    psb_desc *desc;
    psb_gen cube;
    psb_dtriplets mine;
    struct cg c;
    double rr;
    int me;

    must(psb_init(&ctxt));
    must(psb_cuda_init(ctxt));
    psb_info(ctxt, &me, NULL);

    /* the Laplacian of a cube of 20^3 points; each process generates its rows */
    must(psb_gen_parse("lap7:20", &cube));
    must(psb_part_blocks(ctxt, cube.m, &desc));
    must(psb_generate(&cube, desc, NULL, NULL, &mine));
    must(psb_spall(&c.a, desc, mine.nnz));
    must(psb_spins(mine.nnz, mine.ia, mine.ja, mine.val, c.a));
    psb_triplets_free(&mine);
    must(psb_cdasb(desc));
    must(psb_spasb(c.a, psb_d_mat_by_name("hlg"), PSB_DUPL_ADD));

    start(&c);
    for (int i = 0; i < ITERATIONS; i++)
        iterate(&c);
    must(psb_scal_get(c.rr, &rr)); /* waits for the device */
    if (me == 0)
        printf("%s: norm of the residual after %d iterations below 1e-6: %s\n", psb_sp_fmt(c.a), ITERATIONS,
               rr < 1e-12 ? "yes" : "no");

    finish(&c);
    psb_cdfree(desc);
    psb_cuda_exit();
    psb_exit(ctxt);
    return rr >= 1e-12;
}
