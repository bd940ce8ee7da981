#!/bin/bash
# submission.sh STEP …: the way of a submission to the program that the judge runs. make calls a step if something that it
# depends on has changed.
#
#   choose LINKS SOLUTION KNOWN SUBMISSION LAB…   prints the NAME of what these settings choose. It takes a copy of a learner's
#                                                 files (intake.sh), and removes LINKS to what was built before
#   write TO KNOWN BASE                a source file, build/known/labNN/NAME/lab.c: KNOWN's changes to its base (known.awk)
#   write TO SOLUTION                  of the starter: the solution without what a learner writes
#   build TO COMMANDS CHANGED LIBRARY…   the subject, …/labNN/NAME/subject, with object files and submission, what reports call
#                                      it, beside it. COMMANDS: what a lab's submissions share (labs.mk); CHANGED: since then
#   built TO BUILD GRADING             TO becomes a link to the build, and a learner reads so
set -u
step=$1
shift
trap 'exit 130' INT TERM HUP

fail() {
    printf '%s\n' "$1" >&2
    exit 1
}

known_file() { compgen -G "grader/labs/$1/*/$2"; }

# find_sources …LAB/NAME [WORD]: sets lab, name; folder, where its sources are; shown, what messages call that, after WORD if there
# are none; from, a learner's own folder; files, its sources; theirs, those of the solution
find_sources() {
    local file given
    lab=${1%/*} name=${1##*/}
    lab=${lab##*/} contract=$(echo labs/"$lab"_*) files=() theirs=() from=
    solution=solutions/${contract#labs/}
    given=$solution
    [ ! -e grader/compiled ] || given=grader/compiled/starters/$lab
    case $name in
        yours) folder=build/intake/$lab ;;
        solution) folder=$solution ;;
        *-*) folder=build/intake/$name ;;
        *) folder=build/known/$lab/$name ;;
    esac
    shown=$folder
    [[ $folder != build/intake/* ]] || { IFS= read -r from && IFS= read -r shown; } <"$folder.from" || exit
    for file in lab.c lab.cu; do
        [ ! -e "$given/$file" ] || theirs+=("$file")
        [ ! -e "$folder/$file" ] || files+=("$file")
    done
    [ -n "$from" ] || files=("${theirs[@]}")
    [ ${#files[@]} != 0 ] || fail "${2-}$shown has no lab.c and no lab.cu"
}

choose() { # LINKS SOLUTION KNOWN SUBMISSION LAB…
    local link lab word=${4:+SUBMISSION=} choice=yours
    [[ $2 =~ ^(0|no)?$ ]] || choice=solution
    choice=${3:-$choice}
    # What was built before is not to be judged in the place of what is built now, and fails.
    for link in $1; do
        if [ "$choice$4" = yours ]; then rm -f "$link"; else mkdir -p "${link%/*}" && ln -sfn unbuilt "$link"; fi
    done
    [ -z "$4" ] || choice=$(grader/labs/intake.sh "$4") || exit
    for lab in "${@:5}"; do
        if [ "$choice" = yours ]; then
            grader/labs/intake.sh "$(echo labs/"$lab"_*)" "$lab" >/dev/null || exit
        elif [[ -z $4 && $choice != solution && $choice != starter ]] && ! known_file "$lab" "$choice" >/dev/null; then
            [ ! -e grader/compiled ] || fail 'this copy of the course has no known submissions'
            fail "there is no grader/labs/$lab/*/$choice; known submissions of $lab: $(
                printf '%s ' $(basename -a grader/labs/"$lab"/{wrong,right}/*))"
        fi
        find_sources "$lab/$choice" "$word"
        [[ -z $from || " ${files[*]} " != *' lab.cu '* || " ${theirs[*]} " == *' lab.cu '* ]] ||
            fail "$word$shown has a lab.cu, and $lab is written in lab.c alone: move it away"
    done
    printf '%s\n' "$choice"
}

write() { # [KNOWN] BASE
    find_sources "$here"
    if [ "$name" != starter ]; then
        [ $# = 2 ] || fail "there is no grader/labs/$lab/*/$name"
        unifdef -DSOLUTION "$2" | awk -v file="${to##*/}" -v files="${theirs[*]}" -v base="$2" -f grader/labs/known.awk "$1" - >"$new"
    else
        unifdef -USOLUTION "$1" >"$new"
        [ $? = $([ -e grader/compiled ] && echo 0 || echo 1) ] || fail "$1: nothing is marked #ifdef SOLUTION"
    fi
}

# ---- build

fix_it() { # WHAT NEXT
    local choice
    case $name in
        yours) choice= ;;
        solution) choice=' SOLUTION=1' ;;
        *-*) choice=" SUBMISSION=${shown/#build\/intake\/*/…}" ;;
        *) choice=" KNOWN=$name" ;;
    esac
    fail "$lab: $shown/$1; $2 and run make $lab$choice again"
}

