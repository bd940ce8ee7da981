/* adapter_busy.c: keeps a graph running by a launch from the device.
 *
 * The host must not launch a graph that the device launches at the same time: the Programming Guide
 * calls that undefined. So the submission's own scheduler launches it, with a ring of one packet.
 */
#include "host_work.h"
#include "common/check.h"
#include "kernels/kernels.h"

static struct busy {
    struct ring *ring; /* device memory, like the next three */
    struct argument_slot *arguments;
    cudaGraphExec_t *handlers;
    int *status;
    cudaGraphExec_t scheduler;
    cudaStream_t stream, other;
} busy;

static cudaError_t make_scheduler(cudaGraphExec_t exec)
{
    const struct ring ring = {.put = 1}; /* a packet of type 0 */
    cudaGraphExec_t handlers[PACKET_TYPES];
    cudaGraph_t graph;
    for (int t = 0; t < PACKET_TYPES; t++)
        handlers[t] = exec;
    TRY(cudaStreamCreateWithFlags(&busy.stream, cudaStreamNonBlocking));
    TRY(cudaStreamCreateWithFlags(&busy.other, cudaStreamNonBlocking));
    TRY(cudaMalloc((void **)&busy.ring, sizeof ring));
    TRY(cudaMalloc((void **)&busy.arguments, PACKET_TYPES * sizeof *busy.arguments));
    TRY(cudaMalloc((void **)&busy.handlers, sizeof handlers));
    TRY(cudaMalloc((void **)&busy.status, sizeof *busy.status));
    TRY(cudaMemcpy(busy.ring, &ring, sizeof ring, cudaMemcpyHostToDevice));
    TRY(cudaMemset(busy.arguments, 0, PACKET_TYPES * sizeof *busy.arguments));
    TRY(cudaMemcpy(busy.handlers, handlers, sizeof handlers, cudaMemcpyHostToDevice));
    TRY(cudaMemset(busy.status, 0, sizeof *busy.status));
    TRY(cudaDeviceSynchronize());
    TRY(cudaStreamBeginCapture(busy.stream, cudaStreamCaptureModeThreadLocal));
    TRY(lab07_enqueue_scheduler(busy.ring, busy.arguments, busy.handlers, busy.status,
                                busy.stream));
    TRY(cudaStreamEndCapture(busy.stream, &graph));
    TRY(cudaGraphInstantiate(&busy.scheduler, graph, cudaGraphInstantiateFlagDeviceLaunch));
    return cudaGraphDestroy(graph);
}

cudaError_t busy_begin(cudaGraphExec_t exec, float us)
{
    TRY(make_scheduler(exec));
    TRY(cudaGraphLaunch(busy.scheduler, busy.stream));
    TRY(launch_delay(us / 10, busy.other));
    return cudaStreamSynchronize(busy.other);
}

cudaError_t busy_end(void)
{
    TRY(cudaStreamSynchronize(busy.stream));
    TRY(cudaGraphExecDestroy(busy.scheduler));
    TRY(cudaFree(busy.status));
    TRY(cudaFree(busy.handlers));
    TRY(cudaFree(busy.arguments));
    TRY(cudaFree(busy.ring));
    TRY(cudaStreamDestroy(busy.other));
    return cudaStreamDestroy(busy.stream);
}
