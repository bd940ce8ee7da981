/* shared.c: device memory that other processes open (cudaIpcOpenMemHandle). The first export maps
 * all memory of the device to a file. A handle has the place of the memory in that file. The other
 * process opens the file through /proc and maps the pages into its own device memory. An imported
 * pool is only a name: it says whose handles may be opened, and which devices may access the
 * memory.
 *
 * The tail of the file lists the valid exports.
 *
 * Each process has its own virtual clock, so only the processes themselves can order their work. An
 * interprocess event is complete when cudaEventRecord returns. */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/memory_page.h"
#include "memory.h"

#define MAGIC UINT64_C(0x757067696d697331)

enum { N_SLOTS = ARENA_FILE_TAIL / sizeof(atomic_uint_least64_t) };

/* Memory of another process that this one has opened. */
struct import {
    uint64_t inode, offset; /* which */
    struct device *device;
    void *block; /* of this process's device memory, which it takes the place of */
    size_t block_bytes;
    unsigned char *pages; /* in it, mapped */
    size_t pages_bytes;
    struct allocation *allocation;
    int n_opened;
    struct import *next;
};

static struct import *imports;

/* ---- exports --------------------------------------------------------------------------------- */

/* Of an export: not 0 while it is valid. */
static atomic_uint_least64_t *slots_of(int file, uint64_t tail)
{
    void *p = mmap(NULL, ARENA_FILE_TAIL, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)tail);
    return p == MAP_FAILED ? NULL : p;
}

static atomic_uint_least64_t *own_slots(struct device *d)
{
    static atomic_uint_least64_t *slots[MAX_DEVICES];
    int file = arena_file(d);
    if (!slots[d->id] && file >= 0)
        slots[d->id] = slots_of(file, arena_tail(d));
    return slots[d->id];
}

/* A number from 1 on; 0: none is left. */
static int take_slot(atomic_uint_least64_t *slots, uint64_t serial)
{
    for (int i = 1; i < (int)N_SLOTS; i++)
        if (atomic_load(&slots[i]) == 0) {
            atomic_store(&slots[i], serial);
            return i;
        }
    return 0;
}

cudaError_t shared_export(struct allocation *a, struct shared_handle *out)
{
    struct device *d = &devices[a->device];
    atomic_uint_least64_t *slots = own_slots(d);
    struct stat file;
    if (!slots || fstat(arena_file(d), &file) != 0)
        return cudaErrorNotSupported;
    if (!a->export_slot)
        a->export_slot = take_slot(slots, a->serial);
    if (!a->export_slot)
        return cudaErrorMemoryAllocation;
    *out = (struct shared_handle){.magic = MAGIC,
                                  .pid = getpid(),
                                  .file = arena_file(d),
                                  .device = d->id,
                                  .slot = a->export_slot,
                                  .inode = file.st_ino,
                                  .tail = arena_tail(d),
                                  .offset = arena_offset(d, (void *)(uintptr_t)a->lo),
                                  .bytes = a->hi - a->lo,
                                  .pool = a->pool ? a->pool->serial : 0};
    return cudaSuccess;
}

void shared_forget(const struct allocation *a)
{
    atomic_store(&own_slots(&devices[a->device])[a->export_slot], 0);
}

struct shared_handle shared_handle_of_event(void)
{
    return (struct shared_handle){.magic = MAGIC, .pid = getpid()};
}

cudaError_t shared_check_event(const struct shared_handle *h)
{
    if (h->magic != MAGIC || h->slot || h->pool)
        return cudaErrorInvalidValue;
    return h->pid == getpid() ? cudaErrorDeviceUninitialized : cudaSuccess;
}

/* ---- imports --------------------------------------------------------------------------------- */

/* The exporter's file; -1: it is gone, or the export is no longer valid. */
static int open_file(const struct shared_handle *h)
{
    char path[64];
    struct stat s;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)h->pid, (int)h->file);
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return -1;
    atomic_uint_least64_t *slots =
        fstat(file, &s) == 0 && s.st_ino == h->inode ? slots_of(file, h->tail) : NULL;
    bool valid = slots && atomic_load(&slots[h->slot]) != 0;
    if (slots)
        munmap(slots, ARENA_FILE_TAIL);
    if (valid)
        return file;
    close(file);
    return -1;
}

