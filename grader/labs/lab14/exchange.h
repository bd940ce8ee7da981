/* exchange.h: what the suite and the adapter of lab 14 exchange. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "labs/lab14_all_reduce/lab.h"

enum { LAB14_SEED = 14 }; /* of the weights */

/* The messages for which lab14_choose is asked. */
enum { N_CASES = 12 };

static const struct {
    int devices;
    size_t bytes;
    double exchange_us, gbps;
} cases[N_CASES] = {
    {4, 1 << 14, 12, 400},        {4, 1 << 24, 12, 400}, {4, 3190000, 12, 400},
    {4, 3210000, 12, 400},        {8, 900000, 12, 400},  {8, 930000, 12, 400},
    {2, (size_t)1 << 30, 5, 400}, {3, 300000, 20, 22.5}, {4, 200000, 20, 12.5},
    {1, 1 << 20, 0, 400},         {2, 1 << 20, 0, 400},  {4, (size_t)1 << 32, 12, 400}};

struct numbers {
    int devices; /* at most; 0: as many as there are */
    size_t n_layers, rows, n, m;
    enum lab14_algorithm algorithm;
    double exchange, gbps; /* us; gbps 0: both are measured */
    bool look;             /* the adapter looks around after a run */
    bool ask;              /* lab14_choose alone is called */
    bool digits;           /* the weights are those of expected_results.h's digits */
};

struct figures {
    double n_devices;
    double exchange_us, gbps; /* that lab14_choose is given */
    double peers;             /* pairs of devices that could access each other's memory */
    double far_kernels;       /* of the graph, with arguments in the memory of two devices */
    double choices[N_CASES];  /* answers of lab14_choose */
    double products_us;       /* the floor: the products of one device */
};
