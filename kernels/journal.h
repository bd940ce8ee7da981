/* journal.h: device code that runs for a given time, and that writes the journal (handlers.h). */
#ifndef JOURNAL_H
#define JOURNAL_H

#include "handlers.h"
#include "simgpu/kernel.h"

/* Returns `us` microseconds after begun_ns. */
static inline __device__ void work_until(unsigned long long begun_ns, float us)
{
    while (static_cast<float>(device_time_ns() - begun_ns) < us * 1e3f)
        continue;
}

static inline __device__ void enter(struct journal *journal, int number, int type,
                                    unsigned long long begun_ns)
{
    int at = atomicAdd(&journal->n, 1);
    if (at >= JOURNAL_ENTRIES)
        return;
    struct journal_entry *entry = &journal->entries[at];
    entry->number = number;
    entry->type = type;
    entry->begun_ns = begun_ns;
    entry->done_ns = device_time_ns();
}

#endif
