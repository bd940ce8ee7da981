# table.jq: the class as one table, from the lists of scan.sh and the results: a row for each student, a cell for each lab.
# A cell's status: that of its result; "not handed in"; "not taken" with a note; "missing", if it was not graded yet.
def records(n): split("\u0000")[:-1] as $t | [range(0; $t | length; n) as $i | $t[$i:$i + n]];
($labs | split(" ")) as $labs |
($results[0] | INDEX("\(.id) \(.lab)")) as $result |
($units | records(4) | map({key: "\(.[0]) \(.[1])", value: {key: .[2], note: .[3]}}) | from_entries) as $unit |
def cell($id; $lab; $notes):
    "\($id) \($lab)" as $at | $unit[$at] as $u | $result[$at] as $r | {$lab} +
    if $r then ($r | {status, points, max_points, message, page: "students/\(.id)/\(.page)", report,
            again: (.status | IN("inconclusive", "grader failed", "changed")), note: (.notes | join("; "))})
    elif $u and $u.key != "" then {status: "missing", note: $u.note}
    elif $u then {status: "not taken", note: (if $u.note == "" then "it has no lab.c and no lab.cu" else $u.note end)}
    elif $notes != "" then {status: "not taken", note: ""}
    else {status: "not handed in", note: ""} end;
($students | records(3) | map({id: .[0], name: .[1], note: .[2]})) as $all |
($all | group_by(.name) | map(select(length > 1)[].id)) as $alike |
{
    $labs, $seed, $device, $time,
    similar: (($all | INDEX(.id) | map_values(.name)) as $name | [$similar | split("\n")[] | select(. != "") | split("\t")
        | {lab: .[0], share: (.[1] | tonumber), names: (.[2:] | map($name[.] // "the reference solution"))}]),
    students: ($all | map(. as $s |
        (if IN($s.id; $alike[]) then $s.name + " [" + $s.id[-12:] + "]" else $s.name end) as $name |
        {id, $name, note, cells: [$labs[] as $l | cell($s.id; $l; $s.note)]}) | sort_by(.name | ascii_downcase))
}
