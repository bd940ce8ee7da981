# slurm.sh: grades the missing units as one array job of Slurm, and waits for it. class.sh sources it.
#
# The checkout and the results are on a file system that all nodes share. A task of the array grades a part of the units,
# one after another (chunk.sh). A task that is cancelled, preempted or lost leaves its units missing, so the next submission has
# exactly these. What is queued, started, requeued and cancelled is up to Slurm.
# shellcheck shell=bash

slurm_job() { cat "$out/slurm.job" 2>/dev/null; }

# is_queued JOB: pending or running? True as well while the controller does not answer
is_queued() {
    local answer
    if answer=$(squeue -h -j "$1" -o %T 2>&1); then
        [ -n "$answer" ]
    else
        [[ $answer != *'Invalid job id'* ]]
    fi
}

check_slurm() {
    local job
    job=$(slurm_job)
    if [ -n "$slurm" ] && ! command -v sbatch >/dev/null; then
        fail 2 'sbatch is not installed here. Next: repeat the command on a machine of the cluster, or without --slurm'
    elif [ -z "$slurm" ] && [ -n "$job" ] && command -v squeue >/dev/null && is_queued "$job"; then
        fail 2 "job $job writes to $(printable "$out") already. Next: repeat the command with --slurm, which waits for it, or scancel $job"
    fi
}

# submit: sets job
submit() {
    local specs=() i per size=${array_size:-100} mib=$((${GRADE_MEMORY_MIB:-4096} + 1024)) options=(--parsable --requeue --job-name="${CLASS_STAGE##*/}-class" --chdir="$PWD")
    rm -rf -- "$CLASS_STAGE/chunks" && mkdir -p "$CLASS_STAGE/chunks" || fail 4 'build cannot be written. Next: free some space'
    mapfile -d '' specs < <(find "$CLASS_STAGE/spec" -type f -print0 | sort -z)
    per=$(((${#specs[@]} + size - 1) / size))
    for ((i = 0; i * per < ${#specs[@]}; i++)); do
        printf '%s\0' "${specs[@]:i * per:per}" >"$CLASS_STAGE/chunks/$i"
    done
    # a submission's own limit, and the grader's share: where Slurm enforces memory, the limit that ends a submission is still ours
    options+=(--cpus-per-task=1 --mem="${mib}M")
    options+=(--array="0-$((i - 1))" --output="$CLASS_STAGE/chunks/%a.log" ${partition:+--partition="$partition"} ${gres:+--gres="$gres"})
    export CLASS_PID=''
    if ! job=$(sbatch "${options[@]}" grader/class/chunk.sh "$CLASS_STAGE/chunks" 2>"$CLASS_STAGE/words"); then
        fail 4 "Slurm refused the job ($(tail -n 1 "$CLASS_STAGE/words" | cut -c 1-200)). Next: sinfo lists the partitions, --partition and --gres select. A task asks for $mib MiB; GRADE_MEMORY_MIB=2048, for example, asks for less"
    fi
    job=${job%%;*}
    echo "$job" >"$out/slurm.job"
    say "job $job: $i tasks with up to $per submissions each"
}

# wait_for JOB: prints how far it is whenever that changes
wait_for() {
    local before='' now
    while is_queued "$1"; do
        now="$(find "$CLASS_STAGE/spec" -type f | wc -l) submissions left, $(squeue -h -r -j "$1" -o '%T %r' 2>/dev/null | sort | uniq -c | awk '{ printf "%s%s %s (%s)", sep, $1, tolower($2), $3; sep = ", " }')"
        [ "$now" = "$before" ] || say "job $1: $now"
        before=$now
        sleep 2
    done
    rm -f -- "$out/slurm.job"
}

# in place of run: the job of an earlier command, if there is one; else a new one
run_slurm() {
    local job
    job=$(slurm_job)
    if [ -n "$job" ] && is_queued "$job"; then
        say "waiting for job $job of an earlier command"
    else
        submit
    fi
    slurm_running=$job
    if [ -n "$no_wait" ]; then
        say "job $job goes on without this command. Next: repeat the command, which waits for it and collects the results"
        exit 0
    fi
    wait_for "$job"
    slurm_running=''
}
