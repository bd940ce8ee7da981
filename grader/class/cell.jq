# cell.jq: a spreadsheet would run a cell that begins with = + - @ as a formula: such a name has an apostrophe before it.
def cell: if type == "string" and test("^[=+\\-@\t\r]") then "'" + . else . end;
