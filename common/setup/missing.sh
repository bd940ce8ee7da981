# missing.sh: what the course needs and this machine lacks; setup.sh reads it.

missing=()  # lines "what it is|how it is got"
packages=() # Debian packages
# wheels, each list for a folder under build/deps
wheels=() wheels_libraries=() wheels_format=()

# find_format: sets clang_format to a program of the right version; empty if there is none
find_format() {
    for clang_format in clang-format-14 clang-format "$deps/format/clang_format/data/bin/clang-format"; do
        clang_format=$(command -v "$clang_format") && [[ $("$clang_format" --version 2>/dev/null) == *'version 14.'* ]] && return
    done
    clang_format=''
}

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
    ! is_wanted class || runs bsdtar --version || want_packages 'bsdtar' libarchive-tools

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
