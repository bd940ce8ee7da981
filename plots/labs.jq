# labs.jq: the times that reports on a lab speak of (./grade --json), as rows of a figure's CSV: x the lab's number, a
# variant a time, over all the reports that are given (jq -rs -f plots/labs.jq REPORT.json …).

# [what it is called after the check's name, where it is in the check's message]
def patterns: [
    ["",          "^(?:[0-9]+ batches of [0-9]+ x [0-9]+: |per iteration: )?(?<us>[0-9.]+) us"],
    [".measured", "us predicted, (?<us>[0-9.]+) measured"],
    [".large",    "; batches of [0-9]+ x [0-9]+: [0-9.]+, (?<us>[0-9.]+),"],
    [".h2d",      "H2D (?<us>[0-9.]+)"],
    [".compute",  "compute (?<us>[0-9.]+)"],
    [".d2h",      "D2H (?<us>[0-9.]+) us alone"],
    [".lab04",    "lab 04's way (?<us>[0-9.]+)"],
    [".streams",  "lab 03's way (?<us>[0-9.]+)"],
    [".launched", "launched into a stream it is (?<us>[0-9.]+)"],
    [".host",     "a host loop (?<us>[0-9.]+)"]];

def times: .lab as $lab | .checks[] | select(.status == "pass" and (.message | test("[0-9] us"))) | . as $check |
    patterns[] as [$suffix, $pattern] | $check.message | capture($pattern) |
    {x: ($lab[3:] | tonumber), variant: ($check.name + $suffix), us: (.us | tonumber)};

# of sorted values; between two of them, in proportion
def quantile($part): ((length - 1) * $part) as $at | ($at | floor) as $i |
    .[$i] + ((.[$i + 1] // .[$i]) - .[$i]) * ($at - $i);

[.[] | times] | group_by([.x, .variant])[] | (map(.us) | sort) as $us |
    [.[0].x, .[0].variant, ($us | quantile(0.5)), ($us | quantile(0.05)), ($us | quantile(0.95)), ($us | length), "us"] |
    map(tostring) | join(",")
