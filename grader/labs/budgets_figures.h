/* budgets_figures.h: what the adapters of labs 23 and 25 report: products within a memory budget.
 */
#pragma once

struct figures {
    /* the floor: each stage alone, all batches */
    double h2d_us, kernel_us, d2h_us;
};
