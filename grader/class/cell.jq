# cell.jq: a spreadsheet would run a cell that begins with = + - @ as a formula, some also with their wide forms: such a name has
# an apostrophe before it. In many countries a cell ends at a semicolon, too.
def cell: if type == "string" then sub("^(?<first>[=+\\-@\t\r＝＋－＠])"; "'\(.first)") | gsub(";(?<first>[=+\\-@＝＋－＠])"; ";'\(.first)") else . end;
