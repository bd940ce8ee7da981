#!/bin/bash
# submission.sh STEP TO …: the way of a submission to the program that the judge runs. make calls a step if something that
# it depends on has changed. TO is what the step makes, in the folder of the submission's build, …/labNN/NAME.
#
#   known TO FILES KNOWN BASE              a source file: KNOWN's changes to its base (known.awk)
#   starter TO SOLUTION                    a source file: the solution without what a learner writes
#   digest TO MAIN SOURCE…                 a digest of the sources, and what reports call the submission: MAIN, or of a
#                                          copy the path that intake.sh notes
#   compile TO SHOWN SOURCE TAKEN COMMAND… an object file: of SOURCE, or TAKEN, the solution's if it is the same there
#   link TO SHOWN MAIN MISSING COMMAND…    the subject
#
# SHOWN: what messages call its folder. COMMAND lacks its -o. MAIN, MISSING: its first source file; those that it lacks.
set -u
step=$1 to=$2
shift 2
folder=${to%/*} new=$to.$$
name=${folder##*/} lab=${folder%/*}
lab=${lab##*/}
[ -d "$folder" ] || mkdir -p "$folder"
trap 'rm -f "$new" "$new".*' EXIT
trap 'exit 130' INT TERM HUP

fail() {
    printf '%s\n' "$1" >&2
    exit 1
}

fix_it() { # WHAT SHOWN NEXT
    local choice
    case $name in
        yours) choice= ;;
        solution) choice=' SOLUTION=1' ;;
        *-*) choice=" SUBMISSION=${2/#build\/intake\/*/…}" ;;
        *) choice=" KNOWN=$name" ;;
    esac
    fail "$lab: $2/$1; $3 and run make $lab$choice again"
}

# what the linker says of a submission, in words; the rest as it is
link_words() {
    local header name again
    header=$(echo labs/"$lab"_*)/lab.h
    sed -nE -e 's/.*undefined reference to .([A-Za-z0-9_]+).*/\1/p' -e 's/.*multiple definition of .([A-Za-z0-9_]+).*/\1 again/p' "$new.log" |
        sort -u | while read -r name again; do
            if [ -n "$again" ]; then echo "  $name must not be defined: the program around the lab has its own"
            elif grep -qw -- "$name" "$header"; then echo "  $name is not defined: $header says what it does"
            else echo "  $name is not defined, and is not in $header"; fi
        done | grep . || cat "$new.log"
}

case $step in
    known)
        [ $# = 3 ] || fail "there is no grader/labs/$lab/*/$name"
        unifdef -DSOLUTION "$3" | awk -v file="${to##*/}" -v files="$1" -v base="$3" -f grader/labs/known.awk "$2" - >"$new" || exit
        ;;
    starter)
        # its status is 1 if it changed something
        unifdef -USOLUTION "$1" >"$new"
        [ $? = 1 ] || fail "$1: nothing is marked #ifdef SOLUTION"
        ;;
    digest)
        words=$1 from=${1%/*}.from
        [ ! -e "$from" ] || words=$(tr -d '\n' <"$from")/${1##*/}
        { cat /dev/null "${@:2}" | sha256sum; printf '%s\n' "$words"; } >"$new"
        # What is in a learner's sources counts, not only their age: those unpacked from an archive may be older than
        # what was built last from the same folder.
        [ ! -e "$from" ] || ! cmp -s "$new" "$to" || exit 0
        ;;
    compile)
        shown=$1 source=$2 taken=$3 copy=$folder/${2##*/} names=${folder%/*/*}/may_name deps=()
        [ ! -e build/deps ] || deps=(-r build/deps)
        # no grading of an older subject, but for the solution's: other makes may have it already, and grade with it
        [ "$name" = solution ] || rm -f "$folder/subject"
        if [ -n "$taken" ]; then
            cp "$taken" "$new" && source=${taken%/*}/${source##*/}
        else
            "${@:4}" -o "$new" || fix_it "${source##*/} does not compile" "$shown" 'fix the first error above'
            # Only what its contract names is seen by the rest, and it sees nothing of the grader. What reads the object can
            # be misled by it, and repeats its names.
            build/grader/compile -s 30 -r grader/labs/fence.sh -r "$names" -r "${source%/*}" "${deps[@]}" \
                -w "$folder" -m 2048 -- grader/labs/fence.sh "$lab" "$source" "$new" "$names" ||
                fix_it "${source##*/} does not link" "$shown" 'fix that'
        fi
        # The source stays beside the object: a report of a crash quotes the line. What a learner does not write is not in
        # it, and its lines keep their numbers.
        case $source in
            solutions/*) unifdef -b -DSOLUTION "$source" >"$new.source" || [ $? = 1 ] ;;
            *) cp "$source" "$new.source" ;;
        esac && mv "$new.source" "$copy" || exit
        ;;
    link)
        shown=$1 main=$2 missing=$3
        "${@:4}" -o "$new" 2>"$new.log" || {
            link_words >&2
            rm -f "$to"
            for file in $missing; do
                echo "  $lab has a $file, too: copy $(echo labs/"$lab"_*)/$file to $shown/" >&2
            done
            fix_it "$main does not link" "$shown" 'fix that'
        }
        rm "$new.log"
        ;;
esac
mv "$new" "$to" && trap - EXIT
