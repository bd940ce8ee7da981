# classroom.jq: what GitHub Classroom's reporter (classroom-resources/autograding-grading-reporter, src/main.js) reads, in base64, from
# a variable NAME_RESULTS: a test for each check. grader/class/platforms/github.yml uses it.
def checks: .lab as $lab | (.report.checks // [{name: "build", status: "fail", points: 0, max_points: 0, message}])[] | {$lab} + .;
{
    version: 1, status: (if all(.[]; .points == .max_points and .points) then "pass" else "fail" end), max_score: (map(.max_points // 100) | add // 0),
    tests: [.[] | checks | {name: "\(.lab) \(.name) (\(.points) of \(.max_points))",
        status: (if .status == "fail" then "fail" elif .status == "inconclusive" then "error" else "pass" end),
        score: .points, message, test_code: "", filename: "", line_no: 0, execution_time: ""}]
} | tojson
