/* red_zone.h: a pattern after each block of host memory of the submission, for heap.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { RED_ZONE = 64 };

/* How many bytes more a block needs that is allocated there; 0: it has no red zone. */
size_t red_zone_bytes(const void *caller);
/* The block has that many. `call`: the function that allocated it. */
void red_zone_add(void *block, size_t bytes, const char *call, const void *caller);
/* The block is about to be freed; false: it has no red zone. */
bool red_zone_remove(const void *block, size_t *bytes);
