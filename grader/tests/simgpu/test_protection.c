/* test_protection.c: host code that follows a device pointer ends by a signal, also on a CPU
 * without protection keys, and keeping it out costs little. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim_test.h"

enum { COPIES = 4000, ROUNDS = 100, WORDS = 1 << 18 };

static int *device, *host;

static void copy_without_waiting(int n)
{
    for (int i = 0; i < n; i++)
        OK(cudaMemcpyAsync(device + i, host + i, sizeof *host, cudaMemcpyHostToDevice, NULL));
}

static void allocate(void)
{
    setenv("SIMGPU_REPORT", "0", 1);
    OK(cudaMalloc((void **)&device, WORDS * sizeof *device));
    OK(cudaMallocHost((void **)&host, WORDS * sizeof *host));
}

/* How the host comes to read the first word of device memory. */
static const char *const ways[] = {"new",          "read back",
                                   "event asked",  "many copies, then a wait",
                                   "waited twice", "in a host function"};

static void read_word(void *unused)
{
    (void)unused;
    if (*(volatile int *)device == 0x7fffffff)
        abort();
}

static void go(const char *way)
{
    cudaEvent_t event;
    allocate();
    OK(cudaEventCreate(&event));
    if (strcmp(way, "new") == 0)
        return;
    copy_without_waiting(strcmp(way, "many copies, then a wait") == 0 ? COPIES : 2);
    OK(cudaEventRecord(event, NULL));
    if (strcmp(way, "in a host function") == 0)
        OK(cudaLaunchHostFunc(NULL, read_word, NULL));
    if (strcmp(way, "event asked") == 0)
        while (cudaEventQuery(event) != cudaSuccess)
            ;
    else
        OK(cudaDeviceSynchronize());
    if (strcmp(way, "waited twice") == 0)
        OK(cudaDeviceSynchronize());
}

/* The signal that ends a child that reads device memory; 0: none does. */
static int signal_of(const char *way, const char *protect)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        setenv("SIMGPU_PROTECT", protect, 1);
        signal(SIGSEGV, SIG_DFL); /* a sanitizer's, if there is one */
        close(STDERR_FILENO);
        go(way);
        _exit(*(volatile int *)device == 0x7fffffff);
    }
    cr_assert(waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TestSuite(protection, .timeout = 60);

Test(protection, a_device_pointer_is_none_of_the_hosts)
{
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        cr_expect_eq(signal_of(ways[i], "pages"), SIGSEGV, "%s", ways[i]);
        cr_expect_eq(signal_of(ways[i], "keys"), SIGSEGV, "%s, if there are keys", ways[i]);
        cr_expect_eq(signal_of(ways[i], "0"), 0, "%s, without protection", ways[i]);
    }
}

/* Seconds of the CPU that a child takes for many copies. */
static double cost_s(const char *protect)
{
    struct rusage used;
    int status;
    pid_t child = fork();
    if (child == 0) {
        setenv("SIMGPU_PROTECT", protect, 1);
        allocate();
        memset(host, 1, WORDS * sizeof *host);
        OK(cudaMemcpy(device, host, WORDS * sizeof *host, cudaMemcpyHostToDevice));
        for (int i = 0; i < ROUNDS; i++)
            copy_without_waiting(COPIES);
        OK(cudaDeviceSynchronize());
        _exit(0);
    }
    cr_assert(wait4(child, &status, 0, &used) == child && status == 0);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

/* Closing it after every operation takes forty times as long as the operations. */
Test(protection, costs_less_than_the_operations)
{
    const double none_s = cost_s("0"), pages_s = cost_s("pages");
    cr_expect_lt(pages_s, 2 * none_s, "%.3f s with page protection, %.3f s without", pages_s,
                 none_s);
}
