#!/bin/sh
# setup.sh -- install packages, configure and make, called by ./demo and ./check.  The result is in build/.
#   setup.sh [TARGET...]    make these instead of all
# A second call only rebuilds what has changed.  To start from nothing: rm -r build.
set -eu
cd "$(dirname "$0")/.."

case $PWD in
*[[:space:]]*)
    echo "Autotools cannot build where a path has a space in it: $PWD" >&2
    exit 1
    ;;
esac

# Debian package | purpose | command that succeeds if it is installed
# shellcheck disable=SC2016  # the function missing expands the variables
needed='
gcc            | to compile          | command -v ${CC:-cc}
make           | to build            | command -v make
autoconf       | to make configure   | command -v autoconf
automake       | to make configure   | command -v automake
libtool        | to make configure   | command -v libtoolize
pkg-config     | to find libraries   | command -v pkg-config
libopenmpi-dev | MPI                 | command -v mpicc
openmpi-bin    | to run MPI programs | command -v mpiexec'
optional='
check          | the tests           | pkg-config --exists check
zlib1g-dev     | matrices in .gz     | pkg-config --exists zlib
liblzma-dev    | matrices in .xz     | pkg-config --exists liblzma
libjansson-dev | reports as JSON     | pkg-config --exists jansson
liblapack-dev  | a few of the tests  | pkg-config --exists lapack
python3-scipy  | a few of the tests  | python3 -c "import scipy" || /usr/bin/python3 -c "import scipy"
valgrind       | one of the tests    | command -v valgrind'

# missing LIST: print "package (purpose)" for every line whose command fails; packages LIST: only the names.
missing() {
    echo "$1" | while IFS='|' read -r package use found; do
        eval "$found" >/dev/null 2>&1 || echo "$package|$use"
    done | sed 's/ *| */ (/; s/ *$/)/'
}

packages() {
    missing "$1" | sed 's/ .*//'
}

apt() {
    echo "apt-get $*"
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" </dev/null >/dev/null || true
}

# On the first call, and after a needed package was removed, install what is missing if root or sudo permits it.
sudo=
[ "$(id -u)" -eq 0 ] || sudo="sudo -n"
if [ ! -e build/Makefile ] || [ -n "$(missing "$needed")" ]; then
    if [ -n "$(missing "$needed$optional")" ] && command -v apt-get >/dev/null && $sudo true 2>/dev/null; then
        apt update
        # shellcheck disable=SC2046  # a word for each package
        apt install -y --no-install-recommends $(packages "$needed")
        for package in $(packages "$optional"); do
            apt install -y --no-install-recommends "$package"
        done
    fi
fi

missing "$optional" | sed 's/^/not found, optional: /'
missing "$needed" | sed 's/^/not found, needed: /' >&2
[ -z "$(missing "$needed")" ] || exit 1

# Later changes of configure.ac, Makefile.am and the files that they include are handled by make.
if [ ! -e Makefile.in ]; then
    echo "autoreconf -i"
    autoreconf -i >/dev/null
fi
mkdir -p build
cd build
if [ ! -e Makefile ]; then
    echo "configure"
    ../configure -q --disable-static # static libraries, which no program here uses, would double the build time
fi
make -s -j"$(nproc)" "$@"
