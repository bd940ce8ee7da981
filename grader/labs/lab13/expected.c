/* expected.c: what the requests of lab 13 get, see expected.h. */
#include "exchange.h"
#include "expected.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "labs/language_model.h"

struct lab13_drawing lab13_drawing_of(const struct judged *j)
{
    struct lab13_drawing d = judge_numbers(j)->drawing;
    d.seed = judge_numbers(j)->seed;
    return d;
}

int lab13_tokens_of(const struct judged *j)
{
    const struct lab13_drawing d = lab13_drawing_of(j);
    int tokens = 0;
    for (int i = 0; i < d.n; i++)
        tokens += lab13_draw(&d, i).n_tokens;
    return tokens;
}

void lab13_fail_for_undelivered(const struct judged *j)
{
    if (judge_value(j, received) < judge_numbers(j)->drawing.n)
        judge_fact("not_received");
    judge_fail_that("not_delivered");
}

void lab13_expect_all_delivered(const struct judged *j)
{
    const int expected = lab13_tokens_of(j);
    judge_actual("%.0f tokens in a run", judge_value(j, delivered));
    judge_expected("%d", expected);
    if (judge_value(j, delivered) != expected)
        lab13_fail_for_undelivered(j);
    judge_forget();
}

/* ---- the model ------------------------------------------------------------------------------- */

static const struct language_model *model;

/* ---- one request ----------------------------------------------------------------------------- */

struct sequence {
    struct judged *j;
    struct lab13_drawn r;
    struct reference_sequence data;
    double logits[DECODE_TOKENS];
    const float *tokens; /* that were delivered */
    int position;
};

static void begin(struct sequence *q, int number)
{
    const struct lab13_drawing d = lab13_drawing_of(q->j);
    q->position = 0;
    q->r = lab13_draw(&d, number);
    q->tokens = judge_buffer(q->j, "tokens") + (size_t)number * (size_t)d.tokens;
    for (; q->position < q->r.prompt_length; q->position++)
        reference_decode_step(&model->m, model->weights, &q->data,
                              lab13_prompt_token(&q->r, q->position), q->position);
}

static int token_of(const struct sequence *q, int k)
{
    return lab13_int(q->tokens[k]);
}

static bool is_token(int token)
{
    return token >= 0 && token < DECODE_TOKENS;
}

/* Is token k as good as the best one, after those before it? Logits of the device differ by what
   bf16 rounds away. *expected: the best one. */
static bool is_as_good(const struct sequence *q, int k, int *expected)
{
    double scores[DECODE_TOKENS];
    reference_serve_scores(scores, q->logits, q->r.temperature, q->r.seed, (unsigned)k);
    *expected = language_model_best(scores);
    const int token = token_of(q, k);
    const double scale = q->r.temperature > 0 ? q->r.temperature : 1;
    const double close = 0.02 * fmax(1, fabs(q->logits[language_model_best(q->logits)])) / scale;
    return is_token(token) && scores[token] >= scores[*expected] - close;
}

/* The wrong tokens of a request: those that are not the best one after the tokens delivered before.
 */
struct wrong {
    int n, first, expected; /* the first one; what it should be */
};

static struct wrong wrong_tokens(struct sequence *q, int number)
{
    struct wrong wrong = {0};
    begin(q, number);
    for (int k = 0; k < q->r.n_tokens; k++) {
        int expected;
        const bool is_good = is_as_good(q, k, &expected);
        if (!is_good && wrong.n++ == 0) {
            wrong.first = k;
            wrong.expected = expected;
        }
        if (!is_token(token_of(q, k)))
            break;
        if (k + 1 < q->r.n_tokens)
            reference_decode_step(&model->m, model->weights, &q->data, token_of(q, k),
                                  q->position++);
    }
    return wrong;
}

