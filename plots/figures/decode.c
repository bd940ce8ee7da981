/* decode.c: a decoder step, 12 layers x 768 in bf16 at context 128, by batch size: with stream
 * launches, as a graph, with programmatic edges, and in a WHILE node. The floor is the time to read
 * weights and cache once. PyTorch's two ways come from decode_torch.py, if there is a PyTorch. */
#include "bench.h"
#include "decode.h"

#include <string.h>

enum { STEPS = 16, CONTEXT = 128, MOST_ROWS = 32 };

static struct decode_step step = {.model = {12, 12, CONTEXT, NULL},
                                  .cache = {.n_slots = MOST_ROWS},
                                  .max_steps = STEPS,
                                  .row_pitch = MOST_ROWS};
static cudaStream_t stream;
static int *on_host; /* pinned: token, position, length and slot of each row, and the progress */
static unsigned *sum;

enum { ROW_NUMBERS = 4 * MOST_ROWS + sizeof(struct decode_progress) / sizeof(int) };

static void *zeros(size_t bytes)
{
    void *p;
    CHECK(cudaMalloc(&p, bytes));
    CHECK(cudaMemset(p, 0, bytes));
    return p;
}

static void make_model(void)
{
    const size_t cached = decode_layer_keys(&step.model, &step.cache) * step.model.n_layers;
    step.model.weights = zeros(decode_weights(&step.model) * sizeof(uint16_t));
    step.cache.keys = zeros(cached * sizeof(uint16_t));
    step.cache.values = zeros(cached * sizeof(uint16_t));
    step.tokens = zeros(STEPS * MOST_ROWS * sizeof(int));
    float *scratch = zeros(decode_scratch_floats(&step.model, MOST_ROWS) * sizeof(float));
    step.scratch = decode_scratch_at(&step.model, scratch, MOST_ROWS);
    int *rows = zeros(ROW_NUMBERS * sizeof(int));
    step.rows =
        (struct decode_rows){rows, rows + MOST_ROWS, rows + 2 * MOST_ROWS, rows + 3 * MOST_ROWS};
    step.progress = (struct decode_progress *)(rows + 4 * MOST_ROWS);
    sum = zeros(sizeof *sum);
    CHECK(cudaMallocHost((void **)&on_host, ROW_NUMBERS * sizeof(int)));
    for (int i = 0; i < MOST_ROWS; i++) {
        on_host[i] = 7 * i;
        on_host[MOST_ROWS + i] = CONTEXT - STEPS;
        on_host[2 * MOST_ROWS + i] = CONTEXT - STEPS + 1;
        on_host[3 * MOST_ROWS + i] = i;
    }
    const struct decode_progress progress = {0, STEPS, -1};
    memcpy(on_host + 4 * MOST_ROWS, &progress, sizeof progress);
    CHECK(launch_decode_weights(&step.model, 1, stream));
    CHECK(cudaStreamSynchronize(stream));
}

static void enqueue_step(enum decode_start start, cudaGraphConditionalHandle loop)
{
    CHECK(launch_decode_embed(&step, DECODE_AFTER, stream));
    for (int layer = 0; layer < step.model.n_layers; layer++) {
        CHECK(launch_decode_qkv(&step, layer, start, stream));
        CHECK(launch_decode_attend(&step, layer, start, stream));
        CHECK(launch_decode_project(&step, layer, start, stream));
        CHECK(launch_decode_up(&step, layer, start, stream));
        CHECK(launch_decode_down(&step, layer, start, stream));
    }
    CHECK(launch_decode_head(&step, start, stream));
    CHECK(launch_decode_advance(&step, start, loop, stream));
}

/* ---- ways ------------------------------------------------------------------------------------ */

static cudaGraphExec_t full, programmatic, loop;

static cudaGraphExec_t captured(enum decode_start start)
{
    bench_capture(stream);
    enqueue_step(start, 0);
    return bench_captured(stream);
}

static cudaGraphExec_t looped(void)
{
    struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeConditional};
    cudaGraphNode_t node;
    cudaGraph_t graph, body;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&params.conditional.handle, graph, 1,
                                           cudaGraphCondAssignDefault));
    params.conditional.type = cudaGraphCondTypeWhile;
    params.conditional.size = 1;
    CHECK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &params));
    body = params.conditional.phGraph_out[0];
    CHECK(cudaStreamBeginCaptureToGraph(stream, body, NULL, NULL, 0,
                                        cudaStreamCaptureModeThreadLocal));
    enqueue_step(DECODE_AFTER, params.conditional.handle);
    CHECK(cudaStreamEndCapture(stream, &body));
    return bench_instantiate(graph);
}

