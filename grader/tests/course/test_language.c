/* test_language.c: what people read uses the terms of the CUDA Programming Guide.
 *
 * A word to avoid is a Perl regular expression. Code and quoted reports are not searched. A page
 * that has such a word fails no test: the test prints the line, and what to write instead, as
 * advice. */
#include "checkout.h"

/* Read by people. */
static const char pages[] =
    "README.md labs/[!C]*.md labs/lab*/{README.md,hints.md,lab.h} labs/myths/*.txt "
    "labs/myths/*.[ch]* solutions/lab*/lab.c* kernels/*.[ch]* common/*.[ch] "
    "common/simgpu/{simgpu.h,kernel.h,core/profile_keys.def,README.md} common/simgpu/[!kp]*/ "
    "grader/{command,report,judge,labs}/ grader/labs/lab*/ grader/{judge,labs/lab*}/mistakes "
    "grader/*.md grader/{class,jail}/README.md plots/README.md plots/*.gp plots/figures/*.gp";

static const struct {
    const char *word, *instead, *example;
} avoided[] = {
    {"(give[ns]?|puts?) .{0,20}\\b(in|into|to) (a|the) (stream|queue)s?\\b|\\b(queued|queuing)\\b|"
     "\\b(to|and|you) queues?\\b",
     "enqueue", "the copy is queued"},
    {"ma(ke|kes|de) an executable graph|\\banew\\b", "instantiate, re-instantiate",
     "a graph that is made anew"},
    {"launch(ed|es)? again", "relaunch, replay", "launched again"},
    {"\\bby (a )?streams?\\b", "with stream launches", "by stream"},
    {"\\b(a|the|two|which|second|last) marks?\\b", "a recorded event", "it puts a mark there"},
    {"\\bbehind\\b|\\bin front of\\b", "after, before", "behind the kernel"},
    {"one after the other", "serial", "one after the other"},
    {"longest path", "critical path", "the longest path"},
    {"\\bfired\\b|fire and forget", "launched fire-and-forget", "fire and forget"},
    {"\\brounds?\\b(?! trip)(?!-trip)", "iteration", "in each round"},
    {"\\bdesks?\\b|\\bhands? (is|are)\\b|\\b(its|his) hand\\b", "argument slot",
     "its hand is free"},
    {"there and back", "round trip", "there and back"},
    {"\\b(dear|dearer|dearest|cheap|cheaper|cheapest|cheaply)\\b", "expensive, inexpensive",
     "it is dear"},
    {"\\bmend(s|ed|ing)?\\b", "fix", "mend it"},
    {"\\bspoil(s|ed|t|ing)?\\b", "overwrite, corrupt", "this spoils the result"},
    {"\\bg[ai]ve[ns]?( it| them)? back\\b|\\bleft behind\\b", "free, leak",
     "gives back the memory"},
    {"\\bsaid\\b|\\bsayings?\\b", "published, claimed", "as is often said"},
    {"\\brun-up\\b", "warm-up", "after a run-up"},
    {"\\bstale\\b", "uninitialized", "a stale read"},
    {"\\btell(s|ing)?\\b|\\btold\\b", "report, declare", "nobody is told"},
    {"(?<!warp )\\blanes?\\b", "clock id, timeline row, warp lane", "the lane of an engine"},
    {"\\bstamps?\\b", "vector clock, epoch", "a stamp"},
    {"\\bwanted\\b|\\bseen\\b", "expected, actual", "seen and wanted"},
    {"\\btroubles?\\b|\\bgrader's mistakes?\\b", "internal error", "the grader has trouble"},
    {"\\bodd\\b", "edge cases", "odd sizes"},
    {"\\bof two,|\\bof like length\\b", "two, equally long", "chains of like length"},
    {"(?-i:(^|[.:] )(What|Whoever|Where) [^?#]*[^?*]$)", "a noun as the subject",
     "What the stream has runs."},
    {"\\b\\w*(colour|behaviour|neighbour|centre|modelled|modelling)\\w*\\b|\\bgrey\\b|"
     "\\b\\w+(chron|ial|tim|gn)is(e|es|ed|ing|ation)\\b",
     "American spelling", "it synchronises"},
};

/* What is searched of a page: no fenced or (in hints) indented blocks, no `code`, no comments,
 * no targets of links. Of mistakes: what happened and what to do next. Of a figure's script: its
 * strings, unless they are names of data. Of a folder of sources: their strings. Of a program: its
 * comments. */
