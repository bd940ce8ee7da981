#!/bin/bash
# turn.sh PID: comes back when no other make builds a submission or the figures in this checkout. From then on PID, a make, does,
# until it ends or removes build/turn.
set -u
mine=$1 said=

parent() { sed -n 's/^PPid:\t//p' "/proc/$1/status" 2>/dev/null; }

# is_above PID: was this make started by that one, from a test or the like?
is_above() {
    local p=$mine
    while [ "${p:-0}" -gt 1 ] && [ "$p" != "$1" ]; do p=$(parent "$p"); done
    [ "$p" = "$1" ]
}

mkdir -p build
exec 9>>build/turn.lock && flock 9 || exit 0
while other=$(cat build/turn 2>/dev/null) && [ -n "$other" ] && ! is_above "$other" &&
    [ "$(cat "/proc/$other/comm" 2>/dev/null)" = "$(cat "/proc/$mine/comm")" ]; do
    [ -n "$said" ] || echo "another make builds here: waiting until it is done" >&2
    said=yes
    sleep 0.1
done
echo "$mine" >build/turn
