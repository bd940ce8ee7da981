/* products_numbers.h: the numbers of labs 01, 03, 04, 05, 23 and 25: batches of C = A B, n x n
 * each. */
#pragma once

#include <stdbool.h>

/* Times of all batches. */
struct batch_times {
    int n_batches;
    double h2d_us, kernel_us, d2h_us, overlap_us, replays_us;
};

struct numbers {
    long n, n_batches;

    /* labs 03, 05, 23 and 25 */
    int load; /* copies that keep the D2H engine busy */

    /* labs 03 and 05 */
    long n_streams, n_sets; /* of the ring */
    long late;  /* lab 03: the batch whose kernel starts late, counted from 1; 0: none does */
    bool look;  /* lab 05: the adapter looks around after a run */
    int as_lab; /* lab 05: the grader does it itself, in the way of lab 03 or 04 */

    long n_matrices; /* labs 23 and 25: of the memory budget */

    /* lab 04 */
    int part;                        /* 0: the replay; 1 to 8: a capture; LAB04_PREDICT */
    struct batch_times known, asked; /* of the prediction */
};
