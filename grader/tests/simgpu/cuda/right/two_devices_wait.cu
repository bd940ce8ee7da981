// two_devices_wait.cu: kernels of two devices that wait for each other.
#include "../check.cuh"

__global__ void meet(volatile int *mine, volatile int *theirs, const int *data, int *out)
{
    *out = *data + 1;
    __threadfence_system();
    *mine = 1;
    while (!*theirs) {
    }
    *out += 10;
}

__device__ int of_device;

__global__ void add(volatile int *flag, int *sum)
{
    of_device += 5;
    while (!*flag) {
    }
    *sum = of_device;
}

int main()
{
    enum { FLAGS = 2, PART = 64 };
    int *flags, *out, *data[2];
    cudaStream_t s[2];
    OK(cudaHostAlloc(&flags, FLAGS * PART * sizeof *flags, cudaHostAllocPortable));
    OK(cudaHostAlloc(&out, FLAGS * PART * sizeof *out, cudaHostAllocPortable));
    for (int i = 0; i < FLAGS * PART; i++)
        flags[i] = out[i] = 0;
    for (int d = 0; d < 2; d++) {
        OK(cudaSetDevice(d));
        OK(cudaStreamCreateWithFlags(&s[d], cudaStreamNonBlocking));
        OK(cudaMalloc(&data[d], sizeof *data[d]));
        OK(cudaMemset(data[d], 0, sizeof *data[d]));
        OK(cudaDeviceSynchronize());
    }
    for (int d = 0; d < 2; d++) {
        OK(cudaSetDevice(d));
        meet<<<1, 1, 0, s[d]>>>(flags + d * PART, flags + !d * PART, data[d], out + d * PART);
    }
    for (int d = 0; d < 2; d++)
        OK(cudaStreamSynchronize(s[d]));
    EXPECT(out[0] == 11 && out[PART] == 11);
    flags[0] = 0;
    for (int d = 1; d >= 0; d--) {
        OK(cudaSetDevice(d));
        add<<<1, 1, 0, s[d]>>>(flags, out + d * PART);
    }
    flags[0] = 1;
    for (int d = 0; d < 2; d++) {
        OK(cudaStreamSynchronize(s[d]));
        EXPECT(out[d * PART] == 5);
    }
    for (int d = 0; d < 2; d++) {
        OK(cudaSetDevice(d));
        OK(cudaStreamDestroy(s[d]));
        OK(cudaFree(data[d]));
    }
    OK(cudaFreeHost(flags));
    OK(cudaFreeHost(out));
    puts("passed");
}
