// graphs.cu: a sum in two steps as a graph: built node by node, captured, cloned, updated.
#include "../check.cuh"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum { N = 1 << 16, THREADS = 256, BLOCKS = 64 };

__global__ void partial_sums(const float *in, double *out, size_t n)
{
    __shared__ double tmp[THREADS];
    cg::thread_block block = cg::this_thread_block();
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0;
    for (; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    tmp[block.thread_rank()] = sum;
    cg::sync(block);
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    for (int k = tile.size() / 2; k > 0; k >>= 1) {
        if (tile.thread_rank() < static_cast<unsigned>(k))
            tmp[block.thread_rank()] += tmp[block.thread_rank() + k];
        cg::sync(tile);
    }
    if (block.thread_rank() == 0) {
        double all = 0;
        for (unsigned k = 0; k < block.size(); k += tile.size())
            all += tmp[k];
        out[blockIdx.x] = all;
    }
}

__global__ void final_sum(const double *in, double *out, int n)
{
    for (int i = 0; i < n; i++)
        *out += in[i];
}

struct buffers {
    float *h, *d;
    double *parts, *sum, result;
    int n_checked;
};

static void CUDART_CB check_sum(void *data)
{
    struct buffers *b = static_cast<struct buffers *>(data);
    b->n_checked += b->result == N;
}

static cudaGraph_t by_hand(struct buffers *b)
{
    cudaGraph_t graph;
    cudaGraphNode_t copy, clear, sums, sum, back, call;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, b->d, b->h, N * sizeof *b->h,
                                cudaMemcpyHostToDevice));
    cudaMemsetParams zero = {};
    zero.dst = b->sum;
    zero.elementSize = 4;
    zero.width = 2;
    zero.height = 1;
    OK(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &zero));
    size_t n = N;
    int blocks = BLOCKS;
    void *first_args[] = {&b->d, &b->parts, &n}, *second_args[] = {&b->parts, &b->sum, &blocks};
    cudaKernelNodeParams p = {};
    p.func = (void *)partial_sums;
    p.gridDim = dim3(BLOCKS);
    p.blockDim = dim3(THREADS);
    p.kernelParams = first_args;
    OK(cudaGraphAddKernelNode(&sums, graph, &copy, 1, &p));
    p.func = (void *)final_sum;
    p.gridDim = p.blockDim = dim3(1);
    p.kernelParams = second_args;
    cudaGraphNode_t both[] = {sums, clear};
    OK(cudaGraphAddKernelNode(&sum, graph, both, 2, &p));
    OK(cudaGraphAddMemcpyNode1D(&back, graph, &sum, 1, &b->result, b->sum, sizeof b->result,
                                cudaMemcpyDeviceToHost));
    cudaHostNodeParams host = {check_sum, b};
    OK(cudaGraphAddHostNode(&call, graph, &back, 1, &host));
    return graph;
}

static cudaGraph_t captured(struct buffers *b)
{
    cudaStream_t s1, s2;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    OK(cudaStreamCreate(&s1));
    OK(cudaStreamCreate(&s2));
    OK(cudaEventCreate(&fork));
    OK(cudaEventCreate(&join));
    OK(cudaStreamBeginCapture(s1, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecord(fork, s1));
    OK(cudaStreamWaitEvent(s2, fork, 0));
    OK(cudaMemcpyAsync(b->d, b->h, N * sizeof *b->h, cudaMemcpyDefault, s1));
    OK(cudaMemsetAsync(b->sum, 0, sizeof *b->sum, s2));
    OK(cudaEventRecord(join, s2));
    partial_sums<<<BLOCKS, THREADS, 0, s1>>>(b->d, b->parts, N);
    OK(cudaStreamWaitEvent(s1, join, 0));
    final_sum<<<1, 1, 0, s1>>>(b->parts, b->sum, BLOCKS);
    OK(cudaMemcpyAsync(&b->result, b->sum, sizeof b->result, cudaMemcpyDefault, s1));
    OK(cudaLaunchHostFunc(s1, check_sum, b));
    OK(cudaStreamEndCapture(s1, &graph));
    OK(cudaStreamDestroy(s1));
    OK(cudaStreamDestroy(s2));
    OK(cudaEventDestroy(fork));
    OK(cudaEventDestroy(join));
    return graph;
}

static void launch(cudaGraph_t graph, int times)
{
    cudaStream_t s;
    cudaGraphExec_t exec;
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < times; i++)
        OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaStreamDestroy(s));
}

int main()
{
    struct buffers b = {};
    OK(cudaMallocHost(&b.h, N * sizeof *b.h));
    OK(cudaMalloc(&b.d, N * sizeof *b.d));
    OK(cudaMalloc(&b.parts, BLOCKS * sizeof *b.parts));
    OK(cudaMalloc(&b.sum, sizeof *b.sum));
    for (int i = 0; i < N; i++)
        b.h[i] = 1;
    cudaGraph_t first = by_hand(&b), second = captured(&b), clone;
    size_t n_first, n_second;
    OK(cudaGraphGetNodes(first, nullptr, &n_first));
    OK(cudaGraphGetNodes(second, nullptr, &n_second));
    EXPECT(n_first == 6 && n_second == 6);
    OK(cudaGraphClone(&clone, first));
    launch(first, 3);
    launch(second, 3);
    launch(clone, 3);
    EXPECT(b.n_checked == 9);
    OK(cudaGraphDestroy(first));
    OK(cudaGraphDestroy(second));
    OK(cudaGraphDestroy(clone));
    OK(cudaFreeHost(b.h));
    OK(cudaFree(b.d));
    OK(cudaFree(b.parts));
    OK(cudaFree(b.sum));
    puts("passed");
}
