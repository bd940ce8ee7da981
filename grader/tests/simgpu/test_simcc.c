/*
 * test_simcc.c: CUDA programs as people write them, compiled by simcc and run on the simulated
 * device. The programs are in cuda/; make builds them in build/sim/cuda. Right ones pass and are
 * told nothing; wrong ones are told what their first line says; those in error/ do not compile, or
 * do not run, for the reason that their first line gives; those in endless/ end only on a GPU.
 */
#include <glob.h>

#include "grader/tests/course/checkout.h"

#define SOURCES "grader/tests/simgpu/cuda/"
#define PROGRAMS "build/sim/cuda/"

static char text[CHECKOUT_TEXT];

/* Runs the program of the source at `path`. Returns its exit status. */
static int run(const char *path)
{
    const char *name = path + strlen(SOURCES);
    return checkout_run(text, "SIMGPU_DEVICES=%d timeout 60 " PROGRAMS "%.*s",
                        strstr(path, "two_devices") ? 2 : 1, (int)strcspn(name, "."), name);
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

Test(simcc, a_block_that_waits_for_a_later_one_is_explained)
{
    checkout_enter();
    checkout_run(text,
                 "p=$(mktemp -d) && trap 'rm -r $p' EXIT && "
                 "{ SIMGPU_PATIENCE=1 " PROGRAMS "endless/waits_for_later_block 2>$p/said & } && "
                 "for i in $(seq 300); do grep -q simgpu: $p/said && break; sleep 0.1; done; "
                 "kill $!; cat $p/said");
    cr_expect(strstr(text, "simgpu: kernel wait_for_last has not finished a block for 1 s."), "%s",
              text);
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
        "p=$(mktemp -d) && trap 'rm -r $p' EXIT && cd $p && S=%s/build/sim/bin/simcc && "
        "echo '__device__ int shared_value = 4; __global__ void k(int *p) { *p = shared_value; }' "
        ">a.cu && "
        "echo '#include <cstdio>\n__global__ void k(int *p); int main() { int *p, h; "
        "cudaMalloc(&p, 4); k<<<1, 1>>>(p); cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost); "
        "cudaFree(p); printf(\"%%d\\n\", h); }' >b.cu && "
        "$S -c a.cu && $S -c b.cu -o b.o -arch=sm_90 && $S a.o b.o -o program && ./program",
        getcwd((char[PATH_MAX]){0}, PATH_MAX));
    cr_assert_eq(status, 0, "%s", text);
    cr_assert(strstr(text, "4\n"), "%s", text);
}

Test(simcc, options_that_only_nvcc_knows_are_left_out)
{
    checkout_enter();
    int status = checkout_run(
        text, "p=$(mktemp -d) && trap 'rm -r $p' EXIT && echo 'int main() {}' >$p/a.cu && "
              "build/sim/bin/simcc $p/a.cu -o $p/a -std=c++14 -Xcompiler=-Wall,-Wextra "
              "--compiler-options -Wall --gpu-architecture=sm_80 -maxrregcount=32 -rdc true "
              "--generate-code arch=compute_80,code=sm_80 -std c++17 --resource-usage && $p/a");
    cr_expect_eq(status, 0, "%s", text);
    cr_expect_str_empty(text);
}

/* A Makefile as people write them, whose NVCC is simcc. */
Test(simcc, a_project_with_options_of_nvcc_is_built)
{
    checkout_enter();
    int status = checkout_run(
        text,
        "p=$(mktemp -d) && trap 'rm -r $p' EXIT && S=$PWD/build/sim/bin/simcc && cd $p && "
        "mkdir include && echo '#define HEADER 3' >include/h.h && "
        "cat >main.cpp <<'END'\n"
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

/* estimates_h200.csv: what estimates.cu, built by nvcc, measured on an H200. */
Test(simcc, estimated_times_are_within_a_factor_of_two_of_an_h200)
{
    checkout_enter();
    int status = checkout_run(
        text,
        "p=$(mktemp -d) && trap 'rm -r $p' EXIT && " PROGRAMS "estimates 1 | sort >$p/simulated && "
        "sed '/^#/d; /^name/d' " SOURCES "estimates_h200.csv | sort >$p/measured && "
        "join -t, $p/measured $p/simulated | "
        "awk -F, '{ n++ } $3 > 2 * $2 || $3 < $2 / 2 { print; bad = 1 } "
        "END { print n, \"compared\"; exit bad || n < 20 }'");
    cr_assert_eq(status, 0, "name, measured, simulated (us): %s", text);
}
