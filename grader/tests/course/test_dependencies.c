/* test_dependencies.c: the folders of the grader and of the simulated device depend on each other
 * as their READMEs say, and in one direction (dependencies.sh). */
#include "checkout.h"

#include <criterion/parameterized.h>

TestSuite(dependencies, .init = scratch_make, .fini = scratch_remove);

Test(dependencies, are_those_of_the_readme)
{
    static const char *const parts[] = {
        "NOT_OURS=^cuda grader/tests/course/dependencies.sh grader build/grader/obj/grader "
        "build/sim/obj/grader",
        "NOT_OURS=^$ grader/tests/course/dependencies.sh common/simgpu build/sim/obj/common/simgpu",
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        int status = checkout_run(text, "%s", parts[i]);
        cr_expect(status == 0 && text[0] == 0, "%s\n%s", parts[i], text);
    }
}

/* Two folders a and b, b calls a, and something is wrong. */
struct flaw {
    char diagram[48];
    char sources[160]; /* a command that makes more of them */
    char problem[48];
};

#define KNOT(files)                                                                                \
    "for i in $(seq " #files "); do k=$(($i % " #files " + 1)); "                                  \
    "echo \"int f$k(void); int f$i(void) { return f$k(); }\" >a/$i.c; done"

ParameterizedTestParameters(dependencies, flaws)
{
    static struct flaw all[] = {
        {"a ->\\nb -> a\\n", "true", ""},
        {"a ->\\nb ->\\n", "true", "undeclared: b -> a for in_a"},
        {"a -> b\\nb -> a\\n", "true", "unused: a -> b"},
        {"a -> b\\nb -> a\\n", "echo 'int in_b(void); int back(void) { return in_b(); }' >a/back.c",
         "a cycle:\n  a\n  b"},
        {"a ->\\nb -> a\\n", "mkdir c; echo 'int in_c;' >c/c.c", "the diagram lacks the folder c"},
        {"a ->\\nb -> a\\nc ->\\n", "true", "no objects of ./c are built"},
        {"a: b\\n", "true", "no diagram in ./README.md"},
        {"a ->\\nb -> a\\n", KNOT(4), "a knot of 4 files in a:"},
        {"a ->\\nb -> a\\n", KNOT(3), ""},
        {"a ->\\nb -> a\\n`a/` has 4: why\\n", KNOT(4), ""},
        {"a ->\\nb -> a\\n`a/` has 4:\\n", KNOT(4), "a knot of 4 files in a:"},
        {"a ->\\nb -> a\\n`a/` has 4: why\\n", KNOT(3), "a has no knot of 4 files"},
    };
    return cr_make_param_array(struct flaw, all, sizeof all / sizeof all[0]);
}

ParameterizedTest(struct flaw *f, dependencies, flaws)
{
    must_succeed("set -e; script=$PWD/grader/tests/course/dependencies.sh; cd %s; mkdir a b; %s\n"
                 "printf '```\\n%s```\\n' >README.md\n"
                 "echo 'int in_a(void) { return 1; }' >a/a.c\n"
                 "echo 'int in_a(void); int in_b(void) { return in_a(); }' >b/b.c\n"
                 "for c in */*.c; do mkdir -p obj/${c%%/*}; gcc -c $c -o obj/${c%%.c}.o; done\n"
                 "$script . obj",
                 scratch, f->sources, f->diagram);
    cr_expect(f->problem[0] ? strstr(text, f->problem) != NULL : text[0] == 0,
              "of \"%s\" this was not found: %s\n%s", f->diagram, f->problem, text);
}
