# collect.sh: writes points.csv and index.html from the results. class.sh sources it.
# shellcheck shell=bash

# the paths of the results that count now: those that units.list names
result_paths() {
    local id lab key _
    while IFS= read -rd '' id && IFS= read -rd '' lab && IFS= read -rd '' key && IFS= read -rd '' _ && IFS= read -rd '' _ && IFS= read -rd '' _; do
        if [ -s "$out/students/$id/$lab-$key.json" ]; then
            printf '%s\0' "$out/students/$id/$lab-$key.json"
        elif [ -s "$out/students/$id/$lab-$key.again.json" ]; then
            printf '%s\0' "$out/students/$id/$lab-$key.again.json"
        fi
    done <"$CLASS_STAGE/units.list"
}

# with_policy: the results of result_paths that count, with their marks
with_policy() { result_paths | xargs -0 -r cat -- | jq -s --argjson policy "$policy" --rawfile units "$CLASS_STAGE/units.list" -f grader/class/policy.jq; }

# count_results: these as counted.json; a result that is no JSON any more is removed and counts as missing
count_results() {
    local path
    with_policy >"$CLASS_STAGE/counted.json" 2>/dev/null && return
    while IFS= read -rd '' path; do
        jq -e .key "$path" >/dev/null 2>&1 && continue
        say "$(printable "$path") is damaged and was removed. Next: repeat the command"
        rm -f -- "$path"
    done < <(result_paths)
    with_policy >"$CLASS_STAGE/counted.json"
}

# make_pages: files in $CLASS_STAGE
make_pages() {
    local name text
    jq -j -f grader/class/pages.jq "$CLASS_STAGE/table.json" >"$CLASS_STAGE/pages" || return
    while IFS= read -rd '' name && IFS= read -rd '' text; do printf %s "$text" >"$CLASS_STAGE/$name" || return; done <"$CLASS_STAGE/pages"
}

# write_file FILE COMMAND...: what it prints, as a whole or not at all
write_file() {
    "${@:2}" >"$out/.new" && mv -- "$out/.new" "$out/$1" ||
        fail 4 "$(printable "$out/$1") could not be written. Next: free some space, and repeat the command"
}

# draw_times: out/times/labNN.svg and .png, a figure for each lab in which somebody has a time
draw_times() {
    local lab driver='' cuda=''
    rm -rf -- "$CLASS_STAGE/times" && mkdir "$CLASS_STAGE/times" || return
    if [ "$device" = gpu ]; then
        driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1)
        cuda=$(sed -E 's/^(..)0?(.*)0$/\1.\2/' build/gpu/cuda_version 2>/dev/null)
    fi
    for lab in $labs; do
        jq -r --arg lab "$lab" --arg driver "${driver:-none}" --arg cuda "${cuda:-unknown}" -f grader/class/times.jq "$CLASS_STAGE/counted.json" \
            >"$CLASS_STAGE/times/$lab.csv" || return
        [ -s "$CLASS_STAGE/times/$lab.csv" ] || continue
        gnuplot -e "folder='$CLASS_STAGE/times'; figure='$lab'; out=folder; script='grader/class/times.gp'" plots/draw.gp >"$CLASS_STAGE/words" 2>&1 ||
            { say "the times of $lab could not be drawn: $(tail -n 1 "$CLASS_STAGE/words"). Next: make setup"; return 1; }
    done
    mkdir -p "$out/times" && find "$CLASS_STAGE/times" -name '*g' -exec cp -- {} "$out/times" \;
}

