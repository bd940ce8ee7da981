/*
 * expected_results.c: what lab 07 is to compute, and what a result that is something else says
 * about how it came about.
 */
#include "expected_results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/handlers.h"

enum {
    JOURNAL_COLUMNS = 4,
    PACKET_COLUMNS = 2,
    SPLIT = PACKET_TYPES - 1,
    SPLIT_INTO = 2,
    MOST_FIRED = 120
};

static int number(const struct judge *j, const char *name)
{
    return (int)judge_number(j, name);
}

static void *room(size_t count, size_t bytes)
{
    void *p = calloc(count + !count, bytes);
    if (!p)
        judge_inconclusive("the grader has no memory for the reference results");
    return p;
}

/* ---- packets --------------------------------------------------------------------------------- */

/*
 * LAB07_ALL_TYPES: every fourth packet is one that splits, the others are of any type; about one in
 * eight is in_order; without `random`, always the same ones. Else types in turn: all five; without
 * the one that splits; with it as the last.
 */
static void fill_packets(struct judge *j)
{
    const int n = number(j, "n_packets"), mix = number(j, "mix");
    const bool random = number(j, "random");
    uint64_t state = 88172645463325252ull;
    float *more = judge_buffer(j, "more");
    for (int i = 0; i < n; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        const uint64_t bits = random ? judge_random(j) : state;
        int type = mix == LAB07_ALL_TYPES ? (int)(bits >> 8 & 3) : i % SPLIT;
        if (mix == LAB07_IN_TURN)
            type = i % PACKET_TYPES;
        if ((mix == LAB07_ALL_TYPES && i % 4 == 2) || (mix == LAB07_SPLIT_LAST && i == n - 1))
            type = SPLIT;
        more[i * PACKET_COLUMNS] = (float)type;
        more[i * PACKET_COLUMNS + 1] = mix == LAB07_ALL_TYPES && (bits >> 32 & 7) == 0;
    }
}

void lab07_fill(struct judge *j)
{
    if (number(j, "workload") == LAB07_PACKETS)
        fill_packets(j);
}

int lab07_packets_of(struct judge *j, struct lab07_packet packets[LAB07_MOST_PACKETS])
{
    const float *more = judge_buffer(j, "more");
    int total = number(j, "n_packets");
    for (int i = 0; i < total && i < LAB07_MOST_PACKETS; i++)
        packets[i] =
            (struct lab07_packet){(int)more[i * PACKET_COLUMNS], more[i * PACKET_COLUMNS + 1] != 0};
    for (int i = 0; i < total && i < LAB07_MOST_PACKETS; i++)
        for (int child = 0; packets[i].type == SPLIT && child < SPLIT_INTO; child++) {
            const struct packet parent = {.number = i, .type = SPLIT};
            const struct packet made = packet_child(&parent, child, (unsigned)total);
            packets[total++] = (struct lab07_packet){made.type, made.in_order != 0};
        }
    return total;
}

/* ---- the journal ----------------------------------------------------------------------------- */

struct lab07_done *lab07_journal(struct judge *j, size_t *n)
{
    const float *rows = judge_buffer(j, "journal");
    const size_t most = judge_buffer_count(j, "journal") / JOURNAL_COLUMNS;
    struct lab07_done *all = room(most, sizeof *all);
    for (*n = 0; *n < most && rows[*n * JOURNAL_COLUMNS] >= 0; ++*n) {
        const float *row = rows + *n * JOURNAL_COLUMNS;
        all[*n] = (struct lab07_done){(int)row[0], (int)row[1], row[2], row[3]};
    }
    return all;
}

const struct lab07_done *lab07_find(const struct lab07_done *rows, size_t n, int number_)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i].number == number_)
            return &rows[i];
    return NULL;
}

size_t lab07_at_once(const struct lab07_done *rows, size_t n, int first, int last)
{
    size_t most = 0;
    for (size_t i = 0; i < n; i++) { /* the fullest instant is one at which a row begins */
        size_t now = 0;
        for (size_t k = 0; k < n; k++)
            now += rows[k].number >= first && rows[k].number <= last &&
                   rows[k].begun_us <= rows[i].begun_us && rows[k].done_us > rows[i].begun_us;
        most = now > most ? now : most;
    }
    return most;
}

/* ---- results --------------------------------------------------------------------------------- */

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-4 * (1 + fabs(b));
}

static bool is_new(float x)
{
    return !isnan(x); /* outputs begin as poison, which is not a number */
}

/* What root makes of the sum's memory when no sum is there yet (subject_lab07.c). */
static double root_of_nothing(void)
{
    const uint32_t unsummed = 0x3e3e3e3e;
    float sum;
    memcpy(&sum, &unsummed, sizeof sum);
    return sqrt(sum);
}

static void verify_length(struct judge *j)
{
    const float *x = judge_buffer(j, "in"), got = judge_buffer(j, "out")[0];
    const int workers = number(j, "n_workers");
    const double want = reference_length(x, workers * WORKER_FLOATS);
    judge_next("workers: fire and forget; sum and root: tails, which wait for those and run in the "
               "order in which they were launched");
    judge_expect(is_new(got), "root has not run: nobody wrote the length, and no error came back");
    judge_expect(!is_near(got, root_of_nothing()),
                 "the root was taken before the sum was there: tails run one after the other, in "
                 "the order in which they were launched");
    const int rest = workers - MOST_FIRED;
    judge_expect(rest <= 0 || !is_near(got, reference_length(x + MOST_FIRED * WORKER_FLOATS,
                                                             rest * WORKER_FLOATS)),
                 "the length is that of the last workers' pieces only: this call went on where the "
                 "one before it had ended. *next must be 0 again when all workers are launched");
    for (int k = 0; k < workers; k++) {
        const bool some = is_near(got, reference_length(x, k * WORKER_FLOATS));
        judge_expect(
            !some || is_near(got, want), "the length is that of the first workers' pieces only: %s",
            k == MOST_FIRED ? "from the 121st on none was launched, and nobody heard of the error"
                            : "the sum was taken before the others were done");
    }
    judge_expect_results(j, &(struct judge_results){.buffer = "out",
                                                    .batches = 1,
                                                    .rows = 1,
                                                    .columns = 1,
                                                    .expected = &want,
                                                    .tolerance = 1e-5,
                                                    .batch_word = "vector"});
}

