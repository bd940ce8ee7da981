/* fiber.h: a separate stack for code that must be able to stop in the middle, and the switch
 * between two stacks. */
#ifndef FIBER_H
#define FIBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

/* Usable bytes of a stack, and of the guard below it; multiples of any page size. */
#if defined(__SANITIZE_ADDRESS__)
#define FIBER_SANITIZED 1
#define FIBER_STACK_BYTES ((size_t)192 * 1024) /* its frames are several times as large */
#else
#define FIBER_SANITIZED 0
#define FIBER_STACK_BYTES ((size_t)64 * 1024)
#endif
#define FIBER_GUARD_BYTES ((size_t)64 * 1024) /* a large frame must not step over it */

struct fiber {
    void *sp;             /* where it stopped; all else that it needs is on its stack */
    unsigned char *stack; /* lowest usable byte. NULL: a host thread's own stack */
    void (*entry)(void);  /* where it starts; never returns */
    unsigned colour;      /* moves the first frame, lest all stacks share a few cache sets */
#if defined(__SANITIZE_ADDRESS__)
    void *fake_stack;   /* the sanitizer's own state of a stopped fiber */
    const void *bottom; /* bounds of the stack, for the sanitizer */
    size_t bytes;       /* from the bottom up */
#endif
};

/* One mapping with a stack and a guard for each of `n` fibers; NULL when memory is short. */
unsigned char *fiber_stacks_map(unsigned n);

/* Gives the fiber the k-th stack of a mapping. It will start at `entry`; fibers of unlike colour
 * share fewer cache sets. */
void fiber_make(struct fiber *fiber, unsigned char *stacks, unsigned k, void (*entry)(void),
                unsigned colour);

/* The fiber will start at its entry again, whatever it was doing. */
void fiber_reset(struct fiber *fiber);

/* It will be switched to soon: brings the end of its stack near. */
static inline void fiber_prefetch(const struct fiber *fiber)
{
    const char *frame = (const char *)fiber->sp;
    __builtin_prefetch(frame);
    __builtin_prefetch(frame + 64);
    __builtin_prefetch(frame + 128);
}

/* True where p lies in the guard below the fiber's stack. */
bool fiber_guard_holds(const struct fiber *fiber, const void *p);

/* fiber_swap.S: stores the stack pointer at *save and continues where `load` was stored: there it
 * returns `value`. The second is faster between fibers that take turns, and slows what called it.
 */
uint64_t fiber_swap(void **save, void *load, uint64_t value);
uint64_t fiber_swap_turn(void **save, void *load, uint64_t value);

/* `to` goes on; its call of one of these returns `value`. Returns once another one switches back.
 * fiber_turn: by fiber_swap_turn. */
#if defined(__SANITIZE_ADDRESS__)
uint64_t fiber_switch(struct fiber *from, struct fiber *to, uint64_t value);
#define fiber_turn fiber_switch
void fiber_entered(struct fiber *self); /* the first thing that an entry does */
#else
static inline uint64_t fiber_switch(struct fiber *from, struct fiber *to, uint64_t value)
{
    return fiber_swap(&from->sp, to->sp, value);
}

static inline uint64_t fiber_turn(struct fiber *from, struct fiber *to, uint64_t value)
{
    return fiber_swap_turn(&from->sp, to->sp, value);
}

static inline void fiber_entered(struct fiber *self)
{
    (void)self;
}
#endif

#endif