# preprocess LAB: sources, whose lines have name, title and path, as the preprocessor makes them of text/NAME. It follows
# nobody's #include: headers are in the sources. Each text comes twice: what all branches of an #if have, and what the
# preprocessor keeps of them, because without the headers it decides otherwise. More than similar reads is cut off.
preprocess() {
    cut -f 1,3 "$CLASS_STAGE/sources" | tr '\t\n' '\0\0' >"$CLASS_STAGE/paths"
    local deps=() # where a set-up without root has put gcc
    [ ! -e build/deps ] || deps=(-r build/deps)
    build/grader/compile "${deps[@]}" -r "$out" -r "$PWD/$CLASS_STAGE" -w "$PWD/$CLASS_STAGE/text" -s 600 -m 1024 -- bash -c 'cd "$1" && xargs -0 -n 2 -P "$3" bash -c '\''
        ulimit -t 2
        gcc -fpreprocessed -dD -E -w -x c "$1" 2>/dev/null >"$0.bare" # without comments, which may stand before a directive
        for branches in "|if|el|endif" ""; do
            sed -E "s/^[ \t]*(#|%:)[ \t]*([a-z_]*\\\\$|include|import|embed$branches).*//" "$0.bare" | gcc -E -w -x c - 2>/dev/null
        done | head -c 1048577 >"$0"
        rm "$0.bare"
        [ -s "$0" ] || cp "$1" "$0"'\'' <"$2"' bash "$PWD/$CLASS_STAGE/text" "$PWD/$CLASS_STAGE/paths" "$(nproc)" >/dev/null 2>&1
}

# find_similar: groups of submissions with much of their own text in common, and the pages similar/labNN/1.html that show it:
# what build/grader/similar prints, after the lab's name
find_similar() {
    local lab stage=$PWD/$CLASS_STAGE
    rm -rf -- "$out/similar"
    for lab in $labs; do
        rm -rf -- "$stage/text" && mkdir -p "$stage/text" "$out/similar/$lab" || return
        cat "build/known/$lab/starter/"lab.c* >"$stage/given"
        cat "build/$device/$lab/solution/"lab.c{,u} >"$stage/solution" 2>/dev/null
        {
            printf '%s\t\t%s\n' starter "$stage/given" solution "$stage/solution"
            jq -r --arg lab "$lab" --arg out "$out" 'sort_by(.id)[] | select(.lab == $lab) | "\(.id)\t\(.student)\t\($out)/students/\(.id)/\(.lab)-\(.key).c"' "$CLASS_STAGE/counted.json"
        } >"$stage/sources"
        preprocess
        awk -F '\t' -v text="$stage/text" '{ print $0 FS text "/" $1 }' "$stage/sources" | timeout 300 build/grader/similar 50 "$out/similar/$lab" | sed "s/^/$lab\t/"
    done >"$CLASS_STAGE/similar"
}

list_students() {
    local id
    for id in "${student_ids[@]}"; do printf '%s\0' "$id" "${student_name[$id]}" "${student_note[$id]:-}" "${student_feedback[$id]}"; done
}

# write_students: students/ID/labNN.html, the student's page: the report, and before it mark, rule and what counted
write_students() {
    (cd -- "$out" && rm -f -- students/*/lab[0-9][0-9].html || exit
        awk -F '\t' '{
            while ((getline line <$1) > 0) {
                gsub(/build\/class\/[^ <]*\//, "", line)
                sub(/<br>the same inputs again: [^<]*/, "", line)
                print line (line == "<body>" ? $3 : "") >$2
            }
            if (close($1) != 0 || close($2) != 0) exit 1
        }') <"$CLASS_STAGE/students" || fail 4 "the students' pages could not be written. Next: free some space, and repeat the command"
}

# --feedback: feedback-labNN.zip has the students' pages by the names of which the learning platform knows whose they are
write_feedback() {
    local lab page name
    rm -f -- "$out"/feedback-lab[0-9][0-9].zip
    [ -n "$feedback" ] || return 0
    for lab in $labs; do
        rm -rf -- "$CLASS_STAGE/feedback" && mkdir "$CLASS_STAGE/feedback" || return
        while IFS= read -rd '' page && IFS= read -rd '' name; do
            name=$CLASS_STAGE/feedback/$name
            mkdir -p -- "${name%/*}" && cp -- "$out/$page" "$name" || return
        done < <(jq -j --arg lab "$lab" '.students[] | .feedback as $f | .cells[] | select(.lab == $lab and .page) | "\(.page)\u0000\($f)\($lab).html\u0000"' "$CLASS_STAGE/table.json")
        [ -z "$(ls -A "$CLASS_STAGE/feedback")" ] || (cd "$CLASS_STAGE/feedback" && find . -type f -printf '%P\0' | LC_ALL=C sort -z | bsdtar --format zip --null -cf - -T -) >"$out/feedback-$lab.zip" || return
    done
}

