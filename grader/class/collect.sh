# collect.sh: writes points.csv and index.html from the results. class.sh sources it.
# shellcheck shell=bash

# the paths of the results that count now: those that units.list names
result_paths() {
    local id lab key _
    while IFS= read -rd '' id && IFS= read -rd '' lab && IFS= read -rd '' key && IFS= read -rd '' _; do
        if [ -s "$out/students/$id/$lab-$key.json" ]; then
            printf '%s\0' "$out/students/$id/$lab-$key.json"
        elif [ -s "$out/students/$id/$lab-$key.again.json" ]; then
            printf '%s\0' "$out/students/$id/$lab-$key.again.json"
        fi
    done <"$CLASS_STAGE/units.list"
}

# merge_results: all of them as one JSON array; one that is no JSON any more is removed and counts as missing
merge_results() {
    local path
    result_paths >"$CLASS_STAGE/results.list"
    xargs -0 -r cat -- <"$CLASS_STAGE/results.list" | jq -s . >"$CLASS_STAGE/results.json" 2>/dev/null && return
    while IFS= read -rd '' path; do
        jq -e .key "$path" >/dev/null 2>&1 && continue
        say "$(printable "$path") is damaged and was removed. Next: repeat the command"
        rm -f -- "$path"
    done <"$CLASS_STAGE/results.list"
    result_paths | xargs -0 -r cat -- | jq -s . >"$CLASS_STAGE/results.json"
}

# write NAME JQ_FILE: $out/NAME, as a whole or not at all
write_page() {
    jq -r -f "grader/class/$2" "$CLASS_STAGE/table.json" >"$out/.$1.new" && mv -- "$out/.$1.new" "$out/$1" ||
        fail 4 "$(printable "$out/$1") could not be written. Next: free some space, and repeat the command"
}

list_students() {
    local id
    for id in "${student_ids[@]}"; do printf '%s\0' "$id" "${student_name[$id]}" "${student_note[$id]:-}"; done
}

# what could not be taken, a line each
collect_problems() {
    local id
    for id in "${student_ids[@]}"; do
        [ -z "${student_note[$id]:-}" ] || while IFS= read -r line; do say "${student_name[$id]}: $line"; done <<<"${student_note[$id]}"
    done
}

collect() {
    local failed
    list_students >"$CLASS_STAGE/students.list"
    merge_results && jq -n --rawfile students "$CLASS_STAGE/students.list" --rawfile units "$CLASS_STAGE/units.list" \
        --slurpfile results "$CLASS_STAGE/results.json" --arg labs "$labs" --arg seed "$seed" --arg device "$device" \
        --arg time "$(date -u '+%F %H:%M UTC')" -f grader/class/table.jq >"$CLASS_STAGE/table.json" ||
        fail 4 "the results could not be collected. Next: free some space, and repeat the command"
    write_page points.csv points.jq
    write_page index.html index.jq
    collect_problems
    jq -r '.students[] | .name as $n | .cells[] | select(.status == "not taken" and .note != "") | "class: \($n): \(.lab): \(.note)"' "$CLASS_STAGE/table.json" >&2
    failed=$(jq '[.students[].cells[] | select(.again or .status == "missing")] | length' "$CLASS_STAGE/table.json")
    say "$(printable "$out"): index.html and points.csv are written"
    [ "$failed" = 0 ] ||
        fail 4 "$failed gradings are missing; index.html says why ($(jq -r '[.students[].cells[] | select(.again or .status == "missing") | .message // empty][0] // "the run was stopped"' "$CLASS_STAGE/table.json")). Next: repeat the command"
}
