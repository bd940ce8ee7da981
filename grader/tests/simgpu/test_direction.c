/* test_direction.c: a copy whose kind contradicts its pointers copies as the pointers say, and is a
 * finding, if NVIDIA's reference of the call says that it is undefined. */
#include "sim_graphs.h"

enum { BYTES = 256 };

static struct {
    char *device, *other, *managed, *pinned, *registered;
    char pageable[BYTES], more[BYTES];
    cudaStream_t stream;
} all;

static void prepare(void)
{
    static char pages[2 * 4096] __attribute__((aligned(4096)));
    setenv("SIMGPU_REPORT", "0", 1);
    all.device = zeros(BYTES);
    all.other = zeros(BYTES);
    OK(cudaMallocManaged((void **)&all.managed, BYTES, cudaMemAttachGlobal));
    OK(cudaMallocHost((void **)&all.pinned, BYTES));
    OK(cudaHostRegister(pages, sizeof pages, cudaHostRegisterMapped));
    all.registered = pages;
    all.stream = stream(0);
    memset(all.pinned, 1, BYTES);
    memset(all.managed, 1, BYTES);
    memset(all.registered, 1, BYTES);
}

TestSuite(direction, .init = prepare);

static void copy(void *to, const void *from, enum cudaMemcpyKind kind)
{
    OK(cudaMemcpy(to, from, BYTES, kind));
    OK(cudaMemcpyAsync(to, from, BYTES, kind, all.stream));
    OK(cudaStreamSynchronize(all.stream));
}

/* One finding: this copy, of which this side is memory of a device, is called a copy of `kind`. */
static void expect_found(const char *name, enum cudaMemcpyKind kind, const void *side, int is_read)
{
    struct simgpu_finding f;
    cr_assert_eq(simgpu_findings(&f, 1), 1, "%zu findings", simgpu_findings(&f, 1));
    cr_expect_eq(f.kind, SIMGPU_UNDEFINED);
    cr_expect_eq(f.what, SIMGPU_WHAT_OTHER_DIRECTION);
    cr_expect_str_eq(f.first.name, name);
    cr_expect_eq(f.n, (uint64_t)kind);
    cr_expect_eq(f.is_read, is_read);
    cr_expect_eq(f.address, (uint64_t)(uintptr_t)side);
    cr_expect_eq(f.bytes, BYTES);
    simgpu_findings_clear();
}

Test(direction, device_memory_that_is_called_memory_of_the_host)
{
    static const enum cudaMemcpyKind kinds[] = {cudaMemcpyHostToHost, cudaMemcpyDeviceToHost};
    for (int i = 0; i < 2; i++) {
        OK(cudaMemcpy(all.device, all.pinned, BYTES, kinds[i]));
        expect_found("memcpyH2D", kinds[i], all.device, 0);
        OK(cudaMemcpyAsync(all.device, all.other, BYTES, kinds[i], all.stream));
        expect_found("memcpyD2D", kinds[i], all.device, 0);
    }
    OK(cudaMemcpy(all.pinned, all.device, BYTES, cudaMemcpyHostToDevice));
    cr_expect_eq(all.pinned[BYTES - 1], 0, "the pointers decide");
    expect_found("memcpyD2H", cudaMemcpyHostToDevice, all.device, 1);
    OK(cudaMemcpy2D(all.device, 16, all.managed, 16, 16, BYTES / 16, cudaMemcpyDeviceToHost));
    expect_found("memcpyD2D", cudaMemcpyDeviceToHost, all.device, 0);
    OK(cudaMemcpy2DAsync(all.managed, 16, all.device, 16, 16, BYTES / 16, cudaMemcpyHostToDevice,
                         all.stream));
    expect_found("memcpyD2D", cudaMemcpyHostToDevice, all.device, 1);
    void *block;
    OK(cudaMallocAsync(&block, BYTES, all.stream));
    OK(cudaMemcpyAsync(block, all.pinned, BYTES, cudaMemcpyDeviceToHost, all.stream));
    expect_found("memcpyH2D", cudaMemcpyDeviceToHost, block, 0);
}

