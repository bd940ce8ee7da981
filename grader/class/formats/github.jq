# github.jq: workflow commands of GitHub Actions, which annotate lines of the submission: an error for each mistake, at its first line.
# https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
def data: tostring | gsub("%"; "%25") | gsub("\r"; "%0D") | gsub("\n"; "%0A");
def property: data | gsub(":"; "%3A") | gsub(","; "%2C");
.[] | . as $result | if .report == null then "::error title=\(.lab | property)::\(.message // .status | data)"
elif .report.mistakes == [] then "::notice title=\(.lab | property)::\(.points) of \(.max_points) points"
else .report.mistakes[] | ([.lines[].text | capture("^(?<file>lab\\.cu?):(?<line>[0-9]+)")][0]) as $at |
    "::error file=\($result.report.submission | if $at then sub("[^/]*$"; "") + $at.file else . end | property),line=\($at.line // 1)," +
    "title=\("\($result.lab): \(.of_checks | join(", "))" | property)::\(.message + (if .next != "" then "\nNext: " + .next else "" end) | data)" end
