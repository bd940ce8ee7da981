#!/bin/bash
# setup.sh: finds what the course is built with, gets what is missing, and writes where it all is to build/setup.mk.
#
#   setup.sh need  sim|gpu [PART...]   every make calls this first; it returns at once if nothing is missing
#   setup.sh again sim|gpu [PART...]   checks everything again (make setup)
#   setup.sh which-device              prints gpu if a GPU answers and a toolkit fits its driver, otherwise sim
#   setup.sh code NVCC [all]           prints nvcc's options for the GPUs of this machine, or for all
#   setup.sh wheels                    prints the list of NVIDIA's wheels, which test_setup.c reads
#   setup.sh newest                    gets the newest CUDA 13 toolkit into build/deps/newest, prints its folder (make test FULL=1)
#
# Parts: format (clang-format), libraries (headers of CUDA's libraries, for programs that simcc compiles), class (archives).
#
# Tools and libraries are Debian's packages: installed by apt-get where we are root (or sudo may ask on a terminal),
# else downloaded and unpacked under build/deps/root, with a wrapper for each program in build/deps/bin.
# CUDA is an installed toolkit (CUDA_HOME, or nvcc on PATH), else NVIDIA's wheels from PyPI under build/deps/cuda. The
# headers of its libraries are those of the toolkit, else wheels under build/deps/libraries.
#
# SETUP=no: says what is missing and how it would be installed, changes nothing, and fails if something is missing.
set -u -o pipefail
cd "${0%/*}/.." || exit 1

readonly top=$PWD
# a link, for checkouts that share their downloads, stands for its target: so flags, and what was built with them, are the same
deps=$top/build/deps
[ ! -L "$deps" ] || deps=$(readlink -f "$deps")
readonly deps
readonly root=$deps/root
readonly log=$top/build/setup.log

