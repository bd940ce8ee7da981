# scan.sh: finds the submissions in a class's folder. class.sh sources it and calls scan.
#
# The folder holds an entry for each student: a folder or an archive. README.md beside it, Layouts, has what is recognized.
#
# Names may hold any bytes: they travel between NULs and are never evaluated. What is listed here may change at any moment,
# so each file is copied at once by grader/class/take.c, which follows no link on the way to it, and only copies are read.
# Each entry becomes a row: what is not graded has a note, which says why and what to do next.
#
# Results:
#   student_ids, student_name[ID], student_note[ID]   ID: letters, digits, "_", "." and "-"
#   student_feedback[ID]: what the path of a file begins with, so that the learning platform gives it to the student
#   units, a list of "ID LAB", and of "ID LAB 2" and so on, if all versions are graded; unit_targets[UNIT] "lab.c lab.cu x.h";
#   unit_source[UNIT TARGET]: the copy; unit_digest[UNIT TARGET]: its SHA-256; unit_note[UNIT]
#   unit_time[UNIT], when it was handed in, in seconds; unit_clock[UNIT], whose time that is: platform, commit or file
# shellcheck shell=bash disable=SC2034

declare -a student_ids=() units=() file_root=() file_path=() file_order=() file_rel=() file_handed=() file_clock=()
declare -A student_feedback=() student_id=() student_name=() student_note=() student_files=() student_archives=() student_bytes=() student_others=() student_alike=() student_waits=()
declare -A unit_files=() unit_targets=() unit_source=() unit_digest=() unit_note=() unit_time=() unit_clock=() found_labs=()
# of a file; of each student: files, archives, bytes that these hold; lines of notes of a student or a unit; headers of a unit
MOST_BYTES=1048576 MOST_FILES=2000 MOST_ARCHIVES=10 MOST_UNPACKED=$((64 << 20)) MOST_NOTES=8 MOST_HEADERS=60

# printable TEXT: for a terminal, as a shell reads it; letters of all languages stay
printable() {
    local text=${1:0:100}
    (LC_ALL=C.UTF-8; [[ $text =~ ^([[:alnum:]]|[\ -~])*$ ]]) && printf %s "$text" || LC_ALL=C printf %q "$text"
}

