# check.awk: is a figure's CSV whole? Says what is wrong with it, line by line, and fails.
#
#     awk -v needs='stream.host stream.total' -f plots/check.awk plots/data/NVIDIA_H200/launch.csv
#
# needs: variants that must be there.

function wrong(words)
{
    printf "%s:%d: %s\n", FILENAME, FNR, words
    bad++
}

function number(text)
{
    return text ~ /^-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/
}

BEGIN { FS = "," }

/^# [a-z]+: / {
    key = substr($0, 3)
    sub(/: .*/, "", key)
    said[key] = substr($0, length(key) + 5)
    next
}
/^#/ { wrong("a line of the header that is not '# key: words'"); next }

!columns {
    columns = 1
    if ($0 != "x,variant,median,p5,p95,n,unit")
        wrong("the columns are not x,variant,median,p5,p95,n,unit")
    next
}

{
    rows++
    if (NF != 7) {
        wrong("a row of " NF " fields, not 7")
        next
    }
    if (!number($1) || !number($3) || !number($4) || !number($5))
        wrong("x, median, p5 or p95 is not a number")
    else if ($4 + 0 > $3 + 0 || $3 + 0 > $5 + 0)
        wrong("the median is not between p5 and p95")
    if ($6 !~ /^[1-9][0-9]*$/)
        wrong("n is not a number of repetitions")
    if ($2 == "" || $7 == "")
        wrong("no variant, or no unit")
    if (($1, $2) in once)
        wrong("a second row of the variant " $2 " at " $1)
    once[$1, $2] = 1
    there[$2] = 1
}

END {
    if (!NR) {
        wrong("the file is empty")
        exit 1
    }
    n = split("figure what kind device driver cuda date commit repetitions", keys, " ")
    for (i = 1; i <= n; i++)
        if (!(keys[i] in said))
            wrong("the header does not say '# " keys[i] ": …'")
    if (!rows)
        wrong("no rows")
    else if ("rows" in said && said["rows"] != rows)
        wrong(rows " rows, but it had " said["rows"] ": it is cut short, or something was put in")
    n = split(needs, wanted, " ")
    for (i = 1; i <= n; i++)
        if (rows && !(wanted[i] in there))
            wrong("no row of the variant " wanted[i])
    exit bad > 0
}
