/* expected_results.h: what lab 07 is to compute, and in which order; for its suite. */
#pragma once

#include "judge/judge.h"

enum { LAB07_MOST_PACKETS = 96 };

/* One packet of a run, those that handlers put into the ring included. */
struct lab07_packet {
    int type;
    bool in_order;
};

/* What the submission's run did, by the journal. */
struct lab07_done {
    int number, type;
    double begun_us, done_us;
};

/* For judge_scenario.fill. */
void lab07_fill(struct judged *j);

/* All packets of the run that is prepared; returns how many. Number i is packets[i]. */
int lab07_packets_of(struct judged *j, struct lab07_packet packets[LAB07_MOST_PACKETS]);

/* How many packets there will be, when so many are put into the ring in the first place. */
size_t lab07_total(const struct numbers *n);

/* The parts of lab07_fill and lab07_verify for packets (expected_packets.c). */
void lab07_fill_packets(struct judged *j);
void lab07_verify_packets(struct judged *j);

/* Who launched how many graphs in a call of `function`, by its trace (expected_launches.c). A trace
   has a row for each launch by the device, if there are so many. `given`: launches of the given
   graphs. `unit`: for what the host launched. */
const struct trace *lab07_trace_launches(struct judged *j, size_t by_device);
void lab07_expect_device_launches(const struct trace *t, const char *function, size_t least);
void lab07_expect_given_launches(const struct judged *j, const char *function, size_t given);
void lab07_expect_host_calls(const struct trace *t, const char *function, const char *unit);

/* Records the fact and what the adapter noted of launches, and fails. */
_Noreturn void lab07_fail(const char *fact);

/* For judge_scenario.verify: results, in the words of this lab. */
void lab07_verify(struct judged *j);

/* Of the last run of lab07_length: did all workers run, then the sum, then the root? */
void lab07_expect_length_order(struct judged *j);

/* Of the last run of lab07_packets: did packets that are in_order keep their order? */
void lab07_expect_in_order(struct judged *j);

/* Of a run after calls of the other two functions, which alone is right. */
void lab07_expect_own_work(struct judged *j);

/* Reads the journal; *n rows in the order in which they were done. They live until the next
   call. */
const struct lab07_done *lab07_journal(struct judged *j, size_t *n);

/* The row of this number, or NULL. */
const struct lab07_done *lab07_find(const struct lab07_done *rows, size_t n, int number);

/* Most rows at the same instant, of those with numbers from `first` to `last`. */
size_t lab07_at_once(const struct lab07_done *rows, size_t n, int first, int last);
