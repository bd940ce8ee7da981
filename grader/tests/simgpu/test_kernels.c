/* test_kernels.c: every kernel of kernels.h against its reference on the CPU, its launcher's
 * parameters, and its footprint: memory of just the right size is not complained of, memory that is
 * one element short is. */
#include <math.h>
#include <time.h>

#include "kernels/kernels.h"
#include "sim_test.h"

/* ---- memory, all of it given back when a test ends ------------------------------------------- */

static void *kept[256];
static int n_kept;

static void *host_memory(size_t bytes)
{
    cr_assert_lt(n_kept, 256);
    return kept[n_kept++] = malloc(bytes);
}

static void give_back(void)
{
    while (n_kept > 0)
        free(kept[--n_kept]);
    cudaDeviceReset();
}

TestSuite(kernels, .fini = give_back);

static double *doubles(int n)
{
    return host_memory((size_t)n * sizeof(double));
}

/* Floats in (0, 1), the same in every run. */
static float *random_floats(int n)
{
    static unsigned seed = 1;
    float *p = host_memory((size_t)n * sizeof *p);
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        p[i] = ((float)(seed >> 9) + 0.5f) / (float)(1 << 23);
    }
    return p;
}

static float *device_floats(int n, const float *from)
{
    float *d;
    OK(cudaMalloc((void **)&d, (size_t)n * sizeof *d));
    if (from)
        OK(cudaMemcpy(d, from, (size_t)n * sizeof *d, cudaMemcpyHostToDevice));
    return d;
}

/* The n floats at `device` are those of `expected`, each within `tolerance` of its size. */
static void expect(const float *device, const double *expected, int n, double tolerance)
{
    float *got = host_memory((size_t)n * sizeof *got);
    OK(cudaMemcpy(got, device, (size_t)n * sizeof *got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        double off = fabs(got[i] - expected[i]);
        cr_assert(off <= tolerance * (fabs(expected[i]) + 1e-6), "element %d of %d is %g, not %g",
                  i, n, (double)got[i], expected[i]);
    }
}

/* ---- results --------------------------------------------------------------------------------- */

static void matmul_of(int n)
{
    float *a = random_floats(n * n), *b = random_floats(n * n);
    float *da = device_floats(n * n, a), *db = device_floats(n * n, b),
          *dc = device_floats(n * n, NULL);
    double *expected = doubles(n * n);
    OK(launch_matmul(dc, da, db, n, NULL));
    reference_matmul(expected, a, b, n);
    expect(dc, expected, n * n, 1e-5);
    expect_findings(0);
}

static void dense_of(int rows, int n)
{
    float *x = random_floats(rows * n), *w = random_floats(n * n);
    float *dx = device_floats(rows * n, x), *dw = device_floats(n * n, w),
          *dy = device_floats(rows * n, NULL);
    double *from = doubles(rows * n), *expected = doubles(rows * n);
    for (int i = 0; i < rows * n; i++)
        from[i] = x[i];
    OK(launch_dense(dy, dx, dw, rows, n, NULL));
    reference_dense(expected, from, w, rows, n);
    expect(dy, expected, rows * n, 1e-5);
    expect_findings(0);
}

Test(kernels, dense)
{
    dense_of(32, 32);
    dense_of(1, 64);
    dense_of(77, 96);
}

Test(kernels, matmul)
{
    matmul_of(32);
    matmul_of(96);
    matmul_of(256);
}

Test(kernels, matmul_on_four_workers)
{
    setenv("SIMGPU_WORKERS", "4", 1);
    for (int again = 0; again < 4; again++)
        matmul_of(256);
}

Test(kernels, saxpy)
{
    for (int n = 1; n < 300000; n = n * 9 + 1) {
        float *x = random_floats(n), *y = random_floats(n), *dx = device_floats(n, x),
              *dy = device_floats(n, y);
        double *expected = doubles(n);
        for (int i = 0; i < n; i++)
            expected[i] = y[i];
        OK(launch_saxpy(dy, dx, 2.5f, n, NULL));
        reference_saxpy(expected, x, 2.5f, n);
        expect(dy, expected, n, 1e-6);
    }
    expect_findings(0);
}

static void mlp_of(int rows, int n, int m)
{
    float *x = random_floats(rows * n), *a = random_floats(n * m), *b = random_floats(m * n),
          *dx = device_floats(rows * n, x), *da = device_floats(n * m, a),
          *db = device_floats(m * n, b), *dh = device_floats(rows * m, NULL),
          *dp = device_floats(rows * n, NULL);
    double *from = doubles(rows * n), *h = doubles(rows * m), *expected = doubles(rows * n);
    for (int i = 0; i < rows * n; i++)
        from[i] = x[i] -= 0.5f;
    OK(cudaMemcpy(dx, x, (size_t)(rows * n) * sizeof *x, cudaMemcpyHostToDevice));
    OK(launch_mlp_up(dh, dx, da, rows, n, m, NULL));
    OK(launch_mlp_down(dp, dh, db, rows, m, n, NULL));
    reference_mlp_up(h, from, a, rows, n, m);
    reference_mlp_down(expected, h, b, rows, m, n);
    expect(dh, h, rows * m, 1e-4);
    expect(dp, expected, rows * n, 1e-4);
    expect_findings(0);
}

Test(kernels, mlp)
{
    mlp_of(1, 1, 1);
    mlp_of(32, 64, 32);
    mlp_of(5, 33, 70);
}

/* The bits are those of a sum in this order, also in place. */
Test(kernels, sum_parts)
{
    enum { PARTS = 5, PITCH = 1100, COUNT = 1037 };
    float *x = random_floats(COUNT), *parts = random_floats(PARTS * PITCH), y[COUNT],
          *dx = device_floats(COUNT, x), *dy = device_floats(COUNT, NULL),
          *dparts = device_floats(PARTS * PITCH, parts);
    OK(launch_sum_parts(dy, dx, dparts, PITCH, PARTS, COUNT, NULL));
    OK(launch_sum_parts(dx, dx, dparts, PITCH, PARTS, COUNT, NULL));
    for (int i = 0; i < COUNT; i++)
        for (int q = 0; q < PARTS; q++)
            x[i] += parts[q * PITCH + i];
    OK(cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost));
    cr_assert_arr_eq(x, y, sizeof y);
    OK(cudaMemcpy(y, dx, sizeof y, cudaMemcpyDeviceToHost));
    cr_assert_arr_eq(x, y, sizeof y);
    expect_findings(0);
}

