/* test_simcc.c: CUDA programs as people write them, compiled by simcc and run on the simulated
 * device. The programs are in cuda/; make builds them in build/sim/cuda. Right ones pass and are
 * told nothing; wrong ones are told what their first line says; those in error/ do not compile, or
 * do not run, for the reason that their first line gives; those in endless/ do not end, and their
 * first line has what a message says about them. */
#include <glob.h>

#include "grader/tests/course/checkout.h"

#define SOURCES "grader/tests/simgpu/cuda/"
#define PROGRAMS "build/sim/cuda/"

static int run_with(const char *path, bool checks)
{
    const char *name = path + strlen(SOURCES);
    return checkout_run(text, "SIMGPU_CHECKS=%d SIMGPU_DEVICES=%d timeout 60 " PROGRAMS "%.*s",
                        checks, strstr(path, "two_devices") ? 2 : 1, (int)strcspn(name, "."), name);
}

/* Runs the program of the source at `path`. Returns its exit status. */
static int run(const char *path)
{
    return run_with(path, true);
}

/* What stands after `label` in the first line of the file. */
static const char *first_line(const char *path, const char *label)
{
    static char line[512];
    FILE *f = fopen(path, "r");
    cr_assert(f, "%s", path);
    cr_assert(fgets(line, sizeof line, f));
    fclose(f);
    line[strcspn(line, "\n")] = 0;
    cr_assert_eq(strncmp(line, label, strlen(label)), 0, "%s: begin with %s", path, label);
    return line + strlen(label);
}

static size_t lines_that_begin(const char *with)
{
    size_t n = 0;
    for (const char *line = text; line; line = strchr(line, '\n'), line += line != NULL)
        n += strncmp(line, with, strlen(with)) == 0;
    return n;
}

static void each_program(const char *folder, void check(const char *path))
{
    char pattern[256];
    glob_t found;
    checkout_enter();
    snprintf(pattern, sizeof pattern, SOURCES "%s/*.cu", folder);
    cr_assert_eq(glob(pattern, 0, NULL, &found), 0, "no programs in %s", folder);
    for (size_t i = 0; i < found.gl_pathc; i++)
        check(found.gl_pathv[i]);
    globfree(&found);
}

static void check_right(const char *path)
{
    cr_expect_eq(run(path), 0, "%s: %s", path, text);
    cr_expect(strstr(text, "passed\n"), "%s does not pass: %s", path, text);
    cr_expect_eq(lines_that_begin("simgpu:"), 0, "%s: %s", path, text);
}

Test(simcc, programs_that_are_right_pass_without_a_finding)
{
    each_program("right", check_right);
}

static void check_wrong(const char *path)
{
    const char *expected = first_line(path, "// finding: ");
    cr_expect_eq(run(path), 0, "%s: %s", path, text);
    cr_expect(strstr(text, expected), "%s: expected: %s; actual: %s", path, expected, text);
    cr_expect_eq(lines_that_begin("simgpu:"), 1, "%s: %s", path, text);
}

static void check_right_without_checks(const char *path)
{
    cr_expect_eq(run_with(path, false), 0, "%s: %s", path, text);
    cr_expect(strstr(text, "passed\n"), "%s does not pass: %s", path, text);
}

Test(simcc, programs_that_are_right_pass_without_checks)
{
    each_program("right", check_right_without_checks);
}

Test(simcc, programs_that_are_wrong_get_their_finding_and_no_other)
{
    each_program("wrong", check_wrong);
}

Test(simcc, a_finding_names_the_lines_of_the_launches)
{
    checkout_enter();
    cr_expect_eq(run(SOURCES "wrong/race.cu"), 0, "%s", text);
    cr_expect(strstr(text, "(first at race.cu:23, second at race.cu:24)\n"), "%s", text);
    cr_expect_eq(run(SOURCES "wrong/variable_race.cu"), 0, "%s", text);
    cr_expect(strstr(text, "(first at variable_race.cu:28, second at variable_race.cu:27)\n"),
              "a call through a template of CUDA's headers: %s", text);
}

static void check_error(const char *path)
{
    const char *expected = first_line(path, "// error: ");
    int status = checkout_run(text,
                              "p=$(mktemp -d) && trap 'rm -r $p' EXIT && "
                              "build/sim/bin/simcc -Wall %s -o $p/program && $p/program",
                              path);
    cr_expect_eq(status, 1, "%s: %s", path, text);
    cr_expect(strstr(text, expected), "%s: expected: %s; actual: %s", path, expected, text);
    cr_expect(!strstr(text, "simgpu_body_"), "%s: %s", path, text);
}

