/*
 * pitched_memory.c: cudaMallocPitch and cudaMalloc3D.
 */
#include <stdint.h>

#include "../situation.h"

SITUATION(malloc_pitch, "cudaMallocPitch of 100 x 10; 513 x 10; pitches", "pitch: 512",
          "pitch #2: 1024")
{
    void *p = NULL;
    size_t pitch = 0;
    answer(cudaMallocPitch(&p, &pitch, 100, 10));
    answer_text("%zu", pitch);
    answer(cudaMallocPitch(&p, &pitch, 513, 10));
    answer_text("%zu", pitch);
}

SITUATION(malloc_pitch_edges,
          "cudaMallocPitch of width 0; height 0; NULL pointer; NULL pitch; 1 PiB",
          "p == &host_word, pitch: NULL 0", "p == &host_word, pitch #2: NULL 0",
          "cudaMallocPitch(NULL, &pitch, 100, 10): InvalidValue",
          "cudaMallocPitch(&p, NULL, 100, 10): InvalidValue",
          "cudaMallocPitch(&p, &pitch, 1 << 30, 1 << 20): MemoryAllocation")
{
    void *p = &host_word;
    size_t pitch = 77;
    answer(cudaMallocPitch(&p, &pitch, 0, 10));
    answer_text("%s %zu", p == &host_word ? "untouched" : p ? "other" : "NULL", pitch);
    p = &host_word;
    answer(cudaMallocPitch(&p, &pitch, 100, 0));
    answer_text("%s %zu", p == &host_word ? "untouched" : p ? "other" : "NULL", pitch);
    answer(cudaMallocPitch(NULL, &pitch, 100, 10));
    answer(cudaMallocPitch(&p, NULL, 100, 10));
    answer(cudaMallocPitch(&p, &pitch, (size_t)1 << 30, 1 << 20));
}

SITUATION(malloc_3d, "cudaMalloc3D of 100 x 10 x 2: pitch, xsize, ysize; of 0 x 10 x 2; NULL",
          "pitch, xsize, ysize: 512 100 10", "p.ptr: NULL",
          "cudaMalloc3D(NULL, extent(100, 10, 2)): InvalidValue")
{
    struct cudaPitchedPtr p = {0};
    answer(cudaMalloc3D(&p, extent(100, 10, 2)));
    answer_fact("pitch, xsize, ysize", "%zu %zu %zu", p.pitch, p.xsize, p.ysize);
    answer(cudaMalloc3D(&p, extent(0, 10, 2)));
    answer_text(p.ptr ? "not NULL" : "NULL");
    answer(cudaMalloc3D(NULL, extent(100, 10, 2)));
}

SITUATION(malloc_pitch_more,
          "cudaMallocPitch of 100 x 3: pitch; of 513 x 1: pitch; of 0 x 3; of 3 x 0", "pitch: 512",
          "pitch #2: 1024", "pitch, p: 0 NULL", "pitch, p #2: 0 NULL")
{
    void *p = (void *)(uintptr_t)1;
    size_t pitch = 77;
    answer(cudaMallocPitch(&p, &pitch, 100, 3));
    answer_text("%zu", pitch);
    answer(cudaMallocPitch(&p, &pitch, 513, 1));
    answer_text("%zu", pitch);
    pitch = 77;
    answer(cudaMallocPitch(&p, &pitch, 0, 3));
    answer_text("%zu %s", pitch, p ? "a pointer" : "NULL");
    p = (void *)(uintptr_t)1;
    answer(cudaMallocPitch(&p, &pitch, 3, 0));
    answer_text("%zu %s", pitch, p ? "a pointer" : "NULL");
}
