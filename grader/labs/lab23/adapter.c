/* adapter.c: lab 23 between the judge's buffers and the submission; and each stage alone. */
#include "exchange.h"
#include "labs/lab23_free_overlap/lab.h"
#include "labs/stages.h"
#include "subject/bench.h"

static struct lab23 *lab;

static int setup(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    const struct batches given = stages_given(s);
    lab = subject_alone(s, sizeof *lab);
    *lab =
        (struct lab23){.n = given.n,
                       .n_batches = given.n_batches,
                       .memory_bytes = (size_t)numbers->n_matrices * given.stride * sizeof(float),
                       .a = given.a,
                       .b = given.b,
                       .c = given.c};
    if (bench_load_create(s, numbers->load))
        return 1;
    bench_before_setup();
    subject_given(s, lab, state);
    return subject_returned(s, "lab23_setup", lab23_setup(lab));
}

static int run(struct subject *s)
{
    bench_load_start();
    const int failed = subject_returned(s, "lab23_run", lab23_run(lab));
    bench_pending(s);
    return failed;
}

static int teardown(struct subject *s)
{
    return subject_returned(s, "lab23_teardown", lab23_teardown(lab));
}

SUBJECT_LAB(.name = "lab23", .setup = setup, .run = run, .teardown = teardown,
            .floor = stages_floor)
