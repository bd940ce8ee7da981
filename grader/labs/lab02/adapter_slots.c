/* adapter_slots.c: notes where produce writes, see slots.h. */
#include "kernels/kernels.h"
#include "slots.h"

enum { MOST_SLOTS = 64 };

static struct {
    const void *at[MOST_SLOTS];
    int n;
} used;

void slots_forget(void)
{
    used.n = 0;
}

int slots_used(void)
{
    return used.n;
}

static void note(const void *slot)
{
    for (int i = 0; i < used.n; i++)
        if (used.at[i] == slot)
            return;
    if (used.n < MOST_SLOTS)
        used.at[used.n++] = slot;
}

void slots_before_call(struct subject_call *call)
{
    if (call->function == CALL_cudaLaunchKernel && call->kernel == kernel_produce())
        note(*(void **)call->arguments[0]);
}
