# pages.jq: what collect.sh makes of the table: the name of each file and its text, each ended by NUL.
include "cell" {search: "./"}; import "index" as index {search: "./"};
# points.csv: a row for each student, a column for each lab, and with class.conf the total in percent and, if it has a minimum,
# whether that is reached. Empty: there is no grading; 0: it was not built too.
def points: (if .policy == null then [] elif .policy.pass == null then ["total"] else ["total", "passed"] end) as $more |
    (["student"] + .labs + $more), (.students[] | [.name] + [.cells[].points] + [.[$more[]] | if . == true then "yes" elif . == false then "no" else . end])
    | map(cell) | @csv;
# notes.csv: why something was not graded: a row for a student, or for a lab of one
def notes: ["student", "lab", "note"], (.notes[] | [.student, .lab, .note]) | map(cell) | @csv;
# for each page of a student a line: the report, the page that is made of it, and what the page has before the report
def text: tostring | gsub("[\t\n]"; " ") | @html;
def clocks: {platform: "by the learning platform", commit: "by its commit", file: "by the file's time"};
def students: .seed as $seed | (if .device == "sim" then "sim" else "both" end) as $device | .students[] | .name as $name | .cells[] | select(.page) |
    [.from, .page, "<section><h1>\($name | text)</h1><p><strong>\(.lab): " +
        (if .points then "\(.points) of \(.max_points // 100) points" else .status end) + "</strong>" +
        (if .rule then ". \(if .graded_points then "\(.graded_points) points were graded; " else "" end)rule: \(.rule | text)" else "" end) + "</p><p>What counted: " +
        (.files | map("\(.name) (SHA-256 \(.sha256[:12]))") | join(", ") | text) + (if .at then ", handed in \(.at | strftime("%F %H:%M UTC")) \(clocks[.clock])" else "" end) +
        (if .note != "" then ". \(.note | text)" else "" end) + ".</p>" +
        (if .report then "<p>The same inputs again, in your copy of the course: <code>make \(.lab) DEVICE=\($device | sub("both"; "gpu")) &amp;&amp; ./grade \(.lab) --device \($device) --seed \($seed)</code></p>" else "" end) +
        "</section>"] | join("\t");
# how many gradings are missing, why, and what class.sh says
def said: ([.students[].cells[] | select(.again or .status == "missing")] | length, (map(.message // empty)[0] // "the run was stopped" | gsub("\n"; " "))),
    "class: \(.warnings[])", (.notes[] | select(.note | test("Next: ")) | "class: \([.student, .lab, .note] | map(select(. != "")) | join(": "))");
def file(name; lines): "\(name)\u0000", (lines | tostring | split("\u0000") | add // "" | ., "\n"), "\u0000";
file("students"; students), file("points.csv"; points), file("notes.csv"; notes), file("index.html"; index::page), file("said"; said)
