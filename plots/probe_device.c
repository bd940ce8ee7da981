/* probe_device.c: what the device says about itself, as two files. */
#include "probe.h"

#include <stdio.h>
#include <stdlib.h>

static FILE *open_in(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (!f) {
        perror(path);
        exit(1);
    }
    return f;
}

/* Every number that cudaGetDeviceProperties fills in. */
static void properties(const char *folder)
{
    struct cudaDeviceProp p;
    FILE *f = open_in(folder, "properties.txt");
    OK(cudaGetDeviceProperties(&p, 0));
    fprintf(f, "name %s\n", p.name);
    /* clang-format off */
#define N(field) fprintf(f, #field " %lld\n", (long long)p.field);
    N(totalGlobalMem) N(sharedMemPerBlock) N(memPitch) N(totalConstMem) N(textureAlignment)
    N(texturePitchAlignment) N(surfaceAlignment) N(sharedMemPerMultiprocessor)
    N(sharedMemPerBlockOptin) N(reservedSharedMemPerBlock)
    N(regsPerBlock) N(warpSize) N(maxThreadsPerBlock) N(major) N(minor) N(multiProcessorCount)
    N(integrated) N(canMapHostMemory) N(maxTexture1D) N(maxTexture1DMipmap) N(maxTextureCubemap)
    N(maxSurface1D) N(maxSurfaceCubemap) N(concurrentKernels) N(ECCEnabled) N(pciBusID)
    N(pciDeviceID) N(pciDomainID) N(tccDriver) N(asyncEngineCount) N(unifiedAddressing)
    N(memoryBusWidth) N(l2CacheSize) N(persistingL2CacheMaxSize) N(maxThreadsPerMultiProcessor)
    N(streamPrioritiesSupported) N(globalL1CacheSupported) N(localL1CacheSupported)
    N(regsPerMultiprocessor) N(managedMemory) N(isMultiGpuBoard) N(multiGpuBoardGroupID)
    N(hostNativeAtomicSupported) N(pageableMemoryAccess) N(concurrentManagedAccess)
    N(computePreemptionSupported) N(canUseHostPointerForRegisteredMem) N(cooperativeLaunch)
    N(pageableMemoryAccessUsesHostPageTables) N(directManagedMemAccessFromHost)
    N(maxBlocksPerMultiProcessor) N(accessPolicyMaxWindowSize) N(hostRegisterSupported)
    N(sparseCudaArraySupported) N(hostRegisterReadOnlySupported)
    N(timelineSemaphoreInteropSupported) N(memoryPoolsSupported) N(gpuDirectRDMASupported)
    N(gpuDirectRDMAWritesOrdering) N(deferredMappingCudaArraySupported) N(ipcEventSupported)
    N(clusterLaunch) N(unifiedFunctionPointers) N(deviceNumaConfig) N(deviceNumaId) N(mpsEnabled)
    N(hostNumaId) N(hostNumaMultinodeIpcSupported)
    N(luidDeviceNodeMask) N(gpuDirectRDMAFlushWritesOptions) N(memoryPoolSupportedHandleTypes)
    N(gpuPciDeviceID) N(gpuPciSubsystemID)
#undef N
#define N2(field) fprintf(f, #field " %d %d\n", p.field[0], p.field[1]);
#define N3(field) fprintf(f, #field " %d %d %d\n", p.field[0], p.field[1], p.field[2]);
    N3(maxThreadsDim) N3(maxGridSize) N2(maxTexture2D) N2(maxTexture2DMipmap)
    N3(maxTexture2DLinear) N2(maxTexture2DGather) N3(maxTexture3D) N3(maxTexture3DAlt)
    N2(maxTexture1DLayered) N3(maxTexture2DLayered) N2(maxTextureCubemapLayered) N2(maxSurface2D)
    N3(maxSurface3D) N2(maxSurface1DLayered) N3(maxSurface2DLayered) N2(maxSurfaceCubemapLayered)
#undef N2
#undef N3
        /* clang-format on */
        fclose(f);
}

