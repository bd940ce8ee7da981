/* test_runtime.c: the parts of the simulated runtime that say what it is: every symbol, errors,
 * devices, attributes, occupancy, profiles. */
#include <criterion/criterion.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/simgpu/simgpu.h"

/* Reads the next line that is no comment; false at the end. */
static bool next_line(FILE *f, char *line, int size)
{
    while (fgets(line, size, f)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] && line[0] != '#')
            return true;
    }
    return false;
}

static FILE *open_file(const char *path)
{
    FILE *f = fopen(path, "r");
    cr_assert(f, "%s: tests run from the root of the repository", path);
    return f;
}

/* Runs fn in a child and gives what it wrote on stderr; returns its exit status, -1 if it was
 * killed. */
static int in_child(void (*fn)(void), char *text, size_t size)
{
    int fds[2], status;
    size_t n = 0;
    ssize_t got;
    cr_assert_eq(pipe(fds), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(fds[1], STDERR_FILENO);
        fn();
        _exit(0);
    }
    close(fds[1]);
    while (n < size - 1 && (got = read(fds[0], text + n, size - 1 - n)) > 0)
        n += (size_t)got;
    text[n] = '\0';
    close(fds[0]);
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- symbols --------------------------------------------------------------------------------- */

static const char *const modelled[] = {
#define CALL(name, cost, rules) #name,
#include "common/simgpu/api/calls.def"
#undef CALL
};

Test(runtime, exports_every_function_of_nvidias_library)
{
    enum { N_MODELLED = sizeof modelled / sizeof modelled[0] };
    FILE *f = open_file("grader/tests/simgpu/runtime_symbols.txt");
    char name[256];
    int n = 0;
    for (; next_line(f, name, sizeof name); n++)
        cr_expect(dlsym(RTLD_DEFAULT, name), "%s is missing", name);
    fclose(f);
    for (int i = 0; i < N_MODELLED; i++)
        cr_expect(dlsym(RTLD_DEFAULT, modelled[i]), "%s is missing", modelled[i]);
    cr_assert_gt(n + N_MODELLED, 400);
}

Test(runtime, exports_its_functions_under_nvidias_version)
{
    cr_assert(dlvsym(RTLD_DEFAULT, "cudaMemcpyAsync", "libcudart.so.13"));
    cr_assert(dlvsym(RTLD_DEFAULT, "cudaMemcpyAsync_ptsz", "libcudart.so.13"));
    cr_assert_null(dlsym(RTLD_DEFAULT, "profile_load"), "private names stay private");
}

static void call_what_is_not_modelled(void)
{
    cudaMipmappedArray_t array;
    struct cudaChannelFormatDesc d = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    for (int i = 0; i < 3; i++)
        if (cudaMallocMipmappedArray(&array, &d, (struct cudaExtent){16, 16, 0}, 4, 0) !=
            cudaErrorNotSupported)
            _exit(1);
    if (cudaGetLastError() != cudaErrorNotSupported)
        _exit(2);
}

Test(runtime, what_is_not_modelled_names_itself_once)
{
    char text[1024];
    cr_assert_eq(in_child(call_what_is_not_modelled, text, sizeof text), 0);
    cr_assert_str_eq(text,
                     "simgpu: cudaMallocMipmappedArray is not modeled by the simulated device; it "
                     "returns cudaErrorNotSupported\n");
}

#if CUDART_VERSION >= 12050
Test(runtime, driver_entry_points_are_not_found)
{
    void *function = &function;
    enum cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSuccess;
    cr_assert_eq(cudaGetDriverEntryPointByVersion("cuStreamCreate", &function, 13000, 0, &status),
                 cudaSuccess);
    cr_assert_eq(status, cudaDriverEntryPointSymbolNotFound);
    cr_assert_null(function);
    cr_assert_eq(cudaGetDriverEntryPointByVersion("cuStreamCreate", &function, 13000, 0, NULL),
                 cudaErrorSymbolNotFound);
    cr_assert_eq(cudaGetDriverEntryPointByVersion(NULL, &function, 13000, 0, &status),
                 cudaErrorInvalidValue);
}
#endif

/* ---- errors ---------------------------------------------------------------------------------- */

/* Does not compile (-Wswitch) when CUDA 13.0's headers have an error that errors.def has not. */
static const char *name_in_header(cudaError_t e)
{
#define ERROR(code, name, text)                                                                    \
    case cudaError##name:                                                                          \
        return "cudaError" #name;
#if CUDART_VERSION >= 13000
#define ERROR_13 ERROR
#else
#define ERROR_13(...)
#endif
#define ERROR_LATER(...)
    switch (e) {
    case cudaSuccess:
        return "cudaSuccess";
#include "common/simgpu/api/errors.def"
#if CUDART_VERSION == 13000
    case cudaErrorApiFailureBase:
        break;
#else
    default:
        break;
#endif
    }
    return NULL;
}

Test(runtime, names_every_error_of_the_headers)
{
    int n = 0;
    for (int code = 0; code < 1000; code++) {
        const char *name = name_in_header((cudaError_t)code);
        if (!name)
            continue;
        n++;
        cr_expect_str_eq(cudaGetErrorName((cudaError_t)code), name);
        cr_expect_str_neq(cudaGetErrorString((cudaError_t)code), "unrecognized error code",
                          "text of %s", name);
    }
    cr_assert_gt(n, 100);
}

/* ---- devices --------------------------------------------------------------------------------- */

/* What the simulated device does not model is 0 there, whatever an H200 has. */
static bool not_modelled(int attribute)
{
    static const int list[] = {112, 114, 116, 117, 118, 120, 121, 142, 144};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i] == attribute)
            return true;
    return false;
}

