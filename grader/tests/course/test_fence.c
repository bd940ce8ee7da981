/* test_fence.c: submissions that reach for what is not theirs: by their files, by the compiler, by
 * the linker, by the names of kernels, by the pointers of the device. */
#include "commands.h"

TestSuite(fence, .init = begin, .fini = end);

/* What the fence alone says of an object of these lines, which are lab 08's FILE. */
static void fence(const char *file, const char *lines)
{
    char commands[2048];
    snprintf(commands, sizeof commands,
             "[ -e build/sim/may_name ] || make build/sim/may_name DEVICE=sim >/dev/null\n"
             "touch $S/lab.c $S/lab.cu; echo \"$lines\" >$S/%s\n"
             "case %s in *.cu) cc='build/sim/bin/simcc --recorded-only' ;; *) cc='gcc -w' ;; esac\n"
             "$cc -c $S/%s -o $S/lab.o && "
             "grader/labs/fence.sh lab08 $S/%s $S/lab.o build/sim/may_name",
             file, file, file, file);
    setenv("lines", lines, 1);
    run_defined("", commands);
    expect_status(1);
}

/* Names that make or a shell would run, what hangs who reads it, what is somebody else's. */
Test(fence, only_plain_files_of_a_submission_are_taken_and_the_rest_is_named)
{
    static const char *const ignored[] = {
        ": ignored \\$\\(shell\\ touch\\ ran\\).h: a submission is lab.c or lab.cu, and headers",
        ": ignored a\\;touch\\ ran\\;.h: ",
        ": ignored $'\\E[31m.h': ",
        ": ignored lab.d: ",
        ": ignored fifo.h: it is not a regular file",
        ": ignored lab.h: the lab's own lab.h is used",
        ": ignored link.h: it is a link",
        ": ignored hard.h: it has another name elsewhere"};
    run(0, "cd $S; unifdef -DSOLUTION $OLDPWD/solutions/lab01_*/lab.c >lab.c; touch '$(shell touch "
           "ran).h' 'a;touch ran;.h' \"$(printf '\\033[31m.h')\" x; mkfifo fifo.h lab.h; ln -s "
           "/etc/passwd link.h; ln x hard.h; printf 'all:\\n$(shell touch ran)\\n' >lab.d; cd "
           "$OLDPWD; make lab01 DEVICE=sim SUBMISSION=$S && ./grade lab01; s=$?; test ! -e ran && "
           "test ! -e $S/ran && exit $s");
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        expect_said(ignored[i]);
    run(2,
        "rm $S/lab.c; ln -s $PWD/solutions/lab01_*/lab.c $S; make lab01 DEVICE=sim SUBMISSION=$S");
    expect_said(": ignored lab.c: it is a link; copy the file that it names");
    expect_said(" has no lab.c and no lab.cu");
}

/* $S/swap CHANGE: make for $S/s. Its owner does CHANGE when the intake counts the names of lab.c,
   so after it has looked at it. */
static void make_swap(void)
{
    run(0, "mkdir $S/s $S/bin; echo '#error a_secret' >$S/secret; stat=$(command -v stat)\n"
           "cat >$S/bin/stat <<EOF\n"
           "#!/bin/bash\n"
           "$stat \"\\$@\"; [ -e $S/change ] && [ \"\\$2\" = %h ] && . $S/change && rm $S/change\n"
           "EOF\n"
           "chmod +x $S/bin/stat\n"
           "cat >$S/swap <<EOF\n"
           "unifdef -DSOLUTION solutions/lab01_*/lab.c >$S/s/lab.c\n"
           "echo \"rm $S/s/lab.c; \\$1\" >$S/change\n"
           "PATH=$S/bin:\\$PATH timeout 20 make lab01 DEVICE=sim SUBMISSION=$S/s\n"
           "EOF");
}

Test(fence, a_file_that_changes_while_it_is_taken_is_no_way_to_other_files)
{
    make_swap();
    run(2, "bash $S/swap \"ln -s $S/secret $S/s/lab.c\"");
    expect_not_said("a_secret");
    expect_said(": ignored lab.c: it cannot be read");
    run(2, "bash $S/swap \"mkfifo $S/s/lab.c\"");
    expect_said(" has no lab.c and no lab.cu");
}

