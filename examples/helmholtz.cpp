/* helmholtz.cpp -- examples: waves: a complex system in C++, where errors are exceptions and handles free
 * what they own.
 *
 *     $ mpirun -np 2 ./helmholtz
 *     HLL: converged, |u| from the source to the edge: 0.474 0.131 0.099 0.073 0.065
 *
 * -(u_xx + u_yy) - k^2 u = f, a source in the middle of the unit square, and waves that leave it: u_n = i k u
 * on the boundary. */
#include <psbc.hpp>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

using T = std::complex<double>;

constexpr int edge = 41; // points
constexpr double h = 1.0 / (edge - 1), k = 6 * 3.14159265358979;

// The equation of point (x, y), h^2 times; a neighbour outside is that inside and 2 i k h u.
static void insert(psb_lpk x, psb_lpk y, psb::matrix<T> &a)
{
    const psb_lpk i = y * edge + x;
    T diagonal = 4 - k * k * h * h;
    for (const auto &[dx, dy] : { std::pair(-1, 0), std::pair(1, 0), std::pair(0, -1), std::pair(0, 1) }) {
        const bool inside = x + dx >= 0 && x + dx < edge && y + dy >= 0 && y + dy < edge;
        const psb_lpk j = inside ? i + dy * edge + dx : i - dy * edge - dx;
        const T minus = -1;
        psb::spins(1, &i, &j, &minus, a);
        if (!inside)
            diagonal -= T(0, 2 * k * h);
    }
    psb::spins(1, &i, &i, &diagonal, a);
}

static bool solve(psb_ctxt *ctxt)
{
    const psb_lpk n = edge * edge, middle = n / 2;
    int me;
    psb_info(ctxt, &me, nullptr);
    psb::descriptor desc;
    psb::matrix<T> a;
    psb::vector<T> u, b;
    psb::part_blocks(ctxt, n, desc.out());
    psb::spall(a.out(), desc, 5 * psb_cd_local_rows(desc));
    for (psb_lpk i = 0; i < n; i++)
        if (psb_is_owned(desc, i))
            insert(i % edge, i / edge, a);
    psb::cdasb(desc);
    psb::spasb(a, psb::mat_by_name<T>("hll"), PSB_DUPL_ADD); // entries inserted twice are added
    psb::vects_like(a, u.out(), b.out());
    psb::gereinit(b, 1);
    if (psb_is_owned(desc, middle)) {
        const T source = 1;
        psb::geins(1, &middle, &source, b, PSB_DUPL_OVERWRITE);
    }
    psb::geasb(b, nullptr);

    psb_solve_result res;
    psb::solve(a, b, u, "bicgstab, tol=1e-8, prec=ras(ilut, overlap=1)", &res);

    std::vector<T> all(static_cast<std::size_t>(n));
    psb::gather(u, all.data(), 0);
    if (me == 0) {
        std::printf("%s: %s, |u| from the source to the edge:", psb_sp_fmt(a), psb_outcome_name(res.outcome));
        for (psb_lpk i = middle; i <= middle + edge / 2; i += 5)
            std::printf(" %.3f", std::abs(all[static_cast<std::size_t>(i)]));
        std::printf("\n");
    }
    return res.outcome == PSB_CONVERGED;
}

int main()
{
    psb::context ctxt;
    try {
        psb::init(ctxt.out());
        psb::ext_init(); // the formats of the host by their names
        return solve(ctxt) ? 0 : 1;
    } catch (const psb::error &e) {
        psb_abort(ctxt, e.what());
    }
}
