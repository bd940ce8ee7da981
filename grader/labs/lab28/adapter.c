/* adapter.c: lab 28 between the judge's buffers and the submission, which makes a graph; the
 * adapter instantiates and launches it. */
#include <stdlib.h>

#include "common/check.h"
#include "drawing.h"
#include "exchange.h"
#include "kernels/kernels.h"
#include "nodes.h"
#include "subject/bench.h"
#include "subject/graph.h"

static struct lab28 *lab;
static cudaStream_t stream;
static cudaGraphExec_t exec;
static float **buffers;
static struct lab28_op *ops;

static size_t buffer_bytes(void)
{
    return (size_t)lab->n * sizeof(float);
}

static cudaError_t create(void)
{
    for (int i = 0; i < lab->n_buffers; i++)
        TRY(cudaMalloc((void **)&buffers[i], buffer_bytes()));
    return cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
}

static cudaError_t destroy(void)
{
    TRY(cudaGraphExecDestroy(exec));
    TRY(cudaStreamDestroy(stream));
    for (int i = 0; i < lab->n_buffers; i++)
        TRY(cudaFree(buffers[i]));
    return cudaSuccess;
}

static int setup(struct subject *s)
{
    const struct numbers *numbers = subject_numbers(s);
    const size_t n_buffers = (size_t)numbers->n_buffers, n_ops = (size_t)numbers->n_ops;
    buffers = subject_lend(s, "lab->ops", n_buffers * sizeof *buffers + n_ops * sizeof *ops);
    ops = (struct lab28_op *)(buffers + n_buffers);
    for (long i = 0; i < numbers->n_ops; i++)
        ops[i] = lab28_draw(numbers, i);
    lab = subject_alone(s, sizeof *lab);
    *lab = (struct lab28){.n = (int)numbers->n,
                          .n_buffers = (int)numbers->n_buffers,
                          .buffers = buffers,
                          .n_ops = (int)numbers->n_ops,
                          .ops = ops};
    int failed = subject_own_call(s, "allocating the buffers", create());
    bench_before_setup();
    subject_given(s, lab, graph);
    failed = failed ? failed : subject_captured(s, "lab28_setup", lab28_setup(lab));
    if (failed)
        return failed;
    if (!lab->graph)
        return subject_failed(s, "lab28_setup has returned cudaSuccess, and lab->graph is NULL: "
                                 "store the graph there");
    return subject_captured(s, "cudaGraphInstantiate of lab->graph",
                            cudaGraphInstantiate(&exec, lab->graph, 0));
}

/* Of all buffers, one after another; the stream's order is enough. */
static cudaError_t copy(void *to_host, const void *from_host)
{
    for (int i = 0; i < lab->n_buffers; i++) {
        const size_t first = (size_t)i * buffer_bytes();
        if (from_host)
            TRY(cudaMemcpyAsync(buffers[i], (const char *)from_host + first, buffer_bytes(),
                                cudaMemcpyHostToDevice, stream));
        else
            TRY(cudaMemcpyAsync((char *)to_host + first, buffers[i], buffer_bytes(),
                                cudaMemcpyDeviceToHost, stream));
    }
    return cudaSuccess;
}

static cudaError_t launch(struct subject *s, cudaGraphExec_t which)
{
    TRY(copy(NULL, subject_buffer(s, "in")));
    TRY(cudaGraphLaunch(which, stream));
    TRY(copy(subject_buffer(s, "out"), NULL));
    return cudaStreamSynchronize(stream);
}

static int run(struct subject *s)
{
    const cudaError_t e = launch(s, exec);
    nodes_describe(s, lab);
    return subject_captured(s, "the launch of lab->graph", e);
}

static int teardown(struct subject *s)
{
    const int failed = subject_captured(s, "lab28_teardown", lab28_teardown(lab));
    const int own = failed ? failed : subject_own_call(s, "freeing the buffers", destroy());
    subject_take_back();
    return own;
}

/* ---- the floor: operations that must run serially, and no others ----------------------------- */

/* Operations of the longest chain, in program order: each has a hazard with the one before it. */
static int longest_chain(int *chain)
{
    struct {
        int before; /* -1: none */
        long steps; /* of the longest chain that ends here; consume counts as one step */
    } *best = calloc((size_t)lab->n_ops, sizeof *best);
    int last = 0, n = 0;
    for (int i = 0; best && i < lab->n_ops; i++) {
        best[i].before = -1;
        for (int k = 0; k < i; k++)
            if (lab28_is_hazard(ops[k], ops[i]) &&
                (best[i].before < 0 || best[k].steps > best[best[i].before].steps))
                best[i].before = k;
        best[i].steps = (ops[i].kind == LAB28_PRODUCE ? ops[i].steps : 1) +
                        (best[i].before < 0 ? 0 : best[best[i].before].steps);
        last = best[i].steps > best[last].steps ? i : last;
    }
    for (int i = last; best && i >= 0; i = best[i].before)
        chain[n++] = i;
    free(best);
    return n;
}

static cudaError_t capture_chain(const int *chain, int n, cudaGraphExec_t *made)
{
    TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    while (n-- > 0) {
        const struct lab28_op *op = &ops[chain[n]];
        if (op->kind == LAB28_PRODUCE)
            TRY(launch_produce(buffers[op->out], buffers[op->in], op->steps, lab->n, stream));
        else
            TRY(launch_consume(buffers[op->out], buffers[op->in], lab->n, stream));
    }
    return bench_end_capture(stream, made);
}

struct chain {
    struct subject *s;
    cudaGraphExec_t exec;
};

static cudaError_t launch_chain(void *argument)
{
    const struct chain *c = argument;
    return launch(c->s, c->exec);
}

static int floor_times(struct subject *s)
{
    int *chain = calloc((size_t)lab->n_ops, sizeof *chain);
    const int n = chain ? longest_chain(chain) : 0;
    struct chain c = {.s = s};
    double chain_us = 0;
    cudaError_t e = n > 0 ? capture_chain(chain, n, &c.exec) : cudaErrorMemoryAllocation;
    e = e ? e : launch_chain(&c); /* the first launch takes longer */
    e = e ? e : bench_time_us(launch_chain, &c, &chain_us);
    e = e ? e : cudaGraphExecDestroy(c.exec);
    free(chain);
    subject_value(s, chain_us, chain_us);
    return subject_own_call(s, "measuring the longest chain", e);
}

/* Of the buffers that no operation writes, nothing is asked. */
static void watch(struct subject *s)
{
    const char *in = subject_buffer(s, "in"), *out = subject_buffer(s, "out");
    subject_watch(s, "in", in, (size_t)lab->n_buffers * buffer_bytes());
    for (int i = 0; i < lab->n_buffers; i++)
        for (int k = 0; k < lab->n_ops; k++)
            if (ops[k].out == i) {
                subject_watch(s, "out", out + (size_t)i * buffer_bytes(), buffer_bytes());
                break;
            }
}

static const void *shown(const struct subject *s)
{
    (void)s;
    return lab->graph;
}

SUBJECT_LAB(.name = "lab28", .setup = setup, .run = run, .teardown = teardown, .floor = floor_times,
            .graph = subject_shown_graph, .shown = shown, .watch = watch,
            .after_call = nodes_after_call)
