/* kernel_name.c: the demangler of the C++ runtime, and what to leave out of its answer. */
#include "kernel_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* <cxxabi.h> declares it for C++ alone. NULL for a name that is not mangled. */
char *__cxa_demangle(const char *symbol, char *buffer, size_t *length, int *status);

/* void lab::matmul<float>(float*): the type in front, namespaces, arguments and parameters go. */
void kernel_name(const char *symbol, char *name, size_t room)
{
    static const char anonymous[] = "(anonymous namespace)::";
    int status;
    char *whole = __cxa_demangle(symbol, NULL, NULL, &status);
    const char *from = whole ? whole : symbol;
    const char *unnamed = strstr(from, anonymous);
    from = unnamed ? unnamed + strlen(anonymous) : from;
    size_t end = strcspn(from, "<("), start = end;
    while (start > 0 && from[start - 1] != ' ' && from[start - 1] != ':')
        start--;
    snprintf(name, room, "%.*s", (int)(end - start), from + start);
    free(whole);
}
