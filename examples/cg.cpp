/* cg.cpp -- examples: conjugate gradients written by hand in C++: vectors and scalar products for any type.
 *
 *     $ mpirun -np 2 ./cg
 *     HLL: 16 steps, residual 6.4e-07
 *
 * A tridiagonal system of 200 rows: 3 on the diagonal, -1 next to it, and 1 on the right. */
#include <psbc.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using T = double; // or float

static int solve(psb_ctxt *ctxt)
{
    const psb_lpk n = 200;
    int me, np;
    psb_info(ctxt, &me, &np);
    psb::descriptor desc;
    psb::cdall_nl(desc.out(), ctxt, static_cast<psb_ipk>(n / np + (me < n % np)));

    // the rows owned here: 3 on the diagonal, -1 next to it; the right-hand side is 1
    psb::matrix<T> a;
    psb::vector<T> x, r, p, q;
    psb::spall(a.out(), desc, 3 * n / np);
    for (psb::vector<T> *v : { &x, &r, &p, &q })
        psb::geall(v->out(), desc);
    for (psb_lpk i = 0; i < n; i++) {
        if (!psb_is_owned(desc, i))
            continue;
        for (psb_lpk j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; j++) {
            const T val = i == j ? 3 : -1;
            psb::spins(1, &i, &j, &val, a);
        }
    }
    psb::cdasb(desc);
    psb::spasb(a, psb::mat_by_name<T>("hll"), PSB_DUPL_ADD);
    for (psb::vector<T> *v : { &x, &r, &p, &q })
        psb::geasb(*v, nullptr);

    // conjugate gradients from x = 0
    T rr, pq, last = 0;
    int steps = 0;
    psb::set_scal(1, r);
    for (psb::gedot(r, r, &rr); rr > 1e-12 && steps < n; psb::gedot(r, r, &rr), steps++) {
        psb::geaxpby(1, r, steps ? rr / last : 0, p);
        psb::spmv(1, a, p, 0, q, 'N');
        psb::gedot(p, q, &pq);
        psb::geaxpby(rr / pq, p, 1, x);
        psb::geaxpby(-rr / pq, q, 1, r);
        last = rr;
    }
    if (me == 0)
        std::printf("%s: %d steps, residual %.1e\n", psb_sp_fmt(a), steps, std::sqrt(rr));
    return rr > 1e-12;
}

int main()
{
    psb::context ctxt;
    try {
        psb::init(ctxt.out());
        psb::cuda_init(ctxt); // registers the formats
        return solve(ctxt) ? EXIT_FAILURE : EXIT_SUCCESS;
    } catch (const psb::error &e) {
        psb_abort(ctxt, e.what());
    }
}
