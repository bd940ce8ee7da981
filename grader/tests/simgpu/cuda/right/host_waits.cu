// what the host may take for done after a call: NVIDIA's page "API synchronization behavior"
#include "../check.cuh"

__global__ void add(int *p, const int *q)
{
    p[threadIdx.x] += q[threadIdx.x];
}

int main()
{
    static int host[256];
    int *p, *q, *managed, *pinned;
    cudaStream_t s, blocking;
    for (int i = 0; i < 256; i++)
        host[i] = i;
    OK(cudaMalloc(&p, sizeof host));
    OK(cudaMalloc(&q, sizeof host));
    OK(cudaMallocManaged(&managed, sizeof host));
    OK(cudaMallocHost(&pinned, sizeof host));
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaStreamCreate(&blocking));

    // a memset of managed or pinned memory is complete, a memset of device memory is not
    OK(cudaMemset(managed, 0, sizeof host));
    OK(cudaMemset(pinned, 0, sizeof host));
    add<<<1, 256, 0, s>>>(managed, pinned);
    OK(cudaStreamSynchronize(s));
    EXPECT(managed[255] == 0);

    // a copy from pageable memory is complete for streams that block
    OK(cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice));
    OK(cudaMemset(q, 0, sizeof host));
    add<<<1, 256, 0, blocking>>>(p, q);
    OK(cudaStreamSynchronize(blocking));

    // for others, if it is in their stream, or if the host waits
    OK(cudaMemcpyAsync(p, host, sizeof host, cudaMemcpyHostToDevice, s));
    add<<<1, 256, 0, s>>>(p, q);
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy(q, host, sizeof host, cudaMemcpyHostToDevice));
    OK(cudaDeviceSynchronize());
    add<<<1, 256, 0, s>>>(p, q);
    OK(cudaStreamSynchronize(s));

    // copies back are complete, and so is all work before them in their stream
    OK(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host[255] == 2 * 255);

    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(blocking));
    OK(cudaFreeHost(pinned));
    OK(cudaFree(managed));
    OK(cudaFree(q));
    OK(cudaFree(p));
    printf("passed\n");
}
