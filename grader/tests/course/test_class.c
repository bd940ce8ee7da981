/* test_class.c: ./grade class: whole classes, with hostile names and files, interrupted and
 * resumed. */
#include "class.h"

TestSuite(class, .init = begin_class, .fini = end_class, .timeout = 600);

/* ---- what is found --------------------------------------------------------------------------- */

Test(class, layouts_of_folders_and_of_learning_platforms_are_recognized)
{
    class(
        "cd $S/c; mkdir -p a/lab01 b lab01/c d/x/y/'Lab 1' e 'Max M_77_assignsubmission_file_' "
        "'Max M_77_assignsubmission_onlinetext_' g/labs h/lab99; for f in a/lab01/lab.c b/lab.c "
        "lab01/c/lab.c d/x/y/'Lab 1'/mine.c e/lab1_final.c 'Max M_77_assignsubmission_file_'/lab.c "
        "doe_12_34_lab-1.c roe_LATE_9_5_lab01.c h/lab99/lab.c; do cp $BAD \"$f\"; done; cd ~-; cp "
        "labs/lab01_*/lab.c $S/c/doe_12_30_lab.c; touch -d '1 minute' $S/c/doe_12_30_lab.c; cp -r "
        "solutions kernels $S/c/g; mkdir $S/c/g/labs/lab01_sync_copies $S/c/g/labs/myths; cp $BAD "
        "$S/c/g/labs/lab01_sync_copies/lab.c; cp labs/myths/*.c $S/c/g/labs/myths; class --labs 1; "
        "s=$?; cat $S/r/points.csv; grep -oh 'Canvas calls [^<]*' $S/r/index.html; exit $s");
    expect_status(0);
    expect_said("\"student\",\"lab01\"\n\"a\",0\n\"b\",0\n\"c\",0\n\"d\",0\n\"doe (12)\",0\n"
                "\"e\",0\n\"g\",0\n\"h\",\n\"Max M (77)\",0\n\"roe (9)\",0\n");
    expect_said("class: h: ");
    expect_said("Canvas calls lab01.c late");
}

Test(class, labs_are_found_by_name_and_a_lab_without_submissions_is_named)
{
    class("mkdir -p $S/c/a/lab01 $S/c/b/lab02; cp $BAD $S/c/a/lab01; cp $BAD $S/c/b/lab02; class "
          "&& cat $S/r/points.csv && class --labs lab01,lab03");
    expect_status(0);
    expect_said("\"student\",\"lab01\",\"lab02\"\n\"a\",0,\n\"b\",,0\n");
    expect_said("class: no submission for lab03");
}

Test(class, names_are_not_evaluated_and_do_not_leave_page_and_table)
{
    class(
        "cd $S/c; for n in $'a\\nb' '\"><script>alert(1)<b' \"O'N \\$(touch pwned) \\`touch "
        "pwned\\`\" '=1+1' 'x;=1' '＝1' .dot -j7 $'bad\\377' \"@@\" '<img src=x>'; do mkdir -- "
        "\"$n\" && cp "
        "$BAD \"./$n/lab.c\"; done; cd ~-; class --labs lab01; s=$?; cat $S/r/points.csv; grep -c "
        "'<script\\|<img src=x' $S/r/index.html $S/r/students/*/*.html | grep -v ':0$'; find $S . "
        "-maxdepth 2 -name pwned; exit $s");
    expect_status(0);
    expect_said("\"\"\"><script>alert(1)<b\",0\n");
    expect_said("\"'-j7\",0\n\".dot\",0\n");
    expect_said("\"'=1+1\",0\n");
    expect_said("\"x;'=1\",0\n");
    expect_said("\"'＝1\",0\n");
    expect_said("\"'@@\",0\n");
    expect_said("\"a?b\",0\n");
    expect_said("\"bad\357\277\275\",0\n");
    expect_not_said("html:");
    expect_not_said("/pwned");
}

