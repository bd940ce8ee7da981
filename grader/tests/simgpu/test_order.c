/* test_order.c: what the ordering checks cost, counted in clocks, clock ids and segments, never in
 * seconds; and corners of order that the random programs of test_order_model.c do not reach. */
#include "order_inside.h"

#ifdef __SANITIZE_ADDRESS__ /* ten times slower, and the counts are in proportion */
enum { MANY = 100000 };
#else
enum { MANY = 1000000 };
#endif
enum { STREAMS = 8 };

static const uint64_t BASE = 1 << 20;

/* ---- epochs ---------------------------------------------------------------------------------- */

Test(order, operations_with_nothing_new_share_a_clock)
{
    struct test_stream s = stream_begin(1), other = stream_begin(2);
    stream_op(&other, "copy", NULL);
    stream_op(&s, "wait", &other.last);
    uint64_t before = check_counts.clocks_made;
    struct vclock *clock = s.last.seen;
    for (int i = 0; i < MANY; i++)
        stream_op(&s, "kernel", &other.last);
    cr_assert_eq(check_counts.clocks_made, before);
    cr_assert_eq(s.last.seen, clock);
    cr_assert(epoch_before(&other.last, &s.last));
    cr_assert_not(epoch_before(&s.last, &other.last));
}

Test(order, a_million_operations_cost_a_clock_a_wait_and_keep_few)
{
    struct test_stream streams[STREAMS], host = stream_begin(-1);
    struct epoch event = {.seq = 0};
    uint64_t waits = 0;
    for (int i = 0; i < STREAMS; i++)
        streams[i] = stream_begin(i);
    for (int i = 0; i < MANY; i++) {
        struct test_stream *s = &streams[i % STREAMS];
        bool waiting = i % 3 == 0;
        waits += waiting;
        stream_op(s, "op", waiting ? &event : &host.last);
        if (i % 5 == 0) {
            epoch_drop(&event);
            event = epoch_copy(&s->last);
        }
        if (i % 1000 == 0)
            epoch_join(&host.last, &s->last);
    }
    uint64_t joins = MANY / 1000;
    cr_assert_leq(check_counts.clocks_made, waits + joins * (STREAMS + 1));
    cr_assert_leq(check_counts.clocks_alive, 2 * STREAMS + 4);
    cr_assert_leq(check_counts.clock_bytes_alive, 4096);
}

/* origin -> n branches of 3 operations -> sink, `launches` times in one stream. */
static void fork_and_join(struct test_stream *s, int n, int launches)
{
    struct test_stream *branches = calloc((size_t)n, sizeof *branches);
    const struct epoch **ends = calloc((size_t)n, sizeof *ends);
    for (int launch = 0; launch < launches; launch++) {
        stream_op(s, "fork", NULL);
        for (int i = 0; i < n; i++) {
            branches[i] = (struct test_stream){.clock_id = clock_id_after(&s->last)};
            stream_op(&branches[i], "node", &s->last);
            stream_op(&branches[i], "node", NULL);
            stream_op(&branches[i], "node", NULL);
            ends[i] = &branches[i].last;
            cr_assert(i == 0 || !epoch_before(ends[i - 1], ends[i]));
        }
        struct epoch sink = epoch_new(s->clock_id, ends, n);
        epoch_drop(&s->last);
        s->last = sink;
        for (int i = 0; i < n; i++) {
            cr_assert(epoch_before(ends[i], &s->last));
            stream_end(&branches[i]);
        }
    }
    free(branches);
    free(ends);
}

Test(order, a_fork_makes_one_clock_and_its_clock_ids_serve_again)
{
    enum { BRANCHES = 2000, LAUNCHES = 20 };
    struct test_stream s = stream_begin(1);
    fork_and_join(&s, BRANCHES, LAUNCHES);
    cr_assert_leq(check_counts.clocks_made, 2 * LAUNCHES);
    cr_assert_leq(check_counts.clock_ids, BRANCHES + 1);
    cr_assert_leq(check_counts.clocks_alive, 4);
}

Test(order, two_streams_that_fork_at_once_take_no_clock_ids_from_each_other)
{
    enum { BRANCHES = 100, ROUNDS = 50 };
    struct test_stream a = stream_begin(1), b = stream_begin(2);
    for (int i = 0; i < ROUNDS; i++) {
        fork_and_join(&a, BRANCHES, 1 + i % 3);
        fork_and_join(&b, BRANCHES, 1 + i % 2);
        cr_assert_not(epoch_before(&a.last, &b.last));
        cr_assert_not(epoch_before(&b.last, &a.last));
    }
    cr_assert_leq(check_counts.clock_ids, 6 * BRANCHES, "%zu clock_ids",
                  (size_t)check_counts.clock_ids);
}

