/* adapter.c: lab 25 between the judge's buffers and the submission, which makes a graph; the
 * adapter instantiates and launches it. And each stage alone. */
#include "exchange.h"
#include "labs/lab25_free_fork_join/lab.h"
#include "labs/stages.h"
#include "subject/bench.h"
#include "subject/graph.h"

static struct lab25 *lab;
static cudaStream_t stream;
static cudaGraphExec_t exec;

static int setup(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    const struct batches given = stages_given(s);
    lab = subject_alone(s, sizeof *lab);
    *lab =
        (struct lab25){.n = given.n,
                       .n_batches = given.n_batches,
                       .memory_bytes = (size_t)numbers->n_matrices * given.stride * sizeof(float),
                       .a = given.a,
                       .b = given.b,
                       .c = given.c};
    if (bench_load_create(s, numbers->load))
        return 1;
    bench_before_setup();
    subject_given(s, lab, graph);
    const int failed = subject_captured(s, "lab25_setup", lab25_setup(lab));
    if (failed)
        return failed;
    if (!lab->graph)
        return subject_failed(s, "lab25_setup has returned cudaSuccess, and lab->graph is NULL: "
                                 "store the graph there");
    cudaError_t e = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    e = e ? e : cudaGraphInstantiate(&exec, lab->graph, 0);
    return subject_captured(s, "cudaGraphInstantiate of lab->graph", e);
}

static int run(struct subject *s)
{
    bench_load_start();
    cudaError_t e = cudaGraphLaunch(exec, stream);
    e = e ? e : cudaStreamSynchronize(stream);
    return subject_captured(s, "the launch of lab->graph", e);
}

static int teardown(struct subject *s)
{
    cudaError_t e = cudaGraphExecDestroy(exec);
    e = e ? e : cudaStreamDestroy(stream);
    const int failed = subject_captured(s, "lab25_teardown", lab25_teardown(lab));
    return failed ? failed : subject_own_call(s, "destroying the executable graph", e);
}

static const void *shown(const struct subject *s)
{
    (void)s;
    return lab->graph;
}

SUBJECT_LAB(.name = "lab25", .setup = setup, .run = run, .teardown = teardown,
            .floor = stages_floor, .graph = subject_shown_graph, .shown = shown)
