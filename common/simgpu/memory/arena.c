/* arena.c: the addresses of device memory. Each device reserves one large range of the process's
 * address space and hands out blocks of it. Only what is handed out is backed by memory; a freed
 * block of the same size is used again, oldest first, so that a stale pointer stays stale as long
 * as possible.
 *
 * Host code cannot touch device memory: it faults, as it would on a machine with a GPU, and a
 * handler says why. Kernels and copies run between memory_open and memory_close. A protection key,
 * if the CPU has them, closes it for the calling thread at no cost. Otherwise pages are protected,
 * for all threads at once, when the lock of the device is given up. That takes microseconds, so
 * memory that was closed often since the host last waited stays open until the host waits again. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory.h"

enum { BLOCK_ALIGNMENT = 512 }; /* of cudaMalloc on sm_90, as seen on an H200 */
static const size_t open_step =
    (size_t)2 << 20; /* address space is made accessible in steps of this: a huge page */
static const size_t below_first = (size_t)64
                                  << 10; /* so that what lies there is the device's, too */
static const size_t reserve_most = (size_t)512 << 30, reserve_least = (size_t)4 << 30;

struct free_block {
    unsigned char *p;
    struct free_block *next;
};

/* Free blocks of one size, oldest first. */
struct size_class {
    RB_ENTRY(size_class) by_size;
    size_t bytes;
    struct free_block *first, *last;
};

RB_HEAD(size_tree, size_class);

struct arena {
    unsigned char *base, *end; /* reserved */
    unsigned char *top;        /* handed out so far */
    unsigned char *open;       /* accessible so far */
    int file; /* the file of all device memory, if other processes may open it; 0: none */
    struct size_tree free;
};

static int compare_size(const struct size_class *a, const struct size_class *b)
{
    return a->bytes < b->bytes ? -1 : a->bytes > b->bytes;
}

RB_GENERATE(size_tree, size_class, by_size, compare_size)

/* ---- keeping the host out -------------------------------------------------------------------- */

enum protection { PROTECT_NOTHING, PROTECT_BY_KEY, PROTECT_PAGES };

static enum protection protection;
static int protection_key = -1;

/* For PROTECT_PAGES. The lock of the device guards it; threads that run a grid find pages open. */
static struct {
    bool is_open; /* accessible: needed since the lock was taken, or closing it was put off */
    int n_closed; /* since the host last waited */
} pages;

enum { CLOSED_MOST = 1000 }; /* between two waits of the host; then closing is put off */

static void protect_pages(bool open)
{
    const int how = open ? PROT_READ | PROT_WRITE : PROT_NONE;
    pages.is_open = open;
    for (int i = 0; i < sim.n_devices; i++) {
        const struct arena *a = devices[i].arena;
        if (a && a->open > a->base && mprotect(a->base, (size_t)(a->open - a->base), how) != 0)
            fatal("cannot protect device memory from the host");
    }
}

void memory_open(void)
{
    if (protection == PROTECT_BY_KEY)
        pkey_set(protection_key, 0);
    else if (protection == PROTECT_PAGES && !pages.is_open)
        protect_pages(true);
}

void memory_close(void)
{
    if (protection == PROTECT_BY_KEY)
        pkey_set(protection_key, PKEY_DISABLE_ACCESS);
}

static void close_pages(void)
{
    if (!pages.is_open || pages.n_closed == CLOSED_MOST)
        return;
    protect_pages(false);
    pages.n_closed++;
}

void memory_host_waited(void)
{
    pages.n_closed = 0;
}

/* SIMGPU_PROTECT: 0 nothing, pages; else a key if the CPU has one. */
static enum protection choose_protection(void)
{
    const char *asked = setting("SIMGPU_PROTECT");
    if (asked && strcmp(asked, "0") == 0)
        return PROTECT_NOTHING;
    if (!asked || strcmp(asked, "pages") != 0)
        protection_key = pkey_alloc(0, PKEY_DISABLE_ACCESS);
    return protection_key >= 0 ? PROTECT_BY_KEY : PROTECT_PAGES;
}

EXPORT int simgpu_is_device_address(const void *p)
{
    return memory_is_device_address(p);
}

static void explain_fault(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    if (memory_is_device_address(info->si_addr)) {
        static const char text[] = "simgpu: host code accessed device memory. The CPU cannot use a "
                                   "pointer from cudaMalloc: "
                                   "copy with cudaMemcpy or cudaMemcpyAsync instead.\n";
        ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
        (void)ignored;
    }
    signal(signal_number, SIG_DFL);
}

void memory_protect(void)
{
    static bool started;
    if (started)
        return;
    started = true;
    protection = choose_protection();
    if (protection == PROTECT_PAGES)
        device_on_unlock(close_pages);
    struct sigaction old;
    if (sigaction(SIGSEGV, NULL, &old) == 0 && !(old.sa_flags & SA_SIGINFO) &&
        old.sa_handler == SIG_DFL) {
        struct sigaction explain = {.sa_sigaction = explain_fault,
                                    .sa_flags = SA_SIGINFO | SA_NODEFER};
        sigaction(SIGSEGV, &explain, NULL);
    }
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static struct arena *arena_new(void)
{
    struct arena *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    for (size_t bytes = reserve_most; bytes >= reserve_least; bytes /= 2) {
        void *p = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED)
            continue;
        const size_t unaligned = (uintptr_t)p % open_step;
        a->base = a->open = (unsigned char *)p + (unaligned ? open_step - unaligned : 0);
        a->top = a->base + below_first;
        a->end = (unsigned char *)p + bytes;
        RB_INIT(&a->free);
        return a;
    }
    free(a);
    return NULL;
}

