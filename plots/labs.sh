#!/bin/bash
# labs.sh: how long the reference solutions take, by the reports on them: a figure's CSV.
#
#   plots/labs.sh sim|gpu TIMES OUT/labs.csv [LAB | LAB/CHECK ...]
#
# From the root of the repository; CUDA_INC is where CUDA's headers are; ./grade, the suites and build/<device>/labNN/solution/subject are built. Grades the solution
# of each lab (or of those, or only that check of it) so many times, with the same random sizes on every device. Fails, and leaves OUT/labs.csv as it was, where a solution does not pass.
# Lab 12 uses all GPUs: CUDA_VISIBLE_DEVICES or SIMGPU_DEVICES chooses how many.
set -u -o pipefail
say() { printf 'labs: %s\n' "$*" >&2; }

if [ $# -lt 3 ]; then
    sed -n '4s/^# *//p' "$0" >&2
    exit 2
fi
device=$1 times=$2 out=$3
shift 3
[ $# -gt 0 ] || set -- $(ls labs | grep -o '^lab[0-9][0-9]')
: "${CUDA_INC:?is where the headers of CUDA are}"
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'say "interrupted; $out is as it was"; exit 130' INT TERM

for what; do
    lab=${what%%/*} check=${what#lab[0-9][0-9]}
    for ((i = 1; i <= times; i++)); do
        ./grade "$lab" ${check:+"${check#/}"} --device "$device" --subject "build/$device/$lab/solution/subject" --seed 1 \
            --json "$folder/${what/\//.}.$i.json" >"$folder/report" 2>&1
        case $? in
        0 | 3) ;; # 3: right, with a timing that noise has blurred: that one is not among the times
        *)
            cat "$folder/report" >&2
            say "the solution of $lab does not pass (above); make $lab SOLUTION=1 DEVICE=$device && ./grade $lab shows it alone"
            exit 1
            ;;
        esac
    done
done

jq -rs -f plots/labs.jq "$folder"/lab*.json >"$folder/rows" || exit 1
{
    name=$(jq -rs '.[0].device' "$folder"/lab*.json)
    echo "# figure: labs"
    echo "# what: the times in the reports on the reference solutions"
    echo "# x: lab"
    if [ "$device" = gpu ]; then
        echo "# kind: measured"
        driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)
        echo "# devices: $({ tr , '\n' <<<"${CUDA_VISIBLE_DEVICES:-}" | grep . || nvidia-smi -L; } | wc -l)"
    else
        echo "# kind: simulated"
        driver=none
    fi
    echo "# device: $name"
    echo "# driver: ${driver:-not known}"
    echo "# cuda: $(awk '$2 == "CUDART_VERSION" { printf "%d.%d", $3 / 1000, $3 % 1000 / 10 }' "$CUDA_INC/cuda_runtime_api.h")"
    echo "# date: $(date -u +%F)"
    echo "# commit: ${BENCH_COMMIT:-$(git describe --always --dirty=' with changes' 2>/dev/null)}"
    echo "# repetitions: n gradings"
    echo "# rows: $(wc -l <"$folder/rows")"
    echo "x,variant,median,p5,p95,n,unit"
    cat "$folder/rows"
} >"$folder/labs.csv" || exit 1
awk -f plots/check.awk "$folder/labs.csv" >&2 && mv "$folder/labs.csv" "$out"
