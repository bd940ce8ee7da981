// Launches whose template arguments, or whose configuration, hold angle brackets of another kind.
#include <utility>

#include "../check.cuh"

namespace kernels
{
template <int N> __global__ void add(int *p)
{
    *p += N;
}

template <bool B, typename T> __global__ void choose(T *p)
{
    *p += B ? 100 : 1000;
}
} // namespace kernels
using kernels::add;
using kernels::choose;

__device__ int twice(int x)
{
    return 2 * x;
}

template <int (*F)(int)> __global__ void call(int *p)
{
    *p = F(*p);
}

typedef void kernel_type(int *);

template <int N> kernel_type *kernel_of()
{
    return add<N>;
}

template <typename T> struct box {
    static constexpr int size = 4;
};

constexpr int a = 8, b = 2;

// (clang-format takes these brackets for operators)
// clang-format off
template <int N> void launch_all(int *p)
{
    add<(a > b)><<<1, 1>>>(p);                                // 1
    add<(a >> b)><<<(a > 1 ? 1 : 2), 1>>>(p);                 // 2
    choose<N >= 32, int><<<1, 1>>>(p);                        // 1000
    choose<N <= 32, int><<<1, 1>>>(p);                        // 100
    kernels::choose<N<32, int><<<1, 1>>>(p);                  // 100
    add<(1 << 3)><<<1, a >> 3>>>(p);                          // 8
    add<1 << 4><<<1, 1>>>(p);                                 // 16
    add<box<std::pair<int, box<int>>>::size><<<1, 1>>>(p);    // 4
    add<sizeof(box<box<int>>)><<<box<int>::size / 4, 1>>>(p); // 1
    add<2><<<1, box<box<box<int>>>::size / 4>>>(p);           // 2
    auto same = &add<(a > b)>;
    same<<<1, 1>>>(p); // 1
    add<2> << <1, 1>> >(p);                                   // 2
    kernel_type *const some[] = {add<4>, add<8>};
    for (int i = 0; i < 2; i++)
        some[i]<<<1, 1>>>(p);                                 // 12
    kernel_of<16>()<<<1, 1>>>(p);                             // 16
    call<twice><<<1, 1>>>(p);                                 // doubles
}
// clang-format on

int main()
{
    int *p, sum;
    OK(cudaMalloc(&p, sizeof *p));
    OK(cudaMemset(p, 0, sizeof *p));
    launch_all<16>(p);
    OK(cudaGetLastError());
    OK(cudaMemcpy(&sum, p, sizeof sum, cudaMemcpyDeviceToHost));
    OK(cudaFree(p));
    EXPECT(sum == 2 * (1 + 2 + 1000 + 100 + 100 + 8 + 16 + 4 + 1 + 2 + 1 + 2 + 12 + 16));
    puts("passed");
}
