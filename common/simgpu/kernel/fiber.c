/* fiber.c: the stacks of fibers, and the calls that report a switch between them to the address
 * sanitizer. */
#include "fiber.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

#define STRIDE_BYTES (FIBER_STACK_BYTES + FIBER_GUARD_BYTES)
#define COLOURS 40u      /* different places of the first frame */
#define COLOUR_BYTES 64u /* one cache line apart */

/* What fiber_swap takes off a stack: see the order of its pops. */
static void *first_frame(unsigned char *top, void (*entry)(void))
{
#if defined(__x86_64__)
    enum { SAVED = 6 };
    uint64_t *frame = (uint64_t *)(void *)top - (SAVED + 2);
    memset(frame, 0, (SAVED + 2) * sizeof *frame);
    frame[SAVED] = (uintptr_t)entry; /* returned to; above it a 0 that ends backtraces */
#elif defined(__aarch64__)
    enum { SAVED = 20 };
    uint64_t *frame = (uint64_t *)(void *)top - SAVED;
    memset(frame, 0, SAVED * sizeof *frame);
    frame[SAVED - 1] = (uintptr_t)entry; /* x30 */
#else
#error "x86-64 or aarch64 is wanted: add this machine to fiber_swap.S and here"
#endif
    return frame;
}

/* Each guard costs two of the process's mappings, of which Linux allows 65,530. */
enum { MAX_GUARDS = 24 * 1024 };
static atomic_uint n_guards;

unsigned char *fiber_stacks_map(unsigned n)
{
    size_t bytes = n * STRIDE_BYTES;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
    unsigned char *stacks = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (stacks == MAP_FAILED)
        return NULL;
    if (atomic_fetch_add(&n_guards, n) + n > MAX_GUARDS)
        return stacks; /* the rest of a large cooperative grid: the guards are mere gaps */
    for (unsigned i = 0; i < n; i++) {
        if (mprotect(stacks + i * STRIDE_BYTES, FIBER_GUARD_BYTES, PROT_NONE) != 0) {
            munmap(stacks, bytes);
            return NULL;
        }
    }
    return stacks;
}

void fiber_make(struct fiber *fiber, unsigned char *stacks, unsigned k, void (*entry)(void),
                unsigned colour)
{
    memset(fiber, 0, sizeof *fiber);
    fiber->stack = stacks + k * STRIDE_BYTES + FIBER_GUARD_BYTES;
    fiber->entry = entry;
    fiber->colour = colour % COLOURS;
#if defined(__SANITIZE_ADDRESS__)
    fiber->bottom = fiber->stack;
    fiber->bytes = FIBER_STACK_BYTES;
#endif
    fiber_reset(fiber);
}

void fiber_reset(struct fiber *fiber)
{
#if defined(__SANITIZE_ADDRESS__)
    __asan_unpoison_memory_region(fiber->stack, FIBER_STACK_BYTES);
    fiber->fake_stack = NULL;
#endif
    unsigned char *top = fiber->stack + FIBER_STACK_BYTES - fiber->colour * COLOUR_BYTES;
    fiber->sp = first_frame(top, fiber->entry);
}

bool fiber_guard_holds(const struct fiber *fiber, const void *p)
{
    uintptr_t low = (uintptr_t)fiber->stack - FIBER_GUARD_BYTES;
    return (uintptr_t)p - low < FIBER_GUARD_BYTES;
}

#if defined(__SANITIZE_ADDRESS__)
static __thread struct fiber *left; /* the fiber that was switched away from last */

static void arrived(struct fiber *self)
{
    __sanitizer_finish_switch_fiber(self->fake_stack, &left->bottom, &left->bytes);
}

uint64_t fiber_switch(struct fiber *from, struct fiber *to, uint64_t value)
{
    left = from;
    __sanitizer_start_switch_fiber(&from->fake_stack, to->bottom, to->bytes);
    value = fiber_swap(&from->sp, to->sp, value);
    arrived(from);
    return value;
}

void fiber_entered(struct fiber *self)
{
    arrived(self);
}
#endif