Test(class, links_pipes_and_large_files_are_not_opened_and_named)
{
    class(
        "cd $S/c; mkdir fifo link big unreadable ok hard two; mkfifo fifo/lab.c top; mkdir -p "
        "git/.git; mkfifo "
        "git/.git/config git/.git/HEAD; for i in lab.c {1..10}.h; do cp $BAD git/$i; done; ln -s "
        "$BAD "
        "link/lab.c; ln -s ok linked; head -c 2M /dev/zero >big/lab.c; cp $BAD ok/lab.c; ln "
        "ok/lab.c hard/lab.c; cp $BAD ok/real.c; rm ok/lab.c; cp $BAD two/a.c; cp $BAD two/b.c; cd "
        "~-; export -f class; timeout 100 bash -c 'class --labs lab01'; s=$?; cat "
        "$S/r/points.csv; exit $s");
    expect_status(0);
    expect_said("fifo: lab01: lab.c was not taken: it is not a regular file. Next: ");
    expect_said("link: lab01: lab.c was not taken: it is a link. Next: ");
    expect_said("linked: it is a link. Next: copy the folder");
    expect_said("big: lab01: lab.c was not taken: it is larger than 1 MiB. Next: ");
    expect_said("two: lab01: none of its 2 files has the name lab.c. Next: rename");
    expect_said("class: top: top is neither a folder nor an archive. Next: ");
    expect_said(
        "\"big\",\n\"fifo\",\n\"git\",0\n\"hard\",0\n\"link\",\n\"linked\",\n\"ok\",0\n\"top\",\n");
}

Test(class, an_archive_is_unpacked_only_below_its_folder)
{
    class(
        "cd $S/c; mkdir ../t; cd ../t; cp $BAD lab.c; tar czf ../c/good.tar.gz lab.c; tar czPf "
        "../c/abs.tar.gz $S/t/lab.c; mkdir in; cd in; tar czPf ../../c/dots.TXZ ../lab.c; head -c "
        "65M /dev/zero >zeros; tar czf $S/c/zeros.tar.gz zeros; rm zeros; ln -s /etc/passwd lab.c; "
        "ln -s / x; cp $BAD real.c; tar czf $S/c/links.tar.gz .; echo broken >$S/c/no.zip; mkdir "
        "$S/c/nest; cp $S/c/good.tar.gz $S/c/nest/");
    class("class --labs lab01; s=$?; cat $S/r/points.csv; exit $s");
    expect_status(0);
    expect_said("abs.tar.gz was not unpacked: it has names that lead out of its folder. Next: ");
    expect_said("dots.TXZ was not unpacked: it has names that lead out of its folder. Next: ");
    expect_said("zeros.tar.gz was not unpacked: it holds more than 64 MiB. Next: ");
    expect_said("no.zip was not unpacked: it is broken, or no archive. Next: ");
    expect_said("\"abs\",\n\"dots\",\n\"good\",0\n\"links\",0\n\"nest\",0\n\"no\",\n\"zeros\",\n");
}

