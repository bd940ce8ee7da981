# gradescope.jq: results.json of a Gradescope autograder, for one grading.
def status: if . == "pass" then "passed" else "failed" end;
if length != 1 then error("Gradescope has one results.json for each submission") else .[0] end |
. as $result | (.report // {checks: [], mistakes: []}) as $r |
{
    score: ($result.points // 0),
    output: (["\($result.lab) on \($r.device // $result.device)"] + ($result.notes // []) + [$result.rule // empty, $result.message // empty] +
        [$r.mistakes[] | .message + (if .next != "" then "\nNext: " + .next else "" end)] | join("\n\n")),
    output_format: "text",
    execution_time: ($result.seconds // 0),
    visibility: "visible",
    tests: [$r.checks[] | {name, score: .points, max_score: .max_points, output: .message, output_format: "text"}
        + (if .status | IN("skip", "inconclusive") then {} else {status: (.status | status)} end)]
}
