#!/bin/sh
# first.sh -- ./demo and ./check as a new user meets them: what they ask for, refuse and print.  configure and the
# commands that install are stand-ins, so that nothing is compiled or installed.
set -u
unset MAKEFLAGS MFLAGS MAKELEVEL VERBOSE # of the make that runs this
here=$(cd "$(dirname "$0")/.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0
fail() {
    echo "FAIL: $*"
    sed 's/^/    /' "$dir/out"
    failures=$((failures + 1))
}

# says PATTERN, silent PATTERN: the last run wrote such a line, or did not.
says() {
    grep -Eq -- "$1" "$dir/out" || fail "does not say: $1"
}
silent() {
    ! grep -Eq -- "$1" "$dir/out" || fail "says: $1"
}

# tree DIR: the scripts, and a configure that remembers its options and makes a Makefile of four files and five tests.
tree() {
    mkdir -p "$1/build-aux" "$1/test" && cp "$here/demo" "$here/check" "$1" && cp "$here/build-aux/setup.sh" "$1/build-aux"
    printf '#!/bin/sh\necho "table: $*"\n' >"$1/test/mpi-run"
    cat >"$1/configure" <<'END'
#!/bin/sh
echo "checking for everything, in many lines"
case "$*" in *--bad*) echo "configure: error: no such option" >&2; exit 1 ;; esac
printf "'%s' " "$@" >options
prefix=/usr/local
for o; do case $o in --prefix=*) prefix=${o#*=} ;; esac; done
printf '#!/bin/sh\n[ "$*" = --config ] && sed "s/^.-q. //" build/options || echo again >>options\n' >config.status
chmod +x config.status
{
    echo "prefix = $prefix"
    printf 'tools/psb-spmv all: a.o b.o c.lo d.o\n\ta=1\n%%.o %%.lo:\n\t@echo "  CC      " $@;touch $@\n'
    printf 'check: all\n\t@test -z "$(VERBOSE)" || for i in 1 2 3 4; do echo "PASS: test$$i"; done\n\t@test ! -e broken || echo "FAIL: test6"\n'
    printf '\t@test -z "$(VERBOSE)" || echo "SKIP: test5"\n'
    printf '\t@test -z "$(VERBOSE)" || printf "# TOTAL: 5\\n# PASS:  4\\n# SKIP:  1\\n# FAIL:  0\\n# ERROR: 0\\nERROR: no\\n"\n'
    printf '\t@test -z "$(VERBOSE)" -o ! -e broken || exit 1\ncount-tests:\n\t@echo 5\n'
} >Makefile
END
    chmod +x "$1"/demo "$1"/check "$1"/configure "$1"/test/mpi-run
}

# A path with everything but Autotools and what installs; commands NAME...: stand-ins that succeed.
mkdir "$dir/bin"
for c in sh sed grep awk tail cat dirname mkdir rm touch tr date chmod nproc sleep make paste env id kill expr test printf echo true; do
    for at in /bin /usr/bin /usr/local/bin; do
        [ ! -x $at/$c ] || ln -sf $at/$c "$dir/bin/$c"
    done
done
commands() {
    for c; do
        printf '#!/bin/sh\nexit 0\n' >"$dir/bin/$c"
        chmod +x "$dir/bin/$c"
    done
}
commands cc pkg-config mpicc mpiexec python3 valgrind

# in_tree DIR COMMAND...: run it there with that path.
in_tree() {
    (cd "$1" && shift && env PATH="$dir/bin" CC=cc "$@") >"$dir/out" 2>&1
    status=$?
}

# A tarball, which has configure: no Autotools; a few lines; the prefix reaches configure.
tree "$dir/plain"
in_tree "$dir/plain" ./demo --prefix=/opt/psbc
[ "$status" -eq 0 ] || fail "demo: status $status"
says '^compile psb-spmv: 4 files, '
says '^table: 2 build/tools/psb-spmv '
says '^demo: PASSED'
says 'make -C build install +to /opt/psbc'
silent 'autoconf|autoreconf|  CC|checking'
[ "$(cat "$dir/plain/build/options")" = "'-q' '--prefix=/opt/psbc' " ] || fail "options: $(cat "$dir/plain/build/options")"
in_tree "$dir/plain" ./demo
says '^compile psb-spmv: 0 files'
silent '^configure'

# More options are added to those of the build, and the last of two that disagree wins.
in_tree "$dir/plain" ./demo --without-cuda CFLAGS="-O1 -g"
says 'make -C build install +to /opt/psbc'
in_tree "$dir/plain" ./demo --prefix=/opt/other
says 'make -C build install +to /opt/other'
[ "$(cat "$dir/plain/build/options")" = "'-q' '--prefix=/opt/psbc' '--without-cuda' 'CFLAGS=-O1 -g' '--prefix=/opt/other' " ] ||
    fail "options: $(cat "$dir/plain/build/options")"

