/* record.c: recording while a grid runs. A recorder belongs to one host thread, so an access costs
 * a look into a small cache and a bit or two. Only the first write to a page takes a lock: then the
 * page is copied, so that the grid's output can be set aside. */
#include "record.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "sample.h"
#include "thread.h"

__thread struct recorder *recorder_now;
static __thread struct recorder *own_recorder; /* of the calling thread, from its first grid on */

/* The thread-local variables of the program. */
static __thread struct {
    bool is_found;
    uintptr_t at;
    size_t bytes;
} own;

static const char what[] = "the record of what a kernel accesses";

static void *cleared(size_t n, size_t bytes)
{
    return needed(calloc(n, bytes), "%s", what);
}

/* Pages and images, which large grids need by the ten thousand: what one leaves is there for the
 * next, so that the system need not clear it again. */
struct spare {
    struct spare *next;
};
static struct spare *spare_pages, *spare_images;
static pthread_mutex_t spare_lock = PTHREAD_MUTEX_INITIALIZER;

static void *spare_take(struct spare **list, size_t bytes)
{
    pthread_mutex_lock(&spare_lock);
    struct spare *s = *list;
    if (s)
        *list = s->next;
    pthread_mutex_unlock(&spare_lock);
    if (!s && !(s = malloc(bytes)))
        fatal("out of memory for %s", what);
    return s;
}

static void spare_give(struct spare **list, void *p)
{
    struct spare *s = p;
    if (!s)
        return;
    pthread_mutex_lock(&spare_lock);
    s->next = *list;
    *list = s;
    pthread_mutex_unlock(&spare_lock);
}

/* ---- images ---------------------------------------------------------------------------------- */

static unsigned char *page_copy(uintptr_t page)
{
    return memcpy(spare_take(&spare_images, RECORD_PAGE_BYTES), (const void *)page,
                  RECORD_PAGE_BYTES);
}

/* Before any thread of the grid writes to the page. */
static void image_save(struct recording *r, uintptr_t page)
{
    pthread_mutex_lock(&r->lock);
    struct page_image *image = table_add(&r->images, sizeof *image, page, what);
    if (!image->before)
        image->before = page_copy(page);
    pthread_mutex_unlock(&r->lock);
}

void recording_show(struct recording *r)
{
    pthread_mutex_lock(&r->lock);
    for (struct page_image *i = NULL; (i = table_next(&r->images, sizeof *i, i));) {
        spare_give(&spare_images, i->shown);
        i->shown = page_copy(i->at);
    }
    pthread_mutex_unlock(&r->lock);
}

/* ---- pages ----------------------------------------------------------------------------------- */

bool recording_was_passed(const struct recording *r, uintptr_t at)
{
    for (size_t i = 0; i < r->n_passed; i++)
        if (r->passed[i] == at / RECORD_PAGE_BYTES)
            return true;
    return false;
}

static bool counts(const struct recorder *w, uintptr_t page)
{
    const void *p = (const void *)page;
    return memory_is_backed(p) || memory_find_in(p, RECORD_PAGE_BYTES) ||
           recording_was_passed(w->of, page);
}

/* Stands for all pages of memory that does not count: all is recorded, so nothing is left to do. */
static struct recorded_page nowhere;

static void fill_nowhere(void)
{
    nowhere.saved = true;
    memset(nowhere.bits, 0xff, sizeof nowhere.bits);
}

static void clear_cache(struct recorder *w)
{
    for (size_t i = 0; i < RECORD_CACHE_PAGES; i++) {
        w->cache[i].number = 0;
        w->cache[i].page = &nowhere;
    }
}