Test(runtime, attributes_are_those_measured_on_an_h200)
{
    FILE *f = open_file("plots/data/NVIDIA_H200/attributes.csv");
    char line[256];
    int n = 0, attribute, want;
    while (next_line(f, line, sizeof line)) {
        if (sscanf(line, "%d,%*[^,],%d", &attribute, &want) != 2)
            continue;
        int got = -12345;
        cr_expect_eq(cudaDeviceGetAttribute(&got, (enum cudaDeviceAttr)attribute, 0), cudaSuccess,
                     "%s", line);
        if (attribute == cudaDevAttrMemoryPoolSupportedHandleTypes)
            want = cudaMemHandleTypePosixFileDescriptor; /* not cudaMemHandleTypeFabric */
        cr_expect_eq(got, not_modelled(attribute) ? 0 : want, "%s: got %d", line, got);
        n++;
    }
    fclose(f);
    cr_assert_gt(n, 100);
}

Test(runtime, properties_say_that_the_device_is_simulated)
{
    struct cudaDeviceProp p;
    cr_assert_eq(cudaGetDeviceProperties(&p, 0), cudaSuccess);
    cr_expect_str_eq(p.name, "Simulated NVIDIA H200");
    cr_expect_eq(p.major, 9);
    cr_expect_eq(p.maxGridSize[1], 65535);
    cr_expect_eq(p.sharedMemPerBlockOptin, 232448);
    cr_expect_gt(p.totalGlobalMem, (size_t)140e9);
}

Test(runtime, as_many_devices_as_asked_for)
{
    int n = 0, can = 0, device = 9;
    char id[2][32];
    setenv("SIMGPU_DEVICES", "3", 1);
    cr_assert_eq(cudaGetDeviceCount(&n), cudaSuccess);
    cr_assert_eq(n, 3);
    cr_assert_eq(cudaSetDevice(2), cudaSuccess);
    cr_assert_eq(cudaSetDevice(3), cudaErrorInvalidDevice);
    cr_assert_eq(cudaGetDevice(&device), cudaSuccess);
    cr_assert_eq(device, 2);
    cr_assert_eq(cudaDeviceCanAccessPeer(&can, 0, 2), cudaSuccess);
    cr_assert_eq(can, 1);
    for (int i = 0; i < 2; i++)
        cr_assert_eq(cudaDeviceGetPCIBusId(id[i], sizeof id[i], i), cudaSuccess);
    cr_assert_str_neq(id[0], id[1]);
    cr_assert_eq(cudaDeviceGetByPCIBusId(&device, id[1]), cudaSuccess);
    cr_assert_eq(device, 1);
}

