#!/bin/sh
# adding-a-format.sh -- follow docs/adding-a-format.md in a copy of the tree: extract the files and lines of both
# formats, count what they touch besides their own files, build, and run suite "formats" on them with the fake device;
# with nvcc, compile the kernel too.
# SCALARS: the scalar types, d by default.
set -eu
srcdir=$(cd "${srcdir:-.}" && pwd)
for tool in autoreconf libtoolize pkg-config; do
    command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
if grep -q '^\(SANITIZE\|COVERAGE\)_FLAGS = ..*' Makefile; then
    echo "skipped: it would build as it does from a build without sanitizers or counts"
    exit 77
fi
pkg-config --exists check || { echo "skipped: no Check"; exit 77; }

tree=$(mktemp -d)
trap 'chmod -R u+w "$tree"; rm -rf "$tree"' EXIT
product="base ext rsb cuda util linsolve cbind cxx tools"
parts="$(cd "$srcdir" && echo configure.ac Makefile.am LICENSE *.in) m4 build-aux $product test docs examples"
for part in $parts; do
    cp -R "$srcdir/$part" "$tree/"
done
chmod -R u+w "$tree"
page=$srcdir/docs/adding-a-format.md

# block FILE: print the code block that follows the line `FILE`.
block() {
    awk -v name="$1" '
        index($0, "`" name "`") == 1 { found = 1; next }
        found && /^```/ { if (inside) exit; inside = 1; next }
        inside { print }' "$page"
}

cd "$tree"
for file in ext/psb_dcsr.t.h ext/dcsr.c cuda/formats/psb_dcsrg.t.h cuda/formats/dcsrg.c cuda/formats/dcsrg.cu; do
    block $file > $file
    test -s $file
done
for list in ext/ext_formats.h cuda/cuda_formats.h; do
    block $list >> $list
done
sed -i "/\"psb_ell.t.h\"/a $(block ext/psb_ext.t.h)" ext/psb_ext.t.h
sed -i "/\"psb_csrg.t.h\"/a $(block cuda/psb_cuda.t.h)" cuda/psb_cuda.t.h
line=$(block ext/local.mk)
awk -v line="$line" '{ print } /^ext_formats = / { print line }' ext/local.mk > local.new
mv local.new ext/local.mk
sed -i "/^cuda_own_kernels =/a $(block cuda/local.mk)" cuda/local.mk

# refines FORMAT FILE: is the file that of a format whose super is this one?
refines() {
    grep -q "super = &X($1_mold)" "$2"
}

# touched FORMAT LIBRARY: fail unless the product names the format only in its own files, in those of formats that
# refine it, and in a line of each of the three lists of its library.
touched() {
    for list in $2/$2_formats.h $2/psb_$2.t.h $2/local.mk; do
        test "$(grep -cw -e "$1" -e "psb_$1" $list)" = 1 || { echo "$list: expected one line for $1"; exit 1; }
    done
    for file in $(grep -rlwi -e "$1" -e "$1_[a-z_]*" -e "psb_$1" $product); do
        case $file in
        */$1*.c | */$1*.cu | */psb_$1*.t.h | $2/$2_formats.h | $2/psb_$2.t.h | $2/local.mk) ;;
        */formats/*) refines $1 $file || { echo "$file names $1, a format of its own"; exit 1; } ;;
        *) echo "$file names $1, a format of its own"; exit 1 ;;
        esac
    done
}
touched dcsr ext
for own in $(sed -n 's|^cuda_own_kernels += cuda/formats/\(.*\)\.c$|\1|p' cuda/local.mk); do
    touched $own cuda
done
for part in $parts; do
    diff -r "$srcdir/$part" $part || true
done >changed
test "$(grep -c '^diff ' changed)" = 6 && test "$(grep -c '^[<>]' changed)" = 6 && test "$(grep -c '^Only in' changed)" = 5 ||
    { cat changed; echo "expected three files with a new line for each of both formats, besides their own files"; exit 1; }
rm changed

scalars=${SCALARS:-d}
autoreconf -i >/dev/null 2>&1
mkdir build
cd build
../configure -q --without-cuda --disable-shared --enable-static CFLAGS=-O0 >/dev/null
for t in $scalars; do
    nice -n 19 make -s test/suites_$t
    PSB_DEVICE=fake "$srcdir/test/mpi-run" 1 test/check_formats_$t > out || { cat out; exit 1; }
    for format in DCSR DCSRG; do
        grep -q "contract: $format\>" out || { echo "check_formats_$t has not tested $format"; exit 1; }
    done
done
echo "DCSR and DCSRG, built as docs/adding-a-format.md says, pass the contract suite"

# Compile the same files in a build with CUDA, if there is nvcc: one object of C and one of CUDA.
cd ..
mkdir cuda-build
cd cuda-build
../configure -q --disable-shared --enable-static >out 2>&1
grep -q '^#define HAVE_CUDA 1' config.h || { echo "the kernel is not compiled: no nvcc"; exit 0; }
nice -n 19 make -s cuda/formats/libcuda_d_la-typed_formats.lo cuda/formats/dcsrg.lo >out 2>&1 || { cat out; exit 1; }
nm cuda/formats/dcsrg.o | grep -q ' [DR] psb_d_dcsr_kernels_cuda'
echo "the kernel of DCSRG compiles with nvcc"
