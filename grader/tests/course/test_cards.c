/* test_cards.c: other GPUs, by profiles that are derived from published figures: on none of them
 * does the reference solution fail a check. What a card cannot show is skipped, with the reason.
 *
 * Three cards that differ most, and the labs for which they differ. make test FULL=1 audits all
 * labs on each card (tests.mk). */
#include "checkout.h"

TestSuite(cards, .init = checkout_enter);

Test(cards, solutions_pass_on_other_cards)
{
    int status = checkout_run(
        text,
        "said=$(mktemp); trap 'rm $said' EXIT\n"
        "for each in {t4,rtx4090}/{lab03,lab08,lab11} b200/lab08; do\n"
        "    ./grade ${each#*/} --as ${each%%/*} --submission solution --seed 7 >$said 2>&1 ||\n"
        "        { echo \"$each:\"; cat $said; }\n"
        "done");
    cr_expect(status == 0 && text[0] == 0, "%s", text);
}

Test(cards, what_a_card_cannot_show_is_skipped_and_named)
{
    must_succeed("./grade lab08 --as rtx4090 --submission solution --json -");
    expect_text("This device cannot show: early_results, early_time (compute capability 9.0)\n");
    expect_text("\"message\": \"it needs compute capability 9.0\"");
    must_succeed("./grade lab08 --as rtx4090 --submission solution --needs");
    expect_text("  no    early_time         needs compute");
    must_succeed("SIMGPU_DEVICES=1 ./grade lab12 --device sim --submission solution --needs");
    expect_text("  no    bubble             needs 2 simulated devices");
}

Test(cards, cards_that_do_not_exist_are_answered_with_those_that_do)
{
    cr_expect_eq(checkout_run(text, "./grade lab03 --as 4090"), 2);
    expect_text("--as 4090? There are figures of: a10 a100 ");
    cr_expect_eq(checkout_run(text, "./grade lab03 --as t4 --device gpu"), 2);
    expect_text("--as is for the simulated device");
}
