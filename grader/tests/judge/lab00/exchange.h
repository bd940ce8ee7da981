/* exchange.h: what the suite and the adapter of lab 00 exchange. */
#pragma once

struct numbers {
    int n, n_batches;
};

/* The judge's scenario "small": 4 batches of 100. */
#define LAB00_SMALL                                                                                \
    .name = "4 batches of 100", .numbers = JUDGE_NUMBERS(.n = 100, .n_batches = 4),                \
    .buffers = {{.name = "in", .direction = JUDGE_INPUT, .count = 400},                            \
                {.name = "out", .direction = JUDGE_OUTPUT, .count = 400}}

struct figures {
    double cost_us; /* as the run claims */
    double cpus;    /* that its process may use */
    double cpu;     /* that its process is on */
    double pid;
    double runs;     /* of its process so far */
    double least_us; /* the floor */
};
