/* decode_linear.cu: the products of a decoder step with its weight matrices: qkv, project, up, down
 * and head. A step reads every weight once, for any number of rows. This takes most of its time.
 *
 * A group of PER_RESULT threads computes one result of all rows. Its threads read adjacent parts of
 * a row of weights, EACH weights (16 bytes) at a time:
 *
 *     W   . . . . . . . . . .      x of row 0, 1, …
 *         0 0 1 1 2 2 … 0 0 1  <-  each thread multiplies its columns, for up to ROWS rows
 *         . . . . . . . . . .
 *
 * Their sums are added in shared memory. */
#include "decode.h"

#include <math.h>

/* ---- CPU reference --------------------------------------------------------------------------- */

/* y = w norm(x), or w x: n_out results of n_in numbers, a multiple of 4. Four sums at once: a
   single one would wait for each addition. */
void reference_decode_linear(double *y, const uint16_t *w, const double *x, int n_out, int n_in,
                             int normed)
{
    double square = 0;
    for (int i = 0; i < n_in; i++)
        square += x[i] * x[i];
    const double scale = normed ? 1 / sqrt(square / n_in + 1e-5) : 1;
    for (int o = 0; o < n_out; o++) {
        double sum[4] = {0};
        for (int i = 0; i < n_in; i += 4)
            for (int k = 0; k < 4; k++)
                sum[k] += (double)bf16_to_float(w[(size_t)o * n_in + i + k]) * x[i + k];
        y[o] = scale * (sum[0] + sum[1] + sum[2] + sum[3]);
    }
}

#ifndef REFERENCE_ONLY
#include "simgpu/kernel.h"

#include "decode_device.h"
#include "decode_wide.h"

/* ---- kernels --------------------------------------------------------------------------------- */

enum { PER_RESULT = 8, EACH = 8, RESULTS = 16, THREADS = PER_RESULT * RESULTS, ROWS = 8 };

/* The sums of one thread for one row: of products, and of squares of x. */
struct sums {
    float products, squares;
};

static __device__ __forceinline__ float number(const float *x)
{
    return *x;
}

static __device__ __forceinline__ float number(const uint16_t *x)
{
    return bf16_to_float(*x);
}

/* Eight weights times eight numbers of x. */
template <typename X>
static __device__ __forceinline__ void add_products(struct sums *sum, const uint4 &weights,
                                                    const X *x)
{
    const uint32_t pairs[EACH / 2] = {weights.x, weights.y, weights.z, weights.w};
    for (int k = 0; k < EACH / 2; k++) {
        const float a = number(x + 2 * k), b = number(x + 2 * k + 1);
        sum->products += __uint_as_float(pairs[k] << 16) * a;
        sum->products += __uint_as_float(pairs[k] & 0xffff0000u) * b;
        sum->squares += a * a + b * b;
    }
}

/* Adds the sums of a group. normed: the product is with norm(x). */
static __device__ __forceinline__ float add_up(const struct sums *of_thread, int n_in, bool normed)
{
    float products = 0, squares = 0;
    for (int i = 0; i < PER_RESULT; i++) {
        products += of_thread[i].products;
        squares += of_thread[i].squares;
    }
    return normed ? products * rsqrtf(squares / (float)n_in + 1e-5f) : products;
}

/* Computes the results of all rows. store(row, o, sum) stores result o of a row. */
template <typename X, typename Store>
static __device__ __forceinline__ void multiply(bool normed, const uint16_t *w, const X *x,
                                                int n_in, int n_rows, int start, Store store)
{
    __shared__ struct sums sums[ROWS][RESULTS][PER_RESULT];
    const int member = threadIdx.x % PER_RESULT, result = threadIdx.x / PER_RESULT;
    const int first_result = blockIdx.x * RESULTS;
    w += (size_t)(first_result + result) * n_in;
    if (start == DECODE_WEIGHTS_FIRST)
        decode_prefetch(w, n_in, member, PER_RESULT);
    decode_wait(start);
    for (int first = 0; first < n_rows; first += ROWS) {
        const int rows = min(ROWS, n_rows - first);
        struct sums mine[ROWS] = {};
        for (int i = EACH * member; i < n_in; i += EACH * PER_RESULT) {
            const uint4 weights = *reinterpret_cast<const uint4 *>(w + i);
            for (int r = 0; r < ROWS; r++)
                if (r < rows)
                    add_products(&mine[r], weights, x + (size_t)(first + r) * n_in + i);
        }
        for (int r = 0; r < rows; r++)
            sums[r][result][member] = mine[r];
        __syncthreads();
        for (int i = threadIdx.x; i < rows * RESULTS; i += THREADS)
            store(first + i / RESULTS, first_result + i % RESULTS,
                  add_up(sums[i / RESULTS][i % RESULTS], n_in, normed));
        if (first + ROWS < n_rows)
            __syncthreads();
    }
}

