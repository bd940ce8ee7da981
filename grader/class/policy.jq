# policy.jq: the results that count, one for each student and lab, with the points that the rules of class.conf ($policy, policy.sh)
# leave: .points; .graded_points are those of ./grade, .rule says which rule was applied. Without a rule nothing changes.
def records(n): split("\u0000")[:-1] as $t | [range(0; $t | length; n) as $i | $t[$i:$i + n]];
def minutes: "\(. / 86400 | floor) d \(. % 86400 / 3600 | floor) h \(. % 3600 / 60 | floor) min" | gsub("\\b0 [dh] "; "");
def exception($of; $r): [$of[] | select(.student == ($r.student | gsub("\\s+"; " ")) and .lab == $r.lab)] | last;
# what late work keeps, and in words
def late_share($late): ($late / 86400 | ceil) as $days |
    if $policy.late == "accepted" then [1, "late work is accepted"]
    elif $policy.late == "refused" then [0, "late work is refused"]
    elif $days > $policy.late.days then [0, "no points after \($policy.late.days) days"]
    else [[1 - $days * $policy.late.percent / 100, 0] | max, "\($policy.late.percent) % less for each of \($days) days"] end;
def by_hand_rule: "\(.points) points \(if .kind == "oral" then "in an oral examination" else "by hand" end): \(.reason)";
def marked: . as $r |
    exception($policy.submitted; $r) as $told | exception($policy.extension; $r) as $extended |
    ($extended // ($policy.labs[.lab] | if .due then {time: .due, text: .due_text} else null end)) as $due |
    .submitted = ($told.time // .handed_in) | .submitted as $at |
    exception($policy.by_hand; $r) as $by_hand |
    if $by_hand then .graded_points = .points | .points = $by_hand.points | .rule = ($by_hand | by_hand_rule)
    elif .points == null or $policy.file == null then .
    elif $due == null then .rule = "no due date"
    else
        .due = $due.time | ($at - $due.time) as $late | .late_by_file = ($late > $policy.grace and $told == null and .clock == "file") |
        (if $late <= 0 then [1, "in time"] elif $late <= $policy.grace then [1, "within the time of grace"] else late_share($late) end) as [$share, $why] |
        .graded_points = .points | .points = (.points * $share * 10 | round / 10) |
        .rule = (if $late <= 0 then $why else "\($late | minutes) after \($due.text): \($why)" end) + (if $extended then " (extension)" else "" end)
    end;

($units | records(6) | group_by("\(.[0]) \(.[1]) \(.[2])") | map({key: "\(.[0][0]) \(.[0][1]) \(.[0][2])", value: min_by(.[4] | tonumber)}) | from_entries) as $unit |
[.[] | $unit["\(.id) \(.lab) \(.key)"] as $u | .handed_in = ($u[4] | tonumber) | .clock = $u[5] | marked] | group_by([.id, .lab]) | map(
    length as $n | (if $policy.take == "best" then max_by([.points // -1, .submitted]) else max_by(.submitted) end) |
    if $n > 1 and $policy.file then .rule = ([.rule // empty, "the \($policy.take) of \($n) submissions"] | join("; ")) else . end)
