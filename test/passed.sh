#!/bin/sh
# passed.sh -- an error message names the call that the user made.  The macros PSB_FAIL, PSB_TRY and PSB_PASS store the
# name of the function they stand in (psb_passed: of another), so functions that are not static return errors by them,
# never by a bare `return e` or `return f(...)`.
set -u
cd "$(dirname "$0")/.." || exit 1
awk '
    FNR == 1 || /^}/ { open = 0 }
    /^psb_err (X\([a-z0-9_]+\)|psb_[a-z0-9_]+)\(/ { open = 1; functions++ }
    open && /^ +return / && !/return (PSB_[A-Z]+[;(]|psb_passed\()/ {
        print FILENAME ":" FNR ": " $0 "  (expected PSB_PASS)"
        bad++
    }
    END { exit bad > 0 || functions < 300 }
' $(ls base/*/*.c | grep -v base/core/err.c) util/*.c linsolve/*.c ext/ext_init.c ext/raw*.c
