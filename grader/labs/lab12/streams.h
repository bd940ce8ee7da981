/* streams.h: the pipeline of lab 12 as the grader itself runs it: with stream launches, driven by
 * the host, without a graph. */
#pragma once

#include <cuda_runtime_api.h>

#include "exchange.h"

enum { MOST_SLOTS = 16 };

struct streams {
    /* given, as in lab.h */
    int n_devices, n_layers, n, rows, n_buffers, n_micro;
    const float *w, *x;
    float *y;

    /* made by streams_create */
    struct streams_stage {
        int n_layers;
        float *w;
        cudaStream_t in, compute, out; /* of the device */
        struct streams_slot {
            float *x, *y;
            cudaEvent_t received, computed, sent;
        } slots[MOST_SLOTS];
    } stages[MOST_DEVICES];
};

cudaError_t streams_create(struct streams *p);
cudaError_t streams_destroy(struct streams *p);

/* For bench_time_us, with a struct streams. All micro-batches through all stages, and a wait: */
cudaError_t streams_run(void *streams);
/* The layers of the first stage alone, for all micro-batches: */
cudaError_t streams_first_stage(void *streams);
