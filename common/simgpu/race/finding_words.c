/* finding_words.c: findings in words, for the program's stderr and for the reports of the grader,
 * which has this file, too. Everything is in the finding, so nothing else of the device is needed.
 *
 * The sentences are two tables. A name in braces stands for a part that depends on the finding. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "simgpu.h"

/* By programs that use the device as a library. */
#define SEEN __attribute__((visibility("default")))

static const char *const kinds[] = {
    [SIMGPU_RACE] = "race",
    [SIMGPU_UNINITIALIZED_READ] = "uninitialized read",
    [SIMGPU_USE_AFTER_FREE] = "use after free",
    [SIMGPU_OUT_OF_BOUNDS] = "out of bounds",
    [SIMGPU_HOST_RACE] = "freed too early",
    [SIMGPU_HOST_ACCESS] = "host",
    [SIMGPU_UNDEFINED] = "undefined",
    [SIMGPU_LEAK] = "leak",
    [SIMGPU_UNFINISHED] = "unfinished",
    [SIMGPU_NOT_LAUNCHED] = "not launched",
};

static const char *const whats[SIMGPU_WHATS] = {
    [SIMGPU_WHAT_NOTHING] = "Nothing happened",
    [SIMGPU_WHAT_READS_EARLY] = "Nothing orders {second} after {first}: {first.name} writes "
                                "{range}, and {second.name} reads {them}",
    [SIMGPU_WHAT_OVERWRITES_EARLY] =
        "{second} overwrites {range}, which {first} may still be reading",
    [SIMGPU_WHAT_BOTH_WRITE] = "{first} and {second} both write {range} and nothing orders them: "
                               "either result may remain",
    [SIMGPU_WHAT_USES_EARLY] = "Nothing orders {second} after {first}: {first.name} allocates "
                               "{range}, and {second.name} uses {them}",
    [SIMGPU_WHAT_FREES_EARLY] = "{second} frees {range}, which {first} may still be using",
    [SIMGPU_WHAT_HOST_READS] = "{first} writes {range}, and the host reads {them} without waiting "
                               "for it: it may read the old bytes",
    [SIMGPU_WHAT_HOST_OVERWRITES] = "{first} reads {range}, and the host overwrites {them} without "
                                    "waiting for it: it may read the new bytes",
    [SIMGPU_WHAT_HOST_WRITES_TOO] = "{first} writes {range}, and the host writes {them}, too, "
                                    "without waiting for it: either may remain",
    [SIMGPU_WHAT_WRITES_AFTER_LAUNCH] =
        "{second} {reads} {range}, which the kernel that launched this graph, {first.name}, writes "
        "after it has launched the graph. So the graph may use the old or the new bytes",
    [SIMGPU_WHAT_READS_UNWRITTEN] = "{first} reads {range}, which no earlier operation has written",
    [SIMGPU_WHAT_READS_BEYOND] = "{first} reads {range}, which no earlier operation has written: "
                                 "{second} wrote the bytes before them, and no more",
    [SIMGPU_WHAT_LEAVES_MEMORY] =
        "{first} {reads} {bytes} bytes {place} {allocation}: this is out of bounds",
    [SIMGPU_WHAT_OUT_OF_REACH] =
        "{first} {reads} {bytes} bytes at {address}, which the device cannot access",
    [SIMGPU_WHAT_OTHER_DEVICE] = "{first} runs on device {device} and {reads} memory of device "
                                 "{memory.device}, which device {device} may not access",
    [SIMGPU_WHAT_FREED_BEFORE] = "{first} {reads} {bytes} bytes at {address} of {allocation}, "
                                 "which was freed before the launch{by}",
    [SIMGPU_WHAT_NO_HOST_MEMORY] = "{first} {reads} host memory at {address}, where no memory is: "
                                   "the address is outside of all allocations of the host",
    [SIMGPU_WHAT_FREED_BY_NODE] =
        "{first} uses {address} of {allocation}, which a free node of a graph frees before it",
    [SIMGPU_WHAT_ALLOCATED_AGAIN] = "{first} uses {address}, which was freed and allocated again "
                                    "after the graph was created: now it is in {allocation}",
    [SIMGPU_WHAT_SET_TO_PAGEABLE] =
        "{first} was created for a copy inside the device, and later set to pageable host memory "
        "({bytes} bytes at {address}), which it cannot access",
    [SIMGPU_WHAT_LOST_PEER_ACCESS] = "{first} uses memory of another device, and peer access was "
                                     "disabled after the node was created",
    [SIMGPU_WHAT_CONDITION_UNDEFINED] =
        "{first} reads the value of a handle that has no default, and no kernel has set the value "
        "in this launch: it is undefined (on an H200 it was 0, or left from the launch before)",
    [SIMGPU_WHAT_LAUNCHED_BY_BOTH] =
        "The host's launch of graph {n} begins while a kernel's launch of it runs: this is "
        "undefined (an H200 hangs)",
    [SIMGPU_WHAT_OTHER_DIRECTION] =
        "{first} has the direction {direction}, but its {side} is device memory, {allocation}: if "
        "the pointers do not match the direction of a copy, its behavior is undefined (on an H200 "
        "the pointers decide)",
    [SIMGPU_WHAT_COPY_OVERLAPS] =
        "The source and the destination of {first} overlap ({bytes} bytes to {address}): no "
        "document of NVIDIA defines what such a copy writes",
    [SIMGPU_WHAT_GRAPH_IN_TWO_THREADS] = "Two host threads use one graph (cudaGraph_t) at the same "
                                         "time: graphs are not thread-safe, "
                                         "so the result is undefined",
    [SIMGPU_WHAT_NEVER_FREED] =
        "{n} allocation{s} ({bytes} bytes) {was} never freed; the first is {allocation}",
    [SIMGPU_WHAT_NEVER_DESTROYED] = "{n} {objects} {was} created and never destroyed ({end})",
    [SIMGPU_WHAT_STILL_PENDING] =
        "The program ended while {n} operation{s} {was} still pending on device {device}{among}",
    [SIMGPU_WHAT_STILL_CAPTURING] =
        "The program ended while {first.stream} was still capturing: its {n} node{s} never ran",
    [SIMGPU_WHAT_NEVER_LAUNCHED] =
        "An executable graph of {n} node{s} was never launched, so its nodes never ran",
    [SIMGPU_WHAT_LAUNCH_FAILED] =
        "{first.name} with a grid of {grid} blocks of {block} threads did not run: its launch "
        "failed with {error}, and the program did not ask for the error",
};