Test(fence, a_folder_that_is_a_link_is_not_graded_as_another)
{
    run(2, "mkdir $S/bob; cp solutions/lab01_*/lab.c $S/bob; ln -s bob $S/alice; make lab01 "
           "DEVICE=sim SUBMISSION=$S/alice");
    expect_said("/alice is a link, or cannot be entered: name the folder itself");
}

/* The two files differ by a multiple of the polynomial of cksum. */
Test(fence, two_submissions_of_one_checksum_are_two)
{
    run(ANY,
        "unifdef -DSOLUTION solutions/lab01_*/lab.c >$S/text; for c in AAAAA '@E\\200\\\\\\366'; "
        "do { cat $S/text; printf \"/*$c*/\\n\"; } >$S/lab.c; cksum <$S/lab.c | tee -a $S/sums; "
        "make lab01 DEVICE=sim SUBMISSION=$S; sha256sum <build/lab01/lab.c >>$S/digests; done; "
        "sort -u $S/sums | wc -l; sort -u $S/digests | wc -l");
    expect_said("\n1\n2\n");
    run(0, "readlink build/lab01 | grep -E -- '-[0-9a-f]{16}$'");
}

Test(fence, a_submission_cannot_have_the_compiler_take_the_machine)
{
    run(2, "echo '#include \"/dev/zero\"' >$S/lab.c; make lab01 DEVICE=sim SUBMISSION=$S");
    expect_said("/dev/zero: Permission denied");
    expect_said("/lab.c does not compile");
    run(2, "echo 'char x[300u << 20] = {1};' >$S/lab.c; make lab01 DEVICE=sim SUBMISSION=$S");
    expect_said("/lab.c does not compile");
}

Test(fence, a_submission_cannot_have_the_compiler_read_what_is_not_its_own)
{
    static const char *const paths[] = {"/etc/passwd", "/proc/self/environ", "/dev/tty",
                                        "'$PWD'/solutions/lab01_sync_copies/lab.c",
                                        "'$PWD'/build/intake/../known/lab01/leaks/lab.c"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        char command[512];
        snprintf(command, sizeof command,
                 "echo '#include \"%s\"' >$S/lab.c; make lab01 DEVICE=sim SUBMISSION=$S", paths[i]);
        run(2, command);
        expect_said("fatal error: ");
        expect_said(": Permission denied");
    }
    run(2, "echo '__asm__(\".incbin \\\"/etc/passwd\\\"\");' >$S/lab.c; make lab01 DEVICE=sim "
           "SUBMISSION=$S");
    expect_said("file not found: /etc/passwd");
}

Test(fence, what_a_submission_has_the_compiler_say_is_bounded_and_clean)
{
    run(2, "{ printf '#pragma message \"\\033[31m\\302\\233\"\n'; for i in $(seq 999); do echo "
           "'#warning x'; done; } >$S/lab.c; make lab01 DEVICE=sim SUBMISSION=$S");
    expect_said("pragma message");
    expect_said("(there is more, which is not shown)");
    expect_not_said("\033");
    expect_not_said("\302\233");
}

