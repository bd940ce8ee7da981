/* exchange.h: what the suite and the adapter of lab 00 exchange. */
#pragma once

struct numbers {
    int n, n_batches;
};

struct figures {
    double cost_us; /* as the run claims */
    double cpus;    /* that its process may use */
    double cpu;     /* that its process is on */
    double pid;
    double runs;     /* of its process so far */
    double least_us; /* the floor */
};
