# notes.jq: notes.csv: why something was not graded: a row for a student, or for a lab of one.
include "cell" {search: "./"};
["student", "lab", "note"], (.notes[] | [.student, .lab, .note]) | map(cell) | @csv
