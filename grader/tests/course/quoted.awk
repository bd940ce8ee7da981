# quoted.awk PAGE...: compares the figures that a page quotes with the CSV files that they come from, and prints each difference.
#
# A comment before a paragraph, a list or a table names the file in plots/data and, for each number, its row:
#
#     <!-- NVIDIA_H200/jitter.csv: 61.7 = stream.20@50, 19.0 = stream.20@99 - stream.20@50 -->
#     Twenty kernels take 61.7 µs; the slowest of a hundred launches takes 19.0 µs longer.
#
# stream.20@50 is the median of the variant stream.20 at x = 50; in a file with keys, like probe.csv, it is the key alone. Operators
# are evaluated from left to right; (61.7) is the exact value of an earlier number. Each number must be the value, rounded to its
# digits, and stand in the text. Each number of the text that has a decimal point or a unit must be in a comment. A number alone
# (", 64") is an input, or from another source. Before a table, columns are prefix@x, and rows are what comes between:
#
#     <!-- NVIDIA_H200/device_shapes.csv: columns straight@1 straight@11; rows .fire.first .tail.first -->

function differs(words) {
    printf "%s:%d: %s\n", FILENAME, FNR, words
}

function load(file,    path, line, part, keyed) {
    if (file in loaded)
        return
    loaded[file] = 1
    path = "plots/data/" file
    while ((getline line < path) > 0) {
        split(line, part, ",")
        if (line ~ /^#/)
            continue
        if (part[1] == "key" || part[1] == "x")
            keyed = part[1] == "key"
        else
            value[file, keyed ? part[1] : part[2] "@" part[1]] = part[keyed ? 2 : 3]
        rows[file]++
    }
    close(path)
    if (!rows[file])
        differs("there is no " path)
}

function operand(file, name) {
    if (name ~ /^[0-9.]+$/)
        return name + 0
    if (name ~ /^\(.*\)$/)
        return exact[substr(name, 2, length(name) - 2)]
    if (!((file, name) in value))
        differs(file " has no row " name)
    return value[file, name] + 0
}

function evaluate(file, expression,    part, n, i, result, next_one) {
    n = split(expression, part, " ")
    result = operand(file, part[1])
    for (i = 2; i < n; i += 2) {
        next_one = operand(file, part[i + 1])
        if (part[i] == "+") result += next_one
        else if (part[i] == "-") result -= next_one
        else if (part[i] == "*") result *= next_one
        else if (part[i] == "/" && next_one) result /= next_one
        else differs("not an operator: " part[i])
    }
    return result
}

function compare(number, file, expression,    plain, digits, is) {
    plain = number
    gsub(/,/, "", plain)
    digits = index(plain, ".") ? length(plain) - index(plain, ".") : 0
    is = exact[number] = evaluate(file, expression)
    compared++
    if (is - plain > 0.5001 * 10 ^ -digits || plain - is > 0.5001 * 10 ^ -digits)
        differs(number " is " is " in " file " (" expression ")")
}

function declare(text,    file, part, n, i, pair) {
    sub(/^<!-- */, "", text)
    sub(/ *-->.*/, "", text)
    file = substr(text, 1, index(text, ":") - 1)
    text = substr(text, index(text, ":") + 1)
    load(file)
    named[file] = 1
    block = 1
    if (text ~ /columns .*; *rows /) {
        sub(/^ *columns */, "", text)
        n_columns = split(substr(text, 1, index(text, ";") - 1), column, " ")
        sub(/.*; *rows */, "", text)
        n_rows = split(text, row, " ")
        table = file
        return
    }
    n = split(text, part, ",[ ]+")
    for (i = 1; i <= n; i++) {
        split(part[i], pair, / *= */)
        gsub(/^ +/, "", pair[1])
        gsub(/ +$/, "", pair[1])
        if (part[i] ~ /=/)
            compare(pair[1], file, pair[2])
        expected[pair[1]] = 1
    }
}

# A row of a table: its cells after the first.
function compare_row(line,    cell, i, at) {
    if (line ~ /^\|[-: |]*$/ || ++row_number == 1)
        return
    split(line, cell, "|")
    for (i = 1; i <= n_columns; i++) {
        split(column[i], at, "@")
        gsub(/[^0-9.,]/, "", cell[i + 2])
        compare(cell[i + 2], table, at[1] row[row_number - 1] "@" at[2])
    }
}

function compare_text(text,    number, after) {
    gsub(/`[^`]*`|\]\([^)]*\)/, " ", text)
    while (match(text, /[0-9][0-9,.]*[0-9]|[0-9]/)) {
        number = substr(text, RSTART, RLENGTH)
        after = substr(text, RSTART + RLENGTH)
        if (number in expected)
            found[number] = 1
        else if (number ~ /\.[0-9]/ || after ~ /^ (µs|%|GB\/s|MiB|times)/)
            differs(number " is not in the comment")
        text = after
    }
    for (number in expected)
        if (!(number in found))
            differs(number " is in the comment, and not in the text")
}

function end_block() {
    if (table != "" && row_number - 1 != n_rows)
        differs(row_number - 1 " rows, and the comment names " n_rows)
    else if (table == "" && block)
        compare_text(words)
    block = row_number = 0
    table = words = ""
    delete expected
    delete found
}

function end_page(    picture) {
    if (block)
        end_block()
    for (picture in pictured)
        if (!(picture in named) && picture !~ /timeline/)
            print page ": shows " picture " and quotes nothing of it"
    delete pictured
    delete named
}

FNR == 1 { end_page(); page = FILENAME }
/^ *<!-- [A-Za-z0-9_]*\/[a-z_0-9]*\.csv:/ { comment = 1; text = "" }
comment {
    sub(/^ */, "")
    text = text " " $0
    if (/-->/) { comment = 0; sub(/^ /, "", text); declare(text) }
    next
}
match($0, /plots\/data\/[A-Za-z0-9_]*\/[a-z_0-9]*\.(png|csv)/) {
    name = substr($0, RSTART + 11, RLENGTH - 15)
    pictured[name ".csv"] = 1
}
block && /^ *$/ && words != "" { end_block(); next }
block { words = words " " $0; if (table != "") compare_row($0) }
END { end_page(); if (!compared) print "no figure is compared" }
