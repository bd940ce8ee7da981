#!/bin/bash
# unit.sh SPEC: grades one lab of one student and writes the result: $CLASS_OUT/students/ID/LAB-KEY.json, with the page
# .html and the source .c beside it.
#
# class.sh starts it, several at once, with the settings in CLASS_… variables. SPEC is a file of texts, each ended by NUL:
# ID, LAB, KEY, the student's name, notes, and then for each file its name in a build, its path and its SHA-256.
#
# A result appears under its name only when it is complete. A grading that was not possible for a reason outside of the
# submission, or whose times were too noisy, becomes LAB-KEY.again.json: the next ./grade class repeats it. Status 255
# makes xargs start no other unit.
set -u -o pipefail
export LC_ALL=C.UTF-8
# shellcheck source=grader/labs/take.sh
. grader/labs/take.sh
mapfile -d '' spec <"$1" && [ ${#spec[@]} -ge 5 ] || exit 255
id=${spec[0]} lab=${spec[1]} key=${spec[2]} student=${spec[3]} notes=${spec[4]}
[ -z "$CLASS_PID" ] || kill -0 "$CLASS_PID" 2>/dev/null || exit 255 # class.sh was killed

folder=$CLASS_OUT/students/$id
stage=$(printf '%s\0' "$id" "$key" | sha256sum)
stage=$CLASS_STAGE/$lab/${stage:0:40}_${CLASS_STAGE##*/}
tmp=$stage.tmp device=$CLASS_DEVICE
judges=sim # on a GPU both devices judge
[ "$device" = sim ] || judges='sim gpu'
began=$EPOCHREALTIME

# what intake.sh and make have of the stage, whose names begin as its name does: they may have been interrupted
clean() {
    local base=${stage##*/}
    base=${base//[!A-Za-z0-9_]/_}
    rm -rf -- "$stage" "$tmp" "build/intake/$base"-* build/{sim,gpu}/"$lab/$base"-*
}

# put TARGET PATH SHA256: a copy of the file as the compiler reads it
put() {
    local to=$stage/$1
    take_copy "$2" "$to" 1048576 || return 1
    [[ $(sha256sum <"$to") = "$3"* ]] || return 1
    case $(od -An -tx1 -N3 "$to" | tr -d ' ') in
        fffe* | feff*)
            iconv -f UTF-16 -t UTF-8 "$to" >"$tmp/text" 2>/dev/null && mv "$tmp/text" "$to"
            notes+=${notes:+$'\n'}"$1 was converted from UTF-16 to UTF-8"
            ;;
        efbbbf)
            tail -c +4 "$to" >"$tmp/text" && mv "$tmp/text" "$to"
            notes+=${notes:+$'\n'}"the byte order mark of $1 was left out"
            ;;
    esac
    if grep -q $'\r$' "$to"; then
        sed -i 's/\r$//' "$to"
        notes+=${notes:+$'\n'}"the line ends of $1 were converted from CR LF"
    fi
}

# result STATUS MESSAGE SUFFIX: the report in $tmp/report.json, if there is one, becomes the result
result() {
    local page=$lab-$key.html i json words line
    [ -s "$tmp/report.json" ] || echo null >"$tmp/report.json"
    jq -n --arg student "$student" --arg id "$id" --arg lab "$lab" --arg key "$key" --arg status "$1" --arg message "$2" \
        --arg notes "$notes" --arg seed "$CLASS_SEED" --arg device "$device" --arg commit "$CLASS_COMMIT" --arg page "$page" \
        --arg host "$(uname -n)" --arg began "$(date -u -d "@${began%[.,]*}" +%FT%TZ)" --arg ended "$EPOCHREALTIME" --arg from "$began" \
        --slurpfile report "$tmp/report.json" --rawfile output "$tmp/text" \
        -j -f grader/class/result.jq --args -- "${spec[@]:5}" >"$tmp/results" || return
    { IFS= read -rd '' json && IFS= read -rd '' words && IFS= read -rd '' line; } <"$tmp/results" &&
        printf '%s\n' "$json" >"$tmp/result.json" && { [ -s "$tmp/page.html" ] || printf '%s\n' "$words" >"$tmp/page.html"; } || return
    for ((i = ${#spec[@]} - 3; i >= 5; i -= 3)); do # headers first
        printf '/* ==== %s ==== */\n' "${spec[i]}"
        cat "$stage/${spec[i]}"
    done >"$tmp/source" 2>/dev/null
    mkdir -p "$folder" && mv -- "$tmp/source" "$folder/.$lab-$key.new" && mv -- "$folder/.$lab-$key.new" "$folder/$lab-$key.c" &&
        mv -- "$tmp/page.html" "$folder/.$page.new" && mv -- "$folder/.$page.new" "$folder/$page" &&
        mv -- "$tmp/result.json" "$folder/.$lab-$key.new" && mv -- "$folder/.$lab-$key.new" "$folder/$lab-$key$3.json" || return
    [ -n "$3" ] || rm -f -- "$folder/$lab-$key.again.json"
    printf '%s\n' "$line"
}

build() {
    local said
    said=$(grader/labs/intake.sh "$stage" 2>"$tmp/text") && read -r name _ <<<"$said" || return
    for judge in $judges; do
        make -j1 "build/$judge/$lab/$name/subject" SUBMISSION="$stage" DEVICE="$judge" GRADING=1 >>"$tmp/text" 2>&1 || return
    done
}

grade() {
    # each of several at once has a GPU of its own, but for labs that use all of them
    if [ "$device" = gpu ] && ! grep -q 'int n_devices;' labs/"$lab"_*/lab.h; then
        export CUDA_VISIBLE_DEVICES=$((${CLASS_SLOT:-0} % ${CLASS_GPUS:-1}))
    fi
    ./grade "$lab" --submission "$name" --device "${device/gpu/both}" --seed "$CLASS_SEED" --json "$tmp/report.json" \
        --html "$tmp/page.html" >"$tmp/text" 2>&1
}

# the first line of the compiler's or linker's words about an error, without this machine's paths
first_error() {
    sed -E "s|$stage/||g" "$tmp/text" | grep -E -m 1 'error|is not defined|must not be defined|too: copy|ignored lab' | cut -c 1-300
}

unit() {
    local status i
    trap 'clean' EXIT
    trap 'exit 130' INT TERM HUP
    clean
    mkdir -p "$stage" "$tmp" && : >"$tmp/text" || return 255
    for ((i = 5; i + 2 < ${#spec[@]}; i += 3)); do
        put "${spec[i]}" "${spec[i + 1]}" "${spec[i + 2]}" ||
            { result changed 'the files changed during the run. Next: repeat the command' .again; return; }
    done
    status=0
    build || status=$?
    if [ $status -ge 128 ]; then
        return 130
    elif [ $status != 0 ] && grep -qE 'does not (compile|link); (fix|and)|ignored lab\.cu?: ' "$tmp/text"; then
        result 'not built' "$(first_error)" ''
        return
    elif [ $status != 0 ]; then
        result 'grader failed' "make ended with status $status: $(tail -n 1 "$tmp/text" | cut -c 1-300)" .again
        return
    fi
    grade || status=$?
    case $status in
        0 | 1) result graded '' '' ;;
        3) result inconclusive 'a timing was too noisy. Next: repeat the command' .again ;;
        129 | 130 | 143) return 130 ;;
        *) rm -f "$tmp/report.json" "$tmp/page.html"
           result 'grader failed' "./grade ended with status $status: $(tail -n 1 "$tmp/text" | cut -c 1-300)" .again ;;
    esac
}

# in a process of its own: xargs starts no other unit after one that ends by a signal
(unit)
case $? in
    0) rm -f -- "$1" ;;
    130) exit 255 ;;
    *)
        printf '%s\t%s\tno result\t0\t0\n' "$lab" "$id"
        [ "$(df --output=avail -k "$CLASS_OUT" | tail -n 1)" -gt 2048 ] && [ "$(df --output=avail -k build | tail -n 1)" -gt 2048 ] || exit 255
        ;;
esac
exit 0
