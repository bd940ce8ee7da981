/*
 * main.c: simcc-rewrite FILE: preprocessed CUDA C++ in, C++ for g++ and the simulated device out.
 */
#include <stdio.h>

#include "source.h"

int main(int argc, char **argv)
{
    if (argc != 2)
        fatal("usage: %s FILE (preprocessed CUDA C++)", argv[0]);
    struct source s;
    source_read(&s, argv[1]);
    find_columns(&s);
    mark_device_code(&s);
    find_graph_launches(&s);
    count_arithmetic(&s);
    rewrite_kernels(&s);
    rewrite_variables(&s);
    rewrite_device_code(&s);
    rewrite_launches(&s);
    source_write(&s);
    if (fflush(stdout) != 0)
        fatal("cannot write");
    return 0;
}