Test(runtime, peer_access_in_pairs)
{
    int can = 1;
    setenv("SIMGPU_DEVICES", "3", 1);
    setenv("SIMGPU_PEERS", "2", 1);
    cr_expect_eq(cudaDeviceCanAccessPeer(&can, 0, 2), cudaSuccess);
    cr_expect_eq(can, 0);
    cr_expect_eq(cudaDeviceEnablePeerAccess(2, 0), cudaErrorPeerAccessUnsupported);
    cr_expect_eq(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess);
    cr_expect_eq(cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrAccessSupported, 2, 1), cudaSuccess);
    cr_expect_eq(can, 0);
}

Test(runtime, no_device_at_all)
{
    int n = 9, device;
    void *p;
    setenv("SIMGPU_DEVICES", "0", 1);
    cr_assert_eq(cudaGetDeviceCount(&n), cudaErrorNoDevice);
    cr_assert_eq(n, 0);
    cr_assert_eq(cudaGetDevice(&device), cudaErrorNoDevice);
    cr_assert_eq(cudaSetDevice(0), cudaErrorNoDevice);
    cr_assert_eq(cudaMalloc(&p, 16), cudaErrorNoDevice);
    cr_assert_eq(cudaGetLastError(), cudaErrorNoDevice);
}

/* ---- occupancy ------------------------------------------------------------------------------- */

static int blocks_of(int registers, size_t static_shared_bytes, int threads, size_t dynamic_bytes)
{
    static const size_t no_params[1];
    static char entries[64];
    static struct simgpu_kernel kernels[64];
    static int n;
    struct simgpu_kernel *k = &kernels[n];
    *k = (struct simgpu_kernel){.entry = &entries[n++],
                                .name = "test",
                                .param_bytes = no_params,
                                .registers = registers,
                                .static_shared_bytes = static_shared_bytes};
    simgpu_register_kernel(k);
    int blocks = -1;
    cr_assert_eq(cudaFuncSetAttribute(k->entry, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      (int)(232448 - static_shared_bytes)),
                 cudaSuccess);
    cr_assert_eq(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k->entry, threads, dynamic_bytes),
        cudaSuccess);
    return blocks;
}

/* By the rules of compute capability 9.0: 64 warps, 32 blocks, 65536 registers in units of 256 a
 * warp, 228 KiB. */
Test(runtime, occupancy_by_the_rules_of_sm_90)
{
    cr_expect_eq(blocks_of(64, 0, 1024, 0), 1, "registers: 65536 in a block");
    cr_expect_eq(blocks_of(40, 0, 256, 0), 6, "registers: 10240 in a block");
    cr_expect_eq(blocks_of(33, 0, 1024, 0), 1, "33 registers count as 40");
    cr_expect_eq(blocks_of(65, 0, 1024, 0), 0, "72 x 1024 registers do not fit");
    cr_expect_eq(blocks_of(32, 8192, 256, 0), 8, "8 KiB each, but 2048 threads are full");
    cr_expect_eq(blocks_of(32, 0, 128, 100 << 10), 2, "100 KiB each, and 1 KiB for the system");
    cr_expect_eq(blocks_of(32, 0, 128, 227 << 10), 1, "all that a block can have");
}