/* How many rounds would explain the result; NaN where none. */
static double rounds_made(struct judge *j)
{
    const float *x = judge_buffer(j, "in"), *y = judge_buffer(j, "more"),
                *out = judge_buffer(j, "out");
    const size_t n = judge_buffer_count(j, "out");
    const double alpha = (double)number(j, "alpha_percent") / 100;
    double both = 0, square = 0;
    for (size_t i = 0; i < n; i++) {
        both += ((double)out[i] - y[i]) * alpha * x[i];
        square += alpha * x[i] * alpha * x[i];
    }
    return both / square;
}

static void verify_rounds(struct judge *j)
{
    const float *x = judge_buffer(j, "in"), *y = judge_buffer(j, "more");
    const size_t n = judge_buffer_count(j, "out");
    const double alpha = (double)number(j, "alpha_percent") / 100;
    const int rounds = number(j, "rounds");
    double *want = room(n, sizeof *want);
    for (size_t i = 0; i < n; i++)
        want[i] = y[i] + rounds * alpha * x[i];
    const double made = rounds_made(j);
    if (fabs(made - round(made)) < 0.01 && (int)round(made) != rounds) {
        judge_actual("the result of %.0f rounds", round(made));
        judge_expected("that of %d", rounds);
        judge_next("create_loop: launch_saxpy(lab->y, lab->x, …), and behind it the kernel that "
                   "decides");
        judge_expect(round(made) != 0, "y is what it was: no round has added to it");
        judge_next("the graph launches itself where rounds are left, and does not where none is");
        judge_fail("%s", made < rounds ? "the loop ends too early" : "the loop ends too late");
    }
    judge_expect_results(j, &(struct judge_results){.buffer = "out",
                                                    .batches = 1,
                                                    .rows = 1,
                                                    .columns = n,
                                                    .expected = want,
                                                    .tolerance = 1e-4,
                                                    .batch_word = "vector"});
    free(want);
}

static void blame_missing(struct judge *j, const struct lab07_packet *packets, int total)
{
    const int first = number(j, "n_packets");
    const float *out = judge_buffer(j, "out");
    int missing = 0, missing_children = 0, missing_again = 0, first_missing = total, last = -1;
    for (int i = 0; i < total; i++)
        if (!is_new(out[i * PACKET_FLOATS])) {
            missing++;
            first_missing = i < first_missing ? i : first_missing;
            missing_children += i >= first;
            missing_again += i >= RING_SLOTS;
            last = i;
        }
    if (missing == 0)
        return;
    judge_actual("%d of %d packets not handled, the last of them number %d, of type %d", missing,
                 total, last, packets[last].type);
    if (missing == missing_again && missing == total - RING_SLOTS) {
        judge_next("slots are used again: packet i is in slots[i %% RING_SLOTS]");
        judge_fail("the packets from number %d on were not handled, for which there is no slot of "
                   "their own",
                   RING_SLOTS);
    }
    if (missing == missing_children && total > first) {
        judge_next("whoever has launched anything looks once more, when that is done");
        judge_fail("packets that a handler put into the ring were left there: the scheduler ended "
                   "while that handler was still at work");
    }
    judge_next(
        "what keeps it? A packet that is in_order may go where this run has launched nothing "
        "yet; one whose type is at work goes in the next run");
    judge_expect(missing < total - first_missing,
                 "the packets from number %d on were not handled, and no error came back: the "
                 "scheduler ended in front of that one%s",
                 first_missing, packets[first_missing].in_order ? ", which is in_order" : "");
    judge_next("a packet that cannot be launched yet stays in the ring for the next run of the "
               "scheduler; one that can is put into the hand of its own type, whose handler is "
               "launched; and what does cudaGraphLaunch return?");
    judge_fail("packets were taken out of the ring and not handled, and no error came back");
}

static void verify_packets(struct judge *j)
{
    struct lab07_packet packets[LAB07_MOST_PACKETS];
    const int total = lab07_packets_of(j, packets);
    double *want = room((size_t)total * PACKET_FLOATS, sizeof *want);
    for (int i = 0; i < total; i++)
        reference_packet(want + i * PACKET_FLOATS, judge_buffer(j, "in") + i * PACKET_FLOATS,
                         packets[i].type);
    blame_missing(j, packets, total);
    judge_expect_results(j, &(struct judge_results){.buffer = "out",
                                                    .batches = (size_t)total,
                                                    .rows = 1,
                                                    .columns = PACKET_FLOATS,
                                                    .expected = want,
                                                    .tolerance = 1e-5,
                                                    .batch_word = "packet"});
    free(want);
}

void lab07_verify(struct judge *j)
{
    const enum lab07_workload workload = (enum lab07_workload)number(j, "workload");
    if (workload == LAB07_LENGTH)
        verify_length(j);
    else if (workload == LAB07_ROUNDS)
        verify_rounds(j);
    else if (number(j, "busy_type") < 0)
        verify_packets(j);
}
