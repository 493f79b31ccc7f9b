#!/bin/sh
# front.sh -- every public typed call is in base/psb_front.h, or listed there as one whose arguments do not determine
# the type.
set -eu
base=${srcdir:-.}/base
missing=0 calls=0
for file in mat/psb_mat_calls vect/psb_vect vect/psb_geops vect/psb_scal spmat/psb_spmat spmat/psb_sp_calls; do
    names=$(sed -n '/^[a-zA-Z].*)(/ { /^typedef/d; s/^[^(]*[ *]X(\([a-z0-9_]*\))(.*/\1/p; }' "$base/$file.t.h")
    for name in $names; do
        calls=$((calls + 1))
        grep -Eq "psb_(\?_)?$name([^a-z0-9_]|$)" "$base/psb_front.h" || {
            echo "base/$file.t.h: $name has no line in base/psb_front.h"
            missing=$((missing + 1))
        }
    done
done
echo "$calls typed calls, $missing without a front"
test "$missing" -eq 0 && test "$calls" -gt 200
