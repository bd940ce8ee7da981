/* test_undefined_copies.c: a copy is a finding if its kind contradicts its pointers and NVIDIA's
 * reference of the call says that this is undefined, or if its source and destination overlap. It
 * copies as the pointers say. */
#include "sim_graphs.h"

enum { BYTES = 256 };

static char *device, *other, *managed, *pinned, pageable[BYTES], more[BYTES];
static char registered[2 * 4096] __attribute__((aligned(4096)));
static cudaStream_t side;

static void prepare(void)
{
    setenv("SIMGPU_REPORT", "0", 1);
    device = zeros(BYTES);
    other = zeros(BYTES);
    OK(cudaMallocManaged((void **)&managed, BYTES, cudaMemAttachGlobal));
    OK(cudaMallocHost((void **)&pinned, BYTES));
    OK(cudaHostRegister(registered, sizeof registered, cudaHostRegisterMapped));
    side = stream(0);
    memset(pinned, 1, BYTES);
    memset(managed, 1, BYTES);
}

TestSuite(undefined_copies, .init = prepare);

/* The one finding, which is about a copy and these bytes of it. */
static struct simgpu_finding found(enum simgpu_what what, const char *name, const void *address,
                                   uint64_t bytes)
{
    const struct simgpu_finding f = only_finding();
    cr_expect_eq(f.kind, SIMGPU_UNDEFINED);
    cr_expect_eq(f.what, what);
    cr_expect_str_eq(f.first.name, name);
    cr_expect_eq(f.address, (uint64_t)(uintptr_t)address);
    cr_expect_eq(f.bytes, bytes);
    simgpu_findings_clear();
    return f;
}

/* This memory of the copy is of a device, and the copy is called one of `kind`. */
static void expect_direction(const char *name, enum cudaMemcpyKind kind, const void *memory,
                             int is_read)
{
    const struct simgpu_finding f = found(SIMGPU_WHAT_OTHER_DIRECTION, name, memory, BYTES);
    cr_expect_eq(f.n, (uint64_t)kind);
    cr_expect_eq(f.is_read, is_read);
}

static void expect_overlap(const char *name, const void *to, uint64_t bytes)
{
    found(SIMGPU_WHAT_COPY_OVERLAPS, name, to, bytes);
}

/* ---- both ------------------------------------------------------------------------------------ */

static void launch_twice(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    OK(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, to, from, bytes, kind));
    cudaGraphExec_t x = new_exec(g);
    expect_findings(0);
    run_exec(x, side);
    run_exec(x, side);
    const struct simgpu_finding f = only_finding();
    cr_expect_eq(f.count, 2);
    cr_expect_eq(f.first.node, 0);
}

Test(undefined_copies, of_a_node_are_found_at_each_launch)
{
    launch_twice(device, pinned, BYTES, cudaMemcpyDeviceToHost);
    expect_direction("memcpyH2D", cudaMemcpyDeviceToHost, device, 0);
    launch_twice(device + 1, device, 2, cudaMemcpyDeviceToDevice);
    expect_overlap("memcpyD2D", device + 1, 2);
    OK(cudaStreamBeginCapture(side, cudaStreamCaptureModeGlobal));
    OK(cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyHostToDevice, side));
    run_exec(new_exec(end_capture(side)), side);
    expect_direction("memcpyD2H", cudaMemcpyHostToDevice, device, 1);
}

static void expect_words(const char *words)
{
    struct simgpu_finding f = only_finding();
    f.memory.serial = 4;
    f.address = 0x700;
    cr_expect_str_eq(finding_text(&f), words);
    simgpu_findings_clear();
}

Test(undefined_copies, are_in_words)
{
    OK(cudaMemcpy(device, pinned, BYTES, cudaMemcpyDeviceToHost));
    expect_words(
        "memcpyH2D (the legacy stream, operation 2) has the direction cudaMemcpyDeviceToHost, but "
        "its destination is device memory, allocation 4 (256 bytes, cudaMalloc): if the pointers "
        "do not match the direction of a copy, its behavior is undefined (on an H200 the pointers "
        "decide); compare the direction with the two pointers, of which the first one is the "
        "destination, and correct what is wrong. cudaMemcpyDefault takes the direction from the "
        "pointers.");
    OK(cudaMemcpy(device, device, BYTES, cudaMemcpyDeviceToDevice));
    expect_words(
        "The source and the destination of memcpyD2D (the legacy stream, operation 3) overlap (256 "
        "bytes to 0x700): no document of NVIDIA defines what such a copy writes; compare the two "
        "pointers and the size. To move data within a buffer, copy it to another buffer first.");
}

