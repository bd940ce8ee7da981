// textures.cu: textures of arrays and of memory, with their filters and address modes; surfaces.
#include <cmath>
#include <cstring>
#include <vector>

#include "../check.cuh"

enum { W = 8, H = 4, D = 3 };

static cudaResourceDesc of_array(cudaArray_t array)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    return r;
}

static cudaTextureObject_t texture(const cudaResourceDesc &r, cudaTextureAddressMode mode,
                                   cudaTextureFilterMode filter, bool normalized,
                                   cudaTextureReadMode read = cudaReadModeElementType)
{
    cudaTextureDesc d = {};
    for (cudaTextureAddressMode &m : d.addressMode)
        m = mode;
    d.filterMode = filter;
    d.readMode = read;
    d.normalizedCoords = normalized;
    d.borderColor[0] = 7;
    cudaTextureObject_t t;
    OK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    return t;
}

__global__ void read_2d(cudaTextureObject_t t, const float2 *at, float *out, int n)
{
    if (const int i = threadIdx.x; i < n)
        out[i] = tex2D<float>(t, at[i].x, at[i].y);
}

static void expect_2d(cudaTextureObject_t t, const std::vector<float2> &at,
                      const std::vector<float> &expected)
{
    float2 *places;
    float *out;
    const int n = at.size();
    OK(cudaMalloc(&places, n * sizeof *places));
    OK(cudaMallocManaged(&out, n * sizeof *out));
    OK(cudaMemcpy(places, at.data(), n * sizeof *places, cudaMemcpyHostToDevice));
    read_2d<<<1, 32>>>(t, places, out, n);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
        if (fabsf(out[i] - expected[i]) > 1e-5f)
            fprintf(stderr, "at (%g, %g): %g, expected %g\n", at[i].x, at[i].y, out[i],
                    expected[i]);
        EXPECT(fabsf(out[i] - expected[i]) <= 1e-5f);
    }
    OK(cudaFree(places));
    OK(cudaFree(out));
    OK(cudaDestroyTextureObject(t));
}

