/* probe_pipes.c: whole small programs as the labs write them, timed on the host's clock. Nothing in
 * a profile is taken from these rows: they say how well it foretells programs that it was not
 * fitted to. */
#include "probe.h"

enum { BATCHES = 10, RING = 8 };

/* Where the matrices of batch i are; n x n floats each. */
struct pipe {
    int n, streams;
    float *a, *b, *c;    /* host: BATCHES matrices each */
    float *da, *db, *dc; /* device: RING matrices each */
};

static struct pipe pipe_make(int n, int streams, char *host_in, char *host_out)
{
    size_t all = (size_t)n * n * BATCHES, ring = (size_t)n * n * RING;
    struct pipe p = {n, streams, NULL, NULL, NULL, NULL, NULL, NULL};
    p.a = (float *)host_in;
    p.b = p.a + (all * 8 <= PROBE_BYTES ? all : 0); /* at n = 1024 both inputs share their memory */
    p.c = (float *)host_out;
    p.da = (float *)T.dev;
    p.db = p.da + (ring * 8 <= PROBE_BYTES ? ring : 0);
    p.dc = (float *)T.dev2;
    return p;
}

static size_t at(const struct pipe *p, int i)
{
    return (size_t)i * p->n * p->n;
}

/* One batch after the other, with cudaMemcpy on the legacy stream. */
static void in_turn(const struct pipe *p)
{
    size_t bytes = (size_t)p->n * p->n * sizeof(float);
    for (int i = 0; i < BATCHES; i++) {
        OK(cudaMemcpy(p->da, p->a + at(p, i), bytes, cudaMemcpyHostToDevice));
        OK(cudaMemcpy(p->db, p->b + at(p, i), bytes, cudaMemcpyHostToDevice));
        OK(launch_matmul(p->dc, p->da, p->db, p->n, NULL));
        OK(cudaMemcpy(p->c + at(p, i), p->dc, bytes, cudaMemcpyDeviceToHost));
    }
}

/* Over streams, each batch in one; depth first: copies, kernel and copy of a batch together. */
static void overlapped(const struct pipe *p)
{
    size_t bytes = (size_t)p->n * p->n * sizeof(float);
    for (int i = 0; i < BATCHES; i++) {
        int k = i % p->streams;
        OK(cudaMemcpyAsync(p->da + at(p, k), p->a + at(p, i), bytes, cudaMemcpyHostToDevice,
                           T.s[k]));
        OK(cudaMemcpyAsync(p->db + at(p, k), p->b + at(p, i), bytes, cudaMemcpyHostToDevice,
                           T.s[k]));
        OK(launch_matmul(p->dc + at(p, k), p->da + at(p, k), p->db + at(p, k), p->n, T.s[k]));
        OK(cudaMemcpyAsync(p->c + at(p, i), p->dc + at(p, k), bytes, cudaMemcpyDeviceToHost,
                           T.s[k]));
    }
}

/* A stream for each stage, ordered by events over a ring of device buffers. */
static void staged(const struct pipe *p)
{
    size_t bytes = (size_t)p->n * p->n * sizeof(float);
    cudaEvent_t *in = T.ev, *done = T.ev + RING, *out = T.ev + 2 * RING;
    for (int i = 0; i < BATCHES; i++) {
        int k = i % p->streams;
        if (i >= p->streams)
            OK(cudaStreamWaitEvent(T.s[0], done[k], 0));
        OK(cudaMemcpyAsync(p->da + at(p, k), p->a + at(p, i), bytes, cudaMemcpyHostToDevice,
                           T.s[0]));
        OK(cudaMemcpyAsync(p->db + at(p, k), p->b + at(p, i), bytes, cudaMemcpyHostToDevice,
                           T.s[0]));
        OK(cudaEventRecord(in[k], T.s[0]));
        OK(cudaStreamWaitEvent(T.s[1], in[k], 0));
        if (i >= p->streams)
            OK(cudaStreamWaitEvent(T.s[1], out[k], 0));
        OK(launch_matmul(p->dc + at(p, k), p->da + at(p, k), p->db + at(p, k), p->n, T.s[1]));
        OK(cudaEventRecord(done[k], T.s[1]));
        OK(cudaStreamWaitEvent(T.s[2], done[k], 0));
        OK(cudaMemcpyAsync(p->c + at(p, i), p->dc + at(p, k), bytes, cudaMemcpyDeviceToHost,
                           T.s[2]));
        OK(cudaEventRecord(out[k], T.s[2]));
    }
}

static double time_of(void (*run)(const struct pipe *), const struct pipe *p)
{
    struct samples s = {0};
    for (int rep = -2; rep < 25; rep++) {
        OK(cudaDeviceSynchronize());
        double t0 = clock_now_us();
        run(p);
        OK(cudaDeviceSynchronize());
        if (rep >= 0)
            samples_add(&s, clock_now_us() - t0);
    }
    return samples_median(&s);
}

static void row(const char *what, int n, int streams, double us)
{
    probe_us(us, "10 batches of C = A x B; n and streams or buffers in the key", "pipe.%s.%d.%d",
             what, n, streams);
}