/* ---- of the kind ----------------------------------------------------------------------------- */

Test(undefined_copies, of_device_memory_that_is_called_memory_of_the_host)
{
    static const enum cudaMemcpyKind kinds[] = {cudaMemcpyHostToHost, cudaMemcpyDeviceToHost};
    for (int i = 0; i < 2; i++) {
        OK(cudaMemcpy(device, pinned, BYTES, kinds[i]));
        expect_direction("memcpyH2D", kinds[i], device, 0);
        OK(cudaMemcpyAsync(device, other, BYTES, kinds[i], side));
        expect_direction("memcpyD2D", kinds[i], device, 0);
    }
    OK(cudaMemcpy(pinned, device, BYTES, cudaMemcpyHostToDevice));
    cr_expect_eq(pinned[BYTES - 1], 0, "the pointers decide");
    expect_direction("memcpyD2H", cudaMemcpyHostToDevice, device, 1);
    OK(cudaMemcpy2D(device, 16, managed, 16, 16, BYTES / 16, cudaMemcpyDeviceToHost));
    expect_direction("memcpyD2D", cudaMemcpyDeviceToHost, device, 0);
    OK(cudaMemcpy2DAsync(managed, 16, device, 16, 16, BYTES / 16, cudaMemcpyHostToDevice, side));
    expect_direction("memcpyD2D", cudaMemcpyHostToDevice, device, 1);
    void *block;
    OK(cudaMallocAsync(&block, BYTES, side));
    OK(cudaMemcpyAsync(block, pinned, BYTES, cudaMemcpyDeviceToHost, side));
    expect_direction("memcpyH2D", cudaMemcpyDeviceToHost, block, 0);
}

static void copy(void *to, const void *from, enum cudaMemcpyKind kind)
{
    OK(cudaMemcpy(to, from, BYTES, kind));
    OK(cudaMemcpyAsync(to, from, BYTES, kind, side));
    OK(cudaStreamSynchronize(side));
}

Test(undefined_copies, none_if_the_kind_is_that_of_the_pointers)
{
    char *const both[] = {managed, pinned, registered};
    copy(device, pinned, cudaMemcpyHostToDevice);
    copy(pageable, device, cudaMemcpyDeviceToHost);
    copy(device, pageable, cudaMemcpyHostToDevice);
    copy(other, device, cudaMemcpyDeviceToDevice);
    copy(more, pageable, cudaMemcpyHostToHost);
    copy(device, pinned, cudaMemcpyDefault);
    copy(pageable, device, cudaMemcpyDefault);
    for (int i = 0; i < 3; i++) { /* host and device can access it at the same address */
        for (int kind = cudaMemcpyHostToHost; kind <= cudaMemcpyDefault; kind++)
            copy(both[i], both[(i + 1) % 3], (enum cudaMemcpyKind)kind);
        copy(both[i], device, cudaMemcpyDeviceToDevice);
        copy(device, both[i], cudaMemcpyDeviceToDevice);
    }
    expect_findings(0);
}

/* The reference of cudaMemcpy3D corrects the kind for arrays, and says nothing of other memory. */
Test(undefined_copies, none_that_no_document_calls_undefined)
{
    const struct cudaChannelFormatDesc format = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};
    struct cudaMemcpy3DParms p = {.srcPtr = {pinned, BYTES, BYTES, 1},
                                  .dstPtr = {device, BYTES, BYTES, 1},
                                  .extent = {BYTES, 1, 1},
                                  .kind = cudaMemcpyDeviceToHost};
    cudaArray_t array;
    OK(cudaMallocArray(&array, &format, BYTES, 1, 0));
    OK(cudaMemcpy3D(&p));
    OK(cudaMemcpy3DAsync(&p, side));
    OK(cudaMemcpy2DToArray(array, 0, 0, pinned, BYTES, BYTES, 1, cudaMemcpyHostToHost));
    p.dstPtr = (struct cudaPitchedPtr){0};
    p.dstArray = array;
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    OK(cudaGraphAddMemcpyNode(&n, g, NULL, 0, &p));
    run_exec(new_exec(g), side);
    expect_findings(0);
}

