#!/bin/sh
# build.sh -- build and install for conda, which sets PREFIX, CPU_COUNT, the compiler and its flags.
set -eu
[ -e configure ] || autoreconf -i
mkdir -p build-conda
cd build-conda
../configure --prefix="$PREFIX" --without-cuda --without-rsb --without-petsc
make -j"$CPU_COUNT"
make install-strip
rm -f "$PREFIX"/lib/libpsb_*.la
