#!/bin/sh
# compare-scipy.sh -- compare psb-spmv with SciPy; see compare_scipy.py.
here=$(dirname "$0")
if grep -q '^SANITIZE_FLAGS = ..*' Makefile; then
    echo "skipped: a build with sanitizers; psb-spmv.sh runs there"
    exit 77
fi
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import scipy.io' 2>/dev/null; then
        exec "$python" "$here/compare_scipy.py" tools/psb-spmv "${CK_SHARED:-$here/../../shared}"
    fi
done
echo "skipped: no SciPy (Debian: python3-scipy)"
exit 77