Test(kernels, produce_agrees_with_double_precision_after_any_number_of_steps)
{
    const int n = 5000;
    float *in = random_floats(n), *d_in = device_floats(n, in), *d_out = device_floats(n, NULL);
    double *expected = doubles(n);
    for (int steps = 0; steps <= 1000; steps = steps < 30 ? steps + 1 : steps * 2) {
        OK(launch_produce(d_out, d_in, steps, n, NULL));
        reference_produce(expected, in, steps, n);
        expect(d_out, expected, n, 3e-6);
    }
    expect_findings(0);
}

Test(kernels, consume)
{
    for (int n = 1; n < 300000; n = n * 9 + 1) {
        float *in = random_floats(n), *d_in = device_floats(n, in), *d_out = device_floats(n, NULL);
        double *expected = doubles(n);
        OK(launch_consume(d_out, d_in, n, NULL));
        reference_consume(expected, in, n);
        cr_assert(expected[0] == (double)in[0] && expected[n - 1] == (double)in[n - 1]);
        expect(d_out, expected, n, 1e-6);
    }
    expect_findings(0);
}

/* ---- lab 10 ---------------------------------------------------------------------------------- */

static double *device_doubles(int n, const double *from)
{
    double *d;
    OK(cudaMalloc((void **)&d, (size_t)n * sizeof *d));
    if (from)
        OK(cudaMemcpy(d, from, (size_t)n * sizeof *d, cudaMemcpyHostToDevice));
    return d;
}

static double *widened(const float *from, int n)
{
    double *to = doubles(n);
    for (int i = 0; i < n; i++)
        to[i] = from[i];
    return to;
}

Test(kernels, jacobi)
{
    static const int sizes[] = {1, 2, 7, 33, 100};
    for (int k = 0; k < 5; k++) {
        const int n = sizes[k], count = n * n;
        float *b = random_floats(count), *x = random_floats(count), *d_b = device_floats(count, b),
              *d_out = device_floats(count, NULL);
        double *expected = doubles(count), *wide = widened(x, count), *got = doubles(count),
               *d_wide = device_doubles(count, NULL);
        reference_jacobi(expected, wide, b, 0.25f, n);
        cr_assert_float_eq(expected[0], (b[0] + (n > 1 ? wide[1] + wide[n] : 0)) / 4.25, 1e-12);
        OK(launch_jacobi(d_out, device_floats(count, x), d_b, 0.25f, n, NULL));
        expect(d_out, expected, count, 1e-6);
        OK(launch_jacobi_double(d_wide, device_doubles(count, wide), d_b, 0.25f, n, NULL));
        OK(cudaMemcpy(got, d_wide, (size_t)count * sizeof *got, cudaMemcpyDeviceToHost));
        for (int i = 0; i < count; i++)
            cr_assert_float_eq(got[i], expected[i], 1e-14, "n = %d, element %d", n, i);
    }
    expect_findings(0);
}

