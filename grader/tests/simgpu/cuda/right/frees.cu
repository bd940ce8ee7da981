// frees.cu: memory is freed after the last kernel that uses it: in its stream, after an event,
// after a wait of the host, and by a node of a graph.
#include "../check.cuh"

static const int n = 1024;

__global__ void fill(int *p, int value)
{
    p[threadIdx.x] = value;
}

__global__ void add(int *sum, const int *p)
{
    sum[threadIdx.x] += p[threadIdx.x];
}

static void in_its_stream(cudaStream_t a, int *sum)
{
    int *p;
    for (int i = 0; i < 4; i++) {
        OK(cudaMallocAsync(&p, n * sizeof *p, a));
        fill<<<1, n, 0, a>>>(p, 1);
        add<<<1, n, 0, a>>>(sum, p);
        OK(cudaFreeAsync(p, a));
    }
}

static void after_an_event(cudaStream_t a, cudaStream_t b, cudaEvent_t used, int *sum)
{
    int *p, *next;
    OK(cudaMallocAsync(&p, n * sizeof *p, a));
    fill<<<1, n, 0, a>>>(p, 2);
    add<<<1, n, 0, a>>>(sum, p);
    OK(cudaEventRecord(used, a));
    OK(cudaStreamWaitEvent(b, used));
    OK(cudaFreeAsync(p, b));
    OK(cudaMallocAsync(&next, n * sizeof *next, b));
    EXPECT(next == p);
    fill<<<1, n, 0, b>>>(next, 3);
    OK(cudaFreeAsync(next, b));
}

static void after_a_wait(cudaStream_t a, int *sum)
{
    int *p;
    OK(cudaMallocAsync(&p, n * sizeof *p, a));
    fill<<<1, n, 0, a>>>(p, 3);
    add<<<1, n, 0, a>>>(sum, p);
    OK(cudaStreamSynchronize(a));
    OK(cudaFree(p));
}

static void by_a_node(cudaStream_t a, int *sum)
{
    int *p;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    OK(cudaMallocAsync(&p, n * sizeof *p, a));
    fill<<<1, n, 0, a>>>(p, 4);
    add<<<1, n, 0, a>>>(sum, p);
    OK(cudaFreeAsync(p, a));
    OK(cudaStreamEndCapture(a, &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; i++)
        OK(cudaGraphLaunch(exec, a));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamSynchronize(a));
    OK(cudaDeviceGraphMemTrim(0));
}

int main()
{
    int *sum, result[n];
    cudaStream_t a, b;
    cudaEvent_t used;
    OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    OK(cudaEventCreateWithFlags(&used, cudaEventDisableTiming));
    OK(cudaMalloc(&sum, sizeof result));
    OK(cudaMemset(sum, 0, sizeof result));
    OK(cudaDeviceSynchronize());
    in_its_stream(a, sum);
    after_an_event(a, b, used, sum);
    after_a_wait(a, sum);
    by_a_node(a, sum);
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(result, sum, sizeof result, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        EXPECT(result[i] == 4 + 2 + 3 + 12);
    OK(cudaFree(sum));
    OK(cudaEventDestroy(used));
    OK(cudaStreamDestroy(a));
    OK(cudaStreamDestroy(b));
    printf("passed\n");
}
