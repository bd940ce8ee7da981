#!/bin/bash
# intake.sh FOLDER [NAME]: copies a submission's lab.c, lab.cu and headers to build/intake/NAME, and prints NAME and the
# words that messages call the submission by: FOLDER, or the copy, if FOLDER has other characters than those of `plain`.
#
# Everything after this sees the copy alone. It holds regular files of ordinary names and of a bounded size, so their
# names are safe in makefiles, shells and terminals. All else is reported and ignored. lab.h is the lab's own in every
# build, because the program around the submission was compiled with it. The path of the folder is kept in
# build/intake/NAME.from, which no shell ever evaluates.
set -u
export LC_ALL=C
shopt -s nullglob
plain='^[A-Za-z0-9_.,+@/][A-Za-z0-9_.,+@/-]*$'
most_bytes=1048576 most_files=64 most_reported=8

# as a shell is to be given it: letters of all languages as they are, other characters beyond ASCII in octal
quoted() {
    (LC_ALL=C.UTF-8; [[ $1 =~ ^([[:alnum:]]|[\ -~])*$ ]] || LC_ALL=C; printf %q "$1")
}

from=${1%/}
if [ -f "$from" ]; then
    echo "SUBMISSION=$(quoted "$1") is a file: name the folder that it is in" >&2
    exit 1
elif [ ! -d "$from" ]; then
    echo "SUBMISSION=$(quoted "$1"): there is no such folder" >&2
    exit 1
fi
path=$(realpath -m -- "$from")
base=${path##*/}
base=${base//[!A-Za-z0-9_]/_}
name=${2:-${base:0:64}-$(printf %s "$path" | cksum | cut -d' ' -f1)}
to=build/intake/$name
mkdir -p "$to"
shown=$from
if [[ ! $from =~ $plain ]]; then
    shown=$to from=$path
    echo "$to is a copy of $(quoted "$from")" >&2
fi
printf '%s\n' "$from" >"$to.from.$$" && mv "$to.from.$$" "$to.from"

reported=0
report() { # FILE WHY
    local file=${1##*/}
    reported=$((reported + 1))
    [ $reported -gt $most_reported ] || printf '%s: ignored %s: %s\n' "$shown" "$(quoted "${file:0:120}")" "$2" >&2
}

taken=' '
take() { # FILE, a source or a header
    local file=${1##*/}
    if [ -L "$1" ]; then
        report "$1" 'it is a link; copy the file that it names'
    elif [ ! -f "$1" ]; then
        report "$1" 'it is not a regular file'
    elif [ "$(stat -c %h -- "$1")" != 1 ]; then
        report "$1" 'it has another name elsewhere (a hard link); copy it'
    elif [ "$(stat -c %s -- "$1")" -gt $most_bytes ]; then
        report "$1" 'it is larger than 1 MiB'
    elif [ "$(tr -d '\0' <"$1" | wc -c)" != "$(stat -c %s -- "$1")" ]; then
        report "$1" 'it is not text in UTF-8 (in UTF-16 perhaps): save it as UTF-8'
    elif [ "$(wc -w <<<"$taken")" -ge $most_files ]; then
        report "$1" "a submission has at most $most_files files"
    else
        taken+="$file "
        cmp -s -- "$1" "$to/$file" && [ ! "$1" -nt "$to/$file" ] && [ ! "$1" -ot "$to/$file" ] ||
            { cp -p -- "$1" "$to.$file.$$" && mv -- "$to.$file.$$" "$to/$file"; }
    fi
}

for file in "$from"/lab.c "$from"/lab.cu; do
    [ ! -e "$file" ] && [ ! -L "$file" ] || take "$file"
done
# why another file is not taken
why_not() {
    local file=${1##*/}
    if [ -f "$1/lab.c" ] || [ -f "$1/lab.cu" ]; then
        echo "it is another folder with a lab.c or lab.cu: SUBMISSION=$(quoted "$1") grades that one"
    elif [[ $file == *.c && $taken == ' ' ]]; then
        echo "a submission's source has the name lab.c: rename it"
    elif [[ $file == *.c || $file == *.cu ]]; then
        echo 'only lab.c and lab.cu are compiled: move its functions there'
    else
        echo 'a submission is lab.c or lab.cu, and headers with plain names'
    fi
}

is_a_lab_h() {
    local own
    [ -f "$1" ] && [ ! -L "$1" ] || return 1
    for own in labs/*/lab.h; do
        ! cmp -s -- "$1" "$own" || return 0
    done
    return 1
}

for file in "$from"/*; do
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
for file in "$to"/*; do
    [[ $taken == *" ${file##*/} "* ]] || rm -- "$file"
done
echo "$name $shown"
