/* Memory and events of another process */
#include <sys/wait.h>
#include <unistd.h>

#include "myth.h"

enum { VALUE = 42 };

struct handles {
    cudaIpcMemHandle_t memory;
    cudaIpcEventHandle_t event;
};

static void must(int is_so, const char *words)
{
    if (!is_so) {
        perror(words);
        exit(1);
    }
}

/* Makes both, fills the memory, and keeps them until the other process is done with them. */
static void exporter(int to, int done)
{
    struct handles h;
    char *p, end;
    cudaEvent_t filled;
    void *opened;
    cudaStream_t stream = new_stream();
    CHECK(cudaMalloc((void **)&p, 1));
    CHECK(cudaEventCreateWithFlags(&filled, cudaEventInterprocess | cudaEventDisableTiming));
    CHECK(cudaIpcGetMemHandle(&h.memory, p));
    CHECK(cudaIpcGetEventHandle(&h.event, filled));
    CHECK(cudaMemsetAsync(p, VALUE, 1, stream));
    CHECK(cudaEventRecord(filled, stream));
    must(write(to, &h, sizeof h) == sizeof h, "write");
    must(read(done, &end, 1) == 0, "read"); /* the end of the other process */
    printf(
        "opened in the process that made it: %s\n",
        cudaGetErrorName(cudaIpcOpenMemHandle(&opened, h.memory, cudaIpcMemLazyEnablePeerAccess)));
    CHECK(cudaStreamSynchronize(stream));
}

static void importer(int from)
{
    struct handles h;
    char value = 0;
    void *p;
    cudaEvent_t filled;
    cudaStream_t stream = new_stream();
    must(read(from, &h, sizeof h) == sizeof h, "read");
    CHECK(cudaIpcOpenMemHandle(&p, h.memory, cudaIpcMemLazyEnablePeerAccess));
    CHECK(cudaIpcOpenEventHandle(&filled, h.event));
    CHECK(cudaStreamWaitEvent(stream, filled, 0)); /* on the device */
    CHECK(cudaMemcpyAsync(&value, p, 1, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    printf("the other process reads %d\n", value);
    CHECK(cudaEventDestroy(filled));
    CHECK(cudaIpcCloseMemHandle(p));
}

int main(void)
{
    int handles[2], done[2], status;
    must(pipe(handles) == 0 && pipe(done) == 0, "pipe");
    const pid_t child = fork(); /* before the first call of CUDA */
    must(child >= 0, "fork");
    close(done[child ? 1 : 0]);
    if (child == 0) {
        importer(handles[0]);
        return 0;
    }
    exporter(handles[1], done[0]);
    must(waitpid(child, &status, 0) == child && status == 0, "the other process");
    return 0;
}
