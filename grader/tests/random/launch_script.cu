/*
 * script_kernel.cu: the kernel of play.h.
 */
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

static __device__ void do_act(const struct script_step *a, int run, struct script_log *log)
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

static __global__ void play(struct script *part, struct script_log *log, int delay_us)
{
    unsigned long long until = device_time_ns() + 1000ull * static_cast<unsigned>(delay_us);
    while (device_time_ns() < until) {
    }
    int run = part->runs;
    if (blockDim.x > 1) {
        if (static_cast<int>(threadIdx.x) < part->n)
            do_act(&part->steps[threadIdx.x], run, log);
        return;
    }
    part->runs = run + 1;
    for (int i = 0; i < part->n; i++)
        do_act(&part->steps[i], run, log);
}

const void *script_kernel(void)
{
    return reinterpret_cast<const void *>(play);
}

/* Nothing that it touches is declared: several kernels write to one log, in order of their ends. */
FOOTPRINT script_footprint(struct simgpu_work *work, const struct simgpu_launch *, struct script *,
                           struct script_log *, int delay_us)
{
    work->delay_us = delay_us;
    work->launches_graphs = 1;
}

DECLARE_KERNEL(play, script_footprint, 32);
