#!/bin/bash
# simcc FILE.cu… [-o PROG | -c -o FILE.o] [OPTIONS]: compiles CUDA programs for the simulated device.
#
# g++ -E, then simcc-rewrite (CUDA's syntax becomes C++), then g++. The file `options` says what becomes of each option of
# nvcc; other options go to g++. Files that are no .cu go to g++ as they are.
set -eu -o pipefail
here=$(readlink -f "$0")
here=${here%/*}
root=${here%/*/*/*} cuda=@CUDA_INC@
lib=$root/build/sim/lib rewrite=$here/simcc-rewrite nvcc_options=$root/common/simcc/options

# the device has the functions that the compiler calls at each load and store
record=(-U_FORTIFY_SOURCE -fsanitize=thread -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset -fno-plt --param tsan-instrument-func-entry-exit=0 --param tsan-distinguish-volatile=1 -Wno-tsan -Wno-unknown-pragmas)

# of a call with a constant size, or of a constant string, the compiler makes accesses that are not reported
library_calls=(-fno-builtin-memcmp -fno-builtin-strcpy -fno-builtin-strlen)

usage="usage: simcc FILE.cu... [-o PROGRAM] [-c] [options of nvcc or g++]"
die() { echo "simcc: $*" >&2; exit 1; }
misused() { echo "simcc: $1" >&2; echo "$usage" >&2; exit 2; }

# ---- options

. "$root/common/simcc/options.sh"
parse "$@"

# step COMMAND...: runs it; with -v also prints it, in the form that CMake reads
step() {
    [ -z "$verbose" ] || echo "#\$ $*" >&2
    [ -n "$dry" ] || "$@"
}
if [ -n "$verbose" ]; then
    { echo "#\$ TOP=$root/build/sim" && echo "#\$ NVVMIR_LIBRARY_DIR=$root/build/sim/nvvm/libdevice" && echo "#\$ PATH=$PATH" &&
        echo "#\$ INCLUDES=-I$cuda" && echo "#\$ LIBRARIES=-L$lib" && echo "#\$ simulated device: -arch compute_90" &&
        echo "#\$ left out: ${left_out[*]-}"; } >&2
fi
[ ${#sources[@]} -gt 0 ] || [ "$make" = prepared ] || misused "no file is named"
[ "$make" != objects ] || [ ${#sources[@]} = 1 ] || [ -z "$output" ] || misused "-o names one file, and -c makes ${#sources[@]}"

# ---- from a source to an object

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# a large frame meets the guard of its thread's stack and does not step over it
common=(-O2 -g -pthread -ffp-contract=off -fstack-clash-protection "${define[@]}" "${compile[@]}")
include=(-I "$root/common/simcc/include" -I "$root/common" -I "$root/common/simgpu")
# the second is what make sim gets where no toolkit is installed
for part in "$cuda" "$root/build/deps/libraries/nvidia/cu13/include"; do
    include+=(-isystem "$part" -isystem "$part/cccl")
done
# What each source includes first, as --prepare has compiled it: two thirds of the time of a small source. g++ takes the
# file that was made with the same options, as far as they matter, and the text if there is none. It does not compare how
# much it is to optimize, nor the size of pages, and fails with another one: these have folders of their own. A list of
# headers needs the text. (-Wpedantic would undefine the macro.)
first=(-include simcc_first.h -U__cpp_runtime_arrays -DSIMGPU_SIMCC) ready=''
for part in "${common[@]}"; do
    [[ $part != -O* ]] || ready=$here/prepared/${part#-}
done
ready+=-$(getconf PAGESIZE)
prepared=(-I "$ready" -fpch-preprocess)
[[ $make != text && ${#headers[@]} = 0 ]] || prepared=()

# A function is compiled once, for host and device: defined(__CUDA_ARCH__) is false. But #if __CUDA_ARCH__ >= 700 asks
# what the device can do, and is told.
asks_arch='^[[:space:]]*#[[:space:]]*(el)?if[^dn].*__CUDA_ARCH__' arch='900          '

# preprocess FILE [OPTION...]
preprocess() {
    local LC_ALL=C # refuse_header reads what g++ says
    export LC_ALL
    local options=(-E -x c++ "-std=$standard" "${first[@]}" "${prepared[@]}" "${common[@]}" "${record[@]}" "${include[@]}")
    if [ -z "$(grep -E "$asks_arch" "$1" | grep -v defined)" ]; then
        step g++ "${@:2}" "${options[@]}" "$1"
        return
    fi
    [ $# = 1 ] || step g++ "${@:2}" "${options[@]}" "$1" >"$work/of_headers"
    { echo "#line 1 \"$1\""; sed -E "/$asks_arch/{/defined/!s/\<__CUDA_ARCH__\>/$arch/g}" "$1"; } |
        step g++ "${options[@]}" -iquote "$(dirname "$1")" -
}

# In these, threads wait for one another in loops, or functions for both host and device ask the compiler where they are.
absent='^(thrust/[a-z_]*\.h|cub/device/.*|cuda/(barrier|latch|semaphore|pipeline))$'
# These are of the same folder, and are plain C++.
present='^thrust/(complex|functional|pair|random|swap|tuple|version)\.h$'
# These are fetched by make sim, and not for the labs alone.
fetched='^(nv|cuda|cub|thrust)/|^curand'

is_absent() { [[ $1 =~ $absent && ! $1 =~ $present ]]; }

refuse_cub() {
    echo "simcc: $1: of CUB the simulated device has the collectives of blocks and warps only: write a kernel instead" >&2
}

# refuse_header FILE HEADER: why FILE cannot be compiled; fails if the header is neither absent nor to be fetched
refuse_header() {
    if [[ $2 == cub/* ]] && is_absent "$2"; then
        refuse_cub "$1 includes <$2>"
    elif is_absent "$2"; then
        echo "simcc: $1 includes <$2>, which the simulated device does not have: write a kernel instead" >&2
    elif [[ $2 =~ $fetched ]]; then
        echo "simcc: $1 needs the header <$2>, which is not installed yet: make sim, in the course's folder, downloads it" >&2
    else
        return 1
    fi
}

# included_absent: the first absent header that in.ii includes, but for those that the toolkit's own headers include
included_absent() {
    awk -v absent="$absent" -v present="$present" '
        /^# [0-9]+ "/ {
            name = $0; sub(/^# [0-9]+ "/, "", name)
            is_entered = name ~ /^[^"]*" 1/; sub(/".*/, "", name)
            header = name; is_theirs = sub(/.*\/cccl\//, "", header)
            if (is_entered && is_theirs && from !~ /\/cccl\// && header ~ absent && header !~ present) { print header; exit }
            from = name
        }' "$work/in.ii"
}