static __global__ void __launch_bounds__(THREADS)
    decode_qkv(struct decode_step s, int layer, int start)
{
    const int d = decode_width(&s.model);
    if (decode_qkv_triggers(s))
        decode_let_next_begin();
    multiply(true, decode_matrix(s.model, layer, DECODE_QKV), s.scratch.x, d, s.n_rows, start,
             [&](int row, int o, float sum) {
                 decode_store_qkv(s, layer, row, o, sum, s.rows.slot[row], s.rows.position[row]);
             });
}

static __global__ void __launch_bounds__(THREADS)
    decode_project(struct decode_step s, int layer, int start)
{
    const int d = decode_width(&s.model);
    decode_let_next_begin();
    multiply(false, decode_matrix(s.model, layer, DECODE_PROJECT), s.scratch.a, d, s.n_rows, start,
             [&](int row, int o, float sum) { s.scratch.x[(size_t)row * d + o] += sum; });
}

static __global__ void __launch_bounds__(THREADS)
    decode_up(struct decode_step s, int layer, int start)
{
    const int d = decode_width(&s.model);
    decode_let_next_begin();
    multiply(true, decode_matrix(s.model, layer, DECODE_UP), s.scratch.x, d, s.n_rows, start,
             [&](int row, int o, float sum) {
                 s.scratch.h[(size_t)row * 4 * d + o] = bf16_from_float(decode_gelu(sum));
             });
}

static __global__ void __launch_bounds__(THREADS)
    decode_down(struct decode_step s, int layer, int start)
{
    const int d = decode_width(&s.model);
    decode_let_next_begin();
    multiply(false, decode_matrix(s.model, layer, DECODE_DOWN), s.scratch.h, 4 * d, s.n_rows, start,
             [&](int row, int o, float sum) { s.scratch.x[(size_t)row * d + o] += sum; });
}

static __global__ void __launch_bounds__(THREADS)
    decode_head(struct decode_step s, int layer, int start)
{
    const int d = decode_width(&s.model);
    decode_let_next_begin();
    multiply(true, decode_matrix(s.model, layer, DECODE_HEAD), s.scratch.x, d, s.n_rows, start,
             [&](int row, int o, float sum) {
                 s.scratch.logits[(size_t)row * DECODE_TOKENS + o] = sum;
             });
}

/* ---- launchers ------------------------------------------------------------------------------- */

static cudaError_t launch(enum decode_product p, const void *kernel, const struct decode_step *s,
                          int layer, int n_out, enum decode_start start, cudaStream_t stream)
{
    struct decode_step step;
    void *args[] = {&step, &layer, &start};
    if (!decode_is_valid(s) || layer < 0 || layer >= s->model.n_layers + (p == DECODE_PRODUCT_HEAD))
        return cudaErrorInvalidValue;
    if (decode_wide_serves(&s->model))
        return launch_decode_wide_product(p, s, layer, start, stream);
    step = *s;
    return decode_launch(kernel, dim3((unsigned)(n_out / RESULTS)), dim3(THREADS), 0, args, start,
                         stream);
}

static int width(const struct decode_step *s)
{
    return s ? decode_width(&s->model) : 0;
}

cudaError_t launch_decode_qkv(const struct decode_step *s, int layer, enum decode_start start,
                              cudaStream_t stream)
{
    return launch(DECODE_PRODUCT_QKV, (const void *)decode_qkv, s, layer, 3 * width(s), start,
                  stream);
}

cudaError_t launch_decode_project(const struct decode_step *s, int layer, enum decode_start start,
                                  cudaStream_t stream)
{
    return launch(DECODE_PRODUCT_PROJECT, (const void *)decode_project, s, layer, width(s), start,
                  stream);
}

cudaError_t launch_decode_up(const struct decode_step *s, int layer, enum decode_start start,
                             cudaStream_t stream)
{
    return launch(DECODE_PRODUCT_UP, (const void *)decode_up, s, layer, 4 * width(s), start,
                  stream);
}

cudaError_t launch_decode_down(const struct decode_step *s, int layer, enum decode_start start,
                               cudaStream_t stream)
{
    return launch(DECODE_PRODUCT_DOWN, (const void *)decode_down, s, layer, width(s), start,
                  stream);
}

