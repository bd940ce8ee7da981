/* conditional_kernels.cu: the kernels of conditional_program.c. */
#include "conditional_kernels.h"
#include "common/simgpu/kernel.h"
#include "grader/tests/simgpu/kernel_entry.h"

/* ---- kernels --------------------------------------------------------------------------------- */

static __device__ void add(struct conditional_log *log, int letter)
{
    log->hash = log->hash * 31 + (unsigned)letter;
    if (log->n++ < LOG_LETTERS)
        log->letters[log->n - 1] = (char)letter;
}

static __global__ void write(struct conditional_log *log, int letter)
{
    add(log, letter);
}

static __global__ void one_round(struct conditional_log *log, int letter, unsigned *runs, int most,
                                 cudaGraphConditionalHandle h)
{
    add(log, letter);
    cudaGraphSetConditional(h, ++*runs % (unsigned)most != 0);
}

static __global__ void turn(struct conditional_log *log, int letter, unsigned *runs, int modulo,
                            cudaGraphConditionalHandle h)
{
    add(log, letter);
    cudaGraphSetConditional(h, (*runs)++ % (unsigned)modulo);
}

static __global__ void read(struct conditional_log *log, const unsigned *cell)
{
    add(log, (int)('0' + (*cell & 7)));
}

static __global__ void sum(unsigned *to, unsigned more)
{
    atomicAdd(to, more);
}

static __global__ void change(cudaGraphDeviceNode_t node, unsigned *runs, int what,
                              struct conditional_log *log)
{
    unsigned n = (*runs)++;
    cudaError_t e;
    if (what == 0)
        e = cudaGraphKernelNodeSetEnabled(node, n % 2 != 0);
    else if (what == 1)
        e = cudaGraphKernelNodeSetGridDim(node, dim3(1 + n % 3, 1, 1));
    else
        e = cudaGraphKernelNodeSetParam(node, sizeof(unsigned *), n);
    add(log, e == cudaSuccess ? '+' : '-');
}

/* ---- their entries --------------------------------------------------------------------------- */

KERNEL_ENTRY(conditional_write, write)
KERNEL_ENTRY(conditional_round, one_round)
KERNEL_ENTRY(conditional_turn, turn)
KERNEL_ENTRY(conditional_read, read)
KERNEL_ENTRY(conditional_sum, sum)
KERNEL_ENTRY(conditional_change, change)

/* ---- declared footprints --------------------------------------------------------------------- */

FOOTPRINT write_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                          struct conditional_log *log, int)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, log, 1);
}

FOOTPRINT counted_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                            struct conditional_log *log, int, unsigned *runs, int,
                            cudaGraphConditionalHandle)
{
    work->dram_bytes = 16; /* a few words of the log */
    simgpu_touch(work, SIMGPU_READ_WRITE, log, 1);
    simgpu_touch(work, SIMGPU_READ_WRITE, runs, 1);
}

FOOTPRINT read_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                         struct conditional_log *log, const unsigned *cell)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, log, 1);
    simgpu_touch(work, SIMGPU_READ, cell, 1);
}

FOOTPRINT sum_footprint(struct simgpu_work *work, const struct simgpu_launch *, unsigned *to,
                        unsigned)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, to, 1);
}

FOOTPRINT change_footprint(struct simgpu_work *work, const struct simgpu_launch *,
                           cudaGraphDeviceNode_t, unsigned *runs, int, struct conditional_log *log)
{
    simgpu_touch(work, SIMGPU_READ_WRITE, runs, 1);
    simgpu_touch(work, SIMGPU_READ_WRITE, log, 1);
}

DECLARE_KERNEL(write, write_footprint, 10);
DECLARE_KERNEL(one_round, counted_footprint, 12);
DECLARE_KERNEL(turn, counted_footprint, 12);
DECLARE_KERNEL(read, read_footprint, 10);
DECLARE_KERNEL(sum, sum_footprint, 10);
DECLARE_KERNEL(change, change_footprint, 16);
