/* test_findings.c: what the ordering checks say, word for word, and how often. */
#include "order_inside.h"

static const uint64_t BASE = 1 << 20;
static const uint64_t SIZE = 1 << 20;

/* The allocation of a test. */
static struct history *h;

static void memory(bool initialised)
{
    h = history_new(
        &(struct simgpu_memory){.address = BASE, .bytes = SIZE, .serial = 2, .call = "cudaMalloc"},
        initialised);
}

/* The stream's next operation, also after *also (or NULL), touches bytes lo to hi of the memory. */
static void op_touches(struct test_stream *s, const char *name, const struct epoch *also,
                       uint64_t lo, uint64_t hi, enum simgpu_access mode)
{
    const struct simgpu_site site = stream_op(s, name, also);
    stream_touch(s, &site, h, BASE + lo, BASE + hi, mode);
}

/* The only finding there is; it in words. */
static struct simgpu_finding only(void)
{
    static struct simgpu_finding found[2];
    cr_assert_eq(simgpu_findings(found, 2), 1, "%zu findings", simgpu_findings(NULL, 0));
    return found[0];
}

static void only_says(const char *words)
{
    struct simgpu_finding f = only();
    cr_assert(strstr(finding_text(&f), words), "%s", finding_text(&f));
}

static void expect(enum simgpu_finding_kind kind, uint64_t offset, uint64_t bytes, const char *text)
{
    struct simgpu_finding f = only();
    cr_assert_str_eq(finding_text(&f), text);
    cr_assert_eq(f.kind, kind);
    cr_assert_eq(f.address, BASE + offset);
    cr_assert_eq(f.bytes, bytes);
    cr_assert_eq(f.count, 1);
    simgpu_findings_clear();
}

/* ---- sentences ------------------------------------------------------------------------------- */

static void quiet(void)
{
    setenv("SIMGPU_REPORT", "0", 1);
}

static void done(void)
{
    history_free(h);
}

TestSuite(findings, .init = quiet, .fini = done);

Test(findings, a_read_that_does_not_wait_for_the_copy)
{
    memory(false);
    struct test_stream a = stream_begin(1), b = stream_begin(2);
    op_touches(&a, "memcpyH2D", NULL, 0, 262144, SIMGPU_WRITE);
    op_touches(&b, "consume", NULL, 0, 4096, SIMGPU_READ);
    expect(SIMGPU_RACE, 0, 4096,
           "Nothing orders consume (stream 2, operation 0) after memcpyH2D (stream 1, operation "
           "0): memcpyH2D writes bytes 0-4095 of allocation 2 (1 MiB, cudaMalloc), and consume "
           "reads them; record an event after memcpyH2D in stream 1 and let stream 2 wait for it "
           "before consume (cudaEventRecord, cudaStreamWaitEvent).");
    op_touches(&b, "consume", &a.last, 0, 262144, SIMGPU_READ_WRITE);
    cr_assert_eq(simgpu_findings(NULL, 0), 0);
}

Test(findings, a_ring_buffer_used_again_too_early)
{
    memory(true);
    struct test_stream copies = stream_begin(1), kernels = stream_begin(2);
    op_touches(&copies, "memcpyH2D", NULL, 0, 1024, SIMGPU_WRITE);
    op_touches(&kernels, "scale", &copies.last, 0, 1024, SIMGPU_READ);
    op_touches(&copies, "memcpyH2D", NULL, 512, 1024, SIMGPU_WRITE);
    expect(SIMGPU_RACE, 512, 512,
           "memcpyH2D (stream 1, operation 1) overwrites bytes 512-1023 of allocation 2 (1 MiB, "
           "cudaMalloc), which scale (stream 2, operation 0) may still be reading; record an "
           "event after scale in stream 2 and let stream 1 wait for it before memcpyH2D "
           "(cudaEventRecord, cudaStreamWaitEvent).");
}

