#!/bin/bash
# dependencies.sh PART OBJECTS...: whether the folders of PART depend on each other as PART/README.md says.
#
# The README draws the diagram in a fenced block, one line a folder: "judge -> jail session", or "jail ->" if it needs
# none. The arrows that exist come from the objects under OBJECTS/FOLDER: an object of folder A needs a symbol that only
# folder B defines. A header alone makes no arrow. Neither does a weak definition, which C++ puts into many objects, nor
# a symbol that matches $NOT_OURS: an adapter that stands in for a function of the CUDA runtime does not own that name.
#
# Inside a folder, more than three files that all call each other are one file that nobody wrote. The README may allow
# more, with the reason after the colon: "`time/` has 6: …".
#
# Prints each problem: an undeclared arrow, an arrow that nothing uses, a cycle, a knot of files that is too large or smaller than allowed,
# a folder without a line or objects.
# PART/tests is no part of the diagram: tests may look everywhere.
set -eu -o pipefail
part=$1
shift
roots=("$@")

diagram=$(sed -nE '/^```/,/^```/s/^([a-z_]+) ->(( [a-z_]+)*)$/\1\2/p' "$part/README.md")
[ -n "$diagram" ] || { echo "no diagram in $part/README.md"; exit; }

# objects FOLDER: those whose source is still there
objects() {
    local root object source
    for root in "${roots[@]}"; do
        [ ! -d "$root/$1" ] || find "$root/$1" -name '*.o' | while read -r object; do
            source=$part${object#"$root"}
            source=${source%.o}
            for source in "$source" "$source.c" "$source.S"; do [ ! -f "$source" ] || echo "$object"; done
        done
    done
}

# symbols: "FOLDER SYMBOL TYPE" of all folders
symbols() {
    local folder found
    while read -r folder _; do
        found=$(objects "$folder")
        [ -n "$found" ] || echo "no objects of $part/$folder are built" >&2
        [ -z "$found" ] || xargs nm -gP <<<"$found" | awk -v folder="$folder" 'NF > 1 { print folder, $1, $2 }'
    done <<<"$diagram"
}

# arrows: "FROM TO SYMBOL" for each symbol that FROM needs and does not define itself
arrows() {
    awk -v not_ours="${NOT_OURS:-^$}" '
         $2 ~ not_ours { next }
         $3 ~ /[Uwv]/ { needs[$1, $2] }
         $3 ~ /[A-TX-Z]/ { defines[$1, $2]; by[$2] = by[$2] " " $1 }
         END {
             for (need in needs) {
                 if (need in defines) continue
                 split(need, n, SUBSEP)
                 for (k = split(by[n[2]], to, " "); k > 0; k--) print n[1], to[k], n[2]
             }
         }' | sort -u -k 1,2
}

drawn=$(awk '{ for (i = 2; i <= NF; i++) print $1, $i }' <<<"$diagram" | sort)
folders=$(awk '{ print $1 }' <<<"$diagram" | sort)
found=$(symbols | arrows)

find "$part" -mindepth 2 -name '*.[cS]' | sed "s|^$part/\([^/]*\)/.*|\1|" | sort -u | grep -vx tests |
    comm -13 <(echo "$folders") - | sed "s|^|the diagram lacks the folder |"
awk 'FILENAME != "-" { drawn[$1 " -> " $2]; next }
     NF { found[$1 " -> " $2]; if (!($1 " -> " $2 in drawn)) print "undeclared:", $1, "->", $2, "for", $3 }
     END { for (arrow in drawn) if (!(arrow in found)) print "unused:", arrow }' <(echo "$drawn") - <<<"$found"
{ echo "$drawn"; awk '{ print $1, $2 }' <<<"$found"; } | tsort 2>&1 >/dev/null |
    sed 's/^tsort: -: .*loop:/a cycle:/; s/^tsort: /  /' || true

# calls FOLDER: a graph of its object files
calls() {
    objects "$1" | xargs -r nm -gPA | sed -E 's|^.*/([^/]*)\.o: |\1 |' | awk '
        $3 ~ /[Uwv]/ { needs[$1, $2] }
        $3 ~ /[A-TX-Z]/ { by[$2] = by[$2] " " $1 }
        END {
            print "digraph {"
            for (need in needs) {
                split(need, n, SUBSEP)
                for (k = split(by[n[2]], to, " "); k > 0; k--) if (to[k] != n[1]) print "\"" n[1] "\" -> \"" to[k] "\""
            }
            print "}"
        }'
}

for folder in $folders; do
    most=$(sed -nE "s|.*\`$folder/\` has ([0-9]+): [a-z].*|\1|p" "$part/README.md")
    # sccmap of graphviz writes a graph for each set of files that all call each other
    calls "$folder" | sccmap 2>/dev/null | awk -v folder="$folder" -v most="${most:-3}" '
        function close_knot(    file, n, files) {
            for (file in knot) { n++; files = files " " file }
            if (n > most) print "a knot of " n " files in " folder ":" files
            largest = n > largest ? n : largest
            split("", knot)
        }
        /^digraph/ { close_knot() }
        / -> / && !/cluster_/ { gsub(/[";]/, ""); knot[$1]; knot[$3] }
        END { close_knot(); if (most > 3 && largest < most) print folder " has no knot of " most " files" }'
done
