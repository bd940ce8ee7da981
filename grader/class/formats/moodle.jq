# moodle.jq: the grading worksheet of a Moodle assignment, for one lab, by the number that Moodle has in a folder's name.
include "cell" {search: "../"};
["Identifier", "Full name", "Grade", "Maximum Grade", "Feedback comments"],
(.[] | select(.student | test(" \\([0-9]+\\)$")) | (.student | capture("^(?<name>.*) \\((?<number>[0-9]+)\\)$")) as $s |
    ["Participant \($s.number)", $s.name, .points, (.max_points // (if .points == 0 then 100 else null end)),
     ([.rule // empty, .message // empty] + [(.report.mistakes // [])[] | .message] | join(" "))])
| map(cell) | @csv
