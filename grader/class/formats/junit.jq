# junit.jq: JUnit XML, as Jenkins, GitLab and GitHub actions read it: a test suite for each grading, a test case for each check.
# XML 1.0 has no way to write most control characters.
def text: tostring | gsub("[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]"; "?") | @html;
def attributes: to_entries | map(" \(.key)=\"\(.value | text)\"") | add;
def count($status): map(select(.status == $status)) | length;
def cases: if .report then .report.checks else [{name: "graded", status: "broken", message: (.message // .status)}] end;
def case($suite): "    <testcase" + ({classname: $suite, name, time: 0} | attributes) + ">" +
    (if .status == "fail" then "<failure" + ({message} | attributes) + "/>"
     elif .status == "broken" then "<error" + ({message} | attributes) + "/>"
     elif .status != "pass" then "<skipped" + ({message} | attributes) + "/>" else "" end) + "</testcase>";
def suite: cases as $cases | "\(.student) \(.lab)" as $name |
    "  <testsuite" + ({name: $name, tests: ($cases | length), failures: ($cases | count("fail")), errors: ($cases | count("broken")),
        skipped: ($cases | count("skip") + count("inconclusive")), time: (.seconds // 0), timestamp: (.began // "1970-01-01T00:00:00Z" | rtrimstr("Z")),
        hostname: (.host // "unknown")} | attributes) + ">",
    ($cases[] | case($name)), "  </testsuite>";
(map(cases) | add // []) as $all |
"<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
"<testsuites" + ({tests: ($all | length), failures: ($all | count("fail")), errors: ($all | count("broken"))} | attributes) + ">",
(.[] | suite), "</testsuites>"
