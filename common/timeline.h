/* timeline.h: draws a trace as a timeline, with a row for each engine (or stream) and a bar for
 * each operation.
 *
 *     H2D      0000111122223333.....     58 % busy
 *     compute  ....00..11..22..33..      26 %
 *     D2H      ......00..11..22..33      27 %
 *              |       |       |
 *              0 us    20      40 */
#ifndef TIMELINE_H
#define TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "trace.h"

enum timeline_by { TIMELINE_BY_ENGINE, TIMELINE_BY_STREAM };

struct timeline_row {
    char label[24]; /* H2D, compute, P2P, D2H, D2D, host fn, graph 6, calls; or stream 3 */
    int device;
    char engine[12]; /* as in the trace. TIMELINE_BY_STREAM: empty, or api for calls */
    int stream;      /* TIMELINE_BY_STREAM only */
    int depth;       /* 0; further rows of an engine hold concurrent work */
    double busy_us;  /* time with at least one bar at any depth; set for depth 0 */
};

struct bar {
    const struct trace_row *operation;
    int row;   /* index into `rows` */
    int batch; /* -1: the trace does not consist of equal batches */
};

struct timeline {
    struct timeline_row *rows;
    int n_rows;
    struct bar *bars; /* in order of start */
    size_t n_bars;
    int n_batches;         /* 0: unknown */
    double from_us, to_us; /* first start and last end of all rows */
    double work_us; /* first start to last end of device work: everything but runtime calls */
};

/* Arranges the trace, which must stay valid. 0, or -1 without memory. Free with timeline_free. */
int timeline_arrange(struct timeline *out, const struct trace *t, enum timeline_by by);
void timeline_free(struct timeline *l);

/* Does the call wait for the device: a synchronization, cudaMemcpy and the like? */
int timeline_call_waits(const char *name);
/* Is it no call, but what the host computed between two calls? */
int timeline_host_computes(const char *name);

/* 0xrrggbb of an operation, for bars and nodes; in two shades, for batches in turn. Colors that
   color-blind readers can distinguish. */
unsigned timeline_color(const struct trace_row *operation, bool second);

/* "Simulated NVIDIA H200, virtual time", or "NVIDIA H200, traced by CUPTI". */
void timeline_source(const struct trace *t, char *text, size_t room);

/* Prints the timeline with characters, at most `columns` (40 or more) wide. 0 1 2 … is the last
 * digit of a bar's batch. If the batches are unknown, a bar is # or the first letter of its kernel
 * (if the first letters differ). : is a column that is busy for less than half of its time, . an
 * idle one. In the row of runtime calls, w is a call that waits for the device, c another call. In
 * the row of a graph, h is a launch by the host, f fire-and-forget, t a tail, s a sibling. A legend
 * below explains the signs that occur.
 * timeline_print_streams: > H2D, < D2H, # kernel, = D2D or memset, f host function. */
void timeline_print(const struct trace *t, FILE *to, int columns);
/* The same in parts, for several traces on one scale: the picture spans `span_us`, or the trace if
 * that is longer; and one legend for all. */
double timeline_span_us(const struct trace *t);
void timeline_print_rows(const struct trace *t, double span_us, FILE *to, int columns);
void timeline_print_legend(const struct trace *const traces[], int n, FILE *to, int columns);
void timeline_print_streams(const struct trace *t, FILE *to, int columns);

#endif
