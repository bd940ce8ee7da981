/* record.h: what a grid does to memory, byte by byte. Its code reports each load and store
 * (__tsan_read4 and the like, in instrument.c, as g++ -fsanitize=thread calls them).
 *
 *   recording: of one grid -> images: a page as it was before the grid wrote to it
 *      |-> recorder: of one worker -> pages: which bytes it read and wrote
 *
 * Accesses to two kinds of memory count: memory that the device allocates, and host pages of which
 * the grid got an address (a GPU could not access these). Shared memory, stacks and variables do
 * not count. */
#ifndef RECORD_H
#define RECORD_H

#include "core/core.h"
#include "core/table.h"
#include "simgpu.h"

enum { RECORD_PAGE_BYTES = 4096, RECORD_WORDS = RECORD_PAGE_BYTES / 64 };

/* The accesses to a byte; an atomic operation is neither a read nor a write. */
enum recorded { RECORDED_READ, RECORDED_WRITE, RECORDED_ATOMIC, N_RECORDED };

/* Counts of the warps of some blocks; see sample.h. Only `words` counts shared memory and stacks.
 */
struct sample_counts {
    uint64_t words;               /* of 4 bytes, loaded or stored */
    uint64_t lines;               /* of 128 bytes, that the accesses of warps were to */
    uint64_t hops;                /* accesses to another sector than the thread's latest one */
    uint64_t travels[N_RECORDED]; /* sectors of 32 bytes that went to the second-level cache or came
                                     from it; atomic operations */
    uint64_t scattered;           /* sectors of them in another line than the neighboring lane's */
};

struct recorded_page {
    uintptr_t at;                            /* its first byte */
    uint64_t bits[N_RECORDED][RECORD_WORDS]; /* one for each byte; read: before it was written */
    bool saved;                              /* its image is kept */
};

/* A page before the grid first wrote to it, and when the grid launched a graph last. */
struct page_image {
    uintptr_t at;
    unsigned char *before, *shown; /* shown: NULL until then */
};

enum { RECORD_CACHE_PAGES = 512 };

/* A word that threads read as volatile or atomically and did not change, as one reads a flag. A
 * thread that sees what another operation wrote there comes after it. More words than so many are
 * data. */
struct looked_word {
    uintptr_t at;
    size_t bytes;
    bool waited; /* a thread has read it again and again: so such reads are no races */
};
enum { LOOKED_WORDS = 256, LOOKED_CACHE = 16 };

/* Its place in the cache: pages that lie a multiple of the cache's size apart do not share one. */
static inline size_t record_place(uintptr_t number)
{
    return (uint32_t)number * UINT32_C(0x9e3779b1) >> 23;
}

struct recorder_page {
    uintptr_t at;
    struct recorded_page *page;
};

/* A host thread that runs blocks of a recorded grid. */
struct recorder {
    struct {
        uintptr_t number;           /* address / RECORD_PAGE_BYTES */
        struct recorded_page *page; /* of memory that does not count: one with all bits set */
    } cache[RECORD_CACHE_PAGES];    /* of no use in a block that is sampled: all are page 0 */
    /* The program's thread-local variables, which its __shared__ ones are: they do not count.
     * No bytes in a block that is sampled; nowhere if the device may access some of them. */
    uintptr_t own;
    size_t own_bytes;
    uintptr_t looked[LOOKED_CACHE]; /* of looked_word, by address */
    /* The latest two addresses read, and written, by log2(bytes); 0 in a block that is sampled. */
    uintptr_t latest[2][5][2];
    uint64_t words;
    struct recording *of;
    struct table pages;            /* recorder_page, all it has */
    bool sampling;                 /* the block that runs is sampled */
    uint64_t n_blocks, n_recorded; /* that it has begun */
    struct sample *sample;         /* NULL: no block was, in any grid */
    bool has_sampled;              /* in this grid */
};

/* Of one grid; its recorders' pages are merged into it as they end. */
struct recording {
    pthread_mutex_t lock;
    struct recorded_page **pages; /* in order of address once the grid has ended */
    size_t n_pages, cap_pages;
    struct table images; /* page_image */
    struct looked_word looked[LOOKED_WORDS];
    int n_looked;
    uintptr_t *passed; /* words in its parameters, / RECORD_PAGE_BYTES; most are no addresses */
    size_t n_passed;
    bool samples_only;             /* the other blocks run without records, and no page is saved */
    uint64_t n_blocks, n_recorded; /* that have run */
    uint64_t words, operations;
    int64_t longest_ns;
    struct sample_counts sample;
};

/* The counts of a grid. */
struct recorded_counts {
    uint64_t words;               /* loaded or stored, shared memory and stacks included */
    uint64_t recorded_words;      /* of them, in blocks that were recorded */
    uint64_t operations;          /* of arithmetic, in loops and device functions */
    uint64_t dram_bytes;          /* that come from and go to memory if each is moved once */
    uint64_t touched_bytes;       /* of memory, in units of 64 bytes */
    uint64_t atomic_lines;        /* of 128 bytes, that atomic operations were on */
    int64_t longest_ns;           /* the longest that a thread stayed by the device's clock */
    struct sample_counts sampled; /* scaled up to the whole grid */
};

