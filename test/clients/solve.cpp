/* solve.cpp -- test/clients: A x = b in C++, for each scalar: in one call, and again with the same preconditioner
 * for new values.  The exit status is 0 if all results are right. */
#include <psbc.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>

static int wrong;

static void expect(bool right, const char *what)
{
    if (right)
        return;
    std::fprintf(stderr, "solve: wrong: %s\n", what);
    wrong++;
}
#define EXPECT(condition) expect(condition, #condition)

/* Insert the rows owned here of the chain of n points, `d` on the diagonal. */
template <class T> static void insert_chain(psb_lpk n, T d, psb::matrix<T> &a)
{
    for (psb_lpk i = 0; i < n; i++) {
        if (!psb_is_owned(psb_sp_row_desc(a), i))
            continue;
        const psb_lpk row[3] = { i, i, i }, col[3] = { i, (i + 1) % n, (i + n - 1) % n };
        const T val[3] = { d, T(-1), T(-1) };
        psb::spins(3, row, col, val, a);
    }
}

template <class T> static void run(psb_ctxt *ctxt)
{
    const psb_lpk n = 60;
    int me, np;
    psb_info(ctxt, &me, &np);
    psb::descriptor desc;
    psb::matrix<T> a;
    psb::vector<T> x, b;
    psb::cdall_nl(desc.out(), ctxt, static_cast<psb_ipk>(n / np + (me < n % np)));
    psb::spall(a.out(), desc, 3 * n);
    insert_chain(n, T(4), a);
    psb::cdasb(desc);
    psb::spasb(a, psb::mat_by_name<T>("csr"), PSB_DUPL_ADD);
    psb::vects_like(a, x.out(), b.out());
    psb::set_scal(2, b);

    psb_solve_result res;
    psb::solve(a, b, x, "cg, tol=1e-5, prec=bjac(ic0)", &res);
    EXPECT(res.outcome == PSB_CONVERGED && res.residual <= 1e-5);

    psb_solve_options options = psb_solve_defaults;
    psb::solve_parse("bicgstab, tol=1e-5", &options);
    psb::preconditioner<T> m;
    psb::precinit(m.out(), "bjac(ilu0)");
    psb::precbld(m, a, nullptr, nullptr);
    psb::sprn(a, 1);
    insert_chain(n, T(5), a);
    psb::spasb(a, nullptr, PSB_DUPL_ADD);
    psb::precupd(m, a);
    psb::krylov(a, m, b, x, &options, &res);
    T first = 0;
    if (psb_is_owned(desc, 0))
        psb::getelem(x, 0, &first);
    EXPECT(res.outcome == PSB_CONVERGED);
    EXPECT(!psb_is_owned(desc, 0) || std::abs(first - T(2) / T(3)) < 1e-3F); /* 2 / (5 - 2) */

    psb::solver<T> kept;
    double least = 0, most = 0;
    psb::solver_new(kept.out(), a, "cg, tol=1e-5, prec=diag");
    for (int k = 0; k < 2; k++) { /* the second one allocates nothing */
        psb::set_scal(0, x);
        psb::solver_solve(kept, b, x, &res);
        EXPECT(res.outcome == PSB_CONVERGED);
    }
    psb::sprn(a, 1);
    insert_chain(n, T(4), a);
    psb::spasb(a, nullptr, PSB_DUPL_ADD);
    psb::solver_update(kept);
    psb::set_scal(0, x);
    psb::solver_solve(kept, b, x, &res);
    psb::solver_extremes(kept, 0, &least, &most);
    EXPECT(res.outcome == PSB_CONVERGED && least >= 0.49 && most <= 1.51); /* 1 - 2 / 4 ... 1 + 2 / 4 */

    try {
        psb::solve(a, b, x, "no-method", &res);
        EXPECT(!"an exception");
    } catch (const psb::error &e) {
        EXPECT(e.code() == PSB_EARG && std::string(e.what()).find("no-method") != std::string::npos);
    }
    psb_clean_errstack();
}

int main()
{
    psb_ctxt *ctxt = nullptr;
    psb::check(psb_init(&ctxt));
    run<float>(ctxt);
    run<double>(ctxt);
    run<std::complex<float>>(ctxt);
    run<std::complex<double>>(ctxt);
    int all = wrong;
    psb::sum(ctxt, 1, &all, -1);
    psb_exit(ctxt);
    return all ? EXIT_FAILURE : EXIT_SUCCESS;
}
