/* test_class_formats.c: reports as other programs read them, and the course as other platforms run
 * it. */
#include "class.h"

TestSuite(class_formats, .init = begin_class, .fini = end_class, .timeout = 600);

/* Three gradings: right, wrong, not built; the second one's name is hostile. */
static const char three[] =
    "mkdir $S/c/'=Max M_77_assignsubmission_file_' $S/c/'a\"<&#b' $S/c/z; cp $SOL "
    "$S/c/=Max*/; cp build/known/lab01/leaks/lab.c $S/c/a*/; echo '#error </x> # SKIP' "
    ">$S/c/z/lab.c; class --labs lab01 --format junit,tap,moodle,gradescope || exit; ";

/* prove reads TAP, an XML parser JUnit's file. Which keys and words Gradescope's file may have:
   https://gradescope-autograders.readthedocs.io/en/latest/specs/ */
Test(class_formats, each_format_is_what_its_reader_takes)
{
    static char commands[4096];
    snprintf(
        commands, sizeof commands, "%s%s", three,
        "prove -e cat $S/r/class.tap 2>&1 || command -v prove >/dev/null || echo no prove\n"
        "cat $S/r/class.tap\n"
        "command -v python3 >/dev/null || echo no python; python3 - $S/r/junit.xml <<'END'\n"
        "import sys, xml.etree.ElementTree as e\n"
        "root = e.parse(sys.argv[1]).getroot()\n"
        "print(root.get('failures'), root.get('errors'), len(root.findall('testsuite')),\n"
        "      int(root.get('tests')) == len(root.findall('*/testcase')),\n"
        "      len(root.findall('*/*/failure')), root.findall('*/*/error')[0].get('message'))\n"
        "print([s.get('name') for s in root])\n"
        "END\n"
        "for f in $S/r/students/*/*gradescope.json; do jq -c '[.score, (.tests | length > 0), "
        "(keys - [\"score\", \"execution_time\", \"output\", \"output_format\", \"visibility\", "
        "\"tests\"]), ([.tests[] | keys[]] | unique - [\"score\", \"max_score\", \"status\", "
        "\"name\", \"output\", \"output_format\"]), ([.tests[].status] | unique), "
        "([.tests[].score] | add)]' $f; done; cat $S/r/moodle-lab01.csv");
    class(commands);
    expect_status(0);
    if (!strstr(ran.said, "\nno prove\n"))
        expect_said("Failed 2/");
    expect_said("\nTAP version 13\n1..");
    expect_said(" - a\"<&\\#b lab01 clean\n# ");
    if (!strstr(ran.said, "\nno python\n")) {
        expect_said("1 1 3 True 1 lab.c:1:2: error: #error </x> # SKIP\n");
        expect_said("'a\"<&#b lab01'");
    }
    expect_said("[100,true,[],[],[\"passed\"],100]\n");
    expect_said("[90,true,[],[],[\"failed\",\"passed\"],90]\n");
    expect_said("[0,false,[],[],[],null]\n");
    expect_said("comments\"\n\"Participant 77\",\"'=Max M\",100,100,\"\"\n");
}

Test(class_formats, a_learners_report_is_converted_too_and_an_unknown_format_is_named)
{
    class("./grade lab01 --device sim --submission solution --json - 2>/dev/null | "
          "grader/class/format.sh gradescope | jq .score; grader/class/format.sh ../table; echo "
          "with $?; class --format pdf; echo with $?");
    expect_said("100\n");
    expect_said("--format pdf? The formats are: autolab canvas classroom github gradescope junit "
                "moodle tap");
    expect_said("with 2\n");
}

/* The report of right, wrong and unwritten programs: of two labs, with FULL=1 of all. */
Test(class_formats, reports_keep_to_their_json_schema)
{
    class("python3 -c 'import jsonschema' 2>/dev/null || { echo skipped: no jsonschema; exit; }; "
          "for l in $(ls -d build/sim/lab[0-9][0-9] | cut -d / -f 3 | head -n ${FULL:+1}2); do for "
          "s in solution starter $(ls grader/labs/$l/wrong 2>/dev/null | head -1); do make -s "
          "build/sim/$l/$s/subject >/dev/null; ./grade $l --device sim --seed 1 --submission $s "
          "--json $S/$l.$s.json >/dev/null 2>&1; done; done; python3 - $S/lab*.json <<'END'\n"
          "import json, jsonschema, sys\n"
          "schema = json.load(open('grader/report/report.schema.json'))\n"
          "jsonschema.Draft202012Validator.check_schema(schema)\n"
          "for name in sys.argv[1:]: jsonschema.validate(json.load(open(name)), schema)\n"
          "print('valid:', len(sys.argv) > 2)\n"
          "bad = json.load(open(sys.argv[1])); bad['checks'][0]['status'] = 'perfect'\n"
          "print('refused:', not jsonschema.Draft202012Validator(schema).is_valid(bad))\n"
          "END\n");
    if (strstr(ran.said, "skipped: no jsonschema"))
        cr_skip_test("Python's jsonschema is not installed");
    expect_status(0);
    expect_said("valid: True\nrefused: True\n");
}

