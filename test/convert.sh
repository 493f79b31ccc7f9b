#!/bin/sh
# convert.sh -- the programs psb-convert and psb-plot, and the pages and tables of --report and --csv.
set -u
here=$(cd "$(dirname "$0")" && pwd)
built=$PWD
shared=${CK_SHARED:-$here/../../shared}
# shellcheck source=test/programs-lib.sh
. "$here/programs-lib.sh"
use psb-convert

# to IN OUT: it is converted.
to() {
    good 0 "$@"
}

# ---- a small matrix, byte by byte, in the formats as they are documented
#     ( 1 .  2 . )
#     ( . .  . . )
#     ( 3 4  . 5 )
cat >a.mtx <<'END'
%%MatrixMarket matrix coordinate real general
3 4 6
3 1 3
1 3 2
3 2 4.5
1 1 1
3 4 5
3 2 -0.5
END
to a.mtx a.petsc
od -An -v -tx1 a.petsc | tr -d ' \n' >bytes
{
    printf 00127b50 # 1211216
    printf '%08x' 3 4 5 2 0 3 0 2 0 1 3
    printf '%s0000000000000' 3ff 400
    printf '%s000000000000' 4008 4010 4014
} >expected
cmp -s bytes expected || fail "a.petsc: $(cat bytes)"
to a.mtx a.rb
cat >expected <<'END'
a.mtx                                                                   a       
             4             1             1             2
rra                        3             4             5             0
(40I2)          (40I2)          (3E26.16)           
 1 3 4 5 6
 1 3 3 1 3
    1.0000000000000000E+00    3.0000000000000000E+00    4.0000000000000000E+00
    2.0000000000000000E+00    5.0000000000000000E+00
END
cmp -s a.rb expected || fail "a.rb: $(cat a.rb)"
to a.petsc back.mtx
cat >expected <<'END'
%%MatrixMarket matrix coordinate real general
3 4 5
1 1 1
1 3 2
3 1 3
3 2 4
3 4 5
END
cmp -s back.mtx expected || fail "back.mtx: $(cat back.mtx)"

# ---- one triangle is kept where the format has triangles; both with --expand
cat >s.mtx <<'END'
%%MatrixMarket matrix coordinate complex hermitian
2 2 2
1 1 1 0
1 2 3 4
END
to s.mtx s.rb
says s.rb '^cha'
to s.rb s2.mtx.gz
gzip -dc s2.mtx.gz >s2.mtx
says s2.mtx 'coordinate complex hermitian'
says s2.mtx '^2 1 3 -4$'
to --expand s.rb s2.mtx
says s2.mtx 'coordinate complex general'
says s2.mtx '^1 2 3 4$'
[ "$(wc -l <s2.mtx)" -eq 5 ] || fail "not three entries"

# ---- what is wrong is said
refused 2 'its ending names no format; expected --from' 1 a.txt b.mtx
refused 2 'expected mm, hb, petsc, npz or json' 1 --to csr a.mtx b
refused 2 'two files' 1 a.mtx
refused 2 'json is only written' 1 a.json b.mtx
refused 2 'OUT is .*the file of IN' 1 a.mtx a.mtx
refused 2 '2 processes; expected one' 2 a.mtx b.rb
refused 1 'none.petsc: cannot be read' 1 none.petsc b.mtx
refused 1 'not a matrix in PETSc' 1 --from petsc a.mtx b.mtx
head -c 80 a.petsc >cut.petsc
refused 1 '80 bytes, where 3 rows and 5 entries need 88, or 128' 1 cut.petsc b.mtx
{ head -c 16 a.petsc && printf '\0\0\0\11' && tail -c +21 a.petsc; } >long.petsc
refused 1 'row 1 has 9 entries; expected 0 to 5' 1 long.petsc b.mtx
{ head -c 28 a.petsc && printf '\0\0\0\4' && tail -c +33 a.petsc; } >wide.petsc
refused 1 'the column of entry 1 is 4; expected 0 to 3' 1 wide.petsc b.mtx
# what is interrupted leaves no temporary files: a script in Python's place ends the program that waits for it
mkdir slow temporary
cat >slow/python3 <<'END'
#!/bin/sh
echo some >"$4"
kill -s TERM $PPID
END
chmod 755 slow/python3
TMPDIR=$PWD/temporary PATH=$PWD/slow:$PATH run 1 a.npz b.petsc
[ "$status" -gt 128 ] || fail "status $status after SIGTERM"
rmdir temporary/* 2>/dev/null && fail "an empty folder is left"
[ -z "$(ls temporary)" ] || fail "after SIGTERM there is $(ls -R temporary)"
sed 's/ 2$/ inf/' a.mtx >inf.mtx
refused 1 'entry [(]1, 3[)] is not finite' 1 inf.mtx b.rb
k=0
for file in "$shared"/matrices/malformed/*.mtx; do
    k=$((k + 1))
    [ $((k % 20)) -ne 0 ] || grep -q "^${file##*/}	policy" "$shared/matrices/malformed/INDEX.tsv" || [ ! -e "$file" ] ||
        refused 1 "${file##*/}" 1 "$file" b.rb
