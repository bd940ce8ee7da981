# completion.bash: bash completes ./grade: labs, their checks, options. Once in a shell, or in ~/.bashrc:
#
#   source common/completion.bash

_grade() {
    local root word=$2 lab words
    root=$(dirname "${COMP_WORDS[0]}")
    lab=${COMP_WORDS[1]%%_*}
    if [ "$lab" = class ] && [ "$COMP_CWORD" -gt 1 ]; then
        words='--array-size --conf --device --feedback --format --gres --help --labs --no-wait --out --partition --seed --slurm'
        [[ $word == -* ]] || words=''
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word"; [ "$words" ] || compgen -d -- "$word")
        return
    fi
    case $3 in
    --json | --trace | --html | --subject)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    --submission)
        words=$(for folder in wrong right; do ls "$root/grader/labs/$lab/$folder" 2>/dev/null; done)
        mapfile -t COMPREPLY < <(compgen -W "yours solution $words" -- "$word"; compgen -d -- "$word")
        return
        ;;
    --device) words='both sim gpu' ;;
    --hints) words='1 2 3' ;;
    --as) words=$(cd "$root/common/simgpu/profiles" && printf "%s " *.profile | sed "s/[.]profile//g") ;;
    --seed) words='' ;;
    --format) words=$(cd "$root/grader/class/formats" && printf '%s ' * | sed 's/[.]jq//g') ;;
    *)
        if [[ $word == -* ]]; then
            words='--as --brief --debug --device --format --help --hint --hints --html --json --needs --seed --subject --submission --trace --watch --why'
        elif [ "$COMP_CWORD" = 1 ]; then
            words=$(cd "$root" && printf '%s\n' labs/lab[0-9][0-9]_* | sed 's|labs/||; s|_.*||'; echo class)
        else
            words=$(sed -n "s/^JUDGE_CHECK($lab, \([a-z0-9_]*\),.*/\1/p" "$root/grader/labs/$lab/suite.c" 2>/dev/null)
            [[ $word != *,* ]] || words=$(printf "${word%,*},%s " $words) # one more of several
        fi
        ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -F _grade grade ./grade

# make LAB=: a lab; everything else as it was
_course_make() {
    local at=$((COMP_CWORD - 1)) word=${COMP_WORDS[COMP_CWORD]} labs
    [ "$word" != = ] || at=$COMP_CWORD word=''
    if [ "${COMP_WORDS[at]}" = = ] && [ "${COMP_WORDS[at - 1]}" = LAB ] && labs=$(printf '%s\n' labs/lab[0-9][0-9]_*); then
        mapfile -t COMPREPLY < <(compgen -W "$(sed 's|labs/||; s|_.*||' <<<"$labs")" -- "$word")
    elif declare -F _make >/dev/null; then
        _make "$@"
    fi
}
! declare -F _completion_loader >/dev/null || _completion_loader make
complete -o default -F _course_make make
