# compare.awk: two runs of the probe, row by row.
#
#     awk -f plots/compare.awk plots/data/NVIDIA_H200/probe.csv SIMULATED/probe.csv
#
# Prints the second figure as a part of the first, and how many rows of each group agree.

BEGIN { FS = "," }
/^#/ || $1 == "key" { next }
FNR == NR { first[$1] = $2; next }

$1 in first && first[$1] > 0 {
    ratio = $2 / first[$1]
    off = ratio > 1 ? ratio - 1 : 1 - ratio
    split($1, part, ".")
    rows[part[1]]++
    within_10[part[1]] += off <= 0.10
    within_25[part[1]] += off <= 0.25
    printf "%-50s %12.3f %12.3f %7.2f %s\n", $1, first[$1], $2, ratio, off <= 0.10 ? "" : off <= 0.25 ? "*" : "**"
}

END {
    for (group in rows)
        printf "# %s: %d rows, %d within 10 %%, %d within 25 %%\n",
            group, rows[group], within_10[group], within_25[group] | "sort"
}