# ./check in the same build: the tests, counted, with a verdict.
in_tree "$dir/plain" ./check
[ "$status" -eq 0 ] || fail "check: status $status"
says '^run the tests: 5, '
says '^tests: 5 passed: 4 skipped: 1 failed: 0 errors: 0$'
says '^SKIP: test5'
says '^check: PASSED'
silent '^PASS|  CC|again'
printf '#!/bin/sh\n[ "$2" != lapack ]\n' >"$dir/bin/pkg-config"
in_tree "$dir/plain" ./check
says '^configure again'
grep -q again "$dir/plain/build/options" || fail "configure did not look again"

# Without liblzma, which reads the matrix of the demo, it makes one.
cp "$dir/bin/pkg-config" "$dir/pkg-config"
printf '#!/bin/sh\n[ "$2" != liblzma ]\n' >"$dir/bin/pkg-config"
in_tree "$dir/plain" ./demo
says '^table: 2 build/tools/psb-spmv --generate '
cp "$dir/pkg-config" "$dir/bin/pkg-config"

touch "$dir/plain/build/broken"
echo "what test6 says" >"$dir/plain/build/test-suite.log"
in_tree "$dir/plain" ./check
[ "$status" -ne 0 ] || fail "check: status 0 with a test that fails"
says '^FAIL: test6'
says '^what test6 says'
silent '^ERROR'
says '^check: FAILED .*build/make.log'

# What fails names its log.
tree "$dir/bad"
in_tree "$dir/bad" ./demo --bad
[ "$status" -eq 1 ] || fail "demo --bad: status $status"
says '^configure: error: no such option'
says '^demo: configure failed .*build/configure.log'
rm -rf "$dir/bad/build"
echo 'exit 1' >"$dir/bin/cc"
sed -i 's/touch [$]@/echo "a.c:1: error: no such thing"; false/' "$dir/bad/configure"
in_tree "$dir/bad" ./demo
[ "$status" -eq 1 ] || fail "demo that does not compile: status $status"
says '^a.c:1: error: no such thing'
says '^demo: make failed .*build/make.log'

# Without permission to install: what is needed, and a line to copy; ./demo does not ask for what only ./check needs.
rm "$dir/bin/mpicc" "$dir/bin/python3" "$dir/bin/valgrind"
printf '#!/bin/sh\nexit 1\n' >"$dir/bin/sudo"
printf '#!/bin/sh\necho 1000\n' >"$dir/bin/id.new" && chmod +x "$dir/bin/sudo" "$dir/bin/id.new" && mv "$dir/bin/id.new" "$dir/bin/id"
commands apt-get
tree "$dir/user"
in_tree "$dir/user" ./demo
[ "$status" -eq 1 ] || fail "demo without MPI: status $status"
says '^not found, needed: libopenmpi-dev [(]MPI[)]'
says '^sudo apt-get install -y --no-install-recommends libopenmpi-dev $'
silent 'scipy|valgrind|liblapack'
in_tree "$dir/user" ./check
says '^sudo apt-get install .* valgrind $'
rm "$dir/user/configure"
in_tree "$dir/user" ./demo
says '^sudo apt-get install .* autoconf automake libtool '

# With permission: one line, and what apt-get says goes to a log.
printf '#!/bin/sh\necho debconf: noise >&2\ncase "$*" in *install*) printf "#!/bin/sh\\n" >%s/bin/mpicc; chmod +x %s/bin/mpicc ;; esac\n' \
    "$dir" "$dir" >"$dir/bin/apt-get"
printf '#!/bin/sh\nshift\nexec "$@"\n' >"$dir/bin/sudo"
tree "$dir/user"
in_tree "$dir/user" ./demo
[ "$status" -eq 0 ] || fail "demo that may install: status $status"
says '^packages: installing libopenmpi-dev $'
silent debconf
grep -q debconf "$dir/user/build/apt.log" || fail "no apt.log"

# Refused at once: a path with a blank; sources that are configured in their own folder.
tree "$dir/a blank"
in_tree "$dir/a blank" ./demo
[ "$status" -eq 1 ] || fail "demo in a path with a blank: status $status"
says '^demo: Autotools cannot build where a path has a blank'
touch "$dir/plain/config.status"
in_tree "$dir/plain" ./demo
[ "$status" -eq 1 ] || fail "demo in configured sources: status $status"
says '^demo: the sources are configured in their own folder; run: make distclean'
echo "$failures failures"
[ "$failures" -eq 0 ]
