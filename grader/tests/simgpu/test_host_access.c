/* test_host_access.c: host code that accesses memory of pending operations. cuda/host_pairs.cu has
 * pairs of programs, without and with the order; it names those that get another verdict. A finding
 * names the lines of both. */
#include "grader/tests/course/checkout.h"

#define PROGRAM "build/sim/cuda/host_pairs"

/* Also compiled as labs are, and with more in line. */
Test(host_access, each_pair_gets_its_verdict_however_it_is_compiled)
{
    static const char *const compiled[] = {"", "-O1", "-O3"};
    checkout_enter();
    for (size_t i = 0; i < sizeof compiled / sizeof *compiled; i++) {
        checkout_run(
            text, "SIMGPU_REPORT=0 timeout 100 " PROGRAM "%s 2>&1 | grep -v simgpu:", compiled[i]);
        cr_expect_str_eq(text, "77 pairs\n", "%s: %s", compiled[i], text);
    }
}

Test(host_access, a_finding_names_both_lines)
{
    checkout_enter();
    checkout_run(text, PROGRAM " copy_reads_pinned 2>&1");
    cr_expect(strstr(text,
                     "simgpu: host: memcpyH2D (stream 1, operation 1) reads bytes 0-11999 of "
                     "allocation 2 (12000 bytes, cudaHostAlloc), and the host overwrites them "
                     "without waiting for it: it may read the new bytes; let the host wait "
                     "for stream 1 before it accesses them"),
              "%s", text);
    cr_expect(strstr(text, "(first at host_pairs.cu:"), "%s", text);
    cr_expect(strstr(text, ", second at host_pairs.cu:"), "%s", text);
}

Test(host_access, a_copy_to_pageable_memory_has_advice_of_its_own)
{
    checkout_enter();
    checkout_run(text, PROGRAM " copy_writes_pageable 2>&1");
    cr_expect(strstr(text, " of pageable memory, and the host reads them without waiting for it: "
                           "it may read the old bytes; the target of memcpyD2H is pageable"),
              "%s", text);
}

/* The host's code is in a file of its own, which simcc compiles as C. */
Test(host_access, a_file_of_c_reports_its_accesses)
{
    checkout_enter();
    checkout_run(
        text, "p=$(mktemp -d) && trap 'rm -r $p' EXIT && cd $p && printf '%%s\\n' '#include "
              "<string.h>' '#include <cuda_runtime_api.h>' 'int main(void) { char *h, *d, sum[9]; "
              "cudaMallocHost((void **)&h, 9); cudaMalloc((void **)&d, 9); cudaMemset(d, 0, 9);' "
              "'cudaMemcpyAsync(h, d, 9, cudaMemcpyDeviceToHost, 0);' 'memcpy(sum, h, 9);' "
              "'cudaDeviceSynchronize(); cudaFree(d); cudaFreeHost(h); return sum[0]; }' >a.c && "
              "$OLDPWD/build/sim/bin/simcc a.c -o a && ./a");
    cr_expect(strstr(text, "(first at a.c:4, second at a.c:5)"), "%s", text);
}

/* A function with a loop has a second version, without checks. It runs if nothing is pending. */
Test(host_access, a_loop_is_checked_while_work_is_pending)
{
    checkout_enter();
    checkout_run(text,
                 "p=$(mktemp -d) && trap 'rm -r $p' EXIT && cd $p && printf '%%s\n' '#include "
                 "<cuda_runtime_api.h>' '__attribute__((noinline)) static int sum(const char *p, "
                 "int n)' '{ int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }' 'int "
                 "main(void) { char *h, *d; cudaMallocHost((void **)&h, 99); cudaMalloc((void "
                 "**)&d, 99); cudaMemset(d, 1, 99); int n = sum(h, 0);' 'cudaMemcpyAsync(h, d, 99, "
                 "cudaMemcpyDeviceToHost, 0); n += sum(h, 9);' 'cudaDeviceSynchronize(); n += "
                 "sum(h, 90); cudaFree(d); cudaFreeHost(h); return n < 90; }' >a.c && "
                 "$OLDPWD/build/sim/bin/simcc a.c -o a && nm a && ./a");
    cr_expect(strstr(text, " t sum.plain"), "%s", text);
    cr_expect(strstr(text, "bytes 0-8 of allocation 1 (99 bytes, cudaMallocHost), and the host"),
              "%s", text);
    cr_expect(strstr(text, "(first at a.c:5, second at a.c:3)"), "%s", text);
}

/* A finding names the first bytes and their line, also if a page has many runs of bytes, of two
 * lines. Here a loop writes the first page, and two write every eighth integer of the next two. */
