/* cpus.c: the CPU that two timed processes share.
 *
 * A virtual machine's CPU runs up to 1.5 times slower for seconds, while its sibling in the host
 * works for somebody else. On an H200 (driver 580.159.04, 2026-11-22; 16 pairs of processes of lab
 * 06's reference solution, host-bound) the ratio of two equal programs was 0.76 to 1.27 if the
 * scheduler placed them, 0.71 to 1.11 on a CPU each, and 0.99 to 1.05 on one shared CPU. They take
 * turns, so neither waits for the other. Only the thread that calls the submission stays on this
 * CPU; threads that already existed keep all CPUs. */
#include <sched.h>

#include "inside.h"

/* Enough arithmetic to tell a slow CPU by: some tens of microseconds. */
enum { STEPS = 20000, LOOKS = 3, MOST_LOOKED_AT = 64 };

static volatile uint64_t sink;

/* What getting to this CPU and some arithmetic there take: also a CPU that is busy looks slow. */
static int64_t look_ns(int cpu)
{
    cpu_set_t one;
    uint64_t x = 1, y = 2;
    int64_t from_ns = session_now_ns();
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0)
        return INT64_MAX;
    for (int i = 0; i < STEPS; i++) {
        x = x * 6364136223846793005u + 1;
        y ^= x >> 7;
    }
    sink = x + y;
    return session_now_ns() - from_ns;
}

static int fastest_of(const cpu_set_t *cpus)
{
    int64_t least_ns = INT64_MAX;
    int fastest = -1;
    for (int look = 0; look < LOOKS; look++)
        for (int cpu = 0, n = 0; cpu < CPU_SETSIZE && n < MOST_LOOKED_AT; cpu++) {
            if (!CPU_ISSET(cpu, cpus))
                continue;
            n++;
            const int64_t ns = look_ns(cpu);
            if (ns < least_ns) {
                least_ns = ns;
                fastest = cpu;
            }
        }
    return fastest;
}

static cpu_set_t allowed; /* before the first call */

void judge_use_all_cpus(pid_t pid)
{
    if (CPU_COUNT(&allowed) == 0 && sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return;
    sched_setaffinity(0, sizeof allowed, &allowed);
    if (pid > 0)
        sched_setaffinity(pid, sizeof allowed, &allowed);
}

void judge_share_cpu(struct judged *a, struct judged *b)
{
    cpu_set_t shared, others;
    if (CPU_COUNT(&allowed) == 0 && sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return;
    if (CPU_COUNT(&allowed) < 2)
        return;
    const int cpu = fastest_of(&allowed);
    others = allowed;
    if (cpu >= 0) {
        CPU_CLR(cpu, &others);
        CPU_ZERO(&shared);
        CPU_SET(cpu, &shared);
        sched_setaffinity(a->pid, sizeof shared, &shared);
        sched_setaffinity(b->pid, sizeof shared, &shared);
    }
    sched_setaffinity(0, sizeof others, &others);
}
