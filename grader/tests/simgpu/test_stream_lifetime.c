/* test_stream_lifetime.c: the order of work of streams that are destroyed, or whose threads have
 * ended, before it is done; of the default stream; and of a set-up. */
#include <pthread.h>
#include <stdlib.h>

#include "kernels/kernels.h"
#include "buffers.h"
#include "sim_graphs.h"

TestSuite(stream_lifetime, .init = setup_buffers, .timeout = 30);

/* Work of a stream that is destroyed, and time for it to be done. */
static void set_in_destroyed_stream(unsigned flags)
{
    cudaStream_t s = stream(flags);
    OK(cudaMemsetAsync(device, 1, BYTES, s));
    OK(cudaStreamDestroy(s));
    host_works_1_ms();
}

Test(stream_lifetime, a_device_synchronize_orders_work_of_destroyed_streams)
{
    set_in_destroyed_stream(cudaStreamNonBlocking);
    OK(cudaDeviceSynchronize());
    OK(cudaMemsetAsync(device, 2, BYTES, stream(cudaStreamNonBlocking)));
    expect_findings(0);
}

Test(stream_lifetime, only_a_synchronize_orders_work_of_destroyed_streams)
{
    set_in_destroyed_stream(cudaStreamNonBlocking);
    OK(cudaStreamSynchronize(NULL));
    OK(cudaMemsetAsync(device, 2, BYTES, NULL));
    expect_findings(1);
}

Test(stream_lifetime, the_default_stream_comes_after_destroyed_blocking_streams)
{
    set_in_destroyed_stream(cudaStreamDefault);
    OK(cudaMemcpy(pinned, device, BYTES, cudaMemcpyDeviceToHost));
    cr_assert_eq(pinned[0], 1);
    expect_findings(0);
}

static void *set_per_thread(void *unused)
{
    (void)unused;
    OK(cudaMemsetAsync(device, 3, BYTES, cudaStreamPerThread));
    return NULL;
}

Test(stream_lifetime, the_default_stream_comes_after_streams_of_threads_that_ended)
{
    pthread_t thread;
    pthread_create(&thread, NULL, set_per_thread, NULL);
    pthread_join(thread, NULL);
    host_works_1_ms();
    OK(cudaMemcpy(pinned, device, BYTES, cudaMemcpyDeviceToHost));
    cr_assert_eq(pinned[0], 3);
    expect_findings(0);
}

Test(stream_lifetime, pending_streams_may_be_destroyed_before_the_default_stream_is_waited_for)
{
    for (int i = 0; i < 8; i++) {
        cudaStream_t s = stream(cudaStreamDefault);
        OK(launch_delay(10, s));
        OK(cudaStreamDestroy(s));
    }
    OK(cudaStreamSynchronize(NULL));
    OK(cudaStreamQuery(NULL));
}

Test(stream_lifetime, the_default_stream_comes_after_any_number_of_streams)
{
    for (int i = 0; i < 5000; i++)
        OK(cudaMemsetAsync(device + i, 1, 1, stream(cudaStreamDefault)));
    OK(cudaMemcpy(pinned, device, BYTES, cudaMemcpyDeviceToHost));
    expect_findings(0);
}

Test(stream_lifetime, many_streams_are_made_in_little_time, .timeout = 15)
{
    for (int i = 0; i < 100000; i++)
        stream(cudaStreamNonBlocking);
}

Test(stream_lifetime, blocking_streams_come_after_the_default_stream_and_others_do_not)
{
    OK(cudaMemsetAsync(device, 1, BYTES, NULL));
    OK(cudaMemsetAsync(device, 2, BYTES, stream(cudaStreamDefault)));
    expect_findings(0);
    OK(cudaMemsetAsync(device, 3, BYTES, stream(cudaStreamNonBlocking)));
    expect_findings(1);
}

/* ---- the operations of a set-up ------------------------------------------------------------- */

/* The only finding: which of its two operations are of the set-up. */
static void expect_of_setup(int first, int second)
{
    const struct simgpu_finding f = only_finding();
    cr_expect_eq(f.first.of_setup, first, "%s", finding_text(&f));
    cr_expect_eq(f.second.of_setup, second, "%s", finding_text(&f));
    simgpu_findings_clear();
}

static void clear_in(cudaStream_t s, void *p)
{
    OK(cudaMemsetAsync(p, 0, 64, s));
}

Test(stream_lifetime, operations_of_the_latest_set_up_are_named_so)
{
    setenv("SIMGPU_REPORT", "0", 1);
    void *p = zeros(64);
    OK(cudaDeviceSynchronize());
    cudaStream_t before = stream(cudaStreamNonBlocking), inside, after;
    OK(cudaStreamBeginCapture(before, cudaStreamCaptureModeGlobal));
    clear_in(before, p);
    cudaGraphExec_t x = new_exec(end_capture(before));
    simgpu_setting_up(1);
    inside = stream(cudaStreamNonBlocking);
    OK(cudaGraphLaunch(x, inside));
    clear_in(before, p);
    expect_of_setup(1, 1);
    simgpu_setting_up(0);
    after = stream(cudaStreamNonBlocking);
    clear_in(after, p);
    expect_of_setup(1, 0);
    clear_in(inside, p);
    expect_of_setup(0, 0);
    simgpu_setting_up(1);
    simgpu_setting_up(0);
    clear_in(before, p);
    expect_of_setup(0, 0);
}