Test(findings, two_writes_with_the_legacy_stream)
{
    h = history_new(
        &(struct simgpu_memory){
            .address = BASE, .bytes = 100, .serial = 7, .call = "cudaMallocHost"},
        true);
    struct test_stream legacy = stream_begin(0), other = stream_begin(3);
    op_touches(&legacy, "memset", NULL, 0, 100, SIMGPU_WRITE);
    op_touches(&other, "memcpyD2H", NULL, 99, 4096, SIMGPU_WRITE);
    expect(SIMGPU_RACE, 99, 1,
           "memset (the legacy stream, operation 0) and memcpyD2H (stream 3, operation 0) both "
           "write byte 99 of allocation 7 (100 bytes, cudaMallocHost) and nothing orders them: "
           "either result may remain; a stream created with cudaStreamNonBlocking and the legacy "
           "stream do not wait for each other: enqueue memset in stream 3, too (its stream "
           "argument).");
}

Test(findings, a_host_call_that_does_not_wait_and_one_that_is_still_under_way)
{
    memory(true);
    struct test_stream s = stream_begin(4), host = stream_begin(-1);
    op_touches(&s, "memcpyD2H", NULL, 0, 4, SIMGPU_WRITE);
    op_touches(&host, "cudaMemcpy", NULL, 0, 4, SIMGPU_READ);
    expect(SIMGPU_RACE, 0, 4,
           "Nothing orders cudaMemcpy (called by the host) after memcpyD2H (stream 4, operation "
           "0): memcpyD2H writes bytes 0-3 of allocation 2 (1 MiB, cudaMalloc), and cudaMemcpy "
           "reads them; let the host wait for stream 4 before it calls cudaMemcpy "
           "(cudaStreamSynchronize, cudaEventSynchronize).");
    epoch_join(&host.last, &s.last);
    op_touches(&host, "cudaMemcpy", NULL, 0, 4, SIMGPU_WRITE);
    cr_assert_eq(simgpu_findings(NULL, 0), 0, "the host has waited");
    op_touches(&s, "scale", NULL, 0, 4, SIMGPU_READ);
    expect(SIMGPU_RACE, 0, 4,
           "Nothing orders scale (stream 4, operation 1) after cudaMemcpy (called by the host): "
           "cudaMemcpy writes bytes 0-3 of allocation 2 (1 MiB, cudaMalloc), and scale reads "
           "them; make that call only after cudaMemcpy has returned.");
}

/* The same call of the host twice, of the same name: the second is another operation. */
Test(findings, host_calls_of_one_name_are_told_apart)
{
    memory(true);
    struct test_stream s = stream_begin(1), host = stream_begin(-1);
    struct simgpu_site site = stream_op(&host, "cudaMemcpy", NULL), same;
    stream_touch(&host, &site, h, BASE, BASE + 4, SIMGPU_WRITE);
    same = stream_op(&s, "kernel", &host.last);
    stream_op(&host, "cudaMemcpy", NULL);
    stream_touch(&host, &site, h, BASE, BASE + 4, SIMGPU_READ);
    stream_touch(&s, &same, h, BASE, BASE + 4, SIMGPU_WRITE);
    cr_assert_eq(simgpu_findings(NULL, 0), 1);
}

Test(findings, nodes_of_one_graph_and_of_two)
{
    memory(true);
    struct test_stream a = stream_begin(1), b = stream_begin(2);
    struct simgpu_site five = stream_op(&a, "scale", NULL), seven = stream_op(&b, "add", NULL);
    five.node = 5;
    seven.node = 7;
    seven.stream = 1;
    stream_touch(&a, &five, h, BASE, BASE + 8, SIMGPU_WRITE);
    stream_touch(&b, &seven, h, BASE, BASE + 8, SIMGPU_WRITE);
    expect(SIMGPU_RACE, 0, 8,
           "scale (node 5 of the graph launched in stream 1, operation 0) and add (node 7 of "
           "the graph launched in stream 1, operation 0) both write bytes 0-7 of allocation 2 "
           "(1 MiB, cudaMalloc) and nothing orders them: either result may remain; add an edge "
           "from node 5 to node 7 of the graph (cudaGraphAddDependencies; in a capture, "
           "cudaEventRecord and cudaStreamWaitEvent).");
    struct test_stream c = stream_begin(3);
    struct simgpu_site nine = stream_op(&c, "sum", NULL);
    nine.node = 9;
    stream_touch(&c, &nine, h, BASE, BASE + 8, SIMGPU_READ);
    only_says("; record an event after the graph of add in stream 1 and let "
              "stream 3 wait for it before the graph of sum (");
}

