/* adapter.c: lab 07 between the judge's buffers and the submission; and the same work by a
 * loop on the host.
 *
 * A scenario is one of the three functions, called once in a run. All that it works on lies in
 * device memory of the adapter's. */
#include <stdbool.h>

#include "host_work.h"
#include "adapter_launches.h"
#include "common/check.h"
#include "exchange.h"
#include "kernels/kernels.h"
#include "labs/lab07_device_launch/lab.h"
#include "subject/bench.h"

/* UNSUMMED: of each byte of the sum before it is taken */
enum { JOURNAL_COLUMNS = 4, PACKET_COLUMNS = 2, UNSUMMED = 0x3e, MOST_ROOMS = 16 };

static struct lab07 *lab;
static struct task {
    enum lab07_workload workload;
    int n_packets; /* in the ring when a call begins */
    int iterations;
    enum lab07_before before;
    int n_runs;
    bool by_host; /* a run is not the submission's, but a loop on the host that does the same */
    const float *in, *more, *count; /* the judge's */
    float *out, *journal_out, *left, *ring_out;
    size_t in_bytes, out_bytes, journal_floats;
    float *x, *y, *parts, *result; /* device memory from here on */
    int *iterations_left;
    struct ring *ring;
    struct argument_slot *arguments;
    struct journal *journal;
    float *first_y; /* what y, iterations_left and ring are when a run begins */
    int *first_iterations;
    struct ring *first_ring;
    void *rooms[MOST_ROOMS]; /* all of it */
    int n_rooms;
    cudaStream_t stream;
    cudaGraph_t sum, root;
    cudaGraph_t *workers, *handlers; /* lent to the submission */
} task;

/* ---- set up ---------------------------------------------------------------------------------- */

/* Until teardown. */
static cudaError_t room(void *p, size_t bytes)
{
    void **to = p;
    TRY(cudaMalloc(to, bytes));
    task.rooms[task.n_rooms++] = *to;
    return cudaMemset(*to, 0, bytes);
}

static cudaError_t make_memory(void)
{
    TRY(room(&task.x, task.in_bytes));
    TRY(room(&task.y, task.out_bytes + PACKET_FLOATS * sizeof(float))); /* of any function */
    TRY(room(&task.parts, (size_t)lab->n_workers * sizeof(float)));
    TRY(room(&task.result, sizeof(float)));
    TRY(room(&task.iterations_left, sizeof(int)));
    TRY(room(&task.ring, sizeof *task.ring));
    TRY(room(&task.arguments, PACKET_TYPES * sizeof *task.arguments));
    TRY(room(&task.first_y, task.out_bytes));
    TRY(room(&task.first_iterations, sizeof(int)));
    TRY(room(&task.first_ring, sizeof *task.ring));
    TRY(room(&task.journal, sizeof *task.journal));
    return cudaStreamCreateWithFlags(&task.stream, cudaStreamNonBlocking);
}