/* The producer and the consumer of lab 02 over two streams and `slots` slots. */
static double producer_consumer(int n, int steps, int slots)
{
    struct samples s = {0};
    cudaEvent_t *full = T.ev, *empty = T.ev + RING;
    size_t bytes = (size_t)n * sizeof(float);
    float *in = (float *)T.dev, *item = in + (size_t)n * RING, *result = (float *)T.dev2;
    for (int rep = -2; rep < 25; rep++) {
        OK(cudaDeviceSynchronize());
        double t0 = clock_now_us();
        for (int i = 0; i < 32; i++) {
            int k = i % slots;
            if (i >= slots)
                OK(cudaStreamWaitEvent(T.s[0], empty[k], 0));
            OK(cudaMemcpyAsync(in + (size_t)k * n, T.pinned, bytes, cudaMemcpyHostToDevice,
                               T.s[0]));
            OK(launch_produce(item + (size_t)k * n, in + (size_t)k * n, steps, n, T.s[0]));
            OK(cudaEventRecord(full[k], T.s[0]));
            OK(cudaStreamWaitEvent(T.s[1], full[k], 0));
            OK(launch_consume(result + (size_t)k * n, item + (size_t)k * n, n, T.s[1]));
            OK(cudaEventRecord(empty[k], T.s[1]));
            OK(cudaMemcpyAsync(T.pinned2, result + (size_t)k * n, bytes, cudaMemcpyDeviceToHost,
                               T.s[1]));
        }
        OK(cudaDeviceSynchronize());
        if (rep >= 0)
            samples_add(&s, clock_now_us() - t0);
    }
    return samples_median(&s);
}

void probe_pipes(void)
{
    for (int n = 64; n <= 1024; n *= 2) {
        struct pipe p = pipe_make(n, 1, T.pageable, T.pageable2);
        row("in_turn_pageable", n, 1, time_of(in_turn, &p));
        p = pipe_make(n, 1, T.pinned, T.pinned2);
        row("in_turn_pinned", n, 1, time_of(in_turn, &p));
        for (int k = 1; k <= RING; k *= 2) {
            p = pipe_make(n, k, T.pinned, T.pinned2);
            row("overlapped", n, k, time_of(overlapped, &p));
            row("staged", n, k, time_of(staged, &p));
        }
    }
    for (int n = 1 << 12; n <= 1 << 18; n <<= 3)
        for (int steps = 10; steps <= 1000; steps *= 10)
            for (int slots = 1; slots <= 4; slots *= 2) {
                probe_us(producer_consumer(n, steps, slots),
                         "32 items; n and steps and slots in the key",
                         "pipe.producer_consumer.%d.%d.%d", n, steps, slots);
            }
}

/* ---- the same as graphs ---------------------------------------------------------------------- */

static void enqueue_one(int n, void *pipe)
{
    struct pipe p = *(struct pipe *)pipe;
    size_t bytes = (size_t)p.n * p.n * sizeof(float);
    (void)n;
    OK(cudaMemcpyAsync(p.da, p.a, bytes, cudaMemcpyHostToDevice, T.s[0]));
    OK(cudaMemcpyAsync(p.db, p.b, bytes, cudaMemcpyHostToDevice, T.s[0]));
    OK(launch_matmul(p.dc, p.da, p.db, p.n, T.s[0]));
    OK(cudaMemcpyAsync(p.c, p.dc, bytes, cudaMemcpyDeviceToHost, T.s[0]));
}

static void enqueue_overlapped(int n, void *pipe)
{
    (void)n;
    overlapped(pipe);
}

static void enqueue_staged(int n, void *pipe)
{
    (void)n;
    staged(pipe);
}

/* `launches` of the exec in a row, and a synchronise. */
static void graph_rows(const char *what, int n, int k, cudaGraphExec_t x, int launches)
{
    struct samples host = {0}, total = {0};
    for (int rep = -3; rep < 25; rep++) {
        double t0 = clock_now_us();
        for (int i = 0; i < launches; i++)
            OK(cudaGraphLaunch(x, T.s[0]));
        double t1 = clock_now_us();
        OK(cudaDeviceSynchronize());
        double t2 = clock_now_us();
        if (rep >= 0)
            samples_add(&host, t1 - t0), samples_add(&total, t2 - t0);
    }
    probe_us(samples_median(&total), "10 batches; n and streams or buffers in the key",
             "graph_pipe.%s.%d.%d", what, n, k);
    probe_us(samples_median(&host), "in the launching calls", "graph_pipe.%s.%d.%d.host", what, n,
             k);
    OK(cudaGraphExecDestroy(x));
}

void probe_graph_pipes(void)
{
    for (int n = 64; n <= 1024; n *= 2) {
        struct pipe p = pipe_make(n, 1, T.pinned, T.pinned2);
        row("in_turn_again", n, 1, time_of(in_turn, &p));
        graph_rows("serial", n, 1, captured(enqueue_one, 1, &p, 1), BATCHES);
        for (int k = 1; k <= RING; k *= 2) {
            p = pipe_make(n, k, T.pinned, T.pinned2);
            row("overlapped_again", n, k, time_of(overlapped, &p));
            graph_rows("fork_join", n, k, captured(enqueue_overlapped, 1, &p, k), 1);
            graph_rows("staged", n, k, captured(enqueue_staged, 1, &p, 3), 1);
        }
    }
}
