/* memset.c: filling device memory. A memset runs on the same engine as copies inside the device. */
#include "stream.h"

bool memset_has_memory(const struct memset_job *m)
{
    const struct allocation *a = memory_find(m->dst);
    size_t bytes;
    if (!memory_extent(&bytes, m->width * (size_t)m->element_bytes, m->rows, m->pitch, 1, 0))
        return false;
    if (a && memory_holds(a, m->dst, bytes))
        return true;
    memory_note_refusal(m->dst, bytes, "dst");
    return false;
}

bool memset_reaches(const struct memset_job *m, int device)
{
    const struct allocation *a = memory_find(m->dst);
    return memset_has_memory(m) && (!a || memory_reaches(a, device));
}

cudaError_t memset_work(struct work *w, const struct memset_job *m)
{
    size_t row_bytes;
    if (__builtin_mul_overflow(m->width, (size_t)m->element_bytes, &row_bytes) ||
        (m->rows > 1 && row_bytes > m->pitch))
        return cudaErrorInvalidValue;
    *w = (struct work){.kind = OP_MEMSET,
                       .engine = ENGINE_D2D,
                       .name = "memset",
                       .caller = call_place(),
                       .bytes = row_bytes * m->rows};
    w->memset = *m;
    return cudaSuccess;
}

bool memset_has_same_shape(const struct memset_job *a, const struct memset_job *b)
{
    return a->width == b->width && a->rows == b->rows && a->pitch == b->pitch &&
           a->element_bytes == b->element_bytes;
}
