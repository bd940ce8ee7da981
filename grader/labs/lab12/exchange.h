/* exchange.h: what the suite and the adapter of lab 12 exchange. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The pipelines for which lab12_micro_batches is asked. */
enum { N_CASES = 9, MOST_DEVICES = 8 };

static const struct {
    int stages, percent;
} cases[N_CASES] = {{2, 10}, {2, 3}, {1, 5}, {4, 25}, {4, 10}, {8, 20}, {3, 50}, {5, 7}, {2, 90}};

struct numbers {
    int devices; /* at most; 0: as many as there are */
    size_t n_layers, n, rows;
    int n_buffers, percent; /* of the bubble, at most */
    bool look;              /* the adapter looks around after a run */
    bool ask;               /* lab12_micro_batches alone is called */
    bool primes;            /* the weights are those of make_primes */
    bool by_streams;        /* the grader runs it, with stream launches */
    int n_micro;            /* with by_streams: micro-batches */
};

struct figures {
    double peers; /* devices that could access the memory of the next one */
    double n_devices;
    double n_micro;                /* micro-batches */
    double micro_batches[N_CASES]; /* answers of lab12_micro_batches */
    double stage_us;               /* the floor: the layers of one stage for all micro-batches */
};