/* What an archive says of its sizes counts no more than its names. */
Test(class, archives_of_other_kinds_are_unpacked_within_bounds)
{
    class(
        "command -v python3 >/dev/null || { echo skipped; exit 0; }; mkdir $S/t; cp $BAD "
        "$S/t/lab.c; bsdtar -C $S/t --format 7zip -cf $S/c/seven.7z lab.c; bsdtar -C $S/t --format "
        "zip -cf $S/c/good.ZIP lab.c; mkdir $S/c/seven; ! command -v zip || zip -jqP x "
        "$S/c/seven/locked.zip $S/t/lab.c; mkdir $S/c/many; for i in $(seq 12); do head -c "
        "${i}00000 /dev/zero >$S/t/z.h; tar -C $S/t -czf $S/c/many/$i.tgz z.h; done; python3 - "
        "$S/c <<'END'\n"
        "import struct, sys, zipfile\n"
        "def put(name, *files):\n"
        "    with zipfile.ZipFile(sys.argv[1] + '/' + name, 'w', zipfile.ZIP_DEFLATED) as z:\n"
        "        for f, data in files: z.writestr(f, data)\n"
        "put('dots.zip', ('../../lab.c', 'x'))\n"
        "put('abs.zip', ('/tmp/lab.c', 'x'))\n"
        "put('zeros.zip', ('lab.c', b'\\0' * 68157440))\n"
        "put('names.zip', *[('lab01/lab (%d).c' % i, 'int x;') for i in range(1900)])\n"
        "put('false.zip', *[('f%d.h' % i, b'\\0' * 16777216) for i in range(5)])\n"
        "data = open(sys.argv[1] + '/false.zip', 'rb').read()\n"
        "open(sys.argv[1] + '/false.zip', 'wb').write(data.replace(struct.pack('<I', 16777216), "
        "struct.pack('<I', 9)))\n"
        "END\n"
        "class --labs lab01; echo with $?; cat $S/r/points.csv; ls build/class | grep $(printf %s "
        "$S/r | sha256sum | cut -c 1-8) && echo left");
    if (strstr(ran.said, "skipped"))
        cr_skip_test("python3 is not installed");
    expect_said("with 0\n");
    if (strstr(ran.said, "/zip\n"))
        expect_said("seven: locked.zip was not unpacked: it has a password. Next: ");
    expect_said("dots.zip was not unpacked: it has names that lead out of its folder. Next: ");
    expect_said("abs.zip was not unpacked: it has names that lead out of its folder. Next: ");
    expect_said("zeros.zip was not unpacked: it holds more than 64 MiB. Next: ");
    expect_said("was not unpacked: there are more than 10 archives. Next: ");
    expect_said(
        "\"dots\",\n\"false\",\n\"good\",0\n\"many\",\n\"names\",0\n\"seven\",0\n\"zeros\",\n");
    expect_not_said("left\n");
}

/* Everything that was handed in has a row, and each row without points says why. */
Test(class, nothing_that_was_handed_in_vanishes)
{
    class("cd $S/c; mkdir a b c e Max max_ s10 s2; cp $BAD a/lab.c; touch b/report.docx c/lab.cpp "
          "doc.pdf e/.keep 'doe_12_34_essay.pdf'; cp $BAD Max/lab.c; cp $BAD max_/lab.c; mkdir "
          "../t; cp $BAD ../t/lab.c; tar -C ../t -czf a.tar.gz lab.c; cd ~-; class --labs lab01; "
          "echo with $?; cat $S/r/points.csv; grep -o 'report.docx: no file is C or CUDA source' "
          "$S/r/index.html; cat $S/r/notes.csv");
    expect_said("class: b: report.docx: no file is C or CUDA source. Next: hand in lab.c");
    expect_said("class: e: it holds no source of lab01. Next: ask for lab.c");
    expect_said(
        "\"b\",\"\",\"report.docx: no file is C or CUDA source. Next: hand in lab.c as text\"\n");
    expect_said("class: c: lab.cpp: no file is C or CUDA source. Next: ");
    expect_said("class: doc.pdf: doc.pdf is neither a folder nor an archive. Next: ");
    expect_said("class: doe (12): essay.pdf: no file is C or CUDA source. Next: ");
    expect_said("class: max_: the name is almost that of Max. Next: ");
    expect_said("\"a\",0\n\"b\",\n\"c\",\n\"doc.pdf\",\n\"doe "
                "(12)\",\n\"e\",\n\"Max\",0\n\"max_\",0\n\"s2\",\n\"s10\",\n");
    expect_said("report.docx: no file is C or CUDA source\n");
}

/* Ben's folder becomes a link to Anna's when the class has been listed. */
Test(class, a_folder_that_becomes_a_link_is_no_way_to_the_files_of_others)
{
    class("mkdir -p $S/c/Anna/lab01 $S/c/Ben/lab01 $S/bin; cp $BAD $S/c/Anna/lab01/lab.c; cp "
          "labs/lab01_*/lab.c $S/c/Ben/lab01; cat >$S/bin/find <<END\n"
          "#!/bin/bash\n"
          "$(command -v find) \"\\$@\"\n"
          "[[ \" \\$* \" != *\" -maxdepth 10 \"* ]] || [ -L $S/c/Ben/lab01 ] ||\n"
          "    { mv $S/c/Ben/lab01 $S/c/Ben/was; ln -s ../Anna/lab01 $S/c/Ben/lab01; }\n"
          "END\n"
          "chmod +x $S/bin/find; PATH=$S/bin:$PATH; class --labs lab01; cat $S/r/points.csv; "
          "readlink $S/c/Ben/lab01");
    expect_said("\"Anna\",0\n\"Ben\",\n../Anna/lab01\n");
    expect_said("lab.c was not taken: it is a link, or in a folder that is one. Next: ");
}

