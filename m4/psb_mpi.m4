dnl PSB_CHECK_MPI: sets MPI_CFLAGS and MPI_LIBS so that $CC, whichever it is, builds MPI programs; and MPIEXEC.
dnl Tried in turn: $CC with what the caller gave (nothing, for mpicc and its like), pkg-config, what mpicc says.
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
  CPPFLAGS=$psb_CPPFLAGS LIBS=$psb_LIBS
  AS_IF([test -n "$psb_mpi"], [break])
done
AS_IF([test -z "$psb_mpi"], [AC_MSG_RESULT([no])
  AC_MSG_ERROR([no MPI found (Debian: libopenmpi-dev).  Name one by CC=mpicc, or by MPI_CFLAGS and MPI_LIBS.])])
AC_MSG_RESULT([yes, from $psb_mpi])
AC_CHECK_PROGS([MPIEXEC], [mpiexec mpirun])
])