/* GitHub's commands name what failed; Autolab's last line has the scores. */
Test(class_formats, github_classroom_and_autolab_get_the_mistakes_and_the_scores)
{
    class(
        "mkdir $S/c/a; cp build/known/lab01/leaks/lab.c $S/c/a; make lab01 DEVICE=sim "
        "SUBMISSION=$S/c/a >/dev/null; as() { ./grade lab01 --device sim --format $1 2>/dev/null; "
        "}; as github; as autolab | tail -n 1 | jq -c '.scores | [.results, .clean]'; "
        "as classroom | jq -c '[.status, .max_score, (.tests | length)]'");
    expect_status(0);
    expect_said("::error ");
    expect_said("title=lab01%3A clean::");
    expect_said("[30,0]\n");
    expect_said("[\"fail\",100,6]\n");
}

/* What Gradescope does, in a folder of its own: unpack, set up, grade. */
Test(class_formats, the_autograder_for_gradescope_grades)
{
    class(
        "command -v zip unzip >/dev/null || { echo no zip; exit 0; }; make gradescope LAB=01 "
        "DEVICE=sim && mkdir -p $S/g/submission $S/g/results && unzip -qd $S/g/source "
        "build/gradescope/lab01.zip && cp $SOL $S/g/submission/lab.c && { make gradescope LAB=77; "
        "echo with $?; } && [ -z \"$FULL\" ] || { mkdir -p $S/g/source/course/build && cp -r "
        "build/setup.mk $S/g/source/course/build && export AUTOGRADER=$S/g && $S/g/source/setup.sh "
        "&& $S/g/source/run_autograder && jq -c .score $S/g/results/results.json; }");
    expect_status(0);
    if (strstr(ran.said, "no zip"))
        return;
    expect_said("build/gradescope/lab01.zip (");
    expect_said("which lab? For example: make gradescope LAB=05");
    if (is_full_run())
        expect_said("\n100\n");
}

/* In $S/h, a copy without solutions, as students get it; $ROOT is this one. */
static void handout(const char *first, const char *then)
{
    static char text[8192];
    snprintf(text, sizeof text,
             "make handout OUT=$S/h DEVICE=sim >$S/log 2>&1 || { cat $S/log; exit 1; }\n"
             "make handout OUT=$S/h DEVICE=sim; ROOT=$PWD; cd $S/h\n%s\n"
             "[ ! -e $ROOT/build/deps ] || { mkdir -p build && ln -s $ROOT/build/deps build; }\n%s",
             first, then);
    class(text);
    expect_said("holds something already. Next: name a new folder");
}

/* Says what pages, help and objects of the copy name that is not in it. */
static const char missing_names[] =
    "awk -f $ROOT/grader/tests/course/links.awk $(find * -name '*.md') | sed 's/^/missing: /'\n"
    "absent=$(sed -n '/^ABSENT/,/)$/p' Makefile | tr -d '\\n\\\\' | sed 's/.*),//; s/)$//; s/  "
    "*/|/g')\n"
    "grep -rnE \"solutions/|KNOWN=|grader/(tests|rates|class|README)|\\\\./grade class|make "
    "($absent)\\\\b\" --include='*.md' . | grep -v ^./build/ | sed 's/^/missing: /'\n"
    "make help | grep -E \"KNOWN=|instructors|make ($absent)\\\\b\" | sed 's/^/missing: /'\n"
    "for o in grader/compiled/sim/*/solution/*.o; do nm -u $o | grep -w 'cuda[A-Z].*'; "
    "nm --defined-only $o | grep ' [a-z] [a-z]'; done | sed 's/^/missing: /'\n"
    "nm -S grader/compiled/sim/lab04/solution/lab.o | awk '$4 == \"lab04_predict\" && $2 > "
    "\"0000000000000010\" { print \"missing: \" $0 }'\n"
    "ls -d solutions grader/labs/lab01/wrong plots/batches.c 2>/dev/null\n"
    "make >/dev/null && echo with help";

/* Each command of its pages, in a copy that is built from nothing. */
static const char commands_of_pages[] =
    "make setup DEVICE=sim >/dev/null && export DEVICE=sim; for page in $(find *.md labs common "
    "-name '*.md'); do rm -f build/lab[0-9][0-9]\n"
    "awk -v out=$S/block '/^```sh/ { n++; to = out \".\" n; print \"#\" $0 >to; on = 1; next }\n"
    "    /^```$/ { on = 0 } on { print >to }' $page\n"
    "for block in $(ls -v $S/block.* 2>/dev/null); do bash -e $block >$S/log 2>&1; status=$?\n"
    "    wanted=$(sed -n '1s/.*exit=//p' $block); [ $status = ${wanted:-0} ] || { echo \"$page: "
    "ended with $status\"; cat $block $S/log; }\n"
    "done; rm -f $S/block.*; done; make check >$S/log 2>&1 || cat $S/log; make test";

