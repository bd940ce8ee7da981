/* test_decode.c: the kernels of a decoder step against the same step on the CPU in double
 * precision, what advance makes of the rows, and what the launchers refuse. */
#include <math.h>
#include <stdlib.h>

#include "kernels/decode.h"
#include "kernels/kernels.h"
#include "sim_test.h"

enum { LAYERS = 2, HEADS = 2, POSITIONS = 8, SLOTS = 10, ROWS = 9, SEED = 3 };

static struct decode_step s;

static int first_token(int row)
{
    return 7 * row + 3;
}

/* Row r has slot SLOTS - 1 - r; the last row has no sequence. */
static void begin(void)
{
    int rows[4][ROWS];
    s = (struct decode_step){.model = {LAYERS, HEADS, POSITIONS, NULL},
                             .cache = {.n_slots = SLOTS},
                             .max_steps = POSITIONS,
                             .row_pitch = ROWS,
                             .n_rows = ROWS};
    for (int r = 0; r < ROWS; r++) {
        rows[0][r] = first_token(r);
        rows[1][r] = 0;
        rows[2][r] = 1;
        rows[3][r] = r == ROWS - 1 ? SLOTS : SLOTS - 1 - r;
    }
    int *d = zeros(sizeof rows);
    OK(cudaMemcpy(d, rows, sizeof rows, cudaMemcpyHostToDevice));
    s.rows = (struct decode_rows){d, d + ROWS, d + 2 * ROWS, d + 3 * ROWS};
    const size_t cached = LAYERS * decode_layer_keys(&s.model, &s.cache) * sizeof(uint16_t);
    s.cache.keys = zeros(cached);
    s.cache.values = zeros(cached);
    s.model.weights = zeros(decode_weights(&s.model) * sizeof(uint16_t));
    s.scratch = decode_scratch_at(
        &s.model, zeros(decode_scratch_floats(&s.model, ROWS) * sizeof(float)), ROWS);
    s.tokens = zeros((size_t)ROWS * POSITIONS * sizeof(int));
    s.progress = zeros(sizeof *s.progress);
    const struct decode_progress progress = {0, POSITIONS, -1};
    OK(cudaMemcpy(s.progress, &progress, sizeof progress, cudaMemcpyHostToDevice));
    OK(launch_decode_weights(&s.model, SEED, NULL));
}

static void end(void)
{
    cudaDeviceReset();
}

TestSuite(decode, .init = begin, .fini = end);

static void step(enum decode_start start)
{
    OK(launch_decode_embed(&s, DECODE_AFTER, NULL));
    for (int l = 0; l < LAYERS; l++) {
        OK(launch_decode_qkv(&s, l, start, NULL));
        OK(launch_decode_attend(&s, l, start, NULL));
        OK(launch_decode_project(&s, l, start, NULL));
        OK(launch_decode_up(&s, l, start, NULL));
        OK(launch_decode_down(&s, l, start, NULL));
    }
    OK(launch_decode_head(&s, start, NULL));
    OK(launch_decode_advance(&s, start, 0, NULL));
}

static void read_ints(int *to, const int *from, int n)
{
    OK(cudaMemcpy(to, from, (size_t)n * sizeof *to, cudaMemcpyDeviceToHost));
}

/* Of all rows of the step that the device has just done, whose tokens were given. */
static void expect_logits(struct reference_sequence *q, const uint16_t *weights, const int *tokens,
                          int position)
{
    float logits[ROWS * DECODE_TOKENS];
    OK(cudaMemcpy(logits, s.scratch.logits, sizeof logits, cudaMemcpyDeviceToHost));
    for (int r = 0; r < ROWS - 1; r++) {
        reference_decode_step(&s.model, weights, &q[r], tokens[r], position);
        for (int i = 0; i < DECODE_TOKENS; i++)
            cr_assert(fabs(logits[r * DECODE_TOKENS + i] - q[r].logits[i]) < 0.1,
                      "row %d, position %d: logit %d is %g, not %g", r, position, i,
                      (double)logits[r * DECODE_TOKENS + i], q[r].logits[i]);
    }
}