Test(simcc, errors_name_the_line_of_the_program)
{
    each_program("error", check_error);
}

Test(simcc, an_assertion_of_the_host_fails_as_in_c)
{
    checkout_enter();
    checkout_run(
        text,
        "p=$(mktemp -d) && trap 'rm -r $p' EXIT && cd $p && "
        "printf '#include <assert.h>\\nint main(int n, char **) { assert(n > 1); }\\n' >a.cu && "
        "$OLDPWD/build/sim/bin/simcc a.cu -o a && ./a");
    cr_expect(strstr(text, "a.cu:2: int main(int, char**): Assertion `n > 1' failed."), "%s", text);
    cr_expect(!strstr(text, "simgpu:"), "%s", text);
}

static void check_endless(const char *path)
{
    const char *expected = first_line(path, "// message: ");
    checkout_run(text,
                 "p=$(mktemp -d) && trap 'rm -r $p' EXIT && "
                 "{ SIMGPU_PATIENCE=1 " PROGRAMS "endless/$(basename %s .cu) 2>$p/said & } && "
                 "for i in $(seq 300); do grep -q simgpu: $p/said && break; sleep 0.1; done; "
                 "kill $!; cat $p/said",
                 path);
    cr_expect(strstr(text, expected), "%s: expected: %s; actual: %s", path, expected, text);
    cr_expect_eq(lines_that_begin("simgpu:"), 1, "%s: %s", path, text);
}

Test(simcc, a_kernel_that_never_ends_is_explained)
{
    each_program("endless", check_endless);
    checkout_run(text, "SIMGPU_PATIENCE=soon " PROGRAMS "right/streams");
    cr_expect(strstr(text, "SIMGPU_PATIENCE=soon is not a number of seconds"), "%s", text);
}

Test(simcc, a_trace_marks_estimated_times)
{
    checkout_enter();
    int status =
        checkout_run(text, "p=$(mktemp -d) && trap 'rm -r $p' EXIT && "
                           "SIMGPU_TRACE=$p/trace.csv " PROGRAMS "right/times && cat $p/trace.csv");
    cr_assert_eq(status, 0, "%s", text);
    cr_assert(strstr(text, ",spin (estimated),"), "%s", text);
    cr_assert(strstr(text, ",memset,"), "%s", text);
}

Test(simcc, separate_compilation_links_to_one_program)
{
    checkout_enter();
    int status = checkout_run(
        text,
        "p=$(mktemp -d) && trap 'rm -r $p' EXIT && cd $p && S=%s/build/sim/bin/simcc && echo "
        "'__device__ int shared_value = 4; __global__ void k(int *p) { *p = shared_value; }' >a.cu "
        "&& echo '#include <cstdio>\n__global__ void k(int *p); int main() { int *p, h; "
        "cudaMalloc(&p, 4); k<<<1, 1>>>(p); cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost); "
        "cudaFree(p); printf(\"%%d\\n\", h); }' >b.cu && $S -c a.cu && $S -c b.cu -o b.o "
        "-arch=sm_90 && $S a.o b.o -o program && ./program",
        getcwd((char[PATH_MAX]){0}, PATH_MAX));
    cr_assert_eq(status, 0, "%s", text);
    cr_assert(strstr(text, "4\n"), "%s", text);
}

Test(simcc, a_source_may_have_instances_of_templates_alone)
{
    checkout_enter();
    int status = checkout_run(
        text, "p=$(mktemp -d) && trap 'rm -r $p' EXIT && cat >$p/a.cu <<'END' && "
              "build/sim/bin/simcc -c $p/a.cu -o $p/a.o && nm -C $p/a.o\n"
              "template <typename T> __global__ void k(T *to, const T *from) { *to = *from; }\n"
              "template __global__ void k(int *, const int *);\n"
              "END\n");
    cr_assert_eq(status, 0, "%s", text);
    cr_assert(strstr(text, "k<int>(int*, int const*)"), "%s", text);
}

/* Compiles a program that does nothing with these options, and runs it. */
static int compile(const char *options)
{
    checkout_enter();
    return checkout_run(text,
                        "S=$PWD/build/sim/bin/simcc && p=$(mktemp -d) && trap 'rm -r $p' EXIT && "
                        "cd $p && mkdir out && echo 'int main() {}' >a.cu && "
                        "echo '-DFROM_FILE=\"a b\" -arch=sm_90' >options && $S a.cu %s",
                        options);
}

