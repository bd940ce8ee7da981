/*
 * trace.h: what the device did, as intervals on lanes; one format for both devices.
 *
 * As CSV: device,engine,stream,node,name,start_us,end_us,bytes
 *   engine  h2d, d2h, d2d, p2p (to another device: a row of the device that the bytes come from),
 *           sm, host (a host function), api (a runtime call of the program);
 *           graph: one run of an executable graph, in programs whose kernels launch graphs
 *   stream  0 is the legacy stream, others count from 1 in order of creation; -1 for api
 *   node    graph node number, -1 outside a graph; of a graph: its own number
 *   name    kernel, with " (estimated)" if the simulated device guesses its time;
 *           memcpy_pinned, memcpy_pageable, memcpy_device, memset; for api the function;
 *           for graph who launched it: host, "fire_and_forget by N", "sibling by N", N the
 *           number of the graph whose kernel did; "tail after N", N that of the graph in whose
 *           place it runs
 *   times   microseconds since the first row of the trace
 *
 * A line `# device NAME` before the header says where the trace is from; a simulated device's name
 * says so itself.
 *
 * On the simulated device (trace_sim.c) rows come from the device itself; on a GPU (trace_cupti.c)
 * from CUPTI, which knows nothing of host functions, and whose stream numbers count the streams
 * that did something in the trace. A trace on a GPU slows what it traces: take order and overlap
 * from it, never a time that is graded.
 */
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
    char device[96]; /* its name; empty: not said */
};

/*
 * Before the program's first CUDA call: its traces are to have a row for each run of a graph. On a
 * GPU these come instead of the rows of nodes (CUPTI has none for the nodes of graphs that kernels
 * launch). The simulated device gives both, asked or not. 0 or -1 as below.
 */
int trace_whole_graphs(const char **why);

/* Starts recording. 0, or -1 with a sentence in *why where this device cannot be traced. */
int trace_begin(const char **why);

/*
 * Waits for the device, forgets what was recorded and goes on recording. On a GPU the first round
 * of anything under a trace is slower and less concurrent than later ones: begin, run, restart, run
 * again, end.
 */
int trace_restart(const char **why);

/* Stops and hands over what was recorded; trace_free when done. 0 or -1 as above. */
int trace_end(struct trace *out, const char **why);
void trace_free(struct trace *t);

/*
 * CSV as above. trace_write: -1 where the file takes no more (errno says why).
 * trace_read: the whole file; -1 with a sentence that names the bad line. A sentence stays valid
 * until this thread's next call here.
 */
int trace_write(const struct trace *t, FILE *to);
int trace_read(struct trace *out, FILE *from, const char **why);

/* For those who make traces: adds a row (0, or -1 without memory); puts all in order, from 0. */
int trace_add(struct trace *t, const struct trace_row *row);
void trace_arrange(struct trace *t);

#endif
