// two_results.cu: functions of C that write results through pointers, into global memory. A kernel
// that reads this memory later finds it written.
#include "../check.cuh"

enum { N = 256 };

template <typename T> struct results {
    T whole[N], sine[N], cosine[N];
    int exponent[N], quotient[N];
};

__global__ void divide(results<float> *f, results<double> *d, float scale)
{
    const int i = threadIdx.x;
    const float x = scale * i;
    modff(x, &f->whole[i]);
    frexpf(x, &f->exponent[i]);
    remquof(x, 3, &f->quotient[i]);
    sincosf(x, &f->sine[i], &f->cosine[i]);
    modf(x, &d->whole[i]);
    frexp(x, &d->exponent[i]);
    remquo(x, 3, &d->quotient[i]);
    sincos(x, &d->sine[i], &d->cosine[i]);
}

template <typename T> __device__ bool is_right(const results<T> &r, int i, T x)
{
    const T one = r.sine[i] * r.sine[i] + r.cosine[i] * r.cosine[i];
    return r.whole[i] <= x && x < r.whole[i] + 1 && one > T(0.999) && one < T(1.001) &&
           r.quotient[i] >= 0 && ldexp(T(1), r.exponent[i]) >= x;
}

__global__ void look(const results<float> *f, const results<double> *d, float scale, int *n_right)
{
    const int i = threadIdx.x;
    if (is_right<float>(*f, i, scale * i) && is_right<double>(*d, i, scale * i))
        atomicAdd(n_right, 1);
}

int main()
{
    results<float> *f;
    results<double> *d;
    int *n_right, n = 0;
    OK(cudaMalloc(&f, sizeof *f));
    OK(cudaMalloc(&d, sizeof *d));
    OK(cudaMalloc(&n_right, sizeof *n_right));
    OK(cudaMemset(n_right, 0, sizeof *n_right));
    divide<<<1, N>>>(f, d, 0.37f);
    look<<<1, N>>>(f, d, 0.37f, n_right);
    OK(cudaMemcpy(&n, n_right, sizeof n, cudaMemcpyDeviceToHost));
    OK(cudaFree(n_right));
    OK(cudaFree(d));
    OK(cudaFree(f));
    puts(n == N ? "passed" : "wrong values");
}
