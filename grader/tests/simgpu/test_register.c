/* test_register.c: how kernels and variables become known, in C and by what nvcc's code calls
 * before main and around <<<>>>. */
#include <elf.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "common/simgpu/kernel/worker.h"
#include "common/simgpu/memory/memory.h"
#include "exec_kernels.h"
#include "sim_graphs.h"
#include "stderr_text.h"

void **__cudaRegisterFatBinary(void *fat_cubin);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *host_function, char *device_function,
                            const char *device_name, int thread_limit, uint3 *tid, uint3 *bid,
                            dim3 *block, dim3 *grid, int *warp_size);
void __cudaRegisterVar(void **handle, char *host_variable, char *device_address,
                       const char *device_name, int external, size_t bytes, int constant,
                       int global);
void __cudaRegisterManagedVar(void **handle, void **host_pointer, char *device_address,
                              const char *device_name, int external, size_t bytes, int constant,
                              int global);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *entry);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     struct CUstream_st *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream);

static const char *why;

static void add_index(void *const *params)
{
    **(unsigned **)params[0] += threadIdx.x;
}

Test(register, by_entry_and_by_handle)
{
    const void *entry = test_kernel("shuffles");
    const struct simgpu_kernel *kernel = kernel_find(entry);
    cr_assert_not_null(kernel);
    cr_assert_eq(kernel_find(kernel), kernel);
    cr_assert_str_eq(kernel->name, "shuffles");
    cr_assert_eq(kernel->n_params, 2);
    cr_assert(kernel->param_bytes[0] == sizeof(int *) && kernel->param_bytes[1] == sizeof(int));
    cr_assert(kernel->registers == 40 && kernel->static_shared_bytes == 512);
    cr_assert_null(kernel_find(&why));
    cr_assert_null(kernel_find(NULL));
}

Test(register, many_kernels_written_in_c)
{
    static struct simgpu_kernel kernels[500];
    static const char entries[500];
    static const size_t bytes[1] = {sizeof(unsigned *)};
    for (int i = 0; i < 500; i++) {
        kernels[i] = (struct simgpu_kernel){.entry = &entries[i],
                                            .name = "by hand",
                                            .n_params = 1,
                                            .param_bytes = bytes,
                                            .call = add_index};
        simgpu_register_kernel(&kernels[i]);
    }
    for (int i = 0; i < 500; i++)
        cr_assert_eq(kernel_find(&entries[i]), &kernels[i]);
    unsigned sum = 0, *p = &sum;
    struct simgpu_launch launch = {{2, 1, 1}, {100, 1, 1}, 0};
    cr_assert(grid_run(&kernels[77], &launch, (void *[]){&p}, NULL, &(struct grid_steps){0}, &why));
    cr_assert_eq(sum, 2 * 4950);
}

static void register_over(const void *entry)
{
    static const size_t bytes[1] = {sizeof(unsigned *)};
    static struct simgpu_kernel first, second;
    first = second = (struct simgpu_kernel){.entry = &first.entry,
                                            .name = "first",
                                            .n_params = 1,
                                            .param_bytes = bytes,
                                            .call = add_index};
    second.entry = entry ? entry : first.entry;
    simgpu_register_kernel(&first);
    simgpu_register_kernel(&first); /* once more */
    simgpu_register_kernel(&second);
}

Test(register, a_function_stands_for_one_kernel, .signal = SIGABRT)
{
    register_over(NULL);
}

Test(register, a_kernel_is_no_function_of_another_one, .signal = SIGABRT)
{
    register_over(kernel_find(test_kernel("shuffles")));
}

