# table.jq: the class as one table, from the lists of scan.sh and the results: a row for each student, a cell for each lab.
# A cell's status: that of its result; "not handed in"; "not taken" with a note; "missing", if it was not graded yet; "by hand".
def records(n): split("\u0000")[:-1] as $t | [range(0; $t | length; n) as $i | $t[$i:$i + n]];
($labs | split(" ")) as $labs |
($results[0] | INDEX("\(.id) \(.lab)")) as $result |
($units | records(6) | map({key: "\(.[0]) \(.[1])", value: {key: .[2], note: .[3]}}) | from_entries) as $unit |
def by_hand($name; $lab): [$policy.by_hand[] | select(.student == ($name | gsub("\\s+"; " ")) and .lab == $lab)] | last;
def cell($id; $name; $lab; $notes):
    "\($id) \($lab)" as $at | $unit[$at] as $u | $result[$at] as $r | {$lab} +
    if $r then ($r | {status, points, graded_points, rule, max_points, message, page: "students/\(.id)/\(.lab).html", from: "students/\(.id)/\(.page)",
            at: (.submitted | select(. > 0)), clock, files, report, again: (.status | IN("inconclusive", "grader failed", "changed")), note: (.notes | join("; "))})
    elif by_hand($name; $lab) then
        by_hand($name; $lab) | {status: "by hand", points, max_points: 100, note: "",
            rule: "\(if .kind == "oral" then "in an oral examination" else "by hand" end): \(.reason)"}
    elif $u and $u.key == "starter" then {status: "not handed in", note: "the starter, unchanged"}
    elif $u and $u.key != "" then {status: "missing", note: $u.note}
    elif $u then {status: "not taken", note: (if $u.note == "" then "it has no lab.c and no lab.cu" else $u.note end)}
    elif $notes != "" then {status: "not taken", note: ""}
    else {status: "not handed in", note: ""} end;
($students | records(4) | map({id: .[0], name: .[1], note: .[2], feedback: .[3]})) as $all |
# of a student's cells: the mean of the shares of points, by the weights of the labs; what was not handed in counts 0
def weight: ($policy.labs[.].weight // 1);
def total: ([.[] | (.lab | weight) * (.points // 0) / (.max_points // 100)] | add) as $points | ([$labs[] | weight] | add) as $of |
    if $of > 0 then $points * 1000 / $of | round / 10 else 0 end;
($all | group_by(.name) | map(select(length > 1)[].id)) as $alike |
{
    $labs, $seed, $device, $time, $times, policy: (if $policy.file then $policy else null end),
    similar: (($all | INDEX(.id) | map_values(.name)) as $name | [$similar | split("\n")[] | select(. != "") | split("\t")] |
        [$labs[] as $l | map(select(.[0] == $l)) | {lab: $l, pairs: [.[] | select(.[1] == "pairs")[2:][] | tonumber],
            groups: [[.[] | select(.[1] == "group")] | to_entries[] | {share: .value[2], names: (.value[3:] | map($name[.])), page: "similar/\($l)/\(.key + 1).html"}],
            like: [.[] | select(.[1] == "like" and (.[2] | tonumber) >= 90) | "\($name[.[3]]) (\(.[2]) %)"],
            long: [.[] | select(.[1] == "long") | $name[.[2]]]}]),
    warnings: ([$labs[] as $l | [$results[0][] | select(.lab == $l and any(.report.checks[]?; .devices_disagree)) | .student] |
        select(length > 0) | "\($l): the GPU fails what the simulated device passes, for \(length) of the students (\(sort[:5] | join(", "))): " +
        "a fault of the GPU or of the course. Next: make \($l) SOLUTION=1 DEVICE=gpu && ./grade \($l)"] +
        [$labs[] as $l | [$results[0][] | select(.lab == $l and .due)] as $due | ($due | map(select(.late_by_file)) | length) as $late |
        select($late * 2 > ($due | length)) |
        "\($l): \($late) of \($due | length) submissions are late by the times of their files. If the class was copied or cloned, these are " +
        "times of the copy. Next: submitted lines in class.conf, or the folders of the learning platform"]),
    students: ($all | map(. as $s |
        (if IN($s.id; $alike[]) then $s.name + " [" + $s.id[-12:] + "]" else $s.name end) as $name |
        {id, $name, note, feedback, cells: [$labs[] as $l | cell($s.id; $s.name; $l; $s.note)]}
        | if .note == "" and all(.cells[]; .status == "not handed in" and .note == "") then .note = "it holds no source of \($labs | join(", ")). Next: ask for lab.c" else . end
        | if $policy.file then .total = (.cells | total) | .passed = ($policy.pass == null or .total >= $policy.pass) else . end)
        | sort_by([.name | ascii_downcase | scan("[0-9]+|[^0-9]+") | if test("^[0-9]") then [0, tonumber] else [1, .] end]))
}
# why something was not graded: of a student, and of a cell
| .notes = [.students[] | .name as $student | (.note | split("\n")[] | {$student, lab: "", note: .}),
    (.cells[] | select(.page or .status == "by hand" or .note == "" | not) | {$student, lab, note})]
