/*
 * variable.c: __device__, __constant__ and __managed__ variables.
 *
 * Code reads and writes a variable at one address. That is device 0's; further devices have copies,
 * which take its place while their kernels run. (So a kernel of such a device that uses a variable
 * by its name and by the address of cudaGetSymbolAddress sees two of it.)
 */
#include <stdlib.h>
#include <string.h>

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
    bool is_shared;            /* all devices have the same */
    char *copies[MAX_DEVICES]; /* of devices from 1 on; NULL: there are none */
    struct variable *next;     /* of all */
};

static struct variable *variables;
static int n_devices; /* that have variables; 0: not known yet */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The variable has its initial value now. */
static void make_copies(struct variable *v)
{
    for (int d = 1; d < n_devices && !v->is_shared; d++) {
        v->copies[d] = malloc(v->bytes + 1);
        if (!v->copies[d])
            fatal("out of memory for a variable of device %d", d);
        memcpy(v->copies[d], v->address, v->bytes);
    }
}

void variables_start(void)
{
    n_devices = sim.n_devices;
    for (struct variable *v = variables; v; v = v->next)
        make_copies(v);
}

void variable_add(const void *symbol, void *address, size_t bytes, bool is_shared)
{
    struct variable *v = calloc(1, sizeof *v);
    if (!v)
        fatal("out of memory for a device variable");
    pthread_mutex_lock(&lock);
    *v = (struct variable){.symbol = symbol,
                           .address = address,
                           .bytes = bytes,
                           .is_shared = is_shared,
                           .next = variables};
    make_copies(v);
    variables = v;
    pthread_mutex_unlock(&lock);
}

EXPORT void simgpu_register_variable(void *variable, size_t bytes)
{
    variable_add(variable, variable, bytes, false);
}

/* How many bytes of the variable, or of a copy of it, are left from p on; 0: p is not in it. */
static size_t left_from(const struct variable *v, const void *p)
{
    uintptr_t at = (uintptr_t)p, base = (uintptr_t)v->address;
    for (int d = 0; d == 0 || d < n_devices; d++) {
        base = d ? (uintptr_t)v->copies[d] : base;
        if (base && at >= base && at - base < v->bytes)
            return v->bytes - (size_t)(at - base);
    }
    return 0;
}

bool variable_reaches(const void *p, size_t *left)
{
    size_t found = 0;
    pthread_mutex_lock(&lock);
    for (const struct variable *v = variables; v && !found; v = v->next)
        found = left_from(v, p);
    pthread_mutex_unlock(&lock);
    if (found)
        *left = found;
    return found != 0;
}

bool variable_find(const void *symbol, int device, void **address, size_t *bytes)
{
    pthread_mutex_lock(&lock);
    const struct variable *v = variables;
    while (v && v->symbol != symbol)
        v = v->next;
    if (v) {
        *address = v->copies[device] ? v->copies[device] : v->address;
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
