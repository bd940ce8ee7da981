#!/bin/bash
# intake.sh FOLDER [NAME]: copies a submission's lab.c, lab.cu and headers to build/intake/NAME, and prints NAME.
#
# Everything after this sees the copy alone. It holds regular files of ordinary names and of a bounded size, so their
# names are safe in makefiles, shells and terminals. All else is reported and ignored. lab.h is the lab's own in every
# build, because the program around the submission was compiled with it. build/intake/NAME.from, which no shell ever evaluates, has
# the path of the folder, and what messages call it: FOLDER, or the copy, if FOLDER has other characters than those of `plain`.
set -u
export LC_ALL=C
shopt -s nullglob
plain='^[A-Za-z0-9_.,+@/][A-Za-z0-9_.,+@/-]*$'
most_bytes=1048576 most_files=64 most_reported=8

# as a shell is to be given it: letters of all languages as they are, other characters beyond ASCII in octal
quoted() {
    (LC_ALL=C.UTF-8; [[ $1 =~ ^([[:alnum:]]|[\ -~])*$ ]] || LC_ALL=C; printf %q "$1")
}

# shellcheck source=grader/labs/take.sh
. grader/labs/take.sh
root=$PWD from=${1%/}
if [ -f "$from" ]; then
    echo "SUBMISSION=$(quoted "$1") is a file: name the folder that it is in" >&2
    exit 1
elif [ ! -d "$from" ]; then
    echo "SUBMISSION=$(quoted "$1"): there is no such folder" >&2
    exit 1
elif ! enter_folder "${from:-/}"; then
    echo "SUBMISSION=$(quoted "$1") is a link, or cannot be entered: name the folder itself, and chmod u+rx on it" >&2
    exit 1
fi
base=${entered##*/}
base=${base//[!A-Za-z0-9_]/_}
digest=$(printf %s "$entered" | sha256sum)
name=${2:-${base:0:64}-${digest:0:16}}
to=build/intake/$name own=$root/build/intake/$name in=$root/build/intake/$name.$$
mkdir -p "$own" "$in"
trap 'rm -rf -- "$in"' EXIT
shown=$from
if [[ ! $from =~ $plain ]]; then
    shown=$to from=$entered
    echo "$to is a copy of $(quoted "$from")" >&2
fi
printf '%s\n' "${from//$'\n'}" "$shown" >"$in/from" && mv "$in/from" "$own.from"

reported=0
report() { # FILE WHY
    local file=${1##*/}
    reported=$((reported + 1))
    [ $reported -gt $most_reported ] || printf '%s: ignored %s: %s\n' "$shown" "$(quoted "${file:0:120}")" "$2" >&2
}

taken=' ' n_taken=0
take() { # FILE, a source or a header
    local file=${1##*/} copy=$in/${1##*/} bytes
    if [ -L "$1" ]; then
        report "$1" 'it is a link; copy the file that it names'
    elif [ ! -f "$1" ]; then
        report "$1" 'it is not a regular file'
    elif [ "$(stat -c %h -- "$1")" != 1 ]; then
        report "$1" 'it has another name elsewhere (a hard link); copy it'
    elif [ $n_taken -ge $most_files ]; then
        report "$1" "a submission has at most $most_files files"
    elif ! take_copy "$1" "$copy" $most_bytes; then
        report "$1" 'it cannot be read; chmod u+r on it'
    elif bytes=$(stat -c %s -- "$copy") && [ "$bytes" -gt $most_bytes ]; then
        report "$1" 'it is larger than 1 MiB'
    elif [ "$(tr -d '\0' <"$copy" | wc -c)" != "$bytes" ]; then
        report "$1" 'it is not text in UTF-8 (in UTF-16 perhaps): save it as UTF-8'
    else
        taken+="$file " n_taken=$((n_taken + 1))
        cmp -s -- "$copy" "$own/$file" && [ ! "$1" -nt "$own/$file" ] || mv -- "$copy" "$own/$file"
    fi
}

for file in ./lab.c ./lab.cu; do
    [ ! -e "$file" ] && [ ! -L "$file" ] || take "$file"
done
# why another file is not taken
why_not() {
    local file=${1##*/}
    if [ -f "$1/lab.c" ] || [ -f "$1/lab.cu" ]; then
        echo "it is another folder with a lab.c or lab.cu: SUBMISSION=$(quoted "${from%/}/$file") grades that one"
    elif [[ $file == *.c && $taken == ' ' ]]; then
        echo "a submission's source has the name lab.c: rename it"
    elif [[ $file == *.c || $file == *.cu ]]; then
        echo 'only lab.c and lab.cu are compiled: move its functions there'
    else
        echo 'a submission is lab.c or lab.cu, and headers with plain names'
    fi
}

is_a_lab_h() {
    local lab_h here there # read, because eighteen processes of cmp take longer than the rest
    [ -f "$1" ] && take_copy "$1" "$in/lab.h" $most_bytes || return 1
    IFS= read -rd '' here <"$in/lab.h"
    for lab_h in "$root"/labs/*/lab.h; do
        IFS= read -rd '' there <"$lab_h"
        [ "$here" != "$there" ] || return 0
    done
    return 1
}

for file in ./*; do
    case ${file##*/} in
        lab.c | lab.cu | README.md | hints.md | Makefile | lab.c.[0-9]* | lab.cu.[0-9]*) continue ;;
        lab.h) is_a_lab_h "$file" || report "$file" "the lab's own lab.h is used, which has other contents" ;;
        *)
            if [[ ${file##*/} =~ ^[A-Za-z0-9_][A-Za-z0-9_.-]{0,59}\.h$ ]]; then
                take "$file"
            else
                report "$file" "$(why_not "$file")"
            fi
            ;;
    esac
done
[ $reported -le $most_reported ] || echo "$shown: ignored $((reported - most_reported)) others" >&2
for file in "$own"/*; do
    [[ $taken == *" ${file##*/} "* ]] || { rm -- "$file" && touch -c "$own"/lab.{c,cu}; }
done
echo "$name"
