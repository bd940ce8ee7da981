#!/bin/bash
# validate.sh: the simulated device against a measured one.
#
#   plots/validate.sh PROGRAMS DATA OUT FIGURE...
#
# Runs PROGRAMS/FIGURE on the simulated device and compares its CSV with DATA/FIGURE.csv, and the times of the labs'
# solutions with DATA/labs.csv where that is: OUT/validate.txt is the table, OUT/validate.svg and .png the figure. SIMGPU_PROFILE chooses another profile than the built-in one.
set -u -o pipefail
say() { printf 'validate: %s\n' "$*" >&2; }

if [ $# -lt 4 ]; then
    sed -n '4s/^# *//p' "$0" >&2
    exit 2
fi
programs=$1 data=$2 out=$3
shift 3
measured=() simulated=()
for figure; do
    if [ ! -e "$data/$figure.csv" ]; then
        say "$data has no $figure.csv: make plots FIG=$figure on the GPU measures it"
        exit 1
    fi
    awk -f plots/check.awk "$data/$figure.csv" >&2 || { say "$data/$figure.csv is damaged (above)"; exit 1; }
    measured+=("$data/$figure.csv")
    simulated+=("$out/simulated/$figure.csv")
done
mkdir -p "$out/simulated" || exit 1
SIMGPU_COMPUTE=0 SIMGPU_CHECKS=0 SIMGPU_REPORT=0 plots/run.sh measure "$programs" "$out/simulated" "$@" 2>"$out/simulated.log" || {
    cat "$out/simulated.log" >&2
    exit 1
}
if [ -e "$data/labs.csv" ]; then
    checks=$(awk -F, '$1 ~ /^[0-9]+$/ { sub(/[.].*/, "", $2); printf "lab%02d/%s\n", $1, $2 }' "$data/labs.csv" | sort -u)
    devices=$(sed -n 's/^# devices: //p' "$data/labs.csv")
    SIMGPU_DEVICES=${devices:-1} plots/labs.sh sim 1 "$out/simulated/labs.csv" $checks || exit 1
    measured+=("$data/labs.csv") simulated+=("$out/simulated/labs.csv")
fi
awk -v csv="$out/validate.csv" -f plots/validate.awk "${measured[@]}" "${simulated[@]}" >"$out/validate.txt" || exit 1
cat "$out/validate.txt"
LC_ALL=C.UTF-8 gnuplot -e "folder='$out'; figure='validate'; script='plots/validate.gp'; out='$out'" plots/draw.gp || exit 1
echo "table and figure: $out/validate.txt, validate.svg, validate.png"