# used_absent: the first of CUB's algorithms of the whole device that in.ii names outside of CUB's own headers
used_absent() {
    awk '/^# [0-9]+ "/ { is_theirs = /\/cccl\//; next }
        !is_theirs && match($0, /(^|[^A-Za-z0-9_])cub::Device[A-Z][A-Za-z]*/) {
            name = substr($0, RSTART, RLENGTH); sub(/^[^c]/, "", name); print name; exit
        }' "$work/in.ii"
}

# refuse_unrecorded FILE: says why out.ii cannot be compiled if a function of FILE, or of a header that is neither the
# system's nor simcc's own, would not record what it accesses; fails if there is none. Headers are followed by the flags
# of the preprocessor's line markers, which #line does not set. The asm that is left is the host's: PTX is C++ now. Where
# all code has to be recorded, the host's has none of it, no intrinsic, no markers, and no names of simcc's headers beyond
# those of their macros: some of their functions record nothing. in.ii has the names that FILE wrote; the
# files of its folder are read for markers, which in.ii has itself.
refuse_unrecorded() {
    local folder=${1%/*} other sources=(RS='\001' "$1")
    [ "$folder" != "$1" ] || folder=.
    for other in "$folder"/*.[hc]; do
        [ ! -e "$other" ] || sources+=("$other")
    done
    [ -n "$recorded_only" ] || sources=()
    LC_ALL=C awk -v file="$1" -v own="$root/common/" -v cuda="$cuda/" -v all="$recorded_only" '
        function refuse(why) { print "simcc: " file ": " why; found = 1; exit }
        RS == "\001" {
            gsub(/[^\n!-~]/, " ")
            gsub(/\\ *\n/, "")
            if (("\n" $0) ~ /\n([ \n]|\/[*]([^*]|[*]+[^*\/])*[*]+\/)*(#|%:)( |\/[*]([^*]|[*]+[^*\/])*[*]+\/)*[0-9]/)
                refuse("a line that begins with # and a number is the preprocessor\047s own: remove it, also from headers")
            next
        }
        FNR == 1 { depth = 0; is_rewritten = FILENAME ~ /out\.ii$/ }
        /^# [0-9]+ "/ {
            name = $0; sub(/^# [0-9]+ "(\.\/)?/, "", name)
            flags = name; sub(/^.*"/, "", flags); sub(/".*/, "", name)
            if (flags ~ / 1/) header[++depth] = name
            if (flags ~ / 2/ && depth > 0) depth--
            next
        }
        function is_course(name) { return name ~ /^(common|kernels|grader)\// || index(name, own) == 1 }
        function is_known(name) { return index(name, "/usr/") == 1 || index(name, cuda) == 1 || is_course(name) }
        !/no_sanitize|asm|_mm|__builtin_|simgpu_/ || (depth > 0 && is_known(header[depth])) { next }
        /no_sanitize/ { refuse("no_sanitize is no attribute of CUDA: remove it, so that the accesses are recorded") }
        !all { next }
        !is_rewritten {
            for (line = $0; match(line, /simgpu_[A-Za-z0-9_]*/); line = substr(line, RSTART + RLENGTH)) {
                name = substr(line, RSTART, RLENGTH)
                if (name !~ /^simgpu_(global|device|variable|shared|launch_bounds|assert_failed)$/ && !is_course(file))
                    refuse(name " belongs to the simulated device: device code has CUDA only")
            }
            next
        }
        { gsub(/asm(__)?[ \t]*(volatile|__volatile__)?[ \t]*\([ \t]*""[ \t]*[:)]/, "") }
        match($0, /(^|[^A-Za-z0-9_])((__asm__|__asm|asm)[ \t]*(\(|_*volatile|goto|inline|$)|_mm[0-9]*_|__builtin_(ia32|aarch64)_)/) {
            name = substr($0, RSTART); sub(/^[^A-Za-z0-9_]/, "", name); sub(/[^A-Za-z0-9_].*/, "", name)
            refuse(name " is for the processor of the host: device code has CUDA only")
        }
        END { exit !found }' "${sources[@]}" RS='\n' "$work/in.ii" "$work/out.ii" >&2 || [ $? != 1 ]
}

# header_options SOURCE OBJECT: how g++ notes the headers of the source
header_options() {
    noted=()
    [ ${#headers[@]} -gt 0 ] || return 0
    local file=$2
    [[ $2 != "$work"/* ]] || file=${output:-$(basename "$1")}
    noted=("${headers[@]}" -MF "${headers_file:-${file%.*}.d}" -MT "${headers_target:-$2}")
}

# The kernels without records, for SIMGPU_CHECKS=0: the source is compiled a second time, and goes into the same object.
# second_build.awk says how. Options that leave no assembly of this kind to read: one build is all there is.
two_builds=1
if [ ${#record[@]} = 0 ] || [ -n "$recorded_only" ] || [ "$(uname -m)" != x86_64 ] || [[ " ${compile[*]-} " == *\ -flto* ]]; then
    two_builds=''
fi
inline_checks=$two_builds

unrecorded=(-w -g0 -fdata-sections) # the other build warns

# compile_plain FILE: $work/plain.s
compile_plain() {
    record=("${unrecorded[@]}")
    preprocess "$1" >"$work/plain_in.ii"
    step "$rewrite" "$work/plain_in.ii" >"$work/plain.ii"
    step g++ -x c++-cpp-output "-std=$standard" "${common[@]}" "${record[@]}" "${permissive[@]}" -S "$work/plain.ii" -o "$work/plain.s"
}

# join OBJECT: adds what compile_plain made
join() {
    local names=$work/names local=$work/local kernels=yes
    # only calls keep the lanes of a warp in step where they access volatile shared memory
    ! nm -u "$1" | grep __tsan_volatile_ >/dev/null || kernels=no
    awk -v NAMES="$names" -v WANTED="$work/wanted" -v KERNELS="$kernels" -f "$root/common/simcc/second_build.awk" "$work/plain.s" "$work/plain.s" >"$work/second.s"
    [ -s "$work/wanted" ] || grep -q 'section simgpu_plain' "$work/second.s" || return 0
    step g++ -c "$work/second.s" -o "$work/second.o"
    # (an empty line, because objcopy fails if the file is empty, as it is for templates alone)
    { echo && nm -g --defined-only "$1" | awk 'FNR == NR { defined[$3]; next } !($1 in defined)' - "$names" && sed 's/$/.plain/' "$work/wanted"; } >"$local"
    step objcopy --globalize-symbols="$local" "$1" "$work/first.o"
    step ld -r "$work/first.o" "$work/second.o" -o "$work/both.o"
    step objcopy --localize-symbols="$local" "$work/both.o" "$1"
}

# to_object COMPILER OBJECT OPTION...; $plain: the process that makes $work/plain.s, or none
to_object() {
    local failed=0 assembly=''
    if [ -z "$inline_checks" ] || [ -n "$dry" ]; then
        step "$1" "${@:3}" -c -o "$2"
        return
    fi
    step "$1" "${@:3}" -S -o "$work/recorded.s" || failed=1
    [ -z "$plain" ] || { wait "$plain" && assembly=$work/plain.s; } || [ "$failed" = 1 ] || die "${*: -1} compiles with records of its accesses and not without: --recorded-only leaves the second build out"
    [ "$failed" = 0 ] || return 1
    : >"$work/wanted"
    awk -v PLAIN="$assembly" -v WANTED="$work/wanted" -v SUM="$(cksum <"$work/recorded.s")" -f "$root/common/simcc/inline_checks.awk" "$work/recorded.s" "$work/recorded.s" >"$work/checked.s" || return 1
    step "$1" -c "$work/checked.s" -o "$2"
    [ -z "$plain" ] || join "$2"
}

# compile_host COMPILER OBJECT OPTION... FILE
compile_host() {
    local plain=''
    if [ -n "$two_builds" ] && [ -z "$dry" ]; then
        step "$1" "${@:3}" "${unrecorded[@]}" -S -o "$work/plain.s" 2>/dev/null &
        plain=$!
    fi
    to_object "$1" "$2" "${record[@]}" "${noted[@]}" "${@:3}"
}

# compile_cu FILE OBJECT
compile_cu() {
    local header algorithm failed=0 permissive=() plain=''
    if ! preprocess "$1" "${noted[@]}" >"$work/in.ii" 2>"$work/said"; then
        header=$(sed -n 's/.*fatal error: \(.*\): No such file or directory$/\1/p' "$work/said")
        refuse_header "$1" "$header" || cat "$work/said" >&2
        return 1
    fi
    cat "$work/said" >&2
    [ -z "$dry" ] || : >"$work/in.ii"
    header=$(included_absent)
    [ -z "$header" ] || { refuse_header "$1" "$header"; return 1; }
    step "$rewrite" "$work/in.ii" >"$work/out.ii"
    ! refuse_unrecorded "$1" || return 1
    if grep -q '^# 1 "[^"]*/cub/' "$work/in.ii"; then
        algorithm=$(used_absent)
        [ -z "$algorithm" ] || { refuse_cub "$1 uses $algorithm"; return 1; }
        permissive=(-fpermissive -Wno-maybe-uninitialized) # CUB gives names of types to other types, which nvcc accepts
    fi
    if [ -n "$two_builds" ] && [ -z "$dry" ]; then
        compile_plain "$1" 2>/dev/null & # it says nothing that the other one does not say
        plain=$!
    fi
    # No call reports what it takes or returns by value: constructors do, if the compiler keeps them.
    to_object g++ "$2" -x c++-cpp-output "-std=$standard" -fno-elide-constructors "${common[@]}" "${record[@]}" "${permissive[@]}" "$work/out.ii" 2>"$work/said" || failed=1
    sed 's/simgpu_body_//g' "$work/said" >&2 # a kernel by its own name
    return "$failed"
}

# compile SOURCE OBJECT
compile() {
    local -a noted host=(-O2 -g -pthread "${library_calls[@]}" "${define[@]}" "${compile[@]}" "${include[@]}")
    header_options "$1" "$2"
    case ${language:+$language:}$1 in
    *.cu | cu:*) compile_cu "$1" "$2" || return ;;
    *.c | c:*) compile_host gcc "$2" ${c_standard:+"-std=$c_standard"} "${host[@]}" "$1" || return ;;
    *) compile_host g++ "$2" -x c++ "-std=$standard" "${host[@]}" "$1" || return ;;
    esac
    [ ${#record[@]} = 0 ] || step objcopy --redefine-syms="$root/common/simcc/library_calls" "$2"
}

# prepare: what each source with these options includes first; not kept if g++ cannot load it here
prepare() {
    local made=$ready/simcc_first.h.gch name options=("-std=$standard" "${common[@]}" "${record[@]}" "${include[@]}")
    name=$(cksum <<<"${common[*]} ${record[*]}")
    mkdir -p "$made"
    # (-c: a g++ that has options of the linker, as common/setup/get.sh may make one, would link)
    step g++ -c -x c++-header "${first[@]:2}" "${options[@]}" "$root/common/simcc/include/simcc_first.h" -o "$ready/$$" &&
        mv "$ready/$$" "$made/${name%% *}"
    step g++ -fsyntax-only -x c++ "${first[@]}" -I "$ready" "${options[@]}" /dev/null || rm -f "$made/${name%% *}"
}

# ---- from objects to what was asked for

# absent_functions OBJECT...: $work/absent.o with the functions of the absent libraries that the objects call. Those that
# only create, destroy or prepare an object succeed, so that a program that needs no more runs; the others return an error.
absent_functions() {
    nm -u "$@" | awk -v library="^($absent_libraries)" '
        BEGIN { print "#include <stdio.h>" }
        $1 != "U" || $2 !~ library || seen[$2]++ { next }
        $2 ~ /Create/ { print "__attribute__((weak)) int " $2 "(void **made) { *made = made; return 0; }"; next }
        $2 ~ /Destroy|Set(Stream|MathMode|PointerMode|Workspace|AtomicsMode)/ { print "__attribute__((weak)) int " $2 "(void) { return 0; }"; next }
        { print "__attribute__((weak)) int " $2 "(void) { static int said; if (!said++) fputs(\"simgpu: " $2 " is not modeled by the simulated device; it returns an error\\n\", stderr); return 15; }" }
    ' >"$work/absent.c"
    step gcc -w -O2 -c "$work/absent.c" -o "$work/absent.o"
}

# show_text SOURCE...: -E, -M and -MM
show_text() {
    local source
    for source; do
        if [ "$text" = -E ]; then
            preprocess "$source"
        else
            step g++ "$text" ${headers_target:+-MT "$headers_target"} -x c++ "-std=$standard" "${first[@]}" \
                "${common[@]}" "${record[@]}" "${include[@]}" "$source"
        fi
    done
}

case $make in
prepared)
    prepare
    [ -n "$two_builds" ] || exit 0
    record=("${unrecorded[@]}")
    prepare
    exit ;;
text)
    output=${output:-$headers_file}
    [ -z "$output" ] || exec >"$output"
    show_text "${sources[@]}"
    exit ;;
device-link) # nvcc's second link, of device code: here g++ has linked it with the rest
    step g++ -x c++ -c /dev/null -o "${output:-a_dlink.o}"
    exit ;;
esac

objects=()
for source in "${sources[@]}"; do
    case ${language:+$language:}$source in
    *.cu | *.c | *.cpp | *.cc | *.cxx | *.C | cu:* | c:* | c++:*)
        object=$work/${#objects[@]}.o
        [ "$make" != objects ] || object=${output:-${folder:+$folder/}$(basename "${source%.*}").o}
        compile "$source" "$object" ;;
    *) object=$source ;;
    esac
    objects+=("$object")
done
case $make in
archive) step ar rcs "${output:-a.a}" "${objects[@]}" ;;
program)
    output=${output:-${folder:+$folder/}a.out}
    [ -z "$absent_libraries" ] || [ -n "$dry" ] || { absent_functions "${objects[@]}" && objects+=("$work/absent.o"); }
    step g++ -pthread "${objects[@]}" -o "$output" "${link[@]}" "-L$lib" "${runtime[@]}" -lm -ldl
    [ -z "$run" ] || step "$(realpath "$output")" "${run_arguments[@]}" ;;
esac
