#!/bin/bash
# bench.sh [N]: how many submissions of lab 03 does ./grade class grade in an hour, and does it lose one when it is stopped?
#
# N submissions (default 1,000): the solution, the starter, every known submission, and 5 % that never end, exit, fork, kill or take
# 3.5 GiB. The run is interrupted twice by SIGINT and once by SIGKILL, and repeated. With SLURM=1 the same runs as an
# array job of a Slurm of one node (grader/tests/course/slurm.sh): one of its tasks is cancelled, and the node is drained
# for a while. Then each submission must have exactly one result, and equal programs equal points. make bench-class calls it.
set -u -o pipefail
cd "$(dirname "$0")/../.." || exit 4
export PATH="$PWD/build/deps/bin:$PATH" LC_ALL=C.UTF-8
unset MAKEFLAGS MAKELEVEL MFLAGS
# who ignores a signal from the start cannot undo that for what it starts
(((16#$(awk '/^SigIgn/ { print $2 }' /proc/self/status) & 2) == 0)) ||
    { echo 'SIGINT is ignored here, and this interrupts a class by it. Next: start it in the foreground' >&2; exit 2; }
n=${1:-1000} lab=lab03 device=${DEVICE:-sim}
place=$(mktemp -d "${TMPDIR:-/tmp}/bench-class-XXXXXX")
end() {
    [ -z "${SLURM_CONF:-}" ] || grader/tests/course/slurm.sh stop "$place/slurm"
    rm -rf "$place"
}
trap end EXIT

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

if [ -n "${SLURM:-}" ]; then
    chmod 755 "$place" && mkdir "$place/slurm" && grader/tests/course/slurm.sh start "$place/slurm" || exit 4
    export SLURM_CONF=$place/slurm/slurm.conf
fi
# with job control, a background run does not ignore SIGINT
set -m

results() { find "$place/results/students" -name '*.json' -printf '%p %i %T@\n' 2>/dev/null | sort; }
class() { exec ./grade class "$place/class" --labs $lab --device "$device" --seed 1 --out "$place/results" ${SLURM_CONF:+--slurm --array-size 50} "$@"; }
# until_results COUNT: waits until the run has COUNT results
until_results() { while kill -0 $! 2>/dev/null && [ "$(results | wc -l)" -lt "$1" ]; do sleep 0.5; done; }
# interrupt SIGNAL COUNT: runs until there are COUNT results
interrupt() {
    (class >/dev/null 2>&1) &
    until_results "$2"
    kill -"$1" "$(cat "$place/results/class.lock")" 2>/dev/null
    wait $! 2>/dev/null
    results >"$place/after.$1.$2"
    echo "$(wc -l <"$place/after.$1.$2") results after SIG$1"
}
interrupted_run() {
    interrupt INT $((n / 5))
    interrupt KILL $((n * 2 / 5))
    interrupt INT $((n * 3 / 5))
}
# the first run by Slurm; the one after it submits what the cancelled task has left
disturbed_run() {
    local task
    (class >"$place/said" 2>&1) &
    until_results $((n / 5))
    task=$(squeue -h -t RUNNING -o %i | head -n 1)
    scancel "$task" && echo "$(results | wc -l) results when task $task was cancelled"
    until_results $((n * 2 / 5))
    scontrol update nodename=localhost state=drain reason=bench
    sleep 20
    echo "$(results | wc -l) results when the drained node was resumed"
    scontrol update nodename=localhost state=resume
    wait $!
    results >"$place/after.slurm"
}
# a sample of the memory in use, each second
(while sleep 1; do awk '/^MemAvailable/ { print $2 }' /proc/meminfo; done >"$place/memory") &
sampler=$!
free_before=$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo) began=$SECONDS
if [ -n "${SLURM_CONF:-}" ]; then disturbed_run; else interrupted_run; fi
(class) 2>&1 | tail -n 3
seconds=$((SECONDS - began))
kill $sampler && wait $sampler 2>/dev/null
results >"$place/all"
lost=$(cat "$place"/after.* | sort -u | comm -23 - "$place/all" | wc -l)
echo "$n submissions in $seconds s: $((n * 3600 / seconds)) per hour on $(nproc) processors, load average $(cut -d ' ' -f 2 /proc/loadavg)"
echo "results: $(wc -l <"$place/all"); replaced or lost after an interruption: $lost"
echo "peak memory: $((($free_before - $(sort -n "$place/memory" | sed -n 1p)) / 1024)) MiB"
# equal programs have equal points, right ones all of them, wrong ones fewer
find "$place/results/students" -name '*.json' -exec jq -r '[(.student | sub("^[^.]*[.]"; "")), .points, .status] | @tsv' {} + |
    sort | uniq -c | awk -v right=" solution $(ls grader/labs/$lab/right | tr '\n' ' ')" '
    { count[$2]++ }
    index(right, " " $2 " ") ? $3 != 100 : $3 == 100 && $2 !~ /^hostile/ { print "unexpected:", $0; bad = 1 }
    END { for (k in count) if (count[k] > 1 && k !~ /^hostile/) { print "different points:", k; bad = 1 }
          print length(count) " different programs"; exit bad }' || exit 1
[ "$lost" = 0 ] && [ "$(wc -l <"$place/all")" = "$n" ]
