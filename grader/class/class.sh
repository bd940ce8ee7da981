#!/bin/bash
# class.sh FOLDER [OPTION...]: grades a class. ./grade class calls it; README.md beside it explains the use.
#
#   scan.sh      finds the submissions: which student, which lab, which files
#   unit.sh      builds and grades one lab of one student; xargs runs several at once
#   slurm.sh     runs them as an array job of Slurm instead
#   collect.sh   writes points.csv and index.html from the results
#
# A result's name has the digest of everything that it depends on: the submission's files, the course's files for this
# lab, device, seed, limits. If a file of this name exists, the grading is done; otherwise it is missing. So the command
# can be stopped at any time and repeated.
set -u -o pipefail
export LC_ALL=C.UTF-8
called_from=$PWD
cd "$(dirname "$0")/../.." || exit 4
export PATH="$PWD/build/deps/bin:$PATH"
unset MAKEFLAGS MAKELEVEL MFLAGS GRADE_SEED

usage='usage: ./grade class FOLDER [--labs lab03,lab05] [--out DIR] [-j N] [--seed N] [--device sim|gpu] [--format NAMES] [--feedback] [--slurm]'
help="$usage

Grades the submissions in FOLDER, which holds one folder or archive (zip, tar.gz)
for each student. Stop it at any time, with Ctrl-C for example. The same command
goes on, and grades only submissions that are missing or have changed.

  --labs LABS       only these labs; with one lab, its files need no folder lab03
  --out DIR         where the results are kept (default: results):
                    index.html, points.csv, students/
  -j N              N gradings at once (default: as processors and memory allow;
                    on GPUs, one for each GPU)
  --seed N          the same random inputs for everybody (default: drawn once)
  --device sim|gpu  the simulated device alone, or with the GPU (default: as for make)
  --conf FILE       the rules for marks: due dates, late work, weights, minimum for a
                    pass (default: class.conf in FOLDER, if there is one)
  --feedback        also write feedback-lab03.zip for each lab: everybody's page, for
                    the bulk upload of Moodle or Canvas
  --slurm           grade on the nodes of a Slurm cluster, as one array job
  --partition P, --gres G, --array-size N (100)
                    for the job: where, with which GPUs, in how many tasks
  --no-wait         do not wait for the job; the same command does so later
  --format NAMES    also write the results as junit (JUnit XML), tap, moodle (a
                    grading worksheet for each lab), canvas (a gradebook), github
                    (workflow commands), and for each grading gradescope, autolab or
                    classroom

exit status: 0 each submission has a result, 2 wrong usage, 4 gradings are
missing: repeat the command, 130 stopped"

say() { printf 'class: %s\n' "$*" >&2; }
fail() { # STATUS SENTENCE
    say "$2"
    exit "$1"
}

# shellcheck source=grader/class/scan.sh
. grader/class/scan.sh
# shellcheck source=grader/class/collect.sh
. grader/class/collect.sh
# shellcheck source=grader/class/policy.sh
. grader/class/policy.sh
# shellcheck source=grader/class/slurm.sh
. grader/class/slurm.sh

# ---- what is asked for -------------------------------------------------------------------------------------------

all_labs=$(for l in labs/lab[0-9][0-9]_*; do l=${l#labs/}; printf '%s ' "${l%%_*}"; done)

read_arguments() {
    folder='' asked_labs='' out=results jobs='' seed='' device='' formats='' conf='' feedback='' slurm='' partition='' gres='' array_size='' no_wait=''
    while [ $# -gt 0 ]; do
        case $1 in
            --help) printf '%s\n' "$help" && exit 0 ;;
            --labs | --out | --seed | --device | --format | --conf | --partition | --gres | --array-size | -j)
                [ $# -ge 2 ] || fail 2 "$1 lacks its value. Next: ./grade class --help"
                case $1 in --labs) asked_labs=$2 ;; --out) out=$2 ;; --seed) seed=$2 ;; --device) device=$2 ;; --format) formats=$2 ;; --conf) conf=$2 ;;
                    --partition) partition=$2 ;; --gres) gres=$2 ;; --array-size) array_size=$2 ;; -j) jobs=$2 ;; esac
                shift
                ;;
            --labs=* | --out=* | --conf=* | --seed=* | --device=* | --format=* | --partition=* | --gres=* | --array-size=*) set -- "${1%%=*}" "${1#*=}" "${@:2}" && continue ;;
            --slurm) slurm=yes ;;
            --feedback) feedback=yes ;;
            --no-wait) no_wait=yes ;;
            -j?*) jobs=${1#-j} ;;
            -*) fail 2 "$(printable "$1") is no option. Next: ./grade class --help" ;;
            *) [ -z "$folder" ] || fail 2 "one folder at a time: what is $(printable "$1")?"
               folder=$1 ;;
        esac
        shift
    done
}

