/* heap.c: what a mistake finds in the heap is the same on every machine. Fresh memory and freed
 * memory hold a pattern that is neither an address nor a sensible number, and a freed block is not
 * used again soon. With the C library's own functions, the C library would decide whether a
 * submission that uses freed memory gets right results. Blocks of the submission have a red zone,
 * and those that it has not freed at its end are a leak.
 *
 * The linker resolves malloc, calloc, realloc and free to these functions (--wrap). */
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "objects.h"
#include "red_zone.h"
#include "wire/wire.h"

#define CALLER __builtin_return_address(0)

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void __real_free(void *block);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);
void __wrap_free(void *block);

#if defined(__SANITIZE_ADDRESS__) /* it has patterns and a quarantine of its own */

void *__wrap_malloc(size_t bytes)
{
    return __real_malloc(bytes);
}

void *__wrap_calloc(size_t n, size_t bytes)
{
    return __real_calloc(n, bytes);
}

void *__wrap_realloc(void *block, size_t bytes)
{
    return __real_realloc(block, bytes);
}

void __wrap_free(void *block)
{
    __real_free(block);
}

#else

enum { ZERO = 0, FRESH = WIRE_FRESH, FREED = WIRE_FREED };
enum { KEPT_BLOCKS = 1024, LARGEST_KEPT = 64 * 1024, MOST_FILLED = 1 << 20 };

/* The blocks that were freed last, in a ring. */
static struct {
    pthread_mutex_t lock;
    void *blocks[KEPT_BLOCKS];
    int next;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void fill(void *block, int pattern, size_t bytes)
{
    memset(block, pattern, bytes < MOST_FILLED ? bytes : MOST_FILLED);
}

static bool is_kept(const void *block)
{
    for (int i = 0; i < KEPT_BLOCKS; i++)
        if (kept.blocks[i] == block)
            return true;
    return false;
}

/* Keeps the block in place of the oldest one, which is returned. */
static void *keep(void *block)
{
    pthread_mutex_lock(&kept.lock);
    if (*(const unsigned char *)block == FREED && is_kept(block)) {
        fputs("free(): double free detected\n", stderr);
        abort();
    }
    fill(block, FREED, malloc_usable_size(block));
    void *oldest = kept.blocks[kept.next];
    kept.blocks[kept.next] = block;
    kept.next = (kept.next + 1) % KEPT_BLOCKS;
    pthread_mutex_unlock(&kept.lock);
    return oldest;
}

/* With a red zone if `caller` is the submission's code. */
static void *allocate(size_t bytes, int pattern, const char *call, const void *caller)
{
    const size_t zone = red_zone_bytes(caller), whole = bytes + zone;
    void *block = whole < bytes ? NULL : __real_malloc(whole);
    if (!block)
        return NULL;
    if (pattern == ZERO)
        memset(block, 0, bytes);
    else
        fill(block, pattern, bytes);
    if (zone) {
        red_zone_add(block, bytes, call, caller);
        object_created(cudaSuccess, SIMGPU_OBJECT_HEAP, &block, bytes, caller);
    }
    return block;
}

void *__wrap_malloc(size_t bytes)
{
    return allocate(bytes, FRESH, "malloc", CALLER);
}

void *__wrap_calloc(size_t n, size_t bytes)
{
    size_t all;
    if (__builtin_mul_overflow(n, bytes, &all))
        return NULL;
    return red_zone_bytes(CALLER) ? allocate(all, ZERO, "calloc", CALLER) : __real_calloc(n, bytes);
}

/* The C library aborts if the address is not one of malloc's. */
static void release(void *block)
{
    const bool is_block = block && (uintptr_t)block % _Alignof(max_align_t) == 0;
    __real_free(is_block && malloc_usable_size(block) <= LARGEST_KEPT ? keep(block) : block);
}

/* Is it a block of the submission's? It is none any more, and had so many bytes. */
static bool forget(void *block, size_t *bytes)
{
    const bool is_own = block && red_zone_remove(block, bytes);
    if (is_own)
        object_destroyed(cudaSuccess, block);
    return is_own;
}

void __wrap_free(void *block)
{
    size_t bytes;
    forget(block, &bytes);
    release(block);
}

/* The block always moves. */
void *__wrap_realloc(void *block, size_t bytes)
{
    size_t had = 0;
    void *to = allocate(bytes, FRESH, "realloc", CALLER);
    if (!to)
        return NULL;
    if (block && !forget(block, &had))
        had = malloc_usable_size(block);
    if (block)
        memcpy(to, block, had < bytes ? had : bytes);
    release(block);
    return to;
}

#endif