static float float_at(const float *device)
{
    float value;
    OK(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

Test(kernels, largest_and_change)
{
    for (int n = 1; n < 300000; n = n * 9 + 1) {
        float *a = random_floats(n), *b = random_floats(n), zero = 0;
        a[n / 2] = -3;
        b[n - 1] = a[n - 1] + 2;
        float *d_a = device_floats(n, a), *d_b = device_floats(n, b), *r = device_floats(1, &zero);
        double *wide_a = widened(a, n), *wide_b = widened(b, n);
        OK(launch_largest(r, d_a, n, NULL));
        cr_assert_float_eq(float_at(r), reference_largest(a, n), 1e-6);
        OK(launch_change(r, d_a, d_b, n, NULL)); /* the larger of it and what is there */
        cr_assert_float_eq(float_at(r), fmax(3, reference_change(wide_a, wide_b, n)), 1e-6);
        OK(cudaMemset(r, 0, sizeof *r));
        OK(launch_change_double(r, device_doubles(n, wide_a), device_doubles(n, wide_b), n, NULL));
        cr_assert_float_eq(float_at(r), reference_change(wide_a, wide_b, n), 1e-6);
        give_back();
    }
    float values[] = {1, NAN, 2}, zero = 0, *r = device_floats(1, &zero);
    OK(launch_largest(r, device_floats(3, values), 3, NULL));
    cr_assert(isnan(float_at(r)) && isnan(reference_largest(values, 3)));
    expect_findings(0);
}

Test(kernels, widen)
{
    const int n = 100000;
    float *a = random_floats(n);
    double *out = device_doubles(n, NULL), *got = doubles(n);
    OK(launch_widen(out, device_floats(n, a), n, NULL));
    OK(cudaMemcpy(got, out, (size_t)n * sizeof *got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        cr_assert_eq(got[i], (double)a[i]);
    expect_findings(0);
}

static double elapsed_us(cudaEvent_t from, cudaEvent_t to)
{
    float ms;
    OK(cudaEventSynchronize(to));
    OK(cudaEventElapsedTime(&ms, from, to));
    return (double)ms * 1e3;
}

Test(kernels, delay_lasts_as_long_as_it_says)
{
    cudaEvent_t from, to;
    OK(cudaEventCreate(&from));
    OK(cudaEventCreate(&to));
    for (float us = 50; us < 1e5f; us *= 10) {
        OK(cudaEventRecord(from, NULL));
        OK(launch_delay(us, NULL));
        OK(cudaEventRecord(to, NULL));
        double took_us = elapsed_us(from, to);
        cr_assert(took_us >= (double)us && took_us < (double)us + 15, "%g us took %g", (double)us,
                  took_us);
    }
    OK(launch_delay(0, NULL));
    OK(launch_empty(132, NULL));
    OK(cudaDeviceSynchronize());
    OK(cudaEventDestroy(from));
    OK(cudaEventDestroy(to));
}

/* ---- launchers ------------------------------------------------------------------------------- */

Test(kernels, launchers_refuse_what_cannot_be)
{
    float *p = device_floats(32 * 32, NULL);
    const cudaError_t no = cudaErrorInvalidValue;
    cr_assert_eq(launch_matmul(NULL, p, p, 32, NULL), no);
    cr_assert_eq(launch_matmul(p, NULL, p, 32, NULL), no);
    cr_assert_eq(launch_matmul(p, p, NULL, 32, NULL), no);
    for (int n = -32; n <= 33; n += n == 0 ? 1 : 16)
        if (n <= 0 || n % 32)
            cr_assert_eq(launch_matmul(p, p, p, n, NULL), no, "n = %d", n);
    cr_assert_eq(launch_dense(NULL, p, p, 1, 32, NULL), no);
    cr_assert_eq(launch_dense(p, NULL, p, 1, 32, NULL), no);
    cr_assert_eq(launch_dense(p, p, NULL, 1, 32, NULL), no);
    cr_assert_eq(launch_dense(p, p, p, 0, 32, NULL), no);
    cr_assert_eq(launch_dense(p, p, p, 1, 33, NULL), no);
    cr_assert_eq(launch_mlp_up(NULL, p, p, 1, 1, 1, NULL), no);
    cr_assert_eq(launch_mlp_up(p, p, p, 0, 1, 1, NULL), no);
    cr_assert_eq(launch_mlp_down(p, NULL, p, 1, 1, 1, NULL), no);
    cr_assert_eq(launch_mlp_down(p, p, p, 1, 1, 0, NULL), no);
    cr_assert_eq(launch_sum_parts(p, p, NULL, 1, 1, 1, NULL), no);
    cr_assert_eq(launch_sum_parts(p, p, p, 1, 0, 1, NULL), no);
    cr_assert_eq(launch_saxpy(NULL, p, 1, 1, NULL), no);
    cr_assert_eq(launch_saxpy(p, NULL, 1, 1, NULL), no);
    cr_assert_eq(launch_saxpy(p, p, 1, 0, NULL), no);
    cr_assert_eq(launch_produce(NULL, p, 1, 1, NULL), no);
    cr_assert_eq(launch_produce(p, NULL, 1, 1, NULL), no);
    cr_assert_eq(launch_produce(p, p, -1, 1, NULL), no);
    cr_assert_eq(launch_produce(p, p, 1, -1, NULL), no);
    cr_assert_eq(launch_consume(NULL, p, 1, NULL), no);
    cr_assert_eq(launch_consume(p, NULL, 1, NULL), no);
    cr_assert_eq(launch_consume(p, p, 0, NULL), no);
    cr_assert_eq(launch_jacobi(p, p, NULL, 1, 1, NULL), no);
    cr_assert_eq(launch_jacobi(p, p, p, 0, 1, NULL), no);
    cr_assert_eq(launch_jacobi(p, p, p, NAN, 1, NULL), no);
    cr_assert_eq(launch_jacobi_double(NULL, NULL, p, 1, 1, NULL), no);
    cr_assert_eq(launch_largest(NULL, p, 1, NULL), no);
    cr_assert_eq(launch_change(p, p, NULL, 1, NULL), no);
    cr_assert_eq(launch_change_double(p, NULL, NULL, 1, NULL), no);
    cr_assert_eq(launch_widen(NULL, p, 1, NULL), no);
    cr_assert_eq(launch_widen((double *)p, p, 0, NULL), no);
    cr_assert_eq(launch_delay(-1, NULL), no);
    cr_assert_eq(launch_delay(NAN, NULL), no);
    cr_assert_eq(launch_delay(INFINITY, NULL), no);
    cr_assert_eq(launch_empty(0, NULL), no);
    OK(cudaPeekAtLastError());
}

/* ---- footprints ------------------------------------------------------------------------------ */

enum { WHOLE = 1024, SHORT = WHOLE - 128 }; /* allocations end at multiples of 512 bytes */

static float *first, *second, *third, *bad;

static void make_room(void)
{
    setenv("SIMGPU_REPORT", "0", 1);
    float *values = random_floats(WHOLE);
    first = device_floats(WHOLE, values);
    second = device_floats(WHOLE, values);
    third = device_floats(WHOLE, values);
    bad = device_floats(SHORT, values);
}

/* The launch is right with room for all its elements, and out of bounds with `bad` in one place. */
#define REACHES(name, launch_right, launch_bad)                                                    \
    Test(footprints, name, .init = make_room, .fini = give_back)                                   \
    {                                                                                              \
        OK(launch_right);                                                                          \
        OK(cudaDeviceSynchronize());                                                               \
        expect_findings(0);                                                                        \
        launch_bad;                                                                                \
        cr_assert_neq(cudaDeviceSynchronize(), cudaSuccess);                                       \
        const struct simgpu_finding finding = only_finding();                                      \
        cr_assert_eq(finding.kind, SIMGPU_OUT_OF_BOUNDS, "%s", finding_text(&finding));            \
    }

REACHES(matmul_a, launch_matmul(third, first, second, 32, NULL),
        launch_matmul(third, bad, second, 32, NULL))
REACHES(matmul_b, launch_matmul(third, first, second, 32, NULL),
        launch_matmul(third, first, bad, 32, NULL))
REACHES(matmul_c, launch_matmul(third, first, second, 32, NULL),
        launch_matmul(bad, first, second, 32, NULL))
REACHES(mlp_up_x, launch_mlp_up(third, first, second, 32, 32, 32, NULL),
        launch_mlp_up(third, bad, second, 32, 32, 32, NULL))
REACHES(mlp_up_a, launch_mlp_up(third, first, second, 32, 32, 32, NULL),
        launch_mlp_up(third, first, bad, 32, 32, 32, NULL))
REACHES(mlp_down_p, launch_mlp_down(third, first, second, 32, 32, 32, NULL),
        launch_mlp_down(bad, first, second, 32, 32, 32, NULL))
REACHES(sum_parts_x, launch_sum_parts(third, first, second, 0, 1, WHOLE, NULL),
        launch_sum_parts(third, bad, second, 0, 1, WHOLE, NULL))
REACHES(sum_parts_y, launch_sum_parts(third, first, second, 0, 1, WHOLE, NULL),
        launch_sum_parts(bad, first, second, 0, 1, WHOLE, NULL))
REACHES(sum_parts_parts, launch_sum_parts(third, first, second, WHOLE / 2, 2, WHOLE / 2, NULL),
        launch_sum_parts(third, first, bad, WHOLE / 2, 2, WHOLE / 2, NULL))
REACHES(saxpy_x, launch_saxpy(second, first, 1, WHOLE, NULL),
        launch_saxpy(second, bad, 1, WHOLE, NULL))
REACHES(saxpy_y, launch_saxpy(second, first, 1, WHOLE, NULL),
        launch_saxpy(bad, first, 1, WHOLE, NULL))
REACHES(produce_in, launch_produce(second, first, 1, WHOLE, NULL),
        launch_produce(second, bad, 1, WHOLE, NULL))
REACHES(produce_out, launch_produce(second, first, 1, WHOLE, NULL),
        launch_produce(bad, first, 1, WHOLE, NULL))
REACHES(consume_in, launch_consume(second, first, WHOLE, NULL),
        launch_consume(second, bad, WHOLE, NULL))
REACHES(consume_out, launch_consume(second, first, WHOLE, NULL),
        launch_consume(bad, first, WHOLE, NULL))
REACHES(jacobi_in, launch_jacobi(second, first, third, 1, 32, NULL),
        launch_jacobi(second, bad, third, 1, 32, NULL))
REACHES(jacobi_b, launch_jacobi(second, first, third, 1, 32, NULL),
        launch_jacobi(second, first, bad, 1, 32, NULL))
REACHES(jacobi_out, launch_jacobi(second, first, third, 1, 32, NULL),
        launch_jacobi(bad, first, third, 1, 32, NULL))
REACHES(largest_a, launch_largest(second, first, WHOLE, NULL),
        launch_largest(second, bad, WHOLE, NULL))
REACHES(change_b, launch_change(third, first, second, WHOLE, NULL),
        launch_change(third, first, bad, WHOLE, NULL))
REACHES(widen_in, launch_widen(device_doubles(WHOLE, NULL), first, WHOLE, NULL),
        launch_widen(device_doubles(WHOLE, NULL), bad, WHOLE, NULL))

/* ---- speed ----------------------------------------------------------------------------------- */

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Seconds of real time for ten products of 256 x 256 matrices. */
static double ten_products_s(void)
{
    const int n = 256;
    float *m = random_floats(n * n), *a = device_floats(n * n, m), *b = device_floats(n * n, m);
    float *c = device_floats(n * n, NULL);
    double start = now_s();
    for (int i = 0; i < 10; i++)
        OK(launch_matmul(c, a, b, n, NULL));
    OK(cudaDeviceSynchronize());
    return now_s() - start;
}

static double ten_references_s(void)
{
    const int n = 256;
    float *a = random_floats(n * n), *b = random_floats(n * n);
    double *c = doubles(n * n), start = now_s();
    for (int i = 0; i < 10; i++)
        reference_matmul(c, a, b, n);
    return now_s() - start;
}

/* About 8 as built; a system call a switch would make it several hundred. */
Test(kernels, ten_products_on_one_worker_take_at_most_forty_times_a_plain_loop)
{
    setenv("SIMGPU_WORKERS", "1", 1);
    double best = INFINITY;
    for (int again = 0; again < 3 && best >= 40; again++)
        best = fmin(best, ten_products_s() / ten_references_s());
    cr_assert_lt(best, 40);
}
