#!/bin/sh
# passed.sh -- an error message names the call that the user made: every function of base and util that is not static
# passes the errors of others on through PSB_TRY or PSB_PASS, which store its name.
set -u
cd "$(dirname "$0")/.." || exit 1
awk '
    FNR == 1 { open = 0 }
    /^psb_err (X\([a-z0-9_]+\)|psb_[a-z0-9_]+)\(/ { open = 1 }
    /^}/ { open = 0 }
    open && /^ +return / && !/return (PSB_[A-Z]+[;(]|psb_passed|not_|[a-z]+ \? PSB_OK : PSB_FAIL|held)/ {
        print FILENAME ":" FNR ": " $0 "  (expected PSB_PASS)"
        bad++
    }
    { lines++ }
    END { exit bad > 0 || lines < 1000 }
' $(ls base/*/*.c | grep -v base/core/err.c) util/*.c linsolve/*.c ext/ext_init.c ext/raw*.c
