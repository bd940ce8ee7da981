// static_shared.cu: the shared memory that a kernel declares counts for its attributes and for its
// occupancy, before any launch.
#include "../check.cuh"

struct pair {
    int first, second;
};

__global__ void none(int *out)
{
    extern __shared__ int dynamic[];
    dynamic[0] = *out;
}

__global__ void several(int *out)
{
    __shared__ float tile[32][33], row[32];
    __shared__ pair p;
    __shared__ struct {
        double a, b;
    } unnamed;
    if (threadIdx.x == 0) {
        __shared__ __align__(16) unsigned char bytes[104];
        for (int i = 0; i < 104; i++)
            bytes[i] = out[i];
        for (int i = 0; i < 32; i++)
            tile[i][i] = row[i] = bytes[out[i]];
        p.first = unnamed.a = out[2];
        p.second = unnamed.b = out[3];
    }
    __syncthreads();
    *out = p.first + p.second + unnamed.a + unnamed.b + tile[threadIdx.x][threadIdx.x] +
           row[threadIdx.x];
}

template <typename T, int N> __global__ void sized(T *out)
{
    __shared__ T values[N];
    for (int i = 0; i < 2; i++) {
        __shared__ T more[N];
        more[i] = T(i);
        values[i] = more[i];
    }
    out[0] = values[1];
}

// two kernels of one name
__global__ void same(int *out)
{
    __shared__ int a[12];
    a[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = a[11 - threadIdx.x];
}

__global__ void same(float *out)
{
    __shared__ int a[24];
    a[threadIdx.x] = static_cast<int>(out[threadIdx.x]);
    __syncthreads();
    out[threadIdx.x] = static_cast<float>(a[23 - threadIdx.x]);
}

template <typename K> static size_t shared_bytes(K kernel)
{
    cudaFuncAttributes a;
    OK(cudaFuncGetAttributes(&a, kernel));
    return a.sharedSizeBytes;
}

int main()
{
    EXPECT(shared_bytes(none) == 0);
    EXPECT(shared_bytes(several) == 32 * 33 * 4 + 32 * 4 + 8 + 16 + 104);
    EXPECT(shared_bytes(sized<float, 64>) == 512);
    EXPECT(shared_bytes(sized<double, 2560>) == 40960);
    EXPECT(shared_bytes(static_cast<void (*)(int *)>(same)) == 48);
    EXPECT(shared_bytes(static_cast<void (*)(float *)>(same)) == 96);

    int few, many;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&many, sized<float, 64>, 64, 0));
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&few, sized<double, 2560>, 64, 0));
    EXPECT(many == 32 && few == 5); // 5 times 40 KiB and 1 KiB each of 228 KiB
    puts("passed");
}
