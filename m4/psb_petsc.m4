dnl PSB_CHECK_PETSC: find PETSc; option --with-petsc.  Sets HAVE_PETSC: for speed programs; COMPARE_PETSC: for
dnl psb-spmv too, which users install, if that was asked for; PETSC_CFLAGS, PETSC_LIBS; psb_petsc: why PETSc is off.
dnl PETSc is used only if a program compiles and links with it and with the MPI that PSB_CHECK_MPI found.
AC_DEFUN([PSB_CHECK_PETSC], [
AC_REQUIRE([PSB_CHECK_MPI])
AC_ARG_WITH([petsc],
  [AS_HELP_STRING([--with-petsc],
    [psb-spmv --compare petsc, for which psb-spmv is linked with PETSc (default: speed programs alone, if PETSc works)])],
  [], [with_petsc=check])
AS_IF([test "$with_petsc" = no], [have_petsc=no psb_petsc="--without-petsc"],
  [PKG_CHECK_MODULES([PETSC], [PETSc], [have_petsc=yes], [have_petsc=no psb_petsc="no PETSc (Debian: petsc-dev)"])])
AS_IF([test $have_petsc = yes], [
  AC_MSG_CHECKING([whether PETSc works with this MPI])
  psb_CPPFLAGS=$CPPFLAGS psb_LIBS=$LIBS
  CPPFLAGS="$CPPFLAGS $MPI_CFLAGS $PETSC_CFLAGS" LIBS="$PETSC_LIBS $MPI_LIBS $LIBS"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <petscmat.h>]],
      [[Mat a; MatCreate(MPI_COMM_WORLD, &a); PetscFinalize();]])],
    [], [have_petsc=no psb_petsc="does not compile or link with this MPI, see config.log"])
  CPPFLAGS=$psb_CPPFLAGS LIBS=$psb_LIBS
  AC_MSG_RESULT([$have_petsc])
])
AS_CASE([$with_petsc:$have_petsc], [yes:no], [AC_MSG_ERROR([--with-petsc was given, but: $psb_petsc])])
AM_CONDITIONAL([HAVE_PETSC], [test $have_petsc = yes])
AM_CONDITIONAL([COMPARE_PETSC], [test "$with_petsc" = yes])
AS_CASE([$with_petsc], [yes], [psb_petsc_in="test/kernel and by psb-spmv"
  AC_DEFINE([COMPARE_PETSC], [1], [Define to 1 if psb-spmv is linked with PETSc.])],
  [psb_petsc_in="test/kernel; by psb-spmv --with-petsc"])
])
