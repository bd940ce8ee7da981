// ptx_instructions.cu: inline PTX as programs use it: numbers of many words with carries, bits,
// predicates, registers, vectors, copies to shared memory. The expected values are those of the
// PTX ISA's definitions.
#include <cstdint>

#include "../check.cuh"

__device__ int n_wrong;

#define IS(actual, expected)                                                                       \
    do {                                                                                           \
        if ((actual) != (expected)) {                                                              \
            printf("line %d: %s is not %s\n", __LINE__, #actual, #expected);                       \
            atomicAdd(&n_wrong, 1);                                                                \
        }                                                                                          \
    } while (0)

// One instruction of two or three operands.
#define TWO(instruction, a, b)                                                                     \
    ([](uint32_t x, uint32_t y) {                                                                  \
        uint32_t result;                                                                           \
        asm(instruction " %0, %1, %2;" : "=r"(result) : "r"(x), "r"(y));                           \
        return result;                                                                             \
    }(a, b))
#define THREE(instruction, a, b, c)                                                                \
    ([](uint32_t x, uint32_t y, uint32_t z) {                                                      \
        uint32_t result;                                                                           \
        asm(instruction " %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(y), "r"(z));               \
        return result;                                                                             \
    }(a, b, c))

__device__ void add_160(uint32_t *r, const uint32_t *a, const uint32_t *b)
{
    asm("add.cc.u32 %0, %2, %4;\n\taddc.cc.u32 %1, %3, %5;\n\t"
        : "=r"(r[0]), "=r"(r[1])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]));
    asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r[2]) : "r"(a[2]), "r"(b[2]));
    asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r[3]) : "r"(a[3]), "r"(b[3]));
    asm volatile("addc.u32 %0, %1, %2;" : "=r"(r[4]) : "r"(a[4]), "r"(b[4]));
}

__global__ void numbers()
{
    const uint32_t a[5] = {0xffffffff, 0xffffffff, 1, 0xffffffff, 5},
                   b[5] = {1, 0, 0xfffffffe, 0, 7};
    uint32_t r[5], low, high;
    uint64_t wide;
    add_160(r, a, b);
    IS(r[0] | r[1] | r[2] | r[3], 0u);
    IS(r[4], 13u);
    asm("{ sub.cc.u32 %0, %2, %3; subc.u32 %1, %4, 0; }"
        : "=r"(low), "=r"(high)
        : "r"(3), "r"(5), "r"(9));
    IS(low, 0xfffffffeu);
    IS(high, 8u);
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(0xffffffffu), "r"(3));
    IS(wide, 0x2fffffffdull);
    asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(wide) : "r"(-2), "r"(3), "l"(10ll));
    IS(wide, 4ull);
    asm("mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, 0;"
        : "=r"(low), "=r"(high)
        : "r"(0xffffffffu), "r"(2), "r"(5));
    IS(low, 3u);
    IS(high, 2u);
    asm("mul.hi.u64 %0, %1, %2;" : "=l"(wide) : "l"(1ull << 63), "l"(6ull));
    IS(wide, 3ull);
    IS(TWO("mul.hi.s32", 0xffffffff, 5), 0xffffffffu);
    IS(THREE("mad.lo.u32", 3, 4, 5), 17u);
    IS(TWO("min.s32", 0xffffffff, 3), 0xffffffffu);
    IS(TWO("max.u32", 0xffffffff, 3), 0xffffffffu);
    IS(THREE("sad.u32", 3, 8, 1), 6u);
}

__global__ void bits()
{
    uint32_t r;
    uint64_t wide;
    IS(THREE("bfe.s32", 0xf0, 4, 4), 0xffffffffu);
    IS(THREE("bfe.u32", 0xf0, 4, 4), 15u);
    asm("bfi.b32 %0, %1, %2, 4, 8;" : "=r"(r) : "r"(0xab), "r"(0xffffffffu));
    IS(r, 0xfffffabfu);
    asm("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(r) : "r"(0xf0f0), "r"(0x1234), "r"(0xabcd));
    IS(r, 0x1b3du);
    IS(THREE("prmt.b32", 0x33221100, 0x77665544, 0x7531), 0x77553311u);
    IS(THREE("shf.l.wrap.b32", 0x80000000, 1, 1), 3u);
    IS(TWO("shr.s32", 0x80000000, 40), 0xffffffffu);
    IS(TWO("xor.b32", 6, 5), 3u);
    asm("popc.b64 %0, %1;" : "=r"(r) : "l"(~0ull));
    IS(r, 64u);
    asm("clz.b32 %0, %1;" : "=r"(r) : "r"(1));
    IS(r, 31u);
    asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(0x1000));
    IS(r, 12u);
    asm("brev.b32 %0, %1;" : "=r"(r) : "r"(1));
    IS(r, 0x80000000u);
    asm("mov.b64 %0, {%1, %2};" : "=l"(wide) : "r"(1), "r"(2));
    IS(wide, 0x200000001ull);
    asm("{ .reg .b32 first; mov.b64 {first, %0}, %1; }" : "=r"(r) : "l"(wide));
    IS(r, 2u);
}