Test(simcc, options_that_only_nvcc_knows_are_left_out)
{
    int status = compile(
        "-xcu -o a -std=c++14 -Xcompiler=-Wall,-Wextra --compiler-options -Wall -arch sm_90a "
        "--gpu-architecture=sm_80 -maxrregcount=32 -rdc true -std c++17 --resource-usage -G -O 2 "
        "--generate-code arch=compute_80,code=sm_80 "
        "-gencode=arch=compute_90,code=[sm_90,compute_90] "
        "-use_fast_math --expt-relaxed-constexpr --expt-extended-lambda -lineinfo -ccbin g++ "
        "-Xptxas -v,-O3 -Xptxas=-dlcm=cg -Xcudafe --diag_suppress=177 -diag-suppress 20012,550 "
        "-keep -keep-dir /nowhere --Werror=all-warnings -Werror cross-execution-space-call "
        "-prec-div=false -split-compile 0 -t0 -m64 -optf options -lcuda -lcudart -lcudart_static "
        "-Xcompiler '\"-Wl,-rpath,/nowhere\"' -cudart shared -isystem=. && ./a");
    cr_expect_eq(status, 0, "%s", text);
    cr_expect_str_empty(text);
}

/* Of the nvcc of this machine, if it has one. */
Test(simcc, each_option_of_nvcc_is_known)
{
    checkout_enter();
    if (checkout_run(text, "nvcc --help") != 0)
        cr_skip_test("this machine has no nvcc to ask");
    int status = checkout_run(
        text, "nvcc --help | sed -nE 's/^--([^ ]+).*\\(-([^ )]+)\\).*/\\1\\n\\2/p' >/tmp/names.$$; "
              "trap 'rm /tmp/names.$$' EXIT; grep -v '^#' common/simcc/options | tr -s ' ' '\\n' | "
              "grep -vxFf - /tmp/names.$$; [ $(wc -l </tmp/names.$$) -gt 200 ]");
    cr_expect_eq(status, 0);
    cr_expect_str_empty(text, "add to common/simcc/options: %s", text);
}

Test(simcc, options_for_a_gpu_or_without_a_value_are_refused)
{
    static const char *const refused[][2] = {
        {"-ptx", "simcc: -ptx asks for code for a GPU, and the simulated device has none"},
        {"--cubin", "simcc: --cubin asks for code for a GPU"},
        {"-o", "simcc: a value is missing after -o"},
        {"b.cu -c -o a", "simcc: -o names one file, and -c makes 2"},
        {"-cudart dynamic", "simcc: -cudart is static, shared or none"},
        {"-optf nowhere", "simcc: cannot read the options in nowhere"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        cr_expect(compile(refused[i][0]) != 0, "%s", refused[i][0]);
        cr_expect(strstr(text, refused[i][1]) == text, "%s: %s", refused[i][0], text);
    }
}

Test(simcc, headers_are_listed_as_make_needs_them)
{
    int status = compile("-MMD -c -o out/b.o && cat out/b.d && "
                         "$S a.cu -MD -MP -MT target -MF named.d -odir out -c && cat named.d && "
                         "$S -M a.cu && ls out && $S -E a.cu -DINT=int | tail -n 1 && "
                         "$S -lib a.cu -o a.a && ar t a.a && $S a.a -run -run-args 1");
    cr_expect_eq(status, 0, "%s", text);
    static const char *const expected[] = {"out/b.o: a.cu ", "\ntarget: a.cu ", "\na.o: a.cu ",
                                           "\na.o\nb.d\nb.o\nint main() {}\n0.o\n"};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        cr_expect(strstr(text, expected[i]) || strncmp(text, expected[i], strlen(expected[i])) == 0,
                  "%s: %s", expected[i], text);
}

/* g++ -H names a precompiled header that it uses. */
Test(simcc, prepared_headers_are_used_with_the_options_that_they_were_made_with)
{
    static const char *const uses[][2] = {{"-Wall -std=c++17", "1\n"},
                                          {"-O1 -fPIC -g1 -Wpedantic --recorded-only", "1\n"},
                                          {"-O3", "0\n"},
                                          {"-fopenmp", "0\n"}};
    checkout_enter();
    if (checkout_run(text, "ls build/sim/bin/prepared/*/simcc_first.h.gch/*") != 0)
        cr_skip_test("g++ cannot load precompiled headers here");
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        char options[128];
        snprintf(options, sizeof options, "-c -H %s 2>&1 | grep -c '^! .*/simcc_first.h.gch/'",
                 uses[i][0]);
        compile(options);
        cr_expect_str_eq(text, uses[i][1], "%s", uses[i][0]);
    }
}

