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
    said[key] = 1
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
    there[$2] = 1
}

END {
    n = split("figure what kind device driver cuda date commit repetitions", keys, " ")
    for (i = 1; i <= n; i++)
        if (!(keys[i] in said))
            wrong("the header does not say '# " keys[i] ": …'")
    if (!rows)
        wrong("no rows")
    n = split(needs, wanted, " ")
    for (i = 1; i <= n; i++)
        if (rows && !(wanted[i] in there))
            wrong("no row of the variant " wanted[i])
    exit bad > 0
}
