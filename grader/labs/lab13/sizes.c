/* sizes.c: did the steps of a run need all their rows? See sizes.h. */
#include "exchange.h"
#include "sizes.h"

#include <stdlib.h>

#include "journal.h"
#include "labs/lab13/mistakes.h"

struct step {
    int size, of_requests; /* rows */
};

/* Returns their number. */
static int steps_of(const struct journal *journal, struct step *steps)
{
    int n = 0;
    for (int i = 0; i < journal->n; i++) {
        if (i == 0 || journal->rows[i].step != journal->rows[i - 1].step)
            steps[n++] = (struct step){.size = field(journal, i, LAB13_ROWS)};
        steps[n - 1].of_requests += field(journal, i, LAB13_REQUEST) != LAB13_PADDING;
    }
    return n;
}

/* The smallest size of any of the steps that has room for the requests of this one. */
static int smallest_size(const struct step *steps, int n, struct step step)
{
    int smallest = step.size;
    for (int i = 0; i < n; i++)
        if (steps[i].size >= step.of_requests && steps[i].size < smallest)
            smallest = steps[i].size;
    return smallest;
}

void lab13_expect_small_steps(struct judged *j)
{
    struct journal journal = lab13_open_journal(j);
    struct step *steps = judge_room((size_t)journal.n + 1, sizeof *steps);
    const int n = steps_of(&journal, steps);
    int n_large = 0;
    for (int i = 0; i < n; i++) {
        const int smallest = smallest_size(steps, n, steps[i]);
        if (smallest == steps[i].size || n_large++ > 0)
            continue;
        judge_actual("step %d has %d rows, %d of them of requests", i + 1, steps[i].size,
                     steps[i].of_requests);
        judge_expected("%d rows, as another step of this run has", smallest);
    }
    free(steps);
    free(journal.rows);
    judge_expect_that(5 * n_large < n, "larger_bucket");
    judge_forget();
}
