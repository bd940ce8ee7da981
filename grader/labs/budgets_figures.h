/*
 * budgets_figures.h: what the adapters of labs 23 and 25 report: products within a memory budget.
 */
#ifndef BUDGETS_FIGURES_H
#define BUDGETS_FIGURES_H

struct figures {
    double most_bytes; /* of device memory of the submission, at any launch of a kernel */

    /* the floor: each stage alone, all batches */
    double h2d_us, kernel_us, d2h_us;
};

#endif
