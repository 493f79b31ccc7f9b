#!/bin/sh
# memory.sh -- room: test/kernel.  The memory of assembly and conversions stays within the bounds that memory.c states, on
# 1 and 3 processes.
set -u
here=$(cd "$(dirname "$0")" && pwd)
command -v "${MPIEXEC:-mpiexec}" >/dev/null || { echo "skipped: no mpiexec (Debian: openmpi-bin)"; exit 77; }
status=0
for np in 1 3; do
    for spec in lap7:100 uniform:200000,20; do
        OMP_NUM_THREADS=1 sh "$here/../mpi-run" $np test/kernel/memory $spec
        case $? in 0) ;; 77) exit 77 ;; *) status=1 ;; esac
    done
done
exit $status