check_arguments() {
    local lab format labs=''
    [ -n "$folder" ] || fail 2 "which folder? It holds one folder or archive for each student. For example: ./grade class submissions"
    [[ $folder == /* ]] || folder=$called_from/$folder
    [[ $out == /* ]] || out=$called_from/$out
    [ -e "$folder" ] || fail 2 "$(printable "$folder"): there is no such folder"
    [ -d "$folder" ] || fail 2 "$(printable "$folder") is a file: name the folder that holds one folder or archive for each student"
    [ -r "$folder" ] && [ -x "$folder" ] || fail 2 "$(printable "$folder") cannot be read. Next: chmod u+rx on it"
    folder=$(realpath -- "$folder"; echo .) && folder=${folder%$'\n.'}
    for lab in ${asked_labs//,/ }; do
        lab=${lab#lab}
        [[ $lab =~ ^[0-9]{1,2}(_.*)?$ ]] && printf -v lab 'lab%02d' "$((10#${lab%%_*}))"
        [[ " $all_labs" == *" $lab "* ]] || fail 2 "there is no lab $(printable "$lab"); the labs are: $all_labs"
        labs+=${labs:+ }$lab
    done
    asked_labs=$labs only_lab=''
    [[ $labs == *' '* ]] || only_lab=$labs
    [[ -z $seed || $seed =~ ^[0-9]{1,19}$ ]] || fail 2 "--seed $(printable "$seed")? It is a number from 0 up"
    [[ -z $jobs || $jobs =~ ^[1-9][0-9]{0,3}$ ]] || fail 2 "-j $(printable "$jobs")? It is the number of gradings at once"
    [[ -z $array_size || $array_size =~ ^[1-9][0-9]{0,5}$ ]] || fail 2 "--array-size $(printable "$array_size")? It is the largest number of tasks"
    [[ -n $slurm || -z $partition$gres$array_size$no_wait ]] || fail 2 '--partition, --gres, --array-size and --no-wait are for --slurm. Next: add --slurm'
    [[ -z $device || $device == sim || $device == gpu ]] || fail 2 "--device $(printable "$device")? It is sim or gpu"
    for format in ${formats//,/ }; do
        grader/class/format.sh "$(printable "$format")" --check || exit 2
    done
    device=${device:-$(common/setup.sh which-device)}
}

# The folder for results is a new or empty one, or that of an earlier run on the same class, whose seed is kept.
open_results() {
    local owner kept same
    mkdir -p -- "$out/students" 2>/dev/null || fail 4 "$(printable "$out") cannot be made. Next: choose another folder with --out, or free some space"
    out=$(realpath -- "$out"; echo .) && out=${out%$'\n.'}
    [[ $out/ != "$folder"/* ]] || fail 2 "$(printable "$out") is in the class's folder. Next: choose another folder with --out"
    [[ $out/ != "$PWD/build/"* ]] || fail 2 "make clean deletes build. Next: choose another folder with --out"
    if [ ! -s "$out/class.json" ]; then
        [ -z "$(find -P "$out" -mindepth 1 ! -name students ! -name class.lock ! -name 'class.json*' -print -quit)" ] ||
            fail 2 "$(printable "$out") holds other files. Next: choose another folder with --out"
    elif ! { IFS=$'\t' read -r kept same && IFS= read -rd '' owner; } < <(jq -j --arg f "$folder" '"\(.seed | numbers, strings)\t\(.folder == $f)\n\(.folder | strings)\u0000"' "$out/class.json" 2>/dev/null); then
        fail 2 "$(printable "$out/class.json") cannot be read. Next: remove it, and repeat the command with --seed and the seed of earlier results"
    elif [ "$same" = false ]; then
        fail 2 "$(printable "$out") holds the results of another class, $(printable "$owner"). Next: choose another folder with --out"
    fi
    exec 9>>"$out/class.lock" || fail 4 "$(printable "$out") cannot be written. Next: choose another folder with --out"
    take_lock
    seed=${seed:-${kept:-$((16#$(od -An -N4 -tx4 /dev/urandom | tr -d ' ')))}}
    jq -n --arg folder "$folder" --arg seed "$seed" --arg device "$device" '{schema: 1, $folder, $seed, $device}' >"$out/class.json.new" &&
        mv -- "$out/class.json.new" "$out/class.json" || fail 4 "$(printable "$out") cannot be written. Next: free some space, and repeat the command"
}

# Gradings in flight of a run that was killed hold the lock until they end.
take_lock() {
    local other
    if ! flock -n 9; then
        other=$(cat "$out/class.lock")
        [[ $other =~ ^[0-9]+$ ]] && kill -0 "$other" 2>/dev/null &&
            fail 2 "process $other writes to $(printable "$out") already. Next: wait for its end, or choose another folder with --out"
        say 'waiting for the last gradings of a run that was killed'
        flock -w 300 9 || fail 4 "another run uses $(printable "$out"). Next: choose another folder with --out"
    fi
    echo $$ >"$out/class.lock"
}

# ---- what is to be done --------------------------------------------------------------------------------------------

# What a verdict on a lab depends on beside the submission.
course_digest() { # LAB
    {
        find Makefile common kernels grader/{command,files,report,session,judge,query,jail,wire,subject,compile} grader/*.mk grader/labs/*.* \
            grader/labs/"$1"/{*.c*,mistakes} labs/"$1"_*/{lab.h,hints.md} solutions/"$1"_* -type f ! -name '*.md' ! -path '*/simcc/*' -print0 |
            sort -z | xargs -0 sha256sum
        find labs/"$1"_*/hints.md -exec sha256sum {} +
        printf '%s\n' "$device" "$seed" "${SIMGPU_PROFILE:-}" "${GRADE_MEMORY_MIB:-}" "${SIMGPU_DEVICES:-}"
        [ "$device" = sim ] || nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null
    } | sha256sum
}

# read_starters LAB: is_starter[DIGEST] of its starter and, in a checkout, of earlier ones, with both kinds of line ends
read_starters() {
    local digest
    while read -r digest _; do is_starter[$digest]=1; done < <(
        for file in build/known/"$1"/starter/lab.c*; do
            sha256sum <"$file"
            sed 's/$/\r/' "$file" | sha256sum
        done
        git log --format= --raw --no-abbrev -n 40 -- labs/"$1"_*/lab.c labs/"$1"_*/lab.cu 2>/dev/null | awk '$4 !~ /^0+$/ { print $4 }' | sort -u |
            while read -r digest; do
                git cat-file blob "$digest" | sha256sum
                git cat-file blob "$digest" | sed 's/$/\r/' | sha256sum
            done
    )
}

# set_key UNIT: sets key; empty if there is nothing to grade, starter if nothing was written
set_key() {
    local target lab text='' written=''
    key=''
    for target in ${unit_targets[$1]:-}; do
        text+="$target ${unit_digest[$1 $target]} "
        [ -n "${is_starter[${unit_digest[$1 $target]}]:-}" ] || written=1
    done
    [ -z "$text" ] || [ -n "$written" ] || { key=starter; return; }
    [ -z "$text" ] || {
        lab=${1#* } key=$(sha256sum <<<"${course_of[${lab% *}]} $text")
        key=${key%% *}
    }
}

# list_units: units.list for collect.sh has each unit, spec/ those without a result
list_units() {
    local unit id lab n key target
    local -A seen=()
    rm -rf -- "$CLASS_STAGE/spec" && mkdir -p "$CLASS_STAGE/spec" || fail 4 'build cannot be written. Next: free some space'
    n_units=0 n_missing=0
    for unit in "${units[@]}"; do
        read -r id lab n <<<"$unit"
        [[ " $labs " == *" $lab "* ]] || continue
        set_key "$unit"
        printf '%s\0' "$id" "$lab" "$key" "${unit_note[$unit]:-}" "${unit_time[$unit]:-0}" "${unit_clock[$unit]:-file}" >&8
        [ -n "$key" ] && [ "$key" != starter ] && [ -z "${seen[$id $lab $key]:-}" ] || continue # two versions may be alike
        seen[$id $lab $key]=1
        n_units=$((n_units + 1))
        [ ! -s "$out/students/$id/$lab-$key.json" ] || continue
        n_missing=$((n_missing + 1))
        {
            printf '%s\0' "$id" "$lab" "$key" "${student_name[$id]}" "${unit_note[$unit]:-}"
            for target in ${unit_targets[$unit]}; do
                printf '%s\0' "$target" "${unit_source[$unit $target]}" "${unit_digest[$unit $target]}"
            done
        } >"$CLASS_STAGE/spec/$lab.$id${n:+.$n}"
    done 8>"$CLASS_STAGE/units.list"
}

# ---- doing it ------------------------------------------------------------------------------------------------------

prepare() {
    local lab goals=(grade build/grader/compile build/grader/similar) simulated=()
    for lab in $labs; do
        goals+=("build/$device/$lab/solution/subject" "build/grader/$lab")
        simulated+=("build/sim/$lab/solution/subject")
        for file in solutions/"$lab"_*/lab.c*; do goals+=("build/known/$lab/starter/${file##*/}"); done
    done
    { make DEVICE="$device" "${goals[@]}" && { [ "$device" = sim ] || make DEVICE=sim "${simulated[@]}"; }; } >"$CLASS_STAGE/make.log" 2>&1 9>&- ||
        { tail -n 20 "$CLASS_STAGE/make.log" >&2; fail 4 "the course itself could not be built. Next: make ${labs%% *} DEVICE=$device"; }
    # builds that a killed run left; those of a job that still runs stay
    [ -z "$(slurm_job)" ] || ! is_queued "$(slurm_job)" || return 0
    for lab in $labs; do rm -rf build/{sim,gpu}/"$lab/"*"_${CLASS_STAGE##*/}-"*; done
    rm -rf build/intake/*"_${CLASS_STAGE##*/}-"*
}

# At once: a submission seldom needs more than 2 GiB. While one has a GPU, the simulated device judges the next one.
set_jobs() {
    local gib
    CLASS_GPUS=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU')
    [ "$CLASS_GPUS" -ge 1 ] || CLASS_GPUS=1
    export CLASS_GPUS
    [ -z "$jobs" ] || return
    if [ "$device" = gpu ]; then
        jobs=$CLASS_GPUS
        [ "$(nproc)" -lt $((8 * jobs)) ] || jobs=$((2 * jobs))
    else
        jobs=$(nproc)
        gib=$(($(awk '/^MemAvailable/ { print $2 }' /proc/meminfo) >> 20))
        [ "$jobs" -le $((gib / 2)) ] || jobs=$((gib / 2))
    fi
    [ "$jobs" -ge 1 ] || jobs=1
}

# progress: prints what unit.sh has printed, with rate and time left
progress() {
    local n=0 began=$SECONDS lab student status points max rate left words
    while IFS=$'\t' read -r lab student status points max; do
        n=$((n + 1)) rate=$((n * 3600 / (SECONDS - began + 1)))
        left=$(((n_missing - n) * 60 / (rate > 0 ? rate : 1)))
        words=$status
        [ "$status" != graded ] && [ "$status" != inconclusive ] || words="$points of $max points"
        if [ -t 2 ]; then
            printf '\r\033[K%d of %d  %s  %.40s: %s   %d per hour, %d min left' "$n" "$n_missing" "$lab" "$student" "$words" "$rate" "$left" >&2
        else
            printf '%d of %d  %s  %s: %s\n' "$n" "$n_missing" "$lab" "$student" "$words" >&2
        fi
    done
    [ ! -t 2 ] || echo >&2
    [ "$n" = 0 ] || say "$n graded in $((SECONDS - began)) s: $((n * 3600 / (SECONDS - began > 0 ? SECONDS - began : 1))) per hour"
}

# run: in a process group of its own, which stop ends
run() {
    set -m
    find "$CLASS_STAGE/spec" -type f -print0 | sort -z |
        xargs -0 -r -n 1 -P "$jobs" --process-slot-var=CLASS_SLOT grader/class/unit.sh 2>"$CLASS_STAGE/words" | progress &
    running=$! group=$(jobs -p %%)
    set +m
    wait $running
    running=''
}

# clean_stage: nothing of a class stays in build, but for what a job still reads
clean_stage() { [ -n "$(slurm_job)" ] && is_queued "$(slurm_job)" || rm -rf -- "$CLASS_STAGE"; }

stop() {
    trap '' INT TERM HUP
    [ -z "${running:-}" ] || { kill -TERM -- -"$group"; wait; } 2>/dev/null
    [ -z "${slurm_running:-}" ] || scancel "$slurm_running"
    say 'stopped. The same command goes on'
    exit 130
}

main() {
    local lab n how
    read_arguments "$@"
    check_arguments
    read_policy
    open_results
    CLASS_STAGE=$(printf %s "$out" | sha256sum)
    CLASS_STAGE=build/class/${CLASS_STAGE:0:8}
    trap stop INT TERM HUP
    common/setup.sh need "$device" class >&2 || exit 4
    make DEVICE="$device" build/grader/compile build/grader/take >/dev/null 9>&- || fail 4 'make could not build the jail. Next: make setup'
    clean_stage # of a run that was killed
    trap clean_stage EXIT
    scan
    [ ${#student_ids[@]} -gt 0 ] || fail 2 "$(printable "$folder") is empty. Next: put one folder or archive for each student into it"
    check_policy
    labs=${asked_labs:-$(printf '%s\n' "${!found_labs[@]}" | sort | paste -sd ' ')}
    [ -n "$labs" ] || collect_problems
    [ -n "$labs" ] || fail 2 'no submission of any lab was found. Next: put the files into folders lab01, lab02…, or add --labs with one lab'
    for lab in $labs; do
        [ -n "${found_labs[$lab]:-}" ] || say "no submission for $lab"
    done
    check_slurm
    prepare
    declare -gA course_of=()
    declare -gA is_starter=()
    for lab in $labs; do
        course_of[$lab]=$(course_digest "$lab")
        read_starters "$lab"
    done
    list_units
    set_jobs
    how="$jobs at once"
    [ -z "$slurm" ] || how='by Slurm'
    say "${#student_ids[@]} students, $labs: $n_units submissions, $n_missing to grade, $how, on $([ "$device" = sim ] || printf 'the GPU and ')the simulated device, seed $seed"
    export CLASS_OUT=$out CLASS_SEED=$seed CLASS_DEVICE=$device CLASS_PID=$$ CLASS_STAGE
    CLASS_COMMIT=${COURSE_COMMIT:-$(git describe --always --dirty 2>/dev/null || echo unknown)} # an image has no git
    export CLASS_COMMIT
    while [ $n_missing -gt 0 ]; do
        n=$n_missing
        if [ -n "$slurm" ]; then run_slurm; else run; fi
        list_units
        # once more: times that were too noisy, and what remains after xargs itself was stopped
        [ $n_missing -lt "$n" ] || break
    done
    collect
}
main "$@"; exit
