#!/bin/bash
# simcc FILE.cu… [-o PROG | -c -o FILE.o] [OPTIONS]: compiles CUDA programs for the simulated device.
#
# g++ -E, then simcc-rewrite (CUDA's syntax becomes C++), then g++. Options go to g++; those that only nvcc knows are
# left out. Files that are no .cu go to g++ as they are.
set -eu -o pipefail
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
root=$(dirname "$(dirname "$(dirname "$here")")") cuda=@CUDA_INC@
lib=$root/build/sim/lib rewrite=$here/simcc-rewrite

# the device has the functions that the compiler calls at each load and store
record=(-fsanitize=thread -fno-plt --param tsan-instrument-func-entry-exit=0 -Wno-tsan -Wno-unknown-pragmas)

output= only_compile= device_link= language= sources=() dependencies=() define=() compile=() link=()
usage() { echo "usage: simcc FILE.cu... [-o PROGRAM] [-c] [options of g++ or nvcc]" >&2; exit 2; }
# headers of the device need C++17
standard() { case $1 in c++03 | c++11 | c++14) ;; *) compile+=("-std=$1") ;; esac; }
# to_host OPTION...: what nvcc passes on to the host's compiler
to_host() {
    local option
    for option; do
        case $option in
        -fopenmp | -openmp | -pg | -shared) link+=("$option") ;;&
        -shared) ;;
        *) compile+=("$option") ;;
        esac
    done
}
# the libraries of the toolkit beside the runtime: what uses them does not link
library() {
    case $1 in
    cudart* | cudadevrt | cuda | nvToolsExt) ;;
    cublas* | cufft* | curand* | cusolver* | cusparse* | cudnn* | nccl* | npp* | nvrtc* | nvjpeg* | nvidia-ml | cupti)
        echo "simcc: -l$1 is left out: the simulated device has no such library" >&2 ;;
    *) link+=("-l$1") ;;
    esac
}
while [ $# -gt 0 ]; do
    # the long names of nvcc, and values behind an equals sign
    case $1 in
    --output-file=* | --include-path=* | --define-macro=* | --undefine-macro=* | --library=* | --library-path=* | --compiler-options=* | \
        --linker-options=* | --std=* | --x=* | -Xcompiler=* | -Xlinker=* | -std=* | -x=* | --default-stream=* | -default-stream=*)
        set -- "${1%%=*}" "${1#*=}" "${@:2}" ;;
    -lineinfo) ;;
    -I?* | -D?* | -U?* | -L?* | -l?*) set -- "${1:0:2}" "${1:2}" "${@:2}" ;;
    esac
    case $1 in
    -o | --output-file) output=${2-}; shift ;;
    -MMD | -MD | -MP) dependencies+=("$1") ;;
    -c | --compile | -dc | --device-c) only_compile=1 ;;
    -dlink | --device-link) device_link=1 ;;
    -x | --x) language=${2-}; shift ;;
    -I | --include-path) define+=(-I "${2-}"); shift ;;
    -D | --define-macro) define+=(-D "${2-}"); shift ;;
    -U | --undefine-macro) define+=(-U "${2-}"); shift ;;
    -isystem | -include) define+=("$1" "${2-}"); shift ;;
    -L | --library-path) link+=(-L "${2-}"); shift ;;
    -l | --library) library "${2-}"; shift ;;
    -Xcompiler | --compiler-options) IFS=', ' read -ra words <<<"${2-}"; to_host "${words[@]}"; shift ;;
    -Xlinker | --linker-options) IFS=, read -ra words <<<"${2-}"; link+=("${words[@]/#/-Wl,}"); shift ;;
    -std | --std) standard "${2-}"; shift ;;
    --default-stream | -default-stream) [ "${2-}" != per-thread ] || define+=(-DCUDA_API_PER_THREAD_DEFAULT_STREAM); shift ;;
    -Werror) # nvcc's has a value
        case ${2-} in
        all-warnings) compile+=(-Werror); shift ;;
        cross-execution-space-call | default-stream-launch | ext-lambda-captures-this | reorder) shift ;;
        *) compile+=(-Werror) ;;
        esac ;;
    -gencode | --generate-code | -arch | --gpu-architecture | -code | --gpu-code | -rdc | --relocatable-device-code | \
        -Xptxas | -ptxas-options | --ptxas-options | -Xnvlink | --nvlink-options | -maxrregcount | --maxrregcount | -cudart | --cudart | \
        -ccbin | --compiler-bindir | -t | --threads | -diag-suppress | --diag-suppress | -Xfatbin | --fatbin-options | -odir | \
        --optimization-info) shift ;;
    -gencode=* | --generate-code=* | -arch=* | --gpu-architecture=* | -code=* | --gpu-code=* | -rdc=* | \
        --relocatable-device-code=* | -dlto | --dlink-time-opt | --expt-* | -expt-* | --extended-lambda | -extended-lambda | -lineinfo | \
        --generate-line-info | -G | --device-debug | -m64 | --machine=* | --threads=* | -cudart=* | --cudart=* | -ccbin=* | \
        --compiler-bindir=* | -use_fast_math | --use_fast_math | -ftz=* | --ftz=* | -fmad=* | --fmad=* | -prec-* | --prec-* | \
        -Xptxas=* | -ptxas-options=* | --ptxas-options=* | -Xfatbin=* | -maxrregcount=* | --maxrregcount=* | --resource-usage | \
        -res-usage | -diag-suppress=* | --diag-suppress=* | -keep | --keep | -restrict | --restrict | -extra-device-vectorization | \
        --extra-device-vectorization | -allow-unsupported-compiler | --allow-unsupported-compiler | -forward-unknown* | --forward-unknown* | \
        -src-in-ptx | --source-in-ptx | -Wno-deprecated-gpu-targets) ;;
    -fsanitize=*) compile+=("$1"); record=() ;;
    -Wl,*) link+=("$1") ;;
    --debug) compile+=(-g) ;;
    --shared) to_host -shared ;;
    -*) to_host "$1" ;;
    *) sources+=("$1") ;;
    esac
    [ $# -gt 0 ] || usage
    shift
done
[ ${#sources[@]} -gt 0 ] || usage
[ -z "$only_compile" ] || [ ${#sources[@]} = 1 ] || [ -z "$output" ] || usage
# nvcc's second link, of device code: here g++ has linked it with the rest
[ -z "$device_link" ] || exec g++ -x c++ -c /dev/null -o "${output:-a_dlink.o}"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# a large frame meets the guard of its thread's stack and does not step over it
common=(-std=c++17 -O2 -g -pthread -ffp-contract=off -fstack-clash-protection "${define[@]}" "${compile[@]}" "${record[@]}")
headers=(-I "$root/common/simcc/include" -I "$root/common" -I "$root/common/simgpu")
# the second is what make sim gets where no toolkit is installed
for folder in "$cuda" "$root/build/deps/libraries/nvidia/cu13/include"; do
    headers+=(-isystem "$folder" -isystem "$folder/cccl")
done

# A function is compiled once, for host and device: defined(__CUDA_ARCH__) is false. But #if __CUDA_ARCH__ >= 700 asks
# what the device can do, and is told.
asks_arch='^[[:space:]]*#[[:space:]]*(el)?if[^dn].*__CUDA_ARCH__' arch='900          '
preprocess() {
    local LC_ALL=C # refuse_header reads what g++ says
    export LC_ALL
    local options=(-E -x c++ "${common[@]}" -DSIMGPU_SIMCC "${headers[@]}" -include simgpu/kernel.h)
    if [ -z "$(grep -E "$asks_arch" "$1" | grep -v defined)" ]; then
        g++ "${dependencies[@]}" "${options[@]}" "$1"
        return
    fi
    [ ${#dependencies[@]} = 0 ] || g++ "${dependencies[@]}" "${options[@]}" "$1" >"$work/of_dependencies"
    { echo "#line 1 \"$1\""; sed -E "/$asks_arch/{/defined/!s/\<__CUDA_ARCH__\>/$arch/g}" "$1"; } |
        g++ "${options[@]}" -iquote "$(dirname "$1")" -
}

# In these, threads wait for one another in loops, or the host launches kernels that g++ does not compile.
absent='^((thrust|cub)/|cuda/(barrier|latch|semaphore|pipeline)$)'
# These are fetched by make sim, and not for the labs alone.
fetched='^(nv|cuda)/|^curand'

# refuse_header FILE HEADER: why FILE cannot be compiled; fails if the header is neither absent nor to be fetched
refuse_header() {
    if [[ $2 =~ $absent ]]; then
        echo "simcc: $1 includes <$2>, which the simulated device does not have: write a kernel instead" >&2
    elif [[ $2 =~ $fetched ]]; then
        echo "simcc: $1 needs the header <$2>, which is not installed yet: make sim, in the course's folder, downloads it" >&2
    else
        return 1
    fi
}

# refuse_unrecorded FILE: says why in.ii cannot be compiled if a function of FILE, or of a header that is neither the
# system's nor simcc's own, would not record what it accesses; fails if there is none. Headers are followed by the flags
# of the preprocessor's line markers, which #line does not set.
refuse_unrecorded() {
    awk -v file="$1" -v own="$root/common/" '
        /^# [0-9]+ "/ {
            name = $0; sub(/^# [0-9]+ "(\.\/)?/, "", name)
            flags = name; sub(/^.*"/, "", flags); sub(/".*/, "", name)
            if (flags ~ / 1/) header[++depth] = name
            if (flags ~ / 2/ && depth > 0) depth--
            next
        }
        function is_known(name) { return index(name, "/usr/") == 1 || index(name, own) == 1 || index(name, "common/") == 1 }
        /no_sanitize/ && !(depth > 0 && is_known(header[depth])) {
            print "simcc: " file ": no_sanitize is no attribute of CUDA: remove it, so that the accesses are recorded"
            found = 1
            exit
        }
        END { exit !found }' "$work/in.ii" >&2
}

# compile_cu FILE OBJECT
compile_cu() {
    local header failed=0
    [ ${#dependencies[@]} = 0 ] || dependencies+=(-MF "${2%.o}.d" -MT "$2")
    if ! preprocess "$1" >"$work/in.ii" 2>"$work/said"; then
        header=$(sed -n 's/.*fatal error: \(.*\): No such file or directory$/\1/p' "$work/said")
        refuse_header "$1" "$header" || cat "$work/said" >&2
        return 1
    fi
    cat "$work/said" >&2
    header=$(sed -nE 's|^# 1 "[^"]*/cccl/([^"]*)".*|\1|p' "$work/in.ii" | grep -m 1 -E "$absent") || true
    [ -z "$header" ] || { refuse_header "$1" "$header"; return 1; }
    ! refuse_unrecorded "$1" || return 1
    "$rewrite" "$work/in.ii" >"$work/out.ii"
    g++ -x c++-cpp-output "${common[@]}" -c "$work/out.ii" -o "$2" 2>"$work/said" || failed=1
    sed 's/simgpu_body_//g' "$work/said" >&2 # a kernel by its own name
    return "$failed"
}

objects=()
for source in "${sources[@]}"; do
    object=$work/${#objects[@]}.o
    [ -z "$only_compile" ] || object=${output:-$(basename "${source%.*}").o}
    case ${language:+$language:}$source in
    *.o | *.a | *.so) object=$source ;;
    *.cu | cu:*) compile_cu "$source" "$object" ;;
    *.c | c:*) gcc -O2 -g -pthread "${define[@]}" "${headers[@]}" -c "$source" -o "$object" ;;
    *.cpp | *.cc | *.cxx | c++:*) g++ -std=c++17 -O2 -g -pthread "${define[@]}" "${compile[@]}" "${headers[@]}" -c "$source" -o "$object" ;;
    *) object=$source ;;
    esac
    objects+=("$object")
done
[ -n "$only_compile" ] ||
    g++ -pthread "${objects[@]}" -o "${output:-a.out}" "${link[@]}" -L"$lib" -Wl,-rpath,"$lib" -lcudart -lm -ldl
