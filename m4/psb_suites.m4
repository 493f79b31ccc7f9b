# PSB_SUITES(LOCAL, DISTRIBUTED, PLAIN): list the tests of the suites.  SUITE_TESTS: those of `make check`;
# LONG_SUITE_TESTS: those that `make check-long` adds; SUITE_PROGRAMS: the programs that they need.  Suites in LOCAL
# run for every scalar on one process; suites in DISTRIBUTED for every scalar on several numbers of processes; suites
# in PLAIN do not depend on the scalar and run on several numbers of processes.  `make check` runs the first scalar in
# full and a sample of the others (-sample; see test/mpi-run).
AC_DEFUN([PSB_SUITES], [
  AC_ARG_VAR([CHECK_NPS], [numbers of processes of the distributed suites of the first scalar (default: 1 3)])
  : ${CHECK_NPS=1 3}
  AC_ARG_VAR([CHECK_SAMPLE_NPS], [the same for the other scalars (default: 2)])
  : ${CHECK_SAMPLE_NPS=2}
  AC_ARG_VAR([CHECK_LONG_NPS], [the same for all scalars in make check-long (default: 1 2 3 4 7)])
  : ${CHECK_LONG_NPS=1 2 3 4 7}
  AC_ARG_VAR([CHECK_TYPES],
    [scalars the suites run for, the first in full, a sample of the others (default: d s c z)])
  : ${CHECK_TYPES=d s c z}
  SUITE_TESTS= LONG_SUITE_TESTS= SUITE_PROGRAMS= psb_sample= psb_nps=$CHECK_NPS
  for psb_x in $CHECK_TYPES; do
    AS_VAR_APPEND([SUITE_PROGRAMS], [" test/suites_$psb_x"])
    for psb_s in $1; do
      AS_VAR_APPEND([SUITE_TESTS], [" test/check_${psb_s}_$psb_x$psb_sample-np1.mpi"])
      test -z "$psb_sample" || AS_VAR_APPEND([LONG_SUITE_TESTS], [" test/check_${psb_s}_$psb_x-np1.mpi"])
    done
    for psb_s in $2; do
      PSB_EACH_NP([check_${psb_s}_$psb_x], [$psb_sample])
    done
    psb_sample=-sample psb_nps=$CHECK_SAMPLE_NPS
  done
  psb_nps=$CHECK_NPS
  for psb_s in $3; do
    PSB_EACH_NP([check_$psb_s], [])
  done
  AC_SUBST([SUITE_TESTS])
  AC_SUBST([LONG_SUITE_TESTS])
  AC_SUBST([SUITE_PROGRAMS])
])

# PSB_EACH_NP(TEST, SAMPLE): add TEST on every number of processes.  If SAMPLE is not empty, `make check` runs the
# sample and only check-long runs TEST in full.
m4_define([PSB_EACH_NP], [
  for psb_n in $psb_nps; do
    AS_VAR_APPEND([SUITE_TESTS], [" test/$1$2-np$psb_n.mpi"])
  done
  for psb_n in $CHECK_LONG_NPS; do
    AS_CASE([" $SUITE_TESTS "], [*" test/$1-np$psb_n.mpi "*], [],
      [AS_VAR_APPEND([LONG_SUITE_TESTS], [" test/$1-np$psb_n.mpi"])])
  done
])
