/* device_attributes.c: the values of cudaDeviceGetAttribute and cudaGetDeviceProperties.
 *
 * Values that the profile has come from the profile. The others are those of an H200
 * (plots/data/NVIDIA_H200/attributes.csv), but 0 for all that the simulated device does not model:
 * sparse arrays, clusters, fabric handles. */
#include "core.h"

struct attribute {
    int number; /* of enum cudaDeviceAttr; by number, since the enum grows with every release */
    int value;
};

/* clang-format off */
static const struct attribute h200[] = {
    /* threads of a block, and along x, y, z; grid along x, y, z */
    {1, 1024}, {2, 1024}, {3, 1024}, {4, 64}, {5, 2147483647}, {6, 65535}, {7, 65535},
    /* shared memory of a block, constant memory, warp, pitch, alignments for textures */
    {8, 49152}, {9, 65536}, {10, 32}, {11, 2147483647}, {14, 512}, {30, 512}, {51, 32},
    /* overlap, timeout, integrated, host mapping, compute mode, concurrent kernels, ECC, TCC */
    {15, 1}, {17, 0}, {18, 0}, {19, 1}, {20, 0}, {31, 1}, {32, 1}, {35, 0}, {41, 1},
    /* sizes of textures: 1-D, 2-D, 3-D, layered, cube maps, linear, mipmapped */
    {21, 131072}, {22, 131072}, {23, 65536}, {24, 16384}, {25, 16384}, {26, 16384},
    {27, 32768}, {28, 32768}, {29, 2048}, {42, 32768}, {43, 2048}, {45, 32768}, {46, 32768},
    {47, 8192}, {48, 8192}, {49, 32768}, {52, 32768}, {53, 32768}, {54, 2046},
    {69, 268435456}, {70, 131072}, {71, 65000}, {72, 2097120},
    {73, 32768}, {74, 32768}, {77, 32768},
    /* sizes of surfaces */
    {55, 32768}, {56, 131072}, {57, 65536}, {58, 16384}, {59, 16384}, {60, 16384}, {61, 32768},
    {62, 2048}, {63, 32768}, {64, 32768}, {65, 2048}, {66, 32768}, {67, 32768}, {68, 2046},
    /* priorities, L1, managed memory, boards, host atomics, double precision, pageable access */
    {78, 1}, {79, 1}, {80, 1}, {83, 1}, {84, 0}, {85, 0}, {86, 0}, {87, 2}, {88, 0}, {89, 1},
    /* preemption, registered host pointers, cooperative launch, registering, page tables */
    {90, 1}, {91, 1}, {95, 1}, {98, 0}, {99, 1}, {100, 0}, {101, 0},
    /* persisting L2 and its window, shared memory the system takes of a block, pools */
    {108, 39321600}, {109, 134217728}, {111, 1024}, {113, 1}, {115, 1}, {126, 4},
    /* sparse arrays, timeline semaphores, GPUDirect, handle types, clusters, IPC, NUMA, MPS */
    {112, 0}, {114, 0}, {116, 0}, {117, 0}, {118, 0}, {119, 1}, {120, 0}, {121, 0}, {122, 0},
    {125, 1}, {128, 0}, {129, 0}, {130, 0}, {131, -1}, {133, 0}, {134, 0}, {135, 0}, {138, 0},
    {139, 590680286}, {140, 415174878}, {142, 0}, {143, 0}, {144, 0}, {147, 0},
};
/* clang-format on */

/* What the profile, or the device's number, says of the attribute; else what an H200 answers. */
bool device_attribute(int *value, int number, int device)
{
    const struct profile *p = &sim.profile;
    const struct attribute own[] = {
        {cudaDevAttrMaxRegistersPerBlock, p->sm_registers},
        {cudaDevAttrMaxRegistersPerMultiprocessor, p->sm_registers},
        {cudaDevAttrClockRate, p->clock_khz},
        {cudaDevAttrMultiProcessorCount, p->sm_count},
        {cudaDevAttrPciBusId, PCI_BUS},
        {cudaDevAttrPciDeviceId, PCI_FIRST_DEVICE + device},
        {cudaDevAttrPciDomainId, PCI_DOMAIN},
        {cudaDevAttrMemoryClockRate, p->memory_clock_khz},
        {cudaDevAttrGlobalMemoryBusWidth, p->memory_bus_bits},
        {cudaDevAttrL2CacheSize, p->l2_bytes},
        {cudaDevAttrMaxThreadsPerMultiProcessor, p->sm_threads},
        {cudaDevAttrAsyncEngineCount, p->copy_engines},
        {cudaDevAttrComputeCapabilityMajor, p->compute_major},
        {cudaDevAttrComputeCapabilityMinor, p->compute_minor},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, p->sm_shared_bytes},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, p->block_shared_bytes_optin},
        {cudaDevAttrMaxBlocksPerMultiprocessor, p->sm_blocks},
    };
    enum { N_OWN = sizeof own / sizeof own[0], N_H200 = sizeof h200 / sizeof h200[0] };
    for (size_t i = 0; i < N_OWN + N_H200; i++) {
        const struct attribute *a = i < N_OWN ? &own[i] : &h200[i - N_OWN];
        if (a->number == number) {
            *value = a->value;
            return true;
        }
    }
    return false;
}

int device_limit(int attribute)
{
    int value = 0;
    device_attribute(&value, attribute, 0);
    return value;
}
