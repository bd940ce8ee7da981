/* Makes an input writable and changes it. */
#include <sys/mman.h>
#include <stdint.h>

#include "../lab00/lab.h"

int lab00_run(struct lab00 *lab)
{
    float *in = (float *)lab->in;
    mprotect((void *)((uintptr_t)in & ~(uintptr_t)4095), 4096, PROT_READ | PROT_WRITE);
    lab00_compute(lab);
    in[3] = 1;
    return 0;
}
