// jacobi.cu: an iteration to convergence, as a graph whose kernel gets other buffers each time, and
// as one that is captured and updated.
#include "../check.cuh"

enum { N = 128, ROWS = 4 };

__global__ void sweep(const float *A, const double *b, const double *x, double *next, double *sum)
{
    __shared__ double all[N], mine[ROWS];
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        all[i] = x[i];
    if (threadIdx.x < ROWS)
        mine[threadIdx.x] = b[blockIdx.x * ROWS + threadIdx.x];
    __syncthreads();
    for (int k = 0, i = blockIdx.x * ROWS; k < ROWS; k++, i++) {
        double row = 0;
        for (int j = threadIdx.x; j < N; j += blockDim.x)
            row += A[i * N + j] * all[j];
        for (int delta = 16; delta > 0; delta /= 2)
            row += __shfl_down_sync(0xffffffff, row, delta);
        if (threadIdx.x % 32 == 0)
            atomicAdd(&mine[k], -row);
    }
    __syncthreads();
    if (threadIdx.x < ROWS) {
        int i = blockIdx.x * ROWS + threadIdx.x;
        double step = mine[threadIdx.x] / A[i * N + i];
        next[i] = all[i] + step;
        atomicAdd(sum, fabs(step));
    }
}

int main()
{
    static float A[N * N];
    static double ones[N];
    for (int i = 0; i < N; i++) {
        ones[i] = N + 2;
        for (int j = 0; j < N; j++)
            A[i * N + j] = i == j ? N + 2 : 1;
    }
    float *d_A;
    double *d_b, *x[2], *d_sum, sum;
    OK(cudaMalloc(&d_A, sizeof A));
    OK(cudaMalloc(&d_b, sizeof ones));
    OK(cudaMalloc(&d_sum, sizeof sum));
    for (double *&p : x) {
        OK(cudaMalloc(&p, sizeof ones));
        OK(cudaMemset(p, 0, sizeof ones));
    }
    OK(cudaMemcpy(d_A, A, sizeof A, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(d_b, ones, sizeof ones, cudaMemcpyHostToDevice));
    OK(cudaDeviceSynchronize()); // the copies are from pageable memory
    cudaStream_t s;
    cudaGraphExec_t exec = nullptr;
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    int rounds = 0, updates = 0;
    do {
        cudaGraph_t graph;
        cudaGraphExecUpdateResultInfo info;
        OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
        OK(cudaMemsetAsync(d_sum, 0, sizeof sum, s));
        sweep<<<N / ROWS, 64, 0, s>>>(d_A, d_b, x[rounds % 2], x[(rounds + 1) % 2], d_sum);
        OK(cudaMemcpyAsync(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost, s));
        OK(cudaStreamEndCapture(s, &graph));
        if (exec && cudaGraphExecUpdate(exec, graph, &info) == cudaSuccess)
            updates++;
        else
            OK(cudaGraphInstantiate(&exec, graph, 0));
        OK(cudaGraphDestroy(graph));
        OK(cudaGraphLaunch(exec, s));
        OK(cudaStreamSynchronize(s));
    } while (sum > 1e-3 && ++rounds < 2000);
    EXPECT(sum <= 1e-3 && updates == rounds);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaStreamDestroy(s));
    OK(cudaFree(d_A));
    OK(cudaFree(d_b));
    OK(cudaFree(d_sum));
    OK(cudaFree(x[0]));
    OK(cudaFree(x[1]));
    puts("passed");
}
