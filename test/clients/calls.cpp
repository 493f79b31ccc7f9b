/* calls.cpp -- test/clients: one call of each kind in C++, with every scalar: numbers from process to process,
 * vectors of several columns, matrices of one process, arrays of other libraries, files.  The exit status is 0 if all
 * results are right. */
#include <psbc.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static int wrong;

static void expect(bool right, const char *what)
{
    if (right)
        return;
    std::fprintf(stderr, "calls: wrong: %s\n", what);
    wrong++;
}
#define EXPECT(condition) expect(condition, #condition)

template <class E> static void check_numbers(psb_ctxt *ctxt)
{
    int me, np;
    psb_info(ctxt, &me, &np);
    E x[2] = { E(1), E(2) };
    psb::sum(ctxt, 2, x, -1);
    EXPECT(x[0] == E(np) && x[1] == E(2 * np));
    x[0] = E(me);
    psb::bcast(ctxt, 1, x, np - 1);
    EXPECT(x[0] == E(np - 1));
    const E mine = E(me);
    std::vector<E> all(static_cast<std::size_t>(np));
    psb::gather(ctxt, 1, &mine, all.data(), -1);
    EXPECT(all[static_cast<std::size_t>(np - 1)] == E(np - 1));
}

template <class T> static void check_vectors(psb_ctxt *ctxt)
{
    int me, np;
    psb_info(ctxt, &me, &np);
    psb::descriptor desc;
    psb::cdall_nl(desc.out(), ctxt, 2);
    psb::cdasb(desc);
    psb::vector<T> x, y;
    psb::geall_n(x.out(), desc, 2);
    psb::geasb(x, nullptr);
    psb::set_scal(2, x);
    psb::vect_clone(x, y.out());
    EXPECT(psb::vect_get_ncols(y) == 2 && psb_vect_get_nrows(y) == 2);
    const typename psb::scalar<T>::vect *list[] = { x, y };
    EXPECT(list[0] != list[1]);
    typename psb::scalar<T>::vect *left[] = { x.get() }, *right[] = { y.get() };
    T dot[2];
    psb::gedots(1, left, right, dot);
    EXPECT(dot[0] == T(8 * np) && dot[1] == T(8 * np));
    std::vector<T> all(static_cast<std::size_t>(4 * np));
    psb::gather(y, all.data(), -1);
    EXPECT(all.back() == T(2));
    const T *values;
    psb::host_read(x, &values);
    EXPECT(values[3] == T(2));
    psb::vector<T> moved(std::move(x));
    EXPECT(!x && moved && psb_genrm2(x, nullptr) == PSB_EARG);
    psb_clean_errstack();
}

/* Global indices as a vector of integers. */
template <class Integer> static void check_integers(psb_ctxt *ctxt)
{
    int me, np;
    psb_info(ctxt, &me, &np);
    psb::descriptor desc;
    psb::cdall_nl(desc.out(), ctxt, 1);
    psb::cdasb(desc);
    psb::vector<Integer> x;
    const psb_lpk row = me;
    const Integer val = static_cast<Integer>(10 + me);
    psb::geall(x.out(), desc);
    psb::geins(1, &row, &val, x, PSB_DUPL_OVERWRITE);
    psb::geasb(x, nullptr);
    std::vector<Integer> all(static_cast<std::size_t>(np));
    psb::gather(x, all.data(), -1);
    EXPECT(all.back() == 9 + np && psb_vect_get_nrows(x) == 1);
}

/* The matrix ( 1 2 ; 0 3 ), made from CSR arrays that count from 1, and written and read as a file. */
template <class T> static void check_local(psb_ctxt *ctxt, const std::string &path)
{
    const std::int32_t off[] = { 1, 3, 4 }, col[] = { 1, 2, 2 };
    const T val[] = { T(1), T(2), T(3) }, x[] = { T(1), T(1) };
    psb_raw layout = {};
    layout.layout = PSB_RAW_CSR;
    layout.base = 1;
    layout.idx_bits = layout.off_bits = 32;
    layout.m = layout.n = 2;
    layout.nnz = 3;
    typename psb::scalar<T>::raw_const from = {};
    from.off = off;
    from.col = col;
    from.val = val;
    psb::local_matrix<T> a;
    psb::raw_import(&layout, &from, PSB_DUPL_ADD, psb::mat_by_name<T>("ell"), a.out());
    psb::mat_cscnv(a.inout(), psb::mat_by_name<T>("csc"));
    EXPECT(std::string(psb::mat_get_fmt(a)) == "CSC" && psb::mat_get_nzeros(a) == 3);
    T y[2];
    psb::mat_csmv(1, a, x, 0, y, 'N');
    EXPECT(y[0] == T(3) && y[1] == T(3));

    int me;
    psb_info(ctxt, &me, nullptr);
    if (me == 0)
        psb::mm_mat_write(path.c_str(), a, PSB_MM_GENERAL, "a title");
    psb::barrier(ctxt);
    psb::triplets<T> t;
    psb::mm_read(path.c_str(), nullptr, nullptr, &t);
    EXPECT(t.m == 2 && t.nnz == 3 && t.val[2] == T(3));
    psb::matrix<T> b;
    psb::descriptor row;
    psb_desc *column = nullptr;
    psb::mm_mat_read(b.out(), row.inout(), &column, ctxt, path.c_str());
    EXPECT(row && row == column);
    if (me == 0)
        std::remove(path.c_str());
    psb::barrier(ctxt);
}

template <class T> static void check(psb_ctxt *ctxt, const std::string &path)
{
    check_numbers<T>(ctxt);
    check_vectors<T>(ctxt);
    check_local<T>(ctxt, path);
}

int main(int argc, char **argv)
{
    psb::context ctxt;
    try {
        psb::init(ctxt.out());
        psb::cuda_init(ctxt);
        const std::string path = std::string(argc > 1 ? argv[1] : argv[0]) + ".mtx";
        check<float>(ctxt, path);
        check<double>(ctxt, path);
        check<std::complex<float>>(ctxt, path);
        check<std::complex<double>>(ctxt, path);
        check_integers<psb_ipk>(ctxt);
        check_integers<psb_lpk>(ctxt);
        check_numbers<int>(ctxt);
        check_numbers<long>(ctxt);
        check_numbers<long long>(ctxt);
        check_numbers<unsigned long>(ctxt);
        check_numbers<signed char>(ctxt);
        check_numbers<short>(ctxt);
        try {
            psb::mat_by_name<double>("unheard");
            expect(false, "an unknown format is an error");
        } catch (const psb::error &e) {
            EXPECT(std::string(e.what()).find("unheard") != std::string::npos);
        }
        psb_clean_errstack();
        psb_cuda_exit();
    } catch (const psb::error &e) {
        psb_abort(ctxt, e.what());
    }
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
