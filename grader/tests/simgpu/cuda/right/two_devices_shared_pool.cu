// two_devices_shared_pool.cu: a pool of one process and its memory, used by another one.
#include "../check.cuh"

#include <cuda.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

const int n = 10000, n_arrays = 3;

__global__ void add(int *data, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] += value;
}

static cudaMemAccessDesc access(int device)
{
    cudaMemAccessDesc d = {};
    d.location.type = cudaMemLocationTypeDevice;
    d.location.id = device;
    d.flags = cudaMemAccessFlagsProtReadWrite;
    return d;
}

// The other process: adds 5 to the numbers in the pool of device 1, on device 0.
static int child(int file, int in)
{
    const auto type = cudaMemHandleTypePosixFileDescriptor;
    cudaMemPool_t pool, unknown;
    cudaMemPoolPtrExportData array[n_arrays], nothing = {};
    cudaMemAccessFlags flags;
    int *data[n_arrays];
    void *p;
    cudaStream_t stream;
    EXPECT(read(in, array, sizeof array) == sizeof array);
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    EXPECT(cudaMemPoolImportFromShareableHandle(&unknown, (void *)(intptr_t)in, type, 0) !=
           cudaSuccess);
    OK(cudaMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)file, type, 0));
    EXPECT(close(file) == 0);
    EXPECT(cudaMallocFromPoolAsync(&p, 64, pool, stream) == cudaErrorInvalidValue);
    EXPECT(cudaDeviceSetMemPool(1, pool) == cudaErrorInvalidValue);
    cudaMemAccessDesc here = access(0);
    OK(cudaMemPoolGetAccess(&flags, pool, &here.location));
    EXPECT(flags == cudaMemAccessFlagsProtNone);
    OK(cudaMemPoolSetAccess(pool, &here, 1));
    EXPECT(cudaMemPoolImportPointer(&p, pool, &nothing) == cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    for (int i = 0; i < n_arrays; i++) {
        OK(cudaMemPoolImportPointer((void **)&data[i], pool, &array[i]));
        add<<<(n + 255) / 256, 256, 0, stream>>>(data[i], 5);
        OK(cudaGetLastError());
    }
    OK(cudaFreeAsync(data[0], stream)); // the kernels have not run
    OK(cudaMemPoolDestroy(pool));
    OK(cudaFreeAsync(data[1], stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaFree(data[2]));
    EXPECT(cudaFree(data[2]) == cudaErrorInvalidValue);
    OK(cudaStreamDestroy(stream));
    return 0;
}

// The driver's interface gives devices the same numbers.
static void count_devices()
{
    int count;
    CUdevice device;
    EXPECT(cuInit(0) == CUDA_SUCCESS);
    EXPECT(cuDeviceGetCount(&count) == CUDA_SUCCESS && count == 2);
    EXPECT(cuDeviceGet(&device, 1) == CUDA_SUCCESS && device == 1);
    EXPECT(cuDeviceGet(&device, 2) == CUDA_ERROR_INVALID_DEVICE);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return child(atoi(argv[1]), atoi(argv[2]));
    count_devices();
    static int host[n];
    int *data[n_arrays], types, file, status, pipes[2];
    cudaMemPoolPtrExportData array[n_arrays];
    cudaStream_t stream;
    cudaMemPool_t pool;
    cudaMemPoolProps props = {};
    OK(cudaDeviceGetAttribute(&types, cudaDevAttrMemoryPoolSupportedHandleTypes, 1));
    EXPECT(types & cudaMemHandleTypePosixFileDescriptor);
    OK(cudaSetDevice(1));
    OK(cudaStreamCreate(&stream));
    props.allocType = cudaMemAllocationTypePinned;
    props.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    props.location = access(1).location;
    OK(cudaMemPoolCreate(&pool, &props));
    for (int i = 0; i < n_arrays; i++) {
        OK(cudaMallocFromPoolAsync(&data[i], sizeof host, pool, stream));
        OK(cudaMemsetAsync(data[i], 0, sizeof host, stream));
        add<<<(n + 255) / 256, 256, 0, stream>>>(data[i], i);
        OK(cudaMemPoolExportPointer(&array[i], data[i]));
    }
    OK(cudaMemPoolExportToShareableHandle(&file, pool, props.handleTypes, 0));
    OK(cudaStreamSynchronize(stream));
    EXPECT(pipe(pipes) == 0 && fcntl(file, F_SETFD, 0) == 0);
    EXPECT(write(pipes[1], array, sizeof array) == sizeof array);
    pid_t pid = fork();
    if (pid == 0) {
        char at[2][16];
        snprintf(at[0], sizeof at[0], "%d", file);
        snprintf(at[1], sizeof at[1], "%d", pipes[0]);
        execl("/proc/self/exe", argv[0], at[0], at[1], (char *)nullptr);
        _exit(1);
    }
    EXPECT(close(file) == 0);
    EXPECT(waitpid(pid, &status, 0) == pid);
    EXPECT(status == 0);
    for (int i = 0; i < n_arrays; i++) {
        OK(cudaMemcpyAsync(host, data[i], sizeof host, cudaMemcpyDeviceToHost, stream));
        OK(cudaFreeAsync(data[i], stream));
        OK(cudaStreamSynchronize(stream));
        for (int k = 0; k < n; k++)
            EXPECT(host[k] == i + 5);
    }
    OK(cudaMemPoolDestroy(pool));
    OK(cudaStreamDestroy(stream));
    puts("passed");
}