done

# ---- tables, reports, pictures
use psb-spmv
if [ -n "$json" ]; then
    refused 2 'a name that ends with .html' 1 --matrix a.mtx --report page
else
    refused 2 'built without jansson' 1 --matrix a.mtx --report page.html
fi
python=
for p in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! "$p" -c 'import matplotlib' 2>/dev/null || python=$p
done
PATH=$tools:$PATH
export PATH
if [ -n "$json" ]; then
    mkdir -p without/scipy
    echo 'raise ImportError' | tee without/matplotlib.py >without/scipy/__init__.py
    PYTHONPATH=$PWD/without run 2 --matrix a.mtx --format csr,ell --reps 1 --report page.html --csv t.csv
    [ "$status" -eq 1 ] || fail "status $status without Matplotlib"
    says err 'python3-matplotlib|psb-plot cannot be run'
    says err 'the report is in page.json'
    says page.json '"row_lengths"'
    says t.csv '^format,type,ranks,rows,.*,max_error,where,halo'
    says t.csv '^"(CSR|ELL)","d",2,3,4,5,'
    [ "$(wc -l <t.csv)" -eq 3 ] || fail "t.csv has not three lines"
    use psb-convert
    PYTHONPATH=$PWD/without refused 1 'needs python3 with SciPy' 1 a.mtx b.npz
    use psb-spmv
fi
if [ -z "$json" ] || [ -z "$python" ]; then
    echo "no pages: without jansson or Matplotlib (Debian: libjansson-dev python3-matplotlib)"
else
    # page FILE PICTURES: a complete page that needs nothing else.
    page() {
        says "$1" '</html>$'
        [ "$(grep -o '<img ' "$1" | wc -l)" -eq "$2" ] || fail "$1: not $2 pictures"
        grep -Eq '(src|href)="?[^d"]' "$1" && fail "$1 needs other files"
    }
    good 1 --generate lap7:5 --format csr,ell,dns --reps 1 --report page.html
    page page.html 6
    use psb-pargen
    good 2 --size 6 --report solve.html --csv s.csv
    page solve.html 7
    says solve.html '<code>mpirun -np 2 [^ ]*psb-pargen --size 6'
    says s.csv '^type,partition,.*,ranks,method,prec,.*,iterations,'
    printf '%%%%MatrixMarket matrix coordinate real general\n0 3 0\n' >none.mtx
    for file in s.rb none.mtx; do
        alone psb-plot "$file" "$file.png" >out 2>err || fail "psb-plot $file"
        head -c 4 "$file.png" | grep -q PNG || fail "$file.png is no picture"
    done
    echo '{}' >t.json
    alone psb-plot t.json t.png >out 2>err && fail "a picture from a report without"
    says err 'no picture of the matrix'
fi

# ---- SciPy reads what was written, and is read
for p in python3 /usr/bin/python3; do
    if "$p" -c 'import scipy.io' 2>/dev/null; then
        cd "$built" || exit 1
        "$p" "$here/convert.py" "$tools/psb-convert" "$shared" "$dir" || failures=$((failures + 1))
        cd "$dir" && end "psb-convert and psb-plot work, also with SciPy"
    fi
done
end "psb-convert and psb-plot work; no SciPy (Debian: python3-scipy) to compare with"
