# classroom.jq: what GitHub Classroom's reporter (classroom-resources/autograding-grading-reporter, src/main.js) reads of a runner, in
# base64, from the variable NAME_RESULTS: a test for each check. github.yml in grader/class/platforms uses it.
if length != 1 then error("GitHub Classroom has one result for each run") else .[0] end |
{
    version: 1, status: (if .points == .max_points and .points then "pass" else "fail" end), max_score: (.max_points // 100),
    tests: [(.report.checks // [{name: "build", status: "fail", points: 0, max_points: 0, message}])[] |
        {name: "\(.name) (\(.points) of \(.max_points))", status: (if .status == "fail" then "fail" elif .status == "inconclusive" then "error" else "pass" end),
         score: .points, message, test_code: "", filename: "", line_no: 0, execution_time: ""}]
} | tojson
