#!/bin/bash
# check.sh FOLDER: runs the programs of labs/myths that were built into FOLDER, shows what each prints, and says where that
# is not what NAME.txt says it prints. A program that this device cannot show ends with status 77, and prints the reason.
# Exit status: 0 all agree, 1 some do not, 2 there is nothing to run.
here=$(dirname "$0")
folder=${1:?"usage: check.sh FOLDER, the folder that the programs were built into"}
n=0 wrong=0 skipped=0

for answer in "$here"/*.txt; do
    name=$(basename "$answer" .txt)
    program=$folder/$name
    [ -x "$program" ] || { echo "$program is not built: make myths" >&2; exit 2; }
    n=$((n + 1))
    # what it leaves allocated at its end is no finding here; the simulated device has two devices
    printed=$(SIMGPU_REPORT=0 SIMGPU_DEVICES="${SIMGPU_DEVICES:-2}" timeout 60 "$program" 2>&1)
    status=$?
    echo "== $name"
    echo "$printed"
    [ $status != 77 ] || { skipped=$((skipped + 1)); continue; }
    [ $status = 0 ] || echo "!! $name ended with status $status"
    if [ "$printed" != "$(cat "$answer")" ]; then
        echo "!! $name.txt says:"
        cat "$answer"
        status=1
    fi
    [ $status = 0 ] || wrong=$((wrong + 1))
done

[ $((n - skipped)) -gt 0 ] || { echo "there is no NAME.txt in $here whose program can run here" >&2; exit 2; }
echo
echo "$n programs, $wrong of them with another answer than their page has, $skipped not for this device"
[ $wrong = 0 ]
