#!/bin/bash
# format.sh NAME [FILE...]: prints gradings in a format of formats/NAME.jq. NAME --check: only checks the name.
#
# FILE is a result, or an array of results, of ./grade class (results/students/*/lab03-*.json) or a report that ./grade lab03 --json has written.
# Without a FILE: standard input. ./grade lab03 --format NAME calls this, and ./grade class --format NAMES.
set -u -o pipefail
here=$(dirname "$0")
export PATH="$here/../../build/deps/bin:$PATH"
filter=$here/formats/${1:-}.jq
if [[ ${1:-} == */* || ! -f $filter ]]; then
    echo "--format ${1:-}? The formats are: $(cd "$here/formats" && ls | sed 's/\.jq$//' | paste -sd ' ')" >&2
    exit 2
fi
shift
[ "${1:-}" != --check ] || exit 0
# a report by itself becomes a result, whose student is not known
cat -- "$@" | jq -s 'map(if type == "array" then .[] else . end) | map(if .checks then {student: .submission, lab, status: "graded", points, max_points, report: .} else . end)' |
    jq -r -f "$filter"