Test(order, a_clock_id_whose_end_was_waited_for_serves_again)
{
    struct test_stream host = stream_begin(-1);
    stream_op(&host, "start", NULL);
    for (int i = 0; i < 10000; i++) {
        struct test_stream s = {.clock_id = clock_id_after(&host.last)};
        stream_op(&s, "kernel", &host.last);
        epoch_join(&host.last, &s.last);
        stream_end(&s);
    }
    cr_assert_leq(check_counts.clock_ids, 2);
}

/* Streams made and destroyed without a wait: races may be missed, but order that exists is kept. */
Test(order, clock_ids_are_bounded_and_order_survives_their_reuse)
{
    struct test_stream host = stream_begin(-1), first = stream_begin(1);
    stream_op(&host, "start", NULL);
    struct epoch last = {.seq = 0};
    for (int i = 0; i < 3 * PLENTY_OF_CLOCK_IDS; i++) {
        stream_op(&first, "produce", &host.last);
        struct test_stream s = {.clock_id = clock_id_after(&host.last)};
        stream_op(&s, "consume", &first.last);
        stream_op(&s, "and then", last.seq ? &last : NULL);
        cr_assert(epoch_before(&first.last, &s.last));
        cr_assert(epoch_before(&last, &s.last));
        epoch_drop(&last);
        last = epoch_copy(&s.last);
        stream_end(&s);
    }
    cr_assert_leq(check_counts.clock_ids, PLENTY_OF_CLOCK_IDS);
    cr_assert(epoch_before(&first.last, &last));
    struct test_stream late = stream_begin(2);
    stream_op(&late, "late", &last);
    cr_assert(epoch_before(&first.last, &late.last), "what (clock_id, seq) knew is known with it");
}

Test(order, no_operation_comes_before_every_other_and_after_none)
{
    struct test_stream s = stream_begin(1);
    struct epoch none = {.seq = 0};
    stream_op(&s, "op", &none);
    cr_assert(epoch_before(&none, &s.last));
    cr_assert_not(epoch_before(&s.last, &none));
    struct epoch before = epoch_copy(&s.last);
    epoch_join(&s.last, &none);
    cr_assert_eq(s.last.seq, before.seq);
    cr_assert(epoch_before(&before, &before), "an operation is not its own rival");
}

/* ---- histories ------------------------------------------------------------------------------- */

static uint64_t in_turn(int i)
{
    return 4 * (uint64_t)i;
}

static uint64_t each_stream_its_part(int i)
{
    return (uint64_t)(i % STREAMS) * (MANY / STREAMS) * 4 + 4 * (uint64_t)(i / STREAMS);
}

static uint64_t backwards(int i)
{
    return 4 * (uint64_t)(MANY - 1 - i);
}

static uint64_t few_places(int i)
{
    return 64 * (uint64_t)(i % STREAMS);
}

static uint64_t scattered_over_64_KiB(int i)
{
    return 4 * (uint64_t)((uint32_t)i * 2654435761u >> 18);
}

static uint64_t scattered(int i)
{
    return 4 * (((uint32_t)i * 2654435761u >> 12) % MANY);
}

static struct history *memory(uint64_t bytes)
{
    return history_new(
        &(struct simgpu_memory){.address = BASE, .bytes = bytes, .serial = 1, .call = "cudaMalloc"},
        true);
}

/* Many copies of 4 bytes by 8 streams, then one kernel that writes (or reads) all of it. */
static void many_copies(uint64_t (*where)(int), enum simgpu_access mode, uint64_t steps)
{
    setenv("SIMGPU_REPORT", "0", 1);
    struct test_stream streams[STREAMS], host = stream_begin(-1);
    struct history *h = memory(4 * MANY);
    for (int i = 0; i < STREAMS; i++)
        streams[i] = stream_begin(i);
    for (int i = 0; i < MANY; i++) {
        struct test_stream *s = &streams[i % STREAMS];
        struct simgpu_site site = stream_op(s, "memcpyH2D", NULL);
        uint64_t lo = BASE + where(i);
        stream_touch(s, &site, h, lo, lo + 4, mode);
    }
    cr_assert_leq(check_counts.segments_visited, steps * MANY, "%zu steps",
                  (size_t)check_counts.segments_visited);
    for (int i = 0; i < STREAMS; i++)
        epoch_join(&host.last, &streams[i].last);
    uint64_t segments = check_counts.segments_alive, visited = check_counts.segments_visited;
    struct simgpu_site site = stream_op(&host, "kernel", NULL);
    stream_touch(&host, &site, h, BASE, BASE + 4 * MANY, SIMGPU_READ);
    stream_touch(&host, &site, h, BASE, BASE + 4 * MANY, SIMGPU_WRITE);
    cr_assert_leq(check_counts.segments_visited - visited, 2 * segments + 100);
    cr_assert_eq(check_counts.segments_alive, 1);
    cr_assert_leq(check_counts.touches_alive, 1);
    history_free(h);
    cr_assert_eq(check_counts.segments_alive + check_counts.touches_alive, 0);
}

