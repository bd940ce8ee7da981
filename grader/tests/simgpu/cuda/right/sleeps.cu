// sleeps.cu: a sleep of the host takes its time, on the virtual clock exactly, and the device goes
// on for this long and no longer. Whatever else a thread waits for with a timeout takes at least
// that long.
#include "../check.cuh"
#include "simgpu.h"

#include <ctime>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/select.h>
#include <unistd.h>

enum { SLEEP_US = 50000 }; // several looks of the device at a program that makes no call

static int n_wrong;

__global__ void work(long long clocks)
{
    for (long long begun = clock64(); clock64() - begun < clocks;)
        ;
}

static timespec after(clockid_t clock, long ns)
{
    timespec t = {0, 0};
    if (clock >= 0)
        clock_gettime(clock, &t);
    ns += t.tv_nsec;
    return {t.tv_sec + ns / 1000000000, ns % 1000000000};
}

static void by_usleep()
{
    usleep(SLEEP_US);
}
static void by_poll()
{
    poll(nullptr, 0, SLEEP_US / 1000);
}

static void by_nanosleep()
{
    const timespec t = after(-1, SLEEP_US * 1000L);
    nanosleep(&t, nullptr);
}

static void by_clock_nanosleep()
{
    const timespec t = after(-1, SLEEP_US * 1000L);
    clock_nanosleep(CLOCK_MONOTONIC, 0, &t, nullptr);
}

static void by_select()
{
    timeval t = {0, SLEEP_US};
    select(0, nullptr, nullptr, nullptr, &t);
}

static void by_pipe()
{
    int ends[2];
    if (pipe(ends) != 0)
        return;
    pollfd file = {ends[0], POLLIN, 0};
    poll(&file, 1, SLEEP_US / 1000);
    close(ends[0]);
    close(ends[1]);
}

static void by_semaphore()
{
    sem_t never;
    const timespec t = after(CLOCK_REALTIME, SLEEP_US * 1000L);
    sem_init(&never, 0, 0);
    sem_timedwait(&never, &t);
}

static void by_condition()
{
    pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    const timespec t = after(CLOCK_REALTIME, SLEEP_US * 1000L);
    pthread_mutex_lock(&m);
    pthread_cond_timedwait(&never, &m, &t);
    pthread_mutex_unlock(&m);
}

// A wait that takes no exact time may have a deadline, which is nearer when the wait begins than
// when it was computed.
static void expect_takes(void (*sleep)(), bool exactly, const char *name)
{
    const int64_t from = simgpu_now_ns();
    sleep();
    const int64_t ns = simgpu_now_ns() - from;
    if (exactly ? ns != SLEEP_US * 1000LL : ns < SLEEP_US * 900LL) {
        printf("%s: %lld ns\n", name, (long long)ns);
        n_wrong++;
    }
}
#define EXPECT_TAKES(sleep, exactly) expect_takes(sleep, exactly, #sleep)

// The kernel takes longer than one sleep, and less than eight.
static void expect_goes_on()
{
    cudaStream_t s;
    int n = 0;
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    work<<<1, 1, 0, s>>>(7ll * SLEEP_US * 1980);
    for (; cudaStreamQuery(s) == cudaErrorNotReady && n < 100; n++)
        usleep(SLEEP_US);
    if (n < 4 || n > 8) {
        printf("after %d sleeps\n", n);
        n_wrong++;
    }
    OK(cudaStreamDestroy(s));
}

int main()
{
    OK(cudaFree(nullptr));
    EXPECT_TAKES(by_usleep, true);
    EXPECT_TAKES(by_nanosleep, true);
    EXPECT_TAKES(by_clock_nanosleep, true);
    EXPECT_TAKES(by_poll, true);
    EXPECT_TAKES(by_select, true);
    EXPECT_TAKES(by_pipe, false);
    EXPECT_TAKES(by_semaphore, false);
    EXPECT_TAKES(by_condition, false);
    expect_goes_on();
    puts(n_wrong ? "failed" : "passed");
}
