/* test_wait_without_call.c: how the program learns that work is done, without a call that waits, or
 * although the thread that waits or runs host functions is held up. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "buffers.h"
#include "sim_graphs.h"

TestSuite(wait_without_call, .init = setup_buffers, .timeout = 30);

static atomic_bool ran;

/* Real time: the function is still running in real time when the program makes its next calls. */
static void run_and_linger(void *unused)
{
    (void)unused;
    atomic_store(&ran, true);
    usleep(20000);
}

Test(wait_without_call, a_host_function_may_tell_the_program_before_it_returns)
{
    cudaStream_t s = stream(cudaStreamNonBlocking), other = stream(cudaStreamNonBlocking);
    OK(cudaMemsetAsync(device, 1, BYTES, s));
    OK(cudaLaunchHostFunc(s, run_and_linger, NULL));
    host_works_1_ms();
    while (!atomic_load(&ran))
        usleep(100);
    OK(cudaMemsetAsync(device, 2, BYTES, other));
    OK(cudaDeviceSynchronize());
    expect_findings(0);
}

/* Real time: the program makes no call, so nothing moves virtual time but the device itself. */
static void expect_told_through(char *memory)
{
    cudaStream_t s = stream(cudaStreamNonBlocking);
    OK(cudaMemsetAsync(device, 1, BYTES, s));
    OK(cudaMemcpyAsync(memory, device, 1, cudaMemcpyDefault, s));
    while (*(volatile char *)memory == 0)
        usleep(1000);
    OK(cudaMemsetAsync(device, 2, BYTES, stream(cudaStreamNonBlocking)));
    expect_findings(0);
}

Test(wait_without_call, a_copy_may_tell_the_program_through_pinned_memory)
{
    expect_told_through(pinned);
}

Test(wait_without_call, a_copy_may_tell_the_program_through_registered_memory)
{
    static char ordinary[BYTES];
    OK(cudaHostRegister(ordinary, BYTES, cudaHostRegisterDefault));
    expect_told_through(ordinary);
}

Test(wait_without_call, a_copy_may_tell_the_program_through_managed_memory)
{
    char *managed;
    OK(cudaMallocManaged((void **)&managed, BYTES, cudaMemAttachGlobal));
    *managed = 0;
    expect_told_through(managed);
}

/* The last node of a graph tells it of all its nodes before. */
Test(wait_without_call, a_graph_may_tell_the_program_through_pinned_memory)
{
    enum { LAUNCHES = 3 };
    cudaStream_t s = stream(cudaStreamNonBlocking), other = stream(cudaStreamNonBlocking);
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaMemsetAsync(device, 1, BYTES, s));
    OK(cudaMemcpyAsync(pinned, device, 1, cudaMemcpyDeviceToHost, s));
    cudaGraphExec_t x = new_exec(end_capture(s));
    for (int i = 0; i < LAUNCHES; i++) {
        *pinned = 0;
        OK(cudaGraphLaunch(x, s));
        while (*(volatile char *)pinned == 0)
            usleep(1000);
        OK(cudaMemsetAsync(device, 2, BYTES, other));
        OK(cudaStreamSynchronize(other));
    }
    expect_findings(0);
}

/* Real time: so long that the device goes on by itself. */
Test(wait_without_call, sleeping_orders_nothing_that_the_program_cannot_see)
{
    OK(cudaMemsetAsync(device, 1, BYTES, stream(cudaStreamNonBlocking)));
    usleep(100000);
    OK(cudaMemsetAsync(device, 2, BYTES, stream(cudaStreamNonBlocking)));
    expect_findings(1);
}

Test(wait_without_call, sleeping_orders_no_stream_in_which_nothing_can_be_seen)
{
    OK(cudaMemsetAsync(device, 1, BYTES, stream(cudaStreamNonBlocking)));
    OK(cudaMemsetAsync(pinned, 1, BYTES, stream(cudaStreamNonBlocking)));
    while (*(volatile char *)pinned == 0)
        usleep(1000);
    OK(cudaMemsetAsync(device, 2, BYTES, stream(cudaStreamNonBlocking)));
    expect_findings(1);
}

Test(wait_without_call, an_elapsed_time_says_that_both_events_happened)
{
    cudaStream_t s = stream(cudaStreamNonBlocking);
    cudaEvent_t start, end;
    float ms;
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&end));
    OK(cudaEventRecord(start, s));
    OK(cudaMemsetAsync(device, 1, BYTES, s));
    OK(cudaEventRecord(end, s));
    while (cudaEventElapsedTime(&ms, start, end) == cudaErrorNotReady)
        ;
    OK(cudaMemsetAsync(device, 2, BYTES, stream(cudaStreamNonBlocking)));
    expect_findings(0);
}

/* Real time: another thread is to be inside the call that waits for it when that thread is
 * cancelled. */
static void linger(void *unused)
{
    (void)unused;
    usleep(50000);
}

static void *synchronize(void *s)
{
    return (void *)(intptr_t)cudaStreamSynchronize(s);
}

Test(wait_without_call, a_thread_cancelled_while_it_waits_leaves_the_device_usable)
{
    cudaStream_t s = stream(cudaStreamNonBlocking);
    pthread_t thread;
    OK(cudaLaunchHostFunc(s, linger, NULL));
    pthread_create(&thread, NULL, synchronize, s);
    usleep(20000);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    OK(cudaStreamSynchronize(s));
}

static void note_thread(void *tid)
{
    *(long *)tid = syscall(SYS_gettid);
}

/* Real time: this stops a thread that knows nothing of virtual time. */
static void stand_still(int signal)
{
    (void)signal;
    usleep(300000);
}

/* The thread of the host functions gets no turn for so long that others are no longer waited for.
 */
Test(wait_without_call, a_host_function_that_could_not_begin_is_waited_for)
{
    cudaStream_t s = stream(cudaStreamNonBlocking);
    long tid = 0;
    OK(cudaLaunchHostFunc(s, note_thread, &tid));
    OK(cudaStreamSynchronize(s));
    cr_assert_neq(tid, 0);
    signal(SIGSEGV, stand_still); /* of all that can be sent, this the thread has not blocked */
    for (int i = 0; i < 3; i++) {
        atomic_store(&ran, false);
        syscall(SYS_tgkill, getpid(), (int)tid, SIGSEGV);
        OK(cudaLaunchHostFunc(s, run_and_linger, NULL));
        OK(cudaStreamSynchronize(s));
        cr_assert(atomic_load(&ran));
    }
}
