/* test_doors.c: what comes from a submission has one door each way. Files that the grader writes
 * go through files/output.c, and text goes through common/plain_text.c. */
#include "../course/checkout.h"
#include "common/plain_text.h"

TestSuite(doors, .init = scratch_make, .fini = scratch_remove);

/* ---- files out ------------------------------------------------------------------------------- */

static const char *const options[] = {"--json", "--html", "--trace"};

/* Another user knows where a report will be written, and has put links there. */
Test(doors, a_report_overwrites_nothing_through_a_link)
{
    for (size_t i = 0; i < 3; i++) {
        int status =
            checkout_run(text,
                         "set -e; cd %s; rm -f *; echo mine >private; ln -s private r.new; cd ~-; "
                         "./grade lab05 --device sim --subject build/sim/lab05/solution/subject %s "
                         "%s/r; cat %s/private; ls -A %s",
                         scratch, options[i], scratch, scratch, scratch);
        cr_expect(status == 0 || status == 1, "%s", text);
        cr_expect(strstr(text, "\nmine\nprivate\nr\nr.new\n"), "%s: %s", options[i], text);
    }
}

Test(doors, a_target_that_is_a_link_is_refused)
{
    for (size_t i = 0; i < 3; i++) {
        int status = checkout_run(text,
                                  "cd %s; rm -f *; echo mine >private; ln -s private r; cd ~-; "
                                  "./grade lab05 results --device sim --subject "
                                  "build/sim/lab05/solution/subject %s %s/r; s=$?; cat "
                                  "%s/private; exit $s",
                                  scratch, options[i], scratch, scratch);
        cr_expect_eq(status, 4, "%s: %s", options[i], text);
        expect_text(": it is a link, and the grader writes through none. Next: ");
        cr_expect(strstr(text, "\nmine\n"), "%s: %s", options[i], text);
    }
}

Test(doors, pipes_and_devices_are_written_to_directly)
{
    int status = checkout_run(text,
                              "./grade lab05 results --device sim --subject "
                              "build/sim/lab05/solution/subject --json >(jq -c .lab >%s/lab) "
                              "--html /dev/null; s=$?; sleep 0.5; cat %s/lab; exit $s",
                              scratch, scratch);
    cr_expect(status == 0 && strstr(text, "\n\"lab05\"\n"), "%d: %s", status, text);
}

/* ---- text out -------------------------------------------------------------------------------- */

Test(doors, text_is_quoted_for_each_language)
{
    static const struct {
        enum plain_into into;
        const char *text, *written;
    } all[] = {
        {PLAIN_TERMINAL, "a\033[2Jb\n\xff\u202e", "a?[2Jb???"},
        {PLAIN_HTML, "<a href=\"x\">&\033\n", "&lt;a href=&quot;x&quot;&gt;&amp;?\n"},
        {PLAIN_JSON, "\"\\\033\n\xff", "\"\\\"\\\\\\u001b\\u000a\\ufffd\""},
        {PLAIN_DOT, "\" URL=\"x\\N&lt;", "\\\" URL=\\\"x\\\\N&amp;lt;"},
        {PLAIN_CSV, "plain", "plain"},
        {PLAIN_CSV, "=cmd|'/c calc'!A1", "\"'=cmd|'/c calc'!A1\""},
        {PLAIN_CSV, "+1", "\"'+1\""},
        {PLAIN_CSV, "-1", "\"'-1\""},
        {PLAIN_CSV, "@SUM(1)", "\"'@SUM(1)\""},
        {PLAIN_CSV, "a,\"b\"\033\n", "\"a,\"\"b\"\"??\""},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        char written[128];
        FILE *to = fmemopen(written, sizeof written, "w");
        cr_assert(to);
        plain_write(to, all[i].into, all[i].text, strlen(all[i].text));
        fclose(to);
        cr_expect_str_eq(written, all[i].written);
    }
}

/* ---- no other doors -------------------------------------------------------------------------- */

/* Lines of the grader's sources that match, but for those of these files. */
static void expect_nowhere(const char *pattern, const char *but)
{
    int status =
        checkout_run(text,
                     "grep -nE -e '%s' $(git ls-files 'grader/*.c' 'common/*.c' ':!grader/tests' "
                     "':!grader/labs/*/*/*' ':!common/simgpu' ':!common/simcc' | grep -vE '%s')",
                     pattern, but);
    cr_expect_eq(status, 1, "not through the door: %s", text);
}

Test(doors, nobody_else_writes_files)
{
    /* a log of audits is only appended to; the simulated device writes as the program it is in */
    expect_nowhere("fopen\\([^)]*\"[wa]|O_CREAT|mkstemp|mkostemp",
                   "files/output.c|session/session.c|judge/gpu_lock.c|jail/|audit/audit_rates.c|"
                   "command/grade_trace.c|class/(take|exam).c");
}

Test(doors, nobody_else_reads_files)
{
    /* first those that read copies of a submission's sources and the starter, then those that read
       what the grader itself, the course or the system wrote */
    expect_nowhere("(fopen|freopen|[^a-z_]open|openat)\\(",
                   "judge/place.c|report/html_source.c|command/grade_(find|list|step).c|"
                   "class/(similar|take|exam).c|"
                   "files/output.c|session/session.c|jail/|judge/gpu_lock.c|judge/names.c|"
                   "judge/watch.c|report/(html|graph|hints).c|command/grade_(card|device|"
                   "record|run|trace).c|audit/|rules/check.c");
}

Test(doors, nobody_else_reads_what_a_process_sends)
{
    expect_nowhere("->blob([^_]|$)", "judge/(process|ask|watch).c|subject/");
    expect_nowhere("wire_receive\\(|recvmsg\\(|[^a-z_]recv\\(",
                   "wire/wire|judge/(watch|pool).c|subject/(subject|debug).c");
    /* what it printed: taken by the first, shown by the others, through plain_write */
    expect_nowhere("output\\.kept|o->kept", "judge/watch.c|report/(text|html).c");
}

/* class/take.c for a class, labs/take.sh for a folder; all others read copies that these made. */
Test(doors, nobody_else_takes_files_in)
{
    int status = checkout_run(
        text, "grep -nE '\\bcp |\\bdd |sha256sum( -z)? (--|<)' grader/labs/intake.sh "
              "grader/class/{class,scan,unpack,unit}.sh | grep -v 'sha256sum <\"$to\"\\|sha256sum "
              "<<<\\|<\"$CLASS_STAGE/\\|sha256sum <\"$file\"\\|cp -- \"$archive\"'");
    cr_expect_eq(status, 1, "not through the door: %s", text);
}

Test(doors, every_call_that_allocates_is_counted)
{
    int status = checkout_run(
        text,
        "n=0; for f in $(sed -nE 's/^CALL\\((cuda(Malloc|HostAlloc|MemPoolCreate)\\w*),.*/\\1/p' "
        "common/simgpu/api/calls.def); do n=$((n + 1)); "
        "grep -Eq \"^(cudaError_t |[A-Z_]+[(])$f[,(]\" grader/subject/allocations.c || echo \"not "
        "counted: $f\"; "
        "done; [ $n -ge 9 ] || echo \"only $n found\"");
    cr_expect(status == 0 && !text[0], "%s", text);
}

Test(doors, nobody_else_quotes)
{
    expect_nowhere("&lt;|&quot;|u%%04x", "common/plain_text.c");
}