compile() { # FILE
    local source=$folder/$1 object=$here/${1%.c}.o solved=$here/../solution memory=2048 flags=("-I$contract") jail
    local -n command=${1#lab.}
    if [[ $folder == build/known/* && ${#files[@]} -gt 1 ]] && cmp -s "$source" <(unifdef -DSOLUTION "$solution/$1"); then
        cp "$solved/${object##*/}" "$new" && mv "$new" "$object" && cp "$solved/$1" "$here" || exit
        return
    fi
    [[ -n $redo || ! -e $object || " $changed " == *" $source "* ]] || return 0
    # no grading of an older subject, but for the solution's: other makes may have it already, and grade with it
    [ "$name" = solution ] || rm -f "$to"
    [ "$folder" != "$solution" ] || flags+=(-DSOLUTION)
    if [ "$device" = gpu ] && [ "$1" = lab.cu ]; then
        memory=0 # what nvcc starts takes more
    else
        # what is said of the copy is said of the submission; warnings are errors in those of the course alone
        flags+=("-ffile-prefix-map=$folder=$shown")
        [ -z "$from" ] || flags+=(-Wno-error -Wno-pedantic -g)
    fi
    jail=("${reads[@]}" -r "$contract" -r "$folder" -w "$here")
    build/grader/compile "${jail[@]}" -m $memory -n "$folder=$shown" -- "${command[@]}" "${flags[@]}" -c "$source" -o "$new" ||
        fix_it "$1 does not compile" 'fix the first error above'
    # Only what its contract names is seen by the rest, and it sees nothing of the grader. What reads the object can be misled
    # by it, and repeats its names.
    build/grader/compile -s 30 -r grader/labs/fence.sh -r "$names" "${jail[@]}" -m 2048 -- \
        grader/labs/fence.sh "$lab" "$source" "$new" "$names" || fix_it "$1 does not link" 'fix that'
    # The source stays beside the object: a report of a crash quotes the line. What a learner does not write is not in it, and
    # its lines keep their numbers.
    if [ "$folder" = "$solution" ]; then unifdef -b -DSOLUTION "$source"; else cat "$source"; fi >"$new.source"
    mv "$new.source" "$here/$1" && mv "$new" "$object" || exit
}

# several at once; what is said of each comes in their order
compile_all() {
    local i jobs=() failed=
    if [ ${#files[@]} = 1 ]; then
        compile "${files[0]}"
        return
    fi
    for i in "${files[@]}"; do
        (new+=.$i && compile "$i") >"$new.$i.said" 2>&1 &
        jobs+=($!)
    done
    for i in "${!jobs[@]}"; do
        wait "${jobs[i]}" || failed=1
        cat "$new.${files[i]}.said" >&2
    done
    [ -z "$failed" ] || exit 1
}

# what the linker says of a submission, in words; the rest as it is
link_words() {
    local name again
    sed -nE -e 's/.*undefined reference to .([A-Za-z0-9_]+).*/\1/p' -e 's/.*multiple definition of .([A-Za-z0-9_]+).*/\1 again/p' "$new.log" |
        sort -u | while read -r name again; do
            if [ -n "$again" ]; then echo "  $name must not be defined: the program around the lab has its own"
            elif grep -qw -- "$name" "$contract/lab.h"; then echo "  $name is not defined: $contract/lab.h says what it does"
            else echo "  $name is not defined, and is not in $contract/lab.h"; fi
        done | grep . || cat "$new.log"
}

link() { # LIBRARY…
    local file objects=() device_code=()
    for file in "${files[@]}"; do objects+=("$here/${file%.c}.o"); done
    for file in "${objects[@]}" "${around[@]}"; do [[ $device != gpu || $file != *.cu.o ]] || device_code+=("$file"); done
    if [ ${#device_code[@]} != 0 ]; then
        "${device_link[@]}" "${device_code[@]}" "${device_runtime[@]}" -o "$new.o" && mv "$new.o" "$here/lab.device.o" || exit
        objects+=("$here/lab.device.o")
        kernels+=("${device_runtime[@]}")
    fi
    build/grader/compile -s 30 "${reads[@]}" -r build -w "$here" -m 2048 -- \
        "${link[@]}" "${objects[@]}" "${around[@]}" "${kernels[@]}" "$@" -o "$new" 2>"$new.log" && return
    link_words >&2
    rm -f "$to"
    for file in "${theirs[@]}"; do
        [[ " ${files[*]} " == *" $file "* ]] || echo "  $lab has a $file, too: copy $contract/$file to $shown/" >&2
    done
    fix_it "${files[0]} does not link" 'fix that'
}

build() { # COMMANDS CHANGED LIBRARY…
    local changed=$2 names=${here%/*/*}/may_name given redo= file
    find_sources "$here"
    # shellcheck disable=SC1090
    . "$1"
    given=grader/compiled/$device/$lab/solution
    if [ "$name" = solution ] && [ -e grader/compiled ]; then
        [ -e "$given" ] || fail 'this copy of the course has no reference solutions for a GPU. Next: add DEVICE=sim, or take a copy made with DEVICE=gpu'
        # (there the runtime's calls have numbers for names, so that a look at an object does not name them)
        for file in "$given"/*.o; do
            objcopy --redefine-syms=grader/compiled/names "$file" "$new" && mv "$new" "$here/${file##*/}" || exit
        done
    else
        # what an object file is linked with has no part in it, and it has one source
        for file in $changed; do [[ $file == "$folder"/lab.c* || $file == *.[ao] || $file == */libcudart.* ]] || redo=1; done
        compile_all
    fi
    { known_file "$lab" "$name" || printf '%s\n' "${from:-$folder}/${files[0]}"; } >"$new.submission"
    mv "$new.submission" "$here/submission"
    link "${@:3}"
}

built() { # BUILD GRADING
    local words both=
    find_sources "$1"
    words=${files[*]/#/$shown/}
    [[ $folder != "$solution" || ! -e grader/compiled ]] || words="the reference solution's object files"
    [[ $1 != gpu/* ]] || both='GPU and the '
    ln -s "$1" "$new"
    echo "$lab: built from $words for the ${both}simulated device$([ -n "${2-}" ] || echo "; now ./grade $lab")"
}

# ---- the steps

if [ "$step" = choose ]; then
    choose "$@"
    exit
fi
to=$1 new=$1.$$ here=${1%/*}
shift
[ -d "$here" ] || mkdir -p "$here"
trap 'rm -f "$new" "$new".*' EXIT
"$step" "$@" && mv -T "$new" "$to"
