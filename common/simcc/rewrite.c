/* rewrite.c: all steps, from a file to the standard output. */
#include "source.h"

void source_rewrite(const char *path)
{
    struct source s;
    source_read(&s, path);
    find_columns(&s);
    mark_device_code(&s);
    find_graph_launches(&s);
    count_arithmetic(&s);
    rewrite_kernels(&s);
    rewrite_variables(&s);
    rewrite_device_code(&s);
    rewrite_launches(&s);
    source_write(&s);
}