/* Maps the pages that hold the memory over a block of this process's device memory. */
static bool map(struct import *i, struct device *d, const struct shared_handle *h, int file)
{
    const uint64_t page = memory_page(), within = h->offset % page;
    i->device = d;
    i->pages_bytes = memory_pages(within + h->bytes);
    i->block_bytes = i->pages_bytes + page;
    i->block = arena_take(d, i->block_bytes);
    if (!i->block || arena_file(d) < 0) /* this process's own exports must not come between */
        return false;
    i->pages = (unsigned char *)memory_pages((uintptr_t)i->block);
    if (!arena_map(i->pages, i->pages_bytes, file, h->offset - within))
        return false;
    const char *call = h->pool ? "cudaMemPoolImportPointer" : "cudaIpcOpenMemHandle";
    i->allocation = memory_add(i->pages + within, h->bytes, MEMORY_SHARED, d->id, call);
    return true;
}

/* Does it say where memory lies that is not of a pool, or of this one? */
static bool is_of(const struct shared_handle *h, const struct mempool *from)
{
    if (h->magic != MAGIC || h->slot < 1 || h->slot >= (int)N_SLOTS || !device_exists(h->device))
        return false;
    return from ? h->pid == from->exporter && h->pool == from->exporter_serial : h->pool == 0;
}

cudaError_t shared_open(const struct shared_handle *h, struct mempool *from, void **out)
{
    if (!is_of(h, from))
        return cudaErrorInvalidValue;
    if (h->pid == getpid())
        return cudaErrorDeviceUninitialized;
    struct import *i = imports;
    while (i && (i->inode != h->inode || i->offset != h->offset))
        i = i->next;
    if (!i) {
        int file = open_file(h);
        if (file < 0)
            return cudaErrorNotPermitted;
        i = calloc(1, sizeof *i);
        bool good = i && map(i, &devices[h->device], h, file);
        close(file);
        if (!good) {
            free(i);
            return cudaErrorMemoryAllocation;
        }
        i->allocation->pool = from;
        if (from)
            from->refs++;
        i->inode = h->inode;
        i->offset = h->offset;
        i->next = imports;
        imports = i;
    }
    i->n_opened++;
    *out = (void *)(uintptr_t)i->allocation->lo;
    return cudaSuccess;
}

static struct import **import_of(const struct allocation *a)
{
    struct import **at = &imports;
    while (*at && (*at)->allocation != a)
        at = &(*at)->next;
    return at;
}

bool shared_release(const struct allocation *a)
{
    return --(*import_of(a))->n_opened == 0;
}

struct import *shared_end(struct allocation *a)
{
    struct import **at = import_of(a), *i = *at;
    *at = i->next;
    memory_remove(a);
    if (a->pool)
        pool_put(a->pool);
    return i;
}

void shared_unmap(struct import *i)
{
    struct device *d = i->device;
    arena_map(i->pages, i->pages_bytes, arena_file(d), arena_offset(d, i->pages));
    arena_give(d, i->block, i->block_bytes);
    free(i);
}

void shared_close(struct allocation *a)
{
    if (shared_release(a))
        shared_unmap(shared_end(a));
}

/* ---- pools ----------------------------------------------------------------------------------- */

int shared_pool_export(const struct mempool *pool)
{
    const struct shared_handle h = {
        .magic = MAGIC, .pid = getpid(), .device = pool->device->id, .pool = pool->serial};
    int file = memfd_create("simgpu memory pool", MFD_CLOEXEC);
    if (file >= 0 && write(file, &h, sizeof h) == sizeof h)
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

struct mempool *shared_pool_import(int file)
{
    struct shared_handle h;
    if (pread(file, &h, sizeof h, 0) != sizeof h || h.magic != MAGIC || h.pool == 0 ||
        !device_exists(h.device))
        return NULL;
    struct mempool *pool = pool_new(&devices[h.device]);
    if (!pool)
        fatal("out of memory for the memory pool of another process");
    pool->exporter = h.pid;
    pool->exporter_serial = h.pool;
    return pool;
}
