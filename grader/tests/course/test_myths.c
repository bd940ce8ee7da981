/* test_myths.c: three pages say what the programs in labs/myths are about and what they print. That
 * they do is seen by test_handouts, which runs make myths. */
#include "checkout.h"

#define PAGES "labs/MYTHS.md labs/MORE.md labs/FREEING.md"

TestSuite(myths, .init = checkout_enter);

/* A section is: the program's subject (in MYTHS.md a claim) as a heading, what is so, the program,
   what it prints. */
static void has_its_section(const char *program)
{
    int status = checkout_run(
        text,
        "set -e; p=%s; name=$(basename $p .c)\n"
        "subject=$(sed -n '/\\*\\//q;p' <(sed 's|\\*/|\\n&|' $p) | tr '\\n' ' ' | "
        "sed 's|^/\\* *||; s|  *\\* *| |g; s| *$||')\n"
        "heading=\"### $subject\"\n"
        "section=$(cat " PAGES " | tr -d '`' | awk -v h=\"$heading\" '/^#/ { on = $0 == h } on')\n"
        "[ -n \"$section\" ] || { echo \"no page has the heading: $heading\"; exit 1; }\n"
        "grep -qF \"[myths/$name.c](myths/$name.c)\" <<<\"$section\" || "
        "{ echo \"the section of $subject does not name $p\"; exit 1; }\n"
        "diff <(sed -n '/^text$/,$p' <<<\"$section\" | sed '1d;/^$/d') labs/myths/$name.txt || { "
        "echo \"the section of $subject prints something else (<) than $name.txt (>)\"; exit 1; }",
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
        text, "for s in $(sed -n 's/^\\[`\\(myths[^`]*\\)`\\].*/\\1/p' " PAGES "); do\n"
              "    [ -f labs/$s ] || echo \"there is no labs/$s\"\n"
              "done\n"
              "[ $(cat " PAGES " | grep -c '^### ') = $(ls labs/myths/*.c | wc -l) ] || "
              "echo '" PAGES " have another number of sections than labs/myths of programs'\n"
              "[ \"$(ls labs/myths/*.c | sed 's/c$//')\" = \"$(ls labs/myths/*.txt | sed "
              "'s/txt$//')\" ] || "
              "echo 'in labs/myths programs and answers do not belong together'");
    cr_expect(status == 0 && text[0] == 0, "%s", text);
}

/* A program that says something else, and one that fails, are noticed; one that this device cannot
   show is neither, unless there is no other. */
Test(myths, the_check_notices)
{
    int status = checkout_run(
        text, "set -e; d=$(mktemp -d); trap 'rm -rf $d' EXIT; mkdir $d/built\n"
              "cp labs/myths/check.sh $d\n"
              "for n in right:so:0 wrong:otherwise:0 fails:so:3 skips:reason:77; do\n"
              "    IFS=: read -r name says ends <<<$n; echo so >$d/$name.txt\n"
              "    printf '#!/bin/sh\\necho %%s\\nexit %%s\\n' $says $ends >$d/built/$name; done\n"
              "chmod +x $d/built/*\n"
              "! $d/check.sh $d/built || exit 9\n"
              "rm $d/wrong.txt $d/fails.txt; $d/check.sh $d/built | tail -n 1\n"
              "echo so >$d/missing.txt; ! $d/check.sh $d/built || exit 9\n"
              "rm $d/missing.txt $d/right.txt; ! $d/check.sh $d/built || exit 9");
    cr_expect(status == 0, "%d: %s", status, text);
    expect_text("missing is not built");
    expect_text("4 programs, 2 of them with another answer than their page has, 1 not "
                "for this device");
    expect_text("\n2 programs, 0 of them with another answer");
    expect_text("!! fails ended with status 3");
    expect_text("!! wrong.txt says:");
    expect_text("whose program can run here");
}