/* Its place in the cache holds another page. */
static __attribute__((noinline)) struct recorded_page *find_page(struct recorder *w, uintptr_t page)
{
    struct recorder_page *known = table_find(&w->pages, sizeof *known, page);
    if (!known && counts(w, page)) {
        known = table_add(&w->pages, sizeof *known, page, what);
        known->page = spare_take(&spare_pages, sizeof *known->page);
        *known->page = (struct recorded_page){.at = page};
    }
    struct recorded_page *found = known ? known->page : &nowhere;
    if (!w->sampling) {
        size_t i = record_place(page / RECORD_PAGE_BYTES);
        w->cache[i].number = page / RECORD_PAGE_BYTES;
        w->cache[i].page = found;
    }
    return found;
}

static struct recorded_page *page_of(struct recorder *w, uintptr_t page_at)
{
    uintptr_t number = page_at / RECORD_PAGE_BYTES;
    size_t i = record_place(number);
    return w->cache[i].number == number ? w->cache[i].page : find_page(w, page_at);
}

/* Bytes that lie in one word of a page's bits. */
static void mark(struct recorder *w, uintptr_t at, size_t bytes, enum recorded how)
{
    uintptr_t page_at = at & ~(uintptr_t)(RECORD_PAGE_BYTES - 1);
    struct recorded_page *page = page_of(w, page_at);
    size_t offset = at - page_at, word = offset / 64;
    uint64_t mask = (bytes == 64 ? 0 : UINT64_C(1) << bytes) - 1;
    mask <<= offset % 64;
    mask &= ~record_known(page, word, how);
    if (!mask)
        return;
    if (how != RECORDED_READ && !page->saved) {
        if (!w->of->samples_only)
            image_save(w->of, page_at);
        page->saved = true;
    }
    page->bits[how][word] |= mask;
}

static void set_sampling(struct recorder *w, bool sampling)
{
    w->sampling = sampling;
    w->own_bytes = sampling ? 0 : own.bytes;
    memset(w->latest, 0, sizeof w->latest);
}

void record_any(struct recorder *w, const void *p, size_t bytes, enum recorded how)
{
    uintptr_t at = (uintptr_t)p;
    w->words += RECORD_WORDS_OF(bytes);
    if (w->sampling &&
        !sample_access(w->sample, at, RECORD_WORDS_OF(bytes), how,
                       page_of(w, at & ~(uintptr_t)(RECORD_PAGE_BYTES - 1)) != &nowhere))
        set_sampling(w, false);
    while (at % 64 + bytes > 64) {
        size_t part = 64 - at % 64;
        mark(w, at, part, how);
        at += part;
        bytes -= part;
    }
    if (bytes)
        mark(w, at, bytes, how);
}

void record_look_any(struct recorder *w, uintptr_t at, size_t bytes, bool waited)
{
    struct recording *r = w->of;
    w->looked[at / sizeof(uint32_t) % LOOKED_CACHE] = at;
    pthread_mutex_lock(&r->lock);
    int i = 0;
    while (i < r->n_looked && i < LOOKED_WORDS && r->looked[i].at != at)
        i++;
    if (i == r->n_looked) {
        r->n_looked++;
        if (i < LOOKED_WORDS)
            r->looked[i] = (struct looked_word){at, bytes, false};
    }
    if (i < LOOKED_WORDS)
        r->looked[i].waited |= waited;
    pthread_mutex_unlock(&r->lock);
}

/* ---- recorders ------------------------------------------------------------------------------- */

/* The first object is the program. */
static int find_own(struct dl_phdr_info *program, size_t size, void *unused)
{
    (void)size, (void)unused;
    own.is_found = true;
    own.at = (uintptr_t)program->dlpi_tls_data;
    for (int i = 0; own.at && i < program->dlpi_phnum; i++)
        if (program->dlpi_phdr[i].p_type == PT_TLS)
            own.bytes = program->dlpi_phdr[i].p_memsz;
    return 1;
}

size_t recorder_own_variables(uintptr_t *at)
{
    if (!own.is_found)
        dl_iterate_phdr(find_own, NULL);
    *at = own.at;
    return own.bytes;
}

