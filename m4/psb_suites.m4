# PSB_SUITES(LOCAL, DISTRIBUTED, PLAIN)
# SUITE_TESTS becomes the tests that test/local.mk runs: each suite for every scalar, those in DISTRIBUTED on
# several numbers of processes, and so are those in PLAIN, which know no scalar.  SUITE_PROGRAMS become what these
# need built.
AC_DEFUN([PSB_SUITES], [
  AC_ARG_VAR([CHECK_NPS], [numbers of processes the distributed suites run on (default: 1 2 3 4 7)])
  : ${CHECK_NPS=1 2 3 4 7}
  AC_ARG_VAR([CHECK_TYPES], [scalars the suites are run for (default: s d c z)])
  : ${CHECK_TYPES=s d c z}
  SUITE_TESTS= SUITE_PROGRAMS=
  for psb_x in $CHECK_TYPES; do
    AS_VAR_APPEND([SUITE_PROGRAMS], [" test/suites_$psb_x"])
    for psb_s in $1; do
      AS_VAR_APPEND([SUITE_TESTS], [" test/check_${psb_s}_$psb_x-np1.mpi"])
    done
    for psb_s in $2; do
      for psb_n in $CHECK_NPS; do
        AS_VAR_APPEND([SUITE_TESTS], [" test/check_${psb_s}_$psb_x-np$psb_n.mpi"])
      done
    done
  done
  for psb_s in $3; do
    for psb_n in $CHECK_NPS; do
      AS_VAR_APPEND([SUITE_TESTS], [" test/check_${psb_s}-np$psb_n.mpi"])
    done
  done
  AC_SUBST([SUITE_TESTS])
  AC_SUBST([SUITE_PROGRAMS])
])
