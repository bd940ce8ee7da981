#!/bin/bash
# run.sh: measures and draws figures, one after the other, so that what is finished stays finished.
#
#   plots/run.sh measure PROGRAMS DATA FIGURE...   PROGRAMS/FIGURE writes DATA/FIGURE.csv
#   plots/run.sh draw DATA PICTURES FIGURE...      DATA/FIGURE.csv becomes PICTURES/FIGURE.svg and .png
#   plots/run.sh both PROGRAMS DATA PICTURES FIGURE...
#
# From the root of the repository. BENCH_SECONDS: real time for each figure's measurements (15); WORDS: what to type
# to do it again (make plots …), for the messages. Fails where a figure is missing in the end, and says which.
set -u
set -o pipefail
readonly seconds=${BENCH_SECONDS:-15}
readonly words=${WORDS:-make plots}
export BENCH_SECONDS=$seconds
if [ -z "${BENCH_COMMIT:-}" ]; then
    BENCH_COMMIT=$(git describe --always --dirty=' with changes' 2>/dev/null)
fi
export BENCH_COMMIT

say() { printf 'plots: %s\n' "$*" >&2; }

# duration SECONDS: in words
duration() {
    if [ "$1" -ge 60 ]; then echo "$(($1 / 60)) min $(($1 % 60)) s"; else echo "$1 s"; fi
}

measure() { # FIGURE
    "$programs/$1" "$data" || {
        say "$1 was not measured; what the program says is above. $words FIG=$1 tries again"
        return 1
    }
}

draw() { # FIGURE
    local csv=$data/$1.csv script=plots/figures/$1.gp words_of_gnuplot
    if [ ! -e "$csv" ]; then
        say "$1: there is no $csv; make plots FIG=$1 measures it on this machine's device"
        return 1
    fi
    if ! awk -v needs="$(sed -n 's/^# needs: //p' "$script")" -f plots/check.awk "$csv" >&2; then
        say "$1: $csv is damaged (above). Get it back with git checkout -- $csv, or measure it anew with make plots FIG=$1"
        return 1
    fi
    if ! words_of_gnuplot=$(gnuplot -e "folder='$data'; figure='$1'; out='$pictures'" plots/draw.gp 2>&1) ||
        [ ! -s "$pictures/$1.png" ] || [ ! -s "$pictures/$1.svg" ]; then
        printf '%s\n' "$words_of_gnuplot" >&2
        say "$1: gnuplot did not draw $script (its words are above)"
        rm -f "$pictures/$1.png" "$pictures/$1.svg"
        return 1
    fi
    [ -z "$words_of_gnuplot" ] || printf '%s\n' "$words_of_gnuplot" >&2
}

interrupted() {
    say "interrupted. Finished figures are kept: ${finished[*]:-none}"
    say "the rest: $words FIG='${figures[*]:i}'"
    exit 130
}

verb=${1:-}
programs='' data='' pictures=''
case $verb in
measure) programs=${2:?} data=${3:?} && shift 3 ;;
draw) data=${2:?} pictures=${3:?} && shift 3 ;;
both) programs=${2:?} data=${3:?} pictures=${4:?} && shift 4 ;;
*)
    sed -n '4,6s/^# *//p' "$0" >&2
    exit 2
    ;;
esac
figures=("$@") finished=() failed=()
mkdir -p "$data" ${pictures:+"$pictures"} || exit 1
if [ -n "$pictures" ] && ! gnuplot --version >/dev/null 2>&1; then
    say "there is no gnuplot, which draws the figures: make setup gets it (Debian package gnuplot-nox)"
    exit 1
fi
trap interrupted INT TERM

i=0 started=$SECONDS
for i in "${!figures[@]}"; do
    figure=${figures[i]}
    if [ -n "$programs" ]; then
        left=$(((${#figures[@]} - i) * seconds))
        # once some are done, those to come are thought to take as long
        [ "$i" = 0 ] || left=$(((${#figures[@]} - i) * (SECONDS - started) / i))
        say "$((i + 1)) of ${#figures[@]}: $figure; about $(duration "$left") left"
    fi
    if { [ -z "$programs" ] || measure "$figure"; } && { [ -z "$pictures" ] || draw "$figure"; }; then
        finished+=("$figure")
    else
        failed+=("$figure")
    fi
done
if [ ${#failed[@]} -gt 0 ]; then
    say "not finished: ${failed[*]}"
    exit 1
fi
say "${#finished[@]} figures in $(duration $((SECONDS - started)))${pictures:+: $pictures}"
