# policy.sh: reads class.conf, the rules by which points become marks. class.sh sources it; policy.jq applies them.
# README.md beside it, Marks, has all of its lines and their defaults. A number sign begins a comment. Students have their
# names in points.csv; blanks in them count once.
# shellcheck shell=bash

conf_fail() { fail 2 "$(printable "$conf"), line $line_number: $1"; }

# set_time TEXT: sets time, in seconds, and time_text, in the class's zone
set_time() {
    [[ $1 =~ ^([0-9]{4}-[0-9]{2}-[0-9]{2})[\ T]([0-9]{2}:[0-9]{2}(:[0-9]{2})?)\ ?(Z|[+-][0-9]{2}:?[0-9]{2})?$ ]] &&
        time=$(TZ=$timezone date -d "${BASH_REMATCH[1]} ${BASH_REMATCH[2]}${BASH_REMATCH[4]}" +%s 2>/dev/null) ||
        conf_fail "$(printable "$1") is no time in $timezone. Next: write it as 2026-11-02 23:59, or with an offset: 2026-11-02 23:59+01:00"
    time_text=$(TZ=$timezone date -d "@$time" '+%F %H:%M %Z')
}

# put FILTER ARGUMENT...: changes policy
put() { policy=$(jq -c "${@:2}" "$1" <<<"$policy"); }

# set_seconds NUMBER UNIT
set_seconds() {
    case $2 in minute*) seconds=$(($1 * 60)) ;; hour*) seconds=$(($1 * 3600)) ;; day*) seconds=$(($1 * 86400)) ;; esac
}

conf_lab() {
    local rest=$2
    [[ " $all_labs " == *" $1 "* ]] || conf_fail "there is no $1; the labs are: $all_labs"
    if [[ $rest =~ ^(.*)weight\ ([0-9]{1,4}([.][0-9]{1,3})?)$ ]]; then
        put '.labs[$lab].weight = $weight' --arg lab "$1" --argjson weight "$((10#${BASH_REMATCH[2]%%.*}))${BASH_REMATCH[3]}"
        rest=${BASH_REMATCH[1]% }
    fi
    if [[ $rest =~ ^due\ (.+)$ ]]; then
        set_time "${BASH_REMATCH[1]}"
        put '.labs[$lab] += {$due, $due_text}' --arg lab "$1" --argjson due "$time" --arg due_text "$time_text"
        rest=''
    fi
    [ -z "$rest" ] || conf_fail "$(printable "$rest")? Next: write for example: $1 due 2026-11-02 23:59 weight 2"
}

