/* test_setup.c: set-up fetches what is needed: each header of CUDA that the course includes is in a
 * wheel of setup.sh's list, for the commands that need it.
 *
 * Headers of labs, of the judge and of the simulated device come with the part "headers"; those of
 * CUDA programs, which simcc compiles, with "libraries", too; those of traces with "cupti". */
#include "checkout.h"

#include <criterion/parameterized.h>

TestSuite(setup, .init = checkout_enter);

struct part {
    char wheels[32];   /* the parts of the list, as a regular expression */
    char sources[160]; /* grep's arguments: where */
    char options[64];  /* of the preprocessor */
};

ParameterizedTestParameters(setup, includes)
{
    static struct part all[] = {
        {"headers",
         "--exclude-dir=cuda --exclude-dir=simcc --exclude='*cupti*' common grader kernels labs "
         "plots solutions",
         ""},
        {"headers|libraries", "common/simcc/include grader/tests/simgpu/cuda/right",
         "-I common/simcc/include -I common -I common/simgpu"},
        {"headers|cupti", "common/trace_cupti.[ch] common/trace_numbers_cupti.c", ""},
    };
    return cr_make_param_array(struct part, all, sizeof all / sizeof all[0]);
}

/* What an included header includes itself counts, too. Prints those that are in no wheel. */
ParameterizedTest(struct part *p, setup, includes)
{
    int status = checkout_run(
        text,
        "set -f\n"
        "cuda=$(sed -n 's/^CUDA_INC := //p' build/setup.mk)\n"
        "more=$PWD/build/deps/libraries/nvidia/cu13/include\n"
        "cupti=$(dirname \"$cuda\")/extras/CUPTI/include\n"
        "patterns=$(common/setup.sh wheels | awk '$2 ~ /(^|,)(%s)(,|$)/ { $1 = $2 = \"\"; print "
        "}')\n"
        "in_wheels() { local p; for p in $patterns; do [[ $1 != $p ]] || return 0; done; return 1; "
        "}\n"
        "set +f; names=$(grep -rhoE --include='*.c' --include='*.h' --include='*.cu' "
        "--include='*.cuh' '^ *# *include(_next)? *<[^>]+>' %s | sed 's/.*<//; s/>//' | sort -u)\n"
        "set -f; found=()\n"
        "for name in $names; do\n"
        "    for folder in \"$cuda\" \"$cuda/cccl\" \"$more\" \"$more/cccl\" \"$cupti\"; do\n"
        "        [ ! -e \"$folder/$name\" ] || break\n"
        "    done\n"
        "    if [ ! -e \"$folder/$name\" ]; then\n"
        "        case $name in cu*|nv/*) echo \"$name is nowhere\" ;; esac\n"
        "        continue\n"
        "    fi\n"
        "    found+=(\"$name\")\n"
        "done\n"
        "[ ${#found[@]} -gt 0 ] || echo 'no header of CUDA was found'\n"
        "printf '#include <%%s>\\n' \"${found[@]}\" | g++ -M -x c++ -std=c++17 %s -isystem "
        "\"$cuda\" -isystem \"$cuda/cccl\" -isystem \"$more\" -isystem \"$more/cccl\" -isystem "
        "\"$cupti\" - | "
        "tr -s ' \\\\' '\\n' | sed -n \"s|^$cuda/||p; s|^$more/||p; s|^$cupti/||p\" | sort -u | "
        "while read -r used; do in_wheels \"$used\" || echo \"$used\"; done\n",
        p->wheels, p->sources, p->options);
    if (strstr(p->wheels, "cupti") && strstr(text, "cupti.h is nowhere"))
        cr_skip_test("CUPTI is not installed");
    cr_expect(status == 0 && text[0] == 0, "not in a wheel of %s:\n%s", p->wheels, text);
}

