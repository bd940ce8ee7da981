/* requests.h: the requests of a run, which suite and adapter of lab 13 draw alike from the
 * scenario's numbers. Each number is a hash of the seed and of what it is for. */
#pragma once

#include "common/splitmix.h"
#include "labs/lab13_serve/lab.h"

enum { LAB13_SEED = 13 }; /* of the weights */

enum lab13_pattern {
    LAB13_APART,   /* each one arrives long after the one before is done; the first has one token */
    LAB13_STEADY,  /* one in each gap */
    LAB13_BURST,   /* LAB13_TOGETHER at the same time */
    LAB13_ONE_LONG /* as steady; one of the first has a long prompt */
};
enum { LAB13_TOGETHER = 16 };

struct lab13_drawing {
    enum lab13_pattern pattern;
    int n, prompt, long_prompt, tokens; /* at most, each */
    int is_sampled; /* half of the temperatures are above 0; each sixth request has one token */
    int ends_alone; /* the last position of each fourth request is the only one in its block */
    double gap_us;
    long seed;
};

struct lab13_drawn {
    double after_us; /* the beginning of the run */
    int prompt_length, n_tokens;
    float temperature;
    unsigned long long seed;
};

static inline uint64_t lab13_hash(uint64_t a, uint64_t b)
{
    return splitmix_of(splitmix_of(a * SPLITMIX_STEP + b + 1));
}

static inline int lab13_is_long(const struct lab13_drawing *d, int i)
{
    return d->pattern == LAB13_ONE_LONG && i == d->n / 4;
}

static inline double lab13_arrival_us(const struct lab13_drawing *d, int i, uint64_t seed)
{
    switch (d->pattern) {
    case LAB13_APART:
        return 1000 * d->gap_us * i;
    case LAB13_BURST:
        return d->gap_us * (i / LAB13_TOGETHER) * LAB13_TOGETHER;
    default:
        return d->gap_us * (i + splitmix_uniform(lab13_hash(seed, 1)));
    }
}

static inline struct lab13_drawn lab13_draw(const struct lab13_drawing *d, int i)
{
    const uint64_t seed = lab13_hash((uint64_t)d->seed, (uint64_t)i);
    const int longest = lab13_is_long(d, i) ? d->long_prompt : d->prompt;
    const int shortest = lab13_is_long(d, i) ? longest - longest / 32 : 1;
    /* the request has this one, which does not tell `seed`, and so no later request */
    struct lab13_drawn r = {.after_us = lab13_arrival_us(d, i, seed),
                            .seed = (lab13_hash(seed, 6) ^ lab13_hash(seed, 7)) | 1};
    r.prompt_length = shortest + (int)(lab13_hash(seed, 2) % (unsigned)(longest - shortest + 1));
    r.n_tokens = 1 + (int)(lab13_hash(seed, 3) % (unsigned)d->tokens);
    if (lab13_is_long(d, i))
        r.n_tokens = d->tokens;
    else if (d->ends_alone && i % 4 == 0)
        r.n_tokens = 1 + DECODE_BLOCK - (r.prompt_length - 1) % DECODE_BLOCK;
    else if ((d->is_sampled && i % 6 == 5) || (d->pattern == LAB13_APART && i == 0))
        r.n_tokens = 1;
    if (d->is_sampled && (i % 6 == 5 || lab13_hash(seed, 5) % 2))
        r.temperature = (float)(0.5 + splitmix_uniform(lab13_hash(seed, 4)));
    return r;
}

static inline int lab13_prompt_token(const struct lab13_drawn *r, int position)
{
    return (int)(lab13_hash(r->seed, 16 + (uint64_t)position) % DECODE_TOKENS);
}

/* A number of a buffer that the submission's process wrote. */
static inline int lab13_int(float x)
{
    return x > -1e6f && x < 1e6f ? (int)x : -1000000;
}

/* The tokens of a request that were not delivered. */
enum { LAB13_UNTOUCHED = -77 };

/* The journal's buffer: the number of rows; then for each row of each step, in the order of the
   steps: */
enum lab13_entry {
    LAB13_REQUEST, /* its number, LAB13_PADDING or LAB13_NOBODY */
    LAB13_SLOT,
    LAB13_POSITION,
    LAB13_BLOCK,
    LAB13_TOKEN,
    LAB13_IS_LAST, /* that the slot sampled last, and not one that the host has set */
    LAB13_ROWS,    /* of the step */
    LAB13_SAMPLES,
    LAB13_ENTRY
};
enum { LAB13_PADDING = -1, LAB13_NOBODY = -2 }; /* no request: a padding row; an unknown seed */

/* What token k of a request was sampled with: number request * tokens + k of the buffer. */
enum lab13_sampler { LAB13_TEMPERATURE, LAB13_DRAWN, LAB13_SAMPLER };