Test(findings, memory_that_nothing_has_written)
{
    memory(false);
    struct test_stream s = stream_begin(1);
    op_touches(&s, "memcpyH2D", NULL, 100, 200, SIMGPU_WRITE);
    op_touches(&s, "scale", NULL, 0, 300, SIMGPU_READ);
    expect(SIMGPU_UNINITIALIZED_READ, 0, 200,
           "scale (stream 1, operation 1) reads bytes 0-99 and 100 others of allocation 2 (1 "
           "MiB, cudaMalloc), which no earlier operation has written; write them first "
           "(cudaMemcpyAsync, cudaMemsetAsync or a kernel), and order that operation before "
           "scale; or correct the address, if scale should read other memory: two arguments may be "
           "exchanged.");
}

Test(findings, memory_of_which_something_has_written_the_beginning)
{
    memory(false);
    struct test_stream s = stream_begin(1);
    op_touches(&s, "memcpyH2D", NULL, 0, 64, SIMGPU_WRITE);
    op_touches(&s, "scale", NULL, 0, 256, SIMGPU_READ);
    cr_expect_eq(only().second.index, 0);
    expect(SIMGPU_UNINITIALIZED_READ, 64, 192,
           "scale (stream 1, operation 1) reads bytes 64-255 of allocation 2 (1 MiB, cudaMalloc), "
           "which no earlier operation has written: memcpyH2D (stream 1, operation 0) wrote the "
           "bytes before them, and no more; compare the address and the number of bytes that "
           "memcpyH2D writes with those that scale reads: bytes or elements, one row or all, two "
           "arguments exchanged? If another operation is to write the rest, enqueue it before "
           "scale.");
}

Test(findings, the_last_that_has_written_before_is_named_to_one_that_writes_too)
{
    memory(false);
    struct test_stream s = stream_begin(1);
    op_touches(&s, "memset", NULL, 0, 64, SIMGPU_WRITE);
    op_touches(&s, "memcpyH2D", NULL, 64, 128, SIMGPU_WRITE);
    op_touches(&s, "saxpy", NULL, 0, 256, SIMGPU_READ | SIMGPU_WRITE);
    cr_expect_eq(only().what, SIMGPU_WHAT_READS_BEYOND);
    cr_expect_str_eq(only().second.name, "memcpyH2D");
}

/* Stream-ordered memory that `a` allocates, and `b` fills without waiting for it. */
static void fill_too_early(struct test_stream *a, struct test_stream *b)
{
    h = history_new(
        &(struct simgpu_memory){
            .address = BASE, .bytes = 3 * 1024, .serial = 3, .call = "cudaMallocAsync"},
        false);
    struct simgpu_site site = stream_op(a, "cudaMallocAsync", NULL);
    history_begin(h, &a->last, &site);
    site = stream_op(b, "fill", NULL);
    stream_touch(b, &site, h, BASE, BASE + 3 * 1024, SIMGPU_WRITE);
}

