/* service.h: what the suite and the adapter of lab 09 know of each other. */
#pragma once

#include "labs/lab09_amortise/lab.h"

/* The output buffer "log" has a row for each request: what the submission asked of the adapter. */
enum lab09_log {
    LOG_CAPTURED,   /* calls of enqueue during a capture */
    LOG_STREAMED,   /* calls of enqueue outside */
    LOG_ALLOCATED,  /* workspaces */
    LOG_RELEASED,   /* workspaces */
    LOG_WORKSPACES, /* the most at any time so far */
    LOG_FLOATS,     /* the most floats in them at any time so far */
    LOG_STALE,      /* the error that cudaGetLastError gave after the request was served */
    LOG_US, /* until lab09_serve returned; if graphs were warmed, until the result was there */
    LOG_COLUMNS
};

/* The number `during`: what happens in each capture, and is special in enqueue. */
enum lab09_during {
    DURING_OTHERS = 1,  /* other threads allocate, launch and wait, also in the legacy stream */
    DURING_SYNC = 2,    /* another thread synchronizes the device at the end of the first capture */
    DURING_CHANGES = 8, /* enqueue adds a memset for larger n: an update can fail */
    DURING_REFUSES = 16,   /* enqueue returns an error in each capture, and leaves one */
    DURING_EVICTIONS = 32, /* enqueue returns an error in each capture after the first max_execs */
    DURING_ALLOCATES = 4   /* enqueue itself allocates and frees; figure malloc_here: the
                             capture permitted it */
};

enum { LAB09_GIVEN = 8, LAB09_KERNELS = 3 };

/* Times for lab09_break_even, and the right answers. */
static const struct lab09_given {
    struct lab09_times times; /* stream_us, graph_us, once_us */
    int answer;
} lab09_given[LAB09_GIVEN] = {{{10, 4, 60}, 10},  {{10, 4, 60000}, 10000}, {{10, 4, 61}, 11},
                              {{100, 10, 20}, 1}, {{10, 4, 0}, 1},         {{10, 10, 5}, 0},
                              {{5, 8, 3}, 0},     {{2.5, 2, 2}, 4}};

/* The graphs whose break-even is predicted and measured. */
static const int lab09_kernels[LAB09_KERNELS] = {2, 16, 128};
