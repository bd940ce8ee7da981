# student.jq: for each page of a student a line: the report, the page that is made of it, and what the page has before the report.
def text: tostring | gsub("[\t\n]"; " ") | @html;
def clocks: {platform: "by the learning platform", commit: "by its commit", file: "by the file's time"};
.seed as $seed | (if .device == "sim" then "sim" else "both" end) as $device | .students[] | .name as $name | .cells[] | select(.page) |
[.from, .page, "<section><h1>\($name | text)</h1><p><strong>\(.lab): " +
    (if .points then "\(.points) of \(.max_points // 100) points" else .status end) + "</strong>" +
    (if .rule then ". \(if .graded_points then "\(.graded_points) points were graded; " else "" end)rule: \(.rule | text)" else "" end) + "</p><p>What counted: " +
    (.files | map("\(.name) (SHA-256 \(.sha256[:12]))") | join(", ") | text) + (if .at then ", handed in \(.at | strftime("%F %H:%M UTC")) \(clocks[.clock])" else "" end) +
    (if .note != "" then ". \(.note | text)" else "" end) + ".</p>" +
    (if .report then "<p>The same inputs again, in your copy of the course: <code>make \(.lab) DEVICE=\($device | sub("both"; "gpu")) &amp;&amp; ./grade \(.lab) --device \($device) --seed \($seed)</code></p>" else "" end) +
    "</section>"] | join("\t")