# NVIDIA's wheels on PyPI, of one CUDA 13.0 release: wheel, the parts that need it, its headers.
#   headers     every lab, on the simulated device
#   libraries   programs that simcc compiles: make sim, make test
#   compiler    nvcc, for a GPU
#   cupti       traces, on a GPU
readonly wheel_list='
nvidia-cuda-runtime==13.0.96 headers            cuda*.h cuda*.hpp cooperative_groups* *_types.h *_functions.h *_functions.hpp sm_* *_parameters.h channel_descriptor.h host_*.h math_constants.h mma.h vector_functions* cuComplex.h texture_* surface_* device_*
nvidia-cuda-crt==13.0.88     headers            crt/*
nvidia-cuda-cccl==13.0.85    libraries,compiler cccl/* nv/*
nvidia-curand==10.4.0.35     libraries          curand*.h
nvidia-cuda-nvcc==13.0.88    compiler           fatbinary_section.h
nvidia-nvvm==13.0.88         compiler           nvvm.h
nvidia-cuda-cupti==13.0.85   cupti              cupti*.h generated_*.h nvperf_*.h cuda_stdint.h Openacc/* Openmp/*
'
# other versions lay out some things in another way
readonly wheel_format=clang-format==14.0.6

say() { printf 'setup: %s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }
# is_wanted PART: of those that the command line names
is_wanted() { [[ " $parts " == *" $1 "* ]]; }
wheels_of() { awk -v part="$1" '$2 ~ "(^|,)" part "(,|$)" { print $1 }' <<<"$wheel_list"; }

parts_of_setup=(common/setup/cuda.sh common/setup/missing.sh common/setup/get.sh)

# ---- build/setup.mk ----------------------------------------------------------------------------------------------

write_result() {
    local files="$cuda_inc${nvcc:+ $gpu_inc $nvcc $cupti_inc} $clang_format" tool
    for tool in gcc g++ gnuplot dot unifdef jq; do
        files="$files $(command -v $tool)"
    done
    [ ! -d "$deps/libraries" ] || files="$files $deps/libraries"
    {
        echo "# Written by common/setup.sh: where things are on this machine. Delete it, or make setup, to look again."
        echo "# for: $device"
        echo "# parts: ${libraries:+libraries} ${clang_format:+format} $(! have bsdtar || echo class)"
        echo "# home: ${CUDA_HOME:-}"
        echo "# files: $files"
        echo "CUDA_INC := $cuda_inc"
        echo "GPU_INC := $gpu_inc"
        echo "GPU_CUDA := $(version_of "$gpu_inc")"
        echo "CUDA_LIB := $cuda_lib"
        echo "NVCC := $nvcc"
        echo "CUPTI_INC := $cupti_inc"
        echo "CUPTI_LIB := $cupti_lib"
        echo "CLANG_FORMAT := $clang_format"
        # not every system has the C++ library as an archive
        [ ! -e "$(g++ -print-file-name=libstdc++.a)" ] || echo "STATIC_CXX := -static-libstdc++"
        # gcc 11, of Ubuntu 22.04, lacks it; labs.mk
        ! gcc -ftrivial-auto-var-init=pattern -x c -fsyntax-only /dev/null 2>/dev/null || echo "SET_LOCALS := -ftrivial-auto-var-init=pattern"
        [ ! -d "$root" ] || echo "export PATH := $deps/bin:\$(PATH)"
    } >build/setup.mk.part && mv build/setup.mk.part build/setup.mk
}

# all_there: build/setup.mk has what is wanted, and the files that it names still exist
all_there() {
    local line for='' found='' home='' files='' name
    for name in common/setup.sh "${parts_of_setup[@]}"; do
        [ build/setup.mk -nt "$name" ] || return 1
    done
    while read -r line; do
        case $line in
        '# for: '*) for=${line#*: } ;;
        '# parts: '*) found=${line#*: } ;;
        '# home: '*) home=${line#*: } ;;
        '# files: '*) files=${line#*: } ;;
        esac
    done <build/setup.mk
    [ "$for" = gpu ] || [ "$for" = "$device" ] || return 1
    [ -z "${CUDA_HOME:-}" ] || [ "$CUDA_HOME" = "$home" ] || return 1
    for name in $parts; do
        [[ " $found " == *" $name "* ]] || return 1
    done
    for name in $files; do
        [ -e "$name" ] || return 1
    done
}

begin() {
    [[ $top != *[[:space:]]* ]] || { say "make cannot work in a folder whose path has a blank: $top. Move or rename it, and go on there"; exit 1; }
    mkdir -p build || exit 1
    exec 9>build/setup.lock && flock 9 # another make may be at it
    scratch=$(mktemp -d) || exit 1
    trap 'rm -rf "$scratch"' EXIT
    path_before=$PATH
    [ ! -d "$deps/bin" ] || PATH=$deps/bin:$PATH
    export PATH

    : >"$log"
}

main() {
    local began=$SECONDS
    begin
    find_missing
    say_unused
    [ -z "$nvcc" ] || say_unknown
    if [ ${#missing[@]} -gt 0 ]; then
        list_missing
        if [ "${SETUP:-}" = no ]; then
            say "SETUP=no: nothing was changed"
            exit 1
        fi
        get_missing
        : >"$scratch/probe.log"
        find_missing
        if [ ${#missing[@]} -gt 0 ]; then
            cat "$scratch/probe.log" >>"$log"
            list_missing
            give_up "the missing parts were installed, but do not work"
        fi
        say "done, in $((SECONDS - began)) s$([ -d "$deps/bin" ] && echo "; the programs are in build/deps/bin")"
    fi
    write_result
}

newest() {
    local home=$deps/newest/nvidia/cu13
    begin
    if [ ! -x "$home/bin/nvcc" ]; then
        find_pip || no_pip
        get_toolkit newest $(awk 'NF { print $1 }' <<<"$wheel_list" | sed -E 's/==13\..*/<14/; s/==.*//')
    fi
    printf '%s\n' "$home"
}

device=${2:-sim} parts=${*:3}
# every make waits for this
if [ "${1:-}" = need ] && all_there; then exit; fi
triple=$(uname -m)-linux-gnu
readonly triple
for part in "${parts_of_setup[@]}"; do
    . "$part" || exit 1
done
case ${1:-} in
which-device) which_device ;;
wheels) printf '%s' "$wheel_list" ;;
code) gpu_code "${@:2}" ;;
need | again) main ;;
newest) newest ;;
*)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
