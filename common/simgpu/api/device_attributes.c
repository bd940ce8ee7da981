/* device_attributes.c: attributes and properties of devices, and their PCI addresses. */
#include <stdio.h>
#include <string.h>

#include "api.h"

EXPORT cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    API_ENTER(cudaDeviceGetAttribute);
    API_REFUSE_IF(!value, cudaErrorInvalidValue);
    if (!device_exists(device))
        return api_leave(sim.n_devices ? cudaErrorInvalidDevice : cudaErrorNoDevice);
    return api_leave(device_attribute(value, attribute, device) ? cudaSuccess
                                                                : cudaErrorInvalidValue);
}

static int get(enum cudaDeviceAttr attribute, int device)
{
    int value = 0;
    device_attribute(&value, attribute, device);
    return value;
}

static void fill_identity(struct cudaDeviceProp *p, int device)
{
    snprintf(p->name, sizeof p->name, "%s", sim.profile.name);
    memcpy(p->uuid.bytes, "simulated\0\0\0\0\0\0", sizeof p->uuid.bytes - 1);
    p->uuid.bytes[sizeof p->uuid.bytes - 1] = (char)device;
    p->major = sim.profile.compute_major;
    p->minor = sim.profile.compute_minor;
    p->pciDomainID = get(cudaDevAttrPciDomainId, device);
    p->pciBusID = get(cudaDevAttrPciBusId, device);
    p->pciDeviceID = get(cudaDevAttrPciDeviceId, device);
}

