/* pace.c: how slow this machine is now: an emulated one, or one whose processors are taken away
 * while a thread's CPU time runs on. What a program may compute without a charge is work, and not
 * time. */
#include <math.h>
#include <stdint.h>
#include <time.h>

#include "inside.h"

enum { WORDS = 1024, STEPS = 1 << 12, CHAINS = 4, TRIES = 3 };

/* CPU time of work() where computes_ns was found: an AMD EPYC, gcc 12 -O2. */
static const double usual_us = 23.5;

/* Additions, multiplications, loads and stores in four chains. */
static void work(void)
{
    static volatile uint32_t table[WORDS];
    uint32_t h[CHAINS] = {1, 2, 3, 4};
    for (int i = 0; i < STEPS; i++)
        for (int k = 0; k < CHAINS; k++) {
            volatile uint32_t *word = &table[h[k] % WORDS];
            h[k] = h[k] * 31 + *word + 1;
            *word = h[k] >> 3;
        }
}

static double cpu_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

double subject_pace(void)
{
    static double pace; /* 0: not known yet */
    if (pace > 0)
        return pace;
    double least_us = HUGE_VAL;
    for (int i = 0; i < TRIES; i++) {
        const double from_us = cpu_us();
        work();
        least_us = fmin(least_us, cpu_us() - from_us);
    }
    pace = fmax(1, least_us / usual_us);
    return pace;
}
