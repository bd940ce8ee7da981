/* chain.h: the work that most figures measure: kernels in chains, put into streams or captured. */
#pragma once

#include <cuda_runtime_api.h>

/* `nodes` kernels in `width` chains side by side; node i follows node i - width. */
struct chain {
    int nodes, width;
    float us;   /* how long each kernel lasts; 0: an empty kernel */
    int blocks; /* of an empty kernel */
};

enum { CHAIN_WIDTH = 64 };

/* Streams and events that forks and joins need; once, before all else. */
void chain_begin(void);
/* The stream that everything starts in and is joined to. */
cudaStream_t chain_stream(void);

/* Launches the kernels into chain_stream(), for more than one chain forked over further streams. */
void chain_launch(const struct chain *c);
cudaGraph_t chain_capture(const struct chain *c);
cudaGraphExec_t chain_instantiate(const struct chain *c);

/* Waits for chain_stream(). */
void chain_wait(void);

/* Launches the kernels, or their graph, and waits: microseconds until the host knows that it is
 * done. */
double chain_stream_us(const struct chain *c);
double chain_graph_us(cudaGraphExec_t exec);
