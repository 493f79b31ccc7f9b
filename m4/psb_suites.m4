# PSB_SUITES(LOCAL, DISTRIBUTED, PLAIN): list the tests of the suites.  SUITE_TESTS: those of `make check`;
# LONG_SUITE_TESTS: those that `make check-long` adds; SUITE_PROGRAMS, LONG_SUITE_PROGRAMS: the programs that they
# need.  Suites in LOCAL run for a scalar on one process; suites in DISTRIBUTED for a scalar on several numbers of
# processes; suites in PLAIN do not depend on the scalar and run on several numbers of processes.  `make check` runs
# the scalars of CHECK_FULL in full and a sample of the others (-sample; see test/mpi-run); check-long all in full.
AC_DEFUN([PSB_SUITES], [
  AC_ARG_VAR([CHECK_NPS], [numbers of processes of the distributed suites of scalars in full (default: 1 3)])
  : ${CHECK_NPS=1 3}
  AC_ARG_VAR([CHECK_SAMPLE_NPS], [the same for the other scalars (default: 2)])
  : ${CHECK_SAMPLE_NPS=2}
  AC_ARG_VAR([CHECK_LONG_NPS], [the same for all scalars in make check-long (default: 1 2 3 4 7)])
  : ${CHECK_LONG_NPS=1 2 3 4 7}
  AC_ARG_VAR([CHECK_TYPES], [scalars the suites run for in make check (default: d z)])
  : ${CHECK_TYPES=d z}
  AC_ARG_VAR([CHECK_FULL], [those of them that run in full, not as a sample (default: d)])
  : ${CHECK_FULL=d}
  SUITE_TESTS= LONG_SUITE_TESTS= SUITE_PROGRAMS= LONG_SUITE_PROGRAMS=
  for psb_x in $CHECK_TYPES; do
    AS_VAR_APPEND([SUITE_PROGRAMS], [" test/suites_$psb_x"])
    AS_CASE([" $CHECK_FULL "], [*" $psb_x "*], [psb_sample= psb_nps=$CHECK_NPS],
      [psb_sample=-sample psb_nps=$CHECK_SAMPLE_NPS])
    PSB_EACH_NP([SUITE_TESTS], [$1], [1], [_$psb_x$psb_sample])
    PSB_EACH_NP([SUITE_TESTS], [$2], [$psb_nps], [_$psb_x$psb_sample])
  done
  PSB_EACH_NP([SUITE_TESTS], [$3], [$CHECK_NPS], [])
  for psb_x in s d c z; do
    AS_VAR_APPEND([LONG_SUITE_PROGRAMS], [" test/suites_$psb_x"])
    PSB_EACH_NP([LONG_SUITE_TESTS], [$1], [1], [_$psb_x])
    PSB_EACH_NP([LONG_SUITE_TESTS], [$2], [$CHECK_LONG_NPS], [_$psb_x])
  done
  PSB_EACH_NP([LONG_SUITE_TESTS], [$3], [$CHECK_LONG_NPS], [])
  AC_SUBST([SUITE_TESTS])
  AC_SUBST([LONG_SUITE_TESTS])
  AC_SUBST([SUITE_PROGRAMS])
  AC_SUBST([LONG_SUITE_PROGRAMS])
])

# PSB_EACH_NP(LIST, SUITES, NPS, SUFFIX): append to LIST the test of each suite on each number of processes that is
# not in SUITE_TESTS.
m4_define([PSB_EACH_NP], [
  for psb_s in $2; do
    for psb_n in $3; do
      AS_CASE([" $SUITE_TESTS "], [*" test/check_${psb_s}$4-np$psb_n.mpi "*], [],
        [AS_VAR_APPEND([$1], [" test/check_${psb_s}$4-np$psb_n.mpi"])])
    done
  done
])
