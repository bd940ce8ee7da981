/* red_zone.c: the bytes directly after a block of host memory that the submission has allocated.
 * They hold a pattern, which is looked at when the block is freed, after each request, and when the
 * process dies. So an array that is too short is found where it was allocated, and not where
 * something else breaks later. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "inside.h"
#include "red_zone.h"

enum { MOST_BLOCKS = 1024, PATTERN = WIRE_RED };

struct block {
    unsigned char *at;
    size_t bytes;
    const char *call;
    const void *caller;
};

/* Blocks without a place here have no red zone. */
static struct {
    pthread_mutex_t lock;
    struct block blocks[MOST_BLOCKS];
    int n;
    struct block damaged; /* when it was freed */
    size_t damaged_at;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

size_t red_zone_bytes(const void *caller)
{
    return subject_is_own_code(caller) && known.n < MOST_BLOCKS ? RED_ZONE : 0;
}

void red_zone_add(void *block, size_t bytes, const char *call, const void *caller)
{
    pthread_mutex_lock(&known.lock);
    memset((unsigned char *)block + bytes, PATTERN, RED_ZONE);
    if (known.n < MOST_BLOCKS) /* another thread may have been faster */
        known.blocks[known.n++] = (struct block){block, bytes, call, caller};
    pthread_mutex_unlock(&known.lock);
}

/* The first byte of the red zone that has changed; RED_ZONE: none. */
static size_t changed(const struct block *b)
{
    size_t i = 0;
    while (i < RED_ZONE && b->at[b->bytes + i] == PATTERN)
        i++;
    return i;
}

bool red_zone_remove(const void *block, size_t *bytes)
{
    bool is_known = false;
    pthread_mutex_lock(&known.lock);
    for (int i = known.n; i-- > 0 && !is_known;) {
        struct block *b = &known.blocks[i];
        is_known = b->at == block;
        if (!is_known)
            continue;
        *bytes = b->bytes;
        if (changed(b) < RED_ZONE && !known.damaged.at) {
            known.damaged_at = changed(b);
            known.damaged = *b;
        }
        *b = known.blocks[--known.n];
    }
    pthread_mutex_unlock(&known.lock);
    return is_known;
}

/* A block with a damaged red zone; NULL: none. A signal handler may ask. */
static const struct block *damaged(size_t *at)
{
    *at = known.damaged_at;
    if (known.damaged.at)
        return &known.damaged;
    for (int i = 0; i < known.n; i++)
        if ((*at = changed(&known.blocks[i])) < RED_ZONE)
            return &known.blocks[i];
    return NULL;
}

void subject_red_zone_at_death(struct wire_fault *f)
{
    size_t at;
    const struct block *b = damaged(&at);
    if (!b)
        return;
    f->block_bytes = b->bytes;
    f->block_at = b->bytes + at;
    f->allocation = subject_code_offset(b->caller);
}

int subject_red_zone_check(struct subject *s)
{
    size_t at;
    const struct block *b = damaged(&at);
    struct wire_failure *f = &s->reply.failure;
    if (!b)
        return 0;
    *f = (struct wire_failure){.error.caller.at = (uint32_t)subject_code_offset(b->caller)};
    snprintf(f->text, sizeof f->text, "a write to byte %zu of the block, which has %zu bytes",
             b->bytes + at, b->bytes);
    return subject_fail(s, WIRE_BESIDE_BLOCK, b->call);
}
