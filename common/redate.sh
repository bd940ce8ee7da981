#!/bin/bash
# redate.sh: make calls it before it compares dates. A file that an older one replaced (mv, cp -p, an archive) would
# count as unchanged. So a file that is other than when make last looked, and has a date from before that look, gets the
# current date. Learners' files are not looked at: they are compared by content.
set -eu
shopt -s nullglob
export LC_ALL=C
state=build/state new=build/state/sources.$$
[ -d $state ] || mkdir -p $state
list() {
    # a copy for learners has no solutions
    find Makefile common grader kernels labs {solution,plot}[s] -type f ! -path 'labs/lab*/lab.c*' -printf '%s %T@ %p\n' | sort
}
if list | cmp -s - $state/sources; then exit; fi
trap 'rm -f $new' EXIT
list >$new
if [ -e $state/sources ]; then
    comm -23 $new $state/sources | cut -d' ' -f3- | while IFS= read -r file; do
        if [ "$file" -nt $state/sources ]; then continue; fi
        touch -c -- "$file" || { echo "$file has changed and keeps an old date. Next: make clean, or make it yours to write" >&2; exit 1; }
        echo "$file has changed and has an old date: dated now"
    done
    list >$new
fi
mv $new $state/sources
