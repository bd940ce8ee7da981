#!/bin/bash
# run.sh: measures and draws figures, one after the other, so that what is finished stays finished.
#
#   plots/run.sh measure PROGRAMS DATA FIGURE...   PROGRAMS/FIGURE writes DATA/FIGURE.csv
#   plots/run.sh draw DATA PICTURES FIGURE...      DATA/FIGURE.csv becomes PICTURES/FIGURE.svg and .png
#   plots/run.sh both PROGRAMS DATA PICTURES FIGURE...
#
# From the root of the repository. HALF=yes: pictures for half a slide (draw.gp). BENCH_SECONDS: real time for each figure's measurements (15); WORDS: what to type
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

# devices_of FIGURE: how many devices it is for, if for several: the line "# devices: 4" of its script
devices_of() { sed -n 's/^# devices: //p' "plots/figures/$1.gp"; }

readonly left_out=3 # status of a figure for several devices, where there are none: no failure

measure() { # FIGURE
    local devices status
    devices=${SIMGPU_DEVICES:-$(devices_of "$1")}
    env ${devices:+SIMGPU_DEVICES="$devices"} "$programs/$1" "$data"
    status=$?
    [ "$status" = 0 ] || [ "$status" = $left_out ] ||
        say "$1 was not measured; what the program says is above. $words FIG=$1 tries again"
    return "$status"
}

# how_to_mend CSV FIGURE: in words
how_to_mend() {
    local again="measure it anew with make plots FIG=$2 on the device that it is from"
    if git ls-files --error-unmatch "$1" >/dev/null 2>&1; then
        echo "Get it back with git checkout -- $1, or $again"
    else
        echo "${again^}"
    fi
}

# room FOLDER: how much is free there, in words
room() { df -Ph "$1" | awk 'NR == 2 { print $4 }'; }

# whole PICTURE...: gnuplot is silent when the disk is full, so look at where the pictures end
whole() {
    local picture
    for picture; do
        case $picture in
        *.png) tail -c 12 "$picture" 2>/dev/null | grep -aq IEND ;;
        *.svg) tail -n 2 "$picture" 2>/dev/null | grep -q '</svg>' ;;
        esac || return 1
    done
}

draw() { # FIGURE
    local csv=$data/$1.csv script=plots/figures/$1.gp fresh=$pictures/.new words_of_gnuplot
    if [ ! -e "$csv" ] && [ -n "$(devices_of "$1")" ]; then
        say "$1 is left out: it is for several devices, and there is no $csv"
        return $left_out
    fi
    if [ ! -e "$csv" ]; then
        say "$1: there is no $csv; make plots FIG=$1 measures it on this machine's device"
        return 1
    fi
    if ! awk -v needs="$(sed -n 's/^# needs: //p' "$script")" -f plots/check.awk "$csv" >&2; then
        say "$1: $csv is damaged (above). $(how_to_mend "$csv" "$1")"
        return 1
    fi
    if [ -n "$(tail -c 1 "$csv")" ]; then
        say "$1: the last line of $csv is cut short. $(how_to_mend "$csv" "$1")"
        return 1
    fi
    # aside first: what was drawn before stays until the new pictures are whole
    mkdir -p "$fresh" || return 1
    if ! words_of_gnuplot=$(LC_ALL=C.UTF-8 gnuplot -e "${HALF:+half='$HALF'; }folder='$data'; figure='$1'; out='$fresh'" plots/draw.gp 2>&1); then
        printf '%s\n' "$words_of_gnuplot" >&2
        say "$1: gnuplot did not draw $script (its words are above)"
    elif ! whole "$fresh/$1.svg" "$fresh/$1.png"; then
        say "$1: the pictures could not be written to $pictures, where $(room "$pictures") are free: make room, then $words FIG=$1"
    elif mv "$fresh/$1.svg" "$fresh/$1.png" "$pictures"; then
        [ -z "$words_of_gnuplot" ] || printf '%s\n' "$words_of_gnuplot" >&2
        return 0
    fi
    rm -rf "$fresh"
    return 1
}

# alone FD FOLDER: until this program ends, no other one measures or draws into the folder
alone() {
    eval "exec $1<\"\$2\""
    flock -n "$1" && return
    say "another make is at work on $2; waiting until it is done"
    flock "$1"
}

interrupted() {
    [ -z "$pictures" ] || rm -rf "$pictures/.new"
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
if [[ ! $seconds =~ ^[1-9][0-9]*$ ]]; then
    say "BENCH_SECONDS=$seconds? It is a number of seconds, 15 for instance"
    exit 2
fi
for folder in ${programs:+"$data"} ${pictures:+"$pictures"}; do
    if ! mkdir -p "$folder" || [ ! -w "$folder" ]; then
        say "$folder cannot be written to: make that possible, or take another folder than build/plots with PLOTS=folder"
        exit 1
    fi
done
if [ -n "$pictures" ] && ! gnuplot --version >/dev/null 2>&1; then
    say "there is no gnuplot, which draws the figures: make setup gets it (Debian package gnuplot-nox)"
    exit 1
fi
[ -z "$programs" ] || alone 8 "$data"
[ -z "$pictures" ] || { [ -n "$programs" ] && [ "$data" -ef "$pictures" ]; } || alone 9 "$pictures"
trap interrupted INT TERM

i=0 started=$SECONDS
for i in "${!figures[@]}"; do
    figure=${figures[i]}
    if [ -n "$programs" ]; then
        # once some are done, those to come are thought to take as long
        if [ "$i" = 0 ]; then
            left="at most $(duration $((${#figures[@]} * seconds)))"
        else
            left="about $(duration $(((${#figures[@]} - i) * (SECONDS - started) / i)))"
        fi
        say "$((i + 1)) of ${#figures[@]}: $figure; $left left"
    fi
    status=0
    [ -z "$programs" ] || measure "$figure" || status=$?
    [ "$status" -gt 0 ] || [ -z "$pictures" ] || draw "$figure" || status=$?
    case $status in
    0) finished+=("$figure") ;;
    "$left_out") ;;
    *) failed+=("$figure") ;;
    esac
done
[ -z "$pictures" ] || rm -rf "$pictures/.new"
if [ ${#failed[@]} -gt 0 ]; then
    say "not finished: ${failed[*]}"
    exit 1
fi
say "${#finished[@]} figures in $(duration $((SECONDS - started)))${pictures:+: $pictures}"
