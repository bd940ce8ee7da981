/* test_busy_machine.c: virtual time where the machine has other things to do: a program that gets
 * the processor late, or waits for the simulated device's own lock, is not one that waits for the
 * device. All of it is about real time: processors, and threads that wait. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kernels/kernels.h"
#include "sim_test.h"

TestSuite(busy_machine, .init = setup_quiet, .timeout = 60);

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void spin(clockid_t clock, double s)
{
    for (double end = seconds(clock) + s; seconds(clock) < end;)
        ;
}

/* ---- the lock -------------------------------------------------------------------------------- */

static void *sleep_on(void *unused)
{
    (void)unused;
    pause();
    return NULL;
}

/* It computes between its calls, so that only the device's lock ever puts it to sleep. */
static void *ask(void *unused)
{
    enum { QUESTIONS = 30 };
    cudaStream_t s = stream(cudaStreamNonBlocking);
    OK(launch_delay(1e6, s));
    for (int i = 0; i < QUESTIONS; i++) {
        spin(CLOCK_MONOTONIC, 0.04);
        cr_assert_eq(cudaStreamQuery(s), cudaErrorNotReady, "after %d questions", i);
    }
    return unused;
}

Test(busy_machine, who_waits_for_the_lock_does_not_wait_for_the_device)
{
    enum { SLEEPERS = 400 }; /* that many are long to look at, and those who call meanwhile wait */
    pthread_attr_t small;
    pthread_t thread;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    for (int i = 0; i < SLEEPERS; i++)
        cr_assert_eq(pthread_create(&thread, &small, sleep_on, NULL), 0);
    cr_assert_eq(pthread_create(&thread, NULL, ask, NULL), 0);
    pthread_join(thread, NULL);
}

/* ---- the processor --------------------------------------------------------------------------- */

static int processor;
static pid_t taker;

static void stay_on_processor(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
}

/* Another program computes, on the processor on which this one is now. */
static void take_the_processor(void)
{
    processor = sched_getcpu();
    taker = fork();
    if (taker != 0)
        return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    stay_on_processor();
    for (;;)
        ;
}

static void give_it_back(void)
{
    kill(taker, SIGKILL);
    waitpid(taker, NULL, 0);
}

/* Computes for so long, where the other is given seventy seconds for each of this thread's. */
static void work_last(double s)
{
    nice(19); /* of this thread alone */
    stay_on_processor();
    spin(CLOCK_THREAD_CPUTIME_ID, s);
}

static void work_in_host_function(void *unused)
{
    (void)unused;
    work_last(0.005);
}

Test(busy_machine, a_host_function_that_hardly_gets_the_processor_is_waited_for)
{
    take_the_processor();
    cudaStream_t calls = stream(cudaStreamNonBlocking), works_on = stream(cudaStreamNonBlocking);
    cudaEvent_t returned, worked;
    float ms;
    OK(cudaEventCreate(&returned));
    OK(cudaEventCreate(&worked));
    OK(cudaLaunchHostFunc(calls, work_in_host_function, NULL));
    OK(cudaEventRecord(returned, calls));
    OK(launch_delay(5000, works_on));
    OK(cudaEventRecord(worked, works_on));
    OK(cudaStreamSynchronize(works_on));
    OK(cudaStreamSynchronize(calls));
    OK(cudaEventElapsedTime(&ms, returned, worked));
    cr_assert_gt(ms, 4, "the host function ended %g ms before a kernel of 5 ms", ms);
    give_it_back();
}

Test(busy_machine, a_program_that_hardly_gets_the_processor_does_not_wait_for_the_device)
{
    take_the_processor();
    cudaStream_t s = stream(cudaStreamNonBlocking);
    OK(launch_delay(1e6, s));
    work_last(0.03);
    cr_assert_eq(cudaStreamQuery(s), cudaErrorNotReady);
    give_it_back();
}
