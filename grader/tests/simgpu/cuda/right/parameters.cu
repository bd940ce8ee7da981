// parameters.cu: the host copies and destroys an object that is a kernel's parameter, once a
// launch. Each thread has the bits of it to itself. A reference is an address.
#include "../check.cuh"

static int copies, ends;

struct buffer {
    int *value, own;

    buffer() : own(1)
    {
        OK(cudaMallocManaged(&value, sizeof *value));
    }
    buffer(const buffer &other) : buffer()
    {
        *value = *other.value + 1;
        copies++;
    }
    buffer &operator=(const buffer &) = delete;
    ~buffer()
    {
        cudaFree(value);
        ends++;
    }
};

struct pair {
    int first, second;
};

__global__ void by_value(buffer b, int *sum)
{
    b.own += threadIdx.x; // no other thread's
    atomicAdd(sum, *b.value * b.own);
}

__global__ void by_reference(pair &p, const int &n)
{
    atomicAdd(&p.second, n);
}

template <typename... T> __global__ void many(int *sum, T... t)
{
    atomicAdd(sum, (0 + ... + *t.value));
}

// The parameter hides the kernel's own name, and its shared memory still counts.
__global__ void scaled(int *sum, int scaled = 3)
{
    __shared__ int factor[4];
    factor[threadIdx.x] = scaled;
    *sum *= factor[threadIdx.x];
}

int main()
{
    int *sum;
    pair *p;
    OK(cudaMallocManaged(&sum, 2 * sizeof *sum));
    OK(cudaMallocManaged(&p, sizeof *p));
    sum[0] = 0;
    sum[1] = 5;
    *p = {1, 2};
    {
        buffer b;
        *b.value = 41;
        by_value<<<1, 4>>>(b, sum);
        OK(cudaGetLastError());
        EXPECT(copies == 1 && ends == 1);
        OK(cudaDeviceSynchronize());
        EXPECT(sum[0] == 42 * (1 + 2 + 3 + 4));
        sum[0] = 0;
        many<<<1, 1>>>(sum, b, b);
        OK(cudaGetLastError());
        OK(cudaDeviceSynchronize());
        EXPECT(sum[0] == 84 && copies == 3);
        scaled<<<1, 1>>>(sum);
        scaled<<<1, 1>>>(sum, 2);
        OK(cudaDeviceSynchronize());
        EXPECT(sum[0] == 84 * 3 * 2);
    }
    EXPECT(ends == 4);
    by_reference<<<1, 8>>>(*p, sum[1]);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    EXPECT(p->first == 1 && p->second == 42);
    OK(cudaFree(sum));
    OK(cudaFree(p));
    puts("passed");
}