Test(class, devices_that_disagree_are_a_warning)
{
    class("mkdir $S/c/ann; cp $SOL $S/c/ann/lab01.c; class --labs lab01; "
          "f=$(echo $S/r/students/ann-*/lab01-*.json); "
          "jq '.report.checks[0].devices_disagree = true' $f >$S/new; mv $S/new $f; "
          "echo now; class --labs lab01");
    expect_status(0);
    const char *second = strstr(ran.said, "now\n");
    cr_expect(second && strstr(second, "class: lab01: the GPU fails what the simulated device "
                                       "passes, for 1 of the students (ann)"),
              "%s", ran.said);
}

Test(class, encodings_are_converted_and_the_newer_version_counts)
{
    class(
        "cd $S/c; mkdir bom crlf utf16 two; { printf '\\357\\273\\277'; cat $SOL; } >bom/lab.c; "
        "sed "
        "'s/$/\\r/' $SOL >crlf/lab.c; iconv -t UTF-16 $SOL >utf16/lab.c; cp ~-/labs/lab01_*/lab.c "
        "two/lab.c; touch -d '1 hour ago' two/lab.c; cp $SOL 'two/lab (1).c'; cd ~-; class --labs "
        "lab01; cat $S/r/points.csv; jq -r '.notes[]' $S/r/students/*/*.json");
    expect_status(0);
    expect_said("\"bom\",100\n\"crlf\",100\n\"two\",100\n\"utf16\",100\n");
    expect_said("the byte order mark of lab.c was left out\n");
    expect_said("the line ends of lab.c were converted from CR LF\n");
    expect_said("lab (1).c is the newest version and was graded, not lab.c\n");
    expect_said("lab.c was converted from UTF-16 to UTF-8\n");
}

/* ---- results --------------------------------------------------------------------------------- */

/* Students at once, with different verdicts, and each of them gets their own. */
Test(class, each_student_has_the_verdict_on_their_own_submission)
{
    class("set -e; for k in $(ls grader/labs/lab01/wrong | head -1${FULL:+3}) starter solution; do "
          "make build/known/lab01/$k/lab.c DEVICE=sim >/dev/null 2>&1 || true; mkdir $S/c/$k; "
          "f=build/known/lab01/$k/lab.c; [ $k != solution ] || f=$SOL; { cat $f; echo '/* mine "
          "*/'; } >$S/c/$k/lab.c; done; class -j 4 --labs lab01 2>/dev/null; for k in $(ls $S/c); "
          "do make -s lab01 DEVICE=sim SUBMISSION=$S/c/$k >/dev/null 2>&1; ./grade lab01 --device "
          "sim --seed 1 --submission $S/c/$k --json $S/direct >/dev/null || true; cmp <(jq "
          "'del(.submission)' $S/direct) <(jq '.report | del(.submission)' "
          "$S/r/students/$k-*/lab01-*.json); done; ls $S/r/students | wc -l");
    expect_status(0);
    expect_said(is_full_run() ? "15\n" : "3\n");
}

Test(class, a_submission_that_is_not_built_has_a_page_and_no_points)
{
    class("mkdir $S/c/a $S/c/b $S/c/ok; sed 's/cudaMalloc(/cudaMaloc(/' $SOL >$S/c/a/lab.c; printf "
          "'#error \"</pre><script>x</script>\"\\n' >$S/c/b/lab.c; cp $SOL $S/c/ok/lab.c; class "
          "--labs lab01; s=$?; cat $S/r/points.csv; jq -r .message $S/r/students/a-*/*.json; cat "
          "$S/r/students/b-*/*.html $S/r/index.html; exit $s");
    expect_status(0);
    expect_said("\"a\",0\n\"b\",0\n\"ok\",100\n");
    expect_said("error: implicit declaration of function");
    expect_said("&lt;script&gt;");
    expect_not_said("<script");
}

