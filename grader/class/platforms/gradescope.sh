#!/bin/bash
# gradescope.sh LAB LABS [SEED]: writes build/gradescope/LAB.zip, the autograder of a lab for Gradescope: setup.sh, run_autograder, and the
# course without its tests. make gradescope calls it.
set -u -o pipefail
lab=$1 zip=$PWD/build/gradescope/$1.zip
fail() {
    echo "gradescope: $*" >&2
    exit 2
}
[ -n "$lab" ] || fail "which lab? For example: make gradescope LAB=05. The labs are: $2"
[[ ${3:-1} =~ ^[0-9]{1,19}$ ]] || fail 'which seed? It is a number, for example: make gradescope LAB=05 SEED=7'
command -v zip >/dev/null || fail 'zip is not installed. Next: apt-get install zip'
place=$(mktemp -d) || exit 1
trap 'rm -rf "$place"' EXIT
mkdir "$place/course" && cp grader/class/platforms/gradescope/* "$place" && echo "$lab" >"$place/lab" &&
    echo "${3:-$((16#$(od -An -N4 -tx4 /dev/urandom | tr -d ' ')))}" >"$place/seed" || exit 1 # the same inputs for everybody
{ git ls-files -z 2>/dev/null || find . -type f -not -path './build/*' -printf '%P\0'; } |
    grep -zvE '^(grader/tests/.*/|plots/data|[.]ci/)' | xargs -0 cp -P --parents --preserve=mode,timestamps -t "$place/course" || exit 1
mkdir -p build/gradescope && rm -f "$zip" && (cd "$place" && zip -qr "$zip" .) || fail "$zip could not be written. Next: free some space"
echo "build/gradescope/$lab.zip ($(du -h "$zip" | cut -f 1)): upload it to Gradescope as the autograder, and choose an image with Ubuntu 24.04"
