/* freedom.c: what NVIDIA leaves open is drawn from a seed (freedoms.def).
 *
 * A draw is a hash of the seed, the row and a number of the caller's, and no next number of a
 * sequence: so one more operation in one stream leaves what is drawn for the others as it was. */
#include <limits.h>

#include "core.h"

static uint64_t stir(uint64_t x)
{
    x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
    x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return x ^ x >> 32;
}

void freedom_from_env(void)
{
    sim.freedom = (uint64_t)setting_number("SIMGPU_FREEDOM", "", 0, INT_MAX, 0);
}

EXPORT void simgpu_set_freedom(unsigned seed)
{
    struct thread_state *t = thread_self();
    device_lock(t);
    sim.freedom = seed;
    device_unlock(t);
}

uint64_t freedom_bits(enum freedom row, uint64_t of)
{
    return stir(stir(sim.freedom << 8 | row) + of);
}

/* As many are near 100 ns as are near 1 us, 10 us or 100 us: what a program compares may be short
 * or long. */
ns_t freedom_later(enum freedom row, uint64_t of)
{
    enum { LEAST_LOG2 = 6, MOST_LOG2 = 20 };
    const uint64_t bits = freedom_bits(row, of);
    if (bits & 1)
        return 0;
    const ns_t octave = (ns_t)1 << (LEAST_LOG2 + (bits >> 1) % (MOST_LOG2 - LEAST_LOG2));
    return octave + (ns_t)(bits >> 32) % octave;
}
