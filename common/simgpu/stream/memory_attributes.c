/* memory_attributes.c: attributes of streams and kernel nodes that concern memory. All are kept,
 * and checked as an H200 checks them. None changes the behavior of the simulated device. */
#include "stream.h"

enum { SYNC_DOMAINS = 4 }; /* a map of memory synchronisation domains names one of them */

struct memory_attributes memory_attributes_fresh(void)
{
    return (struct memory_attributes){.domain_map = {.default_ = 0, .remote = 1}};
}

cudaError_t memory_attributes_get(const struct memory_attributes *a, cudaLaunchAttributeID id,
                                  cudaLaunchAttributeValue *v)
{
    switch (id) {
    case cudaLaunchAttributeMemSyncDomain:
        v->memSyncDomain = a->domain;
        return cudaSuccess;
    case cudaLaunchAttributeMemSyncDomainMap:
        v->memSyncDomainMap = a->domain_map;
        return cudaSuccess;
    case cudaLaunchAttributeAccessPolicyWindow:
        v->accessPolicyWindow = a->window;
        return cudaSuccess;
    default:
        return cudaErrorInvalidValue;
    }
}

cudaError_t memory_attributes_set(struct memory_attributes *a, cudaLaunchAttributeID id,
                                  const cudaLaunchAttributeValue *v)
{
    switch (id) {
    case cudaLaunchAttributeMemSyncDomain:
        if (v->memSyncDomain != cudaLaunchMemSyncDomainDefault &&
            v->memSyncDomain != cudaLaunchMemSyncDomainRemote)
            return cudaErrorInvalidValue;
        a->domain = v->memSyncDomain;
        return cudaSuccess;
    case cudaLaunchAttributeMemSyncDomainMap:
        if (v->memSyncDomainMap.default_ >= SYNC_DOMAINS ||
            v->memSyncDomainMap.remote >= SYNC_DOMAINS)
            return cudaErrorInvalidValue;
        a->domain_map = v->memSyncDomainMap;
        return cudaSuccess;
    case cudaLaunchAttributeAccessPolicyWindow:
        a->window = v->accessPolicyWindow;
        return cudaSuccess;
    default:
        return cudaErrorInvalidValue;
    }
}