# add_note ARRAY KEY NOTE: only the first ones, because somebody else decides how many there are
add_note() {
    local -n notes=$1
    local lines=${notes[$2]:-}
    lines=${lines//[!$'\n']/}
    if [ ${#lines} -lt $((MOST_NOTES - 1)) ]; then
        notes[$2]+=${notes[$2]:+$'\n'}${3:0:500}
    elif [ ${#lines} = $((MOST_NOTES - 1)) ]; then
        notes[$2]+=$'\nand others, which are not listed'
    fi
}
note_student() { add_note student_note "$1" "$2"; }
note_unit() { add_note unit_note "$1" "$2"; }

# plain NAME: sets text, without control characters and those that reverse or hide text
plain() {
    local LC_ALL=C.UTF-8
    text=${1//[[:cntrl:]]/?}
    text=${text//[$'\u200b'-$'\u200f'$'\u2028'-$'\u202e'$'\u2060'-$'\u206f'$'\ufeff']/?}
}

# add_student KEY NAME: sets id. Two entries with one KEY belong to one student.
add_student() {
    id=${student_id[$1.]:-}
    [ -z "$id" ] || return 0
    id=${2//[!A-Za-z0-9_.-]/_}
    id=${id:0:32}
    local digest text
    digest=$(printf %s "$1" | sha256sum)
    [[ $id != [.-]* ]] || id=_${id:1}
    id=$id-${digest%% *}
    plain "$2"
    student_id[$1.]=$id student_name[$id]=$text student_feedback[$id]=$text/
    student_ids+=("$id")
    # names that differ by case and blanks alone
    text=${text,,} text=${text//[[:space:]_]/}
    student_alike[$text.]+="$id "
}

# whose ENTRY: sets id for a name at the top of the class. Of an archive the name without its kind counts, so that Ben.zip
# is Ben's. clock: platform, if the learning platform has set the file's time. If the entry is a student's file, also
# rest: its name; number: that of the upload, which grows with each one; late: what the platform's name says of that
whose() {
    local name=$1
    rest='' late='' number=0 clock=file
    if [[ $name =~ ^(.+_[0-9]+)_assignsubmission_(file|onlinetext)_?$ ]]; then
        local key=${BASH_REMATCH[1]}
        clock=platform
        add_student "$key" "${key%_*} (${key##*_})"
        student_feedback[$id]=${key}_assignsubmission_file_/
    elif [[ ! -d $at/$name && $name =~ ^([^_]+)_(LATE_)?([0-9]+)_([0-9]+)_(.+)$ ]]; then
        rest=${BASH_REMATCH[5]} late=${BASH_REMATCH[2]} number=${BASH_REMATCH[4]} clock=platform
        local key=${BASH_REMATCH[1]}_${BASH_REMATCH[3]}
        add_student "$key" "${key%_*} (${key##*_})"
        student_feedback[$id]=${key}_${number}_
    else
        [ -d "$at/$name" ] || ! is_archive "$name" || name=${name::${#name}-${#BASH_REMATCH}}
        add_student "${name:-$1}" "${name:-$1}"
    fi
}

is_archive() { local LC_ALL=C; [[ ${1,,} =~ \.(zip|7z|rar|tar|t(ar\.)?(gz|xz|bz2|zst))$ ]]; }
is_source() { [[ ${1,,} =~ \.(c|cu|h)$ ]]; }
# the number in the name of a folder; and of a file, where doe_12_34_lab-1.c is a version (Canvas)
folder_lab='^lab[ _-]?0*([1-9][0-9]?)([^0-9].*)?$'
file_lab='^lab[ _]?0*([1-9][0-9]?)([^0-9].*)?\.cu?$'

# which_lab REL FIXED: sets lab, from the last name that has a number; else FIXED; else the only lab that is asked for
which_lab() {
    local path=/$1 base=${1##*/}
    lab=''
    if [[ ${base,,} =~ $file_lab ]]; then
        printf -v lab 'lab%02d' "${BASH_REMATCH[1]}"
        return
    fi
    while path=${path%/*}; [ -n "$path" ]; do
        base=${path##*/}
        [[ ${base,,} =~ $folder_lab ]] && printf -v lab 'lab%02d' "${BASH_REMATCH[1]}" && return
    done
    lab=${2:-$only_lab}
}

# is_of_course ROOT REL: a file of the course itself, in a copy of the repository?
is_of_course() {
    [[ /$2 =~ ^(.*/)(solutions|grader|common|kernels|plots|build|labs/myths)/ ]] || return 1
    local above=${BASH_REMATCH[1]}
    [[ -d $1$above/labs && -d $1$above/kernels ]]
}

# later A B: sets time to the later of two times in seconds, with fractions
later() {
    time=$1
    [ "${1%.*}" -ge "${2%.*}" ] || time=$2
}

# add_file ID FIXED_LAB TYPE SIZE LINKS TIME ROOT PATH REL: ROOT/PATH is its path, REL that in what the student handed in
add_file() {
    local id=$1 base=${9##*/} lab unit why=''
    ! is_of_course "$7/${8%/"$9"}" "$9" || return 0
    student_files[$id]=$((${student_files[$id]:-0} + 1))
    if [ "${student_files[$id]}" -gt $MOST_FILES ]; then
        [ "${student_files[$id]}" != $((MOST_FILES + 1)) ] ||
            note_student "$id" "it has more than $MOST_FILES files, and only so many were looked at. Next: hand in only the folders of the labs"
        return
    elif is_archive "$base" && [ "$3" = f ]; then
        add_archive "$id" "$2" "$6" "$7" "$8" "$9"
        return
    elif ! is_source "$base"; then
        # these matter only if there is nothing else
        [[ $base == .* || ${#student_others[$id]} -gt 200 ]] || student_others[$id]+="${student_others[$id]:+, }$(printable "$9")"
        return
    fi
    case $3 in
        l) why='it is a link. Next: hand in the file itself' ;;
        f)
            [ "$5" = 1 ] || why='it has another name elsewhere (a hard link). Next: hand in a copy'
            [ "$4" -le $MOST_BYTES ] || why='it is larger than 1 MiB. Next: hand in only source text'
            ;;
        *) why='it is not a regular file. Next: hand in the source text' ;;
    esac
    which_lab "$9" "$2"
    if [ -z "$lab" ] && [[ ${base,,} == *.h ]]; then
        return
    elif [ -z "$lab" ]; then
        note_student "$id" "$(printable "$9"): no name says which lab it is of. Next: put it into a folder lab01, lab02…, or add --labs with one lab"
    elif [[ " $all_labs " != *" $lab "* ]]; then
        note_student "$id" "$(printable "$9"): there is no $lab. Next: rename its folder"
    elif [[ -z $asked_labs || " $asked_labs " == *" $lab "* ]]; then
        unit="$id $lab"
        found_labs[$lab]=1
        [ -n "${unit_files[$unit]+there}" ] || units+=("$unit")
        unit_files[$unit]+=''
        [ -z "$late" ] || note_unit "$unit" "Canvas calls $(printable "$9") late"
        if [ -n "$why" ]; then
            note_unit "$unit" "$(printable "$9") was not taken: $why"
        else
            unit_files[$unit]+="${#file_path[@]} "
            file_root+=("$7") file_path+=("$7/$8") file_order+=("$number $6") file_rel+=("$9")
            file_handed+=("${in_archive:-$6}") file_clock+=("$clock")
        fi
    fi
}

# add_tree ROOT ID FIXED_LAB: the files in a student's folder; without ID, in those of all students
add_tree() {
    local root=$1 fixed=$3 type size links time changed rel id rest first depth=1 before=''
    [ -n "$2" ] || depth=2
    while IFS= read -rd '' type && IFS= read -rd '' size && IFS= read -rd '' links && IFS= read -rd '' time &&
        IFS= read -rd '' changed && IFS= read -rd '' rel; do
        if [ -n "$2" ]; then
            add_file "$2" "$fixed" "$type" "$size" "$links" "$time" "$root" "$rel" "$rel"
            continue
        fi
        first=${rel%%/*}
        [[ -n $fixed || ! ${first,,} =~ $folder_lab ]] || continue
        [ "$first" = "$before" ] || at=$root whose "$first"
        before=$first
        # anybody can set the time of modification, and nobody that of change; unpacking what a platform sends sets it, too
        [ "$clock" = platform ] || later "$time" "$changed"
        add_file "$id" "$fixed" "$type" "$size" "$links" "$time" "$root" "$rel" "${rel#*/}"
    done < <(cd -- "$root" && find -P . -mindepth $depth -maxdepth 10 \
        -type d \( -name .git -o -name __MACOSX -o -path '*/grader/labs' \) -prune -o \
        ! -type d ! -name '._*' \( -iname '*.c' -o -iname '*.cu' -o -iname '*.h' -o ! -path './*/*/*/*/*' \) -printf '%y\0%s\0%n\0%T@\0%C@\0%P\0' 2>/dev/null)
}

# take_one ROOT REL BYTES: copies the file to $CLASS_STAGE/one/0, sets why if that is not possible, else time
take_one() {
    local answer modified changed
    answer=$(printf '%s\0' "$2" | build/grader/take "$1" "$CLASS_STAGE/one" "$3") || fail 4 'build cannot be written. Next: free some space'
    why=''
    if [[ $answer =~ ^taken\ ([0-9-]+)\ ([0-9-]+)$ ]]; then
        modified=${BASH_REMATCH[1]} changed=${BASH_REMATCH[2]} time=$modified
        [ "$clock" = platform ] || later "$modified" "$changed"
    else
        why=$answer
    fi
}

# add_archive ID FIXED_LAB TIME ROOT PATH REL: what is in it belongs to the student, and was handed in with the archive
add_archive() {
    local digest to why time shown left
    shown=$(printable "$6")
    if [ -n "$in_archive" ]; then
        note_student "$1" "$shown is an archive in an archive. Next: hand in the files themselves"
        return
    fi
    student_archives[$1]=$((${student_archives[$1]:-0} + 1))
    if [ "${student_archives[$1]}" -gt $MOST_ARCHIVES ]; then
        note_student "$1" "$shown was not unpacked: there are more than $MOST_ARCHIVES archives. Next: hand in one"
        return
    fi
    take_one "$4" "$5" $MOST_UNPACKED
    [ -z "$why" ] || { note_student "$1" "$shown was not taken: $why"; return; }
    digest=$(sha256sum <"$CLASS_STAGE/one/0")
    to=$PWD/$CLASS_STAGE/unpacked/${digest%% *} left=$((MOST_UNPACKED - ${student_bytes[$1]:-0}))
    if [ ! -d "$to" ] && ! why=$(grader/class/unpack.sh "$CLASS_STAGE/one/0" "$to" "$left" 2>&1); then
        note_student "$1" "$shown was not unpacked: ${why:-unpack.sh ended without a reason}"
    else
        student_bytes[$1]=$((${student_bytes[$1]:-0} + $(cat "$to.bytes")))
        in_archive=$time add_tree "$to" "$1" "$2"
    fi
}

# add_entry NAME FIXED_LAB: an entry of the folder $at. Its files, if it is a folder, are add_tree's.
add_entry() {
    local name=$1 id rest size links time changed number late clock
    case $name in class.conf | .git | .DS_Store | ._* | __MACOSX | Thumbs.db | desktop.ini) return ;; esac
    whose "$name"
    if [ -L "$at/$name" ]; then
        note_student "$id" "it is a link. Next: copy the folder that it names"
    elif [ -d "$at/$name" ]; then
        [ -r "$at/$name" ] && [ -x "$at/$name" ] || note_student "$id" "the folder cannot be read. Next: chmod -R u+rX on it"
    elif [ -f "$at/$name" ] && { is_archive "$name" || [ -n "$rest" ]; }; then
        IFS=' ' read -r size links time changed < <(stat -c '%s %h %Y %Z' -- "$at/$name")
        [ "$clock" = platform ] || later "$time" "$changed"
        add_file "$id" "$2" f "$size" "$links" "$time" "$at" "$name" "${rest:-$name}"
    else
        note_student "$id" "$(printable "$name") is neither a folder nor an archive. Next: put it into a folder with the student's name"
    fi
}

# note_rest: students of whose files nothing is graded, and those who may be one
note_rest() {
    local id unit ids
    local -A has=()
    for unit in "${units[@]}"; do has[${unit%% *}]=1; done
    for id in "${student_ids[@]}"; do
        [ -z "${has[$id]:-}" ] && [ -z "${student_note[$id]:-}" ] && [ -n "${student_others[$id]:-}" ] || continue
        note_student "$id" "${student_others[$id]}: no file is C or CUDA source. Next: hand in lab.c as text"
    done
    for ids in "${student_alike[@]}"; do
        [[ $ids == *' '*' ' ]] || continue
        read -ra ids <<<"$ids"
        for id in "${ids[@]:1}"; do
            note_student "$id" "the name is almost that of ${student_name[${ids[0]}]}. Next: if they are one student, put both into one folder"
        done
    done
}

# ---- which file is lab.c -----------------------------------------------------------------------------------------

# newest FILES…: sets chosen. The platform's number of the upload tells which is newer; without one, the file's time
newest() {
    local i
    chosen=$(for i; do printf '%s %s\t%s\n' "${file_order[i]}" "${file_rel[i]//[^A-Za-z0-9.]/_}" "$i"; done | LC_ALL=C sort -V | tail -n 1)
    chosen=${chosen##*$'\t'}
}

# choose UNIT lab.c|lab.cu
choose() {
    local unit=$1 extension=${2##*.} i base chosen named=() others=() left=()
    for i in ${unit_files[$unit]}; do
        base=${file_rel[i]##*/}
        [ "${base##*.}" = "$extension" ] || [[ ${base,,} == *."$extension" ]] || continue
        if [[ ${base,,} == lab* ]]; then named+=("$i"); else others+=("$i"); fi
    done
    if [ ${#named[@]} -gt 0 ]; then
        newest "${named[@]}"
        for i in "${named[@]}"; do
            [ "$i" = "$chosen" ] || [ ${#left[@]} -ge 5 ] || left+=("$(printable "${file_rel[i]}")")
        done
        [ ${#named[@]} -le 6 ] || left+=("and $((${#named[@]} - 6)) others")
        [ ${#left[@]} = 0 ] || note_unit "$unit" "$(printable "${file_rel[chosen]}") is the newest version and was graded, not ${left[*]}"
    elif [ ${#others[@]} = 1 ]; then
        chosen=${others[0]}
        note_unit "$unit" "$(printable "${file_rel[chosen]}") was graded as $2"
    elif [ ${#others[@]} -gt 1 ] && [ "$2" = lab.c ]; then
        note_unit "$unit" "none of its ${#others[@]} files has the name lab.c. Next: rename the right one"
        return
    else
        return
    fi
    take_file "$unit" "$2" "$chosen"
}

# take_file UNIT TARGET FILE
take_file() {
    unit_targets[$1]+="$2 "
    unit_source[$1 $2]=$3
    beside[${file_path[$3]%/*}]=1
}

# choose_versions UNIT: each version of lab.c becomes a unit, with the lab.cu of the same name or folder
choose_versions() {
    local i k version=$1 n=1 dir cu versions=()
    for i in ${unit_files[$1]}; do
        [[ ! ${file_rel[i]} =~ (^|/)[Ll][Aa][Bb][^/]*\.[cC]$ ]] || versions+=("$i")
    done
    for i in "${versions[@]}"; do
        local -A beside=()
        [ $n = 1 ] || { version="$1 $n"; units+=("$version"); unit_files[$version]=${unit_files[$1]}; }
        n=$((n + 1)) dir=${file_path[i]%/*} cu=''
        take_file "$version" lab.c "$i"
        for k in ${unit_files[$1]}; do
            [[ ${file_path[k]%/*} == "$dir" && ${file_path[k],,} == */lab*.cu ]] || continue
            [ -n "$cu" ] && [ "${file_path[k]%.*}" != "${file_path[i]%.*}" ] || cu=$k
        done
        [ -z "$cu" ] || take_file "$version" lab.cu "$cu"
        choose_headers "$version"
        [ ${#versions[@]} = 1 ] || note_unit "$version" "version $(printable "${file_rel[i]}")"
    done
}

# headers with plain names in the folders of the chosen files
choose_headers() {
    local i base n=0
    for i in ${unit_files[$1]}; do
        base=${file_rel[i]##*/}
        [[ $base =~ ^[A-Za-z0-9_][A-Za-z0-9_.-]{0,59}\.h$ && $base != lab.h ]] || continue
        [ -n "${beside[${file_path[i]%/*}]:-}" ] || continue
        if [ -z "${unit_source[$1 $base]:-}" ]; then
            n=$((n + 1))
            [ $n -le $MOST_HEADERS ] || { note_unit "$1" "only $MOST_HEADERS headers were taken. Next: hand in fewer"; return; }
            unit_targets[$1]+="$base "
        fi
        unit_source[$1 $base]=$i
    done
}

# ---- copies ------------------------------------------------------------------------------------------------------

# copy_chosen: copies what was chosen to $CLASS_STAGE/files, named by digest, in one go for each root
copy_chosen() {
    local unit target i n root answer digest
    local -a wanted=() digests=()
    local -A of_root=() copy_of=()
    for unit in "${units[@]}"; do
        for target in ${unit_targets[$unit]:-}; do
            i=${unit_source[$unit $target]}
            [ -n "${copy_of[$i]:-}" ] || of_root[${file_root[i]}]+="$i "
            copy_of[$i]=none
        done
    done
    for root in "${!of_root[@]}"; do
        read -ra wanted <<<"${of_root[$root]}"
        n=0
        rm -f -- "$CLASS_STAGE/one/"*
        while IFS= read -r answer; do
            copy_of[${wanted[n]}]=$answer
            n=$((n + 1))
        done < <(for i in "${wanted[@]}"; do printf '%s\0' "${file_path[i]#"$root/"}"; done | build/grader/take "$root" "$CLASS_STAGE/one" $MOST_BYTES)
        while read -r digest i; do
            mv -f -- "$CLASS_STAGE/one/$i" "$CLASS_STAGE/files/$digest" || fail 4 'build cannot be written. Next: free some space'
            i=${wanted[i]}
            copy_of[$i]+=" $digest"
        done < <(cd "$CLASS_STAGE/one" && find . -type f -printf '%P\0' | xargs -0 -r sha256sum)
    done
    for unit in "${units[@]}"; do use_copies "$unit"; done
}

# commit_time ID PATH COPY: if the file is in a repository, and as its last commit has it, sets time to that of the commit.
# The repository is its owner's: its settings can make git run programs, so git runs in the jail. They can make git wait,
# too, so after one wait no file of this student has the time of a commit.
commit_time() {
    local above=${2%/*} blob said=$PWD/$CLASS_STAGE/one/said began=$SECONDS
    [ -z "${student_waits[$1]:-}" ] || return 1
    while [[ $above == "$folder"/* && ! -d $above/.git ]]; do above=${above%/*}; done
    [[ $above == "$folder"/* && ! -L $above/.git ]] || return 1
    build/grader/compile -r "$above" -w "${said%/*}" -s 10 -m 1024 -- env HOME=/nowhere GIT_CONFIG_NOSYSTEM=1 bash -c '
        ask() { git --literal-pathspecs -c safe.directory="*" -c core.fsmonitor=false -C "$1" "${@:2}"; }
        read -r time commit <<<"$(ask "$1" log -1 --format="%ct %H" -- "$2")" && echo "$time $(ask "$1" rev-parse "$commit:$2")" >"$3"' \
        bash "$above" "${2#"$above/"}" "$said" 2>/dev/null && read -r committed blob <"$said" || committed=''
    rm -f -- "$said"
    [ $((SECONDS - began)) -lt 5 ] || student_waits[$1]=1
    [[ $committed =~ ^[0-9]{1,11}$ && $blob == "$(git hash-object --no-filters -- "$3")" ]]
}

# use_copies UNIT: without those that could not be taken
use_copies() {
    local target i taken modified changed committed digest time clock targets=${unit_targets[$1]:-}
    unit_targets[$1]=''
    for target in $targets; do
        i=${unit_source[$1 $target]}
        read -r taken modified changed digest <<<"${copy_of[$i]}"
        if [[ $taken != taken || -z $digest ]]; then
            note_unit "$1" "$(printable "${file_rel[i]}") was not taken: ${copy_of[$i]}"
            continue
        fi
        clock=${file_clock[i]}
        if [[ ${file_root[i]} == "$PWD/$CLASS_STAGE/"* ]]; then time=${file_handed[i]%.*}
        elif [ "$clock" = platform ]; then time=$modified
        elif commit_time "${1%% *}" "${file_path[i]}" "$CLASS_STAGE/files/$digest"; then time=$committed clock=commit
        else later "$modified" "$changed"; fi
        [ "${unit_time[$1]:-0}" -ge "$time" ] || unit_time[$1]=$time
        unit_clock[$1]=$clock
        unit_targets[$1]+="$target "
        unit_source[$1 $target]=$PWD/$CLASS_STAGE/files/$digest unit_digest[$1 $target]=$digest
    done
    [[ ${unit_targets[$1]} =~ lab\.cu? ]] || unit_targets[$1]=''
}

# scan: everything in $folder
scan() {
    local at=$folder name unit late='' number=0 clock=file in_archive='' entries=()
    mkdir -p "$CLASS_STAGE"/{one,files,unpacked} || fail 4 'build cannot be written. Next: free some space'
    mapfile -d '' entries < <(find -P "$folder" -mindepth 1 -maxdepth 1 -printf '%P\0' | LC_ALL=C sort -z)
    for name in "${entries[@]}"; do
        if [[ ${name,,} =~ $folder_lab && -d $folder/$name && ! -L $folder/$name ]]; then
            scan_lab "$folder/$name"
        else
            add_entry "$name" ''
        fi
    done
    add_tree "$folder" '' ''
    for unit in "${units[@]}"; do
        local -A beside=()
        [[ $policy != *'"take":"best"'* ]] || choose_versions "$unit"
        [ -z "${unit_targets[$unit]:-}" ] || continue
        choose "$unit" lab.c
        choose "$unit" lab.cu
        choose_headers "$unit"
    done
    copy_chosen
    note_rest
}

# scan_lab FOLDER: with an entry for each student
scan_lab() {
    local at=$1 name lab entries=()
    which_lab "${1##*/}/x" ''
    mapfile -d '' entries < <(find -P "$1" -mindepth 1 -maxdepth 1 -printf '%P\0' | LC_ALL=C sort -z)
    for name in "${entries[@]}"; do add_entry "$name" "$lab"; done
    add_tree "$1" '' "$lab"
}