# --format: each in the files that its readers expect. Those of an earlier run are removed: they would have other results.
write_formats() {
    local format lab name one counted=$CLASS_STAGE/counted.json marks=$CLASS_STAGE/marks.json
    rm -f -- "$out"/{junit.xml,class.tap,github.txt,canvas.csv} "$out"/moodle-lab[0-9][0-9].csv "$out"/students/*/lab[0-9][0-9]-{gradescope,autolab,classroom}.json
    [ -n "$formats" ] || return 0
    # with the marks for which there is no grading
    jq --slurpfile table "$CLASS_STAGE/table.json" '. + [$table[0].students[] | {id, student: .name} + (.cells[] | select(.status == "by hand"))]' "$counted" >"$marks" || return
    for format in ${formats//,/ }; do
        case $format in
            junit) write_file junit.xml grader/class/format.sh junit <"$counted" ;;
            tap) write_file class.tap grader/class/format.sh tap <"$counted" ;;
            github) write_file github.txt grader/class/format.sh github <"$counted" ;;
            canvas) write_file canvas.csv grader/class/format.sh canvas <"$marks" ;;
            moodle) for lab in $labs; do write_file "moodle-$lab.csv" grader/class/format.sh moodle < <(jq --arg lab "$lab" 'map(select(.lab == $lab))' "$marks"); done ;;
            *)
                while IFS= read -r name && IFS= read -r one; do
                    write_file "$name-$format.json" grader/class/format.sh "$format" <<<"$one"
                done < <(jq -rc '.[] | "students/\(.id)/\(.lab)", .' "$counted")
                ;;
        esac
    done
}

# what could not be taken, a line each
collect_problems() {
    local id
    for id in "${student_ids[@]}"; do
        [ -z "${student_note[$id]:-}" ] || while IFS= read -r line; do say "${student_name[$id]}: $line"; done <<<"${student_note[$id]}"
    done
}

collect() {
    local failed why page
    list_students >"$CLASS_STAGE/students.list"
    count_results && find_similar && { draw_times || true; } && jq -n --rawfile students "$CLASS_STAGE/students.list" --rawfile units "$CLASS_STAGE/units.list" \
        --slurpfile results "$CLASS_STAGE/counted.json" --rawfile similar "$CLASS_STAGE/similar" \
        --slurpfile times <(for lab in $labs; do [ ! -s "$CLASS_STAGE/times/$lab.svg" ] || jq -Rs --arg lab "$lab" '{$lab, svg: .}' "$CLASS_STAGE/times/$lab.svg"; done) --argjson policy "$policy" --arg labs "$labs" --arg seed "$seed" --arg device "$device" \
        --arg time "$(date -u '+%F %H:%M UTC')" -f grader/class/table.jq >"$CLASS_STAGE/table.json" && make_pages ||
        fail 4 "the results could not be collected. Next: free some space, and repeat the command"
    write_students
    for page in points.csv notes.csv index.html; do write_file $page cat "$CLASS_STAGE/$page"; done
    write_formats
    write_feedback || fail 4 "the zip files of feedback could not be written. Next: free some space, and repeat the command"
    { read -r failed && IFS= read -r why && cat >&2; } <"$CLASS_STAGE/said"
    [ "$failed" -ge "$n_missing" ] || failed=$n_missing
    say "$(printable "$out"): index.html, points.csv and notes.csv are written"
    [ "$failed" = 0 ] ||
        fail 4 "$failed gradings are missing; index.html says why ($why). Next: repeat the command"
}