static const char *const nexts[SIMGPU_NEXTS] = {
    [SIMGPU_NEXT_NONE] = "",
    [SIMGPU_NEXT_RECORD_AND_WAIT] =
        "record an event after {first.work} in {first.stream} and let {second.stream} wait for it "
        "before {second.work} (cudaEventRecord, cudaStreamWaitEvent)",
    [SIMGPU_NEXT_ADD_EDGE] =
        "add an edge from node {first.node} to node {second.node} of the graph "
        "(cudaGraphAddDependencies; in a capture, cudaEventRecord and cudaStreamWaitEvent)",
    [SIMGPU_NEXT_WAIT_ON_HOST] = "let the host wait for {first.stream} before it calls "
                                 "{second.name} (cudaStreamSynchronize, cudaEventSynchronize)",
    [SIMGPU_NEXT_ACCESS_LATER] =
        "let the host wait for {first.stream} before it accesses {them} (cudaStreamSynchronize, or "
        "an event after {first.work} and cudaEventSynchronize)",
    [SIMGPU_NEXT_ACCESS_PAGEABLE_LATER] =
        "the target of {first.name} is pageable memory: the call may return before the copy is "
        "complete (an H200 waits in the call, so there it is not visible). Let the host wait for "
        "{first.stream} before it accesses {them} (cudaStreamSynchronize), or call cudaMemcpy",
    [SIMGPU_NEXT_CALL_LATER] = "make that call only after {first.name} has returned",
    [SIMGPU_NEXT_USE_THAT_STREAM] =
        "a stream created with cudaStreamNonBlocking and the legacy stream do not wait for each "
        "other: enqueue {legacy.name} in {other.stream}, too (its stream argument)",
    [SIMGPU_NEXT_COPY_IN_STREAM] =
        "the source of {first.name} is pageable memory: the call returns when it has read the "
        "source, and the copy to the device may still be running (on a GPU rarely visible for "
        "small copies). Enqueue the copy in {second.stream} (cudaMemcpyAsync), copy from pinned "
        "memory, or call cudaDeviceSynchronize before {second.work}",
    [SIMGPU_NEXT_LAUNCH_AS_TAIL] =
        "a graph launched fire-and-forget runs concurrently with the kernel that launched it and "
        "with the rest of that kernel's graph: launch later work as a tail "
        "(cudaStreamGraphTailLaunch)",
    [SIMGPU_NEXT_WRITE_BEFORE_LAUNCH] =
        "write before cudaGraphLaunch, or launch the graph as a tail (cudaStreamGraphTailLaunch), "
        "which waits for the kernel's whole graph",
    [SIMGPU_NEXT_SYNCHRONIZE_GRID] =
        "{early.name} starts early, by a programmatic dependency: in this kernel, call "
        "cudaGridDependencySynchronize() before the first access to that memory",
    [SIMGPU_NEXT_WRITE_FIRST] = "write {them} first (cudaMemcpyAsync, cudaMemsetAsync or a "
                                "kernel), and order that operation before {first.name}; or "
                                "correct the address, if {first.name} should read other memory: "
                                "two arguments may be exchanged",
    [SIMGPU_NEXT_WRITE_ALL] =
        "compare the address and the number of bytes that {second.name} writes with those that "
        "{first.name} reads: bytes or elements, one row or all, two arguments exchanged? If "
        "another operation is to write the rest, enqueue it before {first.name}",
    [SIMGPU_NEXT_COMPARE_SIZES] =
        "compare the size that you allocated with the count that you passed",
    [SIMGPU_NEXT_CHECK_INDEX] =
        "compare the address and the count that you passed with the size that you allocated: bytes "
        "or elements? In a kernel of your own, an `if (i < n)` may be missing",
    [SIMGPU_NEXT_CHECK_HOST_ADDRESS] =
        "compare the address and the count that you passed with the size of the host memory: bytes "
        "or elements? If the program has freed this memory, free it after the last launch: a graph "
        "stores addresses",
    [SIMGPU_NEXT_PASS_DEVICE_MEMORY] =
        "pass a pointer from cudaMalloc (or pinned host memory), not pageable host memory",
    [SIMGPU_NEXT_SET_POOL_ACCESS] = "give it access to the pool (cudaMemPoolSetAccess, "
                                    "accessDescs), or launch the kernel on the other device",
    [SIMGPU_NEXT_ENABLE_PEER_ACCESS] =
        "call cudaDeviceEnablePeerAccess, or launch the kernel on the other device",
    [SIMGPU_NEXT_KEEP_PEER_ACCESS] = "disable peer access after the last launch",
    [SIMGPU_NEXT_FREE_LATER] = "free it after the last operation that uses it",
    [SIMGPU_NEXT_FREE_AFTER_NODE] = "add an edge from the node to the free node, or free the "
                                    "memory later in the captured stream",
    [SIMGPU_NEXT_FREE_AFTER_LAUNCHES] = "free the memory after the last launch, or set the new "
                                        "address in the node: a graph stores addresses",
    [SIMGPU_NEXT_USE_PINNED] = "use pinned memory (cudaMallocHost), or create the node for the "
                               "direction of its copies",
    [SIMGPU_NEXT_ASSIGN_DEFAULT] =
        "create the handle with a default (cudaGraphCondAssignDefault), or let a kernel before the "
        "node set the value (cudaGraphSetConditional)",
    [SIMGPU_NEXT_WAIT_FOR_LAUNCHER] =
        "let the host wait for the graph whose kernels launch graph {n} (cudaStreamSynchronize)",
    [SIMGPU_NEXT_COMPARE_DIRECTION] =
        "compare the direction with the two pointers, of which the first one is the destination, "
        "and correct what is wrong. cudaMemcpyDefault takes the direction from the pointers",
    [SIMGPU_NEXT_COPY_APART] =
        "compare the two pointers and the size. To move data within a buffer, copy it to another "
        "buffer first",
    [SIMGPU_NEXT_ONE_THREAD_AT_A_TIME] = "let one thread at a time use the graph (a mutex), also "
                                         "to clone or instantiate it, or give "
                                         "each thread a graph of its own",
    [SIMGPU_NEXT_SYNCHRONIZE] =
        "synchronize before the end of the program; otherwise their results are lost",
    [SIMGPU_NEXT_END_CAPTURE] = "call cudaStreamEndCapture for each cudaStreamBeginCapture",
    [SIMGPU_NEXT_LAUNCH_GRAPH] = "call cudaGraphLaunch: a graph runs only when it is launched",
    [SIMGPU_NEXT_ASK_FOR_ERROR] = "call cudaGetLastError after each <<<>>>",
};

