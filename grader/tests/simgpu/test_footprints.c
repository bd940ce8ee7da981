/* test_footprints.c: each footprint that kernels/ declares is what the kernel does. The kernels of
 * this program are compiled by simcc, so that the device records what they access. */
#include "kernels/decode.h"
#include "kernels/handlers.h"
#include "kernels/kernels.h"
#include "kernels/serve.h"
#include "sim_test.h"

enum { N = 96, FLOATS = N * N };

static float *f[4]; /* in device memory, all zero */
static double *d[2];

static void start(void)
{
    for (int i = 0; i < 4; i++)
        f[i] = zeros(FLOATS * sizeof *f[i]);
    for (int i = 0; i < 2; i++)
        d[i] = zeros(FLOATS * sizeof *d[i]);
    OK(cudaDeviceSynchronize());
    simgpu_check_footprints();
}

static void expect_no_difference(void)
{
    OK(cudaDeviceSynchronize());
    const char *difference = simgpu_footprint_difference();
    cr_assert_null(difference, "%s", difference);
    expect_findings(0);
}

TestSuite(footprints, .init = start);

Test(footprints, matmul)
{
    OK(launch_matmul(f[0], f[1], f[2], N, NULL));
    expect_no_difference();
}

Test(footprints, dense)
{
    OK(launch_dense(f[0], f[1], f[2], N - 5, N, NULL));
    expect_no_difference();
}

Test(footprints, mlp)
{
    OK(launch_mlp_up(f[0], f[1], f[2], N - 5, N - 1, N - 40, NULL));
    OK(launch_mlp_down(f[0], f[1], f[2], N - 5, N - 40, N - 1, NULL));
    OK(launch_sum_parts(f[0], f[0], f[1], N * N / 4, 3, N * N / 4 - 7, NULL));
    expect_no_difference();
}

Test(footprints, vectors)
{
    OK(launch_saxpy(f[0], f[1], 2, FLOATS - 3, NULL));
    OK(launch_produce(f[0], f[1], 3, FLOATS - 3, NULL));
    OK(launch_consume(f[0], f[1], FLOATS - 3, NULL));
    expect_no_difference();
}

static void launch_small(const void *kernel, dim3 grid, dim3 block, void **args)
{
    OK(cudaLaunchKernel(kernel, grid, block, args, 0, NULL));
}

/* The kernel behind a launcher. */
static const void *matmul(void)
{
    struct cudaKernelNodeParams params;
    cudaStream_t s = stream(cudaStreamNonBlocking);
    cudaGraph_t graph;
    cudaGraphNode_t node;
    size_t n = 1;
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    OK(launch_matmul(f[0], f[1], f[2], N, s));
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaGraphGetNodes(graph, &node, &n));
    OK(cudaGraphKernelNodeGetParams(node, &params));
    return params.func;
}

Test(footprints, grids_that_are_too_small)
{
    const dim3 four = {4, 1, 1}, threads = {256, 1, 1}, tiles = {2, 1, 1}, tile = {32, 32, 1};
    int n = FLOATS - 3, steps = 3, rows = N;
    float alpha = 2;
    launch_small(kernel_consume(), four, threads, (void *[]){&f[0], &f[1], &n});
    launch_small(kernel_produce(), four, threads, (void *[]){&f[0], &f[1], &steps, &n});
    launch_small(kernel_saxpy(), four, threads, (void *[]){&f[0], &f[1], &alpha, &n});
    int parts = 3, third = FLOATS / 3 - 5, inner = N - 5, columns = N - 1;
    size_t pitch = FLOATS / 3;
    launch_small(kernel_sum_parts(), (dim3){1, 1, 1}, threads,
                 (void *[]){&f[0], &f[1], &f[2], &pitch, &parts, &third});
    launch_small(kernel_mlp_up(), tiles, tile,
                 (void *[]){&f[0], &f[1], &f[2], &rows, &inner, &columns});
    launch_small(kernel_mlp_down(), tiles, tile,
                 (void *[]){&f[0], &f[1], &f[2], &rows, &columns, &inner});
    launch_small(matmul(), tiles, tile, (void *[]){&f[0], &f[1], &f[2], &rows});
    expect_no_difference();
}

Test(footprints, jacobi)
{
    OK(launch_jacobi(f[0], f[1], f[2], 1, N - 5, NULL));
    OK(launch_jacobi_double(d[0], d[1], f[2], 1, N - 5, NULL));
    expect_no_difference();
}

Test(footprints, largest)
{
    OK(launch_largest(f[0], f[1], FLOATS - 3, NULL));
    OK(launch_change(f[0], f[1], f[2], FLOATS - 3, NULL));
    OK(launch_change_double(f[0], d[0], d[1], FLOATS - 3, NULL));
    OK(launch_widen(d[0], f[0], FLOATS - 3, NULL));
    expect_no_difference();
}

Test(footprints, read)
{
    OK(launch_read((unsigned *)f[0], (const unsigned *)f[1], FLOATS - 4, NULL));
    expect_no_difference();
}

/* Every slot and position of the cache has a row, and every token and position is embedded: what a
 * kernel may access is what it accesses. */
enum { SLOTS = 7, POSITIONS = 32, ROWS = (SLOTS + 1) * POSITIONS };

