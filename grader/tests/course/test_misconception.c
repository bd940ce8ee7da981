/* test_misconception.c: a new misconception takes one stanza and one file: in a copy of the
 * checkout, each is added, graded under its name, and removed again. */
#include "checkout.h"

static void begin(void)
{
    checkout_enter();
    checkout_copy(scratch);
}

TestSuite(misconception, .init = begin, .fini = scratch_remove);

/* A stanza before all others, and a submission: a known one with another mistake. */
/* `words`: of the message of its check. */
static void add_and_remove(const char *lab, const char *rule, const char *known, const char *check,
                           const char *words)
{
    must_succeed(
        "lab=%s rule='%s' known=%s; f=grader/labs/$lab; cp $f/mistakes kept\n"
        "awk -v rule=\"$rule\" '/^mistake:/ && !done++ { print \"mistake: new_one\\nwhen: \" rule "
        "\"\\nhappened: The new one.\\nnext: do it\\n\" } { print }' kept >new && mv new "
        "$f/mistakes\n"
        "sed '/^also:/d; /^fails:/d; s/^mistake:.*/fails: sim %s \"%s\"\\n"
        "mistake: new_one/' $f/wrong/$known >$f/wrong/new_one\n"
        "make audit DEVICE=sim LAB=$lab/new_one SEED=1 | tail -n 1 && "
        "make $lab KNOWN=new_one >/dev/null && { ./grade $lab %s --why; true; } | grep rule: &&\n"
        "mv kept $f/mistakes && rm $f/wrong/new_one &&\n"
        "make audit DEVICE=sim LAB=$lab/$known SEED=1 | tail -n 1\n",
        lab, rule, known, check, words, check);
    expect_text("audit: all verdicts as expected\n  rule: grader/labs/");
    const char *rules = strstr(text, ": new_one: ");
    cr_assert(rules, "%s", text);
    cr_expect(strstr(rules, "audit: all verdicts as expected\n"), "%s", text);
}

/* In lab 03 of a race, in lab 08 of a graph, in lab 13 of a server. */
Test(misconception, takes_one_stanza_and_one_file)
{
    add_and_remove("lab03", "race memcpyD2H* -> matmul*, wait some", "set_free_too_early",
                   "race_free", "The new one.");
    add_and_remove("lab08", "check branches_drawn", "edge_missing", "branches_drawn", "is missing");
    add_and_remove("lab13", "race, check race_free", "kernels_never_wait", "race_free",
                   "The new one.");
}