Test(host_access, bytes_of_many_runs_are_declared_in_the_order_of_their_addresses)
{
    checkout_enter();
    checkout_run(
        text,
        "p=$(mktemp -d) && trap 'rm -r $p' EXIT && cd $p && printf '%%s\n' "
        "'#include <cuda_runtime_api.h>' '#define LOOP(name) __attribute__((noinline)) static "
        "void name(int *p, int from, int to, int step)' 'LOOP(all) { for (int i = from; i < to; i "
        "+= step) p[i] = 1; }' 'LOOP(some) { for (int i = from; i < to; i += step) p[i] = 2; }' "
        "'LOOP(others) { for (int i = from; i < to; i += step) p[i] = 3; }' 'int main(int argc, "
        "char **argv) { int *h, *d, from = argc > 1 ? 1600 : 0; cudaMallocHost((void **)&h, 1 << "
        "20); cudaMalloc((void **)&d, 1 << 20); cudaMemset(d, 1, 1 << 20);' 'cudaMemcpyAsync(h + "
        "from, d, 8192, cudaMemcpyDeviceToHost, 0); others(h, 1536, 3072, 8); some(h, 1024, 1536, "
        "8); all(h, 0, 1024, 1);' 'cudaDeviceSynchronize(); cudaFree(d); cudaFreeHost(h); return "
        "0; }' >a.c && $OLDPWD/build/sim/bin/simcc a.c -o a && ./a && ./a 1600");
    cr_expect(strstr(text, "bytes 0-4095 of allocation 1 (1 MiB"), "%s", text);
    cr_expect(strstr(text, "(first at a.c:7, second at a.c:3)"), "%s", text);
    cr_expect(strstr(text, "bytes 6400-6403 and 220 others of allocation 1 (1 MiB"), "%s", text);
    cr_expect(strstr(text, "(first at a.c:7, second at a.c:5)"), "%s", text);
}

/* Two files that differ in a digit have accesses of the same numbers, which share slots. */
Test(host_access, a_finding_names_the_file_of_the_access)
{
    checkout_enter();
    checkout_run(
        text,
        "p=$(mktemp -d) && trap 'rm -r $p' EXIT && cd $p && echo 'void fa(int *p, int n) { "
        "for (int i = 0; i < n; i++) p[i] = 1; }' >a.c && sed 's/fa/fb/' a.c >c.c && printf "
        "'%%s\n' '#include <cuda_runtime_api.h>' 'void fa(int *p, int n), fb(int *p, int n);' "
        "'int main(void) { int *h, *d; cudaMallocHost((void **)&h, 512); cudaMalloc((void "
        "**)&d, 512); cudaMemset(d, 1, 512);' 'cudaMemcpyAsync(h + 64, d, 256, "
        "cudaMemcpyDeviceToHost, 0); fa(h, 64); fb(h + 64, 64);' 'cudaDeviceSynchronize(); "
        "cudaFree(d); cudaFreeHost(h); return 0; }' >main.c && "
        "$OLDPWD/build/sim/bin/simcc -fdebug-prefix-map=$p=. a.c c.c main.c -o a && ./a");
    cr_expect(strstr(text, "(first at main.c:4, second at c.c:1)"), "%s", text);
}

/* The record must not access what the program cannot. Here the load has marked few bytes in each of
 * some pages, so that the next ones are recorded without opening one. */
Test(host_access, a_null_pointer_faults_where_the_program_accesses_it)
{
    checkout_enter();
    checkout_run(
        text,
        "p=$(mktemp -d) && trap 'rm -r $p' EXIT && cd $p && printf '%%s\n' "
        "'#include <cuda_runtime_api.h>' '#include <signal.h>' '#include <stdio.h>' '#include "
        "<unistd.h>' 'struct pair { int a, b; };' '__attribute__((noipa)) static int get(const "
        "struct pair *p) { return p->b; }' 'static void fault(int number, siginfo_t *i, void *c) { "
        "printf(\"fault at %%p\", i->si_addr); fflush(stdout); _exit(number && !c); }' 'int "
        "main(void) { struct pair *h; void *d; int n = 0; sigaction(SIGSEGV, &(struct "
        "sigaction){.sa_sigaction = fault, .sa_flags = SA_SIGINFO}, NULL);' "
        "'cudaMallocHost((void **)&h, 1 << 20); cudaMalloc(&d, 99); cudaMemset(d, 1, 99); for (int "
        "i = 0; i < 99; i++) n += get(h + i / 3 * 37 %% 256 * 512 + i %% 3);' 'return n + "
        "get(NULL); }' >a.c && $OLDPWD/build/sim/bin/simcc a.c -o a && ./a");
    cr_expect_str_eq(text, "fault at 0x4");
}

Test(host_access, a_program_without_checks_gets_no_finding)
{
    checkout_enter();
    checkout_run(text, "SIMGPU_CHECKS=0 " PROGRAM " kernel_writes_managed 2>&1");
    cr_expect(!strstr(text, "simgpu: host"), "%s", text);
}