/* Element (x, y) is 10 y + x. */
static void arrays_of_two_dimensions()
{
    float host[H][W], back[H][W] = {};
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            host[y][x] = 10 * y + x;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array, copy;
    OK(cudaMallocArray(&array, &format, W, H));
    OK(cudaMemcpy2DToArray(array, 0, 0, host, sizeof host[0], sizeof host[0], H,
                           cudaMemcpyHostToDevice));
    const cudaResourceDesc r = of_array(array);

    expect_2d(texture(r, cudaAddressModeClamp, cudaFilterModePoint, false),
              {{0, 0}, {2.9f, 1.2f}, {-5, 2}, {100, 3.5f}, {3, 100}}, {0, 12, 20, 37, 33});
    expect_2d(texture(r, cudaAddressModeClamp, cudaFilterModeLinear, false),
              {{2.5f, 1.5f}, {3, 1.5f}, {2.75f, 2}, {0, 0}, {100, 100}, {2.5f + 1 / 1024.f, 1.5f}},
              {12, 12.5f, 17.25f, 0, 37, 12});
    expect_2d(texture(r, cudaAddressModeBorder, cudaFilterModePoint, false),
              {{-1, 0}, {1, 1}, {1, 4}, {7.5f, 3.5f}}, {7, 11, 7, 37});
    expect_2d(texture(r, cudaAddressModeBorder, cudaFilterModeLinear, false), {{0, 0.5f}}, {3.5f});
    expect_2d(texture(r, cudaAddressModeWrap, cudaFilterModePoint, true),
              {{0.25f, 0.25f}, {1.25f, 0}, {-0.125f, 0}, {0, 2.75f}}, {12, 2, 7, 30});
    expect_2d(texture(r, cudaAddressModeWrap, cudaFilterModeLinear, true), {{0, 0.125f}}, {3.5f});
    expect_2d(texture(r, cudaAddressModeMirror, cudaFilterModePoint, true),
              {{1.0625f, 0}, {-0.0625f, 0}, {2.0625f, 0}}, {7, 0, 0});
    /* wrapping is for normalized coordinates */
    expect_2d(texture(r, cudaAddressModeWrap, cudaFilterModePoint, false), {{9, 0}}, {7});

    cudaMemcpy3DParms part = {};
    OK(cudaMallocArray(&copy, &format, W, H));
    part.srcArray = array;
    part.srcPos = make_cudaPos(1, 2, 0);
    part.dstArray = copy;
    part.extent = make_cudaExtent(3, 2, 1);
    part.kind = cudaMemcpyDeviceToDevice;
    OK(cudaMemcpy2DArrayToArray(copy, 0, 0, array, 0, 0, sizeof host[0], H));
    OK(cudaMemcpy3D(&part));
    OK(cudaMemcpy2DFromArray(back, sizeof back[0], copy, 0, 0, sizeof back[0], H,
                             cudaMemcpyDeviceToHost));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            EXPECT(back[y][x] == (y < 2 && x < 3 ? host[y + 2][x + 1] : host[y][x]));
    EXPECT(cudaMemcpy2DToArray(array, 0, 1, host, sizeof host[0], sizeof host[0], H,
                               cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    OK(cudaFreeArray(copy));
    OK(cudaFreeArray(array));
}

__global__ void read_3d(cudaTextureObject_t t, float *out)
{
    out[0] = tex3D<float>(t, 2, 1, 1);
    tex3D(&out[1], t, 1.5f, 0.5f, 2.5f);
}

static void arrays_of_three_dimensions()
{
    float host[D][H][W];
    for (int i = 0; i < D * H * W; i++)
        (&host[0][0][0])[i] = i;
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    OK(cudaMalloc3DArray(&array, &format, make_cudaExtent(W, H, D)));
    cudaMemcpy3DParms all = {};
    all.srcPtr = make_cudaPitchedPtr(host, sizeof host[0][0], W, H);
    all.dstArray = array;
    all.extent = make_cudaExtent(W, H, D);
    all.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3DAsync(&all));
    float *out;
    OK(cudaMallocManaged(&out, 2 * sizeof *out));
    cudaTextureObject_t t =
        texture(of_array(array), cudaAddressModeClamp, cudaFilterModeLinear, false);
    read_3d<<<1, 1>>>(t, out);
    OK(cudaDeviceSynchronize());
    const float low = host[0][0][1], high = host[1][1][2];
    EXPECT(out[0] == (low + high) / 2 && out[1] == host[2][0][1]);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(array));
    OK(cudaFree(out));
}

struct linear_seen {
    uchar4 bytes;
    float4 normalized;
    float pitched;
    int2 pair;
    short first, outside;
};

__global__ void read_linear(cudaTextureObject_t bytes, cudaTextureObject_t normalized,
                            cudaTextureObject_t pitched, cudaTextureObject_t pairs,
                            cudaTextureObject_t shorts, linear_seen *out)
{
    out->bytes = tex1Dfetch<uchar4>(bytes, 1);
    out->normalized = tex1Dfetch<float4>(normalized, 1);
    out->pitched = tex2D<float>(pitched, 1.5f, 1.5f);
    out->pair = tex1Dfetch<int2>(pairs, 1);
    out->first = tex1Dfetch<short>(shorts, 0);
    out->outside = tex1Dfetch<short>(shorts, 1 << 20);
}

static cudaTextureObject_t of_linear(void *p, size_t bytes, cudaChannelFormatDesc format,
                                     cudaTextureReadMode read)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = p;
    r.res.linear.desc = format;
    r.res.linear.sizeInBytes = bytes;
    return texture(r, cudaAddressModeClamp, cudaFilterModePoint, false, read);
}