/* ---- what wrong tokens look like ------------------------------------------------------------- */

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Has token k of a request been sampled with its numbers? */
static void expect_sampler(const struct lab13_drawn *r, int request, int k, const float *sampler)
{
    const float temperature = sampler[LAB13_TEMPERATURE], drawn = sampler[LAB13_DRAWN];
    if (drawn == LAB13_UNTOUCHED || (temperature == r->temperature && drawn == (float)k))
        return;
    judge_actual("request %d, token %d: sampled at temperature %.2f with drawn %.0f", request, k,
                 (double)temperature, (double)drawn);
    judge_expected("temperature %.2f, and drawn %d", (double)r->temperature, k);
    const bool is_exchanged = r->temperature > 0 ? drawn == (float)bits_of(r->temperature)
                                                 : bits_of(temperature) == (uint32_t)k && k > 0;
    judge_fact_each((struct judge_truth[]){{is_exchanged, "samplers_exchanged"},
                                           {temperature != r->temperature, "temperature_of_other"},
                                           {drawn < (float)k, "drawn_frozen"},
                                           {false, NULL}});
    judge_fail_that("drawn_wrong");
}

static void expect_samplers(const struct judged *j)
{
    const struct lab13_drawing d = lab13_drawing_of(j);
    const float *samplers = judge_buffer(j, "samplers");
    for (int i = 0; i < d.n; i++) {
        const struct lab13_drawn r = lab13_draw(&d, i);
        for (int k = 0; k < r.n_tokens; k++)
            expect_sampler(&r, i, k, samplers + (size_t)(i * d.tokens + k) * LAB13_SAMPLER);
    }
}

static _Noreturn void fail_for_tokens(struct sequence *q, const struct wrong *wrong)
{
    const int token = token_of(q, wrong->first);
    if (token == LAB13_UNTOUCHED)
        lab13_fail_for_undelivered(q->j);
    judge_fact_each((struct judge_truth[]){{wrong->first == q->r.n_tokens - 1, "last_token_wrong"},
                                           {!is_token(token), "token_differs"},
                                           {false, NULL}});
    judge_next("if `blocks` passes, find out whose token it is: of another row, or of another "
               "step? Or has its slot another seed, temperature or number of drawn tokens?");
    judge_note("A request gets another token than it gets alone."); /* unless a rule knows why */
    judge_fail_that("token_wrong");
}

/* ---- all requests ---------------------------------------------------------------------------- */

/* The request with most wrong tokens shows most; of single ones, the one after most right ones. */
static int most_telling(struct sequence *q, struct wrong *most)
{
    const int n = judge_numbers(q->j)->drawing.n;
    int worst = 0;
    *most = (struct wrong){0};
    for (int i = 0; i < n; i++) {
        const struct wrong wrong = wrong_tokens(q, i);
        if (wrong.n > most->n || (wrong.n == 1 && most->n == 1 && wrong.first > most->first)) {
            *most = wrong;
            worst = i;
        }
    }
    return worst;
}

/* Tokens that were right. If a run with the same numbers has the same ones, they are right, too. */
static struct {
    struct numbers numbers;
    float *tokens;
} right;

static size_t tokens_bytes(const struct judged *j)
{
    return judge_buffer_count(j, "tokens") * sizeof(float);
}

static bool are_known(const struct judged *j)
{
    return right.tokens && memcmp(&right.numbers, judge_numbers(j), sizeof right.numbers) == 0 &&
           memcmp(right.tokens, judge_buffer(j, "tokens"), tokens_bytes(j)) == 0;
}

static void remember(const struct judged *j)
{
    free(right.tokens);
    right.tokens = judge_room(tokens_bytes(j), 1);
    memcpy(&right.numbers, judge_numbers(j), sizeof right.numbers);
    memcpy(right.tokens, judge_buffer(j, "tokens"), tokens_bytes(j));
}

void lab13_verify_tokens(struct judged *j)
{
    judge_ask_notes();
    if (judge_numbers(j)->journal)
        expect_samplers(j);
    if (are_known(j))
        return;
    model = language_model_of(&judge_numbers(j)->model, LAB13_SEED);
    struct sequence q = {.j = j};
    struct wrong wrong;
    q.data = language_model_begin(model, q.logits);
    const int worst = most_telling(&q, &wrong);
    if (wrong.n > 0) {
        begin(&q, worst);
        judge_actual("request %d (prompt %d, %d tokens, temperature %.2f): token %d in place %d",
                     worst, q.r.prompt_length, q.r.n_tokens, (double)q.r.temperature,
                     token_of(&q, wrong.first), wrong.first);
        judge_expected("token %d", wrong.expected);
        fail_for_tokens(&q, &wrong);
    }
    remember(j);
    language_model_end(&q.data);
}
