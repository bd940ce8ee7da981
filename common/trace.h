/* trace.h: the operations of a device with their times; one format for both devices.
 *
 * As CSV: device,engine,stream,node,name,start_us,end_us,bytes
 *   engine  h2d, d2h, d2d, p2p (to another device: a row of the device that the bytes come from),
 *           sm, host (a host function), api (a runtime call of the program);
 *           graph: one run of an executable graph, in programs whose kernels launch graphs
 *   stream  0 is the legacy stream, others count from 1 in order of creation; -1 for api
 *   node    number of the graph node, -1 outside of graphs; for graph: the number of the graph
 *   name    kernel, with " (estimated)" if the simulated device estimates its time;
 *           memcpy_pinned, memcpy_pageable, memcpy_device, memset; for api the function, or
 *           "computing": what a host thread computed between two calls, if that is counted
 *           for graph its launcher: host, "fire_and_forget by N" or "sibling by N", where N is the
 *           number of the graph whose kernel launched it; "tail after N", where N is the graph
 *           after which it runs
 *   times   microseconds since the first row of the trace
 *   bytes   of a copy or a memset; of a kernel those that it declares to read and to write, on the
 *           simulated device (CUPTI does not know them)
 *
 * A line `# device NAME` before the header names the device. The name of a simulated device
 * contains "Simulated".
 *
 * On the simulated device (trace_sim.c) the device itself records the rows, on a GPU
 * (trace_cupti.c) CUPTI does. CUPTI does not report host functions, and numbers only the streams
 * that have work in the trace. Tracing slows a GPU down: use a trace for order and overlap, not for
 * graded times. */
#ifndef TRACE_H
#define TRACE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct trace_row {
    int device;
    char engine[12];
    int stream;
    int64_t node;
    char name[64];
    double start_us, end_us;
    uint64_t bytes;
};

struct trace {
    struct trace_row *rows; /* in order of start */
    size_t n_rows;
    char device[96]; /* its name; empty: unknown */
};

/* Requests a row for each run of a graph; call it before the program's first CUDA call. On a GPU
 * these rows replace the rows of nodes (CUPTI has none for the nodes of graphs that kernels
 * launch). The simulated device always records both. 0 or -1 as below. */
int trace_whole_graphs(const char **why);

/* Starts recording. 0, or -1 with a sentence in *why if this device cannot be traced. */
int trace_begin(const char **why);

/* Waits for the device, discards the recorded rows and continues recording. On a GPU the first run
 * of any work under a trace is slower and less concurrent than later ones: begin, run, restart, run
 * again, end. */
int trace_restart(const char **why);

/* Stops and returns the recorded rows; free them with trace_free. 0 or -1 as above. */
int trace_end(struct trace *out, const char **why);
void trace_free(struct trace *t);

/* CSV as above. trace_write: -1 if writing fails (with errno). trace_read: reads the whole file; -1
 * with a sentence in *why that names the bad line. A sentence is valid until this thread's next
 * call of a function of this file. */
int trace_write(const struct trace *t, FILE *to);
int trace_read(struct trace *out, FILE *from, const char **why);

/* To create a trace: trace_add adds a row (0, or -1 without memory), trace_arrange sorts the rows
 * and makes the times begin at 0. */
int trace_add(struct trace *t, const struct trace_row *row);
void trace_arrange(struct trace *t);

#endif
