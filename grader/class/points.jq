# points.jq: points.csv: a row for each student, a column for each lab, and with class.conf the total in percent and, if it
# has a minimum, whether that is reached. Empty: there is no grading; 0: it was not built too.
include "cell" {search: "./"};
(if .policy == null then [] elif .policy.pass == null then ["total"] else ["total", "passed"] end) as $more |
(["student"] + .labs + $more), (.students[] | [.name] + [.cells[].points] + [.[$more[]] | if . == true then "yes" elif . == false then "no" else . end])
| map(cell) | @csv
