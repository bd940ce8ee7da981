#!/bin/bash
# folder.sh FOLDER: says how make is to call this folder of a submission: as it is, or, where make or the shell would read
# something else out of its name (Anna K. (2), a&b), as a link to it under build/submissions.
set -eu
if [ -f "$1" ]; then
    echo "SUBMISSION=$1 is a file; what is wanted is the folder that it is in" >&2
    exit 1
fi
case $1 in
-* | *[~[:space:]\'\"\`\$\&\|\;\<\>\(\){}\[\]\*\?\!\#:=%\\]*) ;;
*) exec printf '%s\n' "${1%/}" ;;
esac
to=$(realpath -m -- "$1")
link=build/submissions/$(printf %s "$to" | cksum | cut -d' ' -f1)
mkdir -p build/submissions
ln -sfn -- "$to" "$link"
echo "$link is $1" >&2
echo "$link"
