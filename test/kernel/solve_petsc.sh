#!/bin/sh
# solve_petsc.sh -- test/kernel: solves on the host beside PETSc's: CG, BICGSTAB and RGMRES(30), each with the diagonal
# and with ILU(0) of each process's block, on 1 and 2 processes; then means of the speed-ups of whole solves, the
# preconditioner included, and the worst.
#   solve_petsc.sh [--rounds N] [--tsv FILE] [MATRIX ...]
# Run in the build tree after `make kernel`, with nothing else on the machine.  MATRIX: as for solve_petsc; default
# lap7:100 and some of the shared files.  Solves that do not converge to 1e-8 do not count.  Status 1: a run failed, or
# a mean is below what is asked.
here=$(cd "$(dirname "$0")" && pwd)
shared=${CK_SHARED:-$here/../../../shared}/matrices/large
program=test/kernel/solve_petsc rounds=5
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
tsv=$tmp/tsv
while [ $# -gt 1 ]; do
    case $1 in
    --rounds) rounds=$2 ;;
    --tsv) tsv=$2 ;;
    *) break ;;
    esac
    shift 2
done
[ -x $program ] || { echo "solve_petsc.sh: no $program here; in the build tree, with PETSc, make kernel" >&2; exit 2; }
if [ $# -eq 0 ]; then
    set -- lap7:100
    for m in rss_laplace_A0 wathenSmall bcsstk16 gun_K memplus; do
        [ -r "$shared/$m.mtx.xz" ] && set -- "$@" "$shared/$m.mtx.xz"
    done
fi
export OMP_NUM_THREADS=1
status=0
for np in 1 2; do
    for method in cg bicgstab rgmres; do
        for prec in diag 'bjac(ilu0)'; do
            sh "$here/../mpi-run" $np $program --rounds "$rounds" --format AUTO --tsv "$tsv" \
                --solve "$method, tol=1e-8, itmax=3000, restart=30, prec=$prec" "$@" || status=1
        done
    done
done
awk -F '\t' '
    $5 ~ /: with the preconditioner, speed over PETSc$/ {
        solve = $5
        sub(/: with the preconditioner.*/, "", solve)
        key = sprintf("%s process%s  %-26s", $3, $3 > 1 ? "es" : "  ", solve)
        if (!(key in n)) order[++keys] = key
        n[key]++
        sum[key] += log($6)
        if (!(key in worst) || $6 < worst[key]) { worst[key] = $6; at[key] = $1 }
    }
    END {
        for (k = 1; k <= keys; k++) {
            key = order[k]
            mean = exp(sum[key] / n[key])
            asked = key ~ /rgmres/ ? 1.1 : 1.2
            missed += mean < asked
            printf "%s  %2d matrices, speed over PETSc: mean %.2f, asked %.1f %-6s worst %.2f %s\n", key, n[key], mean,
                asked, mean < asked ? "MISSED" : "met", worst[key], at[key]
        }
        exit keys == 0 || missed > 0
    }' "$tsv" || status=1
exit $status
