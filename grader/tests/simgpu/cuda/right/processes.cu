// processes.cu: memory and an event of one process, used by another one.
#include "../check.cuh"

#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

const int n = 10000;

struct handles {
    cudaIpcMemHandle_t memory;
    cudaIpcEventHandle_t event;
};

__global__ void add(int *data, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] += value;
}

// The other process: adds 5 to the numbers.
static int child(int in)
{
    handles h;
    int *data, *again;
    cudaEvent_t event;
    cudaStream_t stream;
    EXPECT(read(in, &h, sizeof h) == sizeof h);
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaIpcOpenMemHandle((void **)&data, h.memory, cudaIpcMemLazyEnablePeerAccess));
    OK(cudaIpcOpenMemHandle((void **)&again, h.memory, cudaIpcMemLazyEnablePeerAccess));
    EXPECT(again == data);
    OK(cudaIpcOpenEventHandle(&event, h.event));
    OK(cudaStreamWaitEvent(stream, event, 0));
    add<<<(n + 255) / 256, 256, 0, stream>>>(data, 5);
    OK(cudaGetLastError());
    OK(cudaStreamSynchronize(stream));
    EXPECT(cudaFree(data) == cudaErrorInvalidValue);
    OK(cudaIpcCloseMemHandle(data));
    OK(cudaIpcCloseMemHandle(again));
    EXPECT(cudaIpcCloseMemHandle(data) != cudaSuccess);
    OK(cudaEventDestroy(event));
    OK(cudaStreamDestroy(stream));
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return child(atoi(argv[1]));
    int *other, *data, host[n], status, pipes[2];
    handles h;
    OK(cudaMalloc(&other, 100)); // the memory does not begin with a page
    OK(cudaMalloc(&data, sizeof host));
    OK(cudaMemset(data, 0, sizeof host));
    OK(cudaIpcGetMemHandle(&h.memory, data));
    EXPECT(cudaIpcOpenMemHandle((void **)&other, h.memory, cudaIpcMemLazyEnablePeerAccess) ==
           cudaErrorDeviceUninitialized);
    cudaEvent_t event;
    OK(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
    OK(cudaIpcGetEventHandle(&h.event, event));
    add<<<(n + 255) / 256, 256>>>(data, 2);
    OK(cudaEventRecord(event));
    EXPECT(pipe(pipes) == 0);
    EXPECT(write(pipes[1], &h, sizeof h) == sizeof h);
    pid_t pid = fork();
    if (pid == 0) {
        char in[16];
        snprintf(in, sizeof in, "%d", pipes[0]);
        execl("/proc/self/exe", argv[0], in, (char *)nullptr);
        _exit(1);
    }
    EXPECT(waitpid(pid, &status, 0) == pid);
    EXPECT(status == 0);
    OK(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        EXPECT(host[i] == 7);
    OK(cudaEventDestroy(event));
    OK(cudaFree(data));
    OK(cudaFree(other));
    puts("passed");
}
