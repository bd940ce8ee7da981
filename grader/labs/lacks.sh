#!/bin/bash
# lacks.sh LAB: lists what lab LAB (lab77) still lacks, one part a line, in the order in which to add them. Nothing: it is complete.
# grader/README.md, "Add a lab", says what each part is.
set -u
lab=$1
folder=$(cd labs && echo "$lab"_*)
[ -d "labs/$folder" ] || { echo "labs/${lab}_name: there is no such folder"; exit 1; }
page=labs/$folder/README.md here=grader/labs/$lab number=${lab#lab}
lacks() { echo "$1: $2"; lacking=1; }
lacking=
# a lab of free design has no steps in its starter
is_free() { grep -q 'is_open = true' "$here/suite.c" 2>/dev/null; }

# file PATH WORDS: there must be such a file
file() { compgen -G "$1" >/dev/null || { lacks "$1" "$2"; return 1; }; }
# has FILE PATTERN WORDS: a line of the file must match
has() { [ ! -e "$1" ] || grep -q -- "$2" "$1" || lacks "$1" "$3"; }

file "labs/$folder/lab.h" 'the contract is missing'
file "labs/$folder/Makefile" 'the link is missing: ln -s ../Makefile'
if file "solutions/$folder/lab.c*" 'the solution is missing'; then
    grep -q '#ifdef SOLUTION' "solutions/$folder/"lab.c* || lacks "solutions/$folder" 'nothing is marked #ifdef SOLUTION'
    is_free || grep -q 'YOUR STEP 1' "solutions/$folder/"lab.c* || lacks "solutions/$folder" 'no comment says YOUR STEP 1'
fi
file "labs/$folder/lab.c*" 'the starter is missing: make starters'

file "$here/exchange.h" 'what adapter and suite exchange is missing'
file "$here/adapter.c" 'the adapter is missing'
if file "$here/suite.c" 'the suite is missing'; then
    has "$here/suite.c" '^JUDGE_LAB(' 'it has no JUDGE_LAB'
    has "$here/suite.c" "^JUDGE_CHECK($lab, " 'it has no check'
fi
if file "$here/mistakes" 'the file of mistakes is missing'; then
    has "$here/mistakes" '^checks: ' 'no step has checks:'
    has "$here/mistakes" '^mistake: ' 'it has no mistake'
fi
known=$(find "$here/wrong" "$here/right" -type f -exec awk -f grader/labs/known.awk {} + 2>/dev/null | cut -f 3-)
wrong=$(grep -c ^wrong <<<"$known")
[ "$wrong" -ge 4 ] || lacks "$here/wrong" "$wrong wrong submissions, at least 4 are needed"
# (a check without points tells figures)
for check in $(sed -nE "s/^JUDGE_CHECK\($lab, ([a-z0-9_]+), [1-9].*/\1/p" "$here/suite.c" 2>/dev/null); do
    grep -qE "^fails[[:space:]](any|sim|gpu) $check " <<<"$known" || lacks "$here/wrong" "no submission fails the check $check"
done
file "$here/right/*" 'no other way to solve the lab is known'

if file "labs/$folder/hints.md" 'the hints are missing'; then
    has "labs/$folder/hints.md" '^## Step 1' 'step 1 has no hints'
fi
if file "$page" 'the handout is missing'; then
    for part in '**Goal:**' '## What to expect on ' '<summary>Common mistakes</summary>' \
        '## Questions to answer for yourself' '## Where to read more'; do
        grep -qF "$part" "$page" || lacks "$page" "the part \"$part\" is missing"
    done
    has "$page" '^| check |' 'the table of checks is missing'
    is_free || has "$page" '[*][*]Step 1' 'the steps are missing'
    has "$page" "^make example LAB=$number" 'the command that runs its program is missing'
    has "$page" "^\./grade $lab" "the command ./grade $lab is missing"
fi

has README.md "^| \[$number [a-z_]*\](labs/$folder/README.md) |" "the table of labs has no row for $lab"
has labs/SYMPTOMS.md "^| .*\[$number\]($folder/README.md)" "no symptom names $lab"
has labs/TEACHING.md "^| $number [a-z_]* |" "the table of labs has no row for $lab"
[ -z "$lacking" ]
