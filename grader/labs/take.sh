# take.sh: the one door through which files of others come in. intake.sh and grader/class/unit.sh source it.
#
# Their owner can change a file, or put a link or a pipe in its place, at any moment. So what a file is, is asked of a
# copy that only the grader's user can write, and the copy is what is compiled.
# shellcheck shell=bash

# take_bytes FILE BYTES: prints at most so many bytes and one more. It follows no link and waits for no writer of a pipe.
take_bytes() {
    timeout 10 dd if="$1" iflag=nofollow,nonblock,fullblock,count_bytes bs=64K count=$(($2 + 1)) status=none 2>/dev/null
}

# take_copy FILE COPY BYTES
take_copy() { take_bytes "$1" "$3" >"$2"; }

# enter_folder FOLDER: goes there, and sets entered to its path. Fails if its last name is a link, also one that came
# in between: the path of the folder that was entered is compared, which nobody else can change.
enter_folder() {
    local above base=${1##*/}
    case $base in
        '' | . | ..) entered=$(realpath -- "$1"; echo .) && entered=${entered%$'\n.'} ;;
        *)
            above=${1%"$base"}
            above=$(realpath -- "${above:-.}"; echo .) && above=${above%$'\n.'}
            entered=${above%/}/$base
            ;;
    esac
    cd -P -- "$1" 2>/dev/null && [ "$(pwd -P; echo .)" = "$entered"$'\n.' ]
}