/* Every attribute that has a name. */
static void attributes(const char *folder)
{
    static const struct {
        enum cudaDeviceAttr attribute;
        const char *name;
    } all[] = {
    /* clang-format off */
#define A(name) {cudaDevAttr##name, "cudaDevAttr" #name},
        A(MaxThreadsPerBlock) A(MaxBlockDimX) A(MaxBlockDimY) A(MaxBlockDimZ) A(MaxGridDimX)
        A(MaxGridDimY) A(MaxGridDimZ) A(MaxSharedMemoryPerBlock) A(TotalConstantMemory)
        A(WarpSize) A(MaxPitch) A(MaxRegistersPerBlock) A(ClockRate) A(TextureAlignment)
        A(GpuOverlap) A(MultiProcessorCount) A(KernelExecTimeout) A(Integrated)
        A(CanMapHostMemory) A(ComputeMode) A(MaxTexture1DWidth) A(MaxTexture2DWidth)
        A(MaxTexture2DHeight) A(MaxTexture3DWidth) A(MaxTexture3DHeight) A(MaxTexture3DDepth)
        A(MaxTexture2DLayeredWidth) A(MaxTexture2DLayeredHeight) A(MaxTexture2DLayeredLayers)
        A(SurfaceAlignment) A(ConcurrentKernels) A(EccEnabled) A(PciBusId) A(PciDeviceId)
        A(TccDriver) A(MemoryClockRate) A(GlobalMemoryBusWidth) A(L2CacheSize)
        A(MaxThreadsPerMultiProcessor) A(AsyncEngineCount) A(UnifiedAddressing)
        A(MaxTexture1DLayeredWidth) A(MaxTexture1DLayeredLayers) A(MaxTexture2DGatherWidth)
        A(MaxTexture2DGatherHeight) A(MaxTexture3DWidthAlt) A(MaxTexture3DHeightAlt)
        A(MaxTexture3DDepthAlt) A(PciDomainId) A(TexturePitchAlignment) A(MaxTextureCubemapWidth)
        A(MaxTextureCubemapLayeredWidth) A(MaxTextureCubemapLayeredLayers) A(MaxSurface1DWidth)
        A(MaxSurface2DWidth) A(MaxSurface2DHeight) A(MaxSurface3DWidth) A(MaxSurface3DHeight)
        A(MaxSurface3DDepth) A(MaxSurface1DLayeredWidth) A(MaxSurface1DLayeredLayers)
        A(MaxSurface2DLayeredWidth) A(MaxSurface2DLayeredHeight) A(MaxSurface2DLayeredLayers)
        A(MaxSurfaceCubemapWidth) A(MaxSurfaceCubemapLayeredWidth)
        A(MaxSurfaceCubemapLayeredLayers) A(MaxTexture1DLinearWidth) A(MaxTexture2DLinearWidth)
        A(MaxTexture2DLinearHeight) A(MaxTexture2DLinearPitch) A(MaxTexture2DMipmappedWidth)
        A(MaxTexture2DMipmappedHeight) A(ComputeCapabilityMajor) A(ComputeCapabilityMinor)
        A(MaxTexture1DMipmappedWidth) A(StreamPrioritiesSupported) A(GlobalL1CacheSupported)
        A(LocalL1CacheSupported) A(MaxSharedMemoryPerMultiprocessor)
        A(MaxRegistersPerMultiprocessor) A(ManagedMemory) A(IsMultiGpuBoard)
        A(MultiGpuBoardGroupID) A(HostNativeAtomicSupported) A(SingleToDoublePrecisionPerfRatio)
        A(PageableMemoryAccess) A(ConcurrentManagedAccess) A(ComputePreemptionSupported)
        A(CanUseHostPointerForRegisteredMem) A(CooperativeLaunch) A(MaxSharedMemoryPerBlockOptin)
        A(CanFlushRemoteWrites) A(HostRegisterSupported)
        A(PageableMemoryAccessUsesHostPageTables) A(DirectManagedMemAccessFromHost)
        A(MaxBlocksPerMultiprocessor) A(MaxPersistingL2CacheSize) A(MaxAccessPolicyWindowSize)
        A(SparseCudaArraySupported) A(HostRegisterReadOnlySupported)
        A(TimelineSemaphoreInteropSupported) A(MemoryPoolsSupported) A(GPUDirectRDMASupported)
        A(GPUDirectRDMAFlushWritesOptions) A(GPUDirectRDMAWritesOrdering)
        A(MemoryPoolSupportedHandleTypes) A(ClusterLaunch) A(DeferredMappingCudaArraySupported)
        A(IpcEventSupport) A(MemSyncDomainCount) A(NumaConfig) A(NumaId) A(MpsEnabled)
        A(HostNumaId) A(D3D12CigSupported) A(VulkanCigSupported) A(GpuPciDeviceId)
        A(GpuPciSubsystemId) A(HostNumaMemoryPoolsSupported) A(HostNumaMultinodeIpcSupported)
        A(HostMemoryPoolsSupported) A(OnlyPartialHostNativeAtomicSupported)
#undef A
        /* clang-format on */
    };
    FILE *f = open_in(folder, "attributes.csv");
    fprintf(f, "number,name,value\n");
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        int value = 0;
        cudaError_t e = cudaDeviceGetAttribute(&value, all[i].attribute, 0);
        if (e == cudaSuccess)
            fprintf(f, "%d,%s,%d\n", (int)all[i].attribute, all[i].name, value);
        else
            fprintf(f, "%d,%s,%s\n", (int)all[i].attribute, all[i].name, cudaGetErrorName(e));
    }
    (void)cudaGetLastError();
    fclose(f);
}

static void limits(void)
{
    static const struct {
        enum cudaLimit limit;
        const char *name;
    } all[] = {
        {cudaLimitStackSize, "limit.cudaLimitStackSize"},
        {cudaLimitPrintfFifoSize, "limit.cudaLimitPrintfFifoSize"},
        {cudaLimitMallocHeapSize, "limit.cudaLimitMallocHeapSize"},
        {cudaLimitDevRuntimeSyncDepth, "limit.cudaLimitDevRuntimeSyncDepth"},
        {cudaLimitDevRuntimePendingLaunchCount, "limit.cudaLimitDevRuntimePendingLaunchCount"},
        {cudaLimitMaxL2FetchGranularity, "limit.cudaLimitMaxL2FetchGranularity"},
        {cudaLimitPersistingL2CacheSize, "limit.cudaLimitPersistingL2CacheSize"}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        size_t value = 0;
        cudaError_t e = cudaDeviceGetLimit(&value, all[i].limit);
        probe_row(all[i].name, e == cudaSuccess ? (double)value : -1, "bytes or count",
                  cudaGetErrorName(e));
    }
    (void)cudaGetLastError();
    int least = 0, greatest = 0;
    size_t free_bytes = 0, all_bytes = 0;
    OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    OK(cudaMemGetInfo(&free_bytes, &all_bytes));
    probe_row("priority.least", least, "", "");
    probe_row("priority.greatest", greatest, "", "");
    probe_row("memory.free", (double)free_bytes, "bytes", "with the probe's buffers allocated");
    probe_row("memory.total", (double)all_bytes, "bytes", "");
}

void probe_device(const char *folder)
{
    properties(folder);
    attributes(folder);
    limits();
}
