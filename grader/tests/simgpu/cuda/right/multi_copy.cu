// multi_copy.cu: a ring of four streams, each with its own buffers: copy in, compute, copy out.
#include "../check.cuh"

enum { RING = 4, BATCHES = 10, N = 1 << 16 };

__global__ void work(int *out, const int *in, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; r < rounds; r++)
        out[i] = in[i] + r;
}

int main()
{
    int *h_in[RING], *h_out[RING], *d_in[RING], *d_out[RING];
    cudaStream_t streams[RING];
    for (int k = 0; k < RING; k++) {
        OK(cudaHostAlloc(&h_in[k], N * sizeof(int), cudaHostAllocDefault));
        OK(cudaHostAlloc(&h_out[k], N * sizeof(int), cudaHostAllocDefault));
        OK(cudaMalloc(&d_in[k], N * sizeof(int)));
        OK(cudaMalloc(&d_out[k], N * sizeof(int)));
        OK(cudaStreamCreateWithFlags(&streams[k], cudaStreamNonBlocking));
    }
    for (int b = 0; b < BATCHES; b++) {
        int k = b % RING;
        OK(cudaStreamSynchronize(streams[k]));
        for (int i = 0; i < N; i++)
            h_in[k][i] = b * N + i;
        OK(cudaMemcpyAsync(d_in[k], h_in[k], N * sizeof(int), cudaMemcpyHostToDevice, streams[k]));
        work<<<N / 512, 512, 0, streams[k]>>>(d_out[k], d_in[k], 4);
        OK(cudaMemcpyAsync(h_out[k], d_out[k], N * sizeof(int), cudaMemcpyDeviceToHost,
                           streams[k]));
    }
    OK(cudaDeviceSynchronize());
    for (int k = 0; k < RING; k++) {
        int b = k < BATCHES % RING ? BATCHES / RING * RING + k : (BATCHES / RING - 1) * RING + k;
        for (int i = 0; i < N; i++)
            EXPECT(h_out[k][i] == b * N + i + 3);
        OK(cudaStreamDestroy(streams[k]));
        OK(cudaFreeHost(h_in[k]));
        OK(cudaFreeHost(h_out[k]));
        OK(cudaFree(d_in[k]));
        OK(cudaFree(d_out[k]));
    }
    puts("passed");
}
