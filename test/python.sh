#!/bin/sh
# python.sh -- the Python interface with the shared libraries of the build tree: installed by pip, its tests on 1 and 2
# processes and the fake device, its examples.  Run in the build tree.
set -u
srcdir=$(cd "${srcdir:-.}" && pwd)
skip() {
    echo "skipped: $*"
    exit 77
}
ls .libs/libpsb_linsolve.so.* >/dev/null 2>&1 || skip "no shared libraries (configure --enable-shared)"
! grep -q '^SANITIZE_FLAGS = ..*' Makefile || skip "a build with sanitizers"
for python in python3 /usr/bin/python3 ''; do
    [ -n "$python" ] || skip "no Python with mpi4py, SciPy and pytest (Debian: python3-mpi4py python3-scipy python3-pytest)"
    "$python" -c 'import mpi4py, scipy.sparse, pytest' 2>/dev/null && break
done

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp -R "$srcdir/python" "$dir/python" && chmod -R u+w "$dir/python"
if "$python" -c 'import setuptools, wheel, pip' 2>/dev/null; then
    "$python" -m pip -q install --no-deps --no-build-isolation --no-index --disable-pip-version-check --root-user-action=ignore \
        --target "$dir/installed" "$dir/python" || exit 1
else
    echo "no pip, setuptools and wheel: the package is not installed"
    mkdir "$dir/installed" && cp -R "$dir/python/psbc" "$dir/installed"
fi
LD_LIBRARY_PATH=$PWD/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} PYTHONPATH=$dir/installed PYTHONDONTWRITEBYTECODE=1
export LD_LIBRARY_PATH PYTHONPATH PYTHONDONTWRITEBYTECODE
unset PSBC_PREFIX
export CK_YIELD=none # test/yield.c needs an MPI that the program itself is linked with
refused=$("$python" -c 'import psbc' 2>&1) || case $refused in
*"expected one MPI"*) skip "mpi4py is for another MPI: ${refused##*ImportError: }" ;;
esac
# The cells of the notebook as a program.
"$python" -c 'import json, sys
print("\n".join("".join(c["source"]) for c in json.load(open(sys.argv[1]))["cells"] if c["cell_type"] == "code"))' \
    "$dir/python/examples/poisson.ipynb" >"$dir/notebook.py" || exit 1

status=0
# run PROCESSES DEVICE ARGUMENT...
run() {
    n=$1 PSB_DEVICE=$2
    export PSB_DEVICE
    shift 2
    echo "== $n processes, device $PSB_DEVICE: $*"
    timeout -k 10 600 "${SHELL:-/bin/sh}" "$srcdir/test/mpi-run" "$n" "$python" "$@" >"$dir/out" 2>&1
    rc=$? lines=2
    [ $rc -eq 0 ] || status=1 lines=100
    tail -n $lines "$dir/out"
}
cd "$dir/python" || exit 1
export PYTEST_DISABLE_PLUGIN_AUTOLOAD=1
run 1 none -m pytest -q --color=no -p no:cacheprovider tests
run 2 fake -m pytest -q --color=no -p no:cacheprovider tests
run 2 none examples/poisson.py
run 2 fake examples/poisson.py
run 1 none "$dir/notebook.py"
# An exception on one process alone ends all.
timeout -k 10 60 "${SHELL:-/bin/sh}" "$srcdir/test/mpi-run" 2 "$python" -c '
import psbc
c = psbc.Context()
if c.rank == 1:
    raise ValueError("only here")
psbc.Descriptor(c, 10)' >"$dir/out" 2>&1
rc=$?
if [ $rc -eq 0 ] || [ $rc -eq 124 ] || ! grep -q 'ValueError: only here' "$dir/out"; then
    echo "an exception on one process: status $rc"
    cat "$dir/out"
    status=1
fi
exit $status