/* What kernels access is known because it is recorded. */
Test(fence, device_code_accesses_no_memory_without_a_record)
{
    static const struct {
        const char *line, *refusal;
    } all[] = {
        {"__global__ __attribute__((no_sanitize_thread)) void k(float *p) { *p = 1; }",
         "no_sanitize is no attribute of CUDA"},
        {"__global__ SIMGPU_NOT_RECORDED void k(float *p) { *p = 1; }",
         "no_sanitize is no attribute of CUDA"},
        {"# 1 \"/usr/include/x.h\" 1\n__attribute__((no_sanitize_thread)) void k(float *p);",
         "a line that begins with # and a number"},
        {"/\\\n* x\n */ %: 1 \"/usr/include/x.h\" 1", "a line that begins with # and a number"},
        {"__device__ float k(float *p) { return simgpu_passing<float>::from(p); }",
         "simgpu_passing belongs to the simulated device"},
        {"__device__ void k(long *p) { __builtin_ia32_movnti64((long long *)p, 1); }",
         "__builtin_ia32_movnti64 is for the processor of the host"},
        {"extern \"C\" void __tsan_read4(void *) {}",
         "__tsan_read4 is a name of the simulated device"},
        {"extern \"C\" void simgpu_record_atomic(const void *, size_t) {}",
         "simgpu_record_atomic belongs to the simulated device"},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        fence("lab.cu", all[i].line);
        expect_said(all[i].refusal);
    }
    run(2, "for f in lab.c lab.cu; do unifdef -DSOLUTION solutions/lab07_*/$f >$S/$f; done; echo "
           "'asm(\"look: nop\");' >>$S/lab.cu; make lab07 DEVICE=sim SUBMISSION=$S");
    expect_said("asm is for the processor of the host");
    fence("lab.cu",
          "#include <strings.h>\n__global__ void k(float *p, size_t n) { bcopy(p, p + n, n); }");
    expect_said(
        "bcopy is not for lab.cu: of the C library, device code has memcpy, memmove, memset, "
        "printf and math.h");
    fence("lab.cu", "#include <math.h>\n__global__ void k(float *p) { canonicalizef(p, p + 1); }");
    expect_said("canonicalizef is not for lab.cu");
    fence("lab.cu",
          "#include <string>\n__global__ void k(char *p) { std::string s; s.assign(p); }");
    expect_said("is not for labs");
    fence("lab.cu",
          "extern \"C\" int __gcc_bcmp(const void *, const void *, size_t); __global__ void "
          "k(char *p) { *p = __gcc_bcmp(p, p + 1, 1); }");
    expect_said("__gcc_bcmp is not for labs");
}

/* A copy whose length only the running program knows is recorded like an assignment. */
Test(fence, device_code_may_copy_memory)
{
    run(0, "unifdef -DSOLUTION solutions/lab07_*/lab.cu >$S/lab.cu; unifdef -DSOLUTION "
           "solutions/lab07_*/lab.c >$S/lab.c; echo '__global__ void k(float *p, size_t n) { "
           "memcpy(p, p + n, n); }' >>$S/lab.cu; make lab07 DEVICE=sim SUBMISSION=$S && nm "
           "build/sim/lab07/$(basename $S | tr - _)-*/lab.cu.o");
    expect_said("U simgpu_memcpy");
    expect_not_said("U memcpy");
}

Test(fence, a_message_of_the_compiler_is_no_report)
{
    run(2,
        "printf '%s\\n' '#pragma message \"x\\nlab01  100 of 100 points\"' '#error x' >$S/lab.c; "
        "make lab01 DEVICE=sim SUBMISSION=$S");
    expect_said("\n  | lab01  100 of 100 points");
    expect_not_said("\nlab01  100");
}

/* Also what has no prefix of its own, and the functions of an adapter, whose lab this is. */
Test(fence, what_belongs_to_the_grader_is_refused_a_submission)
{
    static const char *const foreign[] = {"simgpu_set_condition",
                                          "subject_report",
                                          "trace_restart",
                                          "object_destroyed",
                                          "copies_forget",
                                          "slots_forget",
                                          "__wrap_free",
                                          "note_early",
                                          "main",
                                          "dlsym"};
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        char line[128];
        snprintf(line, sizeof line, "int %s(void); int f(void) { return %s(); }", foreign[i],
                 foreign[i]);
        fence("lab.c", line);
        expect_said(foreign[i]);
        expect_said(" is not for lab");
    }
    run(2,
        "for f in lab.c lab.cu; do unifdef -DSOLUTION solutions/lab08_*/$f >$S/$f; done; echo 'int "
        "simgpu_findings_clear(void); int f(void) { return simgpu_findings_clear(); }' >>$S/lab.c; "
        "make lab08 DEVICE=sim SUBMISSION=$S");
    expect_said("simgpu_findings_clear is not for lab");
    expect_said("/lab.c does not link; fix that and run make lab08 SUBMISSION=");
    run(2, "./grade lab08 --device sim");
    expect_said("lab08 is not built");
    run(1, "ls build/sim/obj/grader/labs/lab*/adapter*.o | xargs make >/dev/null; nm -go "
           "--defined-only build/sim/obj/grader/labs/lab*/adapter*.o | grep ' lab[0-9][0-9]_'");
}