__global__ void floats()
{
    float x;
    int i;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(3.0f));
    IS(x, 8.0f);
    asm("fma.rn.f32 %0, %1, %2, 0f3F800000;" : "=f"(x) : "f"(2.0f), "f"(3.0f)); // + 1
    IS(x, 7.0f);
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(i) : "f"(-2.7f));
    IS(i, -2);
    asm("cvt.rn.f32.s32 %0, %1;" : "=f"(x) : "r"(-3));
    IS(x, -3.0f);
    asm("mov.b32 %0, %1;" : "=r"(i) : "f"(1.0f));
    IS(i, 0x3f800000);
    // the larger one, by a predicate and by a choice
    asm("{\n\t.reg .pred larger;   // %1 > %2\n\tsetp.gt.f32 larger, %1, %2;\n\tselp.f32 %0, %1, "
        "%2, larger;\n\t@!larger mov.f32 %0, %2;\n\t}"
        : "=f"(x)
        : "f"(2.0f), "f"(5.0f));
    IS(x, 5.0f);
}

__global__ void warps(unsigned *out)
{
    uint32_t r, inside;
    asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %2, 1, 0, 0xffffffff;"
                 " selp.u32 %1, 1, 0, p; }"
                 : "=r"(r), "=r"(inside)
                 : "r"(threadIdx.x));
    IS(r, threadIdx.x ? threadIdx.x - 1 : 0);
    IS(inside, threadIdx.x ? 1u : 0u);
    asm volatile("shfl.sync.bfly.b32 %0, %1, 3, 0x1f, 0xffffffff;" : "=r"(r) : "r"(threadIdx.x));
    IS(r, threadIdx.x ^ 3);
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x181f, -1;" : "=r"(r) : "r"(threadIdx.x), "r"(5));
    IS(r, (threadIdx.x & 24) + 5); // of the section of 8
    asm volatile("{ .reg .pred odd; setp.ne.u32 odd, %1, 0;"
                 " vote.sync.ballot.b32 %0, odd, 0xffffffff; }"
                 : "=r"(r)
                 : "r"(threadIdx.x & 1));
    IS(r, 0xaaaaaaaau);
    asm volatile("mov.u32 %0, %%ntid.x;" : "=r"(r));
    IS(r, 32u);
    asm volatile("red.global.add.u32 [%0], 2;" : : "l"(out) : "memory");
    asm volatile("atom.global.max.u32 %0, [%1 + 4], %2;"
                 : "=r"(r)
                 : "l"(out), "r"(threadIdx.x)
                 : "memory");
}

__global__ void copies(const int4 *in, int4 *out)
{
    __shared__ int4 tile[32];
    uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(&tile[threadIdx.x])), first;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(to), "l"(in + threadIdx.x));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 0;" : : : "memory");
    asm volatile("bar.sync 0;" : : : "memory");
    asm volatile("ld.shared.u32 %0, [%1 + 4];" : "=r"(first) : "r"(to));
    int4 other = tile[31 - threadIdx.x];
    asm volatile("st.global.v4.s32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(out + threadIdx.x), "r"(other.x), "r"(first), "r"(other.z), "r"(other.w)
                 : "memory");
}

int main()
{
    int wrong;
    unsigned *counts;
    int4 *in, *out;
    OK(cudaMallocManaged(&counts, 2 * sizeof *counts));
    OK(cudaMallocManaged(&in, 32 * sizeof *in));
    OK(cudaMallocManaged(&out, 32 * sizeof *out));
    counts[0] = counts[1] = 0;
    for (int i = 0; i < 32; i++)
        in[i] = make_int4(i, 10 * i, 20 * i, 30 * i);
    numbers<<<1, 1>>>();
    bits<<<1, 1>>>();
    floats<<<1, 1>>>();
    warps<<<1, 32>>>(counts);
    copies<<<1, 32>>>(in, out);
    OK(cudaGetLastError());
    OK(cudaMemcpyFromSymbol(&wrong, n_wrong, sizeof wrong));
    EXPECT(wrong == 0);
    EXPECT(counts[0] == 64 && counts[1] == 31);
    for (int i = 0; i < 32; i++)
        EXPECT(out[i].x == 31 - i && out[i].y == 10 * i && out[i].w == 30 * (31 - i));
    OK(cudaFree(counts));
    OK(cudaFree(in));
    OK(cudaFree(out));
    puts("passed");
}
