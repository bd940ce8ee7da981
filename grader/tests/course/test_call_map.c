/* test_call_map.c: labs/CALLS.md is what labs/calls.awk makes of the tree, and has each call that
 * the simulated device models. */
#include "checkout.h"

TestSuite(call_map, .init = checkout_enter);

Test(call_map, page_is_up_to_date)
{
    cr_expect_eq(checkout_run(text, "make -s DEVICE=sim build/grader/gen/CALLS.md && diff "
                                    "build/grader/gen/CALLS.md labs/CALLS.md"),
                 0,
                 "labs/CALLS.md is not what labs/calls.txt and the programs say. Next: make calls, "
                 "and look at the difference:\n%s",
                 text);
}

Test(call_map, has_each_modelled_call_once)
{
    checkout_run(text,
                 "sed -n 's/^CALL(\\(cuda[A-Za-z0-9_]*\\),.*/\\1/p' common/simgpu/api/calls.def "
                 "| sort | comm -23 - <(grep -o '^cuda[A-Za-z0-9_]*' labs/calls.txt | sort)\n"
                 "grep -o '^cuda[A-Za-z0-9_]*' labs/calls.txt | sort | uniq -d");
    cr_expect_str_eq(text, "", "these calls lack a line in labs/calls.txt, or have two:\n%s", text);
}