/* What a learner asks for by mistake is answered with what is true of it. */
Test(fence, a_name_that_labs_do_not_have_is_explained)
{
    static const struct {
        const char *file, *line, *words;
    } all[] = {
        {"lab.c", "inline int twice(int x) { return 2 * x; } int (*f)(int) = twice;",
         "(if it is a function of your own: define it in lab.c, and make it static if it is "
         "inline; "
         "only functions with a name like lab08_name can be in lab.cu)"},
        {"lab.cu", "int twice(int); int f(int x) { return twice(x); }",
         "twice(int) is not for labs: "},
        {"lab.c", "int omp_get_thread_num(void); int f(void) { return omp_get_thread_num(); }",
         "omp_get_thread_num is OpenMP's, which is not for labs: they have the threads of POSIX"},
        {"lab.c", "int cuInit(int); int f(void) { return cuInit(0); }",
         "cuInit is a call of the CUDA driver, which is not for labs: they have the CUDA runtime"},
        {"lab.c", "int cudaDeviceReset(void); int f(void) { return cudaDeviceReset(); }",
         "cudaDeviceReset is not for labs: it ends all that the process has on the device"},
        {"lab.c", "int simgpu_thread(void); int f(void) { return simgpu_thread(); }",
         "simgpu_thread is not for lab.c: it is for device code"},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        fence(all[i].file, all[i].line);
        expect_said(all[i].words);
    }
    run(2,
        "for f in lab.c lab.cu; do unifdef -DSOLUTION solutions/lab08_*/$f | sed "
        "s/lab08_draw/lab08_drew/ >$S/$f; done; echo 'int lab08_twice(int); int lab08_f(int x) { "
        "return lab08_twice(x); }' >>$S/lab.c; make lab08 DEVICE=sim SUBMISSION=$S");
    expect_said("lab08_twice is not defined, and is not in labs/lab08_explicit_graph/lab.h");
    expect_said("lab08_draw is not defined: labs/lab08_explicit_graph/lab.h says what it does");
    expect_not_said("undefined reference");
}

/* All of these are CUDA's, and a learner may use them in a kernel of a lab. */
Test(fence, device_code_has_what_cuda_has)
{
    run(0,
        "cat >$S/more <<'END'\n"
        "template <typename T> __device__ void arithmetic(T *p)\n"
        "{ atomicAdd(p, T(1)); atomicExch(p, T(2)); }\n"
        "template <typename T> __device__ void integers(T *p)\n"
        "{ atomicMin(p, T(1)); atomicMax(p, T(2)); atomicCAS(p, T(1), T(2)); atomicAnd(p, T(1));\n"
        "  atomicOr(p, T(1)); atomicXor(p, T(1)); }\n"
        "static __global__ void all(float *f, double *d, int *i, unsigned *u,\n"
        "                           unsigned long long *l)\n"
        "{ __shared__ float s[64]; extern __shared__ float more[];\n"
        "  arithmetic(f); arithmetic(i); arithmetic(u); atomicAdd(d, 1.0); atomicAdd(l, 1ull);\n"
        "  integers(i); integers(u); integers(l); atomicInc(u, 5u); atomicDec(u, 5u);\n"
        "  atomicSub(i, 1); atomicAdd(&s[0], 1.0f); s[threadIdx.x] = more[0] = *f;\n"
        "  __syncthreads(); __threadfence(); __syncwarp();\n"
        "  *u = (unsigned)__cvta_generic_to_shared(s) + __ballot_sync(~0u, *i) + __popc(*u);\n"
        "  *f = __shfl_down_sync(~0u, s[1], 1) + __shfl_xor_sync(~0u, s[2], 2) + __fdividef(*f, "
        "2);\n"
        "  *d = sin(*d) + pow(*d, 2.0) + fma(*d, 2.0, 1.0) + erf(*d) + rsqrt(*d) + clock64();\n"
        "  memcpy(f, s, sizeof s); memset(d, 0, 8); assert(*f >= 0); printf(\"%f\", *f);\n"
        "  asm(\"add.cc.u32 %0, %0, 1; addc.u32 %0, %0, 0;\" : \"+r\"(*u)); void *heap = "
        "malloc(8); free(heap); __nanosleep(10); }\n"
        "extern \"C\" void lab08_all(void) { all<<<1, 32, 256>>>(0, 0, 0, 0, 0); }\n"
        "END\n"
        "unifdef -DSOLUTION solutions/lab08_*/lab.c >$S/lab.c; unifdef -DSOLUTION "
        "solutions/lab08_*/lab.cu | sed 's/^#include <cuda_runtime.h>/#include <assert.h>\\n&/' "
        ">$S/lab.cu; cat $S/more >>$S/lab.cu; make lab08 DEVICE=sim SUBMISSION=$S && ./grade lab08 "
        "--device sim");
    expect_said("100 of 100 points");
}