Test(direction, is_in_words)
{
    OK(cudaMemcpy(all.device, all.pinned, BYTES, cudaMemcpyDeviceToHost));
    struct simgpu_finding f;
    cr_assert_eq(simgpu_findings(&f, 1), 1);
    f.memory.serial = 4;
    cr_expect_str_eq(
        finding_text(&f),
        "memcpyH2D (the legacy stream, operation 2) has the direction cudaMemcpyDeviceToHost, but "
        "its destination is device memory, allocation 4 (256 bytes, cudaMalloc): if the pointers "
        "do not match the direction of a copy, its behavior is undefined (on an H200 the pointers "
        "decide); compare the direction with the two pointers, of which the first one is the "
        "destination, and correct what is wrong. cudaMemcpyDefault takes the direction from the "
        "pointers.");
}

Test(direction, of_a_node_is_found_at_each_launch)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    OK(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, all.device, all.pinned, BYTES,
                                cudaMemcpyDeviceToHost));
    cudaGraphExec_t x = new_exec(g);
    expect_findings(0);
    run_exec(x, all.stream);
    run_exec(x, all.stream);
    struct simgpu_finding f;
    cr_assert_eq(simgpu_findings(&f, 1), 1);
    cr_expect_eq(f.count, 2);
    cr_expect_eq(f.first.node, 0);
    expect_found("memcpyH2D", cudaMemcpyDeviceToHost, all.device, 0);
    OK(cudaStreamBeginCapture(all.stream, cudaStreamCaptureModeGlobal));
    OK(cudaMemcpyAsync(all.pinned, all.device, BYTES, cudaMemcpyHostToDevice, all.stream));
    x = new_exec(end_capture(all.stream));
    run_exec(x, all.stream);
    expect_found("memcpyD2H", cudaMemcpyHostToDevice, all.device, 1);
}

Test(direction, that_the_pointers_have_is_none)
{
    copy(all.device, all.pinned, cudaMemcpyHostToDevice);
    copy(all.pageable, all.device, cudaMemcpyDeviceToHost);
    copy(all.device, all.pageable, cudaMemcpyHostToDevice);
    copy(all.other, all.device, cudaMemcpyDeviceToDevice);
    copy(all.more, all.pageable, cudaMemcpyHostToHost);
    copy(all.device, all.pinned, cudaMemcpyDefault);
    copy(all.pageable, all.device, cudaMemcpyDefault);
    expect_findings(0);
}

/* Host and device can access it at the same address. */
Test(direction, of_memory_of_both_sides_is_none)
{
    char *const both[] = {all.managed, all.pinned, all.registered};
    for (int i = 0; i < 3; i++) {
        for (int kind = cudaMemcpyHostToHost; kind <= cudaMemcpyDefault; kind++)
            copy(both[i], both[(i + 1) % 3], (enum cudaMemcpyKind)kind);
        copy(both[i], all.device, cudaMemcpyDeviceToDevice);
        copy(all.device, both[i], cudaMemcpyDeviceToDevice);
    }
    expect_findings(0);
}

/* The reference of cudaMemcpy3D corrects the kind for arrays, and says nothing of other memory. */
Test(direction, that_no_document_calls_undefined_is_none)
{
    const struct cudaChannelFormatDesc format = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};
    struct cudaMemcpy3DParms p = {.srcPtr = {all.pinned, BYTES, BYTES, 1},
                                  .dstPtr = {all.device, BYTES, BYTES, 1},
                                  .extent = {BYTES, 1, 1},
                                  .kind = cudaMemcpyDeviceToHost};
    cudaArray_t array;
    OK(cudaMallocArray(&array, &format, BYTES, 1, 0));
    OK(cudaMemcpy3D(&p));
    OK(cudaMemcpy3DAsync(&p, all.stream));
    OK(cudaMemcpy2DToArray(array, 0, 0, all.pinned, BYTES, BYTES, 1, cudaMemcpyHostToHost));
    p.dstPtr = (struct cudaPitchedPtr){0};
    p.dstArray = array;
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    OK(cudaGraphAddMemcpyNode(&n, g, NULL, 0, &p));
    run_exec(new_exec(g), all.stream);
    expect_findings(0);
}
