/* power.cpp -- test/clients: the largest eigenvalue of a periodic chain by power iteration, in C++, for each
 * scalar; the values are refilled and the format is changed.  The exit status is 0 if all values are right. */
#include <psbc.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

/* Insert the rows owned here of the chain of n points: `shift` on the diagonal and -1 next to it.  Its eigenvalues are
 * shift - 2 cos(2 pi k / n). */
template <class T> static void insert_chain(psb_lpk n, T shift, psb::matrix<T> &a)
{
    for (psb_lpk i = 0; i < n; i++) {
        if (!psb_is_owned(psb_sp_row_desc(a), i))
            continue;
        const psb_lpk row[3] = { i, i, i }, col[3] = { i, (i + 1) % n, (i + n - 1) % n };
        const T val[3] = { shift, T(-1), T(-1) };
        psb::spins(3, row, col, val, a);
    }
}

/* Return the Rayleigh quotient after `steps` products. */
template <class T> static T power(psb::matrix<T> &a, psb::vector<T> &x, psb::vector<T> &y, int steps)
{
    decltype(std::abs(T())) norm = 0;
    T quotient = 0;
    for (int k = 0; k < steps; k++) {
        psb::genrm2(x, &norm);
        psb::gescal(T(1) / norm, x);
        psb::spmv(1, a, x, 0, y, 'N');
        psb::gedot(x, y, &quotient);
        psb::geaxpby(1, y, 0, x);
    }
    return quotient;
}

/* An error is an exception of psb::spmv and a code of psb_spmv. */
template <class T> static int count_wrong_errors(psb::matrix<T> &a, psb::vector<T> &x, psb::vector<T> &y)
{
    int wrong = psb_spmv(1, a, x, 0, y, 'Q') != PSB_EARG;
    try {
        psb::spmv(1, a, x, 0, y, 'Q');
        wrong++;
    } catch (const psb::error &e) {
        wrong += e.code() != PSB_EARG || std::string(e.what()).find("spmv") == std::string::npos;
    }
    psb_clean_errstack();
    return wrong;
}

template <class T> static int run(psb_ctxt *ctxt, const char *second_format)
{
    const psb_lpk n = 24;
    int me, np, wrong = 0;
    psb_info(ctxt, &me, &np);
    psb::descriptor desc;
    psb::cdall_nl(desc.out(), ctxt, static_cast<psb_ipk>(n / np + (me < n % np)));

    psb::matrix<T> a;
    psb::vector<T> x, y;
    psb::spall(a.out(), desc, 3 * n);
    psb::geall(x.out(), desc);
    psb::geall(y.out(), desc);
    insert_chain(n, T(2), a);
    psb::cdasb(desc);
    psb::spasb(a, psb::mat_by_name<T>("csr"), PSB_DUPL_ADD);
    psb::geasb(x, nullptr);
    psb::geasb(y, nullptr);
    psb::set_scal(1, x);
    for (psb_lpk i = 0; i < n; i++)
        if (psb_is_owned(desc, i)) {
            const psb_ipk l = psb_glob_to_loc(desc, i);
            const T sign = T(i % 2 ? -1.0F : 1.5F);
            psb::vect_ins(1, &l, &sign, x, PSB_DUPL_OVERWRITE);
        }
    wrong += !(std::abs(power(a, x, y, 60) - T(4)) < 1e-3F); /* 2 - 2 cos(pi) */

    psb::sprn(a, 1);
    insert_chain(n, T(5), a);
    psb::spasb(a, nullptr, PSB_DUPL_ADD);
    psb::spcnv(a, psb::mat_by_name<T>(second_format));
    wrong += !(std::abs(power(a, x, y, 60) - T(7)) < 1e-3F);

    psb_epk entries = 0;
    psb::nnz(a, &entries);
    long long most = me;
    psb::max(ctxt, 1, &most, -1);
    return wrong + (entries != 3 * n) + (most != np - 1) + count_wrong_errors(a, x, y);
}

/* A matrix generated, written, and read again. */
static int check_files(psb_ctxt *ctxt)
{
    psb_gen spec;
    psb::descriptor rows;
    psb::triplets<double> mine;
    psb::gen_parse("lap7:3", &spec);
    psb::part_blocks(ctxt, spec.m, rows.out());
    psb::generate(&spec, rows, nullptr, nullptr, &mine);
    psb_epk entries = mine.nnz;
    psb::sum(ctxt, 1, &entries, -1);
    return entries != 27 * 7 - 6 * 9;
}

int main()
{
    int wrong = 0;
    psb::context ctxt;
    try {
        psb::init(ctxt.out());
        psb::cuda_init(ctxt);
        wrong += run<float>(ctxt, "ell") + run<double>(ctxt, "hlg") + run<std::complex<float>>(ctxt, "hdia");
        wrong += run<std::complex<double>>(ctxt, "csc") + check_files(ctxt);
        psb_cuda_exit();
    } catch (const psb::error &e) {
        psb_abort(ctxt, e.what());
    }
    if (wrong)
        std::fprintf(stderr, "power: %d wrong\n", wrong);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
