// cooperative.cu: groups of threads: block, tile, coalesced threads, grid.
#include "../check.cuh"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void sums(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    int value = block.thread_rank();
    int all = cg::reduce(tile, value, cg::plus<int>());
    for (int i = tile.size() / 2; i > 0; i /= 2)
        value += tile.shfl_down(value, i);
    if (tile.thread_rank() == 0 && value == all)
        atomicAdd(&out[0], value);
    if (threadIdx.x % 3 == 0) {
        cg::coalesced_group some = cg::coalesced_threads();
        if (some.thread_rank() == 0)
            atomicAdd(&out[1], some.size());
    }
    cg::sync(block);
}

// each block reads what another one wrote before the grid's barrier
__global__ void reverse(int *a, int n, int rounds)
{
    cg::grid_group grid = cg::this_grid();
    __shared__ unsigned mine;
    if (threadIdx.x == 0)
        mine = blockIdx.x;
    __syncthreads();
    int i = grid.thread_rank();
    for (int round = 0; round < rounds; round++) {
        int other = a[n - 1 - i];
        grid.sync();
        a[i] = other;
        grid.sync();
    }
    if (mine != blockIdx.x)
        a[i] = -1;
}

__global__ void ask(int *valid)
{
    *valid = cg::this_grid().is_valid();
}

static void expect_valid(const int *valid, int expected)
{
    int host;
    OK(cudaMemcpy(&host, valid, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host == expected);
}

// of a cooperative launch that is captured, replayed and changed
static void validity(int *valid)
{
    void *args[] = {&valid};
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    cudaKernelNodeParams p;
    cudaLaunchAttributeValue no = {};
    size_t n = 1;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaLaunchCooperativeKernel((void *)ask, dim3(1), dim3(1), args, 0, s));
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaGraphGetNodes(graph, &node, &n));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, 0));
    expect_valid(valid, 1);
    OK(cudaMemset(valid, 0, sizeof *valid));
    OK(cudaGraphKernelNodeGetParams(node, &p));
    OK(cudaGraphExecKernelNodeSetParams(exec, node, &p));
    OK(cudaGraphLaunch(exec, 0));
    expect_valid(valid, 1);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeCooperative, &no));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, 0));
    expect_valid(valid, 0);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(s));
}

int main()
{
    int *out, host[256];
    OK(cudaMalloc(&out, sizeof host));
    OK(cudaMemset(out, 0, sizeof host));
    sums<<<1, 64>>>(out);
    OK(cudaMemcpy(host, out, 8, cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 64 * 63 / 2);
    EXPECT(host[1] == 22);
    ask<<<1, 1>>>(out); // later, an H200 says that an ordinary grid is valid, too
    expect_valid(out, 0);
    int n = 256, rounds = 3;
    for (int i = 0; i < n; i++)
        host[i] = i;
    OK(cudaMemcpy(out, host, sizeof host, cudaMemcpyHostToDevice));
    void *args[] = {&out, &n, &rounds};
    OK(cudaLaunchCooperativeKernel((void *)reverse, dim3(8), dim3(32), args, 0, 0));
    OK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        EXPECT(host[i] == n - 1 - i);
    validity(out);
    OK(cudaFree(out));
    puts("passed");
}
