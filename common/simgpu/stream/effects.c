/* effects.c: the effects of copies and memsets on memory. An operation reads when it starts, and
 * its writes appear when it ends. So an operation that should have waited for it reads old data.
 * Host memory is read when a copy ends: until then the host could still overwrite it. */
#include <stdlib.h>
#include <string.h>

#include "stream.h"

/* What says to kernels which work they have, rather than their data: who watches them sees that
 * also where nothing is computed. */
enum { SMALL_BYTES = 1 << 18 };

static bool moves(size_t bytes)
{
    return sim.compute || (kernels_are_watched() && bytes <= SMALL_BYTES);
}

/* An operation that names memory which is freed, or which its device cannot access, ends the
 * context. False: it has no effects. */
static bool has_effects(const struct op *op)
{
    if (op->fails != cudaSuccess)
        context_fail(op->fails);
    return moves(op->work.bytes) && op->fails == cudaSuccess;
}

static size_t packed_bytes(const struct copy_job *c)
{
    return c->width * c->rows * c->depth;
}

/* Between the rows of a copy's source or destination and its packed buffer. */
static void pack(void *job)
{
    const struct copy_job *c = job;
    unsigned char *packed = c->staged;
    for (size_t z = 0; z < c->depth; z++)
        for (size_t r = 0; r < c->rows; r++, packed += c->width)
            memcpy(packed, c->src + z * c->src_slice + r * c->src_pitch, c->width);
}

static void unpack(void *job)
{
    const struct copy_job *c = job;
    const unsigned char *packed = c->staged;
    for (size_t z = 0; z < c->depth; z++)
        for (size_t r = 0; r < c->rows; r++, packed += c->width)
            memcpy(c->dst + z * c->dst_slice + r * c->dst_pitch, packed, c->width);
}

static void make_room(struct copy_job *c)
{
    c->staged = needed(malloc(packed_bytes(c)), "a copy of %zu bytes", packed_bytes(c));
}

void copy_stage(struct copy_job *c)
{
    if (!moves(packed_bytes(c)) || c->staged)
        return;
    make_room(c);
    memory_open();
    pack(c);
    memory_close();
}

/* One half of the copy. A graph may name pageable memory that does not exist, or was freed. */
static bool move(struct op *op, void (*half)(void *job))
{
    struct copy_job *c = &op->work.copy;
    const void *at;
    if (c->pageable && !fault_guard(half, c, &at)) {
        bad_memory_of_host(op, at, half == pack);
        context_fail(cudaErrorLaunchFailure);
        return false;
    }
    if (!c->pageable)
        half(c);
    return true;
}

/* The bytes are in their place. */
static bool copy_move(struct op *op)
{
    struct copy_job *c = &op->work.copy;
    if (c->staged)
        return move(op, unpack);
    make_room(c);
    return move(op, pack) && move(op, unpack);
}

static void copy_begin(struct op *op)
{
    enum copy_path path = op->work.copy.path;
    if (op->read_later)
        access_read_now(op);
    if (op->fails == cudaSuccess && path != PATH_H2D && path != PATH_H2H)
        copy_stage(&op->work.copy);
}

static void copy_land(struct op *op)
{
    struct copy_job *c = &op->work.copy;
    if (!has_effects(op))
        return;
    memory_open();
    const bool moved = copy_move(op);
    for (size_t z = 0; moved && z < c->depth; z++)
        lineage_written(c->dst + z * c->dst_slice, c->width, c->rows, c->dst_pitch);
    memory_close();
    free(c->staged);
    c->staged = NULL;
}

/* What of a value goes beyond its element goes into the elements after it, up to a word, as on an
 * H200. */
static void memset_words(unsigned char *row, const struct memset_job *m)
{
    size_t element = (size_t)m->element_bytes;
    uint32_t word = 0;
    for (size_t at = 0; at < sizeof word; at += element)
        word |= m->value << (8 * at);
    for (size_t i = 0; i < m->width; i++)
        memcpy(row + i * element, (const char *)&word + i * element % sizeof word, element);
}

static void memset_land(struct op *op)
{
    const struct memset_job *m = &op->work.memset;
    if (!has_effects(op))
        return;
    memory_open();
    for (size_t r = 0; r < m->rows; r++) {
        unsigned char *row = m->dst + r * m->pitch;
        if (m->element_bytes == 1 && m->value <= UINT8_MAX)
            memset(row, (int)m->value, m->width);
        else
            memset_words(row, m);
    }
    memory_close();
}

static void copy_drop(struct work *w)
{
    free(w->copy.staged);
}

static void memset_begin(struct op *op)
{
    if (op->read_later)
        access_read_now(op);
}

const struct op_type copy_type = {.begin = copy_begin, .land = copy_land, .drop = copy_drop};
const struct op_type memset_type = {.begin = memset_begin, .land = memset_land};
