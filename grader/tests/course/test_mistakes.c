/* test_mistakes.c: labs/mistakes.awk names every part of a mistake or of a known submission that is
 * missing or misspelt, with its file and line. */
#include "checkout.h"

TestSuite(mistakes, .init = checkout_enter);

/* Changes a copy of lab 06 and makes the tables `of` lab06 or judge there; they, or the complaints,
 * are in `text`. The exit status. */
static int make_after(const char *of, const char *change)
{
    return checkout_run(
        text,
        "set -e; s=$(mktemp -d); trap \"rm -rf $s\" EXIT\n"
        "cp -r --parents grader/judge/mistakes grader/judge/*.c grader/labs/{known,mistakes}.awk "
        "grader/labs/*.c grader/labs/lab06 labs/lab06_*/{hints,README}.md labs/SYMPTOMS.md $s\n"
        "cd $s; mkdir out; lab=grader/labs/lab06\n"
        "%s\n"
        "awk -f grader/labs/known.awk $lab/wrong/* $lab/right/* >known.tsv\n"
        "awk -v of=%s -v out=out -f grader/labs/mistakes.awk grader/judge/mistakes "
        "grader/judge/*.c grader/labs/*.c $lab/mistakes $lab/*.c known.tsv labs/*/*.md "
        "labs/SYMPTOMS.md || { status=$?; ls out; exit $status; }\n"
        "cat out/*",
        change, of);
}

/* Complains in these words, and makes no table. */
static void expect_complaint(const char *change, const char *complaint)
{
    cr_expect_eq(make_after("lab06", change), 1, "%s: nothing is missing: %s", change, text);
    cr_expect(strstr(text, complaint), "%s: \"%s\" is missing in:\n%s", change, complaint, text);
    cr_expect_not(strstr(text, ".h\n"), "%s: tables were made: %s", change, text);
}

/* Appends to the file of mistakes. */
#define ADD(stanza) "printf '" stanza "' >>$lab/mistakes"
#define NEW "\\nmistake: new_one\\nwhen: race\\nhappened: It happened.\\n"

Test(mistakes, each_missing_part_is_named)
{
    static const struct {
        const char *change, *complaint;
    } parts[] = {
        /* a stanza */
        {ADD(NEW), "new_one has no next:"},
        {ADD("\\nmistake: new_one\\nwhen: race\\nnext: do it\\n"), "new_one has no happened:"},
        {ADD("\\nmistake: new_one\\nwhen: fact moon\\nhappened: a\\nnext: do it\\n"),
         "no check records the fact moon"},
        {ADD("\\nmistake: new_one\\nhappened: a\\nnext: do it\\n"), "new_one has no when:"},
        {"sed -i 's/^page: Setting after/page: Setting before/' $lab/mistakes",
         "neither the list of common mistakes in the handout of lab06 nor a row of "
         "labs/SYMPTOMS.md about it has the words \"Setting before the launch\""},
        {"sed -i 's/instantiated in each iteration/made again/' labs/SYMPTOMS.md",
         "has the words \"It is instantiated in each iteration\""},
        {ADD(NEW "next: do it\\n"),
         "no known submission produces the mistake new_one: add the line \"mistake: new_one\""},
        {ADD(NEW "next: do it\\nexplains: results reslts\\n"),
         "explains: names reslts, which is no check and no mistake of lab06"},
        {ADD(NEW "next: do it\\nexplains: @none\\n"), "there is no group none"},
        {ADD(NEW "next: do it\\nstep: 9\\n"), "hints.md has no section for step 9"},
        {ADD(NEW "next: do it\\nnext: or that\\n"), "this stanza has next: twice"},
        {ADD("\\nmistake: New\\nhappened: a\\nnext: b\\n"), "\"New\" is no name: lower case"},
        {ADD("\\nmistake: stale_error\\nhappened: a\\nnext: b\\n"),
         "the mistake stale_error has a stanza already"},
        {ADD("\\nmistaken: new_one\\n"), "\"mistaken\" is no field"},
        {ADD("\\nnext: do it\\n"), "a stanza begins with mistake:, step:, group: or starter:"},
        /* steps */
        {"sed -i 's/^checks: graphs$/checks: graphs beauty/' $lab/mistakes",
         "lab06 has no check beauty"},
        {"sed -i '/^step: 1$/{N;N;d}' $lab/mistakes", "the check graphs belongs to no step"},
        {"sed -i 's/^general: leak$/general: leek/' $lab/mistakes",
         "grader/judge/mistakes has no mistake leek"},
        {ADD("\\nstep: 1\\nchecks: results\\n"), "results has a step already: 2"},
        {ADD("\\nstep: 1\\n"), "this step has neither checks: nor general:"},
        /* a known submission */
        {"sed -i /^mistake:/d $lab/wrong/old_exec_launched",
         "no known submission produces the mistake not_updated"},
        {"sed -i /^fails:/d $lab/wrong/leaks_graphs",
         "wrong/leaks_graphs:1: there is no line fails: which check must fail?"},
        {"sed -i 's/^mistake: leak$/mistake: leek/' $lab/wrong/leaks_graphs",
         "there is no mistake leek in grader/labs/lab06/mistakes or grader/judge/mistakes"},
        {"sed -i 's/ race_free / race_fre /' $lab/wrong/leaks_graphs",
         "lab06 has no check race_fre"},
        {"sed -i 's/^fails: sim/fails: moon/' $lab/wrong/leaks_graphs",
         "expected is: fails: any|sim|gpu CHECK \"words of its message\""},
        {"sed -i 's/^fails:/fail:/' $lab/wrong/leaks_graphs", "\"fail\" is no field"},
        {"sed -i '1a fails: any results \"x\"' $lab/right/node_by_node",
         "a right submission passes: it has no fails:"},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        expect_complaint(parts[i].change, parts[i].complaint);
}

/* One stanza and one submission are all that a mistake takes. */
Test(mistakes, a_new_one_is_a_stanza_and_a_submission)
{
    cr_expect_eq(
        make_after(
            "lab06",
            ADD(NEW
                "next: do \\\"it\\\"\\nexplains: results\\nstep: 2\\n") "\n"
                                                                        "sed "
                                                                        "'s/^mistake:.*/mistake: "
                                                                        "new_one/' "
                                                                        "$lab/wrong/leaks_graphs "
                                                                        ">$lab/wrong/"
                                                                        "makes_new_one"),
        0, "%s", text);
    static const char *const made[] = {
        "extern const struct judge_mistake lab06_new_one;",
        "{&lab06_new_one, \"new_one\", LAB06_NEW_ONE, \"grader/labs/lab06/mistakes:",
        "lab06_new_one = {\"new_one\", \"It happened.\", \"do \\\"it\\\"\", \"results\", false, "
        "false};",
        "new_one\t2\n",
        "makes_new_one\tsim\tmistake\tnew_one\n",
        "    LAB06_NEW_ONE,\n",
    };
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        cr_expect(strstr(text, made[i]), "%s is missing in:\n%s", made[i], text);
}

/* A mistake of all labs needs a submission of any lab, and another lab's file is not complained
 * about twice. */
Test(mistakes, those_of_all_labs_are_held_too)
{
    cr_expect_eq(make_after("judge", ADD("\\nmistake: leak\\n")), 1);
    expect_text("grader/judge/mistakes:");
    expect_text("no known submission produces the mistake cycle");
    cr_expect_not(strstr(text, "grader/labs/lab06/"), "%s", text);
}