static struct decode_step full_step(void)
{
    struct decode_step s = {.model = {1, 1, POSITIONS, NULL}, .cache = {.n_slots = SLOTS}};
    int rows[4][ROWS];
    for (int i = 0; i < ROWS; i++) {
        rows[0][i] = i;
        rows[1][i] = i % POSITIONS;
        rows[2][i] = POSITIONS;
        rows[3][i] = i / POSITIONS;
    }
    int *device = zeros(sizeof rows);
    OK(cudaMemcpy(device, rows, sizeof rows, cudaMemcpyHostToDevice));
    s.rows = (struct decode_rows){device, device + ROWS, device + 2 * ROWS, device + 3 * ROWS};
    s.model.weights = zeros(decode_weights(&s.model) * sizeof(uint16_t));
    s.cache.keys = zeros(decode_layer_keys(&s.model, &s.cache) * sizeof(uint16_t));
    s.cache.values = zeros(decode_layer_keys(&s.model, &s.cache) * sizeof(uint16_t));
    s.scratch = decode_scratch_at(
        &s.model, zeros(decode_scratch_floats(&s.model, ROWS) * sizeof(float)), ROWS);
    s.progress = zeros(sizeof *s.progress);
    s.tokens = zeros(ROWS * sizeof(int));
    s.max_steps = 1;
    s.n_rows = s.row_pitch = ROWS;
    return s;
}

Test(footprints, decoder_step)
{
    struct decode_step s = full_step();
    OK(launch_decode_weights(&s.model, 1, NULL));
    OK(launch_decode_embed(&s, DECODE_AFTER, NULL));
    OK(launch_decode_qkv(&s, 0, DECODE_AFTER, NULL));
    OK(launch_decode_attend(&s, 0, DECODE_AFTER, NULL));
    OK(launch_decode_project(&s, 0, DECODE_AFTER, NULL));
    OK(launch_decode_up(&s, 0, DECODE_AFTER, NULL));
    OK(launch_decode_down(&s, 0, DECODE_AFTER, NULL));
    OK(launch_decode_head(&s, DECODE_AFTER, NULL));
    s.n_rows = s.row_pitch = SLOTS * POSITIONS; /* those that have a sequence */
    OK(launch_decode_advance(&s, DECODE_AFTER, 0, NULL));
    expect_no_difference();
}

/* The same in a paged cache. Row 0 of each slot has the token that the slot has sampled last. */
static struct serve_step full_server_step(void)
{
    enum { BLOCKS = (SLOTS + 1) * POSITIONS / DECODE_BLOCK };
    struct serve_step s = {.decode = full_step()};
    struct decode_cache *cache = &s.decode.cache;
    int table[BLOCKS], last[SLOTS + 1];
    const int is_last = SERVE_LAST;
    for (int i = 0; i < BLOCKS; i++)
        table[i] = i;
    for (int i = 0; i <= SLOTS; i++) {
        last[i] = i * POSITIONS;
        if (i < SLOTS)
            OK(cudaMemcpy(s.decode.rows.token + last[i], &is_last, sizeof is_last,
                          cudaMemcpyHostToDevice));
    }
    cache->blocks = zeros(sizeof table);
    cache->n_blocks = BLOCKS - 1;
    s.samplers.last = zeros(sizeof last);
    OK(cudaMemcpy(cache->blocks, table, sizeof table, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(s.samplers.last, last, sizeof last, cudaMemcpyHostToDevice));
    s.samplers.drawn = zeros((SLOTS + 1) * sizeof(unsigned));
    s.samplers.seed = zeros((SLOTS + 1) * sizeof(unsigned long long));
    s.samplers.temperature = zeros((SLOTS + 1) * sizeof(float));
    s.parts = zeros(serve_parts_floats(&s.decode.model, ROWS) * sizeof(float));
    s.samples = zeros(ROWS * sizeof(int));
    s.tokens = zeros(ROWS * sizeof(int));
    return s;
}

Test(footprints, server_step)
{
    struct serve_step s = full_server_step();
    int lengths[ROWS], slots[SLOTS], samples[SLOTS];
    for (int i = 0; i < ROWS; i++)
        lengths[i] = i % POSITIONS + 1;
    OK(launch_decode_weights(&s.decode.model, 1, NULL));
    OK(launch_serve_embed(&s, DECODE_AFTER, NULL));
    OK(launch_decode_qkv(&s.decode, 0, DECODE_AFTER, NULL));
    OK(launch_serve_attend(&s, 0, DECODE_AFTER, NULL));
    OK(launch_serve_attend_long(&s, 0, lengths, NULL));
    for (int i = 0; i < SLOTS; i++) { /* a row of each slot samples */
        slots[i] = i;
        samples[i] = 1;
    }
    OK(cudaMemcpy(s.decode.rows.slot, slots, sizeof slots, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(s.samples, samples, sizeof samples, cudaMemcpyHostToDevice));
    s.decode.n_rows = SLOTS;
    OK(launch_serve_sample(&s, DECODE_AFTER, NULL));
    expect_no_difference();
}

Test(footprints, kernels_without_memory)
{
    OK(launch_delay(5, NULL));
    OK(launch_empty(3, NULL));
    expect_no_difference();
}
