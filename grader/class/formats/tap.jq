# tap.jq: the Test Anything Protocol, version 13: a line for each check.
# A number sign would begin a directive, and a line feed another line.
def text: tostring | gsub("[\\p{Cc}]"; " ") | gsub("#"; "\\#");
[.[] | "\(.student) \(.lab)" as $of | if .report then .report.checks[] | {ok: (.status == "pass"), name: "\($of) \(.name)",
        skip: (.status | IN("skip", "inconclusive")), why: (if .status == "pass" then "" else .message end)}
    else {ok: false, name: "\($of) graded", skip: false, why: (.message // .status)} end] as $lines |
"TAP version 13", "1..\($lines | length)",
($lines | to_entries[] | "\(if .value.ok or .value.skip then "ok" else "not ok" end) \(.key + 1) - \(.value.name | text)"
    + (if .value.skip then " # SKIP \(.value.why | text)" else "" end),
    (if .value.ok or .value.skip then empty else "# \(.value.why | text)" end))
