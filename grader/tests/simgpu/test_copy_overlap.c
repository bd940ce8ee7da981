/* test_copy_overlap.c: a copy whose source and destination overlap is a finding. */
#include "sim_graphs.h"

enum { BYTES = 256 };

static char *device;
static cudaStream_t side;

static void prepare(void)
{
    setenv("SIMGPU_REPORT", "0", 1);
    device = zeros(BYTES);
    side = stream(0);
}

TestSuite(copy_overlap, .init = prepare);

static void expect_found(const char *name, const void *to, uint64_t bytes)
{
    struct simgpu_finding f;
    cr_assert_eq(simgpu_findings(&f, 1), 1, "%zu findings", simgpu_findings(&f, 1));
    cr_expect_eq(f.kind, SIMGPU_UNDEFINED);
    cr_expect_eq(f.what, SIMGPU_WHAT_COPY_OVERLAPS);
    cr_expect_str_eq(f.first.name, name);
    cr_expect_eq(f.address, (uint64_t)(uintptr_t)to);
    cr_expect_eq(f.bytes, bytes);
    simgpu_findings_clear();
}

Test(copy_overlap, a_byte_in_common_is_found)
{
    char own[BYTES] = "abc", *pinned;
    OK(cudaMallocHost((void **)&pinned, BYTES));
    memset(pinned, 1, BYTES);
    OK(cudaMemcpy(device, device, BYTES, cudaMemcpyDeviceToDevice));
    expect_found("memcpyD2D", device, BYTES);
    OK(cudaMemcpyAsync(device + 99, device, 100, cudaMemcpyDefault, side));
    expect_found("memcpyD2D", device + 99, 100);
    OK(cudaMemcpyAsync(device, device + 99, 100, cudaMemcpyDeviceToDevice, side));
    expect_found("memcpyD2D", device, 100);
    OK(cudaMemcpyPeerAsync(device, 0, device, 0, 1, side));
    expect_found("memcpyD2D", device, 1);
    OK(cudaMemcpyAsync(pinned, pinned + 1, 2, cudaMemcpyHostToHost, side));
    expect_found("memcpyH2H", pinned, 2);
    OK(cudaMemcpy(own + 1, own, 3, cudaMemcpyHostToHost));
    expect_found("memcpyH2H", own + 1, 3);
    cr_expect_str_eq(own, "aabc", "as through a buffer");
}

Test(copy_overlap, none_without_a_byte_in_common)
{
    char own[BYTES] = "abc";
    OK(cudaMemcpy(device, device, 0, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpy(device + 100, device, 100, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpyAsync(device, device + 100, 100, cudaMemcpyDeviceToDevice, side));
    OK(cudaMemcpy(own + 3, own, 3, cudaMemcpyHostToHost));
    expect_findings(0);
}

/* The rows of a copy lie `pitch` bytes apart; those of the other side may lie between them. */
Test(copy_overlap, rows_and_slices_are_compared_byte_by_byte)
{
    enum { PITCH = 8, SLICE = 64 };
    for (size_t from = 0; from < 2 * SLICE; from++)
        for (size_t to = 0; to < SLICE; to += 5)
            for (size_t width = 1; width <= 4; width += 3)
                for (size_t src_pitch = PITCH; src_pitch <= PITCH + 3; src_pitch += 3) {
                    bool is_read[4 * SLICE] = {false}, overlaps = false;
                    const struct cudaMemcpy3DParms p = {
                        .srcPtr = {device + from, src_pitch, width, SLICE / PITCH},
                        .dstPtr = {device + to, PITCH, width, SLICE / PITCH},
                        .extent = {width, 3, 2},
                        .kind = cudaMemcpyDeviceToDevice};
                    for (size_t i = 0; i < 2 * 3 * width; i++)
                        is_read[from + i / width / 3 * src_pitch * (SLICE / PITCH) +
                                i / width % 3 * src_pitch + i % width] = true;
                    for (size_t i = 0; i < 2 * 3 * width; i++)
                        overlaps |=
                            is_read[to + i / width / 3 * SLICE + i / width % 3 * PITCH + i % width];
                    if (from + (SLICE / PITCH + 2) * src_pitch + width > BYTES)
                        continue;
                    OK(cudaMemcpy3D(&p));
                    struct simgpu_finding f;
                    cr_expect_eq(simgpu_findings(&f, 1), overlaps, "%zu to %zu: %zu, %zu", from, to,
                                 width, src_pitch);
                    simgpu_findings_clear();
                }
}

Test(copy_overlap, of_columns_is_found_if_they_share_a_byte)
{
    OK(cudaMemcpy2D(device + 8, 16, device, 16, 8, 4, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpy2DAsync(device, 16, device + 8, 16, 8, 4, cudaMemcpyDeviceToDevice, side));
    expect_findings(0);
    OK(cudaMemcpy2DAsync(device, 16, device + 7, 16, 8, 4, cudaMemcpyDeviceToDevice, side));
    expect_found("memcpyD2D", device, 32);
}

Test(copy_overlap, of_a_node_is_found_at_each_launch)
{
    cudaGraph_t g = new_graph();
    cudaGraphNode_t n;
    OK(cudaGraphAddMemcpyNode1D(&n, g, NULL, 0, device + 1, device, 2, cudaMemcpyDeviceToDevice));
    cudaGraphExec_t x = new_exec(g);
    expect_findings(0);
    run_exec(x, side);
    run_exec(x, side);
    struct simgpu_finding f;
    cr_assert_eq(simgpu_findings(&f, 1), 1);
    cr_expect_eq(f.count, 2);
    expect_found("memcpyD2D", device + 1, 2);
}

Test(copy_overlap, is_in_words)
{
    OK(cudaMemcpy(device, device, BYTES, cudaMemcpyDeviceToDevice));
    struct simgpu_finding f;
    cr_assert_eq(simgpu_findings(&f, 1), 1);
    f.address = 0x700;
    cr_expect_str_eq(
        finding_text(&f),
        "The source and the destination of memcpyD2D (the legacy stream, operation 1) overlap (256 "
        "bytes to 0x700): no document of NVIDIA defines what such a "
        "copy writes; "
        "compare the two pointers and the size. To move data within a buffer, copy it to another "
        "buffer first.");
}