/* One repetition: STEPS steps, the last one at context 128; values are for one step. */
struct way {
    cudaGraphExec_t *exec; /* NULL: stream launches */
    int launches;          /* of exec */
};

static void decode(void *way, double *v)
{
    const struct way *w = way;
    CHECK(cudaMemcpyAsync(step.rows.token, on_host, ROW_NUMBERS * sizeof(int),
                          cudaMemcpyHostToDevice, stream));
    CHECK(cudaStreamSynchronize(stream));
    const double t0 = clock_now_us();
    for (int i = 0; i < (w->exec ? w->launches : STEPS); i++) {
        if (w->exec)
            CHECK(cudaGraphLaunch(*w->exec, stream));
        else
            enqueue_step(DECODE_AFTER, 0);
    }
    v[1] = bench_since(t0) / STEPS;
    CHECK(cudaStreamSynchronize(stream));
    v[0] = bench_since(t0) / STEPS;
}

/* All weights, and what the cache has of the rows, are read once. */
static void read_all(void *unused, double *v)
{
    (void)unused;
    const struct decode_model *m = &step.model;
    const size_t cached = (size_t)step.n_rows * m->n_layers * CONTEXT * decode_width(m);
    const double t0 = clock_now_us();
    for (int i = 0; i < STEPS; i++) {
        CHECK(launch_read(sum, (const unsigned *)m->weights, decode_weights(m) / 2, stream));
        CHECK(launch_read(sum, (const unsigned *)step.cache.keys, cached / 2, stream));
        CHECK(launch_read(sum, (const unsigned *)step.cache.values, cached / 2, stream));
    }
    CHECK(cudaStreamSynchronize(stream));
    v[0] = bench_since(t0) / STEPS;
}

/* ---- PyTorch --------------------------------------------------------------------------------- */

/* The rows that the script prints: x,variant,median,p5,p95,n,unit. Nothing without PyTorch. */
static void ask_torch(void)
{
    char line[256], variant[32];
    double x, median, p5, p95;
    int n;
    FILE *torch = popen("python3 plots/figures/decode_torch.py 2>/dev/null", "r");
    if (!torch)
        return;
    while (fgets(line, sizeof line, torch))
        if (sscanf(line, "%lf,%31[^,],%lf,%lf,%lf,%d", &x, variant, &median, &p5, &p95, &n) == 6)
            bench_row(x, variant, median, p5, p95, n, "us");
    pclose(torch);
}

int main(int argc, char **argv)
{
    struct way by_stream = {NULL, 0}, by_graph = {&full, STEPS}, early = {&programmatic, STEPS},
               in_loop = {&loop, 1};
    const struct bench_variant ways[] = {{{"stream", "stream.host"}, decode, &by_stream},
                                         {{"graph", "graph.host"}, decode, &by_graph},
                                         {{"programmatic", "programmatic.host"}, decode, &early},
                                         {{"floor"}, read_all, NULL},
                                         {{"loop", "loop.host"}, decode, &in_loop}};
    /* the model's times need no results, but the end of a loop does */
    const int n_ways = clock_is_virtual() ? 4 : 5;
    const int factor = bench_quick() ? 32 : 2, points = bench_quick() ? 2 : 6;
    bench_begin(argc, argv, "decode",
                "a decoder step, 12 layers x 768 in bf16, context 128: one token of each sequence",
                "sequences in the batch", points);
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    make_model();
    for (step.n_rows = 1; step.n_rows <= MOST_ROWS; step.n_rows *= factor) {
        full = captured(DECODE_AFTER);
        programmatic = captured(DECODE_WEIGHTS_FIRST);
        loop = looped();
        bench_point(step.n_rows, "us", ways, n_ways);
        CHECK(cudaGraphExecDestroy(full));
        CHECK(cudaGraphExecDestroy(programmatic));
        CHECK(cudaGraphExecDestroy(loop));
    }
    if (!clock_is_virtual())
        ask_torch();
    return bench_end();
}
