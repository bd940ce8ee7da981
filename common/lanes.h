/*
 * lanes.h: a trace as a picture: one lane an engine (or a stream), bars on a time axis.
 *
 *     H2D      0000111122223333.....     58 % busy
 *     compute  ....00..11..22..33..      26 %
 *     D2H      ......00..11..22..33      27 %
 *              |       |       |
 *              0 us    20      40
 */
#ifndef LANES_H
#define LANES_H

#include <stddef.h>
#include <stdio.h>

#include "trace.h"

enum lanes_by { LANES_BY_ENGINE, LANES_BY_STREAM };

struct lane {
    char label[24]; /* H2D, compute, P2P, D2H, D2D, host fn, graph 6, calls; or stream 3 */
    int device;
    char engine[12]; /* as in the trace; by stream: empty, api for the calls */
    int stream;      /* by stream only */
    int depth;       /* 0; further lanes of an engine hold what runs beside the first */
    double busy_us;  /* time with at least one bar, over all depths; in the lane of depth 0 */
};

struct bar {
    const struct trace_row *row;
    int lane;  /* index into lanes */
    int batch; /* -1: the trace is not a number of like batches */
};

struct lanes {
    struct lane *lanes;
    int n_lanes;
    struct bar *bars; /* in order of start */
    size_t n_bars;
    int n_batches;         /* 0: not known */
    double from_us, to_us; /* first start and last end of all rows */
    double work_us; /* first start to last end of device work: everything but runtime calls */
};

/* Lays the trace out; the rows stay the trace's. 0, or -1 without memory. lanes_free when done. */
int lanes_arrange(struct lanes *out, const struct trace *t, enum lanes_by by);
void lanes_free(struct lanes *l);

/* Does the call keep the host until the device is done: a synchronise, cudaMemcpy and the like? */
int lanes_call_waits(const char *name);

/* "Simulated NVIDIA H200, virtual time", or "NVIDIA H200, traced by CUPTI". */
void lanes_source(const struct trace *t, char *text, size_t room);

/*
 * Draws the trace with characters, at most `columns` (40 or more) wide: 0 1 2 … is the batch (its
 * last digit) that a bar belongs to, # a bar where batches are not known (or a kernel's first
 * letter, where kernels begin with different ones), : a column busy for less than half, . an idle
 * one; in the lane of the program's runtime calls w is waiting for the device, c any other call; in
 * that of a graph h is a launch by the host, f fire and forget, t a tail, s a sibling. By stream:
 * > H2D, < D2H, # kernel, = D2D or memset, f host function.
 */
void lanes_print(const struct trace *t, FILE *to, int columns);
void lanes_print_streams(const struct trace *t, FILE *to, int columns);

#endif