/* No call says to the device what it takes by value. */
Test(fence, a_struct_that_a_call_takes_by_value_is_read)
{
    run(1,
        "unifdef -DSOLUTION solutions/lab08_*/lab.c >$S/lab.c; { cat <<'END'\n"
        "struct part { float v[5]; };\n"
        "static __attribute__((noinline)) float first(struct part p) { return p.v[0]; }\n"
        "END\n"
        "unifdef -DSOLUTION solutions/lab08_*/lab.cu | sed 's|^    cudaGridDep|    if (i + 5 < n "
        "\\&\\& first(*(const struct part *)(u + i)) < 0) sum++;\\n&|'; } >$S/lab.cu; make lab08 "
        "DEVICE=sim SUBMISSION=$S && ./grade lab08 --device sim");
    expect_said("FAIL  early_results");
}

Test(fence, a_lab_without_device_code_takes_none)
{
    run(2, "unifdef -DSOLUTION solutions/lab01_*/lab.c >$S/lab.c; echo '__device__ float x[99];' "
           ">$S/lab.cu; make lab01 DEVICE=sim SUBMISSION=$S");
    expect_said(" has a lab.cu, and lab01 is written in lab.c alone: move it away");
}

Test(fence, a_main_is_refused)
{
    run(2,
        "unifdef -DSOLUTION solutions/lab01_*/lab.c >$S/lab.c; echo 'int main(void) { return 0; }' "
        ">>$S/lab.c; make lab01 DEVICE=sim SUBMISSION=$S");
    expect_said("main must not be defined: the program around the lab has its own");
    expect_said("/lab.c does not link");
}

/* By other ways than a function's plain name. */
Test(fence, a_submission_has_no_symbols_or_sections_that_get_past_the_linker)
{
    static const struct {
        const char *line, *words;
    } all[] = {
        {"extern long f(void *, long); __asm__(\".symver f, simgpu_findings@libcudart.so.13\"); "
         "long q(void) { return f(0, 0); }",
         "simgpu_findings is not for labs"},
        {"__asm__(\".global z_; z_: ret; .symver z_, cudaMalloc@@X\");", "a symbol has a version"},
        {"__asm__(\".global cudaMalloc; .type cudaMalloc,@gnu_unique_object; cudaMalloc: ret\");",
         "cudaMalloc must not be defined like this"},
        {"__asm__(\".comm simgpu_findings,8\");", "simgpu_findings must not be defined like this"},
        {"static void *f(void) { return 0; } long x(void) __attribute__((ifunc(\"f\")));",
         "an indirect function"},
        {"__attribute__((section(\".preinit_array\"), used)) static void (*p)(void);",
         "the section .preinit_array is not for labs"},
        {"__asm__(\".section .gnu.lto_x; .byte 1; .text\");", "the section .gnu.lto_x is not for"},
        {"int x __attribute__((section(\"*UND*x\"))) = 3; __asm__(\".type x,@gnu_unique_object\");",
         "the section ?UND?x is not for labs"},
        {"__asm__(\".section \\\"a\\n12345678901234567l\\\",\\\"aw\\\"; .globl environ; .type "
         "environ,@gnu_unique_object; environ: .quad 0; .text\");",
         "is not for labs"},
        {"static long g(void *, long) __attribute__((weakref(\"simgpu_findings\"))); "
         "long q(void) { return g(0, 0); }",
         "simgpu_findings is not for labs"},
        {"extern long _r_debug; long q(void) { return _r_debug; }", "_r_debug is not for labs"},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        fence("lab.c", all[i].line);
        expect_said(all[i].words);
    }
}

