#!/bin/sh
# fence.sh LAB SOURCE OBJECT: the fence between a submission and the program around it, in both directions.
#
# OBJECT, made of SOURCE, may ask for nothing by which findings, traces or reports could be forged; a lab.cu for what a
# kernel needs of the simulated device. And of OBJECT the rest sees only what the lab's contract names and what the
# compiler makes for itself: it cannot stand in for a function of the runtime, of C or of the grader.
set -eu
lab=$1 source=$2 object=$3

needed='simgpu_nothing'
kept="--keep-global-symbol=${lab}_* --keep-global-symbol=main"
case $source in
*.cu)
    needed='simgpu_(register_(kernel|variable)|thread|thread_ended|sync_threads|sleep_ns|trap|assert_failed|warp_meet|set_condition|current_graph|update_nodes)'
    kept="$kept --keep-global-symbol=_Z* --keep-global-symbol=DW.ref.* --keep-global-symbol=hostRef*"
    kept="$kept --keep-global-symbol=__fatbinwrap_*"
    ;;
esac

foreign=$(nm -u "$object" | awk '{print $NF}' |
    grep -xE '(simgpu|subject|wire|trace|bench|batches|lanes)_.*|subject|dl(m?open|v?sym|addr1?|info)|dl_iterate_phdr' |
    grep -vxE "$needed" | head -n 1) || true
if [ -n "$foreign" ]; then
    echo "  $foreign is not for labs: they have the CUDA runtime, the headers of kernels/, check.h and clock.h" >&2
    exit 1
fi
set -f # the patterns are objcopy's
objcopy -w $kept "$object"