void recorder_begin(struct recording *r)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    uintptr_t unused;
    pthread_once(&once, fill_nowhere);
    recorder_own_variables(&unused);
    if (!own_recorder)
        own_recorder = cleared(1, sizeof *own_recorder);
    struct recorder *w = own_recorder;
    *w = (struct recorder){.of = r, .sample = w->sample};
    if (!memory_find_in((const void *)own.at, own.bytes)) /* none of them is registered */
        w->own = own.at;
    clear_cache(w);
    simgpu_thread.operations = 0;
}

void recorder_free(void)
{
    if (!own_recorder)
        return;
    free(own_recorder->sample);
    free(own_recorder);
    own_recorder = NULL;
}

void recorder_end(struct recording *r, int64_t longest_ns)
{
    struct recorder *w = own_recorder;
    recorder_now = NULL;
    pthread_mutex_lock(&r->lock);
    r->n_blocks += w->n_blocks;
    r->n_recorded += w->n_recorded;
    r->words += w->words;
    r->operations += simgpu_thread.operations;
    if (w->has_sampled)
        sample_add(&r->sample, &w->sample->counts);
    if (longest_ns > r->longest_ns)
        r->longest_ns = longest_ns;
    for (struct recorder_page *i = NULL; (i = table_next(&w->pages, sizeof *i, i));) {
        r->pages = room_for_one(r->pages, r->n_pages, &r->cap_pages, sizeof i->page,
                                "pages that a kernel accesses");
        r->pages[r->n_pages++] = i->page;
    }
    pthread_mutex_unlock(&r->lock);
    free(w->pages.slots);
}

void recorder_begin_block(uint64_t block, uint64_t n_blocks, bool has_plain)
{
    struct recorder *w = own_recorder;
    uint64_t step = n_blocks / SAMPLE_BLOCKS;
    const bool samples_only = has_plain && w->of->samples_only;
    if (samples_only && step < SAMPLE_ONE_IN)
        step = SAMPLE_ONE_IN;
    set_sampling(w, step == 0 || block % step == 0);
    recorder_now = w->sampling || !samples_only ? w : NULL;
    w->n_blocks++;
    w->n_recorded += recorder_now != NULL;
    if (!w->sampling)
        return;
    clear_cache(w);
    if (!w->sample)
        w->sample = cleared(1, sizeof *w->sample);
    if (!w->has_sampled)
        sample_begin_grid(w->sample);
    w->has_sampled = true;
    sample_begin_block(w->sample);
}

struct recording *recording_new(bool samples_only)
{
    struct recording *r = cleared(1, sizeof *r);
    r->samples_only = samples_only;
    pthread_mutex_init(&r->lock, NULL);
    return r;
}

void recording_pass(struct recording *r, const void *parameter, size_t bytes)
{
    const size_t n = bytes / sizeof(uintptr_t);
    if (n == 0)
        return;
    r->passed = needed(realloc(r->passed, (r->n_passed + n) * sizeof *r->passed), "%s", what);
    for (size_t i = 0; i < n; i++) {
        uintptr_t word;
        memcpy(&word, (const unsigned char *)parameter + i * sizeof word, sizeof word);
        r->passed[r->n_passed++] = word / RECORD_PAGE_BYTES;
    }
}

void recorded_page_free(struct recorded_page *page)
{
    spare_give(&spare_pages, page);
}

void recording_free(struct recording *r)
{
    for (size_t i = 0; i < r->n_pages; i++)
        recorded_page_free(r->pages[i]);
    for (struct page_image *i = NULL; (i = table_next(&r->images, sizeof *i, i));) {
        spare_give(&spare_images, i->before);
        spare_give(&spare_images, i->shown);
    }
    free(r->pages);
    free(r->images.slots);
    free(r->passed);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

const struct page_image *recording_image(const struct recording *r, uintptr_t page)
{
    return table_find(&r->images, sizeof(struct page_image), page);
}