/* Such a g++ is in build/deps/bin on a machine whose libraries set-up has downloaded. */
Test(simcc, headers_are_prepared_by_a_compiler_with_options_of_the_linker)
{
    checkout_enter();
    if (checkout_run(text, "ls build/sim/bin/prepared/*/simcc_first.h.gch/*") != 0)
        cr_skip_test("g++ cannot load precompiled headers here");
    int status = checkout_run(
        text,
        "p=$(mktemp -d) && trap 'rm -r $p' EXIT && mkdir -p $p/build/sim/bin && "
        "ln -s $PWD/common $p && cp build/sim/bin/simcc* $p/build/sim/bin && "
        "printf '#!/bin/sh\nexec %%s \"$@\" -Wl,-rpath,/\n' $(command -v g++) >$p/g++ && "
        "chmod +x $p/g++ && PATH=$p:$PATH $p/build/sim/bin/simcc --prepare --recorded-only && "
        "ls $p/build/sim/bin/prepared/*/simcc_first.h.gch | wc -l");
    cr_expect(status == 0 && strcmp(text, "1\n") == 0, "%d: %s", status, text);
}

/* A Makefile as people write them, whose NVCC is simcc. */
Test(simcc, a_project_with_options_of_nvcc_is_built)
{
    checkout_enter();
    int status = checkout_run(
        text,
        "p=$(mktemp -d) && trap 'rm -r $p' EXIT && S=$PWD/build/sim/bin/simcc && cd $p && mkdir "
        "include && echo '#define HEADER 3' >include/h.h && cat >main.cpp <<'END'\n"
        "#include <cstdio>\n"
        "#include <omp.h>\n"
        "#include \"h.h\"\n"
        "extern \"C\" int times(int n);\n"
        "__global__ void k(int *p) { *p = HEADER * FACTOR; }\n"
        "int main() { int *p, h, n = 0; cudaMalloc(&p, 4); k<<<1, 1>>>(p);\n"
        "cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost); cudaFree(p);\n"
        "_Pragma(\"omp parallel num_threads(2) reduction(+ : n)\") n += omp_get_num_threads();\n"
        "printf(\"%%d %%d\\n\", times(h), n); }\n"
        "END\n"
        "echo '#include \"h.h\"\nint times(int n) { return n * FACTOR; }' >times.c && "
        "cat >Makefile <<'END'\n"
        "FLAGS = -O3 --define-macro=FACTOR=5 -Iinclude -gencode=arch=compute_90,code=sm_90 \\\n"
        " -Xcompiler \"-Wall -fopenmp\" -lineinfo -use_fast_math --expt-relaxed-constexpr -t 0\n"
        "program: main.o times.o device.o\n"
        "\t$(NVCC) $(FLAGS) $^ -o $@ -Xlinker -O1 -lcublas -lm\n"
        "device.o: main.o\n\t$(NVCC) $(FLAGS) -dlink $^ -o $@\n"
        "main.o: main.cpp\n\t$(NVCC) $(FLAGS) -x cu -dc $< -o $@\n"
        "times.o: times.c\n\t$(NVCC) $(FLAGS) -c $< -o $@\n"
        "END\n"
        "make -s NVCC=$S && ./program");
    cr_expect_eq(status, 0, "%s", text);
    cr_expect_str_eq(text, "simcc: -lcublas is left out: the simulated device has no such library\n"
                           "75 4\n");
}

Test(simcc, a_program_that_only_creates_objects_of_an_absent_library_runs)
{
    checkout_enter();
    int status = checkout_run(
        text, "p=$(mktemp -d) && trap 'rm -r $p' EXIT && S=$PWD/build/sim/bin/simcc && cd $p && "
              "echo 'extern \"C\" int cublasCreate_v2(void **), cublasSgemm_v2(void *), "
              "cublasDestroy_v2(void *);\n"
              "#include <cstdio>\nint main(int argc, char **) { void *h = nullptr; int e = "
              "cublasCreate_v2(&h);\n"
              "if (argc > 1) e = cublasSgemm_v2(h) + cublasSgemm_v2(h);\n"
              "printf(\"%%d %%d %%d\\n\", e, h != nullptr, cublasDestroy_v2(h)); }' >a.cu && "
              "$S a.cu -lcublas -lcufft -o a 2>said && ./a && ./a gemm");
    cr_expect_eq(status, 0, "%s", text);
    cr_expect_str_eq(text,
                     "0 1 0\nsimgpu: cublasSgemm_v2 is not modeled by the simulated device; it "
                     "returns an error\n30 1 0\n");
}

