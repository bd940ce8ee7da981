/* registration.c: the functions that code compiled by nvcc calls before main and around <<<>>>, so
 * that such a program links and runs (nvcc -cudart shared). Its kernels exist as GPU code only:
 * they have names and take part in the order of operations, but compute nothing.
 *
 * The functions are those that crt/host_runtime.h and crt/device_functions.h of the toolkit
 * declare. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "fat_binary.h"

enum { MAX_PENDING_CONFIGURATIONS = 16, NAME_BYTES = 64 };

/* A kernel of a fat binary. Lives as long as the program: work in flight may name it. */
struct compiled_kernel {
    struct simgpu_kernel kernel;
    char name[NAME_BYTES];
    struct compiled_kernel *next; /* of the same fat binary */
};

struct fat_binary {
    const void *code; /* for the GPU */
    struct compiled_kernel *kernels;
};

/* What <<<>>> leaves for the stub of the kernel. */
struct configuration {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    struct simgpu_caller caller; /* where the program configures the launch */
};

static struct compiled_kernel *unloaded;                 /* of fat binaries that are gone */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of that list */
static __thread struct configuration pending[MAX_PENDING_CONFIGURATIONS];
static __thread int n_pending;

/* ---- fat binaries ---------------------------------------------------------------------------- */

EXPORT void **__cudaRegisterFatBinary(void *fat_cubin)
{
    struct fat_binary *binary =
        needed(calloc(1, sizeof *binary), "the kernels of a program compiled by nvcc");
    binary->code = fat_cubin;
    return (void **)binary;
}

EXPORT void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

EXPORT void __cudaUnregisterFatBinary(void **handle)
{
    struct fat_binary *binary = (struct fat_binary *)handle;
    pthread_mutex_lock(&lock);
    while (binary->kernels) {
        struct compiled_kernel *k = binary->kernels;
        kernel_forget(&k->kernel);
        binary->kernels = k->next;
        k->next = unloaded;
        unloaded = k;
    }
    pthread_mutex_unlock(&lock);
    free(binary);
}

EXPORT char __cudaInitModule(void **handle)
{
    (void)handle;
    return 1;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* The last plain identifier of a mangled name: _Z6matmulPfS_i is matmul, _ZN1aL1bEv is b. Others
 * stay as they are. */
static void plain_name(char *name, const char *mangled)
{
    /* nvcc -rdc=true: before its name stand __nv_static_ and a number that is different in each
     * file */
    for (const char *inner = mangled; strncmp(mangled, "__nv_static_", 12) == 0 && inner;
         inner = strstr(inner + 1, "_Z"))
        if (inner[0] == '_' && inner[1] == 'Z' &&
            (isdigit((unsigned char)inner[2]) || inner[2] == 'N' || inner[2] == 'L'))
            mangled = inner;
    const char *at = mangled, *best = mangled;
    size_t length = strlen(mangled);
    bool nested = false, is_mangled = strncmp(at, "_Z", 2) == 0;
    if (is_mangled) {
        at += 2;
        nested = *at == 'N';
        at += nested;
        at += *at == 'L'; /* not seen outside of its file */
    }
    while (is_mangled && isdigit((unsigned char)*at)) {
        char *identifier;
        unsigned long n = strtoul(at, &identifier, 10);
        if (n > strlen(identifier))
            break;
        best = identifier;
        length = n;
        at = identifier + n;
        at += *at == 'L';
        is_mangled = nested; /* one more only in a namespace */
    }
    snprintf(name, NAME_BYTES, "%.*s", (int)length, best);
}

EXPORT void __cudaRegisterFunction(void **handle, const char *host_function, char *device_function,
                                   const char *device_name, int thread_limit, uint3 *tid,
                                   uint3 *bid, dim3 *block, dim3 *grid, int *warp_size)
{
    (void)device_function, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid,
        (void)warp_size;
    if (kernel_find(host_function))
        return; /* g++ has compiled it too, body and all */
    struct fat_binary *binary = (struct fat_binary *)handle;
    struct compiled_kernel *k = needed(calloc(1, sizeof *k), "kernel %s", device_name);
    plain_name(k->name, device_name);
    k->kernel.entry = host_function;
    k->kernel.name = k->name;
    k->next = binary->kernels;
    binary->kernels = k;
    simgpu_register_kernel(&k->kernel);
}

EXPORT cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *entry)
{
    const struct simgpu_kernel *found = kernel_find(entry);
    if (!kernel)
        return error_set(cudaErrorInvalidValue);
    if (!found)
        return error_set(cudaErrorInvalidDeviceFunction);
    *kernel = (cudaKernel_t)(uintptr_t)found;
    return cudaSuccess;
}

