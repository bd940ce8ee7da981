/*
 * work.c: has a run computed what it delivered? The values of a timed run are not computed, but the
 * bytes of each kernel in its trace say how many rows it had.
 */
#include "expected.h"

#include <math.h>

#include "exchange.h"

/* A product by weights: what its kernel reads and writes (kernels/decode_linear.cu). */
struct product {
    const char *name;
    double weights, row_bytes;
};

static void expect_rows(const struct trace *t, const struct product *p, double needed)
{
    const double launches = (double)trace_count(t, "sm", p->name),
                 rows = (trace_bytes(t, "sm", p->name) - launches * p->weights) / p->row_bytes;
    judge_actual("%.0f kernels %s with %.0f rows in all", launches, p->name, rows);
    judge_expected("%.0f rows: one for each token, in each layer", needed);
    judge_expect_that(rows > 0.999 * needed, "work_left_out");
}

static void expect_beside(const struct trace *t, const char *name, size_t n, const char *product)
{
    const size_t needed = trace_count(t, "sm", product);
    judge_actual("%zu kernels %s", n, name);
    judge_expected("%zu: one beside each %s", needed, product);
    judge_expect_that(n >= needed, "work_left_out");
}

void lab13_expect_work(const struct judged *j, const struct trace *t)
{
    const struct decode_model *m = &judge_numbers(j)->model;
    const struct lab13_totals needed = lab13_totals_of(j);
    const double d = decode_width(m), bf16 = sizeof(uint16_t), fp32 = sizeof(float);
    /* the last layer needs of a row of a prompt no more than its keys and values */
    const double rows = (m->n_layers - 1) * needed.rows + needed.tokens;
    const struct product project = {"decode_project", d * d * bf16, d * (bf16 + fp32)},
                         up = {"decode_up", 4 * d * d * bf16, d * (fp32 + 4 * bf16)},
                         down = {"decode_down", 4 * d * d * bf16, d * (4 * bf16 + fp32)},
                         head = {"decode_head", DECODE_TOKENS * d * bf16,
                                 d * fp32 + DECODE_TOKENS * fp32};
    expect_rows(t, &project, rows);
    expect_rows(t, &up, rows);
    expect_rows(t, &down, rows);
    expect_rows(t, &head, needed.tokens);
    const size_t attend =
        trace_count(t, "sm", "serve_attend") + trace_count(t, "sm", "serve_attend_parts");
    expect_beside(t, "decode_qkv", trace_count(t, "sm", "decode_qkv"), project.name);
    expect_beside(t, "serve_attend or serve_attend_parts", attend, project.name);
    expect_beside(t, "serve_embed", trace_count(t, "sm", "serve_embed"), head.name);
    expect_beside(t, "serve_sample", trace_count(t, "sm", "serve_sample"), head.name);
    judge_forget();
}
