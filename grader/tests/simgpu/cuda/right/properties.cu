// properties.cu: cudaGetDeviceProperties says what cudaDeviceGetAttribute says.
#include "../check.cuh"

static int attribute(cudaDeviceAttr which)
{
    int value = -1;
    OK(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

int main()
{
    cudaDeviceProp p;
    OK(cudaGetDeviceProperties(&p, 0));
    EXPECT(p.managedMemory == 1 && p.concurrentManagedAccess == 1);
    EXPECT(p.managedMemory == attribute(cudaDevAttrManagedMemory));
    EXPECT(p.concurrentManagedAccess == attribute(cudaDevAttrConcurrentManagedAccess));
    EXPECT(p.pageableMemoryAccess == attribute(cudaDevAttrPageableMemoryAccess));
    EXPECT(p.directManagedMemAccessFromHost ==
           attribute(cudaDevAttrDirectManagedMemAccessFromHost));
    EXPECT(p.hostNativeAtomicSupported == attribute(cudaDevAttrHostNativeAtomicSupported));
    EXPECT(p.isMultiGpuBoard == attribute(cudaDevAttrIsMultiGpuBoard));
    EXPECT(p.integrated == attribute(cudaDevAttrIntegrated));
    EXPECT(p.asyncEngineCount == attribute(cudaDevAttrAsyncEngineCount));
    puts("passed");
}
