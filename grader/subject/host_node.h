/* host_node.h: what the host function of a submission's graph does when it is called. */
#pragma once

#include <cuda_runtime_api.h>

struct subject_host_node {
    struct cudaHostNodeParams host; /* as the submission has it; zero: there is no host node */
    volatile int refused;           /* calls of the function that called CUDA: it must not */
};

/* From now on, launches of the executable graph call the function of the first host node of its
   graph by way of the watch; counting begins anew. The graph stays as it is. */
cudaError_t subject_watch_host_node(cudaGraph_t graph, cudaGraphExec_t exec);

/* Of the executable graph that was given last. */
const struct subject_host_node *subject_host_node(void);