Test(findings, stream_ordered_memory_has_a_beginning_and_an_end)
{
    struct test_stream a = stream_begin(1), b = stream_begin(2);
    fill_too_early(&a, &b);
    expect(SIMGPU_RACE, 0, 3 * 1024,
           "Nothing orders fill (stream 2, operation 0) after cudaMallocAsync (stream 1, operation "
           "0): cudaMallocAsync allocates bytes 0-3071 of allocation 3 (3 KiB, cudaMallocAsync), "
           "and fill uses them; record an event after cudaMallocAsync in stream 1 and let stream 2 "
           "wait for it before fill (cudaEventRecord, cudaStreamWaitEvent).");
    struct simgpu_site site = stream_op(&a, "cudaFreeAsync", NULL);
    history_end(h, &a.last, &site);
    expect(SIMGPU_USE_AFTER_FREE, 0, 3 * 1024,
           "cudaFreeAsync (stream 1, operation 1) frees bytes 0-3071 of allocation 3 (3 KiB, "
           "cudaMallocAsync), which fill (stream 2, operation 0) may still be using; record an "
           "event after fill in stream 2 and let stream 1 wait for it before cudaFreeAsync "
           "(cudaEventRecord, cudaStreamWaitEvent).");
}

Test(findings, the_host_waits_before_it_frees_stream_ordered_memory)
{
    for (int waits = 0; waits < 2; waits++) {
        struct test_stream a = stream_begin(1), b = stream_begin(2), host = stream_begin(-1);
        fill_too_early(&a, &b);
        simgpu_findings_clear();
        if (waits)
            epoch_join(&host.last, &b.last);
        struct simgpu_site site = stream_op(&host, "cudaFree", NULL);
        history_end(h, &host.last, &site);
        if (waits) {
            cr_assert_eq(simgpu_findings(NULL, 0), 0);
            continue;
        }
        cr_assert_eq(only().kind, SIMGPU_HOST_RACE);
        only_says("; let the host wait for stream 2 before it calls cudaFree (");
    }
}

Test(findings, a_read_has_an_order_with_the_free)
{
    struct test_stream a = stream_begin(1), b = stream_begin(2);
    fill_too_early(&a, &b);
    simgpu_findings_clear();
    op_touches(&a, "print", &b.last, 8, 16, SIMGPU_READ);
    struct simgpu_site site = stream_op(&b, "cudaFreeAsync", NULL);
    history_end(h, &b.last, &site);
    only_says(" frees bytes 8-15 of allocation 3 (3 KiB, cudaMallocAsync), "
              "which print (stream 1, operation 1) may still be using");
}

Test(findings, a_range_of_rows_counts_all_its_bytes)
{
    memory(true);
    struct test_stream a = stream_begin(1), b = stream_begin(2);
    op_touches(&a, "memcpy2D", NULL, 0, SIZE, SIMGPU_WRITE);
    struct simgpu_site site = stream_op(&b, "tile", NULL);
    history_access(h, &(struct access){.lo = BASE + 64,
                                       .hi = BASE + 128,
                                       .rows = 10,
                                       .pitch = 1024,
                                       .mode = SIMGPU_READ,
                                       .epoch = &b.last,
                                       .site = &site});
    cr_assert_eq(only().bytes, 640);
    cr_assert_eq(only().count, 1);
    only_says("writes bytes 64-127 and 576 others of allocation 2");
}

Test(findings, bytes_of_several_operations_of_one_name_are_one_range)
{
    memory(true);
    struct test_stream a = stream_begin(1), b = stream_begin(2);
    for (uint64_t i = 0; i < 4; i++) {
        op_touches(&a, "memcpyH2D", NULL, 100 * i, 100 * i + 100, SIMGPU_WRITE);
    }
    op_touches(&b, "sum", NULL, 0, 400, SIMGPU_READ);
    cr_assert_eq(only().bytes, 400);
    only_says("writes bytes 0-399 of allocation 2");
}