/* The list is true: each header of a wheel is in its line, and each pattern of a line has one. */
Test(setup, the_list_of_wheels_is_true)
{
    int status = checkout_run(
        text,
        "set -f; common/setup.sh wheels | grep . | while read -r wheel part patterns; do\n"
        "    name=${wheel%%%%==*}; set +f\n"
        "    record=$(ls -d "
        "build/deps/{cuda,libraries}/${name//-/_}-${wheel##*==}.dist-info/RECORD "
        "2>/dev/null | head -n 1); set -f\n"
        "    [ \"$record\" ] || continue\n"
        "    echo \"$wheel\"\n"
        "    names=$(sed -n 's|^nvidia/cu13/include/\\([^,]*\\),.*|\\1|p' \"$record\")\n"
        "    for p in $patterns; do\n"
        "        for n in $names; do [[ $n != $p ]] || continue 2; done; echo \"no $p in $wheel\"\n"
        "    done\n"
        "    for n in $names; do\n"
        "        for p in $patterns; do [[ $n != $p ]] || continue 2; done; echo \"$n of $wheel\"\n"
        "    done\n"
        "done");
    if (!text[0])
        cr_skip_test("CUDA is an installed toolkit here: there are no wheels");
    cr_expect(status == 0 && !strstr(text, " of ") && !strstr(text, "no "), "%s", text);
}

/* ---- drivers and GPUs, with stand-ins for what names them ------------------------------------ */

/* nvidia-smi of a driver with these versions and GPUs, and nvcc of a toolkit that knows some. The
 * system's packages have no toolkit. */
static int with_driver(const char *driver, const char *cuda, const char *gpus, const char *command)
{
    return checkout_run(
        text,
        "bin=$(mktemp -d); trap 'rm -r $bin' EXIT\n"
        "cat >$bin/nvidia-smi <<'END'\n#!/bin/sh\n"
        "case $* in *compute_cap*) printf '%s' ;;\n"
        "*) printf 'Driver Version     : %s\\nCUDA Version       : %s\\n' ;; esac\nEND\n"
        "cat >$bin/nvcc <<'END'\n#!/bin/sh\n"
        "for a in 50 75 80 86 89 90 100 103 110 120; do echo compute_$a; done\nEND\n"
        "printf '#!/bin/sh\\n' >$bin/apt-cache\n"
        "chmod +x $bin/*; export PATH=$bin:$PATH; %s",
        gpus, driver, cuda, command);
}

Test(setup, an_old_driver_is_named_and_labs_are_built_for_the_simulated_device)
{
    cr_expect_eq(with_driver("535.54.03", "12.2", "8.9\\n", "common/setup.sh which-device"), 0);
    cr_expect(strstr(text, "the NVIDIA driver 535.54.03 runs programs of CUDA 12.2 and older") &&
                  strstr(text, "next: a driver 580 or newer; or an installed CUDA 12 toolkit") &&
                  strcmp(text + strlen(text) - 4, "sim\n") == 0,
              "%s", text);
    cr_expect_eq(with_driver("535.54.03", "12.2", "8.9\\n", "make setup DEVICE=gpu SETUP=no"), 2);
    expect_text("the NVIDIA driver 535.54.03 runs programs of CUDA 12.2 and older");
}

Test(setup, code_is_made_for_the_gpus_that_are_there)
{
    static const struct {
        const char *gpus, *arguments, *code;
    } all[] = {
        {"8.9\\n", "",
         "-gencode arch=compute_89,code=sm_89 -gencode "
         "arch=compute_89,code=compute_89 "},
        {"9.0\\n7.5\\n9.0\\n", "",
         "-gencode arch=compute_75,code=sm_75 -gencode arch=compute_75,code=compute_75 "
         "-gencode arch=compute_90,code=sm_90 -gencode arch=compute_90,code=compute_90 "},
        {"13.0\\n", "", "-gencode arch=compute_120,code=compute_120 "},
        {"[N/A]\\n", "all",
         "-gencode arch=compute_90,code=compute_90 -gencode arch=compute_75,code=sm_75 "
         "-gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 "
         "-gencode arch=compute_100,code=sm_100 -gencode arch=compute_120,code=sm_120 "},
    };
    char command[128];
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        snprintf(command, sizeof command, "common/setup.sh code nvcc %s", all[i].arguments);
        cr_expect_eq(with_driver("580.1", "13.0", all[i].gpus, command), 0);
        cr_expect_str_eq(text, all[i].code);
    }
}

/* ---- toolkits that cannot be used ------------------------------------------------------------ */

/* Makes a toolkit in $home: its nvcc is of one version, its headers of another. Empty: none. */
static int with_toolkit(const char *nvcc, const char *headers, const char *command)
{
    char script[2048];
    snprintf(script, sizeof script,
             "home=$bin/toolkit; mkdir -p $home/bin $home/lib64 $home/include/crt\n"
             "touch $home/lib64/libcudart.so $home/include/crt/host_defines.h\n"
             "[ -z '%s' ] || echo '#define CUDART_VERSION %s' >$home/include/cuda_runtime_api.h\n"
             "[ -z '%s' ] || { printf '#!/bin/sh\\necho release %s, V1\\n' >$home/bin/nvcc; "
             "chmod +x $home/bin/nvcc; }\n"
             "unset CUDA_PATH; export CUDA_HOME=$home; rm $bin/nvcc; %s",
             headers, headers, nvcc, nvcc, command);
    return with_driver("580.1", "13.0", "9.0\\n", script);
}

