#!/bin/sh
# names.sh -- no file of a library or layer uses a type, constant or macro that only headers of a higher one declare:
# what layers.sh proves for functions, for names that leave no symbol.  A planted use is detected.  No header has the
# name of one that is included as <name.h>: every folder is searched for headers.
set -eu
export LC_ALL=C
cd "${srcdir:-.}"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Lowest first.
layers="base/core base/device base/par base/mat base/desc base/channel base/vect base/spmat ext rsb cuda/abi cuda/device
    cuda/kernels cuda/formats util linsolve cbind tools"

# Structs whose owner is a higher layer, to which a lower one keeps a pointer.
opaque="psb_channel psb_T_conversions"

# upward FILE...: print each use of a name in a file whose layer is below the lowest one that declares it.
upward() {
    awk -v layers="$layers" -v opaque=" $opaque " '
        # Names of one spelling for all scalars: X(name) and psb_d_name as psb_?_name.  No comments, no strings.
        function plain(s,    name) {
            gsub(/"[^"]*"/, "", s)
            gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "", s)
            if (inside && sub(/^.*\*\//, "", s)) inside = 0
            if (inside) return ""
            if (sub(/\/\*.*$/, "", s)) inside = 1
            sub(/\/\/.*$/, "", s)
            while (match(s, /X\([a-z0-9_]+\)/)) {
                name = substr(s, RSTART + 2, RLENGTH - 3)
                s = substr(s, 1, RSTART - 1) "psb_T_" name substr(s, RSTART + RLENGTH)
            }
            gsub(/psb_[sdcz]_/, "psb_T_", s)
            return s
        }
        function declare(name) {
            if (name ~ /^(psb|PSB|PSBC)_/ && !(name in lowest && lowest[name] <= layer)) {
                lowest[name] = layer
                by[name] = FILENAME
            }
        }
        BEGIN { n = split(layers, layer_name); for (i = 1; i <= n; i++) number[layer_name[i]] = i }
        FNR == 1 {
            folder = FILENAME
            sub(/^.*planted\//, "", folder)
            sub(/\/[^\/]*$/, "", folder)
            layer = number[folder]
            inside = in_enum = 0
            header = FILENAME ~ /\.c?u?h$/
        }
        { line = plain($0) }
        header && line ~ /^ *#(define|undef)/ { split(line, word, /[ (]+/); declare(word[2]) }
        header && match(line, /^ *(typedef )?(struct|union|enum) [A-Za-z0-9_]+ *\{/) {
            name = substr(line, RSTART, RLENGTH - 1)
            sub(/ *$/, "", name)
            sub(/^.* /, "", name)
            declare(name)
        }
        header && line ~ /^ *(typedef )?enum.*\{/ { in_enum = 1 }
        header && in_enum {
            rest = line
            sub(/^.*\{/, "", rest)
            while (match(rest, /PSBC?_[A-Z0-9_]+/)) {
                declare(substr(rest, RSTART, RLENGTH))
                rest = substr(rest, RSTART + RLENGTH)
            }
            if (line ~ /\}/) in_enum = 0
        }
        {
            while (match(line, /(psb|PSBC?)_[A-Za-z0-9_]+/)) {
                name = substr(line, RSTART, RLENGTH)
                line = substr(line, RSTART + RLENGTH)
                if (!((name, FILENAME) in used)) {
                    used[name, FILENAME] = 1
                    where[++uses] = FILENAME ":" FNR
                    at[uses] = layer
                    what[uses] = name
                }
            }
        }
        END {
            for (i = 1; i <= uses; i++)
                if (what[i] in lowest && lowest[what[i]] > at[i] && !index(opaque, " " what[i] " "))
                    print where[i] ": " what[i] ", declared in " by[what[i]]
        }' "$@"
}

files() {
    for layer in $layers; do
        find "$layer" -maxdepth 1 -name '*.[ch]' -o -maxdepth 1 -name '*.cuh' -o -maxdepth 1 -name '*.cu'
    done | sort
}

# shellcheck disable=SC2046  # no file name has a space
upward $(files) >"$dir/found"
status=0
[ ! -s "$dir/found" ] || { cat "$dir/found"; status=1; }
echo "$(files | wc -l) files, $(wc -l <"$dir/found") names of higher layers"

# shellcheck disable=SC2046
grep -hoE '^#include <[a-z_/]+\.h>' $(files) | grep -v '<psb_' | sed 's/.*[</]//; s/>//' | sort -u >"$dir/system"
if files | sed 's/.*\///' | sort | comm -12 - "$dir/system" | grep .; then
    echo "hides the header of the system or of another library"
    status=1
fi

# Only CI with nvcc compiles kernels.
# shellcheck disable=SC2046
if grep -n '#include "psb_\(base\|ext\|cuda\)\.h"' $(files | grep '\.cuh\?$'); then
    echo "a kernel includes a header for users; expected psb_cuda_format.h, which defines structs"
    status=1
fi

mkdir -p "$dir/planted/base/mat"
echo 'struct planted { struct X(hll_mat) *a; enum psb_hyb b; };' >"$dir/planted/base/mat/planted.h"
# shellcheck disable=SC2046
if [ "$(upward $(files) "$dir/planted/base/mat/planted.h" | grep -c planted.h:1:)" -ne 2 ]; then
    echo "planted uses of a type and an enum of ext in base/mat were not found"
    status=1
fi
exit $status
