/* cost_recorded.c: the duration of a block of a kernel without a declaration, from the counts of
 * its recording. cost.c has the rest of its time. */
#include <math.h>

#include "sim.h"

double cost_l2_bytes(void)
{
    return sim.profile.l2_bytes;
}

double cost_block_us(const struct kernel_call *k, int blocks_per_sm, const struct block_work *w)
{
    const struct profile *p = &sim.profile;
    const struct simgpu_dim *g = &k->launch.grid;
    double blocks = (double)g->x * g->y * g->z, waves = ceil(blocks / blocks_per_sm / p->sm_count);
    double together = ceil(blocks / waves / p->sm_count);
    double wait_us = w->waits * p->memory_wait_us + (waves > 1 ? p->block_us : 0);
    double lines_us = together * w->lines * 1e3 / p->clock_khz;
    double atomics_us = w->atomics_in_turn * p->atomic_us / waves;
    return fmax(wait_us, fmax(lines_us, atomics_us));
}
