/* test_handouts.c: every command in a handout, and on the other pages, does what the page says.
 *
 * A block that begins with ```sh is run, line by line, in a copy of the checkout on the simulated
 * device; it must end with status 0, or with the one its first line names: ```sh exit=1. A block
 * that begins with ```text output is the end of what the commands before it printed. */
#include "checkout.h"

enum { MOST_COMMANDS = 4096 };

/* All pages with commands that are run. */
static const char *const pages[] = {
    "*.md",        "labs/*.md",         "labs/lab*/README.md", "common/*/README.md",
    "grader/*.md", "grader/class/*.md",
};

static int n_blocks, n_outputs;

TestSuite(handouts, .init = checkout_enter);

static void run_block(const char *path, int line, const char *commands, int wanted)
{
    int status = checkout_run(text, "set -e\n%s", commands);
    n_blocks++;
    cr_expect(status == wanted, "%s:%d: ended with %d, %d is wanted:\n%s\n%s", path, line, status,
              wanted, commands, text);
}

static void compare_output(const char *path, int line, const char *expected)
{
    size_t printed = strlen(text), end = strlen(expected);
    n_outputs++;
    cr_expect(printed >= end && strcmp(text + printed - end, expected) == 0,
              "%s:%d: the commands before it print something else:\n%s", path, line, text);
}

enum block { OTHER, COMMANDS, OUTPUT };

/* "```sh", "```sh exit=1", "```text output"; or any other line */
static enum block opens(const char *line, int *wanted)
{
    *wanted = 0;
    if (strcmp(line, "```sh\n") == 0 || sscanf(line, "```sh exit=%d\n", wanted) == 1)
        return COMMANDS;
    return strcmp(line, "```text output\n") == 0 ? OUTPUT : OTHER;
}

static void run_blocks(const char *path)
{
    char line[1024], block[MOST_COMMANDS] = "";
    int number = 0, wanted = 0, inside = 0;
    enum block kind = OTHER;
    FILE *from = fopen(path, "r");
    cr_assert(from, "%s: %s", path, strerror(errno));
    checkout_run(text, "rm -f build/lab[0-9][0-9]"); /* no page depends on what another has built */
    for (; fgets(line, sizeof line, from); number++) {
        if (!inside && (kind = opens(line, &wanted)) != OTHER) {
            inside = number + 1;
            block[0] = 0;
        } else if (inside && strcmp(line, "```\n") == 0) {
            if (kind == COMMANDS)
                run_block(path, inside, block, wanted);
            else
                compare_output(path, inside, block);
            inside = 0;
        } else if (inside) {
            cr_assert(strlen(block) + strlen(line) < sizeof block, "%s:%d: a long block", path,
                      inside);
            strcat(block, line);
        }
    }
    fclose(from);
    cr_expect(!inside, "%s:%d: the block has no end", path, inside);
}

Test(handouts, commands_do_what_they_say)
{
    checkout_copy(scratch);
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        checkout_each(pages[i], run_blocks);
    checkout_remove(scratch);
    cr_expect(n_blocks > 0, "there is no command in any handout");
    cr_expect(n_outputs > 0, "there is no output in any handout");
}

/* links.awk of these pages: files, pictures and headings */
static void find_broken_links(const char *paths)
{
    checkout_run(text, "awk -f grader/tests/course/links.awk %s", paths);
}

Test(handouts, links_lead_somewhere)
{
    find_broken_links(
        "$(find . \\( -name build -o -name .git \\) -prune -o -name '*.md' -printf '%P ')");
    cr_expect_str_eq(text, "", "these links lead nowhere:\n%s", text);
}

