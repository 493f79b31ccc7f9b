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
#include <memory>
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
} // namespace psb

#include "psbc_calls.hpp"
#endif
