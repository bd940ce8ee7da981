// intrinsics.cu: what device code calls beside the C library, and half precision. The expected
// values are those of the CUDA Math API's definitions.
#include "../check.cuh"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#ifndef __CUDACC__
#error "nvcc defines __CUDACC__"
#endif
#if !defined(__NVCC__) || __CUDACC_VER_MAJOR__ < 11
#error "nvcc says which one it is"
#endif

// As in many programs' headers; with __CUDACC__ they leave the scalar functions to the compiler.
inline __host__ __device__ float4 make_float4(float3 a, float w)
{
    return make_float4(a.x, a.y, a.z, w);
}

__device__ int n_wrong;

#define IS(expression, value)                                                                      \
    do {                                                                                           \
        if (!((expression) == (value))) {                                                          \
            printf("%s is not %s\n", #expression, #value);                                         \
            atomicAdd(&n_wrong, 1);                                                                \
        }                                                                                          \
    } while (0)

__device__ bool near(double x, double value)
{
    return fabs(x - value) <= 1e-5 * (1 + fabs(value));
}

__global__ void integers()
{
    IS(__umul24(0x1000002, 3), 6u);
    IS(__mul64hi(1ll << 62, 8), 2);
    IS(__umul64hi(1ull << 63, 4), 2ull);
    IS(__sad(-3, 4, 10u), 17u);
    IS(__usad(3, 4, 10), 11u);
    IS(__hadd(3, 4), 3);
    IS(__rhadd(3, 4), 4);
    IS(umin(3u, 4u), 3u);
    IS(llmax(3ll, 4ll), 4ll);
    IS(__brevll(1), 1ull << 63);
    IS(__byte_perm(0x33221100, 0x77665544, 0x7531), 0x77553311u);
    IS(__funnelshift_l(0x80000000, 1, 1), 3u);
    IS(__funnelshift_r(2, 1, 1), 0x80000001u);
    IS(__funnelshift_lc(5, 1, 40), 5u);
}

__global__ void numbers()
{
    IS(__fadd_ru(1.0f, 1e-10f) > 1.0f, true);
    IS(__fadd_rd(1.0f, 1e-10f), 1.0f);
    IS(__dmul_rz(3.0, 5.0), 15.0);
    IS(__frsqrt_rn(4.0f), 0.5f);
    IS(__float2uint_rz(3.9f), 3u);
    IS(__double2int_rn(2.5), 2);
    IS(__double2ll_ru(2.1), 3ll);
    IS(__float2ll_rd(-2.5f), -3ll);
    IS(__uint2float_rz(0xffffffff), 4294967040.0f);
    IS(__ll2float_ru((1ll << 24) + 1), 16777218.0f);
    IS(__ull2double_rd((1ull << 53) + 1), 9007199254740992.0);
    IS(__double2float_rd(0.1) < 0.1f && __double2float_ru(0.1) == 0.1f, true);
    IS(__hiloint2double(__double2hiint(1.25), __double2loint(1.25)), 1.25);
    IS(near(sinpi(0.5), 1) && near(cospif(1.0f), -1), true);
    IS(near(norm3d(1, 2, 2), 3) && near(rnorm3df(1, 2, 2), 1.0 / 3), true);
    const double vector[] = {2, 4, 5, 6};
    IS(near(norm(4, vector), 9) && near(rnorm4df(2, 4, 5, 6), 1.0 / 9), true);
    IS(near(cyl_bessel_i0(1.0), 1.266065878) && near(cyl_bessel_i1f(-1.0f), -0.565159104), true);
    IS(near(normcdf(0.0), 0.5) && near(normcdf(1.0), 0.841344746), true);
    IS(near(erfinv(0.5), 0.476936276) && near(erfcinvf(1.5f), -0.476936276), true);
    IS(near(normcdfinv(0.975), 1.959963985), true);
    IS(near(rcbrt(8.0), 0.5) && near(erfcx(1.0), 0.427583576), true);
    IS(make_float4(make_float3(1, 2, 3), 4).w, 4.0f);
}

__global__ void halves(__half *h, __half2 *pair, __nv_bfloat16 *b)
{
    h[threadIdx.x] = __float2half(1.5f) + h[threadIdx.x] * __float2half(2.0f);
    b[threadIdx.x] = __float2bfloat16(2.5f);
    pair[threadIdx.x] = __hfma2(__float2half2_rn(2), __float2half2_rn(3), __floats2half2_rn(1, 2));
    __syncthreads();
    IS(__half2float(h[threadIdx.x]), 1.5f);
    IS(__half2int_rn(__float2half(2.5f)), 2);
    IS(__half2short_ru(__float2half(2.1f)), 3);
    IS(__half2ushort_rd(__float2half(-2.1f)), 0);
    IS(__bfloat162uint_rn(__float2bfloat16(3.5f)), 4u);
    IS(__bfloat162float(__int2bfloat16_ru(257)), 258.0f);
    IS(near(__half2float(htanh(__float2half(0.0f))), 0), true);
    IS(__half2float(__hfma_sat(__float2half(2), __float2half(2), __float2half(2))), 1.0f);
    IS(__half2float(__hfma_relu(__float2half(2), __float2half(-2), __float2half(2))), 0.0f);
    IS(__high2float(
           __hcmadd(__floats2half2_rn(1, 2), __floats2half2_rn(3, 4), __floats2half2_rn(5, 6))),
       16.0f);
    IS(__half2float(hsqrt(__float2half(16))), 4.0f);
    IS(__low2float(pair[threadIdx.x]), 7.0f);
    IS(__high2float(pair[threadIdx.x]), 8.0f);
    IS(__bfloat162float(b[threadIdx.x]), 2.5f);
    IS(__bfloat162float(hrsqrt(__float2bfloat16(16))), 0.25f);
    IS(__bfloat162float(__hfma(b[0], b[0], b[0])), 8.75f);
    atomicAdd(&h[32], __float2half(1));
    atomicAdd(reinterpret_cast<__nv_bfloat162 *>(&b[32]), __floats2bfloat162_rn(1, 2));
}

int main()
{
    __half *h;
    __half2 *pair;
    __nv_bfloat16 *b;
    unsigned short sum, sums[2];
    int wrong;
    OK(cudaMalloc(&h, 33 * sizeof *h));
    OK(cudaMalloc(&pair, 32 * sizeof *pair));
    OK(cudaMalloc(&b, 34 * sizeof *b));
    OK(cudaMemset(h, 0, 33 * sizeof *h));
    OK(cudaMemset(b, 0, 34 * sizeof *b));
    integers<<<1, 1>>>();
    numbers<<<1, 1>>>();
    halves<<<1, 32>>>(h, pair, b);
    OK(cudaGetLastError());
    OK(cudaMemcpyFromSymbol(&wrong, n_wrong, sizeof wrong));
    OK(cudaMemcpy(&sum, h + 32, sizeof sum, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(sums, b + 32, sizeof sums, cudaMemcpyDeviceToHost));
    EXPECT(wrong == 0);
    EXPECT(sum == 0x5000);                          // 32 as a half
    EXPECT(sums[0] == 0x4200 && sums[1] == 0x4280); // 32 and 64 as bfloat16
    OK(cudaFree(h));
    OK(cudaFree(pair));
    OK(cudaFree(b));
    puts("passed");
}
