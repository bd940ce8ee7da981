/*
 * test_myths.c: labs/MYTHS.md says what the programs in labs/myths are about and what they print;
 * on the simulated device they do.
 */
#include "checkout.h"

static char text[CHECKOUT_TEXT];

TestSuite(myths, .init = checkout_enter);

Test(myths, every_program_prints_what_is_in_the_book)
{
    cr_expect(checkout_run(text, "labs/myths/check.sh build/sim/myths") == 0, "%s", text);
}

/* A section is: the claim as a heading, what is so, the program, what it prints. */
static void has_its_section(const char *program)
{
    int status = checkout_run(
        text,
        "set -e; p=%s; name=$(basename $p .c)\n"
        "claim=$(sed -n '/\\*\\//q;p' <(sed 's|\\*/|\\n&|' $p) | tr '\\n' ' ' | "
        "sed 's|^/\\* *||; s|  *\\* *| |g; s| *$||')\n"
        "heading=\"### $claim\"\n"
        "section=$(tr -d '`' <labs/MYTHS.md | awk -v h=\"$heading\" '/^##/ { on = $0 == h } on')\n"
        "[ -n \"$section\" ] || { echo \"labs/MYTHS.md has no heading: $heading\"; exit 1; }\n"
        "grep -qF \"[myths/$name.c](myths/$name.c)\" <<<\"$section\" || "
        "{ echo \"the section of $claim does not name $p\"; exit 1; }\n"
        "diff <(sed -n '/^text$/,$p' <<<\"$section\" | sed '1d;/^$/d') labs/myths/$name.txt || "
        "{ echo \"the section of $claim prints something else (<) than $name.txt (>)\"; exit 1; }",
        program);
    cr_expect(status == 0, "%s: %s", program, text);
}

Test(myths, every_program_has_its_section)
{
    checkout_each("labs/myths/*.c", has_its_section);
}

Test(myths, every_section_has_its_program)
{
    int status = checkout_run(
        text, "for s in $(sed -n 's/^\\[`\\(myths[^`]*\\)`\\].*/\\1/p' labs/MYTHS.md); do\n"
              "    [ -f labs/$s ] || echo \"there is no labs/$s\"\n"
              "done\n"
              "[ $(grep -c '^### ' labs/MYTHS.md) = $(ls labs/myths/*.c | wc -l) ] || "
              "echo 'labs/MYTHS.md has another number of claims than labs/myths of programs'\n"
              "[ \"$(ls labs/myths/*.c | sed 's/c$//')\" = \"$(ls labs/myths/*.txt | sed "
              "'s/txt$//')\" ] || "
              "echo 'in labs/myths programs and answers do not belong together'");
    cr_expect(status == 0 && text[0] == 0, "%s", text);
}

/* A program that says something else, and one that fails, are noticed. */
Test(myths, the_check_notices)
{
    int status = checkout_run(
        text,
        "set -e; d=$(mktemp -d); trap 'rm -rf $d' EXIT; mkdir $d/built\n"
        "cp labs/myths/check.sh $d; echo so >$d/right.txt; cp $d/right.txt $d/wrong.txt\n"
        "cp $d/right.txt $d/fails.txt; cp $d/right.txt $d/missing.txt\n"
        "for n in right:so:0 wrong:otherwise:0 fails:so:3; do IFS=: read -r name says ends <<<$n\n"
        "    printf '#!/bin/sh\\necho %%s\\nexit %%s\\n' $says $ends >$d/built/$name; done\n"
        "chmod +x $d/built/*\n"
        "! $d/check.sh $d/built || exit 9\n"
        "rm $d/missing.txt; ! $d/check.sh $d/built");
    cr_expect(status == 0, "%d: %s", status, text);
    cr_expect(strstr(text, "missing is not built"), "%s", text);
    cr_expect(strstr(text, "3 claims, 2 of them with another answer than labs/MYTHS.md has"), "%s",
              text);
    cr_expect(strstr(text, "!! fails ended with status 3"), "%s", text);
    cr_expect(strstr(text, "!! wrong.txt says:"), "%s", text);
}
