# scan.sh: finds the submissions in a class's folder. class.sh sources it and calls scan.
#
# The folder holds an entry for each student: a folder or an archive. These layouts are recognized:
#
#   STUDENT/lab03/lab.c   STUDENT/lab.c   lab03/STUDENT/lab.c
#   STUDENT/REPOSITORY/labs/lab03_overlap/lab.c          a copy of the course (GitHub Classroom)
#   NAME_123_assignsubmission_file/…                     Moodle
#   NAME_123_456_lab.c, NAME_LATE_123_456_lab-1.c        Canvas
#   STUDENT.zip, STUDENT.tar.gz, STUDENT/anything.zip    archives, with any of these inside
#
# Names may hold any bytes: they travel between NULs and are never evaluated. Links are not followed, and only regular
# files are opened.
#
# Results:
#   student_ids, student_name[ID], student_note[ID]   ID: letters, digits, "_", "." and "-"
#   units, a list of "ID LAB", and of "ID LAB 2" and so on, if all versions are graded; unit_targets[UNIT] "lab.c lab.cu x.h";
#   unit_source[UNIT TARGET]; unit_note[UNIT]; unit_time[UNIT], when it was handed in, in seconds
# shellcheck shell=bash disable=SC2034

declare -a student_ids=() units=() file_path=() file_order=() file_rel=() file_handed=()
declare -A student_id=() student_name=() student_note=() unit_files=() unit_targets=() unit_source=() unit_note=() unit_time=() found_labs=()
MOST_BYTES=1048576

# printable TEXT: for a terminal, as a shell reads it; letters of all languages stay
printable() {
    local text=${1:0:100}
    (LC_ALL=C.UTF-8; [[ $text =~ ^([[:alnum:]]|[\ -~])*$ ]]) && printf %s "$text" || LC_ALL=C printf %q "$text"
}

note_student() { student_note[$1]+=${student_note[$1]:+$'\n'}$2; }
note_unit() { unit_note[$1]+=${unit_note[$1]:+$'\n'}$2; }

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
    id=$id-${digest:0:12}
    plain "$2"
    student_id[$1.]=$id student_name[$id]=$text
    student_ids+=("$id")
}

# whose ENTRY: sets id for a name at the top of the class. If the entry is a student's file, also rest: its name; number:
# that of the upload, which grows with each one; late: what the platform's name says of that
whose() {
    rest='' late='' number=0
    if [[ $1 =~ ^(.+_[0-9]+)_assignsubmission_(file|onlinetext)_?$ ]]; then
        local key=${BASH_REMATCH[1]}
        add_student "$key" "${key%_*} (${key##*_})"
    elif [[ ! -d $at/$1 && $1 =~ ^([^_]+)_(LATE_)?([0-9]+)_([0-9]+)_(.+)$ ]]; then
        rest=${BASH_REMATCH[5]} late=${BASH_REMATCH[2]} number=${BASH_REMATCH[4]}
        add_student "${BASH_REMATCH[1]}_${BASH_REMATCH[3]}" "${BASH_REMATCH[1]} (${BASH_REMATCH[3]})"
    else
        add_student "$1" "$1"
    fi
}

is_archive() { [[ ${1,,} =~ \.(zip|tar|tgz|tar\.gz|tar\.xz|tar\.bz2)$ ]]; }
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

# add_file ID FIXED_LAB TYPE SIZE LINKS TIME PATH REL: REL is its path in what the student handed in
add_file() {
    local id=$1 base=${8##*/} lab unit why='' shown
    ! is_of_course "${7%/"$8"}" "$8" || return 0
    shown=$(printable "$8")
    case $3 in
        l) why='it is a link. Next: hand in the file itself' ;;
        f)
            [ "$5" = 1 ] || why='it has another name elsewhere (a hard link). Next: hand in a copy'
            [ "$4" -le $MOST_BYTES ] || is_archive "$base" || why='it is larger than 1 MiB. Next: hand in only source text'
            ;;
        *) why='it is not a regular file. Next: hand in the source text' ;;
    esac
    if [ -z "$why" ] && [[ ${base,,} =~ \.(7z|rar)$ ]]; then
        why='archives are zip or tar.gz. Next: pack it again'
    elif [ -z "$why" ] && is_archive "$base"; then
        add_archive "$id" "$2" "$7" "$shown" "$6"
        return
    fi
    which_lab "$8" "$2"
    if [ -z "$lab" ] && [[ ${base,,} == *.h ]]; then
        return
    elif [ -z "$lab" ]; then
        note_student "$id" "$shown: no name says which lab it is of. Next: put it into a folder lab01, lab02…, or add --labs with one lab"
    elif [[ " $all_labs " != *" $lab "* ]]; then
        note_student "$id" "$shown: there is no $lab. Next: rename its folder"
    elif [[ -z $asked_labs || " $asked_labs " == *" $lab "* ]]; then
        unit="$id $lab"
        found_labs[$lab]=1
        [ -n "${unit_files[$unit]+there}" ] || units+=("$unit")
        unit_files[$unit]+=''
        [ -z "$late" ] || note_unit "$unit" "Canvas calls $shown late"
        if [ -n "$why" ]; then
            note_unit "$unit" "$shown was not taken: $why"
        else
            unit_files[$unit]+="${#file_path[@]} "
            file_path+=("$7") file_order+=("$number $6") file_rel+=("$8") file_handed+=("${in_archive:-$6}")
        fi
    fi
}

