/*
 * lost.c: the calls that answer as ever after a kernel's fault has ended the context, as an H200
 * does: those that touch nothing but the host's own record of a graph.
 */
#include <stdlib.h>
#include <string.h>

#include "sim.h"

/* In order of the letters. */
static const char *const on_host[] = {
    "cudaGraphCreate",
    "cudaGraphDestroy",
    "cudaGraphExecDestroy",
};

static int compare(const void *name, const void *entry)
{
    return strcmp(name, *(const char *const *)entry);
}

bool call_needs_context(const char *name)
{
    return !bsearch(name, on_host, sizeof on_host / sizeof *on_host, sizeof *on_host, compare);
}