Test(fence, a_submission_cannot_stand_in_for_a_function_of_the_device)
{
    run(1, "{ cat build/known/lab01/leaks/lab.c; echo 'size_t simgpu_findings(void *f, size_t n) { "
           "return f && n ? 0 : 0; }'; } >$S/lab.c; "
           "make lab01 DEVICE=sim SUBMISSION=$S && ./grade lab01 --device sim");
    expect_said("never freed");
}

Test(fence, what_a_submission_has_the_linker_say_is_clean)
{
    run(2, "{ unifdef -DSOLUTION solutions/lab01_*/lab.c; printf '__asm__(\".globl simgpu_z; call "
           "\\\\\"simgpu_\033[31m\\\\\"\");\n'; } >$S/lab.c; make lab01 DEVICE=sim SUBMISSION=$S");
    expect_said("is not for labs");
    expect_not_said("\033");
    run(2, "{ unifdef -DSOLUTION solutions/lab01_*/lab.c; printf '__asm__(\".section "
           ".gnu.warning.cudaFree; .string \\\\\"\033[31mred\\\\\"; .text; movb $lab01_setup, "
           "%%al\");\n'; } >$S/lab.c; make lab01 DEVICE=sim SUBMISSION=$S");
    expect_said("/lab.c does not link");
    expect_said("[31mred");
    expect_not_said("\033");
}

Test(fence, a_second_kernel_of_a_known_name_is_nobody)
{
    run(ANY,
        "unifdef -DSOLUTION solutions/lab08_*/lab.c | sed 's/kernel_consume()/lab08_fake()/; "
        "s/#include \"lab.h\"/&\\nconst void *lab08_fake(void);/' >$S/lab.c; "
        "{ unifdef -DSOLUTION solutions/lab08_*/lab.cu; cat <<'END'\n"
        "static __global__ void consume(float *out, const float *in, int n)\n"
        "{ int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  bool end = i == 0 || i == n - 1;\n"
        "  if (i < n) out[i] = end ? in[i] : (in[i - 1] + 2.0f * in[i] + in[i + 1]) * 0.25f; }\n"
        "extern \"C\" const void *lab08_fake(void) { return (const void *)consume; }\n"
        "END\n"
        "} >$S/lab.cu; make lab08 DEVICE=sim SUBMISSION=$S && ./grade lab08 --device sim | tr -s ' "
        "\\n' ' '");
    expect_said("FAIL temporary_results");
    expect_said("FAIL host_function");
}

/* Also if it is memcpy that follows the pointer. */
Test(fence, a_device_pointer_that_the_host_follows_is_named_by_its_lines)
{
    run(ANY,
        "cp build/known/lab01/memcpy_from_device/lab.c $S; make lab01 DEVICE=sim SUBMISSION=$S && "
        "./grade lab01 --device sim | tr -s ' \\n' ' '");
    expect_said(" read device memory during a run: a pointer from cudaMalloc means nothing");
    expect_said(
        ": TRY(cudaMalloc((void **)&state->dev_c, state->matrix_bytes)), accessed at lab.c:");
    expect_said(": memcpy(lab->c + first, state->dev_c, bytes) case");
}