static void fill_launch(struct cudaDeviceProp *p, int device)
{
    p->warpSize = get(cudaDevAttrWarpSize, device);
    p->maxThreadsPerBlock = get(cudaDevAttrMaxThreadsPerBlock, device);
    p->maxThreadsPerMultiProcessor = get(cudaDevAttrMaxThreadsPerMultiProcessor, device);
    p->maxBlocksPerMultiProcessor = get(cudaDevAttrMaxBlocksPerMultiprocessor, device);
    for (int i = 0; i < 3; i++) {
        p->maxThreadsDim[i] = get((enum cudaDeviceAttr)(cudaDevAttrMaxBlockDimX + i), device);
        p->maxGridSize[i] = get((enum cudaDeviceAttr)(cudaDevAttrMaxGridDimX + i), device);
    }
    p->regsPerBlock = get(cudaDevAttrMaxRegistersPerBlock, device);
    p->regsPerMultiprocessor = get(cudaDevAttrMaxRegistersPerMultiprocessor, device);
    p->multiProcessorCount = get(cudaDevAttrMultiProcessorCount, device);
    p->sharedMemPerBlock = (size_t)get(cudaDevAttrMaxSharedMemoryPerBlock, device);
    p->sharedMemPerBlockOptin = (size_t)get(cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    p->sharedMemPerMultiprocessor =
        (size_t)get(cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
    p->reservedSharedMemPerBlock = (size_t)get(cudaDevAttrReservedSharedMemoryPerBlock, device);
    p->concurrentKernels = get(cudaDevAttrConcurrentKernels, device);
    p->cooperativeLaunch = get(cudaDevAttrCooperativeLaunch, device);
    p->computePreemptionSupported = get(cudaDevAttrComputePreemptionSupported, device);
    p->streamPrioritiesSupported = get(cudaDevAttrStreamPrioritiesSupported, device);
}

static void fill_memory(struct cudaDeviceProp *p, int device)
{
    p->totalGlobalMem = (size_t)sim.profile.memory_bytes;
    p->totalConstMem = (size_t)get(cudaDevAttrTotalConstantMemory, device);
    p->memPitch = (size_t)get(cudaDevAttrMaxPitch, device);
    p->memoryBusWidth = get(cudaDevAttrGlobalMemoryBusWidth, device);
    p->l2CacheSize = get(cudaDevAttrL2CacheSize, device);
    p->persistingL2CacheMaxSize = get(cudaDevAttrMaxPersistingL2CacheSize, device);
    p->accessPolicyMaxWindowSize = get(cudaDevAttrMaxAccessPolicyWindowSize, device);
    p->globalL1CacheSupported = get(cudaDevAttrGlobalL1CacheSupported, device);
    p->localL1CacheSupported = get(cudaDevAttrLocalL1CacheSupported, device);
    p->ECCEnabled = get(cudaDevAttrEccEnabled, device);
    p->asyncEngineCount = get(cudaDevAttrAsyncEngineCount, device);
    p->canMapHostMemory = get(cudaDevAttrCanMapHostMemory, device);
    p->unifiedAddressing = get(cudaDevAttrUnifiedAddressing, device);
    p->canUseHostPointerForRegisteredMem =
        get(cudaDevAttrCanUseHostPointerForRegisteredMem, device);
    p->hostRegisterSupported = get(cudaDevAttrHostRegisterSupported, device);
    p->hostRegisterReadOnlySupported = get(cudaDevAttrHostRegisterReadOnlySupported, device);
    p->memoryPoolsSupported = get(cudaDevAttrMemoryPoolsSupported, device);
    p->textureAlignment = (size_t)get(cudaDevAttrTextureAlignment, device);
    p->texturePitchAlignment = (size_t)get(cudaDevAttrTexturePitchAlignment, device);
    p->surfaceAlignment = (size_t)get(cudaDevAttrSurfaceAlignment, device);
}

/* Managed memory, and what host and device may do to each other's memory. */
static void fill_unified(struct cudaDeviceProp *p, int device)
{
    p->integrated = get(cudaDevAttrIntegrated, device);
    p->managedMemory = get(cudaDevAttrManagedMemory, device);
    p->concurrentManagedAccess = get(cudaDevAttrConcurrentManagedAccess, device);
    p->pageableMemoryAccess = get(cudaDevAttrPageableMemoryAccess, device);
    p->pageableMemoryAccessUsesHostPageTables =
        get(cudaDevAttrPageableMemoryAccessUsesHostPageTables, device);
    p->directManagedMemAccessFromHost = get(cudaDevAttrDirectManagedMemAccessFromHost, device);
    p->hostNativeAtomicSupported = get(cudaDevAttrHostNativeAtomicSupported, device);
    p->isMultiGpuBoard = get(cudaDevAttrIsMultiGpuBoard, device);
    p->multiGpuBoardGroupID = get(cudaDevAttrMultiGpuBoardGroupID, device);
}

/* Textures with layers and cube maps are not modeled; their sizes are answered all the same. */
static void fill_textures(struct cudaDeviceProp *p, int device)
{
    p->maxTexture1D = get(cudaDevAttrMaxTexture1DWidth, device);
    p->maxTexture2D[0] = get(cudaDevAttrMaxTexture2DWidth, device);
    p->maxTexture2D[1] = get(cudaDevAttrMaxTexture2DHeight, device);
    for (int i = 0; i < 3; i++)
        p->maxTexture3D[i] = get((enum cudaDeviceAttr)(cudaDevAttrMaxTexture3DWidth + i), device);
    p->maxSurface1D = get(cudaDevAttrMaxSurface1DWidth, device);
    p->maxSurface2D[0] = get(cudaDevAttrMaxSurface2DWidth, device);
    p->maxSurface2D[1] = get(cudaDevAttrMaxSurface2DHeight, device);
    for (int i = 0; i < 3; i++)
        p->maxSurface3D[i] = get((enum cudaDeviceAttr)(cudaDevAttrMaxSurface3DWidth + i), device);
}

EXPORT cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    API_ENTER(cudaGetDeviceProperties);
    API_REFUSE_IF(!prop, cudaErrorInvalidValue);
    if (!device_exists(device))
        return api_leave(sim.n_devices ? cudaErrorInvalidDevice : cudaErrorNoDevice);
    memset(prop, 0, sizeof *prop);
    fill_identity(prop, device);
    fill_launch(prop, device);
    fill_memory(prop, device);
    fill_unified(prop, device);
    fill_textures(prop, device);
    return api_leave(cudaSuccess);
}

EXPORT cudaError_t cudaDeviceGetPCIBusId(char *id, int size, int device)
{
    API_ENTER(cudaDeviceGetPCIBusId);
    API_REFUSE_IF(!id || size <= 0, cudaErrorInvalidValue);
    if (!device_exists(device))
        return api_leave(sim.n_devices ? cudaErrorInvalidDevice : cudaErrorNoDevice);
    int n = snprintf(
        id, (size_t)size, "%04x:%02x:%02x.0", (unsigned)get(cudaDevAttrPciDomainId, device),
        (unsigned)get(cudaDevAttrPciBusId, device), (unsigned)get(cudaDevAttrPciDeviceId, device));
    return api_leave(n < size ? cudaSuccess : cudaErrorInvalidValue);
}

/* domain:bus:device.function, domain:bus:device or bus:device.function, in hexadecimal. */
static bool parse_bus_id(const char *text, unsigned *domain, unsigned *bus, unsigned *device)
{
    unsigned function = 0;
    int n = 0;
    if (sscanf(text, "%x:%x:%x.%x%n", domain, bus, device, &function, &n) == 4 && !text[n])
        return true;
    if (sscanf(text, "%x:%x:%x%n", domain, bus, device, &n) == 3 && !text[n])
        return true;
    *domain = 0;
    return sscanf(text, "%x:%x.%x%n", bus, device, &function, &n) == 3 && !text[n];
}

EXPORT cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    unsigned domain, bus, slot;
    API_ENTER(cudaDeviceGetByPCIBusId);
    API_REFUSE_IF(!device || !id || !parse_bus_id(id, &domain, &bus, &slot), cudaErrorInvalidValue);
    int found = (int)slot - PCI_FIRST_DEVICE;
    API_REFUSE_IF(domain != PCI_DOMAIN || bus != PCI_BUS || !device_exists(found),
                  cudaErrorInvalidDevice);
    *device = found;
    return api_leave(cudaSuccess);
}
