#!/bin/sh
# layers.sh -- no layer of a room calls a higher one: what the objects of a folder leave undefined is defined by none
# of the folders behind it in its room's list.  With --planted, see that a call upward would be found.
#   layers.sh [ROOM "LAYER ..."]
set -eu

# objects FOLDER: the object files of a layer, of whichever build.
objects() {
    find "$1" -maxdepth 1 -name '*.o'
    [ ! -d "$1/.libs" ] || find "$1/.libs" -maxdepth 1 -name '*.o'
}

# symbols FOLDER LETTERS: "symbol file" of what its objects define (nm's letters TDBRCV) or leave undefined (U).
symbols() {
    objects "$1" | xargs -r nm -A -P | awk -v want="$2" '
        index(want, $3) { file = $1; sub(/:$/, "", file); print $2, file }' | sort -u
}

# upward ROOM LAYER...: a line for each call from a layer to one behind it.
upward() {
    room=$1
    shift
    while [ $# -gt 1 ]; do
        layer=$1
        shift
        symbols "$room/$layer" U >layers.undefined
        for higher; do
            symbols "$room/$higher" TDBRCVW >layers.defined
            join layers.undefined layers.defined |
                awk -v a="$room/$layer" -v b="$room/$higher" '{ print a " needs " $1 " of " b ": " $2 ", " $3 }'
        done
    done
}

# check ROOM LAYER...: fail where there is such a call, or where a layer has no object.
check() {
    room=$1
    shift
    for layer; do
        [ -n "$(objects "$room/$layer")" ] || { echo "$room/$layer has no object"; status=1; }
    done
    upward "$room" "$@" >layers.found
    [ ! -s layers.found ] || { cat layers.found; status=1; }
    echo "$room: $# layers, $(wc -l <layers.found) calls upward"
}

status=0
export LC_ALL=C
check base core device par mat desc vect spmat
check cuda abi device kernels formats

# The test sees a call upward: core, asked as if it stood above all others, is one.
upward base spmat core >layers.found
[ -s layers.found ] || { echo "calls of core from spmat were not seen"; status=1; }
rm -f layers.undefined layers.defined layers.found
exit $status
