#!/bin/bash
# folder.sh FOLDER: prints two words for the folder of a submission: what make is to call it, and the name that its
# build goes by (the folder's own and a number of its path). make calls it as it is, or, if make or the shell would read
# something else out of its name (Anna K. (2), a&b), by a link to it under build/submissions.
set -eu
if [ -f "$1" ]; then
    echo "SUBMISSION=$1 is a file; what is wanted is the folder that it is in" >&2
    exit 1
fi
to=$(realpath -m -- "$1")
name=$(basename -- "$to" | tr -c 'A-Za-z0-9_\n' _)-$(printf %s "$to" | cksum | cut -d' ' -f1)
case $1 in
-* | *[~[:space:]\'\"\`\$\&\|\;\<\>\(\){}\[\]\*\?\!\#:=%\\]*) ;;
*)
    echo "${1%/} $name"
    exit
    ;;
esac
mkdir -p build/submissions
ln -sfn -- "$to" "build/submissions/$name"
echo "build/submissions/$name is $1" >&2
echo "build/submissions/$name $name"