Test(class, the_page_has_distribution_times_and_misconceptions)
{
    class("mkdir $S/c/a $S/c/b; cp build/known/lab01/leaks/lab.c $S/c/a; cp $SOL $S/c/b; class "
          "--labs lab01; cat $S/r/index.html; for p in $(grep -o 'href=\"[^\"]*' $S/r/index.html | "
          "cut -d '\"' -f 2); do [ -s $S/r/$p ] || echo no page; done; echo \"drawn: $(tail -c 8 "
          "$S/r/times/lab01.svg)\"; od -An -tc -N4 $S/r/times/lab01.png");
    expect_status(0);
    expect_said("lab01: 2 graded, median ");
    expect_said("<svg ");
    expect_said("<tr><td>lab01</td><td>clean</td><td class=\"n\">1</td><td>1 allocation (");
    expect_said("img-src data:");
    expect_said("drawn: </svg>\n");
    expect_said("P   N   G\n");
    expect_not_said("no page");
    expect_not_said("not recognized");
}

/* Names, comments, macros and files differ. What starter and solution have is nobody's own. */
Test(class, disguised_copies_are_one_group_and_shown_side_by_side)
{
    class(
        "for k in streams_by_stage polls_and_sleeps starter; do make build/known/lab03/$k/lab.c "
        ">/dev/null 2>&1; mkdir $S/c/$k; cp build/known/lab03/$k/lab.c $S/c/$k; done; "
        "of=$S/c/streams_by_stage/lab.c; mkdir $S/c/header $S/c/macros $S/c/names $S/c/solution; { "
        "echo '#define SOLUTION'; cat solutions/lab03_*/lab.c; } >$S/c/solution/lab.c; grep -v "
        "'\"lab.h\"' $of >$S/c/header/all.h; printf '#include \"lab.h\"\n#include \"all.h\"\n' "
        ">$S/c/header/lab.c; sed 's/cudaMemcpyAsync/COPY/; s/cudaEventRecord/MARK/; s/TRY(/DO(/; "
        "/\"lab.h\"/a #define COPY cudaMemcpyAsync\\n#define MARK cudaEventRecord\\n#define DO(x) "
        "TRY(x)' $of >$S/c/macros/lab.c; sed 's/\\bcomputed\\b/q/g; s/^    /\\t/; s|;$|; /* <x> "
        "*/|' $of >$S/c/names/lab.c; class --labs lab03; cat $S/r/points.csv; sed -n "
        "'/resemble/,$p' $S/r/index.html; cat $S/r/similar/lab03/1.html; ls $S/r/similar/lab03; "
        "grep -c cudaMalloc $S/r/students/header-*/*.c");
    expect_status(0);
    expect_said("\"header\",100\n\"macros\",100\n\"names\",100\n");
    expect_said("<td class=\"n\">100 %</td><td><a href=\"similar/lab03/1.html\">header, macros, "
                "names, streams_by_stage</a></td></tr>");
    expect_said("nearly all of the reference solution's text: polls_and_sleeps (");
    expect_said("<mark class=\"m1\">");
    expect_said("/* &lt;x&gt; */</mark>");
    expect_said("</html>\n1.html\n");
}

/* What gcc -E does not find must not end it, and what it leaves out is compared, also of programs
 * that are not built. */
