# validate.awk: how far the simulated device is from a measured one, row by row of the figures' CSVs.
#
#     awk -v csv=OUT.csv -f plots/validate.awk MEASURED/launch.csv … SIMULATED/launch.csv … >table
#
# A file says in its header which of the two it is. The table has a line a figure and the rows that are furthest off;
# csv gets every row in the columns of a figure: x the measured median, the median simulated / measured, p5 and p95
# the same against what 90 % of the measurements lay between.

# Rows that say nothing of the model: how noise is distributed, contention that is not modelled, first launches of a
# process, and what is no time or rate. Nor does a row whose measurements go down to zero or below (END).
function left_out(figure, variant, unit)
{
    return figure ~ /^(jitter|threads|timeline)$/ || variant ~ /^cold\./ || unit !~ /^(us|GB\/s)$/
}

function median(v, n,    i, j, t)
{
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && v[j - 1] > v[j]; j--) {
            t = v[j]
            v[j] = v[j - 1]
            v[j - 1] = t
        }
    return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
}

function off(ratio)
{
    return ratio > 1 ? ratio - 1 : 1 - ratio
}

BEGIN { FS = "," }

/^# figure: / { figure = substr($0, 11) }
/^# kind: / { simulated = substr($0, 9) == "simulated" }
/^# (device|driver|cuda|date): / && !simulated {
    words = $0
    sub(/^# [a-z]+: /, "", words)
    key = substr($0, 3)
    sub(/: .*/, "", key)
    if (key == "date" && (!first || words < first))
        first = words
    if (key != "date" || words > said[key])
        said[key] = words
}
/^#/ || $1 == "x" || left_out(figure, $2, $7) { next }

!simulated {
    key = figure SUBSEP $2 SUBSEP $1
    if (!(key in measured))
        order[++n] = key
    measured[key] = $3
    low[key] = $4
    high[key] = $5
    unit[key] = $7
}
simulated { model[figure SUBSEP $2 SUBSEP $1] = $3 }

END {
    for (i = 1; i <= n; i++) {
        key = order[i]
        split(key, part, SUBSEP)
        if (!(key in model)) {
            printf "validate: %s.csv has a row %s,%s that was measured, and none that was simulated: measure it again, or correct what names the rows\n", part[1], part[3], part[2] >"/dev/stderr"
            lost = 1
        }
        if (lost || measured[key] <= 0 || low[key] <= 0)
            continue
        f = part[1]
        if (!(f in rows))
            figures[++n_figures] = f
        ratio = model[key] / measured[key]
        rows[f]++
        total++
        all[total] = error[f, rows[f]] = off(ratio)
        shown[total] = sprintf("%-14s %-18s %8s %12.3f %12.3f %-5s %6.2f", f, part[2], part[3], measured[key], model[key], unit[key], ratio)
        apart[total] = off(ratio)
        far[f] += off(ratio) > 0.25
        if (f ~ /^(launch|three_ways|width|methods|device_launch)$/) {
            sweeps[++n_sweeps] = off(ratio)
            swept_over += off(ratio) > 0.25
        }
        if (off(ratio) > worst[f])
            worst[f] = off(ratio)
        line = sprintf("%.6g,%s,%.4f,%.4f,%.4f,1,simulated / measured", measured[key], f, ratio, high[key] > 0 ? model[key] / high[key] : ratio, low[key] > 0 ? model[key] / low[key] : ratio)
        lines = lines line "\n"
    }
    if (lost)
        exit 1
    if (!total) {
        print "validate: no row is in both the measured and the simulated figures" >"/dev/stderr"
        exit 1
    }
    if (first < said["date"])
        said["date"] = first " to " said["date"]
    printf "Simulated device against %s, driver %s, CUDA %s, %s\n\n", said["device"], said["driver"], said["cuda"], said["date"]
    printf "%-14s %6s %14s %12s %16s\n", "figure", "rows", "median error", "worst", "over 25 %"
    for (i = 1; i <= n_figures; i++) {
        f = figures[i]
        for (j = 1; j <= rows[f]; j++)
            v[j] = error[f, j]
        over += far[f]
        printf "%-14s %6d %12.1f %% %10.0f %% %16d\n", f, rows[f], 100 * median(v, rows[f]), 100 * worst[f], far[f]
    }
    for (j = 1; j <= n_sweeps; j++)
        v[j] = sweeps[j]
    printf "%-14s %6d %12.1f %% %12s %16d     %s\n", "sweeps", n_sweeps, n_sweeps ? 100 * median(v, n_sweeps) : 0, "", swept_over, "launch, three_ways, width, methods, device_launch: what the profile must get right"
    for (j = 1; j <= total; j++)
        v[j] = all[j]
    printf "%-14s %6d %12.1f %% %12s %16d\n\n", "all", total, 100 * median(v, total), "", over
    printf "Rows more than 25 %% off:\n%-14s %-18s %8s %12s %12s %-5s %6s\n", "figure", "variant", "x", "measured", "simulated", "unit", "ratio"
    for (j = 1; j <= total; j++)
        if (apart[j] > 0.25)
            print shown[j]
    if (!over)
        print "none"
    printf "# figure: validate\n# what: simulated / measured, row by row of the figures\n# x: measured median\n# kind: compared\n# device: %s\n# driver: %s\n# cuda: %s\n# date: %s\n# commit: as its CSVs say\n# repetitions: as its CSVs say\nx,variant,median,p5,p95,n,unit\n%s", said["device"], said["driver"], said["cuda"], said["date"], lines >csv
}
