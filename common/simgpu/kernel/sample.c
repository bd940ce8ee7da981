/* sample.c: counts the requests of the warps of sampled blocks to the caches. */
#include "sample.h"

#include <string.h>

#include "thread.h"

enum { SECTOR_BYTES = 32, LINE_BYTES = 128, SECTOR_BITS = 44 /* addresses have at most 48 */ };

void sample_begin_grid(struct sample *s)
{
    memset(&s->counts, 0, sizeof s->counts);
    for (size_t i = 0; i < SAMPLE_THREADS / WARP; i++)
        memset(s->before[i], 0, s->most * sizeof s->before[i][0]);
    s->most = 0;
}

void sample_begin_block(struct sample *s)
{
    s->in_block = 0;
    memset(s->n, 0, sizeof s->n);
    memset(s->latest, 0, sizeof s->latest);
    if (++s->block >> (64 - SECTOR_BITS) == 0)
        return;
    s->block = 1;
    memset(s->tags, 0, sizeof s->tags);
}

/* Is the sector in the first-level cache? It is from now on. */
static bool cached(struct sample *s, uint64_t sector)
{
    uint64_t *tag = &s->tags[(sector * UINT64_C(0x9e3779b97f4a7c15) >> 32) % SAMPLE_TAGS];
    const uint64_t mine = sector | s->block << SECTOR_BITS;
    bool hit = *tag == mine;
    *tag = mine;
    return hit;
}

/* An atomic operation travels once for each address, others for each sector. */
static void count(struct sample *s, unsigned rank, uintptr_t at, enum recorded how)
{
    uintptr_t *before = &s->before[rank / WARP][s->n[rank]], last = *before;
    uint64_t sector = at / SECTOR_BYTES, line = at / LINE_BYTES, last_line = last / LINE_BYTES;
    bool first = rank % WARP == 0;
    bool travels = how == RECORDED_READ    ? !cached(s, sector)
                   : how == RECORDED_WRITE ? first || last / SECTOR_BYTES != sector
                                           : first || last != at;
    *before = at;
    s->counts.lines += first || line != last_line;
    s->counts.hops += s->latest[rank] != sector;
    s->latest[rank] = sector;
    s->counts.travels[how] += travels;
    s->counts.scattered += travels && !first && line - last_line + 1 > 2 && how != RECORDED_ATOMIC;
}

bool sample_access(struct sample *s, uintptr_t at, size_t words, enum recorded how, bool counts)
{
    const uint3 t = threadIdx, d = blockDim;
    unsigned rank = t.x + d.x * (t.y + d.y * t.z);
    if (rank < SAMPLE_THREADS && s->n[rank] < SAMPLE_ORDINALS) {
        s->counts.words += words;
        if (counts)
            count(s, rank, at, how);
        if (++s->n[rank] > s->most)
            s->most = s->n[rank];
    }
    return ++s->in_block < SAMPLE_BLOCK_ACCESSES;
}

void sample_add(struct sample_counts *to, const struct sample_counts *more)
{
    to->words += more->words;
    to->lines += more->lines;
    to->hops += more->hops;
    to->scattered += more->scattered;
    for (int how = 0; how < N_RECORDED; how++)
        to->travels[how] += more->travels[how];
}
