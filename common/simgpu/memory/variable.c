/*
 * variable.c: __device__, __constant__ and __managed__ variables.
 *
 * Device memory is host memory here: the host's shadow of a variable is the variable. Programs make
 * theirs known before the device starts; the first call after that makes them allocations, so that
 * races on them are found.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "memory.h"

struct variable {
    const void *symbol;
    void *address;
    size_t bytes;
    const char *call; /* as reports name the allocation */
    bool allocated;
    struct variable *next; /* of all */
};

static struct variable *variables;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool any_new;

void variable_add(const void *symbol, void *address, size_t bytes, const char *name)
{
    struct variable *v = malloc(sizeof *v);
    char *call;
    if (!v || asprintf(&call, "variable %s", name) < 0)
        fatal("out of memory for a device variable");
    pthread_mutex_lock(&lock);
    *v = (struct variable){
        .symbol = symbol, .address = address, .bytes = bytes, .call = call, .next = variables};
    variables = v;
    pthread_mutex_unlock(&lock);
    atomic_store(&any_new, true);
}

EXPORT void simgpu_register_variable(void *variable, size_t bytes, const char *name)
{
    variable_add(variable, variable, bytes, name);
}

void variables_allocate(void)
{
    if (!atomic_load_explicit(&any_new, memory_order_acquire))
        return;
    pthread_mutex_lock(&lock);
    for (struct variable *v = variables; v; v = v->next) {
        if (!v->allocated && v->bytes && !memory_find_in(v->address, v->bytes))
            memory_add(v->address, v->bytes, MEMORY_VARIABLE, NO_DEVICE, v->call);
        v->allocated = true;
    }
    atomic_store(&any_new, false);
    pthread_mutex_unlock(&lock);
}

bool variable_find(const void *symbol, void **address, size_t *bytes)
{
    pthread_mutex_lock(&lock);
    const struct variable *v = variables;
    while (v && v->symbol != symbol)
        v = v->next;
    if (v) {
        *address = v->address;
        *bytes = v->bytes;
    }
    pthread_mutex_unlock(&lock);
    return v != NULL;
}
