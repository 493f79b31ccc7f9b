/* matrix_free.cpp -- test/clients: A x = b in C++ with functions in place of a matrix and of a preconditioner, for each
 * scalar; exceptions in them; a null space.  The exit status is 0 if all results are right. */
#include <psbc.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>

static int wrong;

static void expect(bool right, const char *what)
{
    if (right)
        return;
    std::fprintf(stderr, "matrix_free: wrong: %s\n", what);
    wrong++;
}
#define EXPECT(condition) expect(condition, #condition)

/* y_i = factor_i x_i, factor_i = 1, 2, 3 in turn. */
template <class T> struct diagonal_matrix {
    using vect = typename psb::scalar<T>::vect;
    psb_desc *desc;
    const bool *fails;
    T factor(psb_ipk i) const
    {
        return T(static_cast<float>(1 + psb_loc_to_glob(desc, i) % 3));
    }
    void operator()(const vect *x, vect *y, char op) const
    {
        const T *v = nullptr;
        T *w = nullptr;
        (void)op;
        if (*fails)
            throw std::runtime_error("no more values");
        psb::host_read(x, &v);
        psb::host_write(y, &w);
        for (psb_ipk i = 0; i < psb_cd_local_rows(desc); i++)
            w[i] = factor(i) * v[i];
    }
    void diagonal(vect *d) const
    {
        T *w = nullptr;
        psb::host_write(d, &w);
        for (psb_ipk i = 0; i < psb_cd_local_rows(desc); i++)
            w[i] = factor(i);
    }
};

template <class T> static void run(psb_ctxt *ctxt)
{
    int me, np;
    bool fails = false;
    psb_info(ctxt, &me, &np);
    psb::descriptor desc;
    psb::vector<T> x, b;
    psb_solve_result res;
    psb::cdall_nl(desc.out(), ctxt, 7);
    psb::cdasb(desc);
    psb::geall(x.out(), desc);
    psb::geall(b.out(), desc);
    psb::geasb(x, nullptr);
    psb::geasb(b, nullptr);
    psb::set_scal(6, b);

    auto a = psb::make_operator<T>(desc, diagonal_matrix<T>{ desc, &fails });
    psb::solver<T> s;
    psb::solver_new_op(s.out(), a, nullptr, "cg, tol=1e-5, prec=diag");
    psb::solver_solve(s, b, x, &res);
    EXPECT(res.outcome == PSB_CONVERGED && res.iterations == 1);

    auto m = psb::make_preconditioner<T>([](const auto *from, auto *to, char) { psb::geaxpby(2, from, 0, to); });
    psb::precbld_op(m, a, nullptr, nullptr);
    psb::solver<T> other;
    psb::solver_new_op(other.out(), a, m, "cg, tol=1e-5");
    psb::set_scal(0, x);
    psb::solver_solve(other, b, x, &res);
    EXPECT(res.outcome == PSB_CONVERGED && res.iterations == 3);

    psb::nullspace<T> ones;
    psb::nullspace_new(ones.out(), desc, true, 0, nullptr);
    psb::solver_set_nullspace(other, ones, nullptr);
    psb::set_scal(0, x);
    psb::solver_solve(other, b, x, &res); /* b is constant: nothing is left of it */
    EXPECT(res.outcome == PSB_CONVERGED && res.iterations == 0);

    fails = me == np - 1;
    try {
        psb::solver_solve(s, b, x, &res);
        EXPECT(!"an exception");
    } catch (const psb::error &e) {
        EXPECT(e.code() == PSB_EARG && std::string(e.what()).find("no more values") != std::string::npos);
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
