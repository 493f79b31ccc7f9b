# setup.sh -- install packages, configure and make in build/: read by ./demo and ./check, which set $goal to their name.
# The arguments, as --prefix=DIR, are options of configure, added to those of an existing build.  demo needs
# psb-spmv alone, check all programs and more packages.  It prints a line a phase; what the commands print is in
# build/*.log.  A second call only rebuilds what has changed.  To start from nothing: rm -r build.
# shellcheck shell=sh disable=SC2154  # goal

die() {
    echo "$goal: $*" >&2
    exit 1
}

case $PWD in
*[[:space:]]*) die "Autotools cannot build where a path has a blank in it: $PWD" ;;
esac
[ ! -e config.status ] || die "the sources are configured in their own folder; run: make distclean"

# Debian package | purpose | command that succeeds if it is installed
# shellcheck disable=SC2016  # the function missing expands the variables
needed='
gcc            | to compile          | command -v ${CC:-cc}
make           | to build            | command -v make
pkg-config     | to find libraries   | command -v pkg-config
libopenmpi-dev | MPI                 | command -v mpicc
openmpi-bin    | to run MPI programs | command -v mpiexec'
[ -e configure ] || needed="$needed
autoconf       | to make configure   | command -v autoconf
automake       | to make configure   | command -v automake
libtool        | to make configure   | command -v libtoolize"
optional='
zlib1g-dev     | matrices in .gz     | pkg-config --exists zlib
liblzma-dev    | matrices in .xz     | pkg-config --exists liblzma
libjansson-dev | reports as JSON     | pkg-config --exists jansson'
[ "$goal" = demo ] || optional="$optional
check          | the tests           | pkg-config --exists check
liblapack-dev  | a few of the tests  | pkg-config --exists lapack
python3-scipy  | a few of the tests  | python3 -c 'import scipy' || /usr/bin/python3 -c 'import scipy'
python3-matplotlib | pictures, pages | python3 -c 'import matplotlib' || /usr/bin/python3 -c 'import matplotlib'
valgrind       | one of the tests    | command -v valgrind"

# missing LIST: print "package (purpose)" for every line whose command fails; packages LIST: only the names.
missing() {
    echo "$1" | while IFS='|' read -r package use found; do
        [ -z "$found" ] || eval "$found" >/dev/null 2>&1 || echo "$package|$use"
    done | sed 's/ *| */ (/; s/ *$/)/'
}

packages() {
    missing "$1" | sed 's/ .*//' | tr '\n' ' '
}

# within LOG COMMAND...: run the command, its output in build/LOG, whose end is printed if it fails.
within() {
    log=$1
    shift
    "$@" >"build/$log" 2>&1 </dev/null || {
        tail -n 20 "build/$log" >&2
        die "this failed: $* (all of its output: build/$log)"
    }
}

# progress PATTERN OF WHAT: until the caller ends or stops it, tell every half minute how many of the lines that are to
# come with the pattern are in build/make.log; and, from a tenth of them on, how long the rest takes at this pace, unless
# that is more than was told before.
progress() {
    spent=0 least=100000
    while sleep 1 && kill -0 $$ 2>/dev/null; do
        spent=$((spent + 1))
        [ $((spent % 30)) -eq 0 ] || continue
        done=$(grep -cE "$1" build/make.log || :) left=
        [ "$done" -lt "$2" ] || continue
        rest=$(((spent * ($2 - done) / (done + 1) + 9) / 10 * 10))
        [ $((done * 10)) -lt "$2" ] || [ "$rest" -gt "$least" ] || { least=$rest && left=", about $rest s left"; }
        echo "  $done of $2 $3$left"
    done
}

# watched PATTERN OF WHAT COMMAND...: run the command within make.log while telling its progress; its status.
watched() {
    : >build/make.log
    progress "$1" "$2" "$3" &
    watcher=$!
    shift 3
    status=0
    "$@" >build/make.log 2>&1 </dev/null || status=$?
    kill $watcher 2>/dev/null || :
    wait $watcher 2>/dev/null || :
    return $status
}

# compile WHAT TENTHS TARGET...: make the targets; a file takes this many tenths of a second of a core.  make -n would
# take config.h for new if configure has left it as it was, and prints a file for each target that needs it.
compile() {
    what=$1 tenths=$2
    shift 2
    files=$(make -C build -n -o config.h MAKE='make -o config.h' "$@" 2>/dev/null |
        awk '/^echo "  (CC|GEN) +" [^ ]*o;/ && !seen[$5]++ { n++ } END { print n + 0 }')
    echo "compile $what: $files files, $cores at a time, about $((files * tenths / 10 / cores + 5)) s"
    watched '^  (CC|GEN) .*o$' "$files" files make -C build -j"$cores" "$@" || {
        grep -E -m 5 'error:|\*\*\*|undefined reference' build/make.log >&2 || tail -n 20 build/make.log >&2
        die "make failed (all of its output: build/make.log)"
    }
}

cores=$(nproc)
mkdir -p build
start=$(date +%s)

# On the first call, and after a needed package was removed, install what is missing if root or sudo permits it.
sudo=
[ "$(id -u)" -eq 0 ] || sudo="sudo -n"
if [ -n "$(missing "$needed")" ] || { [ ! -e "build/$goal.done" ] && [ -n "$(missing "$optional")" ]; }; then
    wanted=$(packages "$needed$optional")
    if command -v apt-get >/dev/null && $sudo true 2>/dev/null; then
        echo "packages: installing $wanted"
        apt="$sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0"
        # shellcheck disable=SC2086  # lists of words
        {
            $apt update
            $apt install -y --no-install-recommends $wanted ||
                for package in $wanted; do $apt install -y --no-install-recommends "$package"; done
        } >build/apt.log 2>&1 </dev/null || :
    fi
    missing "$needed" | sed 's/^/not found, needed: /' >&2
    missing "$optional" | sed 's/^/not found, optional: /'
    wanted=$(packages "$needed$optional")
    [ -z "$wanted" ] || echo "sudo apt-get install -y --no-install-recommends $wanted"
    [ -z "$(missing "$needed")" ] || die "install what is needed; the line above does so on Debian and Ubuntu"
fi

# What configure looks for; if more of it has come since the last time, configure looks again.
found=$(for name in zlib liblzma jansson check lapack; do pkg-config --exists $name && echo $name || :; done)
# Later changes of configure.ac, Makefile.am and the files that they include are handled by make.
if [ ! -e configure ]; then
    echo "autoreconf: about 20 s"
    within autoreconf.log autoreconf -i
fi
if [ $# -gt 0 ] || [ ! -e build/config.status ]; then
    echo "configure: about 20 s"
    # The options of the existing build come first, since the last of two that disagree wins.
    [ ! -e build/config.status ] || eval "set -- $(build/config.status --config) \"\$@\""
    (cd build && ../configure -q "$@") >build/configure.log 2>&1 </dev/null || {
        grep '^configure: error' build/configure.log >&2 || tail -n 20 build/configure.log >&2
        die "configure failed (all of its output: build/configure.log, build/config.log)"
    }
elif [ "$found" != "$(cat build/found 2>/dev/null)" ]; then
    echo "configure again, since the packages have changed: about 20 s"
    within configure.log sh -c 'cd build && ./config.status --recheck && ./config.status'
fi
echo "$found" >build/found

if [ "$goal" = demo ]; then
    compile psb-spmv 25 tools/psb-spmv
else
    compile "the library and its programs" 40 all
    compile "the tests" 6 check TESTS=
fi
touch "build/$goal.done"
echo "built in $(($(date +%s) - start)) s"
