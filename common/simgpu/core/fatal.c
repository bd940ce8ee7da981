/* fatal.c: the end of a simulated device that cannot go on. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core.h"

void fatal(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("simgpu: the simulated device cannot go on: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}

void *needed(void *memory, const char *what, ...)
{
    char words[256];
    va_list args;
    if (memory)
        return memory;
    va_start(args, what);
    vsnprintf(words, sizeof words, what, args);
    va_end(args);
    fatal("out of memory for %s", words);
}

void *room_for_one(void *items, size_t n, size_t *cap, size_t item_bytes, const char *what)
{
    if (n < *cap)
        return items;
    *cap = *cap ? 2 * *cap : 16;
    return needed(realloc(items, *cap * item_bytes), "%zu %s", *cap, what);
}
