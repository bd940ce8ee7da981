#!/bin/bash
# fence.sh LAB SOURCE OBJECT NAMES: the fence between a submission and the program around it, in both directions.
#
# OBJECT, made of SOURCE, may ask for what its contract names (labNN_*), for CUDA's runtime but cudaDeviceReset, and for
# what NAMES lists (may_name.sh). And of OBJECT the rest sees only what the contract names and what the compiler makes
# for itself: it cannot stand in for a function of the runtime, of C or of the grader. What the linker would resolve by
# other rules (versions, indirect functions, code for link-time optimization) and what would run before the libraries'
# constructors is refused. What its kernels access is recorded, whatever footprint it declares for them.
set -euf -o pipefail
export LC_ALL=C
lab=$1 source=$2 object=$3 names=$4

refuse() { # WHAT IS WRONG
    echo "  $1" >&2
    exit 1
}

# refuse_name NAME: with the next step that fits it
refuse_name() {
    local shown other=lab.c
    [[ $source != *.c ]] || other=lab.cu
    shown=$(c++filt -- "$1")
    shown=${shown//[!A-Za-z0-9_(),*&:<> ]/?}
    case $1 in
        cudaDeviceReset) refuse "$shown is not for labs: it ends all that the process has on the device, your caller's too; free what you made" ;;
        cu[A-Z]*) refuse "$shown is a call of the CUDA driver, which is not for labs: they have the CUDA runtime" ;;
        omp_* | GOMP_*) refuse "$shown is OpenMP's, which is not for labs: they have the threads of POSIX" ;;
    esac
    ! grep -qxF "lab.c $1" "$names" ||
        refuse "$shown is not for lab.cu: of the C library, device code has memcpy, memmove, memset, printf and math.h"
    ! grep -qxF "lab.cu $1" "$names" || refuse "$shown is not for lab.c: it is for device code"
    echo "  $shown is not for labs: they have the CUDA runtime, the C library, the headers of kernels/, check.h and clock.h" >&2
    local own="define it in ${source##*/}, and make it static if it is inline"
    [ ! -e "${source%/*}/$other" ] || own+="; only functions with a name like ${lab}_name can be in $other"
    refuse "(if it is a function of your own: $own)"
}

# what records the object's accesses cannot be its own
needed="cuda[A-Z].*|${lab}_.*" kept=("${lab}_*" main) as_recorded=() recording='__tsan_.*'
case $source in
*.cu)
    recording+='|simgpu_record.*'
    needed+='|_*cuda[A-Z].*|__nv_.*|__fatbinwrap_.*|hostRef.*'
    kept+=('_Z*' 'DW.ref.*' 'hostRef*' '__fatbinwrap_*')
    as_recorded=(--redefine-sym simgpu_register_kernel=simgpu_register_recorded)
    ;;
esac

# One look at the whole object: the first undefined symbol that may not be named, the first section that is refused,
# versions, indirect functions. objdump prints of a section a number, the name, five columns and its flags; of a symbol
# the value, seven flags (l: local, i: an indirect function), the section, a tab, the size and the name. A section name
# with a line feed could imitate such a line, so only plain names are allowed.
found=$(objdump -htw "$object" | awk -v needed="^($needed)\$" -v recording="^($recording)\$" -v source="${source##*/}" '
    NR == FNR { if ($1 == "both" || $1 == source) may[$2]; next }
    /^SYMBOL TABLE:$/ { symbols = 1 }
    !symbols && $1 ~ /^[0-9]+$/ && section == "" &&
        ($2 ~ /^\.(preinit_array|gnu\.lto_|interp|dynamic|dynsym|hash|gnu\.hash)/ || $2 !~ /^[A-Za-z0-9_.$-]+$/ || $7 !~ /^2\*\*/) { section = $2 }
    !/\t/ { next }
    /@/ { version = 1 }
    substr($0, 22, 1) == "i" { indirect = 1 }
    substr($0, 26) ~ /^\*UND\*\t/ { name = $NF; sub(/@.*/, "", name); if (foreign == "" && (name == "cudaDeviceReset" || !(name in may) && name !~ needed)) foreign = name }
    substr($0, 26) !~ /^\*UND\*\t/ && $NF ~ recording { own = $NF }
    END { print own; print foreign; print section; print version + 0; print indirect + 0 }' "$names" -)
{ read -r own; read -r foreign; read -r section; read -r version; read -r indirect; } <<<"$found"
[ -z "$own" ] || refuse "${own//[!A-Za-z0-9_]/?} is a name of the simulated device's own: give your function another one"
[ "$version" = 0 ] || [ -n "$foreign" ] || refuse 'a symbol has a version (.symver): labs use no versions'
[ "$indirect" = 0 ] || refuse 'an indirect function (ifunc) is not for labs'
[ -z "$section" ] || refuse "the section ${section//[!A-Za-z0-9_.]/?} is not for labs"
[ -z "$foreign" ] || refuse_name "$foreign"

# its code gets a section of its own, without templates and the like, which headers of CUDA have too: reports name the
# lines of the calls in it (subject/device.c)
code=(.text .text.unlikely .text.startup .text.hot)
code=("${code[@]/#/--rename-section=}")
objcopy "${code[@]/%/=submission}" "${as_recorded[@]}" -w "${kept[@]/#/--keep-global-symbol=}" "$object"
# what could not be made local: common and unique symbols
objdump -tw "$object" | awk '/\t/ && substr($0, 18, 1) != "l" && substr($0, 26) !~ /^\*UND\*\t/ { print $NF }' | while read -r name; do
    for pattern in "${kept[@]}"; do
        # shellcheck disable=SC2053 # a pattern
        [[ $name != $pattern ]] || continue 2
    done
    refuse "${name//[!A-Za-z0-9_.]/?} must not be defined like this: make it static"
done
