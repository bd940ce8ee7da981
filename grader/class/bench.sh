#!/bin/bash
# bench.sh [N]: how many submissions of lab 03 does ./grade class grade in an hour, and does it lose one when it is stopped?
#
# N submissions (default 1,000): the solution, the starter, every known submission, and 5 % that never end, exit, fork, kill or take
# 3.5 GiB. The run is interrupted twice by SIGTERM and once by SIGKILL, and repeated. Then each submission must have
# exactly one result, and equal programs equal points. make bench-class calls it.
set -u -o pipefail
cd "$(dirname "$0")/../.." || exit 4
export PATH="$PWD/build/deps/bin:$PATH" LC_ALL=C.UTF-8
unset MAKEFLAGS MAKELEVEL MFLAGS
n=${1:-1000} lab=lab03 device=${DEVICE:-sim}
place=$(mktemp -d "${TMPDIR:-/tmp}/bench-class-XXXXXX")
trap 'rm -rf "$place"' EXIT

mapfile -t known < <(cd grader/labs/$lab && ls wrong right)
for i in "${!known[@]}"; do [[ ${known[i]} == *: || -z ${known[i]} ]] && unset "known[i]"; done
known=(starter "${known[@]}")
make -s DEVICE="$device" $(printf "build/known/$lab/%s/lab.c " "${known[@]}") || exit 4
unifdef -DSOLUTION solutions/${lab}_*/lab.c >"$place/solution.c"
hostile=('for (;;);' '_exit(0);' 'while (fork() >= 0);' 'kill(-1, 9);' 'memset(malloc(3584ul << 20), 1, 3584ul << 20); for (;;);')
mkdir "$place/class"
for ((i = 0; i < n; i++)); do
    to=$place/class/student$i
    if ((i % 20 == 19)); then
        k=hostile$((i / 20 % ${#hostile[@]}))
        mkdir "$to.$k" && { cat "$place/solution.c"
            printf '#include <signal.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n'
            printf '__attribute__((constructor)) static void hostile(void) { %s }\n' "${hostile[i / 20 % ${#hostile[@]}]}"; } >"$to.$k/lab.c"
    elif ((i % 3 == 0)); then
        mkdir "$to.solution" && { cat "$place/solution.c"; echo "/* $i */"; } >"$to.solution/lab.c"
    else
        k=${known[i % ${#known[@]}]}
        mkdir "$to.$k" && { cat "build/known/$lab/$k/lab.c"; echo "/* $i */"; } >"$to.$k/lab.c"
    fi
done

results() { find "$place/results/students" -name '*.json' -printf '%p %i %T@\n' 2>/dev/null | sort; }
class() { exec ./grade class "$place/class" --labs $lab --device "$device" --seed 1 --out "$place/results" "$@"; }
# interrupt SIGNAL COUNT: runs until there are COUNT results
interrupt() {
    (class >/dev/null 2>&1) &
    while kill -0 $! 2>/dev/null && [ "$(results | wc -l)" -lt "$2" ]; do sleep 0.5; done
    kill -"$1" "$(cat "$place/results/class.lock")" 2>/dev/null
    wait $! 2>/dev/null
    results >"$place/after.$1.$2"
    echo "$(wc -l <"$place/after.$1.$2") results after SIG$1"
}
# a sample of the memory in use, each second
(while sleep 1; do awk '/^MemAvailable/ { print $2 }' /proc/meminfo; done >"$place/memory") &
sampler=$!
free_before=$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo) began=$SECONDS
interrupt TERM $((n / 5))
interrupt KILL $((n * 2 / 5))
interrupt TERM $((n * 3 / 5))
(class) 2>&1 | tail -n 3
seconds=$((SECONDS - began))
kill $sampler
results >"$place/all"
lost=$(cat "$place"/after.* | sort -u | comm -23 - "$place/all" | wc -l)
echo "$n submissions in $seconds s: $((n * 3600 / seconds)) per hour on $(nproc) processors, load average $(cut -d ' ' -f 2 /proc/loadavg)"
echo "results: $(wc -l <"$place/all"); replaced or lost after an interruption: $lost"
echo "peak memory: $((($free_before - $(sort -n "$place/memory" | head -n 1)) / 1024)) MiB"
# equal programs have equal points, right ones all of them, wrong ones fewer
find "$place/results/students" -name '*.json' -exec jq -r '[(.student | sub("^[^.]*[.]"; "")), .points, .status] | @tsv' {} + |
    sort | uniq -c | awk -v right=" solution $(ls grader/labs/$lab/right | tr '\n' ' ')" '
    { count[$2]++ }
    index(right, " " $2 " ") ? $3 != 100 : $3 == 100 && $2 !~ /^hostile/ { print "unexpected:", $0; bad = 1 }
    END { for (k in count) if (count[k] > 1 && k !~ /^hostile/) { print "different points:", k; bad = 1 }
          print length(count) " different programs"; exit bad }' || exit 1
[ "$lost" = 0 ] && [ "$(wc -l <"$place/all")" = "$n" ]