/* ---- record.c -------------------------------------------------------------------------------- */

/* samples_only: of some blocks, for an estimate of the duration. */
struct recording *recording_new(bool samples_only);
void recording_free(struct recording *r);
/* Before it runs: a parameter of the kernel. */
void recording_pass(struct recording *r, const void *parameter, size_t bytes);
/* Does a parameter hold an address in the page of this one? */
bool recording_was_passed(const struct recording *r, uintptr_t at);

/* The program's thread-local variables, of this host thread: where they begin, and their bytes. */
size_t recorder_own_variables(uintptr_t *at);

/* The calling thread will run no more grids. */
void recorder_free(void);

/* The calling thread runs blocks of the grid, until recorder_end. */
void recorder_begin(struct recording *r);
void recorder_end(struct recording *r, int64_t longest_ns);
/* It begins a block of a grid of so many; `has_plain`: its kernel can run without records. */
void recorder_begin_block(uint64_t block, uint64_t n_blocks, bool has_plain);
void recorded_page_free(struct recorded_page *page);

/* The calling thread's, while it runs a block that is recorded; else NULL. */
extern __thread struct recorder *recorder_now __attribute__((visibility("hidden")));
/* The thread accesses these bytes. */
void record_any(struct recorder *r, const void *p, size_t bytes, enum recorded how);

void record_look_any(struct recorder *r, uintptr_t at, size_t bytes, bool waited);
/* The thread has read the word and changed nothing. `waited`: as it has very often. */
static inline void record_look(struct recorder *r, uintptr_t at, size_t bytes, bool waited)
{
    if (waited || r->looked[at / sizeof(uint32_t) % LOOKED_CACHE] != at)
        record_look_any(r, at, bytes, waited);
}

/* The same of device or host code that returns there. */
void access_range(const void *p, size_t bytes, enum recorded how, const void *returns_to);

/* The bytes of a word of the page's bits that such an access changes nothing of. */
static inline uint64_t record_known(const struct recorded_page *page, size_t word,
                                    enum recorded how)
{
    return page->bits[how][word] | (how == RECORDED_READ ? page->bits[RECORDED_WRITE][word] : 0);
}

/* Of 4 bytes; a smaller access counts as one. */
#define RECORD_WORDS_OF(bytes) (((bytes) + 3) / 4)

/* The same, for 1 to 16 bytes that lie in one word of a page's bits, as aligned ones do. Most
 * accesses repeat one that is recorded, and in loops one of the latest two: then this is all. */
static inline void record_access(struct recorder *r, const void *p, size_t bytes, enum recorded how)
{
    uintptr_t at = (uintptr_t)p, number = at / RECORD_PAGE_BYTES;
    uintptr_t *latest = r->latest[how != RECORDED_READ][__builtin_ctzl(bytes)];
    r->words += RECORD_WORDS_OF(bytes);
    if (at - r->own < r->own_bytes)
        return;
    if (how != RECORDED_ATOMIC && (at == latest[0] || at == latest[1]))
        return;
    size_t i = record_place(number);
    uint64_t mask = ((UINT64_C(1) << bytes) - 1) << at % 64;
    struct recorded_page *page = r->cache[i].page;
    size_t word = at % RECORD_PAGE_BYTES / 64;
    uint64_t news = mask & ~record_known(page, word, how);
    if (r->cache[i].number != number || (news && how != RECORDED_READ && !page->saved)) {
        r->words -= RECORD_WORDS_OF(bytes); /* record_any counts them */
        record_any(r, p, bytes, how);
        return;
    }
    if (news)
        page->bits[how][word] |= news;
    if (how != RECORDED_ATOMIC) {
        latest[1] = latest[0];
        latest[0] = at;
    }
}

/* The grid has run and all recorders have ended: the same page of several becomes one. */
void recording_merge(struct recording *r);

/* NULL: the grid did not write to the page. */
const struct page_image *recording_image(const struct recording *r, uintptr_t page);

/* Keeps the present content of the pages written so far. */
void recording_show(struct recording *r);

/* ---- recorded.c: after the grid -------------------------------------------------------------- */

/* The ranges that it accessed, sorted by address, each within one allocation; the caller frees
 * them. Bytes outside of allocations are left out, unless their addresses are those of device
 * memory. *n is -1 if there are too many ranges to be of use. */
struct simgpu_range *recording_ranges(const struct recording *r, int *n);
struct recorded_counts recording_counts(const struct recording *r);
/* The content of this range before the grid ran. */
void recording_before(const struct recording *r, const struct simgpu_range *range,
                      unsigned char *out);
/* The content at the latest launch of a graph by the grid; false: it launched none. */
bool recording_shown(const struct recording *r, const struct simgpu_range *range,
                     unsigned char *out);

#endif
