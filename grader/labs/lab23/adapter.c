/* adapter.c: lab 23 between the judge's buffers and the submission; and each stage alone. */
#include "exchange.h"
#include "labs/budgets_floor.h"
#include "labs/lab23_free_overlap/lab.h"
#include "subject/bench.h"

static struct lab23 *lab;

static int setup(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    const size_t matrix = (size_t)numbers->n * (size_t)numbers->n;
    lab = subject_alone(s, sizeof *lab);
    *lab = (struct lab23){.n = (int)numbers->n,
                          .n_batches = (int)numbers->n_batches,
                          .memory_bytes = (size_t)numbers->n_matrices * matrix * sizeof(float),
                          .a = subject_buffer(s, "ab"),
                          .c = subject_buffer(s, "c")};
    lab->b = lab->a + (size_t)lab->n_batches * matrix;
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

static int floor_times(struct subject *s)
{
    return budgets_floor(
        s, (struct batches){
               .n = lab->n, .n_batches = lab->n_batches, .a = lab->a, .b = lab->b, .c = lab->c});
}

SUBJECT_LAB(.name = "lab23", .setup = setup, .run = run, .teardown = teardown, .floor = floor_times)
