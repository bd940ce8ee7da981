#!/bin/bash
# handin.sh STARTER…: make handin: build/handin/labNN.tar.gz with the learner's files of that lab, and COURSE: the version of the
# course that they were written for, and their digests. STARTER: build/known/labNN/starter/lab.c
set -u -o pipefail
fail() {
    echo "make handin: $*" >&2
    exit 2
}
[ $# != 0 ] || fail 'which lab? For example: make handin LAB=05'
lab=${1#build/known/} version=unknown
lab=${lab%%/*} files=()
from=$(echo labs/"$lab"_*) to=build/handin/$lab
for file in "$from"/lab.c "$from"/lab.cu "$from"/*.h; do
    [ ! -f "$file" ] || [ "${file##*/}" = lab.h ] || files+=("$file")
done
for starter; do
    [ -e "$from/${starter##*/}" ] || fail "$from has no ${starter##*/}. Next: make reset LAB=${lab#lab} writes the starter"
    cmp -s "$starter" "$from/${starter##*/}" || changed=1
done
[ -n "${changed:-}" ] || fail "$from is the starter, and has nothing to hand in. Next: edit its lab.c"
if [ -e grader/compiled ]; then version=$(cat grader/compiled/version); else version=$(git describe --always 2>/dev/null); fi
rm -rf "$to" && mkdir -p "$to" && cp -p "${files[@]}" "$to" &&
    (cd "$to" && echo "course ${version:-unknown}" >COURSE && sha256sum "${files[@]##*/}" >>COURSE) &&
    tar --owner=0 --group=0 --numeric-owner -czf "$to.tar.gz" -C build/handin "$lab" || fail "$to.tar.gz could not be written. Next: free some space"
rm -rf "$to"
echo "$to.tar.gz: hand in this file. It has ${files[*]##*/}, for version ${version:-unknown} of the course"
