/* bench_host_loops.h: loops of host code over one array, compiled by simcc and by gcc. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A node of a list; four integers, of which a loop accesses one. */
struct bench_node {
    struct bench_node *next;
    long value;
};
struct bench_four {
    int a, b, c, d;
};

struct bench_loop {
    const char *name;
    long (*run)(void *p, size_t bytes);
};

/* The one at BENCH_LIST walks a list from p on. */
enum { BENCH_LOOPS = 12, BENCH_LIST = 8 };
extern const struct bench_loop plain_loops[BENCH_LOOPS], checked_loops[BENCH_LOOPS];

#ifdef __cplusplus
}
#endif
