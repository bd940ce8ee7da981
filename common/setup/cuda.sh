# cuda.sh: the CUDA toolkits, the driver and the GPUs of this machine; setup.sh reads it.

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

# in_target HOME FOLDER: this folder of the machines that a toolkit may be for: servers with 64-bit Arm have a name of their own
in_target() { printf '%s\n' "$1/targets/$(uname -m)-linux/$2"; [ "$(uname -m)" != aarch64 ] || printf '%s\n' "$1/targets/sbsa-linux/$2"; }

# cudart_of HOME: the folder of its libcudart.so
cudart_of() {
    local targets
    mapfile -t targets < <(in_target "$1" lib)
    first_with libcudart.so "$1/lib64" "$1/lib" "${targets[@]}" "$1/lib/$triple"
}

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
    local home inc lib version why targets
    cuda_inc='' gpu_inc='' cuda_lib='' nvcc='' cupti_inc='' cupti_lib='' cuda_other='' cuda_why=''
    while read -r home; do
        why=''
        mapfile -t targets < <(in_target "$home" include)
        if ! inc=$(first_with cuda_runtime_api.h "$home/include" "${targets[@]}") ||
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
