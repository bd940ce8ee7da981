// parts.cu: four bytes or two halves of a word at once, and minima and maxima of sums. The expected
// values are those of the CUDA Math API's definitions.
#include "../check.cuh"

__device__ int n_wrong;

#define IS(expression, value)                                                                      \
    do {                                                                                           \
        const unsigned actual = (expression);                                                      \
        if (actual != (value)) {                                                                   \
            printf("%s is 0x%x, not %s\n", #expression, actual, #value);                           \
            atomicAdd(&n_wrong, 1);                                                                \
        }                                                                                          \
    } while (0)

// Bytes: 1 and 2, -1 and 1 (255 and 1), -128 and 127, 127 and -128
#define A 0x01ff807f
#define B 0x02017f80
// Halves: 32767 and 1, -32768 and -2 (32768 and 65534)
#define C 0x7fff8000
#define D 0x0001fffe

__global__ void bytes()
{
    IS(__vadd4(A, B), 0x0300ffffu);
    IS(__vaddss4(A, B), 0x0300ffffu);
    IS(__vaddss4(0x7f80ff7f, 0x01ff0180), 0x7f8000ffu);
    IS(__vaddus4(A, B), 0x03ffffffu);
    IS(__vsub4(A, B), 0xfffe01ffu);
    IS(__vsubss4(A, B), 0xfffe807fu);
    IS(__vsubus4(A, B), 0x00fe0100u);
    IS(__vhaddu4(A, B), 0x01807f7fu);
    IS(__vavgu4(A, B), 0x02808080u);
    IS(__vavgs4(A, B), 0x0200ffffu);
    IS(__vabsdiffu4(A, B), 0x01fe0101u);
    IS(__vabsdiffs4(A, B), 0x0102ffffu);
    IS(__vminu4(A, B), 0x01017f7fu);
    IS(__vmins4(A, B), 0x01ff8080u);
    IS(__vmaxu4(A, B), 0x02ff8080u);
    IS(__vmaxs4(A, B), 0x02017f7fu);
    IS(__vneg4(A), 0xff018081u);
    IS(__vnegss4(A), 0xff017f81u);
    IS(__vabs4(A), 0x0101807fu);
    IS(__vabsss4(A), 0x01017f7fu);
    IS(__vsadu4(A, B), 1u + 254 + 1 + 1);
    IS(__vsads4(A, B), 1u + 2 + 255 + 255);
}

__global__ void halves()
{
    IS(__vadd2(C, D), 0x80007ffeu);
    IS(__vaddss2(C, D), 0x7fff8000u);
    IS(__vaddus2(C, D), 0x8000ffffu);
    IS(__vsubss2(C, D), 0x7ffe8002u);
    IS(__vsubus2(C, D), 0x7ffe0000u);
    IS(__vhaddu2(C, D), 0x4000bfffu);
    IS(__vavgs2(C, D), 0x4000bfffu);
    IS(__vneg2(C), 0x80018000u);
    IS(__vnegss2(C), 0x80017fffu);
    IS(__vabs2(C), 0x7fff8000u);
    IS(__vabsss2(C), 0x7fff7fffu);
    IS(__vsadu2(C, D), 32766u + 32766);
    IS(__vsads2(C, D), 32766u + 32766);
}

__global__ void comparisons()
{
    IS(__vcmpeq4(A, 0x01018080), 0xff00ff00u);
    IS(__vcmpne4(A, 0x01018080), 0x00ff00ffu);
    IS(__vcmpgtu4(A, B), 0x00ffff00u);
    IS(__vcmpgts4(A, B), 0x000000ffu);
    IS(__vcmpgeu4(A, B), 0x00ffff00u);
    IS(__vcmpges4(A, B), 0x000000ffu);
    IS(__vcmpltu4(A, B), 0xff0000ffu);
    IS(__vcmplts4(A, B), 0xffffff00u);
    IS(__vcmpleu4(A, A), 0xffffffffu);
    IS(__vcmples4(A, B), 0xffffff00u);
    IS(__vseteq2(C, 0x7fff0000), 0x00010000u);
    IS(__vsetne2(C, 0x7fff0000), 0x00000001u);
    IS(__vsetgtu2(C, D), 0x00010000u);
    IS(__vsetgts2(C, D), 0x00010000u);
    IS(__vsetltu2(C, D), 0x00000001u);
    IS(__vsetlts2(C, D), 0x00000001u);
    IS(__vsetgeu4(A, B), 0x00010100u);
    IS(__vsetges4(A, B), 0x00000001u);
    IS(__vsetleu4(A, B), 0x01000001u);
    IS(__vsetles4(A, B), 0x01010100u);
}

__global__ void extrema()
{
    bool high, low;
    IS(__vimax3_s32(-1, -3, -2), 0xffffffffu);
    IS(__vimin3_u32(7, 3, 0xffffffff), 3u);
    IS(__vimax3_s16x2(C, D, 0), 0x7fff0000u);
    IS(__vimin3_u16x2(C, D, 0x00020003), 0x00010003u);
    IS(__vimax_s32_relu(-5, -3), 0u);
    IS(__vimin3_s32_relu(5, 9, 7), 5u);
    IS(__vimin_s16x2_relu(C, D), 0x00010000u);
    IS(__viaddmax_s32(0x7fffffff, 1, 5), 5u);
    IS(__viaddmin_u32(0xffffffff, 2, 5), 1u);
    IS(__viaddmax_s16x2(C, D, 0), 0x00007ffeu);
    IS(__viaddmin_s16x2_relu(D, 0x00010001, 0x7fff7fff), 0x00020000u);
    IS(__vibmax_s32(3, 3, &low), 3u);
    IS(low, 1u);
    IS(__vibmin_u32(4, 3, &low), 3u);
    IS(low, 0u);
    IS(__vibmax_u16x2(C, D, &high, &low), 0x7ffffffeu); // (an H200 exchanged high and low)
    IS(__vibmin_s16x2(C, C, &high, &low), C);
    IS(high && low, 1u);
}

__global__ void products()
{
    IS(__dp4a(0x01020304, 0x01010101, 5), 15u);
    IS(__dp4a(make_char4(-1, 2, 3, 4), make_char4(10, 1, 1, 1), 5), 4u);
    IS(__dp4a(0xff000000u, 0xff000001u, 1u), 255u * 255 + 1);
    IS(__dp2a_lo(0x0002ffff, 0x00000305, 1), 2u);
    IS(__dp2a_hi(0x0002ffffu, 0x03050000u, 1u), 2u * 3 + 65535 * 5 + 1);
    IS(__dp2a_lo(make_short2(-1, 2), make_char4(5, 3, 9, 9), 1), 2u);
    IS(__fns(0xf0, 0, 2), 5u);
    IS(__fns(0xf0, 7, -3), 5u);
    IS(__fns(0xf0, 4, 0), 4u);
    IS(__fns(0xf0, 3, 0), 0xffffffffu);
    IS(__fns(0xf0, 5, 4), 0xffffffffu);
}

int main()
{
    int wrong;
    bytes<<<1, 1>>>();
    halves<<<1, 1>>>();
    comparisons<<<1, 1>>>();
    extrema<<<1, 1>>>();
    products<<<1, 1>>>();
    OK(cudaGetLastError());
    OK(cudaMemcpyFromSymbol(&wrong, n_wrong, sizeof wrong));
    EXPECT(wrong == 0);
    puts("passed");
}
