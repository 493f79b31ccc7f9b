/* psbc.hpp -- cxx: PSBC in C++17: the calls with errors as exceptions, and handles that free what
 * they own.
 *
 * psb::NAME(...) is the call psb_NAME(...) of C, with the same arguments, but throws psb::error instead of
 * returning a psb_err other than PSB_OK.  psb_NAME(...) itself returns the code in C++ as in C.  Both choose
 * the scalar, float, double, std::complex<float> or std::complex<double>, by the pointers among the
 * arguments.  A null pointer is nullptr, not NULL or 0.
 *
 * An exception is thrown by the processes on which the call fails: all of them if the call is collective. */
#ifndef PSBC_HPP
#define PSBC_HPP
#include "psb_base.h"
#include "psb_cuda.h"
#include "psb_ext.h"
#include "psb_linsolve.h"
#include "psb_rsb.h"
#include "psb_util.h"
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace psb
{

/* An error of the library: its code, and as what() the newest message, psb_errmsg(). */
class error : public std::runtime_error
{
  public:
    explicit error(psb_err e) : std::runtime_error(psb_errmsg()), code_(e)
    {
    }
    psb_err code() const noexcept
    {
        return code_;
    }

  private:
    psb_err code_;
};

/* Throw psb::error unless e is PSB_OK. */
inline void check(psb_err e)
{
    if (e != PSB_OK)
        throw error(e);
}

/* --- handles ------------------------------------------------------------------------------------------- */

/* Owns an object of C, which Free frees at the end of the handle's scope.  It is moved, not copied, and
 * converts to the pointer that calls expect. */
template <class Object, void (*Free)(Object *)>
class handle
{
  public:
    handle() = default;
    explicit handle(Object *p) noexcept : p_(p)
    {
    }
    operator Object *() const noexcept
    {
        return p_.get();
    }
    Object *get() const noexcept
    {
        return p_.get();
    }
    /* Give up ownership. */
    Object *release() noexcept
    {
        return p_.release();
    }
    /* Free the object now, and own p. */
    void reset(Object *p = nullptr) noexcept
    {
        p_.reset(p);
    }

    /* The argument of a call that stores a new object (out) or may replace the object (inout).  The handle
     * owns the object from the end of the full expression on; out frees the former object first. */
    class slot
    {
      public:
        slot(handle &h, Object *p) noexcept : h_(h), p_(p)
        {
        }
        slot(const slot &) = delete;
        slot &operator=(const slot &) = delete;
        ~slot()
        {
            h_.p_.reset(p_);
        }
        operator Object **() noexcept
        {
            return &p_;
        }

      private:
        handle &h_;
        Object *p_;
    };
    slot out() noexcept
    {
        p_.reset();
        return slot(*this, nullptr);
    }
    slot inout() noexcept
    {
        return slot(*this, p_.release());
    }

  private:
    struct deleter {
        void operator()(Object *p) const noexcept
        {
            Free(p);
        }
    };
    std::unique_ptr<Object, deleter> p_;
};

/* The C types of a scalar. */
template <class Scalar>
struct scalar;
/* clang-format off */
#define PSBC_SCALAR(type, x) \
    template <> struct scalar<type> { \
        using spmat = psb_##x##_spmat; using vect = psb_##x##_vect; using mat = psb_##x##_mat; \
        using prec = psb_##x##_prec; static constexpr auto precfree = psb_##x##_precfree; \
        using solver = psb_##x##_solver; static constexpr auto solver_free = psb_##x##_solver_free; \
        using operator_ = psb_##x##_operator; static constexpr auto operator_free = psb_##x##_operator_free; \
        using nullspace = psb_##x##_nullspace; static constexpr auto nullspace_free = psb_##x##_nullspace_free; \
        using operator_calls = psb_##x##_operator_calls; using prec_calls = psb_##x##_prec_calls; \
        static constexpr auto operator_new = psb_##x##_operator_new; \
        static constexpr auto precinit_user = psb_##x##_precinit_user; \
        using triplets = psb_##x##_triplets; \
        using raw_const = psb_##x##_raw_const; using raw_arrays = psb_##x##_raw_arrays; \
        static constexpr auto spfree = psb_##x##_spfree; static constexpr auto gefree = psb_##x##_gefree; \
        static constexpr auto mat_free = psb_##x##_mat_free; static constexpr auto by_name = psb_##x##_mat_by_name; \
    };
/* clang-format on */
PSBC_SCALAR(float, s)
PSBC_SCALAR(double, d)
PSBC_SCALAR(std::complex<float>, c)
PSBC_SCALAR(std::complex<double>, z)
#undef PSBC_SCALAR
template <> struct scalar<psb_ipk> {
    using vect = psb_i_vect;
    static constexpr auto gefree = psb_i_gefree;
};
template <> struct scalar<psb_lpk> {
    using vect = psb_l_vect;
    static constexpr auto gefree = psb_l_gefree;
};

using context = handle<psb_ctxt, psb_exit>;
using descriptor = handle<psb_desc, psb_cdfree>;

/* A distributed matrix; a vector or multivector, distributed or local; a matrix of one process; of one
 * scalar type. */
template <class Scalar>
struct matrix : handle<typename scalar<Scalar>::spmat, scalar<Scalar>::spfree> {
    using handle<typename scalar<Scalar>::spmat, scalar<Scalar>::spfree>::handle;
};
template <class Scalar>
struct vector : handle<typename scalar<Scalar>::vect, scalar<Scalar>::gefree> {
    using handle<typename scalar<Scalar>::vect, scalar<Scalar>::gefree>::handle;
};
template <class Scalar>
struct local_matrix : handle<typename scalar<Scalar>::mat, scalar<Scalar>::mat_free> {
    using handle<typename scalar<Scalar>::mat, scalar<Scalar>::mat_free>::handle;
};

/* A preconditioner. */
template <class Scalar>
struct preconditioner : handle<typename scalar<Scalar>::prec, scalar<Scalar>::precfree> {
    using handle<typename scalar<Scalar>::prec, scalar<Scalar>::precfree>::handle;
};

/* A solver that is kept. */
template <class Scalar>
struct solver : handle<typename scalar<Scalar>::solver, scalar<Scalar>::solver_free> {
    using handle<typename scalar<Scalar>::solver, scalar<Scalar>::solver_free>::handle;
};

/* A matrix, or functions that multiply without one; a null space. */
template <class Scalar>
struct linear_operator : handle<typename scalar<Scalar>::operator_, scalar<Scalar>::operator_free> {
    using handle<typename scalar<Scalar>::operator_, scalar<Scalar>::operator_free>::handle;
};
template <class Scalar>
struct nullspace : handle<typename scalar<Scalar>::nullspace, scalar<Scalar>::nullspace_free> {
    using handle<typename scalar<Scalar>::nullspace, scalar<Scalar>::nullspace_free>::handle;
};

/* Triplets, as read, generated or distributed by calls of util. */
template <class Scalar>
struct triplets : scalar<Scalar>::triplets {
    triplets() : scalar<Scalar>::triplets()
    {
    }
    triplets(const triplets &) = delete;
    triplets &operator=(const triplets &) = delete;
    ~triplets()
    {
        psb_triplets_free(static_cast<typename scalar<Scalar>::triplets *>(this));
    }
};

/* Return the mold registered by that name, psb::mat_by_name<double>("ell").  PSB_EARG if there is none. */
template <class Scalar>
const typename scalar<Scalar>::mat *mat_by_name(const char *name)
{
    const typename scalar<Scalar>::mat *mold = scalar<Scalar>::by_name(name);
    if (!mold)
        throw error(PSB_EARG);
    return mold;
}

namespace detail
{
/* The code of what call() throws. */
template <class Call>
psb_err caught(Call call) noexcept
{
    try {
        call();
        return PSB_OK;
    } catch (const error &e) {
        return e.code();
    } catch (const std::bad_alloc &) {
        return PSB_ENOMEM;
    } catch (const std::exception &e) {
        return psb_fail(PSB_EARG, "psbc.hpp", "psb_fail", "exception: %s", e.what());
    } catch (...) {
        return PSB_EARG;
    }
}

template <class Apply, class Vect, class = void>
struct has_diagonal : std::false_type {
};
template <class Apply, class Vect>
struct has_diagonal<Apply, Vect, std::void_t<decltype(std::declval<Apply>().diagonal(std::declval<Vect *>()))>>
    : std::true_type {
};

/* Set calls->apply and ->free for a function of (x, y, op). */
template <class Scalar, class Apply, class Calls>
void set_function(Calls *calls)
{
    using vect = typename scalar<Scalar>::vect;
    calls->apply = [](void *f, const vect *x, vect *y, char op) {
        return caught([&] { (*static_cast<Apply *>(f))(x, y, op); });
    };
    calls->free = [](void *f) { delete static_cast<Apply *>(f); };
}

/* The result of call(); if it is a psb_err, an exception in its place. */
template <class Call>
decltype(auto) run(Call call)
{
    if constexpr (std::is_same_v<decltype(call()), psb_err>)
        check(call());
    else
        return call();
}
} // namespace detail

/* Return the operator of y = op(A) x by apply(x, y, op), which throws to fail; apply may also have a member function
 * diagonal(d).  Other members of `calls` as for psb_operator_new. */
template <class Scalar, class Apply>
linear_operator<Scalar> make_operator(psb_desc *desc, Apply apply, typename scalar<Scalar>::operator_calls calls = {})
{
    linear_operator<Scalar> op;
    auto f = std::make_unique<Apply>(std::move(apply));
    detail::set_function<Scalar, Apply>(&calls);
    if constexpr (detail::has_diagonal<Apply, typename scalar<Scalar>::vect>::value)
        calls.diagonal = [](void *g, typename scalar<Scalar>::vect *d) {
            return detail::caught([&] { static_cast<Apply *>(g)->diagonal(d); });
        };
    check(scalar<Scalar>::operator_new(op.out(), desc, &calls, f.get()));
    f.release();
    return op;
}

/* Return the preconditioner y = op(M)^-1 x by apply(x, y, op), not yet built; as above, for psb_precinit_user. */
template <class Scalar, class Apply>
preconditioner<Scalar> make_preconditioner(Apply apply, typename scalar<Scalar>::prec_calls calls = {})
{
    preconditioner<Scalar> p;
    auto f = std::make_unique<Apply>(std::move(apply));
    detail::set_function<Scalar, Apply>(&calls);
    check(scalar<Scalar>::precinit_user(p.out(), &calls, f.get()));
    f.release();
    return p;
}
} // namespace psb

#include "psbc_calls.hpp"
#endif
