/* bench_host_loops.c: see bench_host_loops.h. bench_host.cu includes it with another LOOPS. */
#include "bench_host_loops.h"

#ifndef LOOPS
#define LOOPS plain_loops
#endif

enum { SIDE = 256, WIDE = 2048, ACCESSES = 1 << 20 };

static long sum(void *p, size_t bytes)
{
    const float *x = (const float *)p;
    float s = 0;
    for (size_t i = 0; i < bytes / sizeof *x; i++)
        s += x[i];
    return (long)s;
}

static long copy(void *p, size_t bytes)
{
    int *x = (int *)p;
    const size_t n = bytes / sizeof *x / 2;
    for (size_t i = 0; i < n; i++)
        x[n + i] = x[i] + 1;
    return 0;
}

static long compare(void *p, size_t bytes)
{
    const int *x = (const int *)p;
    const size_t n = bytes / sizeof *x / 2;
    long count = 0;
    for (size_t i = 0; i < n; i++)
        count += x[n + i] != x[i];
    return count;
}

static long change_bytes(void *p, size_t bytes)
{
    unsigned char *x = (unsigned char *)p;
    for (size_t i = 0; i < bytes; i++)
        x[i] = (unsigned char)(x[i] ^ i);
    return 0;
}

static long histogram(void *p, size_t bytes)
{
    const unsigned char *x = (const unsigned char *)p;
    long bins[256] = {0};
    for (size_t i = 0; i < bytes; i++)
        bins[x[i]]++;
    return bins[1];
}

/* Its result and its input may overlap, as far as gcc knows. */
static __attribute__((noinline)) void stencil_of(int n, const float *from, float *to)
{
    for (int y = 1; y < n - 1; y++)
        for (int x = 1; x < n - 1; x++)
            to[y * n + x] = 0.25f * (from[y * n + x - 1] + from[y * n + x + 1] +
                                     from[(y - 1) * n + x] + from[(y + 1) * n + x]);
}

static long stencil(void *p, size_t bytes)
{
    stencil_of(WIDE + (int)(bytes % 2), (const float *)p, (float *)p + WIDE * WIDE);
    return 0;
}

static long write_field(void *p, size_t bytes)
{
    struct bench_four *x = (struct bench_four *)p;
    for (size_t i = 0; i < bytes / sizeof *x; i++)
        x[i].b = (int)i;
    return 0;
}

static long read_field(void *p, size_t bytes)
{
    const struct bench_four *x = (const struct bench_four *)p;
    long s = 0;
    for (size_t i = 0; i < bytes / sizeof *x; i++)
        s += x[i].b;
    return s;
}

static long list(void *p, size_t bytes)
{
    long s = 0;
    for (const struct bench_node *n = (const struct bench_node *)p; n; n = n->next)
        s += n->value;
    return s + (long)bytes;
}

static long product(void *p, size_t bytes)
{
    const float *a = (const float *)p, *b = a + SIDE * SIDE;
    float *c = (float *)p + 2 * SIDE * SIDE;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            float s = 0;
            for (int k = 0; k < SIDE; k++)
                s += a[i * SIDE + k] * b[k * SIDE + j];
            c[i * SIDE + j] = s;
        }
    return (long)bytes;
}

static long transpose(void *p, size_t bytes)
{
    const float *from = (const float *)p;
    float *to = (float *)p + WIDE * WIDE;
    for (int i = 0; i < WIDE; i++)
        for (int j = 0; j < WIDE; j++)
            to[j * WIDE + i] = from[i * WIDE + j];
    return (long)bytes;
}

static long add_at_random(void *p, size_t bytes)
{
    int *x = (int *)p;
    unsigned long r = 1;
    for (int i = 0; i < ACCESSES; i++) {
        r = r * 6364136223846793005u + 1442695040888963407u;
        x[(r >> 33) % (bytes / sizeof *x)]++;
    }
    return 0;
}

const struct bench_loop LOOPS[BENCH_LOOPS] = {
    {"sum", sum},
    {"copy", copy},
    {"compare and count", compare},
    {"bytes", change_bytes},
    {"histogram", histogram},
    {"stencil of 2048 x 2048", stencil},
    {"store to a field of each struct", write_field},
    {"load of a field of each struct", read_field},
    {"list", list},
    {"product of 256 x 256", product},
    {"transpose of 2048 x 2048", transpose},
    {"1 M additions at random", add_at_random},
};
