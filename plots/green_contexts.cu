/* green_contexts.cu: what green contexts are on this GPU, and what they do for a latency-critical
 * stream beside a batch stream, compared with stream priorities. make green runs it;
 * labs/GREEN_CONTEXTS.md explains the answers.
 *
 * A green context owns a group of SMs. The runtime has them since CUDA 13.1, the driver since 12.4:
 * this program asks the driver for its functions, so any driver since 550 will do. Each line of the
 * output is: part, question, answer. Exit status 1: this driver has no green contexts. */
#include "green_contexts.h"

#include <algorithm>
#include <set>
#include <vector>

/* ---- the driver's functions, found by name: the program needs no libcuda to link ------------- */

#define DEFINE(name) decltype(&name) p_##name;
FUNCTIONS(DEFINE)

static bool find(const char *name, void **function)
{
    cudaDriverEntryPointQueryResult result;
    return cudaGetDriverEntryPointByVersion(name, function, 12080, cudaEnableDefault, &result) ==
               cudaSuccess &&
           result == cudaDriverEntryPointSuccess;
}

static bool find_all(void)
{
    bool all = true;
#define FIND(name)                                                                                 \
    if (!find(#name, (void **)&p_##name)) {                                                        \
        fprintf(stderr, "this driver has no %s\n", #name);                                         \
        all = false;                                                                               \
    }
    FUNCTIONS(FIND)
    return all;
}

static const char *name_of(CUresult error)
{
    const char *name = "?";
    p_cuGetErrorName(error, &name);
    return name;
}

void say(const char *part, const std::string &question, const std::string &answer)
{
    printf("%s\t%s\t%s\n", part, question.c_str(), answer.c_str());
    fflush(stdout);
}

std::string number(double value, const char *format)
{
    char text[64];
    snprintf(text, sizeof text, format, value);
    return text;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* Each block takes `cycles` of its SM's clock. */
__global__ void spin(long long cycles)
{
    long long begin = clock64();
    while (clock64() - begin < cycles)
        ;
}

/* The same, and each block writes on which SM it was. */
__global__ void where(unsigned *sm, long long cycles)
{
    if (threadIdx.x == 0)
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm[blockIdx.x]));
    long long begin = clock64();
    while (clock64() - begin < cycles)
        ;
}

int n_sms;
static double cycles_per_us;

static long long us(double time)
{
    return (long long)(time * cycles_per_us);
}

void spin_us(int blocks, int threads, double time, cudaStream_t stream)
{
    spin<<<blocks, threads, 0, stream>>>(us(time));
}

/* How many cycles of the SM's clock a microsecond has now, under load. */
static double measure_clock(void)
{
    const long long cycles = 20000000;
    float ms = 0;
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    for (int i = 0; i < 5; i++) {
        CHECK(cudaEventRecord(begin));
        spin<<<n_sms, 1024>>>(cycles);
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        CHECK(cudaEventElapsedTime(&ms, begin, end));
    }
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    return cycles / (ms * 1e3);
}

/* ---- partitions ------------------------------------------------------------------------------ */

static CUdevResource all_sms(void)
{
    CUdevResource all;
    CHECK_DRIVER(p_cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM));
    return all;
}

