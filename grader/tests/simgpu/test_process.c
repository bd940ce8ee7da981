/* test_process.c: settings of the whole process: grids of 2^32 blocks, several devices, fork. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/kernels.h"
#include "sim_test.h"

TestSuite(process, .init = setup_quiet, .timeout = 30);
TestSuite(process_settings, .timeout = 30); /* tests with an environment of their own */

static void last_call(void *const *params)
{
    (void)params;
}

static void last_footprint(const struct simgpu_launch *l, void *const *params,
                           struct simgpu_work *w)
{
    (void)l;
    (void)params;
    w->delay_us = 1;
}

/* 2^32 blocks, which an unsigned int cannot count */
Test(process_settings, a_grid_of_four_billion_blocks_takes_its_time_and_ends)
{
    static const struct simgpu_kernel last = {
        .entry = &last, .name = "last", .call = last_call, .footprint = last_footprint};
    setenv("SIMGPU_COMPUTE", "0", 1);
    simgpu_register_kernel(&last);
    OK(cudaLaunchKernel(&last, (dim3){65536, 32768, 2}, (dim3){1, 1, 1}, NULL, 0, NULL));
    OK(cudaDeviceSynchronize());
    cr_assert_gt(simgpu_now_ns(), 1000000000, "1 us a wave of 132 * 32 blocks");
}

Test(process_settings, a_kernel_runs_on_its_streams_device_and_times_belong_to_one)
{
    cudaEvent_t here, there;
    float ms;
    setenv("SIMGPU_DEVICES", "2", 1);
    setenv("SIMGPU_REPORT", "0", 1);
    cudaStream_t s = stream(cudaStreamNonBlocking);
    OK(cudaEventCreate(&here));
    OK(cudaEventRecord(here, s));
    OK(cudaSetDevice(1));
    OK(cudaEventCreate(&there));
    OK(cudaEventRecord(there, NULL));
    OK(launch_delay(1, s)); /* device 1 is current */
    OK(cudaDeviceSynchronize());
    OK(cudaStreamSynchronize(s));
    cr_expect_eq(cudaEventElapsedTime(&ms, here, there), cudaErrorInvalidResourceHandle);
}

Test(process, a_child_process_has_no_device_and_nothing_to_report)
{
    int said[2], status, n_devices;
    char text[64];
    cr_assert_eq(pipe(said), 0);
    setenv("SIMGPU_REPORT", "16", 1);
    OK(launch_delay(100, NULL));
    pid_t child = fork();
    if (child == 0) {
        dup2(said[1], STDERR_FILENO);
        bool refused = cudaDeviceSynchronize() == cudaErrorInitializationError &&
                       cudaGetDeviceCount(&n_devices) == cudaErrorInitializationError;
        simgpu_findings_end();
        _exit(refused ? 0 : 1);
    }
    waitpid(child, &status, 0);
    close(said[1]);
    setenv("SIMGPU_REPORT", "0", 1);
    cr_assert_eq(status, 0);
    cr_assert_eq(read(said[0], text, sizeof text), 0, "the child had something to say");
}
