# times.jq: the times of a lab ($lab) in the results as the CSV of a figure (plots/draw.gp): x is around the number of a timed
# check, the variants are a student's time over that of the reference and over the limit of the hardware, and the largest time
# over the reference that passes. A time counts if the check passes, or fails for the time alone. Empty if there is none.
def counts: .time_us and .measured and .required and (.status == "pass" or .measured > .required);
def median: sort | .[length / 2 | floor] * 100 | round / 100;
# sorted, side by side around $at
def row($at; $variant): sort as $of | range(length) | "\($at + 0.32 * ((. + 0.5) / ($of | length) - 0.5)),\($variant),\($of[.])";
[.[] | select(.lab == $lab and .report)] as $results | [$results[].report.checks[] | select(counts)] as $timed |
if $timed == [] then empty else
    ([$results[].report.checks | map(.name)][0] | map(select(IN($timed[].name)))) as $checks |
    ([$results[] | select(all(.report.checks[] | select(IN(.name; $checks[])); .status == "pass"))] | length) as $fast |
    ($results[0].report.device) as $device |
    "# kind: \(if $device | test("virtual time") then "simulated" else "measured" end)",
    "# device: \($device | sub(", virtual time$"; "") | gsub("[\\p{Cc}]"; " "))", "# driver: \($driver)", "# cuda: \($cuda)", "# date: \($results | map(.began[:10]) | max)",
    "# finding: \($lab): \($fast) of \($results | length) submissions \(if $checks | length == 1 then "pass the timed check" else "pass all timed checks" end)",
    "# checks: \($checks | join(" "))", "x,variant,median",
    (range($checks | length) as $i | [$timed[] | select(.name == $checks[$i])] as $of | [$of[] | .time_us / .reference_us] as $reference |
        [$of[] | select(.floor_us) | .time_us / .floor_us] as $limit |
        "# \($checks[$i]): \($of | length) of \($results | length), median \($reference | median)\(if $limit == [] then "" else " and \($limit | median)" end)",
        ($reference | row($i + (if $limit == [] then 1 else 0.8 end); "reference")), ($limit | row($i + 1.2; "limit")),
        "\($i + (if $limit == [] then 1 else 0.8 end)),allowed,\([$of[] | .time_us / .reference_us / .measured * .required] | median)")
end