cudaError_t launch_decode_head(const struct decode_step *s, enum decode_start start,
                               cudaStream_t stream)
{
    return launch(DECODE_PRODUCT_HEAD, (const void *)decode_head, s, s ? s->model.n_layers : 0,
                  DECODE_TOKENS, start, stream);
}

/* ---- declared footprints --------------------------------------------------------------------- */

/* The share of the weights that a product loads before it waits for its rows. It computes after the
   wait, so programmatic dependencies gain as much with 32 rows as with one. A step of 12 layers x
   768 and 1, 8 and 32 rows gains 97, 74 and 71 us on an H200, and 99, 83 and 82 us on an H100
   (plots/data: decode.csv, graph less programmatic). Simulated it gains 81, 79 and 86 us with the
   H200's profile, and 101, 92 and 106 us with the H100's. */
static const double EARLY_WEIGHTS = 0.75;

/* y = w x for all rows; every block reads all of x. */
template <typename X>
static void touch_product(struct simgpu_work *work, const struct decode_step &s, const uint16_t *w,
                          const X *x, int n_out, int n_in, int start)
{
    const double weights = (double)n_out * n_in;
    simgpu_touch(work, SIMGPU_READ, w, (size_t)n_out * n_in);
    work->ranges[0].is_early = start == DECODE_WEIGHTS_FIRST;
    simgpu_touch(work, SIMGPU_READ, x, (size_t)s.n_rows * n_in);
    work->flops = weights * s.n_rows; /* half of them, because matrix instructions are faster */
    work->dram_bytes =
        weights * sizeof *w + (double)s.n_rows * (n_in * sizeof *x + n_out * sizeof(float));
    decode_declare_start(work, start, EARLY_WEIGHTS * weights * sizeof *w / work->dram_bytes);
}

/* The written slots and positions are in device memory, so the footprint covers all of the layer.
 */
FOOTPRINT qkv_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                        struct decode_step s, int layer, int start)
{
    const int d = decode_width(&s.model);
    touch_product(work, s, decode_matrix(s.model, layer, DECODE_QKV), s.scratch.x, 3 * d, d, start);
    work->triggers = decode_qkv_triggers(s);
    simgpu_touch(work, SIMGPU_READ, s.rows.position, (size_t)s.n_rows);
    simgpu_touch(work, SIMGPU_READ, s.rows.slot, (size_t)s.n_rows);
    simgpu_touch(work, SIMGPU_WRITE, s.scratch.q, (size_t)s.n_rows * d);
    decode_touch_cache(work, SIMGPU_WRITE, s, layer);
}

FOOTPRINT project_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                            struct decode_step s, int layer, int start)
{
    const int d = decode_width(&s.model);
    touch_product(work, s, decode_matrix(s.model, layer, DECODE_PROJECT), s.scratch.a, d, d, start);
    simgpu_touch(work, SIMGPU_READ_WRITE, s.scratch.x, (size_t)s.n_rows * d);
}

FOOTPRINT up_footprint(struct simgpu_work *work, const struct simgpu_launch *, struct decode_step s,
                       int layer, int start)
{
    const int d = decode_width(&s.model);
    touch_product(work, s, decode_matrix(s.model, layer, DECODE_UP), s.scratch.x, 4 * d, d, start);
    simgpu_touch(work, SIMGPU_WRITE, s.scratch.h, (size_t)s.n_rows * 4 * d);
}

FOOTPRINT down_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                         struct decode_step s, int layer, int start)
{
    const int d = decode_width(&s.model);
    touch_product(work, s, decode_matrix(s.model, layer, DECODE_DOWN), s.scratch.h, d, 4 * d,
                  start);
    simgpu_touch(work, SIMGPU_READ_WRITE, s.scratch.x, (size_t)s.n_rows * d);
}

FOOTPRINT head_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                         struct decode_step s, int layer, int start)
{
    const int d = decode_width(&s.model);
    touch_product(work, s, decode_matrix(s.model, layer, DECODE_HEAD), s.scratch.x, DECODE_TOKENS,
                  d, start);
    simgpu_touch(work, SIMGPU_WRITE, s.scratch.logits, (size_t)s.n_rows * DECODE_TOKENS);
}

enum { SHARED = ROWS * THREADS * sizeof(struct sums) };
DECLARE_KERNEL(decode_qkv, qkv_footprint, 40, SHARED);
DECLARE_KERNEL(decode_project, project_footprint, 40, SHARED);
DECLARE_KERNEL(decode_up, up_footprint, 40, SHARED);
DECLARE_KERNEL(decode_down, down_footprint, 40, SHARED);
DECLARE_KERNEL(decode_head, head_footprint, 40, SHARED);
#endif
