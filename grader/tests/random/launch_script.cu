/* launch_script.cu: see launch_script.h. */
#include "common/simgpu/kernel.h"

#include "launch_script.h"

static __device__ void note_letter(struct script_log *log, char letter)
{
    int i = atomicAdd(&log->n_letters, 1);
    if (i >= SCRIPT_LETTERS)
        return;
    log->at_ns[i] = device_time_ns();
    log->letters[i] = letter;
}

static __device__ void note_code(struct script_log *log, cudaError_t e)
{
    int i = atomicAdd(&log->n_codes, 1);
    if (i < SCRIPT_CODES)
        log->codes[i] = static_cast<int>(e);
}

static __device__ void take_step(const struct script_step *a, int run, struct script_log *log)
{
    if (run < a->from || run >= a->until)
        return;
    switch (a->verb) {
    case SCRIPT_LOG:
        note_letter(log, a->letter);
        break;
    case SCRIPT_CURRENT:
        log->me = cudaGetCurrentGraphExec();
        break;
    default:
        cudaGraphExec_t what = a->verb == SCRIPT_RELAUNCH ? cudaGetCurrentGraphExec() : a->exec;
        cudaError_t e = cudaGraphLaunch(what, a->stream);
        note_code(log, e);
        if (a->letter)
            note_letter(
                log, static_cast<char>(e == cudaSuccess ? a->letter : a->letter | SCRIPT_REFUSED));
        break;
    }
}

static __global__ void run_script(struct script *script, struct script_log *log, int delay_us)
{
    unsigned long long until = device_time_ns() + 1000ull * static_cast<unsigned>(delay_us);
    while (device_time_ns() < until) {
    }
    int run = script->runs;
    if (blockDim.x > 1) {
        if (static_cast<int>(threadIdx.x) < script->n)
            take_step(&script->steps[threadIdx.x], run, log);
        return;
    }
    script->runs = run + 1;
    for (int i = 0; i < script->n; i++)
        take_step(&script->steps[i], run, log);
}

const void *script_kernel(void)
{
    return reinterpret_cast<const void *>(run_script);
}

/* Nothing that it touches is declared: several kernels write to one log, in order of their ends. */
FOOTPRINT script_footprint(struct simgpu_work *work, const struct simgpu_launch *, struct script *,
                           struct script_log *, int delay_us)
{
    work->delay_us = delay_us;
    work->launches_graphs = 1;
}

DECLARE_KERNEL(run_script, script_footprint, 32);
