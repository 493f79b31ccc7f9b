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

static void assemble(const struct input *in, P(spmat) * a, P(vector) * x, P(vector) * b)
{
    pde_insert(in->n, a, x, b);
    NEED(psb_c_cdasb(cd) == 0);
    if (strcmp(in->format, "-") == 0)
        NEED(P(spasb)(a, cd) == 0);
    else
        NEED(P(spasb_opt)(a, cd, in->format, psb_upd_def_, psb_dupl_def_) == 0);
    NEED(P(geasb)(x, cd) == 0 && P(geasb)(b, cd) == 0);
}

int main(void)
{
    struct input in;
    psb_c_SolverOptions o;
    begin();
    read_input(&in);
    P(spmat) *a = NEW(spmat)();
    P(vector) *x = NEW(vector)(), *b = NEW(vector)(), *r = NEW(vector)();
    P(prec) *p = NEW(prec)();
    assemble(&in, a, x, b);
    NEED(P(precinit)(*program_ctxt, p, in.prec) == 0 && P(precbld)(a, cd, p) == 0);

    psb_c_DefaultSolverOptions(&o);
    o.itmax = in.itmax;
    o.istop = in.istop;
    o.itrace = in.itrace;
    o.irst = in.irst;
    if (sizeof(P(genrm2)(b, cd)) == sizeof(double))
        o.eps = 1e-9;
    NEED(SOLVE(in.method, a, p, b, x, cd, &o) == 0);

    NEED(P(geall)(r, cd) == 0 && P(geasb)(r, cd) == 0 && P(geaxpby)(1, b, 0, r, cd) == 0);
    NEED(P(spmm)(-1, a, x, 1, r, cd) == 0);
    const double residual = (double)P(genrm2)(r, cd), norm = (double)P(genrm2)(b, cd);
    NEED(residual <= (o.eps * 1.01 + 1e-6) * norm);
    if (program_me == 0)
        printf("iterations %d error %.17g residual %.17g\n", o.iter, o.err, residual);
    drop_prec(p);
    drop(r);
    drop(b);
    drop(x);
    drop_matrix(a);
    drop_descriptor(cd);
    return end();
}
