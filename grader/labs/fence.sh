#!/bin/bash
# fence.sh LAB SOURCE OBJECT: the fence between a submission and the program around it, in both directions.
#
# OBJECT, made of SOURCE, may ask for nothing by which findings, traces or reports could be forged; a lab.cu for what a
# kernel needs of the simulated device. And of OBJECT the rest sees only what the lab's contract names and what the
# compiler makes for itself: it cannot stand in for a function of the runtime, of C or of the grader. What the linker
# would resolve by other rules (versions, indirect functions, code for link-time optimization) and what would run before
# the libraries' constructors is refused.
set -euf -o pipefail
export LC_ALL=C
lab=$1 source=$2 object=$3

refuse() { # WHAT IS WRONG
    echo "  $1" >&2
    exit 1
}

# what simcc has an object call in the place of functions of C
needed=$(sed 's/.* //' common/simcc/library_calls | paste -sd '|') unrecorded='simgpu_nothing'
kept=("${lab}_*" main)
case $source in
*.cu)
    needed+='|simgpu_(register_(kernel|variable)|thread|thread_ended|sync_threads|sleep_ns|trap|assert_failed|warp_meet|set_condition|current_graph|update_nodes|wait_for_dependencies|launch_dependents|mem(cpy|move|set))'
    # functions of C that access memory without recording it
    unrecorded='b(copy|zero)|explicit_bzero|(__)?(mem(cpy|move|set|pcpy|ccpy)|st(r|p)n?cpy|str(n|l)?cat|strlcpy|swab|wmem(cpy|move|set|pcpy))(_chk)?'
    kept+=('_Z*' 'DW.ref.*' 'hostRef*' '__fatbinwrap_*')
    ;;
esac

grader='(simgpu|subject|wire|trace|bench|batches|timeline|plain)_.*|subject|kernel_name'
loader='dl(m?open|v?sym|addr1?|info|close)|dl_iterate_phdr|_dl_.*|_r_debug.*|_rtld_.*|__libc_dl.*|_DYNAMIC'
# One look at the whole object: the first undefined symbol that is the grader's or the loader's, the first section that
# is refused, versions, indirect functions. objdump prints of a section a number, the name, five columns and its flags;
# of a symbol the value, seven flags (l: local, i: an indirect function), the section, a tab, the size and the name. A
# section name with a line feed could imitate such a line, so only plain names are allowed.
found=$(objdump -htw "$object" | awk -v forbidden="^($grader|$loader|$unrecorded)\$" -v needed="^($needed)\$" '
    /^SYMBOL TABLE:$/ { symbols = 1 }
    !symbols && $1 ~ /^[0-9]+$/ && section == "" &&
        ($2 ~ /^\.(preinit_array|gnu\.lto_|interp|dynamic|dynsym|hash|gnu\.hash)/ || $2 !~ /^[A-Za-z0-9_.$-]+$/ || $7 !~ /^2\*\*/) { section = $2 }
    !/\t/ { next }
    /@/ { version = 1 }
    substr($0, 22, 1) == "i" { indirect = 1 }
    substr($0, 26) ~ /^\*UND\*\t/ { name = $NF; sub(/@.*/, "", name); if (foreign == "" && name ~ forbidden && name !~ needed) foreign = name }
    END { print foreign; print section; print version + 0; print indirect + 0 }')
{ read -r foreign; read -r section; read -r version; read -r indirect; } <<<"$found"
[[ ! $foreign =~ ^($unrecorded)$ ]] || refuse "$foreign is not for lab.cu: device code has memcpy, memmove and memset"
[ -z "$foreign" ] || refuse "$foreign is not for labs: they have the CUDA runtime, the headers of kernels/, check.h and clock.h"
[ "$version" = 0 ] || refuse 'a symbol has a version (.symver): labs use no versions'
[ "$indirect" = 0 ] || refuse 'an indirect function (ifunc) is not for labs'
[ -z "$section" ] || refuse "the section ${section//[!A-Za-z0-9_.]/?} is not for labs"

# its code gets a section of its own, without templates and the like, which headers of CUDA have too: reports name the
# lines of the calls in it (subject/device.c)
code=(.text .text.unlikely .text.startup .text.hot)
code=("${code[@]/#/--rename-section=}")
objcopy "${code[@]/%/=submission}" -w "${kept[@]/#/--keep-global-symbol=}" "$object"
# what could not be made local: common and unique symbols
objdump -tw "$object" | awk '/\t/ && substr($0, 18, 1) != "l" && substr($0, 26) !~ /^\*UND\*\t/ { print $NF }' | while read -r name; do
    for pattern in "${kept[@]}"; do
        # shellcheck disable=SC2053 # a pattern
        [[ $name != $pattern ]] || continue 2
    done
    refuse "${name//[!A-Za-z0-9_.]/?} must not be defined like this: make it static"
done
