/* exchange.h: the figures of lab 00. */
#ifndef LAB00_EXCHANGE_H
#define LAB00_EXCHANGE_H

struct figures {
    double cost_us; /* as the run claims */
    double cpus;    /* that its process may use, … */
    double cpu;     /* … and the one that it is on */
    double pid;
    double runs;     /* of its process so far */
    double least_us; /* the floor */
};

#endif
