/* test_starters.c: what a learner begins with is what the solution says it is. */
#include "checkout.h"

TestSuite(starters, .init = checkout_enter);

/* A learner's own work in labs/ is no mistake: then what was committed counts. */
static void is_generated(const char *solution)
{
    const char *lab = solution + strlen("solutions/");
    int status = checkout_run(text,
                              "unifdef -USOLUTION -o build/starter.test %s; [ $? = 1 ] || exit 2\n"
                              "trap 'rm -f build/starter.test' EXIT\n"
                              "cmp -s build/starter.test labs/%s && exit 0\n"
                              "git show HEAD:labs/%s 2>/dev/null | cmp -s - build/starter.test",
                              solution, lab, lab);
    cr_expect(status != 2, "%s: nothing is marked #ifdef SOLUTION", solution);
    cr_expect(status == 0, "labs/%s is not what %s makes of it: make starters, and commit both",
              lab, solution);
}

Test(starters, are_generated_from_the_solutions)
{
    checkout_each("solutions/lab*/lab.c*", is_generated);
}

/* (That every lab has its parts is lacks.sh's to say: test_new_lab.) */
Test(starters, solutions_are_nothing_but_solutions)
{
    int status = checkout_run(
        text, "ls -A solutions/* | grep -vx 'lab\\.cu\\?\\|\\|solutions/lab.._[a-z_]*:'");
    cr_expect(status == 1 && text[0] == 0, "stray files in solutions/: %s", text);
}

/* "YOUR STEP 3" in the starter is "Step 3" in the handout, and the other way round. */
static void steps_agree(const char *handout)
{
    int status = checkout_run(
        text,
        "lab=$(dirname %s)\n"
        "diff <(for f in solutions/$(basename $lab)/lab.c*; do unifdef -USOLUTION $f; done | "
        "grep -o 'YOUR STEP [0-9]*' | grep -o '[0-9]*' | sort -nu) <(grep -o '\\*\\*Step [0-9]*' "
        "%s | grep -o '[0-9]*' | sort -nu)",
        handout, handout);
    cr_expect(status == 0, "%s and the starter name different steps (< starter, > handout):\n%s",
              handout, text);
}

Test(starters, handouts_name_the_same_steps)
{
    checkout_each("labs/lab*/README.md", steps_agree);
}

/* The learner finds in the handout what the report names. */
static void checks_agree(const char *handout)
{
    int status = checkout_run(text,
                              "number=$(grep -o 'lab[0-9][0-9]' <<<'%s' | head -1)\n"
                              "diff <(sed -n 's/^JUDGE_CHECK(lab.., \\([a-z0-9_]*\\),.*/\\1/p' "
                              "grader/labs/$number/suite.c) "
                              "<(sed -n '/^| check |/,/^$/s/^| `\\([a-z0-9_]*\\)` |.*/\\1/p' %s)",
                              handout, handout);
    cr_expect(status == 0 && text[0] == 0,
              "%s and the suite name different checks (< suite, > handout):\n%s", handout, text);
}

Test(starters, handouts_name_the_same_checks)
{
    checkout_each("labs/lab*/README.md", checks_agree);
}
