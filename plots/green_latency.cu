/* green_latency.cu: kernels of two green contexts at the same time, and a latency-critical stream
 * beside a batch stream, in green contexts and with priorities. */
#include "green_contexts.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <vector>

static double now_us(void)
{
    using namespace std::chrono;
    return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

/* ---- part 4: kernels of two contexts at the same time ---------------------------------------- */

static double time_both(cudaStream_t s, int blocks_s, cudaStream_t t, int blocks_t)
{
    double best = 1e9;
    for (int i = 0; i < 10; i++) {
        CHECK(cudaDeviceSynchronize());
        const double begin_us = now_us();
        if (blocks_s)
            spin_us(blocks_s, 1024, 500, s);
        if (blocks_t)
            spin_us(blocks_t, 1024, 500, t);
        CHECK(cudaDeviceSynchronize());
        best = std::min(best, now_us() - begin_us);
    }
    return best;
}

void ask_both(struct partition *group, struct partition *rest)
{
    cudaStream_t s = stream_of(group->context, 0), t = stream_of(rest->context, 0), u, v;
    CHECK(cudaStreamCreateWithFlags(&u, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&v, cudaStreamNonBlocking));
    /* two blocks of 1,024 threads fill an SM */
    int full_s = 2 * (int)group->sms.sm.smCount, full_t = 2 * (int)rest->sms.sm.smCount;
    say("both", "blocks of 500 us, one wave in the group alone, us",
        number(time_both(s, full_s, t, 0)));
    say("both", "one wave in the rest alone, us", number(time_both(s, 0, t, full_t)));
    say("both", "one wave in each, us", number(time_both(s, full_s, t, full_t)));
    say("both", "four waves in the group, one in the rest, us",
        number(time_both(s, 4 * full_s, t, full_t)));
    say("both", "the same blocks in two ordinary streams, us",
        number(time_both(u, 4 * full_s, v, full_t)));
    for (cudaStream_t each : {s, t, u, v})
        CHECK(cudaStreamDestroy(each));
}

/* ---- part 5: a latency-critical stream beside a batch stream --------------------------------- */

struct setting {
    const char *name;
    cudaStream_t critical, batch; /* batch 0: the GPU is idle */
};

static double percentile(std::vector<double> &sorted, double share)
{
    return sorted.empty() ? 0
                          : sorted[std::min(sorted.size() - 1, (size_t)(share * sorted.size()))];
}

static void measure(const struct setting *c, double block_us, int critical_blocks)
{
    const double batch_ms = 400;
    const int n_kernels = 100;
    const int resident = 2 * n_sms;
    const int waves = std::max(1, (int)(batch_ms * 1e3 / n_kernels / block_us));
    std::mt19937 random(1);
    std::uniform_real_distribution<double> pause_us(50, 350);
    std::vector<double> latencies;
    cudaEvent_t begin, end;
    float ms = 0;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    spin_us(critical_blocks, 256, 10, c->critical);
    CHECK(cudaDeviceSynchronize());
    const double started_us = now_us();
    int n = (int)std::max(1.0, std::min((double)n_kernels, batch_ms * 1e3 / waves / block_us));
    if (c->batch) {
        CHECK(cudaEventRecord(begin, c->batch));
        for (int i = 0; i < n; i++)
            spin_us(waves * resident, 1024, block_us, c->batch);
        CHECK(cudaEventRecord(end, c->batch));
    }
    while (c->batch ? cudaEventQuery(end) == cudaErrorNotReady
                    : now_us() - started_us < batch_ms * 1e3) {
        const double until_us = now_us() + pause_us(random);
        while (now_us() < until_us)
            ;
        const double asked_us = now_us();
        spin_us(critical_blocks, 256, 10, c->critical);
        CHECK(cudaStreamSynchronize(c->critical));
        latencies.push_back(now_us() - asked_us);
    }
    CHECK(cudaDeviceSynchronize());
    if (c->batch)
        CHECK(cudaEventElapsedTime(&ms, begin, end));
    std::sort(latencies.begin(), latencies.end());
    printf("latency\t%s, batch blocks of %.0f us, critical kernel of %d blocks\t%zu requests; "
           "latency us: 50 %% %.1f, 90 %% %.1f, 99 %% %.1f, max %.1f; batch blocks per ms %.1f\n",
           c->name, block_us, critical_blocks, latencies.size(), percentile(latencies, 0.5),
           percentile(latencies, 0.9), percentile(latencies, 0.99),
           latencies.empty() ? 0 : latencies.back(),
           c->batch ? (double)n * waves * resident / ms : 0.0);
    fflush(stdout);
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
}

void ask_latency(struct partition *group, struct partition *rest)
{
    int least, greatest;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    say("latency", "priorities, least and greatest", number(least) + ", " + number(greatest));
    say("latency", "SMs of the critical context, of the batch context",
        number(group->sms.sm.smCount) + ", " + number(rest->sms.sm.smCount));
    cudaStream_t plain, urgent, batch;
    CHECK(cudaStreamCreateWithPriority(&plain, cudaStreamNonBlocking, least));
    CHECK(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, greatest));
    CHECK(cudaStreamCreateWithPriority(&batch, cudaStreamNonBlocking, least));
    cudaStream_t green = stream_of(group->context, least),
                 green_batch = stream_of(rest->context, least);
    cudaStream_t green_urgent = stream_of(group->context, greatest);
    const struct setting settings[] = {
        {"idle GPU", plain, 0},
        {"idle GPU, critical in a green context", green, 0},
        {"two streams of one priority", plain, batch},
        {"critical stream of the greatest priority", urgent, batch},
        {"two green contexts", green, green_batch},
        {"only the batch in a green context", plain, green_batch},
        {"only the batch in a green context, critical of the greatest priority", urgent,
         green_batch},
        {"critical in a green context of the greatest priority, batch everywhere", green_urgent,
         batch},
    };
    for (double block_us : {50.0, 500.0, 5000.0})
        for (int blocks : {8, (int)group->sms.sm.smCount * 8, 8 * n_sms})
            for (const struct setting &c : settings)
                if (c.batch || block_us == 50.0)
                    measure(&c, block_us, blocks);
    for (cudaStream_t each : {plain, urgent, batch, green, green_batch, green_urgent})
        CHECK(cudaStreamDestroy(each));
}