static CUgreenCtx make_context(CUdevResource *sms)
{
    CUdevResourceDesc description;
    CUgreenCtx context;
    CHECK_DRIVER(p_cuDevResourceGenerateDesc(&description, sms, 1));
    CHECK_DRIVER(p_cuGreenCtxCreate(&context, description, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    return context;
}

/* One group of at least `count` SMs, and all others. */
static void split(unsigned count, struct partition *group, struct partition *rest)
{
    CUdevResource all = all_sms();
    unsigned n = 1;
    CHECK_DRIVER(p_cuDevSmResourceSplitByCount(&group->sms, &n, &all, &rest->sms, 0, count));
    group->context = make_context(&group->sms);
    rest->context = make_context(&rest->sms);
}

cudaStream_t stream_of(CUgreenCtx context, int priority)
{
    CUstream stream;
    CHECK_DRIVER(p_cuGreenCtxStreamCreate(&stream, context, CU_STREAM_NON_BLOCKING, priority));
    return stream;
}

/* ---- part 1: which partitions this GPU can have ---------------------------------------------- */

static void ask_partitions(void)
{
    CUdevResource all = all_sms();
    say("partitions", "SMs", number(all.sm.smCount));
    for (unsigned flag : {0u, (unsigned)CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING}) {
        for (unsigned count :
             {1u, 2u, 4u, 7u, 8u, 12u, 16u, 17u, 32u, 64u, 66u, 100u, (unsigned)n_sms}) {
            std::vector<CUdevResource> groups(n_sms);
            CUdevResource rest{};
            unsigned n = 0;
            CUresult error = p_cuDevSmResourceSplitByCount(nullptr, &n, &all, nullptr, flag, count);
            std::string question = std::string(flag ? "co-scheduling ignored, " : "") +
                                   "groups of at least " + number(count) + " SMs";
            if (error == CUDA_SUCCESS && n > 0)
                error = p_cuDevSmResourceSplitByCount(groups.data(), &n, &all, &rest, flag, count);
            if (error != CUDA_SUCCESS)
                say("partitions", question, name_of(error));
            else
                say("partitions", question,
                    number(n) + " groups of " + number(n ? groups[0].sm.smCount : 0) + ", " +
                        number(rest.type == CU_DEV_RESOURCE_TYPE_SM ? rest.sm.smCount : 0) +
                        " left");
        }
    }
    unsigned n = 1;
    CUdevResource group, rest, again;
    say("partitions", "groups of more SMs than there are",
        name_of(p_cuDevSmResourceSplitByCount(&group, &n, &all, &rest, 0, n_sms + 1)));
    n = 1;
    CHECK_DRIVER(p_cuDevSmResourceSplitByCount(&group, &n, &all, &rest, 0, 16));
    n = 1;
    say("partitions", "a group is split again, without a context of its own",
        name_of(p_cuDevSmResourceSplitByCount(&again, &n, &group, nullptr, 0, 8)));
    CUgreenCtx context = make_context(&group);
    CHECK_DRIVER(p_cuGreenCtxGetDevResource(context, &group, CU_DEV_RESOURCE_TYPE_SM));
    n = 1;
    say("partitions", "the SMs of a green context are split again",
        name_of(p_cuDevSmResourceSplitByCount(&again, &n, &group, nullptr, 0, 8)));
    CHECK_DRIVER(p_cuGreenCtxDestroy(context));
}

/* ---- part 2: the streams of a context -------------------------------------------------------- */

static std::set<unsigned> sms_of(const std::vector<unsigned> &blocks)
{
    return std::set<unsigned>(blocks.begin(), blocks.end());
}

static std::vector<unsigned> fetch(const unsigned *device, int n)
{
    std::vector<unsigned> host(n);
    CHECK(cudaMemcpy(host.data(), device, n * sizeof *device, cudaMemcpyDeviceToHost));
    return host;
}

static int n_common(const std::set<unsigned> &a, const std::set<unsigned> &b)
{
    return (int)std::count_if(a.begin(), a.end(), [&](unsigned sm) { return b.count(sm) > 0; });
}

static void ask_streams(struct partition *group, struct partition *rest)
{
    const int blocks = 8 * n_sms;
    unsigned *a, *b;
    CHECK(cudaMalloc(&a, blocks * sizeof *a));
    CHECK(cudaMalloc(&b, blocks * sizeof *b));
    cudaStream_t s = stream_of(group->context, 0), t = stream_of(rest->context, 0), plain;
    CHECK(cudaStreamCreateWithFlags(&plain, cudaStreamNonBlocking));
    where<<<blocks, 1024, 0, s>>>(a, us(20));
    where<<<blocks, 1024, 0, t>>>(b, us(20));
    CHECK(cudaDeviceSynchronize());
    std::set<unsigned> in_a = sms_of(fetch(a, blocks)), in_b = sms_of(fetch(b, blocks));
    say("streams", "SMs of the group, SMs that its stream's kernel ran on",
        number(group->sms.sm.smCount) + ", " + number(in_a.size()));
    say("streams", "SMs of the rest, SMs that its stream's kernel ran on",
        number(rest->sms.sm.smCount) + ", " + number(in_b.size()));
    say("streams", "SMs that both kernels ran on", number(n_common(in_a, in_b)));
    where<<<blocks, 1024, 0, plain>>>(a, us(20));
    CHECK(cudaDeviceSynchronize());
    say("streams", "SMs that a kernel in an ordinary stream ran on",
        number(sms_of(fetch(a, blocks)).size()));

    CUstream refused;
    say("streams", "a stream that is not non-blocking",
        name_of(p_cuGreenCtxStreamCreate(&refused, group->context, CU_STREAM_DEFAULT, 0)));
    CUgreenCtx of = nullptr;
    CHECK_DRIVER(p_cuStreamGetGreenCtx(s, &of));
    say("streams", "cuStreamGetGreenCtx of a context's stream gives the context",
        of == group->context ? "yes" : "no");
    CHECK_DRIVER(p_cuStreamGetGreenCtx(plain, &of));
    say("streams", "cuStreamGetGreenCtx of an ordinary stream", of ? "a context" : "none");

    CUcontext primary, current;
    cudaStream_t made;
    CHECK_DRIVER(p_cuCtxGetCurrent(&primary));
    CHECK_DRIVER(p_cuCtxFromGreenCtx(&current, group->context));
    CHECK_DRIVER(p_cuCtxSetCurrent(current));
    CHECK(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking));
    where<<<blocks, 1024, 0, made>>>(a, us(20));
    CHECK(cudaStreamSynchronize(made));
    say("streams", "cudaStreamCreateWithFlags while the green context is current: its kernel's SMs",
        number(sms_of(fetch(a, blocks)).size()));
    CHECK(cudaStreamDestroy(made));
    CHECK_DRIVER(p_cuCtxSetCurrent(primary));

    cudaEvent_t e;
    CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    where<<<blocks, 1024, 0, s>>>(a, us(200));
    say("streams", "cuGreenCtxRecordEvent, cuGreenCtxWaitEvent",
        std::string(name_of(p_cuGreenCtxRecordEvent(group->context, e))) + ", " +
            name_of(p_cuGreenCtxWaitEvent(rest->context, e)));
    say("streams", "the event of a context while its stream works",
        cudaGetErrorName(cudaEventQuery(e)));
    where<<<1, 32, 0, t>>>(b, 0);
    say("streams", "a stream of the context that waits for it",
        cudaGetErrorName(cudaStreamQuery(t)));
    CHECK(cudaDeviceSynchronize());
    say("streams", "after cudaDeviceSynchronize: both streams are done",
        cudaStreamQuery(s) == cudaSuccess && cudaStreamQuery(t) == cudaSuccess ? "yes" : "no");

    struct partition first, second, rest_1, rest_2;
    split(16, &first, &rest_1);
    split(16, &second, &rest_2);
    cudaStream_t s1 = stream_of(first.context, 0), s2 = stream_of(second.context, 0);
    where<<<blocks, 1024, 0, s1>>>(a, us(20));
    where<<<blocks, 1024, 0, s2>>>(b, us(20));
    CHECK(cudaDeviceSynchronize());
    say("streams", "two contexts of two separate splits: SMs that both have",
        number(n_common(sms_of(fetch(a, blocks)), sms_of(fetch(b, blocks)))));
    struct partition gone, others;
    split(16, &gone, &others);
    cudaStream_t left = stream_of(gone.context, 0);
    say("streams", "cuGreenCtxDestroy while a stream of the context exists",
        name_of(p_cuGreenCtxDestroy(gone.context)));
    where<<<1, 32, 0, left>>>(a, 0);
    say("streams", "a launch in a stream whose context is destroyed",
        cudaGetErrorName(cudaGetLastError()));
    say("streams", "cudaDeviceSynchronize after it", cudaGetErrorName(cudaDeviceSynchronize()));
    say("streams", "that stream is destroyed", cudaGetErrorName(cudaStreamDestroy(left)));
    cudaGetLastError();
    CHECK_DRIVER(p_cuGreenCtxDestroy(others.context));
    for (cudaStream_t each : {s1, s2, s, t, plain})
        CHECK(cudaStreamDestroy(each));
    for (struct partition *p : {&first, &second, &rest_1, &rest_2})
        CHECK_DRIVER(p_cuGreenCtxDestroy(p->context));
    CHECK(cudaEventDestroy(e));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
}

/* ---- part 3: capture ------------------------------------------------------------------------- */

static void ask_capture(struct partition *group, struct partition *rest)
{
    const int blocks = 8 * n_sms;
    unsigned *a, *b;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaEvent_t fork, join, event;
    CHECK(cudaMalloc(&a, blocks * sizeof *a));
    CHECK(cudaMalloc(&b, blocks * sizeof *b));
    for (cudaEvent_t *e : {&fork, &join, &event})
        CHECK(cudaEventCreateWithFlags(e, cudaEventDisableTiming));
    cudaStream_t s = stream_of(group->context, 0), t = stream_of(rest->context, 0), plain;
    CHECK(cudaStreamCreateWithFlags(&plain, cudaStreamNonBlocking));

    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    CHECK(cudaEventRecord(fork, s));
    CHECK(cudaStreamWaitEvent(t, fork));
    where<<<blocks, 1024, 0, s>>>(a, us(20));
    where<<<blocks, 1024, 0, t>>>(b, us(20));
    CHECK(cudaEventRecord(join, t));
    CHECK(cudaStreamWaitEvent(s, join));
    say("capture", "a capture over streams of two contexts",
        cudaGetErrorName(cudaStreamEndCapture(s, &graph)));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    struct {
        const char *name;
        cudaStream_t stream;
    } launches[] = {
        {"the group's stream", s}, {"the rest's stream", t}, {"an ordinary stream", plain}};
    for (auto &launch : launches) {
        cudaError_t error = cudaGraphLaunch(exec, launch.stream);
        if (error == cudaSuccess)
            error = cudaStreamSynchronize(launch.stream);
        std::set<unsigned> in_a = sms_of(fetch(a, blocks)), in_b = sms_of(fetch(b, blocks));
        say("capture", std::string("launched in ") + launch.name + ": SMs of the two nodes, common",
            error == cudaSuccess ? number(in_a.size()) + ", " + number(in_b.size()) + ", " +
                                       number(n_common(in_a, in_b))
                                 : cudaGetErrorName(error));
    }
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));

    CHECK(cudaStreamBeginCapture(plain, cudaStreamCaptureModeThreadLocal));
    where<<<blocks, 1024, 0, plain>>>(a, us(20));
    CHECK(cudaStreamEndCapture(plain, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaStreamSynchronize(s));
    say("capture", "captured in an ordinary stream, launched in the group's: SMs of the node",
        number(sms_of(fetch(a, blocks)).size()));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));

    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    where<<<1, 32, 0, s>>>(a, 0);
    say("capture", "cuGreenCtxRecordEvent during a capture of the context's stream",
        name_of(p_cuGreenCtxRecordEvent(group->context, event)));
    say("capture", "the end of that capture", cudaGetErrorName(cudaStreamEndCapture(s, &graph)));
    cudaGetLastError();
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    where<<<1, 32, 0, s>>>(a, 0);
    CHECK(cudaEventRecord(event, plain));
    say("capture", "cuGreenCtxWaitEvent during a capture of the context's stream",
        name_of(p_cuGreenCtxWaitEvent(group->context, event)));
    say("capture", "the end of that capture", cudaGetErrorName(cudaStreamEndCapture(s, &graph)));
    cudaGetLastError();
    for (cudaStream_t each : {s, t, plain})
        CHECK(cudaStreamDestroy(each));
    for (cudaEvent_t each : {fork, join, event})
        CHECK(cudaEventDestroy(each));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
}

int main(void)
{
    cudaDeviceProp properties;
    int driver, runtime;
    CHECK(cudaSetDevice(0));
    CHECK(cudaFree(0));
    CHECK(cudaGetDeviceProperties(&properties, 0));
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    n_sms = properties.multiProcessorCount;
    cycles_per_us = measure_clock();
    say("machine", "GPU", properties.name);
    say("machine", "compute capability", number(properties.major) + "." + number(properties.minor));
    say("machine", "CUDA of the driver, of the runtime", number(driver) + ", " + number(runtime));
    say("machine", "SM clock, MHz", number(cycles_per_us));
    if (!find_all())
        return 1;

    CUdevResource all = all_sms();
    struct partition group, rest;
    say("machine", "SMs", number(all.sm.smCount));
    ask_partitions();
    split(16, &group, &rest);
    ask_both(&group, &rest);
    ask_latency(&group, &rest);
    ask_capture(&group, &rest);
    ask_streams(&group, &rest); /* last: it uses a stream whose context is gone */
    CHECK_DRIVER(p_cuGreenCtxDestroy(group.context));
    CHECK_DRIVER(p_cuGreenCtxDestroy(rest.context));
    return 0;
}
