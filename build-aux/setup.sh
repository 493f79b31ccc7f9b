#!/bin/sh
# setup.sh -- what ./demo and ./check need first: packages, configure, make.  The result is in build/.
# Done once; a second call takes a moment.  To begin afresh: rm -r build.
set -eu
cd "$(dirname "$0")/.."

case $PWD in
*[[:space:]]*)
    echo "Autotools cannot build where a path has a space in it: $PWD" >&2
    exit 1
    ;;
esac

# Debian's package | what for | how to see that it is there
# shellcheck disable=SC2016  # expanded by missing
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
libjansson-dev | psb-spmv --json     | pkg-config --exists jansson
python3-scipy  | a few of the tests  | python3 -c "import scipy" || /usr/bin/python3 -c "import scipy"
valgrind       | one of the tests    | command -v valgrind'

# missing LIST: "package (what for)" of every line whose test fails; packages LIST: the packages alone.
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

# The first time, and when something needed has gone: install what is missing, if we may.
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

# Later changes of configure.ac, Makefile.am and their parts are make's business.
if [ ! -e Makefile.in ]; then
    echo "autoreconf -i"
    autoreconf -i >/dev/null
fi
mkdir -p build
cd build
if [ ! -e Makefile ]; then
    echo "configure"
    ../configure -q
fi
make -s -j"$(nproc)"
