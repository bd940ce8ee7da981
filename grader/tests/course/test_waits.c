/* test_waits.c: no wait of the grader's own orders a submission's work without anybody knowing. A
 * wait of an adapter between two functions of the submission would hide a missing event. */
#include "commands.h"

TestSuite(waits, .init = begin, .fini = end);

#define FOUND                                                                                      \
    "awk -f grader/tests/course/waits.awk grader/labs/lab*/adapter*.c grader/labs/*.h "            \
    "grader/subject/*.c | sort"

/* waits.tsv has exactly the functions that wait, each with a reason. */
Test(waits, each_function_of_the_grader_that_waits_has_a_reason)
{
    run(ANY, FOUND " >$S/found; test $(wc -l <$S/found) -gt 50 || echo too few; "
                   "sed 1,2d grader/tests/course/waits.tsv | cut -f 1,2 | sort | diff $S/found - | "
                   "grep '^[<>]'; awk -F '\\t' 'NR > 2 && (NF != 3 || length($3) < 10)' "
                   "grader/tests/course/waits.tsv");
    cr_expect_str_eq(ran.said, "", "waits of the grader (<) and reasons (>) differ:\n%s", ran.said);
}

/* The list grows by a wait that somebody adds. */
Test(waits, a_wait_that_is_new_is_found)
{
    run(0, "cp grader/labs/lab11/adapter.c $S/adapter.c && sed -i "
           "'s/.*lab11_decode(lab, task.steps.*/cudaStreamQuery(task.marks);/' $S/adapter.c && "
           "awk -f grader/tests/course/waits.awk $S/adapter.c | cut -f 2 | grep -x run_batch");
}

/* No adapter lends the submission a struct that lies among its own variables. */
Test(waits, the_struct_of_each_lab_is_alone)
{
    run(ANY, "for l in grader/labs/lab*/; do grep -q subject_alone $l/adapter.c || echo $l; done; "
             "grep -nE '^static struct lab[0-9]+ [a-z]' grader/labs/lab*/adapter*.c");
    cr_expect_str_eq(ran.said, "", "%s", ran.said);
}