Test(class, no_directive_and_no_table_hides_a_copy)
{
    class("make build/known/lab03/streams_by_stage/lab.c >/dev/null 2>&1; of=$S/of; cp "
          "build/known/lab03/streams_by_stage/lab.c $of; cd $S/c; mkdir branch comment dead long "
          "plain splice table; cp $of plain/lab.c; sed '/\"lab.h\"/s|^|/**/ |' $of "
          ">comment/lab.c; sed 's|^#include \"lab|#inc\\\nlude \"lab|' $of >splice/lab.c; { "
          "printf '#ifdef CUDART_VERSION\n'; cat $of; printf '#else\nint x;\n#endif\n'; } "
          ">branch/lab.c; { printf '#if 0\n#define return x+\n#define cudaMemcpyAsync x-x\n"
          "#define TRY(x) x*x\n#define if x-x\n#endif\n'; cat $of; } >dead/lab.c; table() { "
          "echo 'static const char t[] = {'; yes 0, | head -n $1 | tr -d '\n'; echo '};'; cat "
          "$of; }; table 150000 >table/lab.c; table 270000 >long/lab.c; for f in */lab.c; do echo "
          "'int x = y;' >>$f; done; cd ~-; class --labs lab03; sed -n '/resemble/,$p' "
          "$S/r/index.html");
    expect_status(0);
    expect_said("branch, comment, dead, long, plain, splice, table</a></td></tr>");
    expect_said("too long to compare all of it: long<");
}

/* ---- stopped and repeated -------------------------------------------------------------------- */

static const char four[] =
    "for i in 1 2 3 4; do mkdir $S/c/s$i; { cat $SOL; echo \"/* $i */\"; } >$S/c/s$i/lab.c; done; "
    "list() { find $S/r/students -name '*.json' -printf '%p %i %T@\\n' | sort; }; ";

Test(class, a_repeated_command_grades_only_what_has_changed)
{
    char commands[3000];
    snprintf(
        commands, sizeof commands,
        "SOL=$BAD; %s class --labs lab01 2>/dev/null; list >$S/l1; class --labs lab01; list "
        ">$S/l2; cmp $S/l1 $S/l2 && echo same; cp build/known/lab01/leaks/lab.c $S/c/s3; class "
        "--labs lab01; cat $S/r/points.csv; list | comm -23 $S/l1 - | wc -l",
        four);
    class(commands);
    expect_status(0);
    expect_said("4 submissions, 0 to grade");
    expect_said("same\n");
    expect_said("4 submissions, 1 to grade");
    expect_said("\"s2\",0\n\"s3\",90\n\"s4\",0\n");
    expect_said("\n0\n"); /* no earlier result is gone */
}

/* After the signal no grading is lost, none is repeated, and nothing half written remains. */
static void interrupted(const char *how)
{
    char commands[3000];
    snprintf(
        commands, sizeof commands,
        "%s %s list >$S/l1; class --labs lab01; s=$?; list >$S/l2; comm -23 $S/l1 $S/l2 | wc -l; "
        "wc -l <$S/l1; wc -l <$S/l2; find $S/r -name '*.new' -o -name '*.again.json'; grep -c ,100 "
        "$S/r/points.csv; find build/intake build/sim/lab01 -name \"*_$(printf %%s $S/r | "
        "sha256sum | cut -c 1-8)*\"; exit $s",
        four, how);
    class(commands);
    expect_status(0);
    expect_said("\n0\n");
    expect_said("\n4\n4\n");
    expect_not_said("again.json");
    expect_not_said("build/");
    cr_expect(!strstr(ran.said, "\n0\n0\n4\n"), "it was interrupted before the first result:\n%s",
              ran.said);
    cr_expect(!strstr(ran.said, ", 0 to grade"), "it was not interrupted:\n%s", ran.said);
}

static const char wait_for_one[] = "n=0; while [ $n -lt 1200 ] && [ $(find $S/r/students -name "
                                   "'*.json' 2>/dev/null | wc -l) -lt 1 "
                                   "]; do sleep 0.1; n=$((n + 1)); done; ";

Test(class, sigint_loses_nothing)
{
    char how[1024];
    snprintf(
        how, sizeof how,
        "class --labs lab01 -j1 >/dev/null 2>&1 & %s kill -TERM $(cat $S/r/class.lock); wait $!; "
        "echo stopped with $?;",
        wait_for_one);
    interrupted(how);
    expect_said("stopped with 130");
}

Test(class, sigkill_loses_nothing)
{
    char how[1024];
    snprintf(
        how, sizeof how,
        "class --labs lab01 -j1 >/dev/null 2>&1 & %s kill -KILL $(cat $S/r/class.lock); wait $!;",
        wait_for_one);
    interrupted(how);
}

