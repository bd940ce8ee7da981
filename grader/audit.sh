#!/bin/bash
# audit.sh: grades every submission whose verdict is known, and compares (make audit).
#
#   grader/audit.sh sim|gpu [labNN [SUBMISSION]]
#
# The starter of a lab must fail, its solution must pass with all points there are, and each known-bad submission
# (grader/wrong/labNN/NAME) must fail the checks, with the words, that grader/wrong/labNN/expected.tsv says.
# The exit status is 0 where all is as it must be, else 1; 2 for wrong usage or where something is not built.
set -u
cd "$(dirname "$0")/.." || exit 2
[ ! -d bin ] || PATH=$PWD/bin:$PATH # a bundle brings its own jq

device=${1:-}
if [ "$device" != sim ] && [ "$device" != gpu ]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
json=$(mktemp) || exit 2
said=$(mktemp) || exit 2
trap 'rm -f "$json" "$said"' EXIT

n=0 n_wrong=0 n_unseen=0

# line VERDICT LAB SUBMISSION WORDS
line() { printf '%-5s %s  %-24s %s\n' "$1" "$2" "$3" "$4"; }

# bad LAB SUBMISSION WORDS: not as it must be; what ./grade said follows
bad() {
    line FAIL "$1" "$2" "$3"
    sed 's/^/        /' "$said"
    n_wrong=$((n_wrong + 1))
}

# grade LAB SUBMISSION: the exit status of ./grade; noise is no verdict, so an inconclusive one is asked again
grade() {
    local status=3 try
    for ((try = 0; try < 3 && status == 3; try++)); do
        ./grade "$1" --device "$device" --subject "build/$device/audit/$1/$2/subject" --json "$json" >"$said" 2>&1
        status=$?
    done
    return $status
}

# expectations LAB SUBMISSION: its lines for this device, as check TAB words
expectations() {
    awk -F '\t' -v name="$2" -v device="$device" '
        $1 == name && ($2 == "any" || $2 == device) { print $3 "\t" $4 }' "grader/wrong/$1/expected.tsv"
}

audit_wrong() { # LAB SUBMISSION STATUS
    local check words seen='' rows
    rows=$(expectations "$1" "$2")
    if ! cut -f 1 "grader/wrong/$1/expected.tsv" | grep -qx -- "$2"; then
        bad "$1" "$2" "grader/wrong/$1/expected.tsv does not say what it must fail"
        return
    fi
    if [ -z "$rows" ]; then
        line '-' "$1" "$2" "cannot be seen on this device (exit status $3)"
        n_unseen=$((n_unseen + 1))
        return
    fi
    if [ "$3" != 1 ]; then
        bad "$1" "$2" "exit status $3; it must be 1"
        return
    fi
    while IFS=$'\t' read -r check words; do
        if ! jq -e --arg check "$check" --arg words "$words" \
            'any(.checks[]; .name == $check and .status == "fail" and (.message | contains($words)))' \
            "$json" >/dev/null; then
            bad "$1" "$2" "$check must fail and say: $words"
            return
        fi
        seen="$seen${seen:+, }$check: $words"
    done <<<"$rows"
    line ok "$1" "$2" "$seen"
}

audit() { # LAB SUBMISSION
    local status points
    n=$((n + 1))
    if [ ! -x "build/$device/audit/$1/$2/subject" ]; then
        echo "$1 $2 is not built for $device. Next: make audit DEVICE=$device" >&2
        exit 2
    fi
    grade "$1" "$2"
    status=$?
    case $2 in
    starter)
        if [ "$status" != 1 ]; then
            bad "$1" "$2" "exit status $status; a starter must fail: 1"
        else
            line ok "$1" "$2" "fails: $(jq -r '[.checks[] | select(.status == "fail")][0].message' "$json" | cut -c 1-70)…"
        fi
        ;;
    solution)
        points=$(jq -r '"\(.points) of \(.max_points) points"' "$json" 2>/dev/null)
        if [ "$status" != 0 ] || ! jq -e '.points == .max_points and .points > 0' "$json" >/dev/null; then
            bad "$1" "$2" "exit status $status, $points; a solution must pass: 0"
        else
            line ok "$1" "$2" "$points"
        fi
        ;;
    *) audit_wrong "$1" "$2" "$status" ;;
    esac
}

# submissions LAB: their names; a line of expected.tsv without a submission is a mistake as well
submissions() {
    echo starter
    echo solution
    awk -F '\t' '!/^#/ && $1 != "submission" { print $1 }' "grader/wrong/$1/expected.tsv" |
        cat - <(cd "grader/wrong/$1" && ls -d -- */ 2>/dev/null | tr -d /) | sort -u
}

for suite in build/grader/lab[0-9][0-9]; do
    lab=${suite##*/}
    if [ "$lab" = lab00 ] || [ "${2:-$lab}" != "$lab" ]; then continue; fi
    for submission in ${3:-$(submissions "$lab")}; do
        audit "$lab" "$submission"
    done
done
if [ "$n" = 0 ]; then
    echo "there is nothing to audit${2:+ called $2${3:+ $3}}. Next: make audit DEVICE=$device" >&2
    exit 2
fi
[ -n "${3:-}" ] || echo "audit on $device: $n submissions, $n_wrong not as they must be, $n_unseen that cannot be seen here"
[ "$n_wrong" = 0 ]
