/* footprint_check.c: compares the declared footprint of a kernel with its recorded accesses. Each
 * byte must be accessed as declared, and each declared byte must be accessed. */
#include <stdio.h>

#include "stream.h"

static bool checked;
static char difference[256];

EXPORT void simgpu_check_footprints(void)
{
    checked = true;
}

EXPORT const char *simgpu_footprint_difference(void)
{
    return difference[0] ? difference : NULL;
}

bool footprints_are_checked(void)
{
    return checked;
}

/* The end of the bytes from `at` on that one of the ranges holds for this access; at: none does. */
static uint64_t covered_until(uint64_t at, enum simgpu_access access,
                              const struct simgpu_range *ranges, int n)
{
    for (int i = 0; i < n; i++) {
        uint64_t row = (uint64_t)(uintptr_t)ranges[i].base;
        for (size_t k = 0; k < ranges[i].rows; k++, row += ranges[i].pitch_bytes)
            if ((ranges[i].access & access) == access && at >= row &&
                at < row + ranges[i].width_bytes)
                return row + ranges[i].width_bytes;
    }
    return at;
}

/* Looks for the first byte of `ranges` that `in` does not hold for the same access. */
static bool find_missing(const struct simgpu_range *ranges, int n, const struct simgpu_range *in,
                         int n_in, enum simgpu_access *access, uint64_t *missing)
{
    for (int i = 0; i < n; i++)
        for (size_t k = 0; k < ranges[i].rows; k++)
            for (int bit = SIMGPU_READ; bit <= SIMGPU_WRITE; bit <<= 1) {
                uint64_t at = (uint64_t)(uintptr_t)ranges[i].base + k * ranges[i].pitch_bytes;
                uint64_t end = at + ranges[i].width_bytes, next;
                *access = ranges[i].access & bit ? (enum simgpu_access)bit : SIMGPU_READ_WRITE;
                for (; (ranges[i].access & bit) && at < end; at = next) {
                    next = covered_until(at, *access, in, n_in);
                    *missing = at;
                    if (next == at)
                        return true;
                }
            }
    return false;
}

static void tell(const struct kernel_call *k, const char *does, enum simgpu_access access,
                 uint64_t at)
{
    const struct allocation *a = memory_find((const void *)(uintptr_t)at);
    snprintf(difference, sizeof difference, "kernel %s %s %s byte %llu of an allocation of %llu",
             k->kernel->name, does, access == SIMGPU_READ ? "read" : "write",
             (unsigned long long)(a ? at - a->lo : at),
             (unsigned long long)(a ? a->hi - a->lo : 0));
}

void footprint_check(const struct kernel_call *recorded)
{
    struct simgpu_work declared = {.n_ranges = 0};
    enum simgpu_access access;
    uint64_t at;
    if (difference[0] || !recorded->kernel->footprint)
        return;
    recorded->kernel->footprint(&recorded->launch, recorded->params, &declared);
    for (int i = 0; i < declared.n_ranges; i++)
        if (declared.ranges[i].rows == 0)
            declared.ranges[i].rows = 1;
    if (find_missing(recorded->ranges, recorded->n_ranges, declared.ranges, declared.n_ranges,
                     &access, &at))
        tell(recorded, "does not declare to", access, at);
    else if (find_missing(declared.ranges, declared.n_ranges, recorded->ranges, recorded->n_ranges,
                          &access, &at))
        tell(recorded, "only declares to", access, at);
}
