/*
 * variable.c: __device__, __constant__ and __managed__ variables.
 */
#include <stdlib.h>

#include "memory.h"

/*
 * A __device__, __constant__ or __managed__ variable. Device memory is host memory here: the host's
 * shadow of it is the variable. (What nvcc's code would start it with is in the GPU's code: it
 * starts as zero.)
 */
struct variable {
    const void *symbol;
    void *address;
    size_t bytes;
    struct variable *next; /* of all */
};

static struct variable *variables;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void variable_add(const void *symbol, void *address, size_t bytes)
{
    struct variable *v = malloc(sizeof *v);
    if (!v)
        fatal("out of memory for a device variable");
    pthread_mutex_lock(&lock);
    *v = (struct variable){.symbol = symbol, .address = address, .bytes = bytes, .next = variables};
    variables = v;
    pthread_mutex_unlock(&lock);
}

EXPORT void simgpu_register_variable(void *variable, size_t bytes)
{
    variable_add(variable, variable, bytes);
}

bool variable_reaches(const void *p, size_t *left)
{
    uintptr_t at = (uintptr_t)p;
    pthread_mutex_lock(&lock);
    const struct variable *v = variables;
    while (v && (at < (uintptr_t)v->address || at - (uintptr_t)v->address >= v->bytes))
        v = v->next;
    if (v)
        *left = v->bytes - (size_t)(at - (uintptr_t)v->address);
    pthread_mutex_unlock(&lock);
    return v != NULL;
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