Test(class, a_second_run_with_the_same_results_is_refused)
{
    char commands[3000];
    snprintf(
        commands, sizeof commands,
        "%s class --labs lab01 >/dev/null 2>&1 & %s class --labs lab01; echo refused with $?; kill "
        "-TERM $(cat $S/r/class.lock); wait",
        four, wait_for_one);
    class(commands);
    expect_said("writes to ");
    expect_said(" already. Next: wait for its end");
    expect_said("refused with 2");
}

/* ---- bad input ------------------------------------------------------------------------------- */

Test(class, wrong_usage_is_answered_with_a_sentence)
{
    class("class --labs lab01; echo with $?; ./grade class; echo with $?; ./grade class $S/none; "
          "./grade class $SOL; ./grade class $S/c --labs lab77; ./grade class $S/c --out build/r; "
          "./grade class $S/c --out $S/c/r; ./grade class $S/c -j none; ./grade class $S/c --frob; "
          "./grade class $S/c --labs; mkdir -p $S/other; touch $S/other/mine; ./grade class $S/c "
          "--out $S/other; ls $S/other; ./grade class --help | head -1");
    expect_said("/c is empty. Next: put one folder or archive for each student into it\nwith 2\n");
    expect_said("class: which folder? ");
    expect_said("/none: there is no such folder\n");
    expect_said("/sol.c is a file: name the folder that holds ");
    expect_said("there is no lab lab77; the labs are: lab01 ");
    expect_said("class: make clean deletes build. Next: ");
    expect_said("/c/r is in the class's folder. Next: ");
    expect_said("-j none? It is the number of gradings at once\n");
    expect_said("--frob is no option. Next: ");
    expect_said("--labs lacks its value. Next: ");
    expect_said("/other holds other files. Next: ");
    expect_said("\nmine\n");
    expect_said("usage: ./grade class FOLDER");
}

Test(class, results_of_another_class_are_not_mixed)
{
    class(
        "mkdir -p $S/c/a $S/d/a; cp $BAD $S/c/a; cp labs/lab01_*/lab.c $S/d/a; class --labs lab01; "
        "./grade class $S/d --labs lab01 --device sim --out $S/r; echo with $?; cat "
        "$S/r/points.csv");
    expect_said("/r holds the results of another class, ");
    expect_said("with 2\n");
    expect_said("\"a\",0\n");
}

Test(class, a_submission_whose_lab_is_not_known_is_named)
{
    class("mkdir $S/c/a; cp $SOL $S/c/a/lab.c; class; echo with $?");
    expect_said(
        "class: a: lab.c: no name says which lab it is of. Next: put it into a folder lab01");
    expect_said("no submission of any lab was found. Next: ");
    expect_said("with 2\n");
}

Test(class, without_space_the_results_that_exist_stay)
{
    char commands[3000];
    snprintf(
        commands, sizeof commands,
        "mkdir $S/r && mount -t tmpfs -o size=40k tmpfs $S/r 2>/dev/null || { echo cannot mount; "
        "exit 0; }; SOL=$BAD; %s class --labs lab01; echo with $?; ls $S/r/students/*/*.json | wc "
        "-l; mount -o remount,size=10m $S/r; class --labs lab01; echo with $?; grep -c ,0 "
        "$S/r/points.csv; umount $S/r",
        four);
    class(commands);
    if (strstr(ran.said, "cannot mount"))
        cr_skip_test("this needs root, who may mount");
    expect_said("Next: free some space");
    expect_said("with 4\n");
    expect_said("with 0\n4\n");
}

Test(class, an_image_needs_podman_or_docker_and_a_checkout)
{
    class("mkdir $S/bin; PATH=$S/bin /bin/bash grader/class/platforms/image.sh; echo with $?; "
          "printf '#!/bin/bash\\n[ $1 = info ]' >$S/bin/docker; chmod +x $S/bin/docker; "
          "GIT_DIR=$S PATH=$S/bin:$PATH /bin/bash grader/class/platforms/image.sh; echo with $?");
    expect_said("neither podman nor docker works here. Next: apt-get install podman\nwith 2\n");
    expect_said("is not a checkout. Next: git clone the course\nwith 2\n");
}