static void memory()
{
    enum { BYTES = 64 };
    unsigned char host[BYTES], *p;
    linear_seen *seen;
    for (int i = 0; i < BYTES; i++)
        host[i] = 255 - 17 * (i % 16);
    size_t pitch;
    float *rows, two_rows[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    OK(cudaMalloc(&p, BYTES));
    OK(cudaMallocManaged(&seen, sizeof *seen));
    OK(cudaMemcpy(p, host, BYTES, cudaMemcpyHostToDevice));
    OK(cudaMallocPitch(&rows, &pitch, sizeof two_rows[0], 2));
    OK(cudaMemcpy2D(rows, pitch, two_rows, sizeof two_rows[0], sizeof two_rows[0], 2,
                    cudaMemcpyHostToDevice));
    cudaResourceDesc r = {}, found;
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D = {rows, cudaCreateChannelDesc<float>(), 4, 2, pitch};
    const cudaTextureObject_t objects[] = {
        of_linear(p, BYTES, cudaCreateChannelDesc<uchar4>(), cudaReadModeElementType),
        of_linear(p, BYTES, cudaCreateChannelDesc<uchar4>(), cudaReadModeNormalizedFloat),
        texture(r, cudaAddressModeClamp, cudaFilterModeLinear, false),
        of_linear(p, BYTES, cudaCreateChannelDesc<int2>(), cudaReadModeElementType),
        of_linear(p, BYTES, cudaCreateChannelDesc<short>(), cudaReadModeElementType)};
    read_linear<<<1, 1>>>(objects[0], objects[1], objects[2], objects[3], objects[4], seen);
    OK(cudaDeviceSynchronize());
    int2 pair;
    short first;
    memcpy(&pair, host + 8, sizeof pair);
    memcpy(&first, host, sizeof first);
    EXPECT(seen->bytes.x == host[4] && seen->bytes.w == host[7]);
    EXPECT(seen->normalized.x == host[4] / 255.f && seen->normalized.w == host[7] / 255.f);
    EXPECT(seen->pitched == 6 && seen->pair.x == pair.x && seen->pair.y == pair.y);
    EXPECT(seen->first == first && seen->outside == 0);
    OK(cudaGetTextureObjectResourceDesc(&found, objects[2]));
    EXPECT(found.res.pitch2D.devPtr == rows);

    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    r.res.pitch2D.devPtr = rows + 1; /* not aligned */
    EXPECT(cudaCreateTextureObject(&t, &r, &d, nullptr) == cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    for (cudaTextureObject_t object : objects)
        OK(cudaDestroyTextureObject(object));
    OK(cudaFree(p));
    OK(cudaFree(rows));
    OK(cudaFree(seen));
}

__global__ void transpose(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
    const int x = threadIdx.x, y = threadIdx.y;
    short2 value = surf2Dread<short2>(from, x * sizeof value, y);
    value.y++;
    surf2Dwrite(value, to, y * sizeof value, x);
    surf2Dwrite(value, to, -4, 0, cudaBoundaryModeZero); /* has no effect */
}

static void surfaces()
{
    short2 host[H][W], back[W][H];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            host[y][x] = make_short2(x, y);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<short2>();
    cudaArray_t from, to;
    OK(cudaMallocArray(&from, &format, W, H, cudaArraySurfaceLoadStore));
    OK(cudaMallocArray(&to, &format, H, W, cudaArraySurfaceLoadStore));
    cudaSurfaceObject_t in, out;
    const cudaResourceDesc of_from = of_array(from), of_to = of_array(to);
    OK(cudaCreateSurfaceObject(&in, &of_from));
    OK(cudaCreateSurfaceObject(&out, &of_to));
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    OK(cudaMemcpy2DToArrayAsync(from, 0, 0, host, sizeof host[0], sizeof host[0], H,
                                cudaMemcpyHostToDevice, stream));
    transpose<<<1, dim3(W, H), 0, stream>>>(in, out);
    OK(cudaMemcpy2DFromArrayAsync(back, sizeof back[0], to, 0, 0, sizeof back[0], W,
                                  cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamSynchronize(stream));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            EXPECT(back[x][y].x == x && back[x][y].y == y + 1);
    OK(cudaDestroySurfaceObject(in));
    OK(cudaDestroySurfaceObject(out));
    OK(cudaFreeArray(from));
    OK(cudaFreeArray(to));
    OK(cudaStreamDestroy(stream));
}

int main()
{
    arrays_of_two_dimensions();
    arrays_of_three_dimensions();
    memory();
    surfaces();
    puts("passed");
}
