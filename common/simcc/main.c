/* main.c: simcc-rewrite FILE: preprocessed CUDA C++ in, C++ for g++ and the simulated device out.
 */
#include <stdio.h>

#include "source.h"

int main(int argc, char **argv)
{
    if (argc != 2)
        fatal("usage: %s FILE (preprocessed CUDA C++)", argv[0]);
    source_rewrite(argv[1]);
    if (fflush(stdout) != 0)
        fatal("cannot write");
    return 0;
}
