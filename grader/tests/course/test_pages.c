/* test_pages.c: the files that ./grade writes for a browser and for Perfetto. */
#include "learner.h"

TestSuite(pages, .init = begin);

/* Chrome's trace event format: complete events with times, and no two of a thread overlap. */
Test(pages, a_json_trace_is_what_perfetto_opens)
{
    run(0, "make lab07 SOLUTION=1 >/dev/null && ./grade lab07 --trace build/t.json >/dev/null && "
           "jq -e '.traceEvents | (map(select(.ph == \"M\") | .tid) | unique) as $named "
           "|map(select(.ph == \"X\")) | length > 30 and all(.[]; (.name | type) == \"string\" and "
           "(.ts | type) == \"number\" and .dur >= 0 and (.pid | type) == \"number\" and (.tid | "
           "IN($named[]))) and (group_by(.tid) | all(.[]; sort_by(.ts) | . as $e | all(range(1; "
           "length); $e[.].ts >= $e[. - 1].ts + $e[. - 1].dur - 0.002)))' build/t.json");
    run(4, "mkdir build/no; ./grade lab05 --trace build/no");
    run(4, "./grade lab05 --trace build/no/no/t.json; s=$?; rmdir build/no; exit $s");
    run(1, "make lab05 >/dev/null; ./grade lab05 --trace build/t.json; s=$?; ls build; exit $s");
    expect("no trace was written to build/t.json: no check came as far");
    cr_expect(!strstr(text, "\nt.json\n"), "an older trace was left: %s", text);
}

Test(pages, a_page_stands_alone_and_a_browser_reads_it)
{
    run(1, "make lab05 KNOWN=one_chain >/dev/null; mkdir build/tmp; "
           "TMPDIR=$PWD/build/tmp ./grade lab05 --html build/page.html");
    expect("  The reference solution, on the same scale:\n");
    run(0, "cat build/page.html");
    expect("<h2>70 of 100 points</h2>");
    cr_expect(!strstr(text, "class=\"hint\""), "hints that nobody asked for");
    expect("aria-label=\"timeline of this submission: ");
    expect("aria-label=\"timeline of the reference solution: ");
    run(0,
        "! grep -n '<script\\|<link\\|url(\\|src=\"[^d]\\|data:[^i;]' build/page.html && "
        "grep -c 'src=\"data:image/svg+xml;base64,[A-Za-z0-9+/]*=*\"></div>$' build/page.html && "
        "! grep -o 'href=\"[^\"#][^\"]*' build/page.html && rmdir build/tmp");
    run(0,
        "browser=$(command -v chromium || command -v google-chrome) || exit 0\n"
        "$browser --headless --no-sandbox --disable-gpu --dump-dom file://$PWD/build/page.html "
        "2>/dev/null >build/dom && for part in '<details' '<rect' '</svg>' '<dd>'; do\n"
        "[ $(grep -o \"$part\" build/dom | wc -l) = $(grep -o \"$part\" build/page.html | wc -l) ] "
        "|| { echo \"the browser read $part differently\"; exit 1; }; done");
    run(1, "./grade lab05 --hints=2 --html build/page.html >/dev/null; s=$?; "
           "grep -o '<summary>Hint.*' build/page.html; exit $s");
    expect("<summary>Hint 1: what to look at</summary>\n<summary>Hint 2: which call</summary>\n");
    cr_expect(!strstr(text, "Hint 3"), "more hints than asked for: %s", text);
    run(2, "./grade lab05 --hints 2");
    expect("--hints is for --html");
    run(2, "./grade lab05 --html build/page.html --hints 4");
    expect("--hints=4? It is 1, 2 or 3");
    run(4, "./grade lab05 --html /nowhere/page.html");
    expect("cannot write /nowhere/page.html: No such file or directory. Next: choose another file "
           "for --html");
}