static cudaError_t make_graphs(float us)
{
    const struct handler_data data = {.arguments = task.arguments,
                                      .ring = task.ring,
                                      .in = task.x,
                                      .out = task.y,
                                      .us = us,
                                      .journal = task.journal};
    float *length = task.y;
    const int n = lab->n_workers;
    for (int i = 0; i < n; i++)
        TRY(graph_of_worker(&task.workers[i], task.parts, task.x, i, us, task.journal));
    TRY(graph_of_sum(&task.sum, task.result, task.parts, n, n, task.journal));
    TRY(graph_of_root(&task.root, length, task.result, n + 1, task.journal));
    for (int t = 0; t < PACKET_TYPES; t++)
        TRY(graph_of_handler(&task.handlers[t], t, &data));
    return cudaDeviceSynchronize();
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static cudaError_t put_packets(void)
{
    struct ring ring = {.put = task.n_packets ? (unsigned)task.n_packets : 1};
    for (int i = 0; i < task.n_packets && i < RING_SLOTS; i++)
        ring.slots[i] = (struct packet){.number = i,
                                        .type = (int)task.more[i * PACKET_COLUMNS],
                                        .in_order = task.more[i * PACKET_COLUMNS + 1] != 0};
    return cudaMemcpy(task.first_ring, &ring, sizeof ring, cudaMemcpyHostToDevice);
}

static cudaError_t arm_device(void)
{
    const float *y = task.workload == LAB07_ITERATIONS ? task.more : task.out;
    task.iterations = task.workload == LAB07_ITERATIONS ? (int)task.count[0] : 1;
    TRY(cudaMemcpy(task.x, task.in, task.in_bytes, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(task.first_y, y, task.out_bytes, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(task.first_iterations, &task.iterations, sizeof(int), cudaMemcpyHostToDevice));
    TRY(cudaMemset(task.arguments, 0, PACKET_TYPES * sizeof *task.arguments));
    TRY(cudaMemset(task.journal, 0, sizeof *task.journal));
    TRY(put_packets());
    return cudaDeviceSynchronize();
}

/* As the inputs are, so that a run can be made again; the same few microseconds in each. */
static cudaError_t rewind_device(enum lab07_workload workload)
{
    const enum cudaMemcpyKind inside = cudaMemcpyDeviceToDevice;
    TRY(cudaMemsetAsync(&task.journal->n, 0, sizeof(int), task.stream));
    TRY(cudaMemcpyAsync(task.y, task.first_y, task.out_bytes, inside, task.stream));
    if (workload == LAB07_LENGTH) {
        TRY(cudaMemsetAsync(task.parts, 0, (size_t)lab->n_workers * sizeof(float), task.stream));
        TRY(cudaMemsetAsync(task.result, UNSUMMED, sizeof(float), task.stream));
    }
    if (workload == LAB07_ITERATIONS)
        TRY(cudaMemcpyAsync(task.iterations_left, task.first_iterations, sizeof(int), inside,
                            task.stream));
    if (workload == LAB07_PACKETS)
        TRY(cudaMemcpyAsync(task.ring, task.first_ring, sizeof *task.ring, inside, task.stream));
    return cudaStreamSynchronize(task.stream);
}

/* ---- what the judge asks for before a run --------------------------------------------------- */

static int setup(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    task = (struct task){.workload = numbers->workload,
                         .n_packets = numbers->n_packets,
                         .before = numbers->before,
                         .by_host = numbers->by_host,
                         .in = subject_buffer(s, "in"),
                         .more = subject_buffer(s, "more"),
                         .count = subject_buffer(s, "count"),
                         .out = subject_buffer(s, "out"),
                         .journal_out = subject_buffer(s, "journal"),
                         .left = subject_buffer(s, "left"),
                         .ring_out = subject_buffer(s, "ring"),
                         .in_bytes = subject_buffer_bytes(s, "in"),
                         .out_bytes = subject_buffer_bytes(s, "out")};
    static const enum lab07_cause endless[] = {[LAB07_LENGTH] = LAB07_ENDLESS_LENGTH,
                                               [LAB07_ITERATIONS] = LAB07_ENDLESS_LOOP,
                                               [LAB07_PACKETS] = LAB07_ENDLESS_PACKETS};
    task.journal_floats = subject_buffer_bytes(s, "journal") / sizeof(float);
    lab = subject_alone(s, sizeof *lab);
    *lab = (struct lab07){.n_workers = numbers->n_workers};
    const size_t n_lent = (size_t)lab->n_workers + PACKET_TYPES;
    task.handlers = subject_lend(s, "lab->handlers", n_lent * sizeof *task.handlers);
    task.workers = task.handlers + PACKET_TYPES;
    if (make_memory() || make_graphs((float)numbers->work))
        return subject_failed(s, "the grader could not make what the lab is given");
    lab->workers = task.workers;
    lab->sum = task.sum;
    lab->root = task.root;
    lab->n = (int)(task.out_bytes / sizeof(float));
    lab->y = task.y;
    lab->x = task.x;
    lab->alpha = (float)numbers->alpha;
    lab->iterations_left = task.iterations_left;
    lab->ring = task.ring;
    lab->arguments = task.arguments;
    lab->handlers = task.handlers;
    if (subject_unaided(s) && (arm_device() || rewind_device(task.workload)))
        return subject_failed(s, "the grader could not put a run's inputs on the device");
    launches_begin(s, lab, endless[task.workload]);
    subject_given(s, lab, state);
    return launches_returned(s, "lab07_setup", lab07_setup(lab));
}

static int arm(struct subject *s)
{
    if (!subject_unaided(s) && arm_device())
        return subject_failed(s, "the grader could not put a run's inputs on the device");
    return 0;
}

/* ---- a run of the submission ----------------------------------------------------------------- */

static int call(struct subject *s, enum lab07_workload workload)
{
    if (workload == LAB07_LENGTH)
        return launches_returned(s, "lab07_length", lab07_length(lab));
    if (workload == LAB07_ITERATIONS)
        return launches_returned(s, "lab07_loop", lab07_loop(lab));
    return launches_returned(s, "lab07_packets", lab07_packets(lab));
}

static int call_others(struct subject *s)
{
    for (enum lab07_workload w = LAB07_LENGTH; w <= LAB07_PACKETS; w++) {
        if (w == task.workload)
            continue;
        if (rewind_device(w))
            return subject_failed(s, "the grader could not put the inputs in place");
        if (call(s, w))
            return -1;
    }
    return 0;
}

/* The first worker or handler runs, launched by the device, while the call is made. */
static int run_while_busy(struct subject *s)
{
    const bool length = task.workload == LAB07_LENGTH;
    cudaGraphExec_t exec = launches_exec_of(length ? task.workers[0] : task.handlers[0]);
    if (!exec) {
        subject_value(s, returned, -1);
        return 0;
    }
    cudaError_t error = busy_begin(exec, (float)subject_numbers(s)->work);
    if (error)
        return subject_failed(s, "the grader could not launch a graph of the submission's: %s",
                              cudaGetErrorName(error));
    subject_value(s, returned, (double)(length ? lab07_length(lab) : lab07_packets(lab)));
    busy_end();
    return 0;
}

static int run_by_host(struct subject *s)
{
    cudaError_t error = host_loop_run(&(struct host_work){.packets = task.workload == LAB07_PACKETS,
                                                          .iterations = task.iterations,
                                                          .n = lab->n,
                                                          .alpha = lab->alpha,
                                                          .x = task.x,
                                                          .y = task.y,
                                                          .iterations_left = task.iterations_left,
                                                          .ring = task.ring,
                                                          .arguments = task.arguments,
                                                          .handlers = task.handlers});
    if (error)
        return subject_failed(s, "the grader's own loop on the host: %s", cudaGetErrorName(error));
    return 0;
}

/* How many launches were of the graphs that the submission was given. */
static void note_launches(struct subject *s)
{
    double given = subject_launches_of(subject_graph_number(task.sum)) +
                   subject_launches_of(subject_graph_number(task.root));
    for (int t = 0; t < PACKET_TYPES; t++)
        given += subject_launches_of(subject_graph_number(task.handlers[t]));
    for (int i = 0; i < lab->n_workers; i++)
        given += subject_launches_of(subject_graph_number(task.workers[i]));
    subject_value(s, given_launches, given);
}

static int run(struct subject *s)
{
    const bool first = task.n_runs++ == 0;
    if (task.before == LAB07_OTHER_FUNCTIONS && first && call_others(s))
        return -1;
    if (!subject_unaided(s) && rewind_device(task.workload))
        return subject_failed(s, "the grader could not put the inputs in place again");
    launches_run_begin();
    if (task.before == LAB07_BUSY_GRAPH && !first)
        return run_while_busy(s);
    if (task.by_host)
        return run_by_host(s);
    const int failed = call(s, task.workload);
    bench_pending(s);
    note_launches(s);
    if (!failed)
        launches_report();
    return failed;
}

/* A row for each entry: number, type, begun and done in microseconds since the first of all. */
static void hand_over(const struct journal *journal)
{
    const int room = (int)(task.journal_floats / JOURNAL_COLUMNS);
    const int n = journal->n < JOURNAL_ENTRIES ? journal->n : JOURNAL_ENTRIES;
    unsigned long long first_ns = n ? journal->entries[0].begun_ns : 0;
    for (int i = 1; i < n; i++)
        if (journal->entries[i].begun_ns < first_ns)
            first_ns = journal->entries[i].begun_ns;
    for (int i = 0; i < room; i++) {
        const struct journal_entry *e = &journal->entries[i < n ? i : 0];
        float *row = task.journal_out + i * JOURNAL_COLUMNS;
        row[0] = i < n ? (float)e->number : -1.0f;
        row[1] = i < n ? (float)e->type : 0.0f;
        row[2] = i < n ? (float)(e->begun_ns - first_ns) / 1e3f : 0.0f;
        row[3] = i < n ? (float)(e->done_ns - first_ns) / 1e3f : 0.0f;
    }
}

static int collect(struct subject *s)
{
    static struct journal journal;
    struct ring ring;
    int left;
    const enum cudaMemcpyKind back = cudaMemcpyDeviceToHost;
    cudaError_t error = cudaMemcpy(task.out, task.y, task.out_bytes, back);
    error = error ? error : cudaMemcpy(&journal, task.journal, sizeof journal, back);
    error = error ? error : cudaMemcpy(&left, task.iterations_left, sizeof left, back);
    error = error ? error : cudaMemcpy(&ring, task.ring, sizeof ring, back);
    if (error)
        return subject_failed(s, "after the run the device reports %s", cudaGetErrorName(error));
    hand_over(&journal);
    /* the loop on the host counts on the host */
    *task.left = task.by_host ? 0 : (float)left;
    task.ring_out[LAB07_TAKEN] = (float)(task.by_host ? ring.put : ring.taken);
    task.ring_out[LAB07_PUT] = (float)ring.put;
    return 0;
}

static int teardown(struct subject *s)
{
    int failed = launches_returned(s, "lab07_teardown", lab07_teardown(lab));
    launches_end();
    if (host_loop_destroy())
        return subject_failed(s, "the grader could not take down its own loop on the host");
    for (int i = 0; i < lab->n_workers; i++)
        cudaGraphDestroy(task.workers[i]);
    for (int t = 0; t < PACKET_TYPES; t++)
        cudaGraphDestroy(task.handlers[t]);
    cudaGraphDestroy(task.sum);
    cudaGraphDestroy(task.root);
    for (int i = 0; i < task.n_rooms; i++)
        cudaFree(task.rooms[i]);
    cudaStreamDestroy(task.stream);
    subject_take_back();
    return failed;
}

static void watch(struct subject *s)
{
    subject_watch(s, "in", task.x, task.in_bytes);
    if (task.workload == LAB07_ITERATIONS)
        subject_watch(s, "more", task.first_y, task.out_bytes);
    subject_watch(s, "out", task.y, task.out_bytes);
}

SUBJECT_LAB(.watch = watch, .name = "lab07", .setup = setup, .arm = arm, .run = run,
            .collect = collect, .teardown = teardown, .before_call = launches_before_call,
            .after_call = launches_after_call)