Test(findings, long_names_fit)
{
    memory(true);
    struct test_stream a = stream_begin(2000000000), b = stream_begin(2000000001);
    char name[64];
    memset(name, 'k', 63);
    name[63] = 0;
    struct simgpu_site site = stream_op(&a, name, NULL);
    site.node = site.index = 2000000000;
    stream_touch(&a, &site, h, BASE, BASE + SIZE, SIMGPU_WRITE);
    site = stream_op(&b, name, NULL);
    site.node = site.index = 2000000000;
    stream_touch(&b, &site, h, BASE, BASE + SIZE, SIMGPU_WRITE);
    only_says("(cudaEventRecord, cudaStreamWaitEvent).");
}

/* A sentence without words, or with a part that no finding has, would say nothing. */
static void expect_known_parts(const char *sentence, const struct parts *p)
{
    cr_assert(sentence);
    for (const char *at = strchr(sentence, '{'); at; at = strchr(at + 1, '{'))
        cr_expect(part_named(p, at + 1, strcspn(at + 1, "}"))[0], "%s", at);
}

Test(findings, each_kind_of_finding_has_words)
{
    const struct simgpu_finding f = {.first.name = "sum",
                                     .second.name = "x",
                                     .n = 2,
                                     .object = SIMGPU_OBJECT_STREAM,
                                     .memory = {.bytes = 1, .call = "cudaMalloc"},
                                     .error = "cudaErrorInvalidValue (invalid argument)"};
    static struct parts p;
    parts_of(&p, &f);
    for (int what = 0; what < SIMGPU_WHATS; what++)
        expect_known_parts(whats[what], &p);
    for (int next = 0; next < SIMGPU_NEXTS; next++)
        expect_known_parts(nexts[next], &p);
    for (int object = 0; object < SIMGPU_OBJECTS; object++)
        for (int i = 0; i < 3; i++)
            cr_expect(objects[object][i], "object %d", object);
}

/* As a process of a submission could send it. */
Test(findings, one_that_makes_no_sense_has_words)
{
    struct simgpu_words w;
    struct simgpu_finding f;
    memset(&f, 0xff, sizeof f);
    f.first.name[63] = f.second.name[63] = f.memory.call[63] = f.error[159] = 0;
    for (int i = 0; i < SIMGPU_WHATS + 2; i++) {
        f.what = (enum simgpu_what)i;
        f.next = (enum simgpu_next)(i % SIMGPU_NEXTS);
        simgpu_finding_words(&f, &w);
        cr_expect(w.what[0] && strlen(w.what) < sizeof w.what - 1, "%s", w.what);
    }
}

/* ---- one mistake, one finding ---------------------------------------------------------------- */

Test(findings, a_loop_makes_one_of_a_thousand)
{
    memory(true);
    struct test_stream a = stream_begin(1), b = stream_begin(2);
    for (int i = 0; i < 1000; i++) {
        op_touches(&a, "produce", i ? &b.last : NULL, 0, 64, SIMGPU_WRITE);
        op_touches(&b, "consume", NULL, 0, 64, SIMGPU_READ);
    }
    struct simgpu_finding f = only();
    cr_assert_eq(f.count, 1000);
    cr_assert_eq(f.first.index, 0);
    cr_assert_eq(f.second.index, 0);
}

/* More at once than an access collects before it reports them. */
Test(findings, an_access_against_forty_streams_has_forty)
{
    memory(true);
    for (int i = 0; i < 40; i++) {
        struct test_stream s = stream_begin(1 + i);
        struct simgpu_site site = stream_op(&s, "write", NULL);
        uint64_t lo = BASE + 64 * (uint64_t)i;
        stream_touch(&s, &site, h, lo, lo + 64, SIMGPU_WRITE);
    }
    struct test_stream all = stream_begin(99);
    op_touches(&all, "sum", NULL, 0, SIZE, SIMGPU_READ);
    struct simgpu_finding found[64];
    cr_assert_eq(simgpu_findings(found, 64), 40);
    for (int i = 0; i < 40; i++) {
        cr_assert_eq(found[i].first.stream, 1 + i);
        cr_assert_eq(found[i].bytes, 64);
    }
}