# add_tree ROOT ID FIXED_LAB: the files in a student's folder; without ID, in those of all students
add_tree() {
    local root=$1 fixed=$3 type size links time rel id rest first depth=1
    [ -n "$2" ] || depth=2
    while IFS= read -rd '' type && IFS= read -rd '' size && IFS= read -rd '' links && IFS= read -rd '' time &&
        IFS= read -rd '' rel; do
        if [ -n "$2" ]; then
            add_file "$2" "$fixed" "$type" "$size" "$links" "$time" "$root/$rel" "$rel"
            continue
        fi
        first=${rel%%/*}
        [[ -n $fixed || ! ${first,,} =~ $folder_lab ]] || continue
        at=$root whose "$first"
        add_file "$id" "$fixed" "$type" "$size" "$links" "$time" "$root/$rel" "${rel#*/}"
    done < <(find -P "$root" -mindepth $depth -maxdepth 10 \
        -type d \( -name .git -o -name __MACOSX -o -path '*/grader/labs' \) -prune -o \
        ! -type d ! -name '._*' \( -iname '*.c' -o -iname '*.cu' -o -iname '*.h' -o -iname '*.zip' -o -iname '*.tar' \
        -o -iname '*.tgz' -o -iname '*.tar.*' -o -iname '*.7z' -o -iname '*.rar' \) \
        -printf '%y\0%s\0%n\0%T@\0%P\0' 2>/dev/null)
}

# add_archive ID FIXED_LAB PATH SHOWN TIME: what is in it belongs to the student, and was handed in with the archive
add_archive() {
    local digest to why
    if [ -n "$in_archive" ]; then
        note_student "$1" "$4 is an archive in an archive. Next: hand in the files themselves"
        return
    fi
    digest=$(take_digest "$3" $((64 << 20))) || return 0
    to=$PWD/$CLASS_STAGE/unpacked/${digest:0:32}
    if [ ! -d "$to" ] && ! why=$(grader/class/unpack.sh "$3" "$to" 2>&1); then
        note_student "$1" "$4 was not unpacked: ${why:-unpack.sh ended without a reason}"
    else
        in_archive=$5 add_tree "$to" "$1" "$2"
    fi
}

# add_entry NAME FIXED_LAB: an entry of the folder $at
add_entry() {
    local name=$1 id rest size links time type
    case $name in class.conf | .git | .DS_Store | ._* | __MACOSX | Thumbs.db | desktop.ini) return ;; esac
    if [ -L "$at/$name" ]; then
        whose "$name"
        note_student "$id" "it is a link. Next: copy the folder that it names"
    elif [ -d "$at/$name" ]; then
        whose "$name"
        [ -r "$at/$name" ] && [ -x "$at/$name" ] || note_student "$id" "the folder cannot be read. Next: chmod -R u+rX on it"
    elif [ -f "$at/$name" ] && { is_archive "$name" || [[ $name =~ ^[^_]+_(LATE_)?[0-9]+_[0-9]+_.*\.(c|cu|h)$ ]]; }; then
        whose "$name"
        IFS=' ' read -r size links time < <(stat -c '%s %h %Y' -- "$at/$name")
        add_file "$id" "$2" f "$size" "$links" "$time" "$at/$name" "${rest:-$name}"
    else
        say "$(printable "$name") is neither a folder nor an archive: ignored. Next: one folder or archive for each student"
    fi
}

# ---- which file is lab.c -----------------------------------------------------------------------------------------

# newest FILES…: sets chosen. The platform's number of the upload tells which is newer; without one, the file's time
newest() {
    local i
    chosen=$1
    for i; do
        [ "$(printf '%s\n' "${file_order[chosen]} ${file_rel[chosen]//[^A-Za-z0-9.]/_}" "${file_order[i]} ${file_rel[i]//[^A-Za-z0-9.]/_}" |
            LC_ALL=C sort -V | tail -n 1)" = "${file_order[chosen]} ${file_rel[chosen]//[^A-Za-z0-9.]/_}" ] || chosen=$i
    done
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
        for i in "${named[@]}"; do [ "$i" = "$chosen" ] || left+=("$(printable "${file_rel[i]}")"); done
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
    local time=${file_handed[$3]%.*}
    unit_targets[$1]+="$2 "
    unit_source[$1 $2]=${file_path[$3]}
    [ "${unit_time[$1]:-0}" -ge "$time" ] || unit_time[$1]=$time
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
    local i base
    for i in ${unit_files[$1]}; do
        base=${file_rel[i]##*/}
        [[ $base =~ ^[A-Za-z0-9_][A-Za-z0-9_.-]{0,59}\.h$ && $base != lab.h ]] || continue
        [ -n "${beside[${file_path[i]%/*}]:-}" ] || continue
        [ -n "${unit_source[$1 $base]:-}" ] || unit_targets[$1]+="$base "
        unit_source[$1 $base]=${file_path[i]}
    done
}

# scan: everything in $folder
scan() {
    local at=$folder name unit late='' number=0 in_archive='' entries=()
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
}

# scan_lab FOLDER: with an entry for each student
scan_lab() {
    local at=$1 name lab entries=()
    which_lab "${1##*/}/x" ''
    mapfile -d '' entries < <(find -P "$1" -mindepth 1 -maxdepth 1 -printf '%P\0' | LC_ALL=C sort -z)
    for name in "${entries[@]}"; do add_entry "$name" "$lab"; done
    add_tree "$1" '' "$lab"
}
