/* variable.c: __device__, __constant__ and __managed__ variables.
 *
 * Device memory is host memory here, so a variable and its shadow on the host are the same bytes.
 * Programs register their variables before the device starts. The first call after that makes them
 * allocations, so that races on them are found.
 *
 * Code reads and writes a variable at one address. It is that of device 0. Each further device has
 * a copy, which takes its place while a kernel of that device runs. (If such a kernel uses a
 * variable both by name and by the address from cudaGetSymbolAddress, it sees two variables.) */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

struct variable {
    const void *symbol;
    void *address;
    size_t bytes;
    const char *call;          /* as reports name the allocation */
    bool is_shared;            /* all devices have the same */
    bool allocated;            /* in memory.c's tree, and its copies are made */
    char *copies[MAX_DEVICES]; /* of devices from 1 on; NULL: there are none */
    struct variable *next;     /* of all */
};

static struct variable *variables;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool any_new;

void variable_add(const void *symbol, void *address, size_t bytes, bool is_shared, const char *name)
{
    struct variable *v = calloc(1, sizeof *v);
    char *call;
    if (!v || asprintf(&call, "variable %s", name) < 0)
        fatal("out of memory for a device variable");
    pthread_mutex_lock(&lock);
    *v = (struct variable){.symbol = symbol,
                           .address = address,
                           .bytes = bytes,
                           .call = call,
                           .is_shared = is_shared,
                           .next = variables};
    variables = v;
    pthread_mutex_unlock(&lock);
    atomic_store(&any_new, true);
}

EXPORT void simgpu_register_variable(void *variable, size_t bytes, const char *name)
{
    variable_add(variable, variable, bytes, false, name);
}

static void *place_of(const struct variable *v, int device)
{
    return v->copies[device] ? v->copies[device] : v->address;
}

/* The variable has its initial value now. */
static void make_copies(struct variable *v)
{
    for (int d = 1; d < sim.n_devices && !v->is_shared; d++) {
        v->copies[d] = needed(malloc(v->bytes + 1), "a variable of device %d", d);
        memcpy(v->copies[d], v->address, v->bytes);
    }
}

static void allocate(struct variable *v)
{
    v->allocated = true;
    if (!v->bytes || memory_find_in(v->address, v->bytes))
        return;
    make_copies(v);
    for (int d = 0; d < (v->is_shared ? 1 : sim.n_devices); d++)
        memory_add(place_of(v, d), v->bytes, MEMORY_VARIABLE, v->is_shared ? NO_DEVICE : d,
                   v->call);
}

void variables_allocate(void)
{
    if (!atomic_load_explicit(&any_new, memory_order_acquire))
        return;
    pthread_mutex_lock(&lock);
    for (struct variable *v = variables; v; v = v->next)
        if (!v->allocated)
            allocate(v);
    atomic_store(&any_new, false);
    pthread_mutex_unlock(&lock);
}

bool variable_find(const void *symbol, int device, void **address, size_t *bytes)
{
    pthread_mutex_lock(&lock);
    const struct variable *v = variables;
    while (v && v->symbol != symbol)
        v = v->next;
    if (v) {
        *address = place_of(v, device);
        *bytes = v->bytes;
    }
    pthread_mutex_unlock(&lock);
    return v != NULL;
}

static void exchange(char *a, char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char c = a[i];
        a[i] = b[i];
        b[i] = c;
    }
}

void variables_exchange(int device)
{
    for (struct variable *v = variables; v; v = v->next)
        if (v->copies[device])
            exchange(v->address, v->copies[device], v->bytes);
}

const void *variable_place(const void *p, int device)
{
    uintptr_t at = (uintptr_t)p;
    for (const struct variable *v = variables; v && device > 0; v = v->next)
        if (v->copies[device] && at - (uintptr_t)v->address < v->bytes)
            return v->copies[device] + (at - (uintptr_t)v->address);
    return p;
}