Test(pages, a_timeline_that_says_nothing_is_left_out)
{
    run(0, "make lab03 KNOWN=two_copies >/dev/null; ./grade lab03 --html build/page.html");
    expect("The run that overlap looked at:\n");
    cr_expect(!strstr(text, "on the same scale"), "%s", text);
    run(1, "make lab10 KNOWN=variant_not_set >/dev/null; ./grade lab10 --html build/page.html");
    cr_expect(!strstr(text, "The run that"), "%s", text);
    run(1, "grep '<svg class=\"timeline\"' build/page.html");
}

/* 390 pixels wide (a frame: windows are wider), only pictures and quoted lines scroll, not the
   page. The copy of the page has a script that says how wide it became, light and dark, and what
   marks a fold. */
Test(pages, a_page_fits_a_phone)
{
    if (checkout_run(text, "command -v chromium || command -v google-chrome") != 0)
        cr_skip_test("no chromium is installed");
    run(1, "make lab05 KNOWN=one_chain >/dev/null; ./grade lab05 --html build/page.html");
    run(0, "{ sed '/Content-Security-Policy/d' build/page.html; echo '<script>onload = () => "
           "{const page = document.documentElement, fold = "
           "document.querySelector(\"summary\");parent.postMessage([innerWidth, page.scrollWidth, "
           "getComputedStyle(document.body).backgroundColor, getComputedStyle(fold, "
           "\"::before\").content, [...document.images].every(i => i.alt && i.naturalWidth > "
           "0)].join(\"/\"), \"*\")}</script>'; } >build/script.html\n"
           "echo '<script>onmessage = e => document.title = e.data</script><iframe src=script.html "
           "width=390 height=800 style=border:0></iframe>' >build/phone.html\n"
           "browser=$(command -v chromium || command -v google-chrome); for dark in 1 0; do "
           "timeout 60 $browser --headless --no-sandbox --disable-gpu --hide-scrollbars "
           "--blink-settings=preferredColorScheme=$dark --virtual-time-budget=2000 "
           "--dump-dom file://$PWD/build/phone.html 2>/dev/null | grep -o '<title>[^<]*'; done");
    expect("<title>390/390/rgb(255, 255, 255)/\"\u25b8\"/true\n"
           "<title>390/390/rgb(23, 25, 28)/\"\u25b8\"/true\n");
}

/* Three lines before and after the lines that a failure is about; no folder of this machine. */
Test(pages, a_page_quotes_the_source_and_names_no_folder)
{
    run(1,
        "make build/known/lab03/set_free_too_early/lab.c >/dev/null; mkdir -p build/handed; cp "
        "build/known/lab03/set_free_too_early/lab.c build/handed; make lab03 SUBMISSION=$PWD/build/"
        "handed >/dev/null; ./grade lab03 --submission $PWD/build/handed --html build/page.html");
    expect("--submission /");
    run(0, "! grep -n \"$PWD\" build/page.html && grep -e '--submission handed --seed' "
           "build/page.html");
    run(0, "wait=$(grep -n 'TRY(cudaStreamWaitEvent(' build/handed/lab.c | head -n 1 | cut -d : -f "
           "1); sed -n '/<pre class=.source/,/<.pre>/p' build/page.html >build/quoted; "
           "grep -q \"^<mark> *$wait  \" build/quoted && ! grep -q \"> *$((wait - 4))  \" "
           "build/quoted && grep -q \"^<pre[^>]*> *$((wait - 3))  \" build/quoted && "
           "grep -c '^<mark> *[0-9]' build/quoted");
    expect("4\n");
}

Test(pages, text_of_a_submission_cannot_become_markup)
{
    run(0, "{ unifdef -DSOLUTION solutions/lab01_*/lab.c; printf '#include <stdio.h>\\n"
           "__attribute__((constructor)) static void say(void) "
           "{ puts(\"<b onclick=1>&\\\\033[31m\"); }\\n'; } >labs/lab01_sync_copies/lab.c; "
           "./grade lab01 --html build/page.html >/dev/null; grep -o '&lt;b onclick.*' "
           "build/page.html; ! grep '<b onclick' build/page.html");
    expect("&lt;b onclick=1&gt;&amp;?[31m");
}