static const char searched[] =
    "case $page in\n"
    "*/hints.md) sed 's/^       .*//; s/`[^`]*`/code/g' $page ;;\n"
    "*/mistakes) awk '/^[a-z]+:/ { key = $1 } key == \"happened:\" || key == \"next:\" {\n"
    "    sub(/^[a-z]+: /, \"\"); print }' $page | sed 's/`[^`]*`/code/g' ;;\n"
    "*.md) awk '/^```/ { code = !code; $0 = \"\" } /^<!-- / { data = 1 }\n"
    "    { print code || data ? \"\" : $0 } /-->/ { data = 0 }' $page | "
    "sed 's/`[^`]*`/code/g; s/](\\([^)]*\\))/]/g' ;;\n"
    "*.gp) grep -v '^#' $page | sed 's/\\\\\"//g' | grep -o '\"[^\"]* [^\"]*\"' | grep -v awk ;;\n"
    "*/) cat $page*.c | grep -o '\"[^\"]* [^\"]*\"' ;;\n"
    "*.[ch] | *.cu) awk '{ text = \"\"; while ($0 != \"\") {\n"
    "    at = index($0, inside ? \"*/\" : \"/*\")\n"
    "    if (inside) text = text (at ? substr($0, 1, at - 1) : $0)\n"
    "    if (at) inside = !inside; $0 = at ? substr($0, at + 2) : \"\" }\n"
    "    print text }' $page | sed 's/`[^`]*`/code/g' ;;\n"
    "*) cat $page ;;\n"
    "esac";

#define LINES "build/language.lines"

TestSuite(language, .init = checkout_enter);

/* What is searched of the pages becomes LINES: "PAGE:NUMBER: LINE". Returns how many pages. */
static int collect(const char *of)
{
    must_succeed("shopt -s failglob; n=0; exec 3>&1 >" LINES "\n"
                 "for page in %s; do n=$((n + 1))\n%s | awk -v page=$page "
                 "'{ print page \":\" NR \": \" $0 }'; done; echo $n >&3",
                 of, searched);
    return atoi(text);
}

/* The lines with words that match; status 0 if there are any, 1 if there is none. */
static int search(const char *words)
{
    int status = checkout_run(text,
                              "read -r words <<'END'\n%s\nEND\n"
                              "grep -iP -- \"^\\S+:\\d+(?=: ).*?(?:$words)\" " LINES,
                              words);
    cr_assert(status == 0 || status == 1, "the search failed (%d): %s", status, text);
    return status;
}

Test(language, pages_are_searched_for_words_to_avoid)
{
    const int n = collect(pages);
    cr_expect(n >= 40, "only %d pages were searched", n);
    for (size_t i = 0; i < sizeof avoided / sizeof *avoided; i++)
        if (search(avoided[i].word) == 0)
            printf("write instead: %s\n%s", avoided[i].instead, text);
    unlink(LINES);
}

static void collect_text(const char *name, const char *page)
{
    FILE *to = fopen(name, "w");
    cr_assert(to && fputs(page, to) >= 0 && fclose(to) == 0);
    collect(name);
    unlink(name);
}

Test(language, the_search_finds_every_word)
{
    enum { WORDS = sizeof avoided / sizeof *avoided };
    char examples[WORDS * 80] = "", line[32];
    for (size_t i = 0; i < WORDS; i++)
        strcat(strcat(examples, avoided[i].example), "\n");
    collect_text("build/language.md", examples);
    for (size_t i = 0; i < WORDS; i++) {
        snprintf(line, sizeof line, ".md:%zu: ", i + 1);
        cr_expect(search(avoided[i].word) == 0 && strstr(text, line), "not found: %s",
                  avoided[i].example);
    }
    unlink(LINES);
}

Test(language, the_search_leaves_code_alone)
{
    collect_text("build/language.md", "a\n`behind`\n```\nbehind\n```\n[b](behind)\nbehind\n");
    search("behind");
    cr_expect_str_eq(text, "build/language.md:7: behind\n");
    collect_text("build/language.c",
                 "int behind; /* `behind`\n behind */ behind(); /* behind */\n");
    search("behind");
    cr_expect_str_eq(text, "build/language.c:2:  behind  behind \n");
    unlink(LINES);
}
