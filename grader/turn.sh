#!/bin/bash
# turn.sh PID: comes back when no other make builds a submission or the figures in this checkout. From then on PID,
# a make, does, until it ends or removes build/turn.
set -u
mine=$1 said=

parent() { sed -n 's/^PPid:\t//p' "/proc/$1/status" 2>/dev/null; }

# is_above PID: was this make started by that one, from a test or the like?
is_above() {
    local p=$mine
    while [ "${p:-0}" -gt 1 ] && [ "$p" != "$1" ]; do p=$(parent "$p"); done
    [ "$p" = "$1" ]
}

# is_free: nobody has the turn, or one that has ended, or one that waits for this make
is_free() {
    local other
    other=$(cat build/turn 2>/dev/null)
    [ -z "$other" ] || is_above "$other" ||
        [ "$(cat "/proc/$other/comm" 2>/dev/null)" != "$(cat "/proc/$mine/comm")" ]
}

mkdir -p build
exec 9>>build/turn.lock || exit 0
# the lock is held to look and to take, not to wait: a make below the one that has the turn must get by
while flock 9 && ! is_free; do
    flock -u 9
    [ -n "$said" ] || echo "another make builds here: waiting until it is done" >&2
    said=yes
    sleep 0.1
done
echo "$mine" >build/turn
