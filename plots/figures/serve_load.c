/* serve_load.c: lab 13's server by load, in three designs: a graph of a whole step for each number
 * of rows (the reference solution), stream launches, and piecewise graphs for all steps. The last
 * two are known submissions of the lab. Load 1 is as many requests as the first design serves if
 * all of them arrive at once. */
#include "bench.h"

#include "common/sort.h"
#include "labs/lab13/latency.h"
#include "labs/lab13/requests.h"

enum { REQUESTS = 100, PROMPT = 96, TOKENS = 24, POSITIONS = PROMPT + TOKENS, LAYERS = 4 };
enum { MEMORY = 32 << 20 };

typedef cudaError_t call(struct lab13 *);
call solution_setup, solution_serve, solution_teardown;
call streams_only_setup, streams_only_serve, streams_only_teardown;
call pieces_only_setup, pieces_only_serve, pieces_only_teardown;

static struct lab13_drawing drawing = {
    .pattern = LAB13_STEADY, .n = REQUESTS, .prompt = PROMPT, .tokens = TOKENS, .seed = 13};
static struct lab13_request requests[REQUESTS];
static int prompts[REQUESTS][PROMPT];

/* ---- a run ----------------------------------------------------------------------------------- */

static struct {
    int n_received, n_firsts, n_gaps;
    int delivered[REQUESTS];
    double last_us[REQUESTS];
    double firsts[REQUESTS], gaps[REQUESTS * TOKENS]; /* to the first token, between two tokens */
} run;

static const struct lab13_request *receive(struct lab13 *lab, double wait_us)
{
    if (run.n_received == lab->n_requests)
        return NULL;
    double waited_us;
    if (!lab13_arrives(&requests[run.n_received], wait_us, &waited_us))
        return NULL;
    return &requests[run.n_received++];
}

static void deliver(struct lab13 *lab, const struct lab13_request *request, int token)
{
    const int i = request->number;
    const double now_us = clock_now_us();
    (void)lab;
    (void)token;
    if (run.delivered[i]++ == 0)
        run.firsts[run.n_firsts++] = now_us - request->arrival_us;
    else
        run.gaps[run.n_gaps++] = now_us - run.last_us[i];
    run.last_us[i] = now_us;
}

/* ---- servers --------------------------------------------------------------------------------- */

static struct server {
    call *setup, *serve, *teardown;
    struct lab13 lab;
} graphs = {.setup = solution_setup, .serve = solution_serve, .teardown = solution_teardown},
  streams = {.setup = streams_only_setup,
             .serve = streams_only_serve,
             .teardown = streams_only_teardown},
  pieces = {.setup = pieces_only_setup,
            .serve = pieces_only_serve,
            .teardown = pieces_only_teardown},
  *const servers[] = {&graphs, &streams, &pieces};
enum { SERVERS = sizeof servers / sizeof servers[0] };

static void serve_all(void *server, double *v)
{
    struct server *s = server;
    const double began_us = clock_now_us();
    run.n_received = run.n_firsts = run.n_gaps = 0;
    for (int i = 0; i < REQUESTS; i++) {
        requests[i].arrival_us = began_us + lab13_draw(&drawing, i).after_us;
        run.delivered[i] = 0;
    }
    CHECK(s->serve(&s->lab));
    v[0] = (run.n_firsts + run.n_gaps) / bench_since(began_us) * 1e6;
    v[1] = lab13_percentile_99(run.firsts, run.n_firsts);
    v[2] = lab13_percentile_99(run.gaps, run.n_gaps);
}

static void draw_requests(void)
{
    for (int i = 0; i < REQUESTS; i++) {
        const struct lab13_drawn r = lab13_draw(&drawing, i);
        requests[i] = (struct lab13_request){.number = i,
                                             .prompt_length = r.prompt_length,
                                             .prompt = prompts[i],
                                             .n_tokens = r.n_tokens,
                                             .temperature = r.temperature,
                                             .seed = r.seed};
        for (int k = 0; k < r.prompt_length; k++)
            prompts[i][k] = lab13_prompt_token(&r, k);
    }
}

static void set_up(struct decode_model *model)
{
    CHECK(cudaMalloc((void **)&model->weights, decode_weights(model) * sizeof *model->weights));
    CHECK(launch_decode_weights(model, LAB13_SEED, NULL));
    CHECK(cudaDeviceSynchronize());
    draw_requests();
    for (int i = 0; i < SERVERS; i++) {
        servers[i]->lab = (struct lab13){.model = *model,
                                         .n_requests = REQUESTS,
                                         .memory_bytes = MEMORY,
                                         .receive = receive,
                                         .deliver = deliver};
        CHECK(servers[i]->setup(&servers[i]->lab));
    }
}

/* Tokens per second, if all requests arrive at once: the median of some runs. */
static double busy_rate(void)
{
    enum { RUNS = 9 };
    double v[3], rates[RUNS];
    drawing.gap_us = 0;
    for (int i = 0; i < RUNS; i++) {
        serve_all(&graphs, v);
        rates[i] = v[0];
    }
    sort_numbers(rates, RUNS);
    return bench_quantile(rates, RUNS, 0.5);
}

int main(int argc, char **argv)
{
    static const double loads[] = {0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.4};
    const int step = bench_quick() ? 9 : 1, n = sizeof loads / sizeof loads[0];
    const struct bench_variant variants[] = {
        {{"graphs", "graphs.first:us", "graphs.between:us"}, serve_all, &graphs},
        {{"streams", "streams.first:us", "streams.between:us"}, serve_all, &streams},
        {{"pieces", "pieces.first:us", "pieces.between:us"}, serve_all, &pieces}};
    struct decode_model model = {.n_layers = LAYERS, .n_heads = 12, .n_positions = POSITIONS};
    bench_begin(argc, argv, "serve_load",
                "lab 13's server, 4 layers x 768, 100 requests at steady intervals: tokens per "
                "second, and 99th percentiles of the time to the first token and between tokens",
                "load", (n + step - 1) / step);
    set_up(&model);
    const double rate = busy_rate();
    int tokens = 0;
    for (int i = 0; i < REQUESTS; i++)
        tokens += requests[i].n_tokens;
    for (int i = 0; i < n; i += step) {
        drawing.gap_us = tokens / rate * 1e6 / REQUESTS / loads[i];
        bench_point(loads[i], "tokens/s", variants, SERVERS);
        bench_row(loads[i], "offered", rate * loads[i], rate * loads[i], rate * loads[i], 1,
                  "tokens/s");
    }
    for (int i = 0; i < SERVERS; i++)
        CHECK(servers[i]->teardown(&servers[i]->lab));
    CHECK(cudaFree(model.weights));
    return bench_end();
}