Test(setup, toolkits_that_cannot_be_used_are_named_with_the_reason)
{
    static const struct {
        const char *nvcc, *headers, *reason;
    } all[] = {
        {"", "13000", "it has no bin/nvcc"},
        {"12.4", "13000", "its nvcc is of CUDA 12.4, and its headers in "},
        {"11.8", "11080", "its version does not fit: it is CUDA 11.8"},
        {"13.0", "", "it has no headers of CUDA"},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        /* what make would do is only listed: on a machine with another toolkit nothing is missing
         */
        with_toolkit(all[i].nvcc, all[i].headers,
                     "cp -r common $bin/common; cd $bin; SETUP=no common/setup.sh again gpu");
        cr_expect(strstr(text, "/toolkit is not used: ") && strstr(text, all[i].reason) &&
                      strstr(text, "next: set CUDA_HOME to a complete toolkit"),
                  "nvcc %s, headers %s: %s", all[i].nvcc, all[i].headers, text);
    }
    with_toolkit("", "13000", "PATH=$bin:/usr/bin:/bin common/setup.sh which-device");
    expect_text("it has no bin/nvcc");
}

/* Its files may be in the folder of the machine alone, which has another name on a server. */
Test(setup, a_toolkit_for_64_bit_arm_is_found_in_its_targets)
{
    static const char *const targets[] = {"aarch64-linux", "sbsa-linux"};
    char command[512];
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        snprintf(command, sizeof command,
                 "mkdir -p $home/targets/%s; mv $home/include $home/targets/%s; "
                 "mv $home/lib64 $home/targets/%s/lib\n"
                 "printf '#!/bin/sh\\necho aarch64\\n' >$bin/uname; chmod +x $bin/uname\n"
                 "PATH=$bin:/usr/bin:/bin common/setup.sh which-device",
                 targets[i], targets[i], targets[i]);
        with_toolkit("13.0", "13000", command);
        cr_expect_str_eq(text, "gpu\n", "%s: %s", targets[i], text);
    }
}

Test(setup, an_old_driver_is_offered_the_toolkit_of_the_systems_packages)
{
    static const char command[] =
        "printf '#!/bin/sh\\necho \"  Candidate: 12.4.131~12.4.1-2\"\\n' >$bin/apt-cache; "
        "unset CUDA_PATH; CUDA_HOME= common/setup.sh which-device";
    with_driver("550.54", "12.4", "7.5\\n", command);
    expect_text("the system's package of CUDA 12.4, which this driver serves: apt-get "
                "install nvidia-cuda-toolkit");
    with_driver("470.57", "11.4", "7.5\\n", command);
    expect_text("next: a driver 580 or newer");
}

Test(setup, gpus_that_are_too_old_or_too_new_are_named)
{
    with_driver("580.1", "13.0", "7.0\\n6.1\\n", "common/setup.sh which-device");
    cr_expect(strstr(text, "the GPU has compute capability 7.0, and the labs need 7.5") &&
                  strcmp(text + strlen(text) - 4, "sim\n") == 0,
              "%s", text);
    cr_expect_eq(with_driver("580.1", "13.0", "7.0\\n", "make setup DEVICE=gpu SETUP=no"), 2);
    expect_text("the labs need 7.5");
}

/* ---- the driver's library -------------------------------------------------------------------- */

/* Grades with a stand-in for libcuda.so.1. `options`: what it answers, as options of gcc. The
 * program that is graded is one for the simulated device. */