/* A handle is the address of the kernel's description. */
static cudaError_t launch(cudaKernel_t handle, dim3 grid, dim3 block, void **args,
                          size_t shared_bytes, cudaStream_t stream)
{
    const struct simgpu_kernel *kernel = kernel_find((const void *)handle);
    if (kernel && !kernel->call)
        kernel_say_empty(kernel);
    return cudaLaunchKernel((const void *)handle, grid, block, args, shared_bytes, stream);
}

EXPORT cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args,
                                      size_t shared_bytes, cudaStream_t stream)
{
    return launch(kernel, grid, block, args, shared_bytes, stream);
}

EXPORT cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void **args,
                                           size_t shared_bytes, cudaStream_t stream)
{
    return launch(kernel, grid, block, args, shared_bytes, stream ? stream : cudaStreamPerThread);
}

/* ---- <<<>>> ---------------------------------------------------------------------------------- */

EXPORT unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                            struct CUstream_st *stream)
{
    if (n_pending == MAX_PENDING_CONFIGURATIONS)
        return error_set(cudaErrorLaunchOutOfResources);
    pending[n_pending++] =
        (struct configuration){grid, block, shared_bytes, stream,
                               caller_of(__builtin_frame_address(0), thread_self()->stack_end)};
    return cudaSuccess;
}

EXPORT cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes,
                                              void *stream)
{
    if (n_pending == 0)
        return error_set(cudaErrorMissingConfiguration);
    const struct configuration *c = &pending[--n_pending];
    *grid = c->grid;
    *block = c->block;
    *shared_bytes = c->shared_bytes;
    *(cudaStream_t *)stream = c->stream;
    thread_self()->launcher = c->caller;
    return cudaSuccess;
}

/* The host function of a kernel was called, and not by <<<>>>. */
EXPORT _Noreturn void simgpu_not_launched(const char *kernel)
{
    fprintf(stderr,
            "simgpu: the program calls the kernel %s like a function. nvcc does not compile "
            "such a call. It compiles a call through a pointer, but on a GPU the kernel then "
            "does not run. Launch it: %s<<<blocks, threads>>>(...)\n",
            kernel, kernel);
    exit(EXIT_FAILURE);
}

/* ---- variables ------------------------------------------------------------------------------- */

/* Its initial value is in the GPU's code. */
static void add_variable(void **handle, const void *symbol, void *address, size_t bytes,
                         bool is_shared, const char *device_name)
{
    const struct fat_binary *binary = (const struct fat_binary *)handle;
    char name[NAME_BYTES];
    if (binary)
        fat_binary_value(binary->code, device_name, address, bytes);
    plain_name(name, device_name);
    variable_add(symbol, address, bytes, is_shared, name);
}

EXPORT void __cudaRegisterVar(void **handle, char *host_variable, char *device_address,
                              const char *device_name, int external, size_t bytes, int constant,
                              int global)
{
    (void)device_address, (void)external, (void)constant, (void)global;
    add_variable(handle, host_variable, host_variable, bytes, false, device_name);
}

EXPORT void __cudaRegisterManagedVar(void **handle, void **host_pointer, char *device_address,
                                     const char *device_name, int external, size_t bytes,
                                     int constant, int global)
{
    (void)device_address, (void)external, (void)constant, (void)global;
    void *memory = needed(calloc(1, bytes ? bytes : 1), "the managed variable %s", device_name);
    *host_pointer = memory;
    add_variable(handle, host_pointer, memory, bytes, true, device_name);
}

EXPORT void __cudaRegisterHostVar(void **handle, const char *device_name, char *host_variable,
                                  size_t bytes)
{
    add_variable(handle, host_variable, host_variable, bytes, true, device_name);
}
