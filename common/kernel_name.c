/* kernel_name.c: the demangler of the C++ runtime, and what to leave out of its answer. */
#include "kernel_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* <cxxabi.h> declares it for C++ alone. NULL for a name that is not mangled. */
char *__cxa_demangle(const char *symbol, char *buffer, size_t *length, int *status);

/* nvcc -rdc=true prepends the file to the name of a static kernel:
 * __nv_static_27_…_lab_cu_…__Z5weighPf.
 */
static const char *without_file(const char *symbol)
{
    static const char prefix[] = "__nv_static_";
    const char *mangled = strstr(symbol, "__Z");
    return strncmp(symbol, prefix, strlen(prefix)) == 0 && mangled ? mangled + 1 : symbol;
}

/* void lab::matmul<float>(float*): the type in front, namespaces, arguments and parameters go. */
void kernel_name(const char *symbol, char *name, size_t room)
{
    static const char anonymous[] = "(anonymous namespace)::";
    int status;
    symbol = without_file(symbol);
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