/* ---- of the two sides ------------------------------------------------------------------------ */

Test(undefined_copies, of_sides_with_a_byte_in_common)
{
    char own[BYTES] = "abc";
    OK(cudaMemcpy(device, device, BYTES, cudaMemcpyDeviceToDevice));
    expect_overlap("memcpyD2D", device, BYTES);
    OK(cudaMemcpyAsync(device + 99, device, 100, cudaMemcpyDefault, side));
    expect_overlap("memcpyD2D", device + 99, 100);
    OK(cudaMemcpyAsync(device, device + 99, 100, cudaMemcpyDeviceToDevice, side));
    expect_overlap("memcpyD2D", device, 100);
    OK(cudaMemcpyPeerAsync(device, 0, device, 0, 1, side));
    expect_overlap("memcpyD2D", device, 1);
    OK(cudaMemcpyAsync(pinned, pinned + 1, 2, cudaMemcpyHostToHost, side));
    expect_overlap("memcpyH2H", pinned, 2);
    OK(cudaMemcpy(own + 1, own, 3, cudaMemcpyHostToHost));
    expect_overlap("memcpyH2H", own + 1, 3);
    cr_expect_str_eq(own, "aabc", "as through a buffer");
    OK(cudaMemcpy2DAsync(device, 16, device + 7, 16, 8, 4, cudaMemcpyDeviceToDevice, side));
    expect_overlap("memcpyD2D", device, 32);
}

Test(undefined_copies, none_without_a_byte_in_common)
{
    char own[BYTES] = "abc";
    OK(cudaMemcpy(device, device, 0, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpy(device + 100, device, 100, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpyAsync(device, device + 100, 100, cudaMemcpyDeviceToDevice, side));
    OK(cudaMemcpy(own + 3, own, 3, cudaMemcpyHostToHost));
    OK(cudaMemcpy2D(device + 8, 16, device, 16, 8, 4, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpy2DAsync(device, 16, device + 8, 16, 8, 4, cudaMemcpyDeviceToDevice, side));
    expect_findings(0);
}

enum { PITCH = 8, ROWS = 8 }; /* of a slice; copied are 3 rows of each of 2 */

/* Where byte i of a copy is. */
static size_t place(size_t i, size_t width, size_t first, size_t pitch)
{
    return first + (i / width / 3 * ROWS + i / width % 3) * pitch + i % width;
}

/* The rows of a copy lie `pitch` bytes apart; those of the other side may lie between them. */
Test(undefined_copies, rows_and_slices_are_compared_byte_by_byte)
{
    for (size_t from = 0; from < 2 * PITCH * ROWS; from++)
        for (size_t to = 0; to < PITCH * ROWS; to += 5)
            for (size_t width = 1; width <= 4; width += 3)
                for (size_t pitch = PITCH; pitch <= PITCH + 3; pitch += 3) {
                    bool is_read[BYTES] = {false}, overlaps = false;
                    const struct cudaMemcpy3DParms p = {
                        .srcPtr = {device + from, pitch, width, ROWS},
                        .dstPtr = {device + to, PITCH, width, ROWS},
                        .extent = {width, 3, 2},
                        .kind = cudaMemcpyDeviceToDevice};
                    struct simgpu_finding f;
                    if (place(2 * 3 * width - 1, width, from, pitch) >= BYTES)
                        continue;
                    for (size_t i = 0; i < 2 * 3 * width; i++)
                        is_read[place(i, width, from, pitch)] = true;
                    for (size_t i = 0; i < 2 * 3 * width; i++)
                        overlaps |= is_read[place(i, width, to, PITCH)];
                    OK(cudaMemcpy3D(&p));
                    cr_expect_eq(simgpu_findings(&f, 1), overlaps, "%zu to %zu: %zu, %zu", from, to,
                                 width, pitch);
                    simgpu_findings_clear();
                }
}
