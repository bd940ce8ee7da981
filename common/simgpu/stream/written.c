/* written.c: what a kernel writes, as a packed copy of all its ranges. */
#include <string.h>

#include "stream.h"

size_t kernel_written_bytes(const struct kernel_call *w)
{
    size_t sum = 0;
    for (int i = 0; i < w->n_ranges; i++)
        if (range_is_set_aside(&w->ranges[i]))
            sum += w->ranges[i].width_bytes * w->ranges[i].rows;
    return sum;
}

/* Copies every written range to (or, if `back`, from) the packed buffer. */
void kernel_move_written(const struct kernel_call *w, unsigned char *packed, bool back)
{
    for (int i = 0; i < w->n_ranges; i++) {
        const struct simgpu_range *r = &w->ranges[i];
        if (!range_is_set_aside(r))
            continue;
        for (size_t row = 0; row < r->rows; row++, packed += r->width_bytes) {
            unsigned char *at = (unsigned char *)(uintptr_t)r->base + row * r->pitch_bytes;
            memcpy(back ? at : packed, back ? packed : at, r->width_bytes);
        }
    }
}
