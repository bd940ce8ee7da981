# points.jq: points.csv: a row for each student, a column for each lab. Empty: there is no grading; 0: it was not built too.
# A spreadsheet would run a cell that begins with = + - @ as a formula: such a name has an apostrophe before it.
def cell: if type == "string" and test("^[=+\\-@\t\r]") then "'" + . else . end;
(["student"] + .labs), (.students[] | [.name] + [.cells[].points]) | map(cell) | @csv
