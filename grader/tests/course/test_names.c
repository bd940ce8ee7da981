/* test_names.c: what comments and pages name exists: files and functions (names.awk). */
#include "checkout.h"

TestSuite(names, .init = checkout_enter);

/* search FOLDER; headers of CUDA are files that comments may name, too. */
static const char search[] =
    "tree=$PWD headers=$(find -L $(sed -n 's/^CUDA_INC := //p' build/setup.mk) -name '*.h')\n"
    "search() {\n"
    "    cd $1 && { find . \\( -name build -o -name .git \\) -prune -o -type f -print | cut -c 3- "
    "|\n"
    "        sort; echo \"$headers\"; } | awk -f $tree/grader/tests/course/names.awk\n"
    "}\n";

Test(names, of_files_and_functions_exist)
{
    must_succeed("%s search .", search);
    cr_expect_str_eq(text, "", "%s", text);
}

Test(names, the_search_finds_those_that_do_not_exist)
{
    char scratch[] = "/tmp/names-XXXXXX";
    cr_assert(mkdtemp(scratch));
    checkout_run(
        text,
        "%s to=%s; mkdir $to/parts\n"
        "cat >$to/parts/part.c <<'END'\n"
        "/* part.c: calls old_name, as parts/part.c and\n"
        " * gone.c do; /proc/any_file, build/made.c, labNN/x_y.c and new_* are no names. */\n"
        "static int new_name; // cuda_runtime_api.h, lost_name, LOST_WORDS, X_NAME and CU_WORDS\n"
        "const char *file = \"made.csv /* no_comment */\";\n"
        "END\n"
        "cat >$to/parts/run.sh <<'END'\n"
        "echo ran_it # like ran_away, not made.csv\n"
        "END\n"
        "cat >$to/README.md <<'END'\n"
        "`new_name`, [parts](parts/part.c), https://example.org/no_name.c torch.no_name(x_y=1), "
        "`lib/part.c`\n"
        "```sh\n"
        "cat fenced_name.txt\n"
        "```\n"
        "fenced_name.txt FOLDER/none.csv OLD_PAGE.md\n"
        "END\n"
        "search $to; rm -r $to",
        search, scratch);
    cr_expect_str_eq(text,
                     "README.md:1: there is no lib/part.c\n"
                     "README.md:5: there is no OLD_PAGE.md\n"
                     "parts/part.c:1: there is no old_name\n"
                     "parts/part.c:2: there is no gone.c\n"
                     "parts/part.c:3: there is no lost_name\n"
                     "parts/part.c:3: there is no LOST_WORDS\n"
                     "parts/run.sh:1: there is no ran_away\n",
                     "%s", text);
}

/* grader/tests/mutations.sh changes the text of each row of its table. */
Test(names, each_mistake_of_the_table_has_its_text_once_in_the_code)
{
    checkout_run(text, "awk -F '`' '/^[|] [0-9]+ [|]/ {\n"
                       "    split($1, cell, / *[|] */)\n"
                       "    gsub(/\\\\[|]/, \"|\", $2)\n"
                       "    n = 0\n"
                       "    while ((getline line <cell[4]) > 0) n += index(line, $2) > 0\n"
                       "    close(cell[4])\n"
                       "    if (n != 1) print cell[2] \": \" n \" times in \" cell[4]\n"
                       "}' grader/tests/README.md");
    cr_expect_str_eq(text, "", "%s", text);
}
