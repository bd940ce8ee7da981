#!/bin/bash
# mutations.sh [NUMBER...]: makes the mistakes of README.md's table in a copy of the checkout, and runs what must find each.
# Exit status 0: all are found. 1: some are not, or what must find them fails without them, too.
set -u -o pipefail
export LC_ALL=C GRADE_SEED=1 DEVICE=sim
unset MAKEFLAGS MAKELEVEL MFLAGS
here=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d) missed=0
trap 'rm -rf "$scratch"' EXIT
{ cd "$here" && [ -d build/state ]; } || { echo 'nothing is built here. Next: make check' >&2; exit 2; }

# links, but for what has learners' files: those must have one name
for each in *; do
    case $each in labs | solutions) cp -a "$each" "$scratch" && continue ;; esac
    cp -al "$each" "$scratch" 2>/dev/null || cp -a "$each" "$scratch"
done
cd "$scratch" || exit 2

# found_by TEST: 0 if it passes, 1 if it fails, 2 if it is not built
found_by() {
    case $1 in
    lab*)
        make "build/sim/$1/subject" "build/sim/${1%/*}/solution/subject" "build/grader/${1%/*}" build/grader/audit grade >log 2>&1 || return 2
        build/grader/audit sim --named --seed 1 "$1" >log 2>&1 ;;
    *)
        make "build/grader/tests/$1" build/sim/lib/libcudart.so >log 2>&1 || return 2
        timeout 300 "build/grader/tests/$1" -j1 >log 2>&1 ;;
    esac || return 1
}

# replace FILE TEXT NEW: a new file, in which NEW stands for TEXT; TEXT must occur once
replace() {
    text=$2 new=$3 awk 'BEGIN { RS = "\1" }
        { at = index($0, ENVIRON["text"]); rest = substr($0, at + length(ENVIRON["text"]))
          if (!at || index(rest, ENVIRON["text"])) exit 1
          printf "%s%s%s", substr($0, 1, at - 1), ENVIRON["new"], rest }' "$1" >mutated && mv mutated "$1"
}

declare -A passes=()
code() { local text=${1#*\`}; text=${text%\`*}; [[ $1 != *\`* ]] || printf %s "$text"; }
say() { printf '%3s %-10s %s (%s)\n' "$1" "$2" "$3" "$4"; }
while IFS=$'\t' read -r number words file text becomes by; do
    [ $# = 0 ] || [[ " $* " == *" $number "* ]] || continue
    if [ -z "${passes[$by]:-}" ]; then
        found_by "$by"
        passes[$by]=$?
    fi
    if [ "${passes[$by]}" != 0 ]; then
        say "$number" 'BROKEN' "$by fails without any mistake" "$(tail -n 1 log)"
        missed=$((missed + 1))
        continue
    fi
    cp -p "$file" original
    if ! replace "$file" "$(code "$text")" "$(code "$becomes")"; then
        say "$number" 'NO TEXT' "the text does not occur once in $file" "$by"
        missed=$((missed + 1))
        continue
    fi
    found_by "$by"
    case $? in
    1) say "$number" found "$words" "$by" ;;
    0) say "$number" MISSED "$words" "$by"; missed=$((missed + 1)) ;;
    2) say "$number" 'NOT BUILT' "$(grep -m 1 error log)" "$by"; missed=$((missed + 1)) ;;
    esac
    cp original new && mv new "$file"
done < <(sed 's/\\|/\a/g' grader/tests/README.md | awk -F ' *[|] *' -v OFS='\t' '$2 + 0 { print $2, $3, $4, $5, $6 == "" ? "-" : $6, $7 }' | tr '\a' '|')
echo "$missed not found"
[ $missed = 0 ]
