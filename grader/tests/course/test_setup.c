/*
 * test_setup.c: set-up fetches what is needed: each header of CUDA that the course includes is in a
 * wheel of setup.sh's list, for the commands that need it.
 *
 * Headers of labs, of the judge and of the simulated device come with the part "headers"; those of
 * CUDA programs, which simcc compiles, with "libraries", too; those of traces with "cupti".
 */
#include "checkout.h"

#include <criterion/parameterized.h>

static char text[CHECKOUT_TEXT];

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
        "set -f; found=0\n"
        "for name in $names; do\n"
        "    for folder in \"$cuda\" \"$cuda/cccl\" \"$more\" \"$more/cccl\" \"$cupti\"; do\n"
        "        [ ! -e \"$folder/$name\" ] || break\n"
        "    done\n"
        "    if [ ! -e \"$folder/$name\" ]; then\n"
        "        case $name in cu*|nv/*) echo \"$name is nowhere\" ;; esac\n"
        "        continue\n"
        "    fi\n"
        "    found=$((found + 1))\n"
        "    echo \"#include <$name>\" | g++ -M -x c++ -std=c++17 %s -isystem \"$cuda\" -isystem "
        "\"$cuda/cccl\" -isystem \"$more\" -isystem \"$more/cccl\" -isystem \"$cupti\" - | "
        "tr -s ' \\\\' '\\n' | sed -n \"s|^$cuda/||p; s|^$more/||p; s|^$cupti/||p\" | sort -u | "
        "while read -r used; do in_wheels \"$used\" || echo \"<$name> needs $used\"; done\n"
        "done\n"
        "[ $found -gt 0 ] || echo 'no header of CUDA was found'\n",
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

/* ---- drivers and GPUs, with stand-ins for what names them --------------------------------------
 */

/* nvidia-smi of a driver with these versions and GPUs, and nvcc of a toolkit that knows some. */
static int with_driver(const char *driver, const char *cuda, const char *gpus, const char *command)
{
    return checkout_run(
        text,
        "bin=$(mktemp -d); trap 'rm -r $bin' EXIT\n"
        "cat >$bin/nvidia-smi <<'END'\n#!/bin/sh\n"
        "case $* in *compute_cap*) printf '%s' ;;\n"
        "*) printf 'Driver Version     : %s\\nCUDA Version       : %s\\n' ;; esac\nEND\n"
        "cat >$bin/nvcc <<'END'\n#!/bin/sh\n"
        "for a in 50 75 80 86 89 90 100 103 120; do echo compute_$a; done\nEND\n"
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
    cr_expect_eq(with_driver("535.54.03", "12.2", "8.9\\n", "make lab01 DEVICE=gpu SETUP=no"), 2);
    cr_expect(strstr(text, "the NVIDIA driver 535.54.03 runs programs of CUDA 12.2 and older"),
              "%s", text);
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
         "-gencode arch=compute_100,code=sm_100 -gencode arch=compute_120,code=sm_120 "
         "-gencode arch=compute_120,code=compute_120 "},
    };
    char command[128];
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        snprintf(command, sizeof command, "common/setup.sh code nvcc %s", all[i].arguments);
        cr_expect_eq(with_driver("580.1", "13.0", all[i].gpus, command), 0);
        cr_expect_str_eq(text, all[i].code);
    }
}
