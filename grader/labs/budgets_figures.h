/* budgets_figures.h: what the adapters of labs 23 and 25 report: products within a memory budget.
 */
#ifndef BUDGETS_FIGURES_H
#define BUDGETS_FIGURES_H

struct figures {
    /* the floor: each stage alone, all batches */
    double h2d_us, kernel_us, d2h_us;
};

#endif