/* One program links device code with CMake's CUDA rules, and one with those of C++. */
Test(simcc, a_project_of_cmake_is_built)
{
    checkout_enter();
    if (checkout_run(text, "cmake --version") != 0)
        cr_skip_test("this machine has no cmake");
    int status = checkout_run(
        text,
        "p=$(mktemp -d) && trap 'rm -r $p' EXIT && S=$PWD/build/sim/bin/simcc && cd $p && "
        "cat >CMakeLists.txt <<'END'\n"
        "cmake_minimum_required(VERSION 3.18)\n"
        "project(two LANGUAGES CXX CUDA)\n"
        "find_package(CUDAToolkit REQUIRED)\n"
        "add_executable(device main.cu k.cu)\n"
        "set_target_properties(device PROPERTIES CUDA_SEPARABLE_COMPILATION ON\n"
        "    CUDA_ARCHITECTURES \"80;90\")\n"
        "target_compile_options(device PRIVATE --expt-relaxed-constexpr -lineinfo)\n"
        "add_executable(host main.cpp k.cu)\n"
        "add_executable(shared main.cpp k.cu)\n"
        "target_link_libraries(shared PRIVATE CUDA::cudart)\n"
        "END\n"
        "cat >k.cu <<'END'\n"
        "__global__ void k(int *p) { *p = 7; }\n"
        "int run() { int *p, h; cudaMalloc(&p, 4); k<<<1, 1>>>(p);\n"
        "cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost); cudaFree(p); return h; }\n"
        "END\n"
        "echo '#include <cstdio>\nint run(); int main() { printf(\"%%d\\n\", run()); }' >main.cpp "
        "&& cp main.cpp main.cu && { cmake -DCMAKE_CUDA_COMPILER=$S -S . -B b && cmake --build b; "
        "} >said 2>&1 || cat said; for i in device host shared; do b/$i; done");
    cr_expect_eq(status, 0, "%s", text);
    cr_expect_str_eq(text, "7\n7\n7\n");
}

/* estimates.csv: what estimates.cu, built by nvcc, measured on an H200. labs/ANYCUDA.md has
 * the least, the median and the largest ratio. Without checks, which take ten times as long, an
 * estimate is from some blocks of the kernel: the same but for blocks that share what is cached. */
Test(simcc, estimated_times_are_within_a_factor_of_two_of_an_h200)
{
    checkout_enter();
    int status = checkout_run(
        text,
        "p=$(mktemp -d) && trap 'rm -r $p' EXIT && estimates() { " PROGRAMS "estimates 1 $*; } && "
        "share='transpose_naive_4096 stencil5_4096 gather_1MiB_8M' && "
        "if [ \"$FULL\" ]; then estimates; else SIMGPU_CHECKS=0 estimates | "
        "grep -vE \"^(${share// /|}),\" && estimates $share; fi | sort >$p/simulated && "
        "sed '/^#/d; /^name/d' plots/data/NVIDIA_H200/estimates.csv | sort >$p/measured && "
        "join -t, $p/measured $p/simulated | awk -F, '{ print $3 / $2, $0 }' | sort -g | "
        "awk '{ n++; ratio[n] = $1 } $1 > 2 || $1 < 0.5 { print; bad = 1 } END { "
        "printf \"%%.2f %%.2f %%.2f\\n\", ratio[1], (ratio[int((n + 1) / 2)] + "
        "ratio[int(n / 2) + 1]) / 2, ratio[n] > \"/dev/stderr\"; exit bad || n < 20 }'");
    cr_assert_eq(status, 0, "ratio, name, measured, simulated (us): %s", text);
    float least, median, largest;
    cr_assert_eq(sscanf(text, "%f %f %f", &least, &median, &largest), 3, "%s", text);
    status =
        checkout_run(text,
                     "tr '\\n' ' ' <labs/ANYCUDA.md | grep -q 'the median estimate is %.2f times "
                     "the measured time; the extremes are %.2f and %.2f times'",
                     median, least, largest);
    cr_expect_eq(status, 0, "labs/ANYCUDA.md does not say: median %.2f, extremes %.2f and %.2f",
                 median, least, largest);
}
