/* register.c: the known kernels. A kernel is found by the address of its __global__ function, or by
 * its handle (cudaKernel_t), which is the address of its description. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "core/table.h"
#include "grid.h"

struct slot {
    const void *key;
    const struct simgpu_kernel *kernel; /* NULL: taken away again */
    bool said_empty;                    /* kernel_say_empty has spoken */
};

static struct {
    pthread_mutex_t lock;
    struct table slots;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct slot *slot_of(const void *key)
{
    return table_find(&table.slots, sizeof(struct slot), (uintptr_t)key);
}

static void put(const void *key, const struct simgpu_kernel *kernel)
{
    struct slot *slot =
        table_add(&table.slots, sizeof *slot, (uintptr_t)key, "the table of kernels");
    *slot = (struct slot){.key = key, .kernel = kernel};
}

/* A key stands for one kernel: else a program could put its own in the place of another. What has
   no body, because nvcc alone compiled it, may get one. */
static void expect_new(const void *key, const struct simgpu_kernel *kernel)
{
    const struct slot *slot = slot_of(key);
    const struct simgpu_kernel *old = slot ? slot->kernel : NULL;
    if (old && old != kernel && old->call)
        fatal("kernel %s is declared in the place of kernel %s. Next: declare each __global__ "
              "function once",
              kernel->name, old->name);
}

EXPORT void simgpu_register_kernel(const struct simgpu_kernel *kernel)
{
    pthread_mutex_lock(&table.lock);
    expect_new(kernel->entry, kernel);
    expect_new(kernel, kernel);
    put(kernel->entry, kernel);
    put(kernel, kernel);
    pthread_mutex_unlock(&table.lock);
}

EXPORT void simgpu_register_recorded(struct simgpu_kernel *kernel)
{
    kernel->footprint = NULL;
    kernel->run_plain = NULL;
    kernel->reports_accesses = 1;
    simgpu_register_kernel(kernel);
}

void kernel_forget(const struct simgpu_kernel *kernel)
{
    pthread_mutex_lock(&table.lock);
    put(kernel, NULL);
    if (slot_of(kernel->entry)->kernel == kernel)
        put(kernel->entry, NULL);
    pthread_mutex_unlock(&table.lock);
}

const struct simgpu_kernel *kernel_find(const void *entry)
{
    if (!entry)
        return NULL;
    pthread_mutex_lock(&table.lock);
    const struct slot *slot = slot_of(entry);
    const struct simgpu_kernel *kernel = slot ? slot->kernel : NULL;
    pthread_mutex_unlock(&table.lock);
    return kernel;
}

const char *kernel_name_for_origin(const struct simgpu_kernel *kernel)
{
    int n = 0;
    pthread_mutex_lock(&table.lock);
    for (const struct slot *s = NULL; (s = table_next(&table.slots, sizeof *s, s));)
        n += s->kernel && s->key == s->kernel && strcmp(s->kernel->name, kernel->name) == 0;
    pthread_mutex_unlock(&table.lock);
    return n > 1 ? "one of several kernels of one name" : kernel->name;
}

void kernel_say_empty(const struct simgpu_kernel *kernel)
{
    pthread_mutex_lock(&table.lock);
    struct slot *slot = slot_of(kernel);
    bool said = slot->said_empty;
    slot->said_empty = true;
    pthread_mutex_unlock(&table.lock);
    if (!said)
        fprintf(
            stderr,
            "simgpu: kernel %s has no body that the CPU can run (nvcc alone compiled it), so it "
            "does nothing. Compile the program with simcc (make sim)\n",
            kernel->name);
}

cudaError_t kernel_missing(const void *entry)
{
    return entry ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;
}

/* The natural alignment of a parameter of so many bytes. */
static size_t alignment(size_t bytes)
{
    size_t lowest_bit = bytes & (~bytes + 1);
    return lowest_bit == 0 ? 1 : lowest_bit < 16 ? lowest_bit : 16;
}

size_t kernel_param_offset(const struct simgpu_kernel *k, int i)
{
    size_t at = 0;
    for (int n = 0;; n++) {
        size_t align = alignment(k->param_bytes[n]);
        at = (at + align - 1) / align * align;
        if (n == i)
            return at;
        at += k->param_bytes[n];
    }
}