static void expect_logits_of_some_steps(enum decode_start start)
{
    const size_t n = (size_t)LAYERS * POSITIONS * decode_width(&s.model);
    uint16_t *weights = malloc(decode_weights(&s.model) * sizeof *weights);
    struct reference_sequence q[ROWS];
    int tokens[ROWS];
    reference_decode_weights(&s.model, SEED, weights);
    for (int r = 0; r < ROWS; r++)
        q[r] = (struct reference_sequence){calloc(n, sizeof(double)), calloc(n, sizeof(double)),
                                           calloc(DECODE_TOKENS, sizeof(double))};
    for (int position = 0; position < 4; position++) {
        read_ints(tokens, s.rows.token, ROWS);
        step(start);
        expect_logits(q, weights, tokens, position);
    }
}

Test(decode, logits_are_those_of_the_reference)
{
    expect_logits_of_some_steps(DECODE_AFTER);
}

Test(decode, kernels_that_start_early_compute_the_same)
{
    expect_logits_of_some_steps(DECODE_WEIGHTS_FIRST);
}

Test(decode, advance_goes_on_or_stops)
{
    int slot[ROWS], length[ROWS], position[ROWS], tokens[2 * ROWS], next[ROWS];
    step(DECODE_AFTER);
    read_ints(next, s.rows.token, ROWS);
    OK(cudaMemcpy(&s.progress->stop, &next[1], sizeof(int), cudaMemcpyHostToDevice));
    OK(cudaMemset(s.progress, 0, sizeof(int))); /* the same step again */
    int rows[ROWS] = {first_token(0), first_token(1)};
    OK(cudaMemcpy(s.rows.token, rows, 2 * sizeof *rows, cudaMemcpyHostToDevice));
    OK(cudaMemset(s.rows.position, 0, 2 * sizeof *rows));
    rows[0] = rows[1] = 1;
    OK(cudaMemcpy(s.rows.length, rows, 2 * sizeof *rows, cudaMemcpyHostToDevice));
    step(DECODE_AFTER);
    read_ints(slot, s.rows.slot, ROWS);
    read_ints(length, s.rows.length, ROWS);
    read_ints(position, s.rows.position, ROWS);
    read_ints(tokens, s.tokens, 2 * ROWS);
    cr_expect(tokens[0] == next[0] && slot[0] == SLOTS - 1 && position[0] == 1 && length[0] == 2);
    cr_expect(tokens[1] == next[1] && slot[1] == SLOTS && position[1] == 0 && length[1] == 1,
              "a row that meets the stop token has no sequence any more");
    cr_expect(tokens[ROWS - 1] == DECODE_STOPPED && slot[ROWS - 1] == SLOTS);
}

Test(decode, launchers_refuse_what_cannot_be)
{
    struct decode_step bad = s;
    cr_expect_eq(launch_decode_qkv(NULL, 0, DECODE_AFTER, NULL), cudaErrorInvalidValue);
    cr_expect_eq(launch_decode_qkv(&s, LAYERS, DECODE_AFTER, NULL), cudaErrorInvalidValue);
    cr_expect_eq(launch_decode_attend(&s, -1, DECODE_AFTER, NULL), cudaErrorInvalidValue);
    cr_expect_eq(launch_decode_head(NULL, DECODE_AFTER, NULL), cudaErrorInvalidValue);
    bad.n_rows = 0;
    cr_expect_eq(launch_decode_embed(&bad, DECODE_AFTER, NULL), cudaErrorInvalidValue);
    bad = s;
    bad.row_pitch = ROWS - 1;
    cr_expect_eq(launch_decode_advance(&bad, DECODE_AFTER, 0, NULL), cudaErrorInvalidValue);
}

Test(decode, reading_gives_the_exclusive_or_of_all_words)
{
    enum { WORDS = 4400000, BYTES = WORDS * sizeof(unsigned) }; /* some threads read five times */
    unsigned *words = malloc(BYTES), sum = 0, *device = zeros(BYTES), *result = zeros(sizeof sum);
    for (unsigned i = 0; i < WORDS; i++)
        words[i] = i * 2654435761u;
    OK(cudaMemcpy(device, words, BYTES, cudaMemcpyHostToDevice));
    OK(launch_read(result, device, WORDS, NULL));
    OK(cudaMemcpy(&sum, result, sizeof sum, cudaMemcpyDeviceToHost));
    cr_expect_eq(sum, reference_read(words, WORDS));
    free(words);
    cr_expect_eq(launch_read(result, device, WORDS - 1, NULL), cudaErrorInvalidValue);
}