Test(register, kernels_are_known_by_name)
{
    static const char *const names[][2] = {
        {"_Z6matmulPfPKfS1_i", "matmul"},
        {"_ZL5saxpyPf", "saxpy"},
        {"__nv_static_39__0b3c_14_static_name_cu_8d7c_1_Z15a_static_kernelPf", "a_static_kernel"},
        {"_ZN4math5twiceEi", "twice"},
        {"_ZN4math8internalL6secretEi", "secret"},
        {"_Z5scaleIfEvPT_", "scale"},
        {"plain", "plain"},
        {"_Z999broken", "_Z999broken"},
        {"_Z", "_Z"},
    };
    enum { N = sizeof names / sizeof names[0] };
    static const char entries[N];
    void **binary = __cudaRegisterFatBinary(NULL);
    for (int i = 0; i < N; i++) {
        __cudaRegisterFunction(binary, &entries[i], NULL, names[i][0], -1, NULL, NULL, NULL, NULL,
                               NULL);
        const struct simgpu_kernel *kernel = kernel_find(&entries[i]);
        cr_assert_not_null(kernel);
        cr_expect_str_eq(kernel->name, names[i][1]);
    }
    cudaKernel_t handle = NULL;
    cr_assert_eq(__cudaGetKernel(&handle, &entries[0]), cudaSuccess);
    cr_assert_eq((const void *)handle, (const void *)kernel_find(&entries[0]));
    cr_assert_eq(__cudaGetKernel(&handle, &why), cudaErrorInvalidDeviceFunction);
    __cudaUnregisterFatBinary(binary);
    cr_assert_null(kernel_find(&entries[0]));
}

Test(register, a_kernel_without_a_body_does_nothing_and_says_so_once)
{
    static const char entry;
    struct simgpu_launch launch = {{1, 1, 1}, {32, 1, 1}, 0};
    void **binary = __cudaRegisterFatBinary(NULL);
    __cudaRegisterFunction(binary, &entry, NULL, "_Z4noopv", -1, NULL, NULL, NULL, NULL, NULL);
    stderr_capture();
    for (int i = 0; i < 3; i++)
        cr_assert(
            grid_run(kernel_find(&entry), &launch, NULL, NULL, &(struct grid_steps){0}, &why));
    const char *first =
        strstr(stderr_text(), "simgpu: kernel noop has no body that the CPU can run");
    cr_assert_not_null(first, "%s", stderr_text());
    cr_assert_null(strstr(first + strlen("simgpu: kernel noop"), "kernel noop"));
}

static cudaError_t launch_while_over(const void *kernel)
{
    cudaGraph_t graph = new_graph(), body;
    add_conditional(graph, NULL, handle_of(graph, 1), cudaGraphCondTypeWhile, &body);
    add_kernel(body, NULL, kernel, NULL);
    OK(cudaGraphLaunch(new_exec(graph), NULL));
    return cudaDeviceSynchronize();
}

Test(register, a_while_over_kernels_without_bodies_ends_with_an_error, .timeout = 20)
{
    static const char entry;
    void **binary = __cudaRegisterFatBinary(NULL);
    __cudaRegisterFunction(binary, &entry, NULL, "_Z4stopy", -1, NULL, NULL, NULL, NULL, NULL);
    stderr_capture();
    cr_assert_eq(launch_while_over(&entry), cudaErrorNotSupported);
    cr_assert(strstr(stderr_text(), "would never end"), "%s", stderr_text());
    __cudaUnregisterFatBinary(binary);
}

/* Nothing is known of what such a kernel writes: what follows it may read anything. */
Test(register, what_a_kernel_without_a_body_may_have_written_is_no_uninitialized_read)
{
    static const char entry;
    void **binary = __cudaRegisterFatBinary(NULL);
    __cudaRegisterFunction(binary, &entry, NULL, "_Z4fillPi", -1, NULL, NULL, NULL, NULL, NULL);
    int *d, h;
    dim3 one = {1, 1, 1};
    OK(cudaMalloc((void **)&d, sizeof *d));
    OK(cudaLaunchKernel(&entry, one, one, NULL, 0, NULL));
    OK(cudaMemcpyAsync(&h, d, sizeof h, cudaMemcpyDeviceToHost, NULL));
    OK(cudaDeviceSynchronize());
    expect_findings(0);
    int *later;
    OK(cudaMalloc((void **)&later, sizeof *later));
    OK(cudaMemcpy(&h, later, sizeof h, cudaMemcpyDeviceToHost));
    expect_findings(1);
    __cudaUnregisterFatBinary(binary);
}

