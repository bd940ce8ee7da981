// Kernels use memory that is theirs: what they allocate, constants, and structs passed by value, to
// their functions, too. An address of the host that is only passed on is nothing wrong.
#include "../check.cuh"

struct item {
    int factor[32];
    const void *tag; // the host's, never followed
};

__constant__ int squares[] = {0, 1, 4, 9, 16, 25, 36, 49};

__global__ void scale(item it, int *to, const void **tag)
{
    int *own = static_cast<int *>(malloc(8 * sizeof *own));
    int *more = new int[8];
    for (int i = 0; i < 8; i++) {
        own[i] = it.factor[i];
        more[i] = squares[i];
    }
    to[threadIdx.x] = own[threadIdx.x] * more[threadIdx.x];
    if (threadIdx.x == 0)
        *tag = it.tag;
    delete[] more;
    free(own);
}

struct both {
    int sum, product;
};

__noinline__ __device__ both both_of(int a, int b)
{
    return {a + b, a * b};
}

__noinline__ __device__ int difference(both b)
{
    return b.product - b.sum;
}

// Neither call says to the device that it accesses the element.
__global__ void call(both *all, int *to)
{
    all[threadIdx.x] = both_of(threadIdx.x, 3);
    to[threadIdx.x] = difference(all[threadIdx.x]);
}

int main()
{
    both *all, each[8];
    int *to, result[8];
    const void **tag, *back;
    item *it = new item();
    for (int i = 0; i < 32; i++)
        it->factor[i] = 10 + i;
    it->tag = it;
    OK(cudaMalloc(&to, 8 * sizeof *to));
    OK(cudaMalloc(&tag, sizeof *tag));
    scale<<<1, 8>>>(*it, to, tag);
    OK(cudaMemcpy(result, to, sizeof result, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(&back, tag, sizeof back, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 8; i++)
        EXPECT(result[i] == (10 + i) * i * i);
    EXPECT(back == it);
    OK(cudaMalloc(&all, sizeof each));
    call<<<1, 8>>>(all, to);
    OK(cudaMemcpy(each, all, sizeof each, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(result, to, sizeof result, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 8; i++)
        EXPECT(each[i].sum == i + 3 && result[i] == 3 * i - (i + 3));
    delete it;
    OK(cudaFree(all));
    OK(cudaFree(tag));
    OK(cudaFree(to));
    puts("passed");
}
