#!/bin/bash
# chunk.sh FOLDER: a task of a Slurm array job: grades the units that FOLDER/TASK lists, one after another (slurm.sh).
set -u
trap 'exit 143' TERM INT
mapfile -d '' specs <"$1/$SLURM_ARRAY_TASK_ID"
for spec in "${specs[@]}"; do
    [ ! -e "$spec" ] || grader/class/unit.sh "$spec" || exit 1
done
