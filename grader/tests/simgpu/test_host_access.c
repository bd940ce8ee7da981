/*
 * test_host_access.c: host code that accesses memory of pending operations. cuda/host_pairs.cu has
 * pairs of programs, without and with the order; it names those that get another verdict. A finding
 * names the lines of both.
 */
#include "grader/tests/course/checkout.h"

#define PROGRAM "build/sim/cuda/host_pairs"

static char text[CHECKOUT_TEXT];

/* Also compiled as labs are, and with more in line. */
Test(host_access, each_pair_gets_its_verdict_however_it_is_compiled)
{
    static const char *const compiled[] = {"", "-O1", "-O3"};
    checkout_enter();
    for (size_t i = 0; i < sizeof compiled / sizeof *compiled; i++) {
        checkout_run(
            text, "SIMGPU_REPORT=0 timeout 100 " PROGRAM "%s 2>&1 | grep -v simgpu:", compiled[i]);
        cr_expect_str_eq(text, "54 pairs\n", "%s: %s", compiled[i], text);
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

/* The host's code is in a file of its own, which simcc compiles as C. */
Test(host_access, a_file_of_c_reports_its_accesses)
{
    checkout_enter();
    checkout_run(
        text, "p=$(mktemp -d) && trap 'rm -r $p' EXIT && cd $p && "
              "printf '%%s\\n' '#include <string.h>' '#include <cuda_runtime_api.h>' "
              "'int main(void) { char *h, *d, sum[9]; cudaMallocHost((void **)&h, 9); "
              "cudaMalloc((void **)&d, 9); cudaMemset(d, 0, 9);' "
              "'cudaMemcpyAsync(h, d, 9, cudaMemcpyDeviceToHost, 0);' "
              "'memcpy(sum, h, 9);' "
              "'cudaDeviceSynchronize(); cudaFree(d); cudaFreeHost(h); return sum[0]; }' >a.c && "
              "$OLDPWD/build/sim/bin/simcc a.c -o a && ./a");
    cr_expect(strstr(text, "(first at a.c:4, second at a.c:5)"), "%s", text);
}

Test(host_access, a_program_without_checks_gets_no_finding)
{
    checkout_enter();
    checkout_run(text, "SIMGPU_CHECKS=0 " PROGRAM " kernel_writes_managed 2>&1");
    cr_expect(!strstr(text, "simgpu: host"), "%s", text);
}
