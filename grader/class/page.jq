# page.jq: the page of a submission that has no report of ./grade: it was not built, or the grader failed.
def page: ("<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-width\"><meta name=\"color-scheme\" content=\"light dark\">\n<title>\(.lab): \(.status)</title>\n" +
"<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}" +
"pre{background:#8882;padding:.7rem;white-space:pre-wrap}</style></head>\n<body>\n" +
"<h1>\(.lab): \(.status)</h1>\n" +
(if .message then "<p>\(.message | @html)</p>\n" else "" end) +
(.notes | map("<p>\(@html)</p>\n") | add // "") +
"<pre>\(.output // "" | @html)</pre>\n</body>\n</html>") | split("\u0000") | add;
