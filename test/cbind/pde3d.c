/* pde3d.c -- test/cbind: solve a discretised equation, as an input file on standard input says: its
 * lines hold the number of parameters, method, preconditioner, format, points in each direction, stopping
 * criterion, most iterations, trace, restart. */
#include "program.h"
#include "pde.h"

struct input {
    char method[40], prec[40], format[40];
    psb_i_t n, istop, itmax, itrace, irst;
};

/* The first word of the next line. */
static void word(char *to)
{
    char line[200];
    to[0] = 0;
    if (fgets(line, sizeof line, stdin))
        sscanf(line, "%39s", to);
}

static psb_i_t number(void)
{
    char text[40];
    word(text);
    return (psb_i_t)strtol(text, NULL, 10);
}

static void read_input(struct input *in)
{
    if (program_me == 0) {
        number();
        word(in->method);
        word(in->prec);
        word(in->format);
        in->n = number();
        in->istop = number();
        in->itmax = number();
        in->itrace = number();
        in->irst = number();
    }
    psb_c_hbcast(*program_ctxt, in->method, 0);
    psb_c_hbcast(*program_ctxt, in->prec, 0);
    psb_c_hbcast(*program_ctxt, in->format, 0);
    psb_c_ibcast(*program_ctxt, 5, &in->n, 0);
}

static void assemble(const struct input *in, psb_c_descriptor *cd, P(spmat) * a, P(vector) * x, P(vector) * b)
{
    psb_l_t first, last, row[7], col[7];
    double val[7], rhs;
    block((psb_l_t)in->n * in->n * in->n, program_me, program_np, &first, &last);
    NEED(psb_c_cdall_nl((psb_i_t)(last - first), *program_ctxt, cd) == 0);
    NEED(P(spall)(a, cd) == 0);
    NEED(P(geall)(x, cd) == 0);
    NEED(P(geall)(b, cd) == 0);
    for (psb_l_t g = first; g < last; g++) {
        scalar v[7], f;
        const int count = pde_row(g, in->n, col, val, &rhs);
        for (int k = 0; k < count; k++) {
            row[k] = g;
            v[k] = (scalar)val[k];
        }
        f = (scalar)rhs;
        NEED(P(spins)(count, row, col, v, a, cd) == 0);
        NEED(P(geins)(1, &g, &f, b, cd) == 0);
    }
    NEED(psb_c_cdasb(cd) == 0);
    if (strcmp(in->format, "-") == 0)
        NEED(P(spasb)(a, cd) == 0);
    else
        NEED(P(spasb_opt)(a, cd, in->format, psb_upd_def_, psb_dupl_def_) == 0);
    NEED(P(geasb)(x, cd) == 0);
    NEED(P(geasb)(b, cd) == 0);
}

int main(void)
{
    struct input in;
    psb_c_SolverOptions o;
    begin();
    read_input(&in);
    psb_c_descriptor *cd = psb_c_new_descriptor();
    P(spmat) *a = NEW(spmat)();
    P(vector) *x = NEW(vector)(), *b = NEW(vector)(), *r = NEW(vector)();
    P(prec) *p = NEW(prec)();
    assemble(&in, cd, a, x, b);
    NEED(P(precinit)(*program_ctxt, p, in.prec) == 0);
    NEED(P(precbld)(a, cd, p) == 0);

    psb_c_DefaultSolverOptions(&o);
    o.itmax = in.itmax;
    o.istop = in.istop;
    o.itrace = in.itrace;
    o.irst = in.irst;
    if (sizeof(P(genrm2)(b, cd)) == sizeof(double))
        o.eps = 1e-9;
    NEED(SOLVE(in.method, a, p, b, x, cd, &o) == 0);

    NEED(P(geall)(r, cd) == 0);
    NEED(P(geasb)(r, cd) == 0);
    NEED(P(geaxpby)(1, b, 0, r, cd) == 0);
    NEED(P(spmm)(-1, a, x, 1, r, cd) == 0);
    const double residual = (double)P(genrm2)(r, cd), norm = (double)P(genrm2)(b, cd);
    NEED(residual <= (o.eps * 1.01 + 1e-6) * norm);
    if (program_me == 0)
        printf("iterations %d error %.17g residual %.17g\n", o.iter, o.err, residual);
    NEED(P(precfree)(p) == 0);
    NEED(P(gefree)(r, cd) == 0);
    NEED(P(gefree)(b, cd) == 0);
    NEED(P(gefree)(x, cd) == 0);
    NEED(P(spfree)(a, cd) == 0);
    NEED(psb_c_cdfree(cd) == 0);
    free(p);
    free(r);
    free(b);
    free(x);
    free(a);
    psb_c_delete_descriptor(cd);
    return end();
}
