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

void lab13_fail_for_undelivered(const struct judged *j)
{
    if (judge_value(j, received) < judge_numbers(j)->drawing.n)
        judge_fact("not_received");
    judge_fail_that("not_delivered");
}

/* ---- the model ------------------------------------------------------------------------------- */

static const struct language_model *model;

static void need_model(const struct judged *j)
{
    model = language_model_of(&judge_numbers(j)->model, LAB13_SEED);
}

/* ---- one request ----------------------------------------------------------------------------- */

struct sequence {
    struct judged *j;
    int number; /* of the request */
    struct lab13_drawn r;
    struct reference_sequence data;
    double logits[DECODE_TOKENS];
    const float *tokens; /* that were delivered */
    int position;
};

static void begin(struct sequence *q, int number)
{
    const struct lab13_drawing d = lab13_drawing_of(q->j);
    q->number = number;
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

/* Feeds delivered token k. */
static void feed(struct sequence *q, int k)
{
    reference_decode_step(&model->m, model->weights, &q->data, token_of(q, k), q->position++);
}

/* What a token may be sampled with. */
struct sampler {
    float temperature;
    unsigned long long seed;
    int drawn;     /* of the first token */
    int is_frozen; /* drawn does not grow */
};

static struct sampler own_sampler(const struct sequence *q)
{
    return (struct sampler){q->r.temperature, q->r.seed, 0, 0};
}

/* Is token k as good as the best one, with these logits? Logits of the device differ by what bf16
   rounds away. *expected: the best one. */
static bool is_as_good(const double *logits, const struct sampler *s, int k, int token,
                       int *expected)
{
    double scores[DECODE_TOKENS];
    reference_serve_scores(scores, logits, s->temperature, s->seed,
                           (unsigned)(s->is_frozen ? s->drawn : s->drawn + k));
    *expected = language_model_best(scores);
    const double scale = s->temperature > 0 ? s->temperature : 1;
    const double close = 0.02 * fmax(1, fabs(logits[language_model_best(logits)])) / scale;
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
    const struct sampler own = own_sampler(q);
    for (int k = 0; k < q->r.n_tokens; k++) {
        int expected;
        const bool is_good = is_as_good(q->logits, &own, k, token_of(q, k), &expected);
        if (!is_good && wrong.n++ == 0) {
            wrong.first = k;
            wrong.expected = expected;
        }
        if (!is_token(token_of(q, k)))
            break;
        if (k + 1 < q->r.n_tokens)
            feed(q, k);
    }
    return wrong;
}

/* ---- what wrong tokens look like ------------------------------------------------------------- */

/* Of a request: the logits before each token that was delivered. */
struct delivered {
    const struct sequence *q;
    double (*logits)[DECODE_TOKENS];
    int n;
};

enum { EVIDENCE = 3 }; /* another sampler explains fewer wrong tokens by chance */

static struct delivered delivered_of(struct sequence *q)
{
    struct delivered d = {.q = q, .logits = judge_room((size_t)q->r.n_tokens, sizeof *d.logits)};
    begin(q, q->number);
    while (d.n < q->r.n_tokens) {
        memcpy(d.logits[d.n], q->logits, sizeof q->logits);
        if (!is_token(token_of(q, d.n++)))
            break;
        if (d.n < q->r.n_tokens)
            feed(q, d.n - 1);
    }
    return d;
}

/* The first token from `from` on that the sampler would not have given. */
static int first_other(const struct delivered *d, struct sampler s, int from)
{
    int k = from, expected;
    while (k < d->n && is_as_good(d->logits[k], &s, k, token_of(d->q, k), &expected))
        k++;
    return k;
}

static bool fits(const struct delivered *d, struct sampler s)
{
    return first_other(d, s, 0) == d->n;
}

/* Is each wrong token right with the random numbers of an earlier one? */
static bool fits_earlier(const struct delivered *d)
{
    int n_wrong = 0, expected;
    for (int k = 0; k < d->n; k++) {
        struct sampler s = own_sampler(d->q);
        const int token = token_of(d->q, k);
        if (is_as_good(d->logits[k], &s, k, token, &expected))
            continue;
        bool fit = false;
        s.is_frozen = 1;
        for (; s.drawn < k && !fit; s.drawn++)
            fit = is_as_good(d->logits[k], &s, k, token, &expected);
        if (!fit)
            return false;
        n_wrong++;
    }
    return n_wrong >= EVIDENCE;
}

/* Are all tokens from the first wrong one on, or from the next one on, right with the random
   numbers of tokens at one distance? A copy from the host can come between the two. */
static bool fits_shifted(const struct delivered *d)
{
    const int most = 8 * lab13_drawing_of(d->q->j).tokens,
              first = first_other(d, own_sampler(d->q), 0);
    for (struct sampler s = own_sampler(d->q); s.drawn < most; s.drawn++) {
        const int next = first_other(d, s, first) == first ? first + 1 : first;
        if (first_other(d, s, next) == d->n && (next == first || d->n - next >= EVIDENCE))
            return true;
    }
    return false;
}

/* The sampler that would have given all tokens of the request. */
static const char *fact_of_sampler(const struct delivered *d)
{
    const struct lab13_drawing all = lab13_drawing_of(d->q->j);
    const struct sampler own = own_sampler(d->q);
    struct sampler s = own;
    s.is_frozen = 1;
    if (fits(d, s))
        return "drawn_frozen";
    for (int i = 0; i <= all.n; i++) {
        const struct lab13_drawn other = i < all.n ? lab13_draw(&all, i) : (struct lab13_drawn){0};
        s = own;
        s.temperature = other.temperature;
        if (fits(d, s))
            return "temperature_of_other";
        s = own;
        s.seed = other.seed;
        if (fits(d, s))
            return "seed_wrong";
    }
    if (fits_shifted(d))
        return "drawn_wrong";
    return fits_earlier(d) ? "drawn_frozen" : NULL;
}

/* Does temperature 0 or 1 give all tokens, or that of any request? */
static bool fits_temperature(const struct delivered *d, bool of_any)
{
    const struct lab13_drawing all = lab13_drawing_of(d->q->j);
    struct sampler s = own_sampler(d->q);
    bool fit = false;
    for (int i = -2; i < (of_any ? all.n : 0) && !fit; i++) {
        s.temperature = i < 0 ? (float)(i + 2) : lab13_draw(&all, i).temperature;
        fit = fits(d, s);
    }
    return fit;
}

/* Is each wrong token of all requests right at another temperature? Two constants explain fewer of
 * them by chance than the temperatures of all requests. */
static bool is_at_another(struct sequence *q)
{
    const int worst = q->number;
    int n_wrong = 0;
    bool fit = true, fit_constant = true;
    for (int i = 0; i < judge_numbers(q->j)->drawing.n && fit; i++) {
        const int n = wrong_tokens(q, i).n;
        if (n == 0)
            continue;
        const struct delivered d = delivered_of(q);
        fit = fits_temperature(&d, true);
        fit_constant = fit_constant && fits_temperature(&d, false);
        free(d.logits);
        n_wrong += n;
    }
    begin(q, worst);
    return fit && n_wrong >= (fit_constant ? EVIDENCE - 1 : EVIDENCE);
}

/* Are requests of temperature 0 alone wrong? Then they are sampled. */
static bool is_wrong_at_0_only(struct sequence *q)
{
    const int worst = q->number;
    bool is_only = true;
    for (int i = 0; i < judge_numbers(q->j)->drawing.n && is_only; i++)
        is_only = wrong_tokens(q, i).n == 0 || q->r.temperature == 0;
    begin(q, worst);
    return is_only;
}

static _Noreturn void fail_for_tokens(struct sequence *q, const struct wrong *wrong)
{
    const int token = token_of(q, wrong->first);
    const bool is_sampled = is_token(token) && lab13_drawing_of(q->j).is_sampled;
    const char *sampler = NULL;
    if (token == LAB13_UNTOUCHED)
        lab13_fail_for_undelivered(q->j);
    if (is_sampled && wrong->n >= EVIDENCE) {
        const struct delivered d = delivered_of(q);
        sampler = fact_of_sampler(&d);
        free(d.logits);
    }
    if (sampler)
        judge_fact(sampler);
    judge_fact_each((struct judge_truth[]){
        {!sampler && is_sampled && (is_wrong_at_0_only(q) || is_at_another(q)),
         "temperature_of_other"},
        {wrong->first > 0 && wrong->first == q->r.n_tokens - 1, "last_token_wrong"},
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
    if (are_known(j))
        return;
    need_model(j);
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
