/* arrays.c: arrays, and objects of textures and surfaces. The rows were written from the Runtime
 * API reference (CUDA 13.0); an H200 answered the same. */
#include "../situation.h"

enum { WIDTH = 4, HEIGHT = 3, ROW = WIDTH * (int)sizeof(float) };

static const struct cudaChannelFormatDesc one_float = {.x = 32, .f = cudaChannelFormatKindFloat};

static cudaArray_t new_array(unsigned flags)
{
    cudaArray_t array;
    MUST(cudaMallocArray(&array, &one_float, WIDTH, HEIGHT, flags));
    return array;
}

static void answer_info(cudaArray_t array)
{
    struct cudaChannelFormatDesc desc;
    struct cudaExtent extent;
    unsigned flags;
    answer(cudaArrayGetInfo(&desc, &extent, &flags, array));
    answer_fact("extent", "%zu %zu %zu", extent.width, extent.height, extent.depth);
    answer_fact("bits", "%d %d %d %d", desc.x, desc.y, desc.z, desc.w);
    answer_fact("flags", "%u", flags);
}

SITUATION("what an array of 4 x 3 floats says of itself", "extent: 4 3 0", "bits: 32 0 0 0",
          "flags: 0")
{
    cudaArray_t array = new_array(0);
    answer_info(array);
    struct cudaChannelFormatDesc desc;
    answer(cudaGetChannelDesc(&desc, array));
    fact("of floats", "1", "%d", desc.f == cudaChannelFormatKindFloat);
    answer(cudaFreeArray(array));
    answer(cudaFreeArray(NULL));
}

SITUATION("what an array of 4 x 3 x 2 floats for surfaces says of itself", "extent: 4 3 2",
          "bits: 32 0 0 0", "flags: 2")
{
    cudaArray_t array;
    MUST(cudaMalloc3DArray(&array, &one_float, (struct cudaExtent){WIDTH, HEIGHT, 2},
                           cudaArraySurfaceLoadStore));
    answer_info(array);
    answer(cudaFreeArray(array));
}

SITUATION("rows into an array, part of it into another, and back; a row too many")
{
    float in[HEIGHT][WIDTH], out[HEIGHT][WIDTH] = {{0}};
    cudaArray_t a = new_array(0), b = new_array(0);
    for (int i = 0; i < HEIGHT * WIDTH; i++)
        in[i / WIDTH][i % WIDTH] = (float)i;
    answer(cudaMemcpy2DToArray(a, 0, 0, in, ROW, ROW, HEIGHT, cudaMemcpyHostToDevice));
    answer(cudaMemcpy2DToArrayAsync(b, 0, 0, in, ROW, ROW, HEIGHT, cudaMemcpyHostToDevice, 0));
    answer(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 1, ROW, 1, cudaMemcpyDeviceToDevice));
    answer(cudaMemcpy2DFromArray(out, ROW, b, 0, 0, ROW, HEIGHT, cudaMemcpyDeviceToHost));
    fact("the first row", "4 7", "%g %g", out[0][0], out[0][WIDTH - 1]);
    fact("the second row", "4 7", "%g %g", out[1][0], out[1][WIDTH - 1]);
    answer(cudaMemcpy2DFromArrayAsync(out, ROW, b, 0, 0, ROW, 1, cudaMemcpyDeviceToHost, 0));
    gives(InvalidValue, cudaMemcpy2DToArray(a, 0, 1, in, ROW, ROW, HEIGHT, cudaMemcpyHostToDevice));
    answer(cudaDeviceSynchronize());
}

SITUATION("an object of a texture: made, asked, destroyed")
{
    struct cudaResourceDesc resource, got;
    struct cudaTextureDesc texture, described;
    cudaTextureObject_t object = 0;
    memset(&resource, 0, sizeof resource);
    memset(&texture, 0, sizeof texture);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = new_array(0);
    texture.filterMode = cudaFilterModeLinear;
    texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
    answer(cudaCreateTextureObject(&object, &resource, &texture, NULL));
    fact("object", "not 0", "%s", object ? "not 0" : "0");
    answer(cudaGetTextureObjectResourceDesc(&got, object));
    fact("of the array", "1", "%d", got.res.array.array == resource.res.array.array);
    answer(cudaGetTextureObjectTextureDesc(&described, object));
    fact("linear", "1", "%d", described.filterMode == cudaFilterModeLinear);
    answer(cudaDestroyTextureObject(object));
}

SITUATION("an object of a surface: made, asked, destroyed")
{
    struct cudaResourceDesc resource, got;
    cudaSurfaceObject_t object = 0;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = new_array(cudaArraySurfaceLoadStore);
    answer(cudaCreateSurfaceObject(&object, &resource));
    fact("object", "not 0", "%s", object ? "not 0" : "0");
    answer(cudaGetSurfaceObjectResourceDesc(&got, object));
    fact("of the array", "1", "%d", got.res.array.array == resource.res.array.array);
    answer(cudaDestroySurfaceObject(object));
}