size_t arena_round(size_t bytes)
{
    return (bytes + BLOCK_ALIGNMENT - 1) / BLOCK_ALIGNMENT * BLOCK_ALIGNMENT;
}

static unsigned char *take_freed(struct arena *a, size_t bytes)
{
    struct size_class *c = RB_FIND(size_tree, &a->free, &(struct size_class){.bytes = bytes});
    if (!c || !c->first)
        return NULL;
    struct free_block *b = c->first;
    unsigned char *p = b->p;
    c->first = b->next;
    free(b);
    return p;
}

static bool open_up_to(struct arena *a, unsigned char *top)
{
    if (top <= a->open)
        return true;
    size_t bytes = (size_t)(top - a->open + (ptrdiff_t)open_step - 1) / open_step * open_step;
    if (bytes > (size_t)(a->end - a->open))
        return false;
    int failed =
        protection_key >= 0
            ? pkey_mprotect(a->open, bytes, PROT_READ | PROT_WRITE, protection_key)
            : mprotect(a->open, bytes,
                       protection == PROTECT_PAGES && !pages.is_open ? PROT_NONE
                                                                     : PROT_READ | PROT_WRITE);
    if (failed)
        return false;
    /* Pages that differ from those behind them are protected without splitting a mapping, and huge
       ones in a tenth of the time. */
    madvise(a->open, bytes, MADV_DONTDUMP);
    madvise(a->open, bytes, MADV_HUGEPAGE);
    a->open += bytes;
    return true;
}

void *arena_take(struct device *d, size_t bytes)
{
    if ((double)bytes > sim.profile.memory_bytes)
        return NULL;
    bytes = arena_round(bytes);
    if ((double)d->used_bytes + (double)bytes > sim.profile.memory_bytes)
        return NULL;
    if (!d->arena && !(d->arena = arena_new()))
        return NULL;
    struct arena *a = d->arena;
    unsigned char *p = take_freed(a, bytes);
    if (!p) {
        p = a->top;
        if (bytes > (size_t)(a->end - p) || !open_up_to(a, p + bytes))
            return NULL;
        a->top = p + bytes;
    }
    d->used_bytes += bytes;
    return p;
}

void arena_give(struct device *d, void *p, size_t bytes)
{
    struct arena *a = d->arena;
    bytes = arena_round(bytes);
    d->used_bytes -= bytes;
    struct size_class *c = RB_FIND(size_tree, &a->free, &(struct size_class){.bytes = bytes});
    struct free_block *b = malloc(sizeof *b);
    if (!c && (c = calloc(1, sizeof *c))) {
        c->bytes = bytes;
        RB_INSERT(size_tree, &a->free, c);
    }
    if (!c || !b)
        fatal("out of memory for the list of free blocks");
    *b = (struct free_block){p, NULL};
    if (c->first)
        c->last->next = b;
    else
        c->first = b;
    c->last = b;
    /* whole huge pages go back: parts would split them */
    const uintptr_t lo = ((uintptr_t)p + open_step - 1) / open_step * open_step,
                    hi = ((uintptr_t)p + bytes) / open_step * open_step;
    if (hi > lo)
        madvise((void *)lo, hi - lo, MADV_DONTNEED);
}

/* The arena that has reserved the address, or NULL. */
static const struct arena *arena_of(const void *p)
{
    for (int i = 0; i < sim.n_devices; i++) {
        const struct arena *a = devices[i].arena;
        if (a && (const unsigned char *)p >= a->base && (const unsigned char *)p < a->end)
            return a;
    }
    return NULL;
}

bool memory_is_device_address(const void *p)
{
    return arena_of(p) != NULL;
}

bool memory_is_backed(const void *p)
{
    const struct arena *a = arena_of(p);
    return a && (const unsigned char *)p < a->open;
}

/* ---- memory of several processes ------------------------------------------------------------- */

bool arena_map(void *at, size_t bytes, int file, uint64_t offset)
{
    const int how = PROT_READ | PROT_WRITE;
    memory_open();
    bool good = mmap(at, bytes, how, MAP_SHARED | MAP_FIXED, file, (off_t)offset) != MAP_FAILED &&
                (protection_key < 0 || pkey_mprotect(at, bytes, how, protection_key) == 0);
    memory_close();
    return good;
}

/* What is in memory so far goes to the file; parts that hold zeros are left out. */
static bool copy_to_file(const struct arena *a, int file)
{
    enum { PART_BYTES = 4096 };
    static const unsigned char zeros[PART_BYTES];
    bool good = true;
    memory_open();
    for (unsigned char *p = a->base; good && p < a->top; p += PART_BYTES)
        good = memcmp(p, zeros, PART_BYTES) == 0 ||
               pwrite(file, p, PART_BYTES, p - a->base) == PART_BYTES;
    memory_close();
    return good;
}

int arena_file(struct device *d)
{
    struct arena *a = d->arena;
    if (a->file)
        return a->file;
    size_t bytes = (size_t)(a->end - a->base), open = (size_t)(a->open - a->base);
    int file = memfd_create("simgpu device memory", MFD_CLOEXEC);
    if (file < 0)
        return -1;
    if (ftruncate(file, (off_t)(bytes + ARENA_FILE_TAIL)) != 0 || !copy_to_file(a, file) ||
        mmap(a->open, bytes - open, PROT_NONE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file,
             (off_t)open) == MAP_FAILED ||
        !arena_map(a->base, open, file, 0)) {
        close(file);
        return -1;
    }
    return a->file = file;
}

uint64_t arena_offset(const struct device *d, const void *p)
{
    return (uint64_t)((const unsigned char *)p - d->arena->base);
}

uint64_t arena_tail(const struct device *d)
{
    return arena_offset(d, d->arena->end);
}
