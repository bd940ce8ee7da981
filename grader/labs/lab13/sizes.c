/* sizes.c: what a server puts into its steps, see sizes.h. */
#include "exchange.h"
#include "sizes.h"

#include <stdlib.h>

#include "journal.h"
#include "labs/lab13/mistakes.h"

/* Numbers of rows. */
struct step {
    int size, of_requests;
    int of_prompts;  /* of the requests' rows; but for a prompt of one token */
    bool is_drained; /* no request has rows before and after the end of this step */
};

/* Returns their number. */
static int steps_of(const struct journal *journal, struct step *steps)
{
    int n = 0;
    for (int i = 0; i < journal->n; i++) {
        const int request = field(journal, i, LAB13_REQUEST);
        if (i == 0 || journal->rows[i].step != journal->rows[i - 1].step)
            steps[n++] = (struct step){.size = field(journal, i, LAB13_ROWS)};
        steps[n - 1].of_requests += request != LAB13_PADDING;
        steps[n - 1].of_prompts +=
            request >= 0 &&
            field(journal, i, LAB13_POSITION) < lab13_draw(&journal->d, request).prompt_length;
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

/* A fifth of the steps has more rows than another one that had room enough. */
static void expect_smallest_sizes(const struct step *steps, int n)
{
    int n_large = 0;
    for (int i = 0; i < n; i++) {
        const int smallest = smallest_size(steps, n, steps[i]);
        if (smallest == steps[i].size || n_large++ > 0)
            continue;
        judge_actual("step %d has %d rows, %d of them of requests", i + 1, steps[i].size,
                     steps[i].of_requests);
        judge_expected("%d rows, as another step of this run has", smallest);
    }
    judge_expect_that(5 * n_large < n, "larger_bucket");
    judge_forget();
}

/* What the steps of a run have together. */
struct sums {
    int size, of_requests, most_of_prompts, mixed;
};

static struct sums add_up(const struct step *steps, int n)
{
    struct sums sums = {0};
    for (int i = 0; i < n; i++) {
        const struct step *s = &steps[i];
        sums.size += s->size;
        sums.of_requests += s->of_requests;
        sums.most_of_prompts =
            s->of_prompts > sums.most_of_prompts ? s->of_prompts : sums.most_of_prompts;
        sums.mixed += s->of_prompts > 0 && s->of_prompts < s->of_requests;
    }
    return sums;
}

/* The most steps after which a request begins while another one, which has begun before, goes
 * on. */
static int latest_beginning(const struct journal *journal)
{
    int latest = 0;
    for (int i = 0; i < journal->n; i++) {
        if (field(journal, i, LAB13_REQUEST) < 0 || field(journal, i, LAB13_POSITION) > 0)
            continue;
        for (int k = 0; k < i; k++)
            if (field(journal, k, LAB13_REQUEST) >= 0 && field(journal, k, LAB13_POSITION) == 0 &&
                journal->rows[k].end > journal->rows[i].step &&
                journal->rows[i].step - journal->rows[k].step > latest)
                latest = journal->rows[i].step - journal->rows[k].step;
    }
    return latest;
}

void lab13_expect_full_steps(struct judged *j)
{
    struct journal journal = lab13_open_journal(j);
    struct step *steps = judge_room((size_t)journal.n + 1, sizeof *steps);
    const int n = steps_of(&journal, steps), longest = journal.d.prompt;
    const struct sums sums = add_up(steps, n);
    expect_smallest_sizes(steps, n);
    judge_actual("%d of %d rows are padding", sums.size - sums.of_requests, sums.size);
    judge_expect_that(sums.size <= 2 * sums.of_requests, "much_padding");
    judge_actual("%d of %d steps have both", sums.mixed, n);
    judge_expect_that(sums.mixed > 0, "rows_apart");
    judge_actual("at most %d rows of prompts in a step, and prompts of up to %d tokens wait",
                 sums.most_of_prompts, longest);
    judge_expect_that(2 * sums.most_of_prompts > longest, "few_prompt_rows");
    judge_actual("no request begins more than %d steps after another one that still runs",
                 latest_beginning(&journal));
    judge_expect_that(latest_beginning(&journal) > journal.d.tokens / 3, "batch_by_batch");
    judge_forget();
    free(steps);
    free(journal.rows);
}