static int grade_with_library(const char *options, const char *environment, const char *graded)
{
    return checkout_run(
        text,
        "bin=$(mktemp -d); trap 'rm -r $bin' EXIT\n"
        "cat >$bin/driver.c <<'END'\n"
        "#include <string.h>\n"
        "int cuInit(unsigned f) { return INIT + 0 * (int)f; }\n"
        "int cuDriverGetVersion(int *v) { *v = 13000; return 0; }\n"
        "int cuDeviceGetCount(int *n) { *n = COUNT; return 0; }\n"
        "int cuDeviceGetName(char *s, int n, int d) { strncpy(s, NAME, n + 0 * d); return 0; }\n"
        "int cuDeviceGetAttribute(int *v, int a, int d)\n"
        "{ *v = a == 20 ? MODE : a == 75 ? CC / 10 + d : a == 76 ? CC %% 10 : 0; return 0; }\n"
        "int cuDeviceCanAccessPeer(int *c, int d, int p) { *c = PEERS(d, p); return 0; }\n"
        "END\n"
        "gcc -shared -fPIC -DINIT=0 -DCOUNT=1 -DMODE=0 -DCC=80 '-DNAME=\"A\"' '-DPEERS(d,p)=d<p' "
        "%s $bin/driver.c -o $bin/libcuda.so.1 || exit\n"
        "unset CUDA_VISIBLE_DEVICES; %s LD_LIBRARY_PATH=$bin ./grade %s --device gpu",
        options, environment, graded);
}

static int with_library(const char *options, const char *environment)
{
    return grade_with_library(options, environment,
                              "lab08 branches_drawn --subject build/sim/lab08/solution/subject");
}

Test(setup, a_driver_that_cannot_be_used_is_answered_with_the_reason)
{
    static const struct {
        const char *options, *environment, *reason;
    } all[] = {
        {"-UINIT -DINIT=100", "", "(the driver sees no GPU: a container needs"},
        {"-UINIT -DINIT=100", "CUDA_VISIBLE_DEVICES=7",
         "(CUDA_VISIBLE_DEVICES=7 selects no GPU of this machine)"},
        {"-UINIT -DINIT=803", "", "different versions: restart the machine"},
        {"-UINIT -DINIT=999", "", "the driver does not start: cuInit returned 999"},
        {"-UCOUNT -DCOUNT=0", "", "(the driver sees no GPU: "},
        {"-UMODE -DMODE=2", "", "its compute mode is PROHIBITED"},
        {"-UMODE -DMODE=3", "CUDA_MPS_PIPE_DIRECTORY=/nowhere",
         "its compute mode is EXCLUSIVE_PROCESS, and a grading needs two processes"},
        {"-UCC -DCC=70", "", "it has compute capability 7.0, and the labs need 7.5"},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        cr_expect_eq(with_library(all[i].options, all[i].environment), 4, "%s", text);
        cr_expect(strstr(text, all[i].reason) && strstr(text, "\nNext: make lab08 DEVICE=sim"),
                  "%s: %s", all[i].options, text);
    }
    checkout_run(text, "./grade lab08 branches_drawn --device gpu --subject "
                       "build/sim/lab08/solution/subject");
    cr_expect(access("/dev/nvidiactl", F_OK) == 0 ||
                  strstr(text, "(there is no NVIDIA driver: libcuda.so.1 is not found)"),
              "%s", text);
}

Test(setup, checks_of_peer_access_need_gpus_that_have_it)
{
    static const char *const graded = "lab12 --needs --subject build/sim/lab12/solution/subject";
    cr_expect_eq(grade_with_library("-UCOUNT -DCOUNT=2", "", graded), 0, "%s", text);
    expect_text("  yes   peer_access        needs 2 GPUs with peer access\n");
    cr_expect_eq(grade_with_library("-UCOUNT -DCOUNT=2 -UPEERS '-DPEERS(d,p)=d-d'", "", graded), 0,
                 "%s", text);
    expect_text("  no    peer_access        needs 2 GPUs with peer access\n");
    expect_text("  yes   bubble             needs 2 GPUs\n");
}

Test(setup, the_report_names_the_gpu_that_is_used)
{
    cr_expect_eq(with_library("-UCOUNT -DCOUNT=2 -UNAME '-DNAME=\"GPU X\"'", ""), 0, "%s", text);
    expect_text("on GPU X\n       the first of 2 GPUs; CUDA_VISIBLE_DEVICES selects ");
    cr_expect_eq(with_library("-UNAME '-DNAME=\"X MIG 1g.5gb\"'", "CUDA_VISIBLE_DEVICES=0"), 0,
                 "%s", text);
    cr_expect(strstr(text, "a part of a GPU (MIG)") && !strstr(text, "GPUs;"), "%s", text);
    /* an exclusive GPU that MPS shares can be used */
    cr_expect_eq(with_library("-UMODE -DMODE=3", "CUDA_MPS_PIPE_DIRECTORY=$(touch $bin/control; "
                                                 "echo $bin)"),
                 0, "%s", text);
}