/* What may be left: one, more of them, and the call that ends the life of one. */
static const char *const objects[SIMGPU_OBJECTS][3] = {
    [SIMGPU_OBJECT_NONE] = {"object", "objects", ""},
    [SIMGPU_OBJECT_MEMORY] = {"block of device memory", "blocks of device memory", "cudaFree"},
    [SIMGPU_OBJECT_POOL_MEMORY] = {"block of device memory", "blocks of device memory",
                                   "cudaFreeAsync"},
    [SIMGPU_OBJECT_PINNED] = {"block of pinned memory", "blocks of pinned memory", "cudaFreeHost"},
    [SIMGPU_OBJECT_STREAM] = {"stream", "streams", "cudaStreamDestroy"},
    [SIMGPU_OBJECT_EVENT] = {"event", "events", "cudaEventDestroy"},
    [SIMGPU_OBJECT_GRAPH] = {"graph", "graphs", "cudaGraphDestroy"},
    [SIMGPU_OBJECT_EXEC] = {"executable graph", "executable graphs", "cudaGraphExecDestroy"},
    [SIMGPU_OBJECT_POOL] = {"memory pool", "memory pools", "cudaMemPoolDestroy"},
    [SIMGPU_OBJECT_USER_OBJECT] = {"user object", "user objects", "cudaUserObjectRelease"},
    [SIMGPU_OBJECT_HEAP] = {"block of the heap", "blocks of the heap", "free"},
};