#define COPIES(name, ...)                                                                          \
    Test(history, name)                                                                            \
    {                                                                                              \
        many_copies(__VA_ARGS__);                                                                  \
    }
COPIES(copies_in_turn, in_turn, SIMGPU_WRITE, 2)
COPIES(copies_in_eight_parts, each_stream_its_part, SIMGPU_WRITE, 2)
COPIES(copies_backwards, backwards, SIMGPU_WRITE, 2)
COPIES(copies_to_few_places, few_places, SIMGPU_WRITE, 3)
COPIES(copies_all_over_a_corner_of_the_buffer, scattered_over_64_KiB, SIMGPU_WRITE, 4)
COPIES(copies_all_over_the_buffer, scattered, SIMGPU_WRITE, 7)
COPIES(reads_all_over_a_corner_of_the_buffer, scattered_over_64_KiB, SIMGPU_READ, 4)

/* Reads by all streams, over and over: no more of them are remembered than there are streams. */
Test(history, reads_are_kept_once_a_stream)
{
    struct test_stream streams[STREAMS];
    struct history *h = memory(4096);
    for (int i = 0; i < STREAMS; i++)
        streams[i] = stream_begin(i);
    for (int i = 0; i < 10000; i++) {
        struct test_stream *s = &streams[i % STREAMS];
        struct simgpu_site site = stream_op(s, "kernel", NULL);
        stream_touch(s, &site, h, BASE, BASE + 4096, SIMGPU_READ);
        cr_assert_leq(check_counts.touches_alive, STREAMS + 1);
        cr_assert_eq(check_counts.segments_alive, 1);
    }
    history_free(h);
}

/* Streams that end keep nothing alive but what bytes remember of them. */
Test(history, reads_of_ended_clock_ids_count_until_they_are_overwritten)
{
    struct history *h = memory(4096);
    struct test_stream gone = stream_begin(1), writer = stream_begin(2);
    struct simgpu_site site = stream_op(&gone, "reader", NULL);
    stream_touch(&gone, &site, h, BASE, BASE + 64, SIMGPU_READ);
    stream_end(&gone);
    site = stream_op(&writer, "writer", NULL);
    setenv("SIMGPU_REPORT", "0", 1);
    stream_touch(&writer, &site, h, BASE, BASE + 4096, SIMGPU_WRITE);
    cr_assert_eq(simgpu_findings(NULL, 0), 1);
    cr_assert_eq(check_counts.touches_alive, 1);
    history_free(h);
}

Test(history, rows_without_gaps_are_one_segment)
{
    struct history *h = memory(4096);
    struct test_stream s = stream_begin(1);
    struct simgpu_site site = stream_op(&s, "memcpy2D", NULL);
    struct access rows = {.lo = BASE,
                          .hi = BASE + 64,
                          .rows = 32,
                          .pitch = 64,
                          .mode = SIMGPU_WRITE,
                          .epoch = &s.last,
                          .site = &site};
    history_access(h, &rows);
    cr_assert_eq(check_counts.segments_alive, 2);
    for (uint64_t row = 32; row < 64; row++) /* told one by one, the same */
        stream_touch(&s, &site, h, BASE + 64 * row, BASE + 64 * (row + 1), SIMGPU_WRITE);
    cr_assert_eq(check_counts.segments_alive, 1);
    rows.rows = 16;
    rows.pitch = 128;
    site = stream_op(&s, "kernel", NULL);
    history_access(h, &rows);
    cr_assert_eq(check_counts.segments_alive, 32);
    history_free(h);
}

Test(history, none_checks_nothing)
{
    struct test_stream s = stream_begin(1);
    struct simgpu_site site = stream_op(&s, "kernel", NULL);
    stream_touch(&s, &site, NULL, BASE, BASE + 64, SIMGPU_READ);
    history_begin(NULL, &s.last, &site);
    history_end(NULL, &s.last, &site);
    history_free(NULL);
    cr_assert_eq(simgpu_findings(NULL, 0), 0);
}
