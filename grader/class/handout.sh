#!/bin/bash
# handout.sh OUT DEVICE LAB...: writes a copy of the course without solutions, known submissions and tests to the folder OUT, for the
# simulated device, and for GPUs if DEVICE is gpu. make handout calls it.
#
# In the copy make labNN && ./grade labNN works as here. grader/compiled has what takes the place of what is left out:
# starters, the object files of the suites and those of the solutions, and what is made of the files of mistakes. Students can see everything else: the judge, the
# adapters, the simulated device, handouts and hints.
set -u -o pipefail
out=$1 device=$2
shift 2
fail() {
    echo "handout: $*" >&2
    exit 2
}
[ -n "$out" ] || fail 'which folder? For example: make handout OUT=../course'
[ ! -e "$out" ] || { [ -d "$out" ] && [ -z "$(ls -A "$out")" ]; } || fail "$out holds something already. Next: name a new folder"
devices=sim goals=()
[ "$device" != gpu ] || devices+=' gpu'
for lab; do goals+=("build/grader/$lab"); for file in solutions/"$lab"_*/lab.c*; do goals+=("build/known/$lab/starter/${file##*/}"); done; done
for device in $devices; do
    make DEVICE="$device" "${goals[@]}" $(printf "build/$device/%s/solution/subject " "$@") >&2 || fail "the course could not be built for $device. Next: make lab01 DEVICE=$device"
done
mkdir -p "$out" || fail "$out cannot be made. Next: name another folder"
case $(realpath "$out")/ in "$PWD"/*) rmdir "$out"; fail "$out is in the course's own folder. Next: name a folder outside" ;; esac

{ git ls-files -z 2>/dev/null || find . -type f -not -path './build/*' -printf '%P\0'; } |
    grep -zvE '^(solutions|grader/tests/.*/|grader/rates|grader/audit|[.]ci|[.]github|grade$)' |
    grep -zvE '^grader/labs/lab[0-9]+/(wrong/|right/|mistakes$)|^grader/judge/mistakes$|^(labs/TEACHING[.]md|grader/.*[.]md|Containerfile)' |
    grep -zvE '^grader/labs/lab[0-9]+/[^/]*[.]c$' >"$out/.files" || exit 1
find grader/labs/lab* -maxdepth 1 -name 'adapter*.c' -print0 >>"$out/.files"
# of grader/class, only what ./grade --format needs
grep -zvE '^grader/class/' "$out/.files" >"$out/.kept"
find grader/class/format.sh grader/class/formats -type f -print0 >>"$out/.kept"
xargs -0 cp -P --parents --preserve=mode,timestamps -t "$out" <"$out/.kept" || fail "the files could not be copied. Next: free some space"
rm -f "$out/.files" "$out/.kept"

compiled=$out/grader/compiled
mkdir -p "$compiled/gen/judge" && cp build/grader/gen/judge/*.[ch] "$compiled/gen/judge" || exit 1
for lab; do
    mkdir -p "$compiled"/{starters,suites,gen/labs}/"$lab" || exit 1
    cp build/grader/gen/labs/"$lab"/{*.h,steps.tsv} "$compiled/gen/labs/$lab" || exit 1
    cp "build/known/$lab/starter/"lab.c* "$compiled/starters/$lab" || exit 1
    cp "build/known/$lab/starter/"lab.c* "$(echo "$out/labs/${lab}"_*)" || exit 1 # nobody's own work
    find "build/grader/obj/grader/labs/$lab" "build/grader/obj/build/grader/gen/labs/$lab" -maxdepth 1 -name '*.o' ! -name 'adapter*' -exec cp {} "$compiled/suites/$lab" \; || exit 1
    for device in $devices; do
        mkdir -p "$compiled/$device/$lab/solution" && cp "build/$device/$lab/solution/"lab{,.cu}.o "$compiled/$device/$lab/solution" 2>/dev/null
        [ -e "$compiled/$device/$lab/solution/lab.o" ] || fail "build/$device/$lab/solution/lab.o could not be copied. Next: free some space"
    done
done
find "$compiled" -name '*.o' -exec strip --strip-debug {} + || exit 1

# what a page says to instructors, between these two marks
find "$out" -name '*.md' -exec sed -i '/^<!-- for instructors -->$/,/^<!-- for all -->$/d' {} +
mkdir -p "$out/.github/workflows" && cp grader/class/platforms/github.yml "$out/.github/workflows/grade.yml" || exit 1
echo "$out: a copy of the course for $devices on $(uname -m), without solutions: $(du -sh "$out" | cut -f 1)"