static cudaError_t launch_with(int registers, unsigned threads)
{
    static const size_t no_params[1];
    static char entries[8];
    static struct simgpu_kernel kernels[8];
    static int n;
    struct simgpu_kernel *k = &kernels[n];
    *k = (struct simgpu_kernel){
        .entry = &entries[n++], .name = "test", .param_bytes = no_params, .registers = registers};
    simgpu_register_kernel(k);
    return cudaLaunchKernel(k->entry, (dim3){1, 1, 1}, (dim3){threads, 1, 1}, NULL, 0, 0);
}

Test(runtime, a_block_that_needs_too_many_registers_is_refused)
{
    cr_expect_eq(launch_with(128, 1024), cudaErrorLaunchOutOfResources);
    cr_expect_eq(cudaGetLastError(), cudaErrorLaunchOutOfResources);
    cr_expect_eq(launch_with(64, 1025), cudaErrorInvalidValue);
}

/* ---- profiles -------------------------------------------------------------------------------- */

static char profile_path[] = "/tmp/simgpu-profile-XXXXXX";

static void load_profile(void)
{
    int n;
    setenv("SIMGPU_PROFILE", profile_path, 1);
    cudaGetDeviceCount(&n);
}

/* The built-in profile with the line of `key` replaced (NULL: taken away), and what loading it
 * said. */
static int load_with(const char *key, const char *line, char *said, size_t size)
{
    FILE *from = open_file("common/simgpu/profiles/h200.profile");
    char text[512];
    strcpy(profile_path, "/tmp/simgpu-profile-XXXXXX");
    int fd = mkstemp(profile_path);
    FILE *to = fdopen(fd, "w");
    cr_assert(to);
    while (fgets(text, sizeof text, from)) {
        if (strncmp(text, key, strlen(key)) != 0 || !strchr(" \t", text[strlen(key)]))
            fputs(text, to);
        else if (line)
            fprintf(to, "%s\n", line);
    }
    fclose(from);
    fclose(to);
    int status = in_child(load_profile, said, size);
    unlink(profile_path);
    return status;
}

static void refused(const char *key, const char *line, const char *why)
{
    char said[1024];
    int status = load_with(key, line, said, sizeof said);
    cr_expect_eq(status, 1, "%s: exit status %d", line, status);
    cr_expect(strncmp(said, "simgpu: /tmp/simgpu-profile-", 28) == 0, "no place in '%s'", said);
    cr_expect(strstr(said, why), "'%s' in '%s'", why, said);
}

Test(runtime, a_whole_profile_is_loaded)
{
    char said[1024];
    cr_assert_eq(load_with("h2d_gbps", "h2d_gbps 12.5  # GB/s", said, sizeof said), 0, "%s", said);
    cr_assert_str_empty(said);
}

Test(runtime, bad_profiles_are_refused_with_their_line)
{
    refused("h2d_gbps", NULL, "ends without 'h2d_gbps'");
    refused("h2d_gbps", "h2d_gbps", "has no value");
    refused("h2d_gbps", "h2d_gbps fast", "'fast' is not a number");
    refused("h2d_gbps", "h2d_gbps 5 GB/s", "is not a number");
    refused("h2d_gbps", "h2d_gbps -1", "out of range");
    refused("h2d_gbps", "h2d_gbps nan", "is not a number");
    refused("h2d_gbps", "h2d_gbps 1e300", "out of range");
    refused("sm_count", "sm_count 1.5", "not a whole number");
    refused("sm_count", "sm_count 4\nsm_count 4", "set twice");
    refused("sm_count", "sm_counts 4", "unknown key 'sm_counts'");
    refused("host.launch", "host.launches 4", "unknown key 'host.launches'");
}

static void load_nothing(void)
{
    int n;
    setenv("SIMGPU_PROFILE", "/nonexistent/profile", 1);
    cudaGetDeviceCount(&n);
}

Test(runtime, a_profile_that_is_not_there)
{
    char said[1024];
    cr_assert_eq(in_child(load_nothing, said, sizeof said), 1);
    cr_assert(strstr(said, "simgpu: /nonexistent/profile: No such file or directory"), "%s", said);
}
