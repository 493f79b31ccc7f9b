dnl PSB_CHECK_MPI: find an MPI.  Sets MPI_CFLAGS and MPI_LIBS so that $CC, which may be any compiler, builds MPI
dnl programs; MPIEXEC; psb_mpi: the source of the flags; psb_mpi_kind: openmpi, mpich (or derived from it) or other;
dnl HAVE_MPICH; MPI_WARN_CFLAGS.  Tried in this order: $CC with the flags that the caller gave (none are needed for
dnl mpicc), pkg-config, the flags that mpicc prints.
AC_DEFUN([PSB_CHECK_MPI], [
AC_REQUIRE([PKG_PROG_PKG_CONFIG])
AC_ARG_VAR([MPI_CFLAGS], [C compiler flags for MPI])
AC_ARG_VAR([MPI_LIBS], [linker flags for MPI])
AC_ARG_VAR([MPIEXEC], [command that starts MPI programs])
AC_MSG_CHECKING([for MPI])
psb_mpi=
for psb_try in "$CC" mpi-c ompi-c mpich mpicc; do
  AS_CASE([$psb_try],
    ["$CC"], [],
    [mpicc], [MPI_CFLAGS= MPI_LIBS=
      for psb_flag in `mpicc -show 2>&AS_MESSAGE_LOG_FD`; do
        AS_CASE([$psb_flag],
          [-I*|-D*],      [MPI_CFLAGS="$MPI_CFLAGS $psb_flag"],
          [-L*|-l*|-Wl*], [MPI_LIBS="$MPI_LIBS $psb_flag"])
      done],
    [MPI_CFLAGS=`$PKG_CONFIG --cflags $psb_try 2>&AS_MESSAGE_LOG_FD` &&
     MPI_LIBS=`$PKG_CONFIG --libs $psb_try 2>&AS_MESSAGE_LOG_FD` || continue])
  psb_CPPFLAGS=$CPPFLAGS psb_LIBS=$LIBS
  CPPFLAGS="$CPPFLAGS $MPI_CFLAGS" LIBS="$MPI_LIBS $LIBS"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]], [[MPI_Init(0, 0);]])], [psb_mpi=$psb_try])
  psb_mpi_kind=other
  PSB_IF_MPI([OPEN_MPI], [psb_mpi_kind=openmpi])
  PSB_IF_MPI([MPICH_VERSION], [psb_mpi_kind=mpich])
  AS_IF([test -n "$psb_mpi"], [PSB_MPI_WARNINGS])
  CPPFLAGS=$psb_CPPFLAGS LIBS=$psb_LIBS
  AS_IF([test -n "$psb_mpi"], [break])
done
AS_IF([test -z "$psb_mpi"], [AC_MSG_RESULT([no])
  AC_MSG_ERROR([no MPI found (Debian: libopenmpi-dev).  Name one by CC=mpicc, or by MPI_CFLAGS and MPI_LIBS.])])
AC_MSG_RESULT([yes, $psb_mpi_kind, from $psb_mpi])
AM_CONDITIONAL([HAVE_MPICH], [test $psb_mpi_kind = mpich])
AC_SUBST([psb_mpi_kind])
PSB_CHECK_MPIEXEC
])

dnl PSB_IF_MPI(MACRO, THEN): expand to THEN if mpi.h defines MACRO.
AC_DEFUN([PSB_IF_MPI], [
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
#include <mpi.h>
#ifndef $1
#error
#endif
]])], [$2])])

dnl PSB_MPI_WARNINGS: gcc 11 and later warn about MPICH's MPI_STATUSES_IGNORE, which is the address 1.  Set
dnl MPI_WARN_CFLAGS to the first option that avoids the warning; from gcc 12 on it declares such addresses valid.
AC_DEFUN([PSB_MPI_WARNINGS], [
psb_CFLAGS=$CFLAGS MPI_WARN_CFLAGS=
for psb_flag in "" --param=min-pagesize=0 -Wno-stringop-overflow; do
  CFLAGS="$psb_CFLAGS -O2 -Wall -Werror $psb_flag"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]],
    [[MPI_Request r[2]; int n = 0; MPI_Barrier(MPI_COMM_WORLD); r[n++] = MPI_REQUEST_NULL;
      return MPI_Waitall(n, r, MPI_STATUSES_IGNORE);]])], [MPI_WARN_CFLAGS=$psb_flag; break])
done
CFLAGS=$psb_CFLAGS
AC_SUBST([MPI_WARN_CFLAGS])
])

dnl PSB_CHECK_MPIEXEC: set MPIEXEC, unless the caller has set it, to the first command that does not belong to another
dnl MPI.
AC_DEFUN([PSB_CHECK_MPIEXEC], [
AC_MSG_CHECKING([for a command that starts MPI programs])
for psb_try in mpiexec mpirun mpiexec.$psb_mpi_kind mpirun.$psb_mpi_kind; do
  AS_IF([test -n "$MPIEXEC"], [break])
  AS_CASE([$psb_mpi_kind:`$psb_try --version 2>&AS_MESSAGE_LOG_FD`],
    [*:], [],
    [mpich:*OpenRTE* | mpich:*Open\ MPI* | openmpi:*HYDRA*], [],
    [MPIEXEC=$psb_try])
done
AC_MSG_RESULT([${MPIEXEC:-none}])
])
