#!/bin/bash
# may_name.sh LIBKERNELS HEADERS [LIBCUDART]: lists the names that the object file of a submission may ask the linker for,
# beside its contract (labNN_*) and CUDA's runtime (cuda*): a line each, WHERE NAME. WHERE is the source, lab.c or lab.cu,
# or both. HEADERS is the folder of CUDA's. LIBCUDART is the simulated device's; without it the names are those for a GPU.
#
# SANITIZED=1: what the address and undefined-behavior sanitizers have an object call (make debug SAN=1), too.
#
# Each name comes from the library that defines it. A header decides which names of the course's own libraries these are.
set -eu -o pipefail
export LC_ALL=C
kernels=$1 headers=$2 cudart=${3:-}

defined() { nm --defined-only "$@" | awk 'NF > 2 && $2 != "A" { sub(/@.*/, "", $NF); print $NF }' | sort -u; }
# what a library of the compiler's has for programs
exported() { defined -D "$("${CC:-gcc}" "-print-file-name=$1")"; }
# the words of headers, comments left out
words() { cat "$@" | "${CC:-gcc}" -fpreprocessed -dD -E -P -w -x c - | grep -ow '[A-Za-z_][A-Za-z0-9_]*' | sort -u; }
to() { sed "s/^/$1 /"; }

{
    comm -12 <(defined -g "$kernels" 2>/dev/null) <(words kernels/*.h)
    echo 'clock_now_us clock_host_work clock_is_virtual' | tr ' ' '\n'
    defined -g "$("${CC:-gcc}" -print-libgcc-file-name)" 2>/dev/null | grep -E '^__([a-z]+[23]|(fix|float)[a-z]+)$'
    [ -z "${SANITIZED:-}" ] || { exported libasan.so; exported libubsan.so; } | grep -E '^__(asan|ubsan)_'
    printf '%s\n' __tls_get_addr __stack_chk_fail _GLOBAL_OFFSET_TABLE_ __dso_handle
    # what simcc has an object call in the place of functions of C, and what reports an access
    [ -z "$cudart" ] || { sed 's/.* //' common/simcc/library_calls; defined -D "$cudart" | grep ^__tsan_; }
} | to both

# not what finds functions by their names at run time
{ exported libc.so.6; exported libm.so.6; exported libgcc_s.so.1; echo atexit; } | grep -vE '^(dl|__libc_dl)|_dl_|rtld|_r_debug' | to lab.c

{
    # the host's part of a lab.cu; device code has no more of the C library. What would access memory without a record is
    # not here: of the functions of mathematics those with pointers, of C++ what is more than the language and
    # what its templates throw, which nobody can look into.
    printf '%s\n' malloc calloc realloc free exit abort atexit __cxa_atexit usleep fflush putchar putc fputc stdout stderr __errno_location __assert_fail _Unwind_Resume
    comm -12 <(exported libm.so.6) <(grep -v '[*]' "$headers/crt/math_functions.h" | grep -ow '[A-Za-z_][A-Za-z0-9_]*' | sort -u)
    exported libstdc++.so.6 | grep -E -e '^_Z(n[aw]|d[al]|T[IS][PK]*[a-z]$|TVN10__cxxabiv1|St9terminatev|St[0-9]+__throw_)' \
        -e '^__(gxx_|cxa_(allocate|free|throw|rethrow|begin|end|guard|pure|bad))'
    if [ -n "$cudart" ]; then
        comm -12 <(defined -D "$cudart") <(words common/simgpu/kernel/{device_*,thread,declare_kernel,cuda_headers}.h \
            $(find common/simcc/include -type f))
        printf '%s\n' __start_simgpu_plain __stop_simgpu_plain
    else
        sed 's/ .*//; p; s/.*/__&_chk/' common/simcc/library_calls
    fi
} | to lab.cu