conf_line() {
    local seconds
    case $1 in
        timezone\ *)
            timezone=${1#timezone }
            [[ $timezone =~ ^[A-Za-z0-9_+/-]{1,40}$ && ( $timezone == UTC || -f /usr/share/zoneinfo/$timezone ) ]] ||
                conf_fail "the time zone $(printable "$timezone") is not known here. Next: correct its name (timedatectl list-timezones), or apt-get install tzdata"
            [ "$policy" = "$no_policy" ] || conf_fail 'timezone comes first, because it is about all times. Next: move this line up'
            put '.timezone = $zone' --arg zone "$timezone"
            ;;
        lab[0-9][0-9]\ *) conf_lab "${1%% *}" "${1#* }" ;;
        *)
            if [[ $1 =~ ^grace\ ([0-9]{1,4})\ (minutes?|hours?|days?)$ ]]; then
                set_seconds "$((10#${BASH_REMATCH[1]}))" "${BASH_REMATCH[2]}"
                put '.grace = $s' --argjson s "$seconds"
            elif [[ $1 =~ ^late\ (refused|accepted)$ ]]; then
                put '.late = $l' --arg l "${BASH_REMATCH[1]}"
            elif [[ $1 =~ ^late\ ([0-9]{1,3})\ ?%\ per\ day(\ up\ to\ ([0-9]{1,3})\ days?)?$ ]]; then
                put '.late = {$percent, $days}' --argjson percent "$((10#${BASH_REMATCH[1]}))" --argjson days "$((10#${BASH_REMATCH[3]:-999}))"
            elif [[ $1 =~ ^submissions\ (last|best)$ ]]; then
                put '.take = $t' --arg t "${BASH_REMATCH[1]}"
            elif [[ $1 =~ ^pass\ ([0-9]{1,3})\ ?%$ ]] && [ $((10#${BASH_REMATCH[1]})) -le 100 ]; then
                put '.pass = $p' --argjson p "$((10#${BASH_REMATCH[1]}))"
            elif [[ $1 =~ ^(submitted|extension)\ (.+)\ (lab[0-9]{2})\ (.+)$ ]]; then
                local kind=${BASH_REMATCH[1]} who=${BASH_REMATCH[2]} lab=${BASH_REMATCH[3]}
                set_time "${BASH_REMATCH[4]}"
                put '.[$kind] += [{$student, $lab, $time, $text, line: $line}]' --arg kind "$kind" --arg student "$who" --arg lab "$lab" \
                    --argjson time "$time" --arg text "$time_text" --argjson line "$line_number"
            elif [[ $1 =~ ^(points|oral)\ (.+)\ (lab[0-9]{2})\ ([0-9]{1,3}([.][0-9])?)\ \"([^\"]+)\"$ ]]; then
                [ "${BASH_REMATCH[4]%.*}" -le 100 ] || conf_fail "a lab has 100 points. Next: write at most as many"
                put '.by_hand += [{$kind, $student, $lab, points: ($points | tonumber), $reason, line: $line}]' --arg kind "${BASH_REMATCH[1]}" \
                    --arg student "${BASH_REMATCH[2]}" --arg lab "${BASH_REMATCH[3]}" --arg points "${BASH_REMATCH[4]}" \
                    --arg reason "${BASH_REMATCH[6]}" --argjson line "$line_number"
            elif [[ $1 =~ ^(points|oral)\  ]]; then
                conf_fail "$(printable "$1")? Next: write a reason, for example: points Ben lab03 80 \"step 2 works, too\""
            else
                conf_fail "$(printable "$1")? Lines begin with timezone, lab01, grace, late, submissions, pass, submitted, extension, points or oral. Next: grader/class/README.md, Marks, has an example"
            fi
            ;;
    esac
}

no_policy='{"timezone":"UTC","grace":0,"late":null,"take":"last","pass":null,"labs":{},"submitted":[],"extension":[],"by_hand":[]}'

# read_policy: sets policy, as JSON
read_policy() {
    local line line_number=0 time time_text timezone=UTC
    policy=$no_policy
    if [ -n "$conf" ]; then
        [[ $conf == /* ]] || conf=$called_from/$conf
        [ -f "$conf" ] && [ -r "$conf" ] || fail 2 "$(printable "$conf") cannot be read. Next: --conf FILE, or class.conf in the class's folder"
    elif [ -f "$folder/class.conf" ]; then
        conf=$folder/class.conf
    else
        return
    fi
    while IFS= read -r line || [ -n "$line" ]; do
        line_number=$((line_number + 1))
        # a reason in quotes may have a number sign
        if [[ $line =~ ^([^\"#]*\"[^\"]*\") ]]; then line=${BASH_REMATCH[1]}; else line=${line%%#*}; fi
        read -ra line <<<"$line"
        [ -z "${line[*]}" ] || conf_line "${line[*]}"
    done < <(tr -d '\000\r' <"$conf")
    [ "$(jq 'any(.labs[]; .due) and .late == null' <<<"$policy")" = false ] ||
        fail 2 "$(printable "$conf") has due dates, and no rule for late work. Next: add a line: late 10 % per day, late refused, or late accepted"
    put '.file = $file' --arg file "${conf##*/}"
    # the labs that count
    asked_labs=${asked_labs:-$(jq -r '.labs | keys | join(" ")' <<<"$policy")}
    [ -n "$asked_labs" ] || fail 2 "$(printable "$conf") has rules for marks, and no lab. Next: write a line for each lab that counts, for example: lab03 weight 1, or add --labs"
    [[ $asked_labs == *' '* ]] || only_lab=$asked_labs
}

# check_policy: the students of submitted and extension, once they are known
check_policy() {
    local names line_number who
    [[ $policy == *'"line":'* ]] || return 0
    names=$(for who in "${student_name[@]}"; do printf '%s\0' "$who"; done | jq -Rs 'split("\u0000") | map(gsub("\\s+"; " "))')
    while IFS=$'\t' read -r line_number who; do
        conf_fail "there is no student $(printable "$who"). Next: write the name as in points.csv"
    done < <(jq -r --argjson names "$names" '(.submitted + .extension + .by_hand)[] | select(IN(.student; $names[]) | not) | "\(.line)\t\(.student)"' <<<"$policy")
}