const char *simgpu_object_end(enum simgpu_object object)
{
    return objects[object][2];
}

/* ---- parts of sentences ---------------------------------------------------------------------- */

enum { PARTS = 40, PART = 320 };

struct parts {
    int n;
    struct part {
        const char *name;
        char text[PART];
    } all[PARTS];
};

static void part(struct parts *p, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void part(struct parts *p, const char *name, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    p->all[p->n].name = name;
    vsnprintf(p->all[p->n++].text, PART, format, args);
    va_end(args);
}

static const char *part_named(const struct parts *p, const char *name, size_t length)
{
    for (int i = 0; i < p->n; i++)
        if (strncmp(p->all[i].name, name, length) == 0 && !p->all[i].name[length])
            return p->all[i].text;
    return "";
}

static const char *stream_of(const struct simgpu_site *site, char to[32])
{
    snprintf(to, 32, site->stream == 0 ? "the legacy stream" : "stream %d", site->stream);
    return to;
}

static const char *ordinal(uint32_t n, char to[16])
{
    static const char *const ends[] = {"th", "st", "nd", "rd"};
    const bool is_teen = n / 10 % 10 == 1;
    snprintf(to, 16, "%" PRIu32 "%s", n, ends[is_teen || n % 10 > 3 ? 0 : n % 10]);
    return to;
}

/* consume of lab.c:57 (its 3rd run, in stream 2) or (node 3 of the graph, in stream 1) */
static void line_part(struct parts *p, const char *name, const struct simgpu_site *s)
{
    char which[64] = "", number[16], stream[32];
    if (s->node >= 0)
        snprintf(which, sizeof which, "node %d of the graph, ", s->node);
    else if (s->nth)
        snprintf(which, sizeof which, "its %s run, ", ordinal(s->nth, number));
    part(p, name, "%s of %s (%sin %s)", s->name, s->line, which, stream_of(s, stream));
}

/* consume (node 3 of the graph launched in stream 2, operation 0) */
static void site_part(struct parts *p, const char *name, const struct simgpu_site *s)
{
    char node[96] = "", stream[32];
    if (s->stream < 0) {
        part(p, name, "%s (called by the host)", s->name);
        return;
    }
    if (s->line[0] && !s->graph) {
        line_part(p, name, s);
        return;
    }
    if (s->graph)
        snprintf(node, sizeof node, "node %d of graph %d, which a kernel launched, of ", s->node,
                 s->graph);
    else if (s->node >= 0)
        snprintf(node, sizeof node, "node %d of the graph launched in ", s->node);
    part(p, name, "%s (%s%s, operation %" PRIu32 ")", s->name, node, stream_of(s, stream),
         s->index);
}

/* allocation 3 (1 MiB, cudaMalloc); a variable: table (12 bytes) */
static void allocation_part(struct parts *p, const struct simgpu_memory *m)
{
    char size[32];
    if (m->bytes == 0 || m->bytes == SIMGPU_PAGEABLE_BYTES) {
        part(p, "allocation", "%s", m->bytes ? m->call : "an allocation");
        return;
    }
    if (m->bytes % (1 << 20) == 0)
        snprintf(size, sizeof size, "%" PRIu64 " MiB", m->bytes >> 20);
    else if (m->bytes % (1 << 10) == 0)
        snprintf(size, sizeof size, "%" PRIu64 " KiB", m->bytes >> 10);
    else
        snprintf(size, sizeof size, "%" PRIu64 " bytes", m->bytes);
    if (m->serial)
        part(p, "allocation", "allocation %" PRIu64 " (%s, %s)", m->serial, size, m->call);
    else
        part(p, "allocation", "%s (%s)", m->call, size);
}

/* bytes 0-4095 and 4096 others of allocation 3 (1 MiB, cudaMalloc) */
static void range_part(struct parts *p, const struct simgpu_finding *f)
{
    const char *allocation = part_named(p, "allocation", strlen("allocation"));
    const uint64_t from = f->address - f->memory.address, others = f->bytes - f->run_bytes;
    char run[64], rest[40] = "";
    if (f->memory.bytes == SIMGPU_PAGEABLE_BYTES)
        snprintf(run, sizeof run, "%" PRIu64 " bytes at 0x%" PRIx64, f->run_bytes, f->address);
    else if (f->run_bytes == 1)
        snprintf(run, sizeof run, "byte %" PRIu64, from);
    else
        snprintf(run, sizeof run, "bytes %" PRIu64 "-%" PRIu64, from, from + f->run_bytes - 1);
    if (others)
        snprintf(rest, sizeof rest, " and %" PRIu64 " others", others);
    part(p, "range", "%s%s of %s", run, rest, allocation);
}

/* The place of an access relative to the allocation that it leaves, or misses. */
static void place_part(struct parts *p, const struct simgpu_finding *f)
{
    const uint64_t lo = f->memory.address, hi = lo + f->memory.bytes;
    if (f->address < lo)
        part(p, "place", "that begin %" PRIu64 " bytes before", lo - f->address);
    else if (f->address >= hi)
        part(p, "place", "that begin %" PRIu64 " bytes after the end of", f->address - hi);
    else
        part(p, "place", "from byte %" PRIu64 " of", f->address - lo);
}

static void object_parts(struct parts *p, const struct simgpu_finding *f)
{
    const bool known = (unsigned)f->object < SIMGPU_OBJECTS;
    const char *const *names = objects[known ? f->object : SIMGPU_OBJECT_NONE];
    part(p, "objects", "%s", names[f->n != 1]);
    part(p, "end", "%s", names[2]);
}

static void direction_part(struct parts *p, const struct simgpu_finding *f)
{
    static const char *const names[] = {"HostToHost", "HostToDevice", "DeviceToHost"};
    const bool known = f->n < sizeof names / sizeof names[0];
    part(p, "direction", "cudaMemcpy%s", known ? names[f->n] : "Default");
    part(p, "side", "%s", f->is_read ? "source" : "destination");
}

static void dim_part(struct parts *p, const char *name, struct simgpu_dim d)
{
    part(p, name, "%u x %u x %u", d.x, d.y, d.z);
}

static void site_parts(struct parts *p, const struct simgpu_finding *f)
{
    const struct simgpu_site *first = &f->first, *second = &f->second,
                             *legacy = first->stream == 0 ? first : second,
                             *other = first->stream == 0 ? second : first;
    char stream[32];
    site_part(p, "first", first);
    site_part(p, "second", second);
    part(p, "first.name", "%s", first->name);
    part(p, "second.name", "%s", second->name);
    part(p, "first.node", "%d", first->node);
    part(p, "second.node", "%d", second->node);
    part(p, "first.stream", "%s", stream_of(first, stream));
    part(p, "second.stream", "%s", stream_of(second, stream));
    part(p, "first.work", "%s%s", first->node >= 0 ? "the graph of " : "", first->name);
    part(p, "second.work", "%s%s", second->node >= 0 ? "the graph of " : "", second->name);
    part(p, "early.name", "%s", second->is_early ? second->name : first->name);
    part(p, "legacy.name", "%s", legacy->name);
    part(p, "other.stream", "%s", stream_of(other, stream));
    const bool is_one = strcmp(first->name, second->name) == 0;
    part(p, "by", "%s%s", is_one ? "" : " by ",
         is_one ? "" : part_named(p, "second", strlen("second")));
    part(p, "among", "%s%s", first->name[0] ? ", among them " : "",
         first->name[0] ? part_named(p, "first", strlen("first")) : "");
}

static void parts_of(struct parts *p, const struct simgpu_finding *f)
{
    site_parts(p, f);
    allocation_part(p, &f->memory);
    range_part(p, f);
    place_part(p, f);
    object_parts(p, f);
    direction_part(p, f);
    dim_part(p, "grid", f->launch.grid);
    dim_part(p, "block", f->launch.block);
    part(p, "them", "%s", f->bytes == 1 ? "it" : "them");
    part(p, "reads", "%s", f->is_read ? "reads" : "writes");
    part(p, "bytes", "%" PRIu64, f->bytes);
    part(p, "address", "0x%" PRIx64, f->address);
    part(p, "device", "%d", f->device);
    part(p, "memory.device", "%d", f->memory.device);
    part(p, "error", "%s", f->error);
    part(p, "n", "%" PRIu64, f->n);
    part(p, "s", "%s", f->n == 1 ? "" : "s");
    part(p, "was", "%s", f->n == 1 ? "was" : "were");
}

/* ---- sentences ------------------------------------------------------------------------------- */

static void put_together(char *to, size_t room, const char *sentence, const struct parts *p)
{
    size_t n = 0;
    while (*sentence && n < room - 1) {
        const size_t plain = strcspn(sentence, "{"), name = strcspn(sentence, "}");
        n += (size_t)snprintf(
            to + n, room - n, "%.*s%s", (int)plain, sentence,
            sentence[plain] ? part_named(p, sentence + plain + 1, name - plain - 1) : "");
        sentence += sentence[plain] ? name + 1 : plain;
    }
}

SEEN void simgpu_finding_words(const struct simgpu_finding *f, struct simgpu_words *words)
{
    const bool known = (unsigned)f->what < SIMGPU_WHATS && (unsigned)f->next < SIMGPU_NEXTS;
    struct parts p = {0};
    *words = (struct simgpu_words){{0}, {0}};
    parts_of(&p, f);
    put_together(words->what, sizeof words->what, whats[known ? f->what : SIMGPU_WHAT_NOTHING], &p);
    put_together(words->next, sizeof words->next, nexts[known ? f->next : SIMGPU_NEXT_NONE], &p);
}

SEEN const char *simgpu_kind_name(enum simgpu_finding_kind kind)
{
    return (unsigned)kind < sizeof kinds / sizeof kinds[0] ? kinds[kind] : "finding";
}
