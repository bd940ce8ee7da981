/* sizes.c: what a server puts into its steps, see expected.h. */
#include "exchange.h"
#include "expected.h"

#include <stdlib.h>

#include "journal.h"
#include "labs/lab13/mistakes.h"

/* A step: numbers of rows. */
struct step {
    int size, of_requests;
    int of_prompts; /* of the requests' rows; but for a prompt of one token */
    int of_prompt;  /* the most of one prompt */
    int begins;     /* so many requests have their first row */
    int runs;       /* so many have a row before or in it, and one in it or after it */
};

/* A request: steps from 1 on; 0: there is none. */
struct request {
    int first, sampled,
        last;    /* the steps of its first row, of its first token and of its last row */
    int in_step; /* rows of its prompt in the present step */
};

struct steps {
    struct step *all;
    struct request *requests;
    int n, n_requests;
    int paused; /* so often a request with a first token has no row in a step, and one later */
};

static void add_row(struct steps *steps, const struct row *row)
{
    struct step *step = &steps->all[row->step];
    step->size = row->n_rows;
    step->of_requests += row->request != LAB13_PADDING;
    if (!row->of)
        return;
    const int length = row->of->prompt_length;
    struct request *r = &steps->requests[row->request];
    r->in_step = r->last == row->step ? r->in_step : 0;
    r->in_step += row->position < length;
    r->first = r->first ? r->first : row->step;
    steps->paused += r->sampled > 0 && row->step > r->last + 1;
    r->last = row->step;
    if (row->position == length - 1)
        r->sampled = row->step;
    step->of_prompts += row->position < length;
    step->of_prompt = r->in_step > step->of_prompt ? r->in_step : step->of_prompt;
}

static struct steps steps_of(struct judged *j)
{
    struct journal journal = lab13_open_journal(j);
    const int n = journal.past > journal.rows ? journal.past[-1].step : 0;
    struct steps steps = {.n = n, .n_requests = journal.n_requests};
    steps.all = judge_room((size_t)n + 1, sizeof *steps.all);
    steps.requests = judge_room((size_t)steps.n_requests, sizeof *steps.requests);
    for (const struct row *r = journal.rows; r < journal.past; r++)
        add_row(&steps, r);
    lab13_close_journal(&journal);
    for (int r = 0; r < steps.n_requests; r++) {
        const struct request *of = &steps.requests[r];
        steps.all[of->first].begins += of->first > 0;
        for (int k = of->first; k > 0 && k <= of->last; k++)
            steps.all[k].runs++;
    }
    return steps;
}

/* What the steps of a run have together. */
struct sums {
    int n, size, of_requests, mixed;         /* n: steps */
    int of_prompts, of_prompt, begins, runs; /* the most in a step */
    int paused;                              /* as in struct steps */
    int overtaken; /* requests whose first token comes after that of a later one */
};

static void keep_most(int *most, int n)
{
    *most = n > *most ? n : *most;
}

static struct sums add_up(const struct steps *steps)
{
    struct sums sums = {.n = steps->n, .paused = steps->paused};
    for (int i = 1; i <= steps->n; i++) {
        const struct step *s = &steps->all[i];
        sums.size += s->size;
        sums.of_requests += s->of_requests;
        sums.mixed += s->of_prompts > 0 && s->of_prompts < s->of_requests;
        keep_most(&sums.of_prompts, s->of_prompts);
        keep_most(&sums.of_prompt, s->of_prompt);
        keep_most(&sums.begins, s->begins);
        keep_most(&sums.runs, s->runs);
    }
    for (int r = 0; r < steps->n_requests; r++) {
        bool is_overtaken = false;
        for (int k = r + 1; k < steps->n_requests; k++)
            is_overtaken |= steps->requests[k].sampled < steps->requests[r].sampled;
        sums.overtaken += is_overtaken;
    }
    return sums;
}

static struct sums sums_of(struct judged *j)
{
    struct steps steps = steps_of(j);
    const struct sums sums = add_up(&steps);
    free(steps.all);
    free(steps.requests);
    return sums;
}

/* The submission has `own` of what the words say, which explains its time if it is not right. */
static void expect(bool is_right, const char *words, int own, int reference, const char *fact)
{
    judge_actual("%s: %d (the reference: %d)", words, own, reference);
    judge_expect_that(is_right, fact);
}

/* Few requests run at the same time. Do more of them if there are more blocks? */
static _Noreturn void fail_for_few(int own, int reference, const struct judge_scenario *roomy)
{
    struct judged *j = judge_run_first(roomy);
    const int more = sums_of(j).runs;
    judge_actual("requests that run at the same time, at most: %d, and %d with more memory "
                 "(the reference: %d)",
                 own, more, reference);
    judge_expect_that(2 * more < 3 * own, "reserves_too_much");
    judge_fail_that("few_at_a_time");
}

void lab13_compare_steps(struct judged *j, struct judged *reference,
                         const struct judge_scenario *roomy)
{
    const struct sums own = sums_of(j), other = sums_of(reference);
    expect(own.mixed > 0, "steps with rows of prompts and rows that generate", own.mixed,
           other.mixed, "rows_apart");
    expect(own.paused <= own.n, "pauses of requests that generate, in all", own.paused,
           other.paused, "pauses");
    expect(own.of_prompt > 1 || own.runs == 1, "rows of one prompt in a step, at most",
           own.of_prompt, other.of_prompt, "prompt_by_row");
    expect(2 * own.of_prompts > other.of_prompts, "rows of prompts in a step, at most",
           own.of_prompts, other.of_prompts, "few_prompt_rows");
    expect(own.begins > 1 || own.runs == 1, "requests that begin in a step, at most", own.begins,
           other.begins, "one_admission");
    if (4 * own.runs < 3 * other.runs)
        fail_for_few(own.runs, other.runs, roomy);
    expect(5.0 * own.size * other.of_requests < 6.0 * other.size * own.of_requests,
           "padding rows, in percent of all", 100 - 100 * own.of_requests / own.size,
           100 - 100 * other.of_requests / other.size, "much_padding");
    expect(own.overtaken <= other.overtaken + own.begins, "requests that a later one overtakes",
           own.overtaken, other.overtaken, "overtaken");
    expect(10 * own.n <= 11 * other.n, "steps for the same requests", own.n, other.n,
           "batch_by_batch");
    expect(2 * own.of_prompts < 3 * other.of_prompts, "rows of prompts in a step, at most",
           own.of_prompts, other.of_prompts, "many_prompt_rows");
    judge_forget();
}
