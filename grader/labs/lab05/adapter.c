/* adapter.c: lab 05 between the judge's buffers and the submission; and, where the scenario's
 * number `as_lab` says so, the same batches as labs 03 and 04 do them, by the grader itself. */
#include "common/check.h"
#include "events.h"
#include "exchange.h"
#include "labs/lab05/causes.h"
#include "labs/lab05_fork_join/lab.h"
#include "labs/stages.h"
#include "subject/bench.h"
#include "subject/graph.h"

static struct lab05 *lab;

/* ---- the submission -------------------------------------------------------------------------- */

/* What the submission returned, and why. */
static int returned(struct subject *s, const char *function, cudaError_t e)
{
    events_note_cause(s, e);
    events_of_grader();
    return subject_captured(s, function, e);
}

/* Complete, before the submission's streams can overwrite it. */
static cudaError_t clear_status(void)
{
    TRY(cudaMemset(lab->status, 0, 1));
    return cudaDeviceSynchronize();
}

static int setup_submission(struct subject *s)
{
    if (cudaMalloc(&lab->status, 1) != cudaSuccess || clear_status() != cudaSuccess)
        return subject_failed(s, "the grader could not allocate memory of its own");
    if (bench_load_create(s, subject_numbers(s)->load))
        return 1;
    bench_before_setup();
    events_of_setup(lab->n_streams);
    subject_given(s, lab, graph);
    return returned(s, "lab05_setup", lab05_setup(lab));
}

/* What the graph left in the status byte, and how much memory was taken. */
static void look_around(struct subject *s)
{
    unsigned char status = 0;
    cudaMemcpy(&status, lab->status, 1, cudaMemcpyDeviceToHost);
    clear_status();
    subject_value(s, status, status);
}

static int run_submission(struct subject *s)
{
    bench_load_start();
    events_of_run();
    cudaError_t e = lab05_run(lab);
    int failed = e ? returned(s, "lab05_run", e) : 0;
    events_of_grader();
    bench_pending(s);
    events_note_sets(s);
    if (subject_numbers(s)->look)
        look_around(s);
    return failed;
}

/* ---- the same batches as other labs do them -------------------------------------------------- */

static struct batches batches;

static int setup_batches(struct subject *s)
{
    batches = stages_given(s);
    batches.n_sets = lab->n_buffers;
    if (lab->n_buffers > BATCHES_MOST_SETS || batches_create(&batches) != cudaSuccess)
        return subject_failed(s, "the grader could not make what it compares with");
    return 0;
}

/* ---- which of them --------------------------------------------------------------------------- */

static int setup(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    const struct batches given = stages_given(s);
    lab = subject_alone(s, sizeof *lab);
    *lab = (struct lab05){.n = given.n,
                          .n_batches = given.n_batches,
                          .n_streams = numbers->n_streams,
                          .n_buffers = numbers->n_sets,
                          .a = given.a,
                          .b = given.b,
                          .c = given.c};
    return numbers->as_lab ? setup_batches(s) : setup_submission(s);
}

static int run(struct subject *s)
{
    const long as_lab = subject_numbers(s)->as_lab;
    if (as_lab == 0)
        return run_submission(s);
    return subject_own_call(s, "what the grader compares with",
                            as_lab == 3 ? batches_overlap(&batches) : batches_replay(&batches));
}

static int teardown(struct subject *s)
{
    if (subject_numbers(s)->as_lab)
        return subject_own_call(s, "the grader's clean-up", batches_destroy(&batches));
    const int failed = subject_captured(s, "lab05_teardown", lab05_teardown(lab));
    cudaFree(lab->status);
    return failed;
}

/* Do all memset nodes of the captured graph write the status byte? */
static void note_memsets(struct subject *s)
{
    enum { MOST = 1024 };
    cudaGraphNode_t nodes[MOST];
    enum cudaGraphNodeType type;
    struct cudaMemsetParams p;
    size_t n = MOST;
    if (!lab->graph || cudaGraphGetNodes(lab->graph, nodes, &n) != cudaSuccess)
        return;
    for (size_t i = 0; i < n && i < MOST; i++)
        if (cudaGraphNodeGetType(nodes[i], &type) == cudaSuccess &&
            type == cudaGraphNodeTypeMemset &&
            cudaGraphMemsetNodeGetParams(nodes[i], &p) == cudaSuccess && p.dst != lab->status)
            subject_note(s, LAB05_MEMSET_ELSEWHERE, NULL, NULL);
}

static int graph(struct subject *s)
{
    note_memsets(s);
    subject_value(s, busy_streams, events_busy_streams());
    return subject_graph(s, lab->graph, "lab->graph");
}

static const void *shown(const struct subject *s)
{
    return subject_numbers(s)->as_lab ? NULL : lab->graph;
}

SUBJECT_LAB(.shown = shown, .name = "lab05", .setup = setup, .run = run, .teardown = teardown,
            .floor = stages_floor, .graph = graph, .before_call = events_before_call,
            .after_call = events_after_call)
