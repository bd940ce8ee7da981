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
# Parts: format (clang-format), libraries (headers of CUDA's libraries, for programs that simcc compiles).
#
# Tools and libraries are Debian's packages: installed by apt-get where we are root (or sudo may ask on a terminal),
# else downloaded and unpacked under build/deps/root, with a wrapper for each program in build/deps/bin.
# CUDA is an installed toolkit (CUDA_HOME, or nvcc on PATH), else NVIDIA's wheels from PyPI under build/deps/cuda. The
# headers of its libraries are those of the toolkit, else wheels under build/deps/libraries.
#
# SETUP=no: says what is missing and how it would be installed, changes nothing, and fails if something is missing.
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 1

readonly top=$PWD
readonly deps=$top/build/deps
readonly root=$deps/root
readonly log=$top/build/setup.log
triple=$(uname -m)-linux-gnu
readonly triple

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

# ---- CUDA ------------------------------------------------------------------------------------------------------

# cuda_homes: folders that may hold a toolkit, best first
cuda_homes() {
    local nvcc
    [ -n "${CUDA_HOME:-}" ] && printf '%s\n' "$CUDA_HOME"
    [ -n "${CUDA_PATH:-}" ] && printf '%s\n' "$CUDA_PATH"
    if nvcc=$(command -v nvcc); then
        dirname "$(dirname "$(readlink -f "$nvcc")")"
        # nvcc may be a script that calls another one; that one says where it is at home
        nvcc --dryrun -x cu /dev/null 2>&1 | sed -n 's/^#\$ TOP=//p'
    fi
    printf '%s\n' "$deps/cuda/nvidia/cu13"
}

# first_with FILE FOLDER...: the first folder that has FILE
first_with() {
    local file=$1 folder
    shift
    for folder; do
        [ -e "$folder/$file" ] && printf '%s\n' "$folder" && return 0
    done
    return 1
}

# ask_driver: sets driver and serves, the newest CUDA of this driver (13.0); fails if no driver answers
ask_driver() {
    local said
    have nvidia-smi && said=$(nvidia-smi -q -d COMPUTE 2>/dev/null) || return 1
    driver=$(sed -n 's/^Driver Version *: *//p' <<<"$said" | head -n 1)
    serves=$(sed -n 's/^CUDA [A-Z ]*Version *: *\([0-9.]*\).*/\1/ip' <<<"$said" | head -n 1)
    [ "$driver" ]
}

# is_served VERSION: can this driver run programs of this toolkit? The major number decides
# (https://docs.nvidia.com/deploy/cuda-compatibility); 13010 is 13.1.
is_served() { [ -z "${serves:-}" ] || [ $(($1 / 1000)) -le "${serves%%.*}" ]; }

