/* adapter.c: lab 00 under the judge. */
#include <sched.h>
#include <unistd.h>

#include "exchange.h"
#include "subject/subject.h"
#include "lab.h"

static struct lab00 lab;

static int setup(struct subject *s)
{
    lab = (struct lab00){.n = subject_numbers(s)->n,
                         .n_batches = subject_numbers(s)->n_batches,
                         .in = subject_buffer(s, "in"),
                         .out = subject_buffer(s, "out")};
    return subject_returned(s, "lab00_setup", lab00_setup(&lab));
}

static int run(struct subject *s)
{
    static int runs;
    int failed = subject_returned(s, "lab00_run", lab00_run(&lab));
    subject_value(s, cost_us, lab.cost_us);
    cpu_set_t cpus;
    subject_value(s, cpus, sched_getaffinity(0, sizeof cpus, &cpus) == 0 ? CPU_COUNT(&cpus) : 0);
    subject_value(s, cpu, sched_getcpu());
    subject_value(s, pid, getpid());
    subject_value(s, runs, ++runs);
    return failed;
}

static int teardown(struct subject *s)
{
    return subject_returned(s, "lab00_teardown", lab00_teardown(&lab));
}

static int floor_times(struct subject *s)
{
    subject_value(s, least_us, 40);
    return 0;
}

SUBJECT_LAB(.name = "lab00", .setup = setup, .run = run, .teardown = teardown, .floor = floor_times)
