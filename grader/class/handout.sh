#!/bin/bash
# handout.sh OUT DEVICE LAB...: writes a copy of the course without solutions, known submissions and tests to the folder OUT, for the
# simulated device, and for GPUs if DEVICE is gpu. make handout calls it.
#
# In the copy make labNN && ./grade labNN works as here. grader/compiled has what takes the place of what is left out:
# starters, the object files of the suites and those of the solutions, and what is made of the files of mistakes. Students can see everything else: the judge, the
# adapters, the simulated device, handouts and hints.
#
# Who disassembles a solution's object sees its instructions, and who traces it sees its calls: the reference has to run there. What is
# cheap to hide is hidden: names of local functions, names of calls (compiled/names), and answers that only a check asks for.
set -u -o pipefail
unset MAKEFLAGS # those of another make, with its jobs
out=$1 device=$2
shift 2
fail() {
    echo "handout: $*" >&2
    exit 2
}
[ -n "$out" ] || fail 'which folder? For example: make handout OUT=../course'
[ ! -e "$out" ] || { [ -d "$out" ] && [ -z "$(ls -A "$out")" ]; } || fail "$out holds something already. Next: name a new folder"
case $(realpath -m "$out")/ in "$PWD"/*) fail "$out is in the course's own folder. Next: name a folder outside" ;; esac
stage=$(mktemp -d) || fail 'no room for temporary files. Next: free some space'
trap 'rm -rf "$stage"' EXIT

# Functions that calculate what a check asks for, a few instructions each. The copy has those of the starter; what else in the
# solution calls one has a static one, which the compiler inlines.
calculations='lab04_predict lab09_break_even lab12_micro_batches lab14_choose'
# without_calculation FUNCTION <lab.c
without_calculation() {
    awk -v name="$1" '
        /^[a-z]/ && index($0, name "(") { inside = 1 }
        inside { body = body $0 "\n" }
        !inside { gsub(name "\\(", name "_used("); print }
        inside && /^}/ {
            used = "static " body
            sub(name "\\(", name "_used(", used)
            sub("#ifdef SOLUTION", "#ifndef SOLUTION", body)
            printf "%s\n%s", used, body
            inside = 0
        }' | unifdef -DSOLUTION
}

devices=sim goals=() submissions=()
[ "$device" != gpu ] || devices+=' gpu'
for lab; do goals+=("build/grader/$lab"); for file in solutions/"$lab"_*/lab.c*; do goals+=("build/known/$lab/starter/${file##*/}"); done; done
for device in $devices; do
    make DEVICE="$device" "${goals[@]}" $(printf "build/$device/%s/solution/subject " "$@") >&2 || fail "the course could not be built for $device. Next: make lab01 DEVICE=$device"
    for function in $calculations; do
        lab=${function%%_*} from=$stage/$device/${function%%_*}
        [[ " $* " == *" $lab "* ]] || continue
        mkdir -p "$from" && cp solutions/"$lab"_*/lab.c* "$from" && without_calculation "$function" <"$(echo solutions/"$lab"_*)/lab.c" >"$from/lab.c"
        [ $? -le 1 ] && make DEVICE="$device" "$lab" SUBMISSION="$from" >&2 && cp "build/$lab/lab.o" "$from/lab.o" || fail "$lab could not be built without $function"
        rm -rf "$(realpath "build/$lab")" "build/$lab"
    done
done
mkdir -p "$out" || fail "$out cannot be made. Next: name another folder"

{ git ls-files -z 2>/dev/null || find . -type f -not -path './build/*' -printf '%P\0'; } |
    grep -zvE '^(solutions|grader/tests/.*/|grader/rates|[.]ci|[.]github|grade$)' |
    grep -zvE '^grader/labs/lab[0-9]+/(wrong/|right/|mistakes$)|^grader/judge/mistakes$|^(labs/TEACHING[.]md|grader/.*[.]md|Containerfile)' |
    grep -zvE '^grader/labs/lab[0-9]+/[^/]*[.]c$' |
    # figures whose programs do what a lab asks for, and programs for profiles of the simulated device
    grep -zvE '^plots/(batches[.]|probe|validate|fit|compare)|^plots/figures/(all_reduce|conditional|decode|device_launch|methods|serve_load|three_ways|timeline)([.]|_kernels[.])(c|cu|h)$' \
        >"$stage/files" || exit 1
find grader/labs/lab* -maxdepth 1 -name 'adapter*.c' -print0 >>"$stage/files"
# of grader/class, only what ./grade --format needs
grep -zvE '^grader/class/' "$stage/files" >"$stage/kept"
find grader/class/{format.sh,cell.jq,formats} -type f -print0 >>"$stage/kept"
xargs -0 cp -P --parents --preserve=mode,timestamps -t "$out" <"$stage/kept" || fail "the files could not be copied. Next: free some space"

compiled=$out/grader/compiled
mkdir -p "$compiled/gen/judge" && cp build/grader/gen/judge/*.[ch] "$compiled/gen/judge" || exit 1
{ git describe --always --dirty 2>/dev/null || echo unknown; } >"$compiled/version" || exit 1
for lab; do
    mkdir -p "$compiled"/{starters,suites,gen/labs}/"$lab" || exit 1
    cp build/grader/gen/labs/"$lab"/{*.h,steps.tsv} "$compiled/gen/labs/$lab" || exit 1
    cp "build/known/$lab/starter/"lab.c* "$compiled/starters/$lab" || exit 1
    cp "build/known/$lab/starter/"lab.c* "$(echo "$out/labs/${lab}"_*)" || exit 1 # nobody's own work
    for file in grader/labs/"$lab"/*.c build/grader/gen/labs/"$lab"/mistakes.c; do
        [[ $file == */adapter* ]] || cp "build/grader/obj/${file%.c}.o" "$compiled/suites/$lab" || exit 1
    done
    for device in $devices; do
        mkdir -p "$compiled/$device/$lab/solution" && cp "build/$device/$lab/solution/"lab{,.cu}.o "$compiled/$device/$lab/solution" 2>/dev/null
        [ ! -e "$stage/$device/$lab/lab.o" ] || cp "$stage/$device/$lab/lab.o" "$compiled/$device/$lab/solution"
        [ -e "$compiled/$device/$lab/solution/lab.o" ] || fail "build/$device/$lab/solution/lab.o could not be copied. Next: free some space"
    done
done
find "$compiled" -name '*.o' -exec strip --strip-debug {} + || exit 1
# the calls of the runtime: number, name
{ nm -D --defined-only build/sim/lib/libcudart.so && nm -u "$compiled"/*/*/solution/*.o; } | grep -oE '\bcuda[A-Za-z0-9_]+$' | sort -u |
    awk '{ print "call_" NR, $0 }' >"$compiled/names" && awk '{ print $2, $1 }' "$compiled/names" >"$stage/names" || exit 1
find "$compiled" -path '*/solution/*.o' -exec objcopy --discard-all --redefine-syms="$stage/names" {} \; || exit 1

# what a page says to instructors, between these two marks, and rows of tables on what the copy lacks
find "$out" -name '*.md' -exec sed -i -e '/^<!-- for instructors -->$/,/^<!-- for all -->$/d' \
    -e '/^| `make \(validate\|probe\)/d' -e '/^| .*grader\/tests\//d' {} +
mkdir -p "$out/.github/workflows" && cp grader/class/platforms/github.yml "$out/.github/workflows/grade.yml" || exit 1
echo "$out: a copy of the course for $devices on $(uname -m), without solutions: $(du -sh "$out" | cut -f 1)"
