#!/bin/sh
# layers.sh -- no layer of base or cuda uses a symbol of a higher layer, and no launcher calls a function of the
# device, according to nm.  Run in the build tree.  An object added in a temporary folder proves that an upward call
# is detected.
set -eu
export LC_ALL=C
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0

# objects FOLDER: print the object files of a layer: libtool's shared ones or, if there are none, the static ones, and
# those in the temporary folder.
objects() {
    if ls "$1"/.libs/*.o >/dev/null 2>&1; then
        ls "$1"/.libs/*.o
    else
        find "$1" -maxdepth 1 -name '*.o'
    fi
    [ ! -d "$dir/$1" ] || ls "$dir/$1"/*.o
}

# symbols FOLDER LETTERS: print "symbol file" for each symbol of its objects whose type in nm is one of LETTERS.
symbols() {
    objects "$1" | xargs -r nm -A -P | awk -v want="$2" '
        index(want, $3) { file = $1; sub(/:$/, "", file); print $2, file }' | sort -u
}

# upward LIBRARY LAYER...: layers from the lowest to the highest; print each symbol that a layer needs of a higher one.
upward() {
    library=$1
    shift
    while [ $# -gt 1 ]; do
        layer=$1
        shift
        symbols "$library/$layer" U >"$dir/undefined"
        for higher; do
            symbols "$library/$higher" TDBRCVW >"$dir/defined"
            join "$dir/undefined" "$dir/defined" |
                awk -v a="$library/$layer" -v b="$library/$higher" '{ print a " needs " $1 " of " b ": " $2 ", " $3 }'
        done
    done
}

# check LIBRARY LAYER...: fail if there is such a symbol, or a layer without objects.
check() {
    library=$1
    shift
    for layer; do
        [ -n "$(objects "$library/$layer")" ] || { echo "$library/$layer has no object"; status=1; }
    done
    upward "$library" "$@" >"$dir/found"
    [ ! -s "$dir/found" ] || { cat "$dir/found"; status=1; }
    echo "$library: $# layers, $(wc -l <"$dir/found") calls upward"
}

check base core device par mat desc channel vect spmat
check cuda abi device kernels formats

# nvcc compiles the call of a function of the device from the host as exit(1), with a warning at most.
for object in $(objects cuda/kernels | grep '_kernels\.o$'); do
    if nm "$object" | grep -w 'U exit' >/dev/null; then
        echo "$object: a launcher calls a function of the device"
        status=1
    fi
done

mkdir -p "$dir/base/core"
echo 'int psb_cdasb(void *d); int planted(void *d); int planted(void *d) { return psb_cdasb(d); }' >"$dir/planted.c"
$(sed -n 's/^CC = //p' Makefile) -c "$dir/planted.c" -o "$dir/base/core/planted.o"
upward base core desc >"$dir/found"
if ! grep '^base/core needs psb_cdasb of base/desc: .*planted.o' "$dir/found" >/dev/null; then
    echo "a planted call from base/core to base/desc was not found"
    status=1
fi
exit $status
