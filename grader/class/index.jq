# index.jq: index.html: the class on one page, which loads nothing and runs no script.
def text: tostring | @html;
def style: "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse}th,td{border-top:1px solid #ddd;padding:.25rem .7rem;text-align:left;vertical-align:top}
td.n{text-align:right}td.none{white-space:nowrap}.full{color:#157a3c}.zero,.bad{color:#b3261e}.none{color:#888}.sub,.note{color:#555}
.note{font-size:.85em;white-space:normal}.wide{overflow-x:auto}img{max-width:100%;background:#fff}
figure{display:inline-block;margin:0 2rem 1rem 0}svg{max-width:100%}svg rect{fill:#56b4e9}svg text{font-size:11px;fill:currentColor;text-anchor:middle}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}a{color:#8ab4f8}th,td{border-color:#444}.full{color:#7fd19b}.zero,.bad{color:#ff8a80}.sub,.note{color:#aaa}}";

def cell:
    if .page then
        (if .again then "bad" elif .status == "not built" or .points == 0 then "zero" elif .points == .max_points then "full" else "" end) as $class |
        "<td class=\"n \($class)\"><a href=\"\(.page | text)\">" +
        (if .status == "not built" and .points == 0 then "0, not built" elif .status == "graded" or .graded_points then "\(.points) of \(.max_points // 100)" else .status | text end) + "</a>"
    elif .status == "by hand" then "<td class=\"n\">\(.points) of \(.max_points)"
    elif .status == "not handed in" then "<td class=\"n none\">\(.status)"
    else "<td class=\"n bad\">\(.status)" end
    + ([if .rule and .status == "by hand" then .rule elif .rule then "\(.graded_points // .points) points, \(.rule)" else empty end, (.note | select(. != ""))] | map("<div class=\"note\">\(text)</div>") | add // "") + "</td>";
def seconds: if . % 86400 == 0 then "\(. / 86400) days" elif . % 3600 == 0 then "\(. / 3600) hours" else "\(. / 60) minutes" end;
def rules: (.labs | to_entries[] | "\(.key): \([if .value.due_text then "due \(.value.due_text)" else empty end, "weight \(.value.weight // 1)"] | join(", "))"),
    (if .grace > 0 then "Nothing is late within \(.grace | seconds) after the due date." else empty end),
    (.late | if . == null then empty elif type == "string" then "Late work is \(.)."
        else "Late work loses \(.percent) % of its points for each day begun\(if .days < 999 then ", and all of them after \(.days) days" else "" end)." end),
    "Of several submissions, the \(.take) one counts.", "The total is the mean of the labs' points in percent, by weight; a lab without points counts 0.",
    (if .pass then "A total of \(.pass) % passes." else empty end), "Times are in \(.timezone).";
def row: "<tr><td>\(.name | text)" + (if .note != "" then "<div class=\"note bad\">\(.note | text)</div>" else "" end) + "</td>"
    + (.cells | map(cell) | add)
    + (if .total then "<td class=\"n \(if .passed then "" else "zero" end)\">\(.total) %\(if .passed then "" else "<div class=\"note\">not passed</div>" end)</td>" else "" end) + "</tr>";

# how many of the graded ones have 0 to 9, 10 to 19, … and 100 percent of the points
def share: if .status == "not built" or (.max_points // 0) == 0 then 0 else (.points * 10 / .max_points | floor) end;
def figure($n; $words): ($n | max) as $most | "<figure><figcaption>\($words)</figcaption><svg width=\"360\" viewBox=\"0 0 360 130\" role=\"img\" aria-label=\"\($words)\">" +
    ([range(0; 11) as $b | ($n[$b] * 90 / $most) as $h |
        "<rect x=\"\($b * 32 + 2)\" y=\"\(110 - $h)\" width=\"28\" height=\"\($h)\"/>" +
        "<text x=\"\($b * 32 + 16)\" y=\"124\">\($b * 10)\(if $b == 10 then " %" else "" end)</text>" +
        (if $n[$b] > 0 then "<text x=\"\($b * 32 + 16)\" y=\"\(106 - $h)\">\($n[$b])</text>" else "" end)] | add) + "</svg></figure>";
def distribution: (.graded | map(share)) as $shares |
    figure([range(0; 11) as $b | $shares | map(select(. == $b)) | length]; "\(.lab): \($shares | length) graded, median \(.graded | map(.points // 0) | sort | .[length / 2 | floor]) points");

def failures: [.students[].cells[] | select(.report) | .lab as $lab | .report as $r | $r.checks[] | select(.status == "fail") | .name as $check |
        {$lab, $check, mistake: ([$r.mistakes[] | select(.name and any(.of_checks[]; . == $check))][0] // {name: "", message: "not recognized"})}]
    | group_by([.lab, .check]) | map({lab: .[0].lab, check: .[0].check, n: length,
        mistakes: (group_by(.mistake.name) | map({words: (.[0].mistake.message | split(". ")[0] | sub("[.]$"; "")), n: length}) | sort_by(-.n))}) | sort_by(-.n);

def page: ([.students[].cells[]] | group_by(.lab) | map({lab: .[0].lab, graded: map(select(.status == "graded" or .status == "not built"))})) as $by_lab |
    failures as $failures |
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>The class: \(.labs | join(", "))</title>\n<style>\n\(style)\n</style></head>\n<body>",
    "<h1>The class</h1>\n<p class=\"sub\">\(.students | length) students, on \(if .device == "sim" then "the simulated device" else "a GPU" end), seed \(.seed | text), \(.time). <a href=\"points.csv\">points.csv</a>, <a href=\"notes.csv\">notes.csv</a></p>",
    (.warnings[] | "<p class=\"bad\">\(text)</p>"),
    "<h2>Points</h2>\n<div class=\"wide\"><table>\n<tr><th>student</th>\(.labs | map("<th>\(.)</th>") | add)\(if .policy then "<th>total</th>" else "" end)</tr>",
    (.students[] | row),
    "</table></div>",
    (.policy // empty | "<h3>Rules</h3>\n<ul>", (rules | "<li>\(text)</li>"), "</ul>"),
    "<h2>Distribution of points</h2>\n<p class=\"sub\">Students by their share of a lab's points.</p>",
    ($by_lab[] | select(.graded | length > 0) | distribution),
    (if .times == [] then empty else
        "<h2>Times</h2>\n<p class=\"sub\">Each dot is a submission. A time has no dot if the program is wrong or does not do all of its work.</p>",
        (.times[] | "<figure><img width=\"800\" alt=\"times of \(.lab)\" src=\"data:image/svg+xml;base64,\(.svg | @base64)\">" +
            "<figcaption><a href=\"times/\(.lab).png\">\(.lab).png</a>, <a href=\"times/\(.lab).svg\">\(.lab).svg</a></figcaption></figure>") end),
    "<h2>Checks that fail most often</h2>",
    (if $failures == [] then "<p>None failed.</p>" else
        "<table>\n<tr><th>lab</th><th>check</th><th>students</th><th>misconception</th></tr>",
        ($failures[:40][] | "<tr><td>\(.lab)</td><td>\(.check | text)</td><td class=\"n\">\(.n)</td><td>" +
            (.mistakes | map("\(.words | text) (\(.n))") | join("<br>")) + "</td></tr>"),
        "</table>" end),
    (if all(.similar[]; .groups == [] and .like == [] and .long == []) then empty else
        "<h2>Submissions that resemble each other</h2>\n<p class=\"sub\">In a group, each submission shares half of its own text or more with another one. " +
            "The text of the starter and of the reference solution is nobody's own. Two people may write the same program: look at both before you conclude anything.</p>",
        "<table>\n<tr><th>lab</th><th>largest share</th><th>group</th></tr>",
        (.similar[] | .lab as $l | (.groups[] | "<tr><td>\($l)</td><td class=\"n\">\(.share) %</td><td><a href=\"\(.page)\">\(.names | join(", ") | text)</a></td></tr>"),
            (.like | select(. != []) | "<tr><td>\($l)</td><td></td><td>nearly all of the reference solution's text: \(join(", ") | text)</td></tr>"),
            (.long | select(. != []) | "<tr><td>\($l)</td><td></td><td>too long to compare all of it: \(join(", ") | text)</td></tr>")),
        "</table>\n<p class=\"sub\">All pairs by their share. Most pairs are independent: where they are is what a share means in this lab.</p>",
        (.similar[] | select(.pairs | add > 0) | figure(.pairs; "\(.lab): \(.pairs | add) pairs")) end),
    "</body>\n</html>";
