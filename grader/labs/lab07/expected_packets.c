/* expected_packets.c: the packets of a run of lab 07, what their handlers are to compute and in
 * which order; and what a result that is something else says about how it came about. */
#include "exchange.h"
#include "expected_results.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/handlers.h"

enum { PACKET_COLUMNS = 2, SPLIT = PACKET_TYPES - 1, SPLIT_INTO = 2 };

/* ---- packets --------------------------------------------------------------------------------- */

size_t lab07_total(const struct numbers *n)
{
    const int split[] = {[LAB07_ALL_TYPES] = (n->n_packets + 1) / 4,
                         [LAB07_NO_SPLIT] = 0,
                         [LAB07_SPLIT_LAST] = 1,
                         [LAB07_IN_TURN] = n->n_packets / 5};
    return (size_t)(n->n_packets + 2 * split[n->mix]);
}

/* LAB07_ALL_TYPES: every fourth packet is one that splits, the others are of any type; about one in
 * eight is in_order; without `random`, always the same ones. Else types in turn: all five; without
 * the one that splits; with it as the last. */
void lab07_fill_packets(struct judged *j)
{
    const struct numbers *numbers = judge_numbers(j);
    const int n = numbers->n_packets, mix = numbers->mix;
    const bool random = numbers->random;
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

int lab07_packets_of(struct judged *j, struct lab07_packet packets[LAB07_MOST_PACKETS])
{
    const float *more = judge_buffer(j, "more");
    int total = judge_numbers(j)->n_packets;
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

/* ---- results --------------------------------------------------------------------------------- */

/* Packets without a result. */
struct missing {
    int n, first, last;
    int children, from_second_use; /* of slots of the ring */
};

static struct missing find_missing(struct judged *j, int total)
{
    const float *out = judge_buffer(j, "out");
    struct missing m = {.first = total, .last = -1};
    for (int i = 0; i < total; i++)
        if (isnan(out[i * PACKET_FLOATS])) { /* as outputs begin */
            m.n++;
            m.first = i < m.first ? i : m.first;
            m.last = i;
            m.children += i >= judge_numbers(j)->n_packets;
            m.from_second_use += i >= RING_SLOTS;
        }
    return m;
}

/* The packet that the handler of a missing packet found in its argument slot: the one before it of
 * its type, which the slot still held, if the slot is written too late. Then the next handler of
 * the type finds another packet. */
static bool found_one_before(const struct lab07_done *rows, size_t n,
                             const struct lab07_packet *packets, int missing)
{
    const int type = packets[missing].type;
    bool found = true;
    int before = 0, left = 0;
    for (int i = 0; i < missing; i++)
        if (packets[i].type == type) {
            before = i;
            left++;
        }
    for (size_t i = 0; i < n && left >= -1; i++)
        if (rows[i].type == type) {
            found &= left > 0 || (rows[i].number == before) == (left == 0);
            left--;
        }
    return found;
}

/* What handlers found in their argument slots. Each slot holds packet 0 when a run begins. */
static void record_handlers(struct judged *j, const struct lab07_packet *packets, int total,
                            const struct missing *m)
{
    size_t n, of_first = 0, of_one_type = 0, later = 0;
    const struct lab07_done *rows = lab07_journal(j, &n);
    for (size_t i = 0; i < n; i++) {
        const int number_ = rows[i].number;
        of_first += number_ == 0;
        of_one_type += rows[i].type == rows[0].type;
        later += number_ > m->first && number_ < total &&
                 packets[number_].type == packets[m->first].type &&
                 lab07_find(rows, i, number_) != NULL;
    }
    if (of_one_type == n && of_first < n && n >= PACKET_TYPES && n > (size_t)(total - m->n))
        judge_fact("one_handler");
    if (n > 1 && (of_first == n || of_first > PACKET_TYPES))
        judge_fact("argument_not_written");
    if (n >= (size_t)total) /* one found, in place of the first missing packet, another one */
        judge_fact(later                                          ? "argument_overwritten"
                   : found_one_before(rows, n, packets, m->first) ? "argument_late"
                                                                  : "other_slot");
}

static void blame_missing(struct judged *j, const struct lab07_packet *packets, int total)
{
    const struct missing m = find_missing(j, total);
    if (m.n == 0)
        return;
    judge_actual(
        "%d of %d packets not handled: the first is number %d (type %d%s), the last number %d", m.n,
        total, m.first, packets[m.first].type, packets[m.first].in_order ? ", in_order" : "",
        m.last);
    judge_expected("all packets handled");
    const bool none_launched = m.first == 0 && packets[0].in_order; /* so there is no relaunch */
    judge_fact_each((struct judge_truth[]){
        {m.n == m.from_second_use && m.n == total - RING_SLOTS, "slots_without_ring"},
        {judge_buffer(j, "ring")[LAB07_PUT] < (float)judge_numbers(j)->n_packets, "put_lowered"},
        {m.n == m.children && total > judge_numbers(j)->n_packets, "only_added_missing"},
        {judge_device_is_simulated() && judge_value(j, relaunches) == 0 && !none_launched,
         "never_relaunched"},
        {m.n < total - m.first, "later_ones_handled"},
        {packets[m.first].in_order, "in_order_missing"},
        {false, NULL}});
    record_handlers(j, packets, total, &m);
    lab07_fail("packets_missing");
}

/* All packets are handled: does the ring say so? */
static void expect_empty_ring(struct judged *j)
{
    const float *ring = judge_buffer(j, "ring");
    judge_actual("the ring when the call returns: taken is %.0f, put is %.0f", ring[LAB07_TAKEN],
                 ring[LAB07_PUT]);
    judge_expected("both are equal");
    judge_expect_that(ring[LAB07_TAKEN] == ring[LAB07_PUT], "ring_not_empty");
    judge_forget();
}

void lab07_verify_packets(struct judged *j)
{
    struct lab07_packet packets[LAB07_MOST_PACKETS];
    const int total = lab07_packets_of(j, packets);
    double *want = judge_room((size_t)total * PACKET_FLOATS, sizeof *want);
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
    expect_empty_ring(j);
    free(want);
}

/* ---- order ----------------------------------------------------------------------------------- */

/* No other packet runs on the wrong side of packet p, which is in_order. */
static void expect_apart(const struct lab07_done *p, const struct lab07_done *q)
{
    judge_actual("packet %d, in_order: %.1f to %.1f us; packet %d: %.1f to %.1f us", p->number,
                 p->begun_us, p->done_us, q->number, q->begun_us, q->done_us);
    judge_expected("packets before it are complete when it begins, and packets after it begin "
                   "when it is complete");
    if (q->number < p->number && q->done_us > p->begun_us)
        judge_fail_that("in_order_too_early");
    if (q->number > p->number && q->begun_us < p->done_us)
        judge_fail_that("in_order_overtaken");
}

void lab07_expect_in_order(struct judged *j)
{
    size_t n;
    struct lab07_packet packets[LAB07_MOST_PACKETS];
    const int total = lab07_packets_of(j, packets);
    const struct lab07_done *rows = lab07_journal(j, &n);
    judge_actual("handlers ran %zu times for %d packets", n, total);
    if (n != (size_t)total) {
        judge_note("A packet was handled more than once, or not at all.");
        lab07_fail("packet_repeated");
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n && rows[i].number < total && packets[rows[i].number].in_order; k++)
            expect_apart(&rows[i], &rows[k]);
    judge_forget();
}
