/* pitched_memory.c: cudaMallocPitch and cudaMalloc3D. */
#include "../situation.h"

SITUATION("cudaMallocPitch of 100 x 10; 513 x 10; pitches")
{
    void *p = NULL;
    size_t pitch = 0;
    answer(cudaMallocPitch(&p, &pitch, 100, 10));
    shows("512", "%zu", pitch);
    answer(cudaMallocPitch(&p, &pitch, 513, 10));
    shows("1024", "%zu", pitch);
}

SITUATION("cudaMallocPitch of width 0; height 0; NULL pointer; NULL pitch; 1 PiB")
{
    void *p = &host_word;
    size_t pitch = 77;
    answer(cudaMallocPitch(&p, &pitch, 0, 10));
    shows("NULL 0", "%s %zu", p == &host_word ? "untouched" : p ? "other" : "NULL", pitch);
    p = &host_word;
    answer(cudaMallocPitch(&p, &pitch, 100, 0));
    shows("NULL 0", "%s %zu", p == &host_word ? "untouched" : p ? "other" : "NULL", pitch);
    gives(InvalidValue, cudaMallocPitch(NULL, &pitch, 100, 10));
    gives(InvalidValue, cudaMallocPitch(&p, NULL, 100, 10));
    gives(MemoryAllocation, cudaMallocPitch(&p, &pitch, (size_t)1 << 30, 1 << 20));
}

SITUATION("cudaMalloc3D of 100 x 10 x 2: pitch, xsize, ysize; of 0 x 10 x 2; NULL")
{
    struct cudaPitchedPtr p = {0};
    answer(cudaMalloc3D(&p, extent(100, 10, 2)));
    fact("pitch, xsize, ysize", "512 100 10", "%zu %zu %zu", p.pitch, p.xsize, p.ysize);
    answer(cudaMalloc3D(&p, extent(0, 10, 2)));
    shows("NULL", p.ptr ? "not NULL" : "NULL");
    gives(InvalidValue, cudaMalloc3D(NULL, extent(100, 10, 2)));
}
