#!/bin/bash
# starters.sh write|reset STARTER…: starters, build/known/labNN/starter/lab.c, take their place in labs/labNN_*. write leaves
# what git has not committed as it is, unless FORCE is set; reset keeps the file that is there beside it: lab.c.1, lab.c.2, …
set -u
[ $# -gt 1 ] || { echo "which lab? For example: make $1 LAB=05" >&2; exit 2; }
write() { # STARTER FILE
    if [ -z "$FORCE" ] && ! git diff --quiet HEAD -- "$2"; then
        echo "$2 has changes that are not committed: left as it is (make starters FORCE=1 overwrites it)"
    else
        cp "$1" "$2" && echo "$2 written"
    fi
}

reset() { # STARTER FILE
    local kept='' n=1
    if [ -e "$2" ]; then
        while [ -e "$2.$n" ]; do n=$((n + 1)); done
        mv "$2" "$2.$n" && kept="; your file is $2.$n"
    fi
    cp "$1" "$2" && echo "$2 is the starter again$kept"
}

for new in "${@:2}"; do
    lab=${new#build/known/}
    file=$(echo labs/"${lab%%/*}"_*)/${new##*/}
    if ! cmp -s "$new" "$file"; then
        "$1" "$new" "$file"
    elif [ "$1" = reset ]; then
        echo "$file is the starter already"
    fi
done
