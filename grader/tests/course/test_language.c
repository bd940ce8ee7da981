/*
 * test_language.c: what people read uses the terms of the CUDA Programming Guide.
 *
 * A word to avoid is a Perl regular expression. Code and quoted reports are not searched. A page
 * that has such a word fails no test: the test prints the line, and what to write instead, as
 * advice.
 */
#include "checkout.h"

/* Read by people. */
static const char *const pages[] = {
    "README.md",
    "labs/[!C]*.md",
    "labs/lab*/README.md",
    "labs/lab*/hints.md",
    "labs/lab*/lab.h",
    "labs/myths/*.txt",
    "labs/myths/*.[ch]*",
    "solutions/lab*/lab.c*",
    "kernels/*.[ch]*",
    "common/*.[ch]",
    "common/simgpu/simgpu.h",
    "common/simgpu/kernel.h",
    "common/simgpu/core/profile_keys.def",
    "common/simgpu/[!kp]*/",
    "grader/command/",
    "grader/report/",
    "grader/judge/",
    "grader/labs/",
    "grader/labs/lab*/",
    "grader/judge/mistakes",
    "grader/labs/lab*/mistakes",
    "plots/README.md",
    "grader/*.md",
    "grader/class/README.md",
    "grader/jail/README.md",
    "common/simgpu/README.md",
    "plots/*.gp",
    "plots/figures/*.gp",
};

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

static char text[CHECKOUT_TEXT];
static int n_pages;

TestSuite(language, .init = checkout_enter);

/* The lines of the page with words that match; status 0 if there are any, 1 if there is none. */
static int search(const char *page, const char *words)
{
    return checkout_run(text,
                        "page=%s\nread -r -d '' words <<'END'\n%s\nEND\n"
                        "lines=$(%s)\n[ -n \"$lines\" ] || exit 9\n"
                        "grep -niP -- \"$words\" <<<\"$lines\"",
                        page, words, searched);
}

static void advise(const char *page)
{
    static char all[8192];
    n_pages++;
    if (!all[0])
        for (size_t i = 0; i < sizeof avoided / sizeof *avoided; i++)
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s(%s)", i ? "|" : "",
                     avoided[i].word);
    int any = search(page, all);
    cr_expect(any == 0 || any == 1, "%s: the search failed (%d): %s", page, any, text);
    for (size_t i = 0; any == 0 && i < sizeof avoided / sizeof *avoided; i++)
        if (search(page, avoided[i].word) == 0)
            printf("%s: write instead: %s\n%s", page, avoided[i].instead, text);
}

Test(language, pages_are_searched_for_words_to_avoid)
{
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        checkout_each(pages[i], advise);
    cr_expect(n_pages >= 40, "only %d pages were searched", n_pages);
}

static int search_text(const char *name, const char *page, const char *words)
{
    FILE *to = fopen(name, "w");
    cr_assert(to && fputs(page, to) >= 0 && fclose(to) == 0);
    int status = search(name, words);
    unlink(name);
    return status;
}

Test(language, the_search_finds_every_word_and_leaves_code_alone)
{
    for (size_t i = 0; i < sizeof avoided / sizeof *avoided; i++)
        cr_expect(search_text("build/language.md", avoided[i].example, avoided[i].word) == 0,
                  "not found: %s", avoided[i].example);
    search_text("build/language.md", "a\n`behind`\n```\nbehind\n```\n[b](behind)\nbehind\n",
                "behind");
    cr_expect_str_eq(text, "7:behind\n");
    search_text("build/language.c", "int behind; /* `behind`\n behind */ behind(); /* behind */\n",
                "behind");
    cr_expect_str_eq(text, "2: behind  behind \n");
}
