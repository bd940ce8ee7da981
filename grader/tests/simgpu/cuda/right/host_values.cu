// host_values.cu: the values of host code are the same while work is pending. simcc keeps them in registers beside checks.
#include <cmath>
#include <vector>

#include "../check.cuh"

enum { N = 3000, KINDS = 5 };

static double plain_sum(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i] * b[N - 1 - i];
    return sum;
}

// more values than there are registers for
static double many_sums(const double *a, const double *b)
{
    double even = 0, odd = 1, third = 2, x = 3, y = 4, z = 5, least = 1e9, most = -1e9, u = 6,
           v = 7, w = 8, last = 0;
    for (int i = 3; i < N; i++) {
        even += a[i - 1] * (i % 2 == 0), odd -= b[i] * (i % 2), third += a[i - 3] * last;
        x = y * 0.5 + a[i], y = z - b[i], z = x * 0.25, u += v * 1e-3, v = w - a[i],
        w = b[i] + u * 0.125;
        least = a[i] < least ? a[i] : least, most = b[i] > most ? b[i] : most, last = a[i] + b[i];
    }
    return even + odd + third + x + y + z + least + most + u + v + w + last;
}

// a function may change these registers
static void __attribute__((noinline)) change_registers()
{
#ifdef __x86_64__
    asm volatile(
        "pxor %%xmm8, %%xmm8; pxor %%xmm9, %%xmm9; pxor %%xmm10, %%xmm10; pxor %%xmm11, %%xmm11" ::
            : "xmm8", "xmm9", "xmm10", "xmm11");
#endif
}

static double of_library(const double *a, const double *b)
{
    double sum = 0, scale = 1;
    for (int i = 0; i < N; i++) {
        sum += sin(a[i]) * scale;
        change_registers();
        scale = scale * 0.999 + b[i] * 1e-3;
    }
    return sum + scale;
}

static double __attribute__((noinline)) pick(const double *a, int i)
{
    change_registers();
    if (i % 7 == 3)
        throw a[i];
    return a[i];
}

static double of_exceptions(const double *a, const double *b)
{
    double sum = 0, scale = 2;
    for (int i = 0; i < N; i++) {
        const double before = b[i];
        try {
            sum += pick(a, i) * scale;
        } catch (double caught) {
            sum -= caught * before + scale;
        }
        scale = 0.5 * scale + before;
    }
    return sum + scale;
}

static double of_floats(const double *a, const double *b)
{
    float sum = 0, scale = 1;
    double both = 0;
    for (int i = 0; i < N; i++) {
        sum += (float)a[i] * scale;
        both += sum + b[i];
        scale = (int)both % 3 ? 0.5f : scale + (float)b[i];
    }
    return sum + both + scale;
}

static double (*const kinds[KINDS])(const double *, const double *) = {
    plain_sum, many_sums, of_library, of_exceptions, of_floats};

// of g++ without checks
static const double expected[KINDS] = {-333618.75, 17210.138468028206, 465.50463433818459,
                                       -534291.63781397417, -236896258.75};

static bool is_expected(int k, const double *a, const double *b)
{
    const double value = kinds[k](a, b) + 2 * kinds[k](b, a);
    return fabs(value - expected[k]) <= 1e-9 * fabs(value);
}

int main()
{
    double *pinned;
    void *device;
    std::vector<double> own(N);
    OK(cudaMallocHost(&pinned, N * sizeof *pinned));
    OK(cudaMalloc(&device, 1 << 20));
    for (int i = 0; i < N; i++) {
        own[i] = 0.25 + i % 17;
        pinned[i] = 1.5 - i % 13;
    }
    for (int k = 0; k < KINDS; k++) {
        EXPECT(is_expected(k, own.data(), pinned));
        OK(cudaMemsetAsync(device, k, 1 << 20)); // is pending, and has no part in it
        EXPECT(is_expected(k, own.data(), pinned));
        OK(cudaDeviceSynchronize());
    }
    OK(cudaFree(device));
    OK(cudaFreeHost(pinned));
    printf("passed\n");
}
