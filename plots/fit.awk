# fit.awk: a profile for the simulated device from what the probe measured.
#
#     awk -f plots/fit.awk plots/fit.rules common/simgpu/profiles/h200.profile probe.csv graphs.csv launch.csv … >fitted.profile
#
# A row of a figure's CSV has the key FIGURE/VARIANT.X. Writes the profile with the rows that fit.rules names set to what the measurements give; on stderr, beside each, what
# it was. A rule whose measurements are missing is said, and its row stays.

function complain(words)
{
    printf "fit: %s\n", words >"/dev/stderr"
    failures++
}

# rows(KEY, FROM, TO): into x[] and y[] all rows whose key is KEY with a number for *; returns how many
function rows(key, from, to,    star, head, tail, k, middle, n)
{
    star = index(key, "*")
    head = substr(key, 1, star - 1)
    tail = substr(key, star + 1)
    n = 0
    for (k in value) {
        if (substr(k, 1, length(head)) != head)
            continue
        middle = substr(k, length(head) + 1)
        if (tail != "") {
            if (length(middle) <= length(tail) || substr(middle, length(middle) - length(tail) + 1) != tail)
                continue
            middle = substr(middle, 1, length(middle) - length(tail))
        }
        if (middle !~ /^[0-9]+$/ || middle + 0 < from || middle + 0 > to || value[k] <= 0)
            continue
        n++
        x[n] = middle + 0
        y[n] = value[k]
    }
    return n
}

# Least squares of (a + b x - y) / y: into intercept and slope. Every row counts the same, however small its value.
function line(n,    i, w, s, sx, sy, sxx, sxy, d)
{
    for (i = 1; i <= n; i++) {
        w = 1 / (y[i] * y[i])
        s += w
        sx += w * x[i]
        sy += w * y[i]
        sxx += w * x[i] * x[i]
        sxy += w * x[i] * y[i]
    }
    d = s * sxx - sx * sx
    slope = (s * sxy - sx * sy) / d
    intercept = (sy - slope * sx) / s
}

function median(n,    i, j, t)
{
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && y[j - 1] > y[j]; j--) {
            t = y[j]
            y[j] = y[j - 1]
            y[j - 1] = t
        }
    return n % 2 ? y[(n + 1) / 2] : (y[n / 2] + y[n / 2 + 1]) / 2
}

# The value of one word of a rule, or "" where its measurements are missing.
function word(text,    part, n)
{
    split(text, part, ":")
    if (part[1] == "device")
        return part[2] in device ? device[part[2]] : ""
    if (part[1] == "row")
        return part[2] in value ? value[part[2]] : ""
    if (part[1] == "key")
        return part[2] in profile ? profile[part[2]] : ""
    n = rows(part[2], part[3], part[4])
    if (part[1] == "median")
        return n ? median(n) : ""
    if (n < 2)
        return ""
    line(n)
    return part[1] == "slope" ? slope : intercept
}

function evaluate(rule,    words, n, i, top, stack, v)
{
    n = split(rule, words, " ")
    for (i = 1; i <= n; i++) {
        if (words[i] ~ /^[-+*\/]$/) {
            if (top < 2)
                return ""
            v = stack[top--]
            if (words[i] == "+")
                stack[top] += v
            else if (words[i] == "-")
                stack[top] -= v
            else if (words[i] == "*")
                stack[top] *= v
            else
                stack[top] /= v
        } else if (words[i] == "inv") {
            stack[top] = 1 / stack[top]
        } else {
            v = words[i] ~ /^[0-9.]+$/ ? words[i] + 0 : word(words[i])
            if (v == "")
                return ""
            stack[++top] = v
        }
    }
    return top == 1 ? stack[1] : ""
}

function short(v)
{
    return sprintf("%.3g", v) + 0
}

# What the device says of itself: as it is, with the row's own comment. Returns whether the rule is of that kind.
function take_from_device(key,    v)
{
    if (rule[key] !~ /^device:/)
        return 0
    v = word(rule[key])
    if (v == "")
        complain(key " stays " profile[key] ": the device has not been asked for " rule[key])
    else if (key == "name" || v != profile[key])
        said[key] = v
    return 1
}

FNR == 1 { file++ }

file == 1 && !/^#/ && NF > 1 {
    key = $1
    sub(/^[^ ]+ +/, "")
    rule[key] = $0
    order[++n_rules] = key
}

file == 2 {
    lines[++n_lines] = $0
    if (!/^#/ && NF > 1)
        profile[$1] = $2
}

FNR == 1 { figure = "" }

# properties.txt has a name and a value in each line, attributes.csv a number, a name and a value
file > 2 && FILENAME ~ /properties.txt$/ {
    if (!/^#/) {
        key = $1
        sub(/^[^ ]+ /, "")
        device[key] = $0
    }
    next
}
file > 2 && FILENAME ~ /attributes.csv$/ {
    if (!/^#/ && split($0, cells, ",") == 3 && cells[1] ~ /^[0-9]+$/)
        device[cells[2]] = cells[3]
    next
}

file > 2 && /^# figure: / { figure = $3 }

file > 2 && !/^#/ {
    split($0, cells, ",")
    if (figure != "" && cells[1] != "x")
        value[figure "/" cells[2] "." cells[1]] = cells[3] + 0
    else if (figure == "" && cells[1] != "key")
        value[cells[1]] = cells[2] + 0
}

END {
    for (i = 1; i <= n_rules; i++) {
        key = order[i]
        if (!(key in profile)) {
            complain("the profile has no row " key)
            continue
        }
        if (take_from_device(key))
            continue
        v = evaluate(rule[key])
        if (v == "" || v <= 0) {
            complain(key " stays " profile[key] ": its rows are missing from the measurements, or give no time (" rule[key] ")")
            continue
        }
        printf "%-28s %12s -> %12s  %+6.1f %%\n", key, profile[key], short(v), 100 * (short(v) / profile[key] - 1) >"/dev/stderr"
        profile[key] = short(v)
        fitted[key] = 1
    }
    for (i = 1; i <= n_lines; i++) {
        split(lines[i], cells, " ")
        if (lines[i] !~ /^#/ && cells[1] in said && !index(lines[i], " " said[cells[1]] " ")) {
            comment = cells[1] == "name" ? "# shown as Simulated " said["name"] : substr(lines[i], index(lines[i] "#", "#"))
            printf "%-26s %-11s %s\n", cells[1], said[cells[1]], comment
            continue
        }
        if (lines[i] ~ /^#/ || !(cells[1] in fitted)) {
            print lines[i]
            continue
        }
        sub(/; by make fit.*/, "", lines[i])
        comment = index(lines[i], "#")
        printf "%-26s %-11s %s; by make fit\n", cells[1], profile[cells[1]], comment ? substr(lines[i], comment) : "# us"
    }
    exit failures > 0
}