# packaged: prints the version of the toolkit that the system's packages have, 12.4 for example, if the driver serves it
packaged() {
    local version
    version=$(apt-cache policy nvidia-cuda-toolkit 2>/dev/null | sed -n 's/^ *Candidate: *\([0-9]*\.[0-9]*\).*/\1/p')
    [ -n "$version" ] && [ $((${version%.*} * 1000 + ${version#*.} * 10)) -ge 12040 ] && is_served $((${version%.*} * 1000)) && echo "$version"
}

# too_old: what an old driver needs; cuda_other is the toolkit that it does not serve
too_old() {
    local major=${serves%%.*} version
    say "the NVIDIA driver $driver runs programs of CUDA $serves and older, and ${cuda_other:-what set-up gets from PyPI} is newer"
    if version=$(packaged); then
        say "next: install the system's package of CUDA $version, which this driver serves: apt-get install nvidia-cuda-toolkit; DEVICE=sim works now"
    else
        say "next: a driver 580 or newer; or an installed CUDA $major toolkit (12.4 or newer) and CUDA_HOME=its folder; on data-center GPUs NVIDIA's package cuda-compat-13-0; DEVICE=sim works now"
    fi
}

# version_of INCLUDE: 13000 for CUDA 13.0; 0 if it is not known
version_of() {
    local version
    version=$(sed -n 's/^#define CUDART_VERSION *\([0-9]*\).*/\1/p' "$1/cuda_runtime_api.h" 2>/dev/null)
    echo "${version:-0}"
}

# release_of NVCC: 13000 for nvcc of CUDA 13.0; 0 if it does not say
release_of() {
    local release
    release=$("$1" --version 2>/dev/null | sed -n 's/.*release \([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
    echo $((${release% *} * 1000 + ${release#* } * 10))
} 2>/dev/null

# dotted VERSION: 13.0 for 13000
dotted() { echo "$(($1 / 1000)).$(($1 % 1000 / 10))"; }

# cudart_of HOME: the folder of its libcudart.so
cudart_of() { first_with libcudart.so "$1/lib64" "$1/lib" "$1/targets/$(uname -m)-linux/lib" "$1/lib/$triple"; }

# no_compiler HOME INCLUDE: prints why programs for a GPU cannot be built with this toolkit; fails if they can
no_compiler() {
    local release version
    if [ ! -x "$1/bin/nvcc" ]; then
        echo "it has no bin/nvcc"
    elif ! cudart_of "$1" >/dev/null; then
        echo "it has no libcudart.so"
    else
        release=$(release_of "$1/bin/nvcc") version=$(version_of "$2")
        [ "${release:-0}" != "$version" ] || return 1
        echo "its nvcc is of CUDA $(dotted "${release:-0}"), and its headers in $2 are of CUDA $(dotted "$version")"
    fi
}

# find_cuda: sets cuda_inc, headers of CUDA 13; for a GPU gpu_inc, cuda_lib, nvcc, cupti_inc, cupti_lib, which may be of
# CUDA 12.4 or newer. What is not found stays empty. cuda_other is the first toolkit that cannot be used, and cuda_why says why.
find_cuda() {
    local home inc lib version why
    cuda_inc='' gpu_inc='' cuda_lib='' nvcc='' cupti_inc='' cupti_lib='' cuda_other='' cuda_why=''
    while read -r home; do
        why=''
        if ! inc=$(first_with cuda_runtime_api.h "$home/include" "$home/targets/$(uname -m)-linux/include") ||
            [ ! -e "$inc/crt/host_defines.h" ]; then
            [ "$home" != "${CUDA_HOME:-}" ] || cuda_other=$home cuda_why="it has no headers of CUDA"
            continue
        fi
        version=$(version_of "$inc")
        [ "$version" -lt 13000 ] || [ "$version" -ge 14000 ] || cuda_inc=${cuda_inc:-$inc}
        if [ "$version" -lt 12040 ] || [ "$version" -ge 14000 ] || { [ "$device" = sim ] && [ "$version" -lt 13000 ]; }; then
            why="its version does not fit: it is CUDA $(dotted "$version")"
        elif ! is_served "$version"; then
            why="the driver runs programs of CUDA $serves and older, it is CUDA $(dotted "$version")"
        elif [ "$device" = gpu ] && [ -z "$nvcc" ] && ! why=$(no_compiler "$home" "$inc"); then
            gpu_inc=$inc cuda_lib=$(cudart_of "$home") nvcc=$home/bin/nvcc
        fi
        if [ -n "$why" ]; then
            [ -n "$cuda_other" ] || cuda_other=$home cuda_why=$why
            continue
        fi
        [ "$device" = gpu ] || continue
        if [ -z "$cupti_inc" ]; then
            inc=$(first_with cupti.h "$home/include" "$home/extras/CUPTI/include" "$inc") &&
                lib=$(first_with libcupti.so "$home/extras/CUPTI/lib64" "$home/lib64" "$home/lib" "$home/lib/$triple") &&
                cupti_inc=$inc cupti_lib=$lib
        fi
    done < <(cuda_homes)
}

# capabilities: of the GPUs of this machine, one a line: 89 for 8.9
capabilities() { nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | sed -n 's/^\([0-9]*\)\.\([0-9]\)$/\1\2/p' | sort -nu; }

# codes_of NVCC: the compute capabilities that it compiles for, since the oldest one of the course
readonly oldest=75
codes_of() { "$1" --list-gpu-arch 2>/dev/null | sed -n 's/^compute_\([0-9]*\)$/\1/p' | sort -n | awk -v oldest=$oldest '$1 >= oldest'; }

# gpu_code NVCC [all]: nvcc's options for the GPUs that are there, and PTX, which the driver compiles for GPUs that have no code.
# With all, and if no GPU says what it is: code for 7.5 and each major compute capability since, which serves the minor ones above
# it, too (8.0 runs on 8.6 and 8.9), and PTX for 9.0, which serves all GPUs since: 11.0 (Jetson), and those to come.
gpu_code() {
    local known there='' code newest
    known=$(codes_of "$1")
    newest=$(grep -x '[0-9]*0' <<<"$known" | tail -n 1)
    [ "${2:-}" = all ] || there=$(capabilities | awk -v oldest=$oldest '$1 >= oldest')
    if [ -z "$there" ]; then
        printf -- '-gencode arch=compute_90,code=compute_90 '
        for code in $(grep -x '75\|[0-9]*0' <<<"$known" | grep -vx 110); do
            printf -- '-gencode arch=compute_%s,code=sm_%s ' "$code" "$code"
        done
        return
    fi
    for code in $there; do
        if grep -qx "$code" <<<"$known"; then
            printf -- '-gencode arch=compute_%s,code=sm_%s ' "$code" "$code"
        else
            code=$newest # this nvcc does not know the GPU
        fi
        printf -- '-gencode arch=compute_%s,code=compute_%s ' "$code" "$code"
    done
}

# too_old_gpu: says so, if all GPUs of this machine are older than the course's oldest one
too_old_gpu() {
    local newest
    newest=$(capabilities | tail -n 1)
    [ -n "$newest" ] && [ "$newest" -lt $oldest ] || return 1
    say "the GPU has compute capability ${newest%?}.${newest: -1}, and the labs need 7.5 (a T4, or newer); next: DEVICE=sim, the simulated device, which works now"
}

# say_unknown: GPUs for which this nvcc has no code
say_unknown() {
    local code known
    known=$(codes_of "$nvcc")
    for code in $(capabilities | awk -v newest="$(tail -n 1 <<<"$known")" '$1 > newest'); do
        say "$nvcc does not know compute capability ${code%?}.${code: -1}: the driver compiles the kernels each time a program starts, which takes longer; next: a newer toolkit and CUDA_HOME=its folder"
    done
}

# find_libraries: sets libraries to yes if the headers of CUDA's libraries are there, with CUDA or by themselves
find_libraries() {
    local here=("$cuda_inc" "$cuda_inc/cccl" "$deps/libraries/nvidia/cu13/include" "$deps/libraries/nvidia/cu13/include/cccl")
    libraries=''
    ! first_with nv/target "${here[@]}" >/dev/null || ! first_with curand_kernel.h "${here[@]}" >/dev/null || libraries=yes
}

which_device() {
    if ! ask_driver; then
        echo sim
        return
    fi
    device=gpu
    find_cuda
    if too_old_gpu; then
        :
    elif [ -n "$nvcc" ]; then
        echo gpu
        return
    elif is_served 13000; then
        say "a GPU answers, but there is no nvcc of CUDA 12.4 to 13${cuda_why:+ ($cuda_other: $cuda_why)}: building for the simulated device (DEVICE=gpu gets nvcc)"
    else
        too_old
    fi
    echo sim
}

# find_format: sets clang_format to a program of the right version; empty if there is none
find_format() {
    for clang_format in clang-format-14 clang-format "$deps/format/clang_format/data/bin/clang-format"; do
        clang_format=$(command -v "$clang_format") && [[ $("$clang_format" --version 2>/dev/null) == *'version 14.'* ]] && return
    done
    clang_format=''
}

# ---- what is there, what is missing --------------------------------------------------------------------------

missing=()  # lines "what it is|how it is got"
packages=() # Debian packages
# wheels, each list for a folder under build/deps
wheels=() wheels_libraries=() wheels_format=()

want_packages() { # WHAT PACKAGE...
    local what=$1
    shift
    missing+=("$what|Debian package$([ $# -gt 1 ] && echo s) $*")
    packages+=("$@")
}

want_wheels() { # LIST WHAT WHEEL...
    local -n list=$1
    local what=$2
    shift 2
    missing+=("$what|PyPI wheel$([ $# -gt 1 ] && echo s) $*")
    list+=("$@")
}

# builds COMPILER LANGUAGE PROGRAM [LIBRARY]: whether the program compiles, links and runs
builds() {
    printf '%s\n' "$3" | "$1" -x "$2" - -o "$scratch/probe" ${4:+"$4"} && "$scratch/probe" </dev/null
} >>"$scratch/probe.log" 2>&1

runs() { "$@" </dev/null; } >>"$scratch/probe.log" 2>&1

# Criterion is there, and cannot run
no_shared_memory() {
    say "Criterion needs shared memory, and /dev/shm cannot be written: $(sed -n 's/.*inheritable arena: //p' "$scratch/probe.log" | head -n 1)"
    say "next, as root: mount -t tmpfs -o mode=1777 tmpfs /dev/shm   (a container: start it with --shm-size=64m), then run make again"
    exit 1
}

find_missing() {
    missing=() packages=() wheels=() wheels_libraries=() wheels_format=()
    builds gcc c 'int main(void) { return 0; }' || want_packages 'C compiler' gcc libc6-dev
    builds g++ c++ '#include <cstdlib>
        int main() { return 0; }' || want_packages 'C++ compiler' g++
    runs awk 'BEGIN { exit 0 }' || want_packages awk mawk
    if ! builds gcc c '#include <criterion/criterion.h>
        Test(set, up) {}' -lcriterion; then
        ! grep -q 'inheritable arena' "$scratch/probe.log" || no_shared_memory
        want_packages 'Criterion' libcriterion-dev
    fi
    builds gcc c '#include <bsd/sys/tree.h>
        int main(void) { return 0; }' || want_packages 'libbsd headers' libbsd-dev
    builds gcc c '#include <seccomp.h>
        int main(void) { return !seccomp_init(SCMP_ACT_ALLOW); }' -lseccomp || want_packages 'libseccomp' libseccomp-dev
    runs gnuplot -e 'set terminal svg; set output "/dev/null"; plot x' || want_packages gnuplot gnuplot-nox
    runs dot -Tsvg -o "$scratch/dot.svg" <(echo 'digraph { a -> b }') || want_packages graphviz graphviz
    have unifdef || want_packages unifdef unifdef
    runs jq -n 1 || want_packages jq jq

    [ "$device" = sim ] || ask_driver || true
    find_cuda
    [ -n "$cuda_inc" ] || want_wheels wheels 'CUDA 13 headers' $(wheels_of headers)
    if [ "$device" = gpu ]; then
        ! too_old_gpu || exit 1
        [ -n "$nvcc" ] || is_served 13000 || { too_old; exit 1; }
        [ -n "$nvcc" ] && printf '__global__ void k() {}\n' >"$scratch/probe.cu" &&
            runs gcc --version && ! runs "$nvcc" -c "$scratch/probe.cu" -o "$scratch/probe.o" && nvcc=''
        if [ -z "$nvcc" ]; then
            [ -z "$cuda_inc" ] || want_wheels wheels 'CUDA 13 headers' $(wheels_of headers)
            want_wheels wheels 'CUDA 13 compiler' $(wheels_of compiler)
        fi
        [ -n "$cupti_inc" ] || want_wheels wheels 'CUPTI' $(wheels_of cupti)
    fi
    find_libraries
    if is_wanted libraries && [ -z "$libraries" ]; then
        want_wheels wheels_libraries "headers of CUDA's libraries" $(wheels_of libraries)
    fi
    find_format
    if is_wanted format && [ -z "$clang_format" ]; then
        want_wheels wheels_format 'clang-format 14' "$wheel_format"
    fi
    if [ $((${#wheels[@]} + ${#wheels_libraries[@]} + ${#wheels_format[@]})) -gt 0 ] && ! find_pip; then
        want_packages 'pip' python3-pip ca-certificates
    fi
}

list_missing() {
    local line
    say "missing for DEVICE=$device:"
    for line in "${missing[@]}"; do
        say "$(printf '  %-30s %s' "${line%%|*}" "${line#*|}")"
    done
}

# say_unused: a toolkit that was asked for by name, or the only one, is not left out silently
say_unused() {
    [ -n "$cuda_other" ] || return 0
    [ "$cuda_other" = "${CUDA_HOME:-}" ] || [ ${#wheels[@]} -gt 0 ] || return 0
    say "the toolkit in $cuda_other is not used: $cuda_why"
    [ "$cuda_other" != "${CUDA_HOME:-}" ] || say "next: set CUDA_HOME to a complete toolkit of CUDA 12.4 to 13, or unset it"
}

# ---- getting it --------------------------------------------------------------------------------------------------

# give_up WHAT: the end of the log, what most likely went wrong, and what to do
give_up() {
    local free
    free=$(df -Pm build | tail -n 1 | sed -E 's/.* ([0-9]+) +[0-9]+%.*/\1/')
    tail -n 8 "$log" | cut -c 1-180 | sed 's/^/    /' >&2
    say "$1"
    if [ "$free" -lt 10 ] || grep -qiE 'no space left|not enough free space|disk quota' "$log"; then
        say "the disk is full ($free MB free here): make room, then run make again"
    elif grep -qiE 'could not get lock|unable to lock' "$log"; then
        say "another program is installing packages: let it finish, then run make again"
    elif grep -qi 'certificate verify failed' "$log"; then
        say "the package server's certificate is not trusted here: behind a proxy of your own, set REQUESTS_CA_BUNDLE to its certificates"
    elif grep -qiE 'resolv|failed to fetch|connection|network is unreachable|timed out|proxy|no release file' "$log"; then
        say "the package server could not be reached: check the network (or its proxy), then run make again"
    elif grep -qiE 'unable to locate package|no installation candidate' "$log"; then
        say "apt does not know this package: on Ubuntu the component universe must be enabled"
    fi
    say "the complete output is in build/setup.log"
    exit 1
}

# apt_install COMMAND...: COMMAND is apt-get, or sudo apt-get
apt_install() {
    local install=("$@" -y -o DPkg::Lock::Timeout=120 -o Acquire::Retries=2 --no-install-recommends install "${packages[@]}")
    local update=("$@" -o DPkg::Lock::Timeout=120 -o Acquire::Retries=2 update)
    say "running: $* install --no-install-recommends ${packages[*]}"
    export DEBIAN_FRONTEND=noninteractive
    if [ -z "$(find /var/lib/apt/lists -maxdepth 1 -name '*_Packages*' -print -quit 2>/dev/null)" ]; then
        say "running: $* update   (apt has no package lists yet)"
        "${update[@]}" </dev/null >>"$log" 2>&1 || give_up "apt-get update failed"
        "${install[@]}" </dev/null >>"$log" 2>&1 || give_up "apt-get install failed"
    elif ! "${install[@]}" </dev/null >>"$log" 2>&1; then
        ! grep -q 'Could not get lock' "$log" || give_up "apt-get install failed"
        say "that failed; running: $* update   (the package lists may be old), then once more"
        "${update[@]}" </dev/null >>"$log" 2>&1 || give_up "apt-get update failed"
        "${install[@]}" </dev/null >>"$log" 2>&1 || give_up "apt-get install failed"
    fi
}

# unpack_packages: the same packages, and those they need that are not installed, under build/deps/root
unpack_packages() {
    local state=$deps/apt deb name
    local apt=(apt-get -y -o Debug::NoLocking=1 -o "APT::Sandbox::User=$(id -un)" -o Acquire::Retries=2
        -o Acquire::Languages=none -o "Dir::State=$state" -o "Dir::State::lists=$state/lists" -o Dir::State::status=/var/lib/dpkg/status
        -o "Dir::Cache=$state" -o "Dir::Cache::archives=$state/archives")
    say "without root: downloading ${packages[*]} and what they need, and unpacking it under build/deps/root"
    mkdir -p "$state/lists/partial" "$state/archives/partial" || give_up "no folder $state"
    "${apt[@]}" update </dev/null >>"$log" 2>&1 || give_up "apt-get update (into build/deps/apt) failed"
    "${apt[@]}" --no-install-recommends --download-only install "${packages[@]}" </dev/null >>"$log" 2>&1 ||
        give_up "downloading the packages failed"

    rm -rf "$root.part"
    mkdir -p "$root.part" || give_up "no folder $root.part"
    if [ -d "$root" ]; then
        cp -al "$root/." "$root.part/" >>"$log" 2>&1 || give_up "copying build/deps/root failed"
    fi
    for deb in "$state"/archives/*.deb; do
        name=$(dpkg-deb -f "$deb" Package 2>>"$log") || give_up "$deb is damaged"
        # an update of what the system has: the system's own is good enough, and mixing two C libraries is not
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] && continue
        dpkg-deb -x "$deb" "$root.part" >>"$log" 2>&1 || give_up "unpacking $name failed"
    done
    mend_links "$root.part" >>"$log" 2>&1 || give_up "mending links in build/deps/root failed"
    rm -rf "$root" "$state"
    mv "$root.part" "$root" || give_up "build/deps/root could not be put in place"
}

# mend_links FOLDER: links and linker scripts that name a file as if FOLDER were / get to name the one that is there
mend_links() {
    local link to inside
    while read -r link; do
        to=$(readlink "$link")
        case $to in
        /*) inside=$1$to ;;
        *) inside=$(dirname "$link")/$to ;;
        esac
        inside=$(realpath -ms "$inside")
        if [ -e "$inside" ] || [ -L "$inside" ]; then
            ln -sfnr "$inside" "$link"
        elif [ -e "${inside#"$1"}" ]; then
            ln -sfn "${inside#"$1"}" "$link"
        fi
    done < <(find "$1" -type l)
    # libc.so and the like are texts: GROUP ( /lib/…/libc.so.6 … ); bare names are looked up along -L
    find "$1/usr/lib/$triple" -maxdepth 1 -name '*.so' -type f -size -2 2>/dev/null | while read -r link; do
        sed -i '/^\(GROUP\|INPUT\)/s#/[^ ]*/##g' "$link"
    done
}

# write_wrappers: programs of build/deps/root, callable as build/deps/bin/NAME
write_wrappers() {
    local bin=$deps/bin libs=$root/usr/lib/$triple:$root/lib/$triple program name ld_path flags
    rm -rf "$bin"
    mkdir -p "$bin" || give_up "no folder $bin"
    [ -d "$root" ] || return 0
    flags="-B $root/usr/lib/$triple/ -idirafter $root/usr/include/$triple -idirafter $root/usr/include"
    flags="$flags -L$root/usr/lib/$triple -L$root/lib/$triple"
    flags="$flags -Wl,--disable-new-dtags,-rpath,$root/usr/lib/$triple,-rpath,$root/lib/$triple"
    for program in "$root"/usr/bin/*; do
        if [ ! -x "$program" ] || [ ! -f "$program" ]; then continue; fi
        name=${program##*/}
        ld_path=''
        # (not grep -q: it ends at the first match, and then ldd with an error)
        if ldd "$program" 2>/dev/null | grep 'not found' >/dev/null || [[ $name =~ ^(.*-)?(gcc|g\+\+|cpp)(-[0-9]+)?$ ]]; then
            ld_path="LD_LIBRARY_PATH='$libs'\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH} "
        fi
        {
            echo '#!/bin/sh'
            echo "export GVBINDIR='$root/usr/lib/$triple/graphviz' FONTCONFIG_FILE='$deps/fonts.conf'"
            printf "%sexec '%s' \"\$@\"\n" "$ld_path" "$program"
        } >"$bin/$name"
    done
    # Debian chooses these by update-alternatives
    [ -e "$bin/gnuplot" ] || [ ! -e "$bin/gnuplot-nox" ] || ln -s gnuplot-nox "$bin/gnuplot"
    [ -e "$bin/awk" ] || [ ! -e "$bin/mawk" ] || ln -s mawk "$bin/awk"
    for name in gcc g++; do
        [ -e "$bin/$name" ] || have "$name" || continue
        program=$(PATH=$path_before command -v "$name")
        [ -e "$root/usr/bin/$name" ] && program=$root/usr/bin/$name && ld_path="LD_LIBRARY_PATH='$libs' "
        [ -e "$root/usr/bin/$name" ] || ld_path=''
        printf '#!/bin/sh\n%sexec "%s" "$@" %s\n' "$ld_path" "$program" "$flags" >"$bin/$name"
    done
    chmod +x "$bin"/*
    printf '<fontconfig><dir>/usr/share/fonts</dir><dir>%s</dir><cachedir>%s</cachedir></fontconfig>\n' \
        "$root/usr/share/fonts" "$deps/fonts" >"$deps/fonts.conf"
    [ ! -e "$bin/dot" ] || "$bin/dot" -c >>"$log" 2>&1
}

# find_pip: sets pip, a command
find_pip() {
    pip=(python3 -m pip)
    [ -d "$root/usr/lib/python3" ] && pip=(env "PYTHONPATH=$root/usr/lib/python3/dist-packages" "${pip[@]}")
    runs "${pip[@]}" --version
}

# pip is there, and does not run
no_pip() {
    "${pip[@]}" --version </dev/null >>"$log" 2>&1
    if grep -q 'No module named' "$log"; then
        say "pip does not run: this Python has no complete standard library (Debian's python3-minimal alone?)"
        say "next: have root install it, apt-get install python3 python3-pip, or set CUDA_HOME to a CUDA 13 toolkit; then run make again"
    fi
    give_up "pip does not run"
}

# pip_install NAME WHEEL...: into build/deps/NAME.part
pip_install() {
    local name=$1
    shift
    say "downloading the wheels $* from PyPI into build/deps/$name"
    # pip's own list of certificates is the system's; without one, that of the package unpacked here
    if [ ! -e /etc/ssl/certs/ca-certificates.crt ] && [ -d "$root/usr/share/ca-certificates" ]; then
        find "$root/usr/share/ca-certificates" -name '*.crt' -exec cat {} + >"$deps/certificates.crt"
        pip=(env "REQUESTS_CA_BUNDLE=${REQUESTS_CA_BUNDLE:-$deps/certificates.crt}" "${pip[@]}")
    fi
    rm -rf "$deps/$name.part"
    "${pip[@]}" install --target "$deps/$name.part" --no-deps --only-binary=:all: --no-compile --disable-pip-version-check \
        "$@" </dev/null >>"$log" 2>&1 || give_up "pip could not get the wheels"
}

# put_in_place NAME: build/deps/NAME.part, which is complete, becomes build/deps/NAME
put_in_place() {
    rm -rf "${deps:?}/$1"
    mv "$deps/$1.part" "$deps/$1" || give_up "build/deps/$1 could not be put in place"
}

# get_toolkit NAME WHEEL...: a toolkit in build/deps/NAME
get_toolkit() {
    local home=$deps/$1.part/nvidia/cu13 lib
    pip_install "$@"
    # a wheel cannot hold links: give the libraries the names that -l looks for
    for lib in "$home"/lib/lib*.so.*; do
        [ -e "$lib" ] && ln -sf "${lib##*/}" "${lib%.so.*}.so"
    done
    put_in_place "$1"
}

# programs of the simulated device need the headers alone
get_libraries() {
    pip_install libraries "${wheels_libraries[@]}"
    rm -rf "$deps/libraries.part/nvidia/cu13/lib"
    put_in_place libraries
}

# sudo may ask for a password, so there must be someone to ask
sudo_agreed() {
    local answer
    have sudo && [ -t 2 ] && [ -z "${CI:-}" ] && { : </dev/tty; } 2>/dev/null || return 1
    say "you are not root. Install these with sudo apt-get (y), or unpack them under build/deps (n, the default)?"
    read -r answer </dev/tty
    [[ $answer == [yY]* ]]
}

get_missing() {
    if [ ${#packages[@]} -gt 0 ]; then
        if ! have apt-get; then
            say "this system has no apt-get: install the above with its own package manager, then run make again"
            exit 1
        elif [ "$(id -u)" = 0 ]; then
            apt_install apt-get
        elif sudo_agreed; then
            apt_install sudo apt-get
        else
            unpack_packages
            write_wrappers
            PATH=$deps/bin:$path_before
        fi
        hash -r
    fi
    [ $((${#wheels[@]} + ${#wheels_libraries[@]} + ${#wheels_format[@]})) = 0 ] || find_pip || no_pip
    [ ${#wheels[@]} = 0 ] || get_toolkit cuda "${wheels[@]}"
    [ ${#wheels_libraries[@]} = 0 ] || get_libraries
    [ ${#wheels_format[@]} = 0 ] || { pip_install format "${wheels_format[@]}" && put_in_place format; }
}

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
        echo "# parts: ${libraries:+libraries} ${clang_format:+format}"
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
    [ build/setup.mk -nt common/setup.sh ] || return 1
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
case ${1:-} in
which-device) which_device ;;
wheels) printf '%s' "$wheel_list" ;;
code) gpu_code "${@:2}" ;;
need) all_there || main ;;
again) main ;;
newest) newest ;;
*)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
