# canvas.jq: a gradebook for Canvas's import: a row for each student by the number that Canvas has in a file's name, a column for each lab.
# https://community.canvaslms.com/docs/DOC-12827
include "cell" {search: "../"};
([.[].lab] | unique) as $labs |
["Student", "ID", "SIS User ID", "SIS Login ID", "Section"] + $labs, ["    Points Possible", "", "", "", ""] + [$labs[] | 100],
(map(select(.student | test(" \\([0-9]+\\)$"))) | group_by(.id)[] | INDEX(.lab) as $of | (.[0].student | capture("^(?<name>.*) \\((?<number>[0-9]+)\\)$")) as $s |
    [$s.name, $s.number, "", "", ""] + [$labs[] | $of[.].points])
| map(cell) | @csv
