/* threads.c: what it costs a thread that others do the same: each of 1 to 8 host threads launches
 * kernels into a stream of its own, launches a graph of its own, or captures and instantiates one.
 * Times are those of the slowest thread, for each kernel that it launched or captured.
 *
 * The simulated device has no contention between host threads, and the clocks of threads that run
 * at the same time know nothing of each other: there they run one after the other, and what a
 * thread takes is what it takes alone. */
#include "bench.h"

#include <pthread.h>

enum { THREADS = 8, NODES = 64, ROUNDS = 8 };

enum task { LAUNCH, RELAUNCH, CAPTURE, INSTANTIATE, TASKS };

struct worker {
    enum task task;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    double us; /* that the task took */
};

static struct worker workers[THREADS];
static int n_threads;
static pthread_barrier_t ready;

static void launch_all(cudaStream_t stream)
{
    for (int i = 0; i < NODES; i++)
        CHECK(launch_empty(1, stream));
}

static cudaGraph_t capture(cudaStream_t stream)
{
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    launch_all(stream);
    CHECK(cudaStreamEndCapture(stream, &graph));
    return graph;
}

static void once(struct worker *w)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    switch (w->task) {
    case LAUNCH:
        launch_all(w->stream);
        break;
    case RELAUNCH:
        CHECK(cudaGraphLaunch(w->exec, w->stream));
        break;
    case CAPTURE:
        graph = capture(w->stream);
        CHECK(cudaGraphDestroy(graph));
        break;
    default:
        CHECK(cudaGraphInstantiate(&exec, w->graph, 0));
        CHECK(cudaGraphExecDestroy(exec));
    }
}

static void *work(void *arg)
{
    struct worker *w = arg;
    CHECK(cudaStreamQuery(w->stream)); /* the runtime learns of a thread in its first call */
    if (!clock_is_virtual())
        pthread_barrier_wait(&ready);
    double t0 = clock_now_us();
    for (int i = 0; i < ROUNDS; i++)
        once(w);
    CHECK(cudaStreamSynchronize(w->stream));
    w->us = bench_since(t0);
    return NULL;
}

static void start(pthread_t *thread, struct worker *w)
{
    if (pthread_create(thread, NULL, work, w) == 0)
        return;
    fprintf(stderr, "threads: the system gives no further thread\n");
    exit(1);
}

static void task(void *which, double *v)
{
    pthread_t threads[THREADS];
    pthread_barrier_init(&ready, NULL, (unsigned)n_threads);
    for (int i = 0; i < n_threads; i++) {
        workers[i].task = (enum task)(size_t)which;
        start(&threads[i], &workers[i]);
        if (clock_is_virtual())
            pthread_join(threads[i], NULL);
    }
    v[0] = 0;
    for (int i = 0; i < n_threads; i++) {
        if (!clock_is_virtual())
            pthread_join(threads[i], NULL);
        if (workers[i].us > v[0])
            v[0] = workers[i].us;
    }
    v[0] /= NODES * ROUNDS;
    pthread_barrier_destroy(&ready);
}

int main(int argc, char **argv)
{
    const struct bench_variant variants[] = {
        {{"stream"}, task, (void *)LAUNCH},
        {{"graph"}, task, (void *)RELAUNCH},
        {{"capture"}, task, (void *)CAPTURE},
        {{"instantiate"}, task, (void *)INSTANTIATE},
    };
    const int step = bench_quick() ? 7 : 1, points = bench_quick() ? 2 : THREADS;
    bench_begin(argc, argv, "threads",
                "threads that each launch, relaunch, capture or instantiate 64 empty kernels",
                "threads", points);
    for (int i = 0; i < THREADS; i++) {
        CHECK(cudaStreamCreateWithFlags(&workers[i].stream, cudaStreamNonBlocking));
        workers[i].graph = capture(workers[i].stream);
        CHECK(cudaGraphInstantiate(&workers[i].exec, workers[i].graph, 0));
    }
    for (n_threads = 1; n_threads <= THREADS; n_threads += step)
        bench_point(n_threads, "us", variants, TASKS);
    return bench_end();
}
