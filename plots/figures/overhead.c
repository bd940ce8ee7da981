/* overhead.c: how much of the time that three kernels of 2 us take is overhead: by stream and as a
 * graph, until the host knows that they are done, and on the device alone (between two events
 * around work that was queued while the device was busy, less what the events take without it). */
#include "bench.h"
#include "chain.h"

static struct chain chain = {3, 1, 2, 1};
static cudaGraphExec_t exec;

static void launch_graph(void)
{
    CHECK(cudaGraphLaunch(exec, chain_stream()));
}

static void launch_stream(void)
{
    chain_launch(&chain);
}

static void launch_nothing(void)
{
}

static void until_done(void *launch, double *v)
{
    double t0 = clock_now_us();
    (*(void (**)(void))launch)();
    chain_wait();
    v[0] = bench_since(t0);
}

static void on_device(void *launch, double *v)
{
    v[0] = bench_device_us(60, *(void (**)(void))launch, chain_stream());
}

int main(int argc, char **argv)
{
    void (*graph)(void) = launch_graph, (*stream)(void) = launch_stream,
         (*nothing)(void) = launch_nothing;
    const struct bench_variant variants[] = {
        {{"stream.total"}, until_done, &stream},   {{"graph.total"}, until_done, &graph},
        {{"stream.events"}, on_device, &stream},   {{"graph.events"}, on_device, &graph},
        {{"nothing.events"}, on_device, &nothing},
    };
    bench_begin(argc, argv, "overhead", "three kernels of 2 us, by stream and as a graph",
                "length of each kernel, us", 1);
    chain_begin();
    exec = chain_instantiate(&chain);
    bench_point(chain.us, "us", variants, 5);
    return bench_end();
}