Test(class_formats, a_handout_does_what_its_pages_say)
{
    if (!is_full_run())
        cr_skip_test("builds a course from nothing; FULL=1 runs it");
    handout(missing_names, commands_of_pages);
    expect_not_said("missing: ");
    expect_not_said(": ended with ");
    expect_not_said("audit: ");
    expect_said("has no solutions and no tests");
}

/* What was compiled here is not compiled again there. */
Test(class_formats, a_handout_has_no_solutions_names_nothing_it_lacks_grades_and_hands_in)
{
    handout(
        missing_names,
        "mkdir -p build/sim build/grader; cp -rp $ROOT/build/{setup*,state} build; cp -rpl "
        "$ROOT/build/sim/{lib,obj,bin} build/sim; cp -rpl $ROOT/build/grader/{lib,obj} "
        "build/grader; export DEVICE=sim; make handin LAB=01; cp $SOL labs/lab01_*/lab.c && make "
        "lab01 && ./grade lab01 --device sim | tail -n 3; make handin LAB=01 && tar -xzOf "
        "build/handin/lab01.tar.gz lab01/COURSE && make plots DATA=NVIDIA_H200 FIG=all_reduce && { "
        "make plots FIG=all_reduce; make test; make clean && [ ! -e build/sim ] && echo all is "
        "clean; }");
    expect_not_said("missing: ");
    expect_not_said("\nsolutions\n");
    expect_said("with help");
    expect_said("is the starter, and has nothing to hand in");
    expect_said("100 of 100 points");
    expect_said("\ncourse ");
    expect_said("plots: 1 figures in ");
    expect_said("all_reduce: this copy has no program that measures it");
    expect_said("has no solutions and no tests");
    expect_said("all is clean");
}

/* The program ends with 1 if the simulated device does not confirm an answer. */
Test(class_formats, an_exam_has_numbers_of_its_own_and_answers_that_the_device_confirms)
{
    class("make exam SEED=7 && cp build/exam/7*.md $S && make exam SEED=8 && make exam SEED=7 && "
          "cmp $S/7.md build/exam/7.md && cmp $S/7-answers.md build/exam/7-answers.md && cmp -s "
          "$S/7.md build/exam/8.md; "
          "grep -c '^## Question' build/exam/8.md; for s in $(seq 20); do SIMGPU_REPORT=0 "
          "build/sim/exam $s $S/q $S/a || echo of seed $s; done; make exam; echo with $?");
    expect_said("build/exam/8-answers.md\n");
    expect_said("\n7\n");
    expect_not_said("of seed");
    expect_not_said("differ");
    expect_said("For example: make exam SEED=7");
    expect_said("with 2");
}

/* By these names Moodle and Canvas know whose a file is. An earlier run's export does not stay. */
Test(class_formats, feedback_has_the_names_of_the_platforms_and_the_marks)
{
    class("mkdir $S/c/'Max M_77_assignsubmission_file_' $S/c/'Ben  B'; cp $SOL $S/c/Max*; cp $SOL "
          "$S/c/doe_12_34_lab01.c; cp $SOL $S/c/Ben*; printf 'lab01 weight 1\\npoints Ben  B lab01 "
          "80.5 \"step 2 # <works>\"\\npoints doe (12) lab01 70 \"x\"\\n' >$S/c/class.conf; class "
          "--feedback --format canvas; bsdtar -tf $S/r/feedback-lab01.zip; cat $S/r/canvas.csv; "
          "head -c 9000 $S/r/students/Ben*/lab01.html; ls $S/r; class; ls $S/r/*.csv $S/r/*.zip");
    expect_said("\nBen  B/lab01.html\nMax M_77_assignsubmission_file_/lab01.html\n"
                "doe_12_34_lab01.html\n");
    expect_said("\"Student\",\"ID\",\"SIS User ID\",\"SIS Login ID\",\"Section\",\"lab01\"\n"
                "\"    Points Possible\",\"\",\"\",\"\",\"\",100\n");
    expect_said("\"doe\",\"12\",\"\",\"\",\"\",70\n");
    expect_said("<h1>Ben  B</h1><p><strong>lab01: 80.5 of 100 points</strong>. 100 points were "
                "graded; rule: 80.5 points by hand: step 2 # &lt;works&gt;</p>");
    expect_said("<code>make lab01 DEVICE=sim &amp;&amp; ./grade lab01 --device sim --seed 1<");
    expect_not_said("--submission");
    expect_not_said(">build/class");
    expect_said("/r/*.zip': No such file or directory\n");
    expect_not_said("/r/canvas.csv\n");
}