Test(handouts, a_link_that_leads_nowhere_is_noticed)
{
    FILE *to = fopen("build/links.md", "w");
    cr_assert(to);
    fputs("# One `page`: a title\n"
          "[a](../README.md) [b](#one-page-a-title) [c](../README.md#the-labs) [d](none.md) "
          "[e](#none)\n"
          "```\n[f](none.md)\n```\n[g](../labs) ![h\ni](../none.png) [j](../README.md#none)\n",
          to);
    fclose(to);
    find_broken_links("README.md build/links.md");
    unlink("build/links.md");
    cr_expect_str_eq(text,
                     "build/links.md:2: none.md\n"
                     "build/links.md:2: #none\n"
                     "build/links.md:7: ../none.png\n"
                     "build/links.md:7: ../README.md#none\n",
                     "%s", text);
}

/* Numbers that a handout quotes from plots/data are those of the CSV file. */
Test(handouts, figures_are_those_of_their_files)
{
    int status = checkout_run(text, "awk -f grader/tests/course/quoted.awk labs/*/README.md");
    cr_expect(status == 0 && text[0] == 0, "%s", text);
}

Test(handouts, a_figure_that_is_not_that_of_its_file_is_noticed)
{
    static const struct {
        const char *page, *complaint;
    } pages[] = {
        {"<!-- NVIDIA_H200/jitter.csv: 61.7 = stream.20@50 -->\nIt takes 61.7 µs.\n", ""},
        {"<!-- NVIDIA_H200/jitter.csv: 61.8 = stream.20@50 -->\nIt takes 61.8 µs.\n",
         "61.8 is 61.7185 in"},
        {"<!-- NVIDIA_H200/jitter.csv: 61.7 = stream.20@50 -->\nIt takes 61.8 µs.\n",
         "61.8 is not in the comment"},
        {"<!-- NVIDIA_H200/jitter.csv: 61.7 = stream.20@50 -->\nIt takes long.\n",
         "61.7 is in the comment, and not in the text"},
        {"<!-- NVIDIA_H200/jitter.csv: 61.7 = stream.21@50 -->\nIt takes 61.7 µs.\n",
         "has no row stream.21@50"},
        {"<!-- NVIDIA_H200/jitters.csv: 61.7 = stream.20@50 -->\nIt takes 61.7 µs.\n",
         "there is no plots/data/NVIDIA_H200/jitters.csv"},
        {"![jitter](../../plots/data/NVIDIA_H200/jitter.png)\n", "quotes nothing of it"},
        {"<!-- NVIDIA_H200/decode.csv: columns @1 @4; rows stream graph -->\n"
         "| | 1 | 4 |\n| --- | --- | --- |\n| a | 289 | 297 |\n| b | 219 | 227 |\n",
         "227 is 225.654 in"},
        {"<!-- NVIDIA_H200/decode.csv: columns @1 @4; rows stream graph -->\n"
         "| | 1 | 4 |\n| --- | --- | --- |\n| a | 289 | 297 |\n",
         "1 rows, and the comment names 2"},
    };
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        checkout_run(text, "printf '%%s' '%s' | awk -f grader/tests/course/quoted.awk -",
                     pages[i].page);
        const char *complaint = pages[i].complaint;
        cr_expect(complaint[0] ? strstr(text, complaint) != NULL : !text[0],
                  "%s is answered with: %s", pages[i].page, text);
    }
}

/* make test grades the solution in no other way. */
static void grades_starter_and_solution(const char *path)
{
    int status = checkout_run(text,
                              "lab=$(grep -o 'lab[0-9][0-9]' <<<%s | head -1)\n"
                              "grep -qx \"./grade $lab\" %s || echo \"./grade $lab\"\n"
                              "all=\"make $lab SOLUTION=1 && ./grade $lab\"\n"
                              "grep -qx \"$all\" %s || echo \"$all\"",
                              path, path, path);
    cr_expect(status == 0 && text[0] == 0, "%s lacks the command: %s", path, text);
}

Test(handouts, every_starter_and_every_solution_is_graded)
{
    checkout_each("labs/lab*/README.md", grades_starter_and_solution);
}