Test(register, variables)
{
    static int variable;
    static void *managed;
    void *at;
    size_t bytes;
    __cudaRegisterVar(NULL, (char *)&variable, NULL, "variable", 0, sizeof variable, 0, 0);
    __cudaRegisterManagedVar(NULL, &managed, NULL, "managed", 0, 100, 0, 0);
    cr_assert(variable_find(&variable, 0, &at, &bytes));
    cr_assert(at == &variable && bytes == sizeof variable);
    cr_assert(variable_find(&managed, 0, &at, &bytes));
    cr_assert(at == managed && bytes == 100 && managed);
    cr_assert_not(variable_find(&why, 0, &at, &bytes));
}

/* As nvcc lays it out: a header, an entry of PTX, and one with an ELF file. */
struct fat_binary {
    struct {
        uint32_t magic;
        uint16_t version, header_bytes;
        uint64_t bytes;
    } header;
    struct {
        uint16_t kind, version;
        uint32_t header_bytes;
        uint64_t bytes;
    } ptx, code;
    Elf64_Ehdr elf;
    Elf64_Shdr sections[4]; /* none, names, symbols, values */
    char names[16];
    Elf64_Sym symbols[2];
    int values[3];
};

static struct fat_binary make_fat_binary(void)
{
    const size_t elf = offsetof(struct fat_binary, elf);
    struct fat_binary f = {
        .header = {0xba55ed50, 1, 16, sizeof f - 16},
        .ptx = {1, 1, 16, 0},
        .code = {2, 1, 16, sizeof f - elf},
        .elf = {.e_ident = {0x7f, 'E', 'L', 'F'},
                .e_shoff = offsetof(struct fat_binary, sections) - elf,
                .e_shentsize = sizeof(Elf64_Shdr),
                .e_shnum = 4},
        .sections = {{0},
                     {.sh_type = SHT_STRTAB, .sh_offset = offsetof(struct fat_binary, names) - elf},
                     {.sh_type = SHT_SYMTAB,
                      .sh_link = 1,
                      .sh_offset = offsetof(struct fat_binary, symbols) - elf,
                      .sh_size = sizeof f.symbols},
                     {.sh_type = SHT_PROGBITS,
                      .sh_offset = offsetof(struct fat_binary, values) - elf}},
        .names = "\0numbers",
        .symbols = {{0},
                    {.st_name = 1,
                     .st_info = ELF64_ST_INFO(STB_LOCAL, STT_OBJECT),
                     .st_shndx = 3,
                     .st_value = 4,
                     .st_size = 8}},
        .values = {1, 2, 3}};
    return f;
}

Test(register, variables_begin_with_the_value_in_the_code_for_the_gpu)
{
    struct fat_binary f = make_fat_binary();
    struct {
        uint32_t magic, version;
        const void *header;
    } wrapper = {0x466243b1, 1, &f};
    static int numbers[2], other[2], short_one;
    void **binary = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterVar(binary, (char *)numbers, NULL, "numbers", 0, sizeof numbers, 0, 0);
    __cudaRegisterVar(binary, (char *)other, NULL, "other", 0, sizeof other, 0, 0);
    __cudaRegisterVar(binary, (char *)&short_one, NULL, "numbers", 0, sizeof short_one, 0, 0);
    cr_assert(numbers[0] == 2 && numbers[1] == 3);
    cr_assert(other[0] == 0 && short_one == 0);
    f.sections[3].sh_offset = 1 << 20; /* beyond the file's end */
    numbers[0] = 0;
    __cudaRegisterVar(binary, (char *)numbers, NULL, "numbers", 0, sizeof numbers, 0, 0);
    cr_assert_eq(numbers[0], 0);
    __cudaUnregisterFatBinary(binary);
}

Test(register, configurations_are_a_stack)
{
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    cr_assert_eq(__cudaPushCallConfiguration((dim3){1, 2, 3}, (dim3){4, 5, 6}, 7, (cudaStream_t)8),
                 0);
    cr_assert_eq(__cudaPushCallConfiguration((dim3){9, 9, 9}, (dim3){9, 9, 9}, 9, NULL), 0);
    cr_assert_eq(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
    cr_assert(grid.x == 9 && block.z == 9 && shared == 9 && !stream);
    cr_assert_eq(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
    cr_assert(grid.y == 2 && block.z == 6 && shared == 7 && stream == (cudaStream_t)8);
    cr_assert_eq(__cudaPopCallConfiguration(&grid, &block, &shared, &stream),
                 cudaErrorMissingConfiguration);
}
