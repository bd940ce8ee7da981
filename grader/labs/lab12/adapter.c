/* adapter.c: lab 12 between the judge's buffers and the submission; and, where the scenario's
 * number `by_streams` says so, the same pipeline with stream launches, by the grader itself. */

#include "exchange.h"
#include "labs/lab12/causes.h"
#include "labs/lab12_multi_gpu/lab.h"
#include "labs/peers.h"
#include "streams.h"
#include "subject/bench.h"
#include "subject/graph.h"
#include "weights.h"

static struct lab12 *lab;
static struct streams streams;
static float *weights;

/* ---- the submission -------------------------------------------------------------------------- */

/* peers: how many devices could access the memory of the next one. */
static void look_at_peers(struct subject *s)
{
    int peers = 0;
    for (int i = 0; i + 1 < lab->n_devices; i++)
        if (peers_left_out(i, i + 1, &peers))
            subject_note(s, LAB12_NO_PEER_ACCESS, NULL,
                         "device %d of %d has no access to the memory of device %d", i,
                         lab->n_devices, i + 1);
    subject_value(s, peers, peers);
}

static int setup_submission(struct subject *s)
{
    bench_before_setup();
    subject_given(s, lab, n_micro);
    int failed = subject_captured(s, "lab12_setup", lab12_setup(lab));
    cudaSetDevice(0);
    return failed;
}

/* Only lab12_micro_batches is called, which needs no pipeline. */
static int ask(struct subject *s)
{
    if (lab12_micro_batches(cases[0].stages, cases[0].percent / 100.0) == 0)
        return subject_failed(s, "lab12_micro_batches is not written yet (it returned 0): look for "
                                 "YOUR STEP 1 in the lab's source");
    for (int i = 0; i < N_CASES; i++)
        subject_value(s, micro_batches[i],
                      lab12_micro_batches(cases[i].stages, cases[i].percent / 100.0));
    return 0;
}

static int run_submission(struct subject *s)
{
    cudaError_t e = lab12_run(lab);
    int failed = subject_returned(s, "lab12_run", e);
    bench_pending_on(s, lab->n_devices);
    subject_value(s, n_devices, lab->n_devices);
    if (subject_numbers(s)->look) {
        subject_value(s, n_micro, lab->n_micro);
        look_at_peers(s);
    }
    return failed;
}

/* ---- the pipeline with stream launches ------------------------------------------------------- */

static int setup_streams(struct subject *s)
{
    streams = (struct streams){.n_devices = lab->n_devices,
                               .n_layers = lab->n_layers,
                               .n = lab->n,
                               .rows = lab->rows,
                               .n_buffers = lab->n_buffers,
                               .n_micro = subject_numbers(s)->n_micro,
                               .w = lab->w,
                               .x = lab->x,
                               .y = lab->y};
    return subject_own_call(s, "the pipeline with stream launches", streams_create(&streams));
}

/* The layers of one stage for all micro-batches: no run can be shorter. */
static int floor_times(struct subject *s)
{
    struct streams stage = {.n_devices = 1,
                            .n_layers = lab->n_layers / lab->n_devices,
                            .n = lab->n,
                            .rows = lab->rows,
                            .n_buffers = lab->n_buffers,
                            .n_micro = lab->n_micro,
                            .w = lab->w};
    double stage_us = 0;
    cudaError_t e = streams_create(&stage);
    e = e ? e : bench_time_us(streams_first_stage, &stage, &stage_us);
    e = e ? e : streams_destroy(&stage);
    subject_value(s, stage_us, stage_us);
    return subject_own_call(s, "measuring one stage alone", e);
}

/* ---- which of them --------------------------------------------------------------------------- */

static void take_weights(struct subject *s)
{
    size_t count = (size_t)lab->n_layers * (size_t)lab->n * (size_t)lab->n;
    weights = subject_lend(s, "w", count * sizeof *weights);
    if (subject_numbers(s)->primes)
        make_primes(weights, lab->n_layers, lab->n);
    else
        make_weights(weights, 0, count, LAB12_SEED, lab->n);
    lab->w = weights;
}

static int setup(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    lab = subject_alone(s, sizeof *lab);
    *lab = (struct lab12){.n_devices = bench_devices(numbers->devices, MOST_DEVICES),
                          .n_layers = (int)numbers->n_layers,
                          .n = (int)numbers->n,
                          .rows = (int)numbers->rows,
                          .n_buffers = numbers->n_buffers,
                          .most_bubble = (double)numbers->percent / 100,
                          .x = subject_buffer(s, "x"),
                          .y = subject_buffer(s, "y")};
    if (subject_numbers(s)->ask)
        return 0;
    take_weights(s);
    return subject_numbers(s)->by_streams ? setup_streams(s) : setup_submission(s);
}

static int run(struct subject *s)
{
    if (subject_numbers(s)->ask)
        return ask(s);
    if (subject_numbers(s)->by_streams)
        return subject_own_call(s, "the pipeline with stream launches", streams_run(&streams));
    return run_submission(s);
}

static int teardown(struct subject *s)
{
    if (subject_numbers(s)->ask)
        return 0;
    int peers = 0,
        failed = subject_numbers(s)->by_streams
                     ? subject_own_call(s, "the grader's clean-up", streams_destroy(&streams))
                     : subject_captured(s, "lab12_teardown", lab12_teardown(lab));
    cudaSetDevice(0);
    if (!failed && subject_numbers(s)->look && lab->n_devices > 1 &&
        !peers_left_out(0, 1, &peers) && peers > 0)
        subject_note(s, LAB12_PEER_ACCESS_LEFT, NULL, NULL);
    subject_take_back();
    return failed;
}

static const void *shown(const struct subject *s)
{
    return subject_numbers(s)->by_streams || subject_numbers(s)->ask ? NULL : lab->graph;
}

SUBJECT_LAB(.shown = shown, .name = "lab12", .setup = setup, .run = run, .teardown = teardown,
            .floor = floor_times, .graph = subject_shown_graph)
