/* sort.h: sorts numbers, the smallest first. */
#ifndef SORT_H
#define SORT_H

#include <stdlib.h>

static inline int sort_by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline void sort_numbers(double *v, int n)
{
    qsort(v, (size_t)n, sizeof *v, sort_by_size);
}

#endif
