#!/bin/sh
# memory.sh -- test/kernel: the memory of assembly and conversions stays within the bounds that memory.c states:
# on 1 process, on 3, and on 3 with a halo of two thirds of the entries.
set -u
here=$(cd "$(dirname "$0")" && pwd)
command -v "${MPIEXEC:-mpiexec}" >/dev/null || { echo "skipped: no mpiexec (Debian: openmpi-bin)"; exit 77; }
status=0

run() {
    OMP_NUM_THREADS=1 sh "$here/../mpi-run" "$@"
    case $? in 0) ;; 77) exit 77 ;; *) status=1 ;; esac
}

run 1 test/kernel/memory lap7:100
run 3 test/kernel/memory lap7:100
run 3 test/kernel/memory uniform:200000,20 COO CSR CSC ELL HLL SELL
exit $status
