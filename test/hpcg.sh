#!/bin/sh
# hpcg.sh -- the program psb-hpcg: the tests of the benchmark, the report, iterations in the order of rows and of
# colours, errors.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=test/programs-lib.sh
. "$here/programs-lib.sh"
use psb-hpcg

# valid NP MOST ARGUMENT ...: the run is valid, TestCG and at most MOST iterations a set included.
valid() {
    np=$1 most=$2
    shift 2
    good "$np" --size 16 --time 0 "$@"
    says out '^Final Summary::HPCG result is VALID with a GFLOP/s rating of=[0-9.e-]+$'
    says out '^Machine Summary::Distributed Processes='"$np"'$'
    says out '^Spectral Convergence Tests::Unpreconditioned::Maximum iteration count=11$'
    says out '^Spectral Convergence Tests::Preconditioned::Maximum iteration count=[12]$'
    needed=$(sed -n 's/^Iteration Count Information::Optimized CG iterations per set=//p' out)
    [ "$needed" -ge 50 ] && [ "$needed" -le "$most" ] || fail "$needed iterations, expected 50 to $most"
}

valid 1 52
says out '^Linear System Information::Number of Nonzero Terms=97336$'
says out '^Multigrid Information::Coarse Grids::Number of Equations=8$'
says out '^Floating Point Operations Summary::Raw WAXPBY=[0-9.e+]+$'
valid 2 52
valid 1 53 --order colour
valid 3 56 --format HLL --order colour
export PSB_DEVICE=fake
valid 1 53 --format HLGP
valid 2 56 --format HLG
export PSB_DEVICE=none

# A format of diagonals gives no rating, nor one that chooses it.
for format in DIA AUTO; do
    run 1 --size 16 --time 0 --format $format --output report
    [ "$status" -eq 1 ] || fail "status $status with $format"
    grep -q '^Final Summary::HPCG result is=INVALID.$' report || fail "$format is not invalid"
    grep -q 'is VALID' report && fail "$format has a rating"
done

if [ -n "$json" ]; then
    good 2 --size 16 --time 0 --json j
    says j '"valid": true'
    says j '"reference_residual": [0-9.]*e-3[123]'
    says j '"Linear System Information::Number of Equations": 8192'
fi
if [ -n "${CHECK_LONG:-}" ] && [ -n "$json" ]; then # the golden residual
    good 1 --size 64 --time 0 --json j
    says j '"reference_residual": 1.1358[89][0-9]*e-11'
fi
# Without the reference: its iterations, but not valid.
run 1 --size 16 --time 0 --reference 3.66234e-41 --output report
[ "$status" -eq 1 ] || fail "status $status without the reference"
grep -q '^Final Summary::Reason=the reference was not run$' report || fail "the reference is not missed"
grep -q '^Iteration Count Information::Optimized CG iterations per set=50$' report || fail "iterations without it"
export PSB_DEVICE=fake
run 2 --size 16 --time 0 --reference 1e-6 --format HLGP --output report
grep -q '^Iteration Count Information::Optimized CG iterations per set=50$' report || fail "iterations on a device"
export PSB_DEVICE=none
good 1 --help
says out '^Usage: .*psb-hpcg'
refused 2 'multiples of 8, at least 16' 1 --size 20
refused 2 'three whole numbers' 1 --size 32abc
refused 2 'an eighth of the largest' 1 --size 16,16,136
refused 2 'the product 1' 1 --size 16 --grid 1,2,1
refused 2 'rows or colour' 1 --size 16 --order red
refused 2 'no format is called' 1 --size 16 --format abc
refused 2 'from 0 to' 1 --size 16 --time -1
refused 2 'both excluded' 1 --size 16 --reference 1

# The device memory of process 1 ends at three places of setup and optimisation: all processes end.
mkdir limited
cat >limited/psb-hpcg <<EOF
#!/bin/sh
[ "\${OMPI_COMM_WORLD_RANK:-\${PMI_RANK:-0}}" -eq 0 ] || export PSB_FAKE_BYTES=\$limit
exec "$tools/psb-hpcg" "\$@"
EOF
chmod +x limited/psb-hpcg
tools=$PWD/limited
export limit PSB_DEVICE=fake
for limit in 400000 1150000 1900000; do
    refused 1 'no device memory for [a-z ]+: [0-9]+ bytes asked' 2 --size 16 --time 0 --format HLGP
done
end "psb-hpcg keeps the rules of the benchmark"
