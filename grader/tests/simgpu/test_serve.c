/* test_serve.c: the kernels of a server's step (kernels/serve.h) against the same step on the CPU
 * in double precision: rows of several sequences and of whole prompts, a paged cache, both
 * attentions, the sampler; and what the launchers refuse. */
#include <math.h>
#include <stdlib.h>

#include "kernels/serve.h"
#include "sim_test.h"

enum { LAYERS = 2, HEADS = 2, POSITIONS = 300, SLOTS = 3, BLOCKS = 24, ROWS = 160, SEED = 3 };
enum { TABLE = (POSITIONS + DECODE_BLOCK - 1) / DECODE_BLOCK };

static struct serve_step s;
static int table[SLOTS + 1][TABLE];
static struct {
    int token[ROWS], position[ROWS], slot[ROWS], samples[ROWS], lengths[ROWS];
    int n;
} rows;

static void to_device(void *to, const void *from, size_t bytes)
{
    OK(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}

/* Slot 0 has the blocks 3, 2, 1, 0, slot 1 those from 23 on downwards, slot 2 the others. */
static void fill_table(void)
{
    for (int b = 0; b < TABLE; b++) {
        table[0][b] = b < 4 ? 3 - b : 0;
        table[1][b] = b < 13 ? BLOCKS - 1 - b : 0;
        table[2][b] = b < 7 ? 4 + b : 0;
        table[SLOTS][b] = BLOCKS;
    }
    to_device(s.decode.cache.blocks, table, sizeof table);
}

static void begin(void)
{
    struct decode_model *m = &s.decode.model;
    rows.n = 0;
    s = (struct serve_step){.decode = {.model = {LAYERS, HEADS, POSITIONS, NULL}}};
    s.decode.cache = (struct decode_cache){.n_slots = SLOTS, .n_blocks = BLOCKS};
    s.decode.cache.blocks = zeros(sizeof table);
    s.decode.cache.keys = zeros((BLOCKS + 1) * serve_block_bytes(m) / 2);
    s.decode.cache.values = zeros((BLOCKS + 1) * serve_block_bytes(m) / 2);
    s.decode.rows = (struct decode_rows){.token = zeros(sizeof rows.token),
                                         .position = zeros(sizeof rows.position),
                                         .slot = zeros(sizeof rows.slot)};
    s.decode.scratch =
        decode_scratch_at(m, zeros(decode_scratch_floats(m, ROWS) * sizeof(float)), ROWS);
    s.parts = zeros(serve_parts_floats(m, ROWS) * sizeof(float));
    s.samples = zeros(sizeof rows.samples);
    s.tokens = zeros(ROWS * sizeof(int));
    s.samplers = (struct serve_samplers){
        zeros((SLOTS + 1) * sizeof(int)), zeros((SLOTS + 1) * sizeof(unsigned)),
        zeros((SLOTS + 1) * sizeof(unsigned long long)), zeros((SLOTS + 1) * sizeof(float))};
    m->weights = zeros(decode_weights(m) * sizeof(uint16_t));
    OK(launch_decode_weights(m, SEED, NULL));
    fill_table();
}

static void end(void)
{
    cudaDeviceReset();
}

TestSuite(serve, .init = begin, .fini = end);

static int prompt_token(int slot, int position)
{
    return (37 * slot + 11 * position + 5) % DECODE_TOKENS;
}

static void add(int token, int slot, int position, int samples)
{
    rows.token[rows.n] = token;
    rows.slot[rows.n] = slot;
    rows.position[rows.n] = position;
    rows.samples[rows.n] = samples;
    rows.lengths[rows.n++] = position + 1;
}

static void step(int is_long)
{
    s.decode.n_rows = rows.n;
    to_device(s.decode.rows.token, rows.token, sizeof rows.token);
    to_device(s.decode.rows.slot, rows.slot, sizeof rows.slot);
    to_device(s.decode.rows.position, rows.position, sizeof rows.position);
    to_device(s.samples, rows.samples, sizeof rows.samples);
    OK(launch_serve_embed(&s, DECODE_AFTER, NULL));
    for (int l = 0; l < LAYERS; l++) {
        OK(launch_decode_qkv(&s.decode, l, DECODE_AFTER, NULL));
        if (is_long)
            OK(launch_serve_attend_long(&s, l, rows.lengths, NULL));
        else
            OK(launch_serve_attend(&s, l, DECODE_WEIGHTS_FIRST, NULL));
        OK(launch_decode_project(&s.decode, l, DECODE_AFTER, NULL));
        OK(launch_decode_up(&s.decode, l, DECODE_AFTER, NULL));
        OK(launch_decode_down(&s.decode, l, DECODE_AFTER, NULL));
    }
    OK(launch_decode_head(&s.decode, DECODE_AFTER, NULL));
    OK(launch_serve_sample(&s, DECODE_WEIGHTS_FIRST, NULL));
    OK(cudaDeviceSynchronize());
}

/* The logits after `length` prompt tokens of a slot. */
static void reference_logits(int slot, int length, double *logits)
{
    const size_t n = (size_t)LAYERS * POSITIONS * decode_width(&s.decode.model);
    static uint16_t *weights;
    if (!weights) {
        weights = malloc(decode_weights(&s.decode.model) * sizeof *weights);
        reference_decode_weights(&s.decode.model, SEED, weights);
    }
    struct reference_sequence q = {calloc(n, sizeof(double)), calloc(n, sizeof(double)), logits};
    for (int p = 0; p < length; p++)
        reference_decode_step(&s.decode.model, weights, &q, prompt_token(slot, p), p);
    free(q.keys);
    free(q.values);
}

static void expect_logits(int row, const double *expected)
{
    float logits[DECODE_TOKENS];
    OK(cudaMemcpy(logits, s.decode.scratch.logits + row * DECODE_TOKENS, sizeof logits,
                  cudaMemcpyDeviceToHost));
    for (int i = 0; i < DECODE_TOKENS; i++)
        cr_assert(fabs((double)logits[i] - expected[i]) < 0.1, "row %d, logit %d: %g, not %g", row,
                  i, (double)logits[i], expected[i]);
}

/* The whole prompt of slot 0, a piece of that of slot 2, and a padding row: then the other piece.
 */
Test(serve, prompts_in_one_step_or_in_pieces_have_the_logits_of_the_reference)
{
    double expected[DECODE_TOKENS];
    for (int p = 0; p < 40; p++)
        add(prompt_token(0, p), 0, p, p == 39);
    for (int p = 0; p < 17; p++)
        add(prompt_token(2, p), 2, p, 0);
    add(0, SLOTS, 0, 0);
    step(0);
    reference_logits(0, 40, expected);
    expect_logits(39, expected);
    rows.n = 0;
    for (int p = 17; p < 20; p++)
        add(prompt_token(2, p), 2, p, p == 19);
    step(0);
    reference_logits(2, 20, expected);
    expect_logits(2, expected);
}

Test(serve, both_attentions_agree_and_long_sequences_have_the_logits_of_the_reference)
{
    double expected[DECODE_TOKENS];
    for (int p = 0; p < 150; p++)
        add(prompt_token(1, p), 1, p, 0);
    add(prompt_token(0, 0), 0, 0, 0);
    step(1);
    reference_logits(1, 150, expected);
    expect_logits(149, expected);
    reference_logits(1, 100, expected);
    expect_logits(99, expected);
    reference_logits(0, 1, expected);
    expect_logits(150, expected);
}

static int best(const double *scores)
{
    int best = 0;
    for (int i = 1; i < DECODE_TOKENS; i++)
        best = scores[i] > scores[best] ? i : best;
    return best;
}

/* Reads the logits of the device, so that tokens are exact. */
static int expected_token(int row, double temperature, unsigned long long seed, unsigned drawn)
{
    float logits[DECODE_TOKENS];
    double wide[DECODE_TOKENS], scores[DECODE_TOKENS];
    OK(cudaMemcpy(logits, s.decode.scratch.logits + row * DECODE_TOKENS, sizeof logits,
                  cudaMemcpyDeviceToHost));
    for (int i = 0; i < DECODE_TOKENS; i++)
        wide[i] = (double)logits[i];
    reference_serve_scores(scores, wide, temperature, seed, drawn);
    return best(scores);
}

Test(serve, a_row_that_samples_moves_on)
{
    const unsigned long long seeds[] = {77, 0xfedcba9876543210u, 5};
    const float temperatures[] = {0, 1.5f, 0.7f};
    int tokens[3], positions[3], next[3], last[3];
    unsigned drawn[3];
    to_device(s.samplers.seed, seeds, sizeof seeds);
    to_device(s.samplers.temperature, temperatures, sizeof temperatures);
    for (int slot = 0; slot < 3; slot++)
        add(prompt_token(slot, 0), slot, 0, slot != 2);
    step(0);
    OK(cudaMemcpy(tokens, s.tokens, sizeof tokens, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(positions, s.decode.rows.position, sizeof positions, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(next, s.decode.rows.token, sizeof next, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(last, s.samplers.last, sizeof last, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(drawn, s.samplers.drawn, sizeof drawn, cudaMemcpyDeviceToHost));
    for (int slot = 0; slot < 2; slot++) {
        const int expected = expected_token(slot, (double)temperatures[slot], seeds[slot], 0);
        cr_expect_eq(tokens[slot], expected);
        cr_expect(last[slot] == expected && next[slot] == SERVE_LAST && positions[slot] == 1 &&
                  drawn[slot] == 1);
    }
    cr_expect(tokens[2] == SERVE_NONE && next[2] == prompt_token(2, 0) && positions[2] == 0 &&
                  drawn[2] == 0,
              "a row that samples nothing stays");
}

/* A known answer of Philox 4x32-10 (Salmon and others, SC11): counter and key all zero. The first
   uniform number is that of 0x6627e8d5. */
Test(serve, random_numbers_are_those_of_philox)
{
    double logits[DECODE_TOKENS] = {0}, scores[DECODE_TOKENS];
    reference_serve_scores(scores, logits, 1, 0, 0);
    const double u = ((double)(0x6627e8d5u >> 9) + 0.5) / (1 << 23);
    cr_expect_float_eq(scores[0], -log(-log(u)), 1e-6, "%g", scores[0]);
}

/* At temperature t, tokens come as often as softmax(logits / t) says: of 4000 tokens with
   probabilities 0.7 and 0.3, within 5 standard deviations. */
Test(serve, tokens_have_the_probabilities_of_softmax)
{
    enum { N = 4000 };
    double logits[DECODE_TOKENS], scores[DECODE_TOKENS];
    int first = 0;
    for (int i = 0; i < DECODE_TOKENS; i++)
        logits[i] = -1000;
    logits[3] = 2 * log(0.7);
    logits[200] = 2 * log(0.3);
    for (unsigned k = 0; k < N; k++) {
        reference_serve_scores(scores, logits, 2, 99, k);
        first += best(scores) == 3;
    }
    cr_expect(fabs(first - 0.7 * N) < 5 * sqrt(N * 0.7 * 0.3), "%d of %d", first, N);
}

Test(serve, the_journal_has_each_row)
{
    struct serve_journal *device = zeros(sizeof *device), *journal = malloc(sizeof *journal);
    const unsigned long long seed = 4711;
    const int last = 33;
    to_device(s.samplers.seed + 1, &seed, sizeof seed);
    to_device(s.samplers.last + 1, &last, sizeof last);
    serve_set_journal(device);
    add(9, 1, 17, 0);
    add(0, SLOTS, 0, 0);
    add(SERVE_LAST, 1, 18, 0);
    s.decode.n_rows = rows.n;
    to_device(s.decode.rows.token, rows.token, sizeof rows.token);
    to_device(s.decode.rows.slot, rows.slot, sizeof rows.slot);
    to_device(s.decode.rows.position, rows.position, sizeof rows.position);
    OK(launch_serve_embed(&s, DECODE_AFTER, NULL));
    serve_set_journal(NULL);
    OK(cudaMemcpy(journal, device, sizeof *journal, cudaMemcpyDeviceToHost));
    const struct serve_journal_entry *e = journal->entries;
    cr_expect_eq(journal->n, 3);
    cr_expect(e[0].seed == seed && e[0].slot == 1 && e[0].position == 17 &&
              e[0].block == table[1][1] && e[0].token == 9 && !e[0].is_last && e[0].n_rows == 3 &&
              e[0].samples == 0);
    cr_expect(e[1].seed == 0 && e[1].slot == SLOTS && e[1].block == BLOCKS);
    cr_expect(e[2].token == last && e[2].is_last);
    free(journal);
}

Test(serve, the_journal_has_each_sample)
{
    struct serve_journal *device = zeros(sizeof *device), *journal = malloc(sizeof *journal);
    const float temperature = 0.5f;
    const unsigned drawn = 7;
    to_device(s.samplers.temperature + 1, &temperature, sizeof temperature);
    to_device(s.samplers.drawn + 1, &drawn, sizeof drawn);
    serve_set_journal(device);
    add(prompt_token(1, 0), 1, 0, 0);
    add(prompt_token(1, 1), 1, 1, 1);
    add(prompt_token(2, 0), 2, 0, 1);
    add(0, SLOTS, 0, 1);
    step(0);
    serve_set_journal(NULL);
    OK(cudaMemcpy(journal, device, sizeof *journal, cudaMemcpyDeviceToHost));
    cr_expect(journal->n_done == 4 && journal->n_samples == 2);
    const struct serve_journal_sample *first = &journal->samples[0];
    first += first->position == 0; /* of rows of one step, in any order */
    cr_expect(first->position == 1 && first->temperature == temperature && first->drawn == drawn);
    free(journal);
}

Test(serve, launchers_refuse_what_cannot_be)
{
    struct serve_step bad = s;
    cudaStream_t stream;
    cudaGraph_t graph;
    int lengths[] = {1};
    s.decode.n_rows = 1;
    cr_expect_eq(launch_serve_embed(NULL, DECODE_AFTER, NULL), cudaErrorInvalidValue);
    cr_expect_eq(launch_serve_embed(&bad, DECODE_AFTER, NULL), cudaErrorInvalidValue, "no rows");
    bad = s;
    bad.decode.cache.blocks = NULL;
    cr_expect_eq(launch_serve_sample(&bad, DECODE_AFTER, NULL), cudaErrorInvalidValue);
    cr_expect_eq(launch_serve_attend(&s, LAYERS, DECODE_AFTER, NULL), cudaErrorInvalidValue);
    cr_expect_eq(launch_serve_attend_long(&s, 0, NULL, NULL), cudaErrorInvalidValue);
    lengths[0] = POSITIONS + 1;
    cr_expect_eq(launch_serve_attend_long(&s, 0, lengths, NULL), cudaErrorInvalidValue);
    lengths[0] = 1;
    cr_expect_eq(launch_decode_embed(&s.decode, DECODE_AFTER, NULL), cudaErrorInvalidValue,
                 "the cache is paged");
    cr_expect_eq(launch_decode_attend(&s.decode, 0, DECODE_AFTER, NULL), cudaErrorInvalidValue);
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    cr_expect_eq(launch_serve_attend_long(&s, 0, lengths, stream),
                 cudaErrorStreamCaptureUnsupported);
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaGraphDestroy(graph));
}
