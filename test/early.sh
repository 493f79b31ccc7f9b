#!/bin/sh
# early.sh -- test: the machine code of the GPU kernels: those that may start before the kernel before them has
# ended neither read nor write global memory before they wait for it (cuda/kernels/overlap.cuh).  Needs cuobjdump.
set -eu
nvcc=$(sed -n 's/^NVCC = //p' Makefile)
tool=$(command -v "${nvcc%/*}/cuobjdump" || command -v cuobjdump) || {
    echo "skipped: no cuobjdump (part of the CUDA Toolkit)"
    exit 77
}
for library in .libs/libpsb_cuda.so .libs/libpsb_cuda.a; do
    [ ! -e "$library" ] || break
done
[ -e "$library" ] || { echo "skipped: built without CUDA"; exit 77; }

listing=$(mktemp)
trap 'rm -f "$listing"' EXIT
"$tool" -sass "$library" >"$listing"

# ACQBULK waits for the kernel before.  add_listed may read before it: see docs/decisions/011-kernels-start-early.md.
awk '
    function end() {
        waiting += waits
        if (waits && first && name !~ /add_listed/) {
            print name ": before it waits: " first
            wrong++
        }
    }
    /Function :/ { end(); name = $NF; waits = 0; first = "" }
    /ACQBULK/ { waits = 1 }
    !waits && !first && / (LDG|LD\.E|STG|ST\.E|LDGSTS|ATOM|ATOMG|RED|REDG|UBLKCP)[. ]/ {
        sub(/;.*/, "")
        sub(/.*\*\/ */, "")
        first = $0
    }
    END {
        end()
        if (!waiting) {
            print "skipped: no kernel is compiled for compute capability 9.0 or more"
            exit 77
        }
        if (!wrong)
            print waiting " kernels wait before they use memory"
        exit wrong > 0
    }' "$listing"
