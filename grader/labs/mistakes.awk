# mistakes.awk: makes the tables of a lab's mistakes, and finds what does not fit together. grader/README.md describes the
# files "mistakes" and the first lines of a known submission.
#
#   awk -v of=lab06 -v out=FOLDER -f mistakes.awk grader/judge/mistakes grader/{judge,labs}/*.c \
#       grader/labs/lab06/{mistakes,*.c} known.tsv labs/lab06_*/{hints,README}.md labs/SYMPTOMS.md
#
# known.tsv: the rows of known.awk. of: lab06, or judge for the mistakes of all labs, with the files of all labs. Writes to FOLDER:
#   mistakes.h, mistakes.c    a constant for each mistake, lab06_NAME
#   causes.h                  the same as numbers, LAB06_NAME, for an adapter
#   rules.tsv                 place, mistake, rule: every line when:, in the order of the file (rules/check.c)
#   steps.tsv                 check or mistake, step: whose hints it has
#   expected.tsv              submission, device, check, words: for the audit, in the order of each submission

# Of another lab its own run complains. One string, as in known.awk.
function complain(file, line, words) {
    if (owner_of(file) != of) return
    printf "%s", file ":" line ": " words "\n" >"/dev/stderr"
    failed = 1
}

function owner_of(file) { return match(file, /lab[0-9][0-9][\/_]/) ? substr(file, RSTART, 5) : "judge" }

# ---- names

# a name that C and JSON can have
function is_name(word) { return word ~ /^[a-z][a-z0-9_]*$/ && length(word) < 48 }

# a check or a mistake that can be in a report of the lab; of the judge's file: of any lab
function is_known(owner, name) {
    return (owner, name) in mistake || ("judge", name) in mistake || (owner, name) in check ||
        owner == "judge" && name in anywhere
}

# the groups in a list, in full: @times is what the group `times` names
function expand(owner, list, file, line,    n, i, words, all, name) {
    n = split(list, words, " ")
    for (i = 1; i <= n; i++) {
        name = substr(words[i], 2)
        if (words[i] !~ /^@/) all = all " " words[i]
        else if ((owner, name) in group) all = all " " expand(owner, group[owner, name], file, line)
        else complain(file, line, "there is no group " name)
    }
    return substr(all, 2)
}

# ---- a file of mistakes: stanzas, each of fields "key: text", indented lines continue a field

function end_stanza(    n, i, names) {
    if (!first_key) return
    if (first_key == "mistake") end_mistake()
    else if (first_key == "group") {
        if (!("names" in field)) complain(file, at["group"], "the group " field["group"] " has no names:")
        group[owner, field["group"]] = field["names"]
    } else if (first_key == "step") {
        n = split(field["checks"] " " field["general"], names, " ")
        if (!n) complain(file, at["step"], "this step has neither checks: nor general:")
        for (i = 1; i <= n; i++) set_step(names[i], field["step"], at["step"])
        n = split(field["checks"], names, " ")
        for (i = 1; i <= n; i++) asked[owner, names[i]] = at["step"]
        n = split(field["general"], names, " ")
        for (i = 1; i <= n; i++) general[owner, names[i]] = at["step"]
    } else if (first_key != "starter") complain(file, at[first_key], "a stanza begins with mistake:, step:, group: or starter:")
    first_key = ""
    split("", field)
    split("", at)
    n_when = 0
}

function set_step(name, number, line) {
    if ((owner, name) in step) complain(file, line, name " has a step already: " step[owner, name])
    step[owner, name] = number
    step_line[owner, name] = line
    if (owner == of) in_steps[++n_steps] = name
}

# a rule of a mistake; of grader/judge/mistakes, `first:` begins one that is tried before the lab's
function add_rule(name, number, text, line, is_first,    n, i, words) {
    n_rules++
    rule_mistake[n_rules] = name
    rule_number[n_rules] = number
    rule_text[n_rules] = text
    rule_line[n_rules] = line
    rule_first[n_rules] = is_first
    n = split(text, words, /[ ,]+/)
    for (i = 1; i < n; i++)
        if (words[i] == "code") predicate[words[i + 1]] = line
}

function end_mistake(    n, i, r, names, line) {
    line = at["mistake"]
    if (!("happened" in field)) complain(file, line, field["mistake"] " has no happened: (\"in code\" if the code writes the sentence)")
    if (!("next" in field)) complain(file, line, field["mistake"] " has no next: (\"in code\" if the code writes the sentence)")
    if (!n_when) complain(file, line, field["mistake"] " has no when: (the facts by which a failed check gets this name)")
    n = split(field["mistake"], names, " ")
    n_stanzas++
    for (i = 1; i <= n; i++) {
        if (!is_name(names[i])) complain(file, line, "\"" names[i] "\" is no name: lower case, digits and _, fewer than 48")
        if ((owner, names[i]) in mistake) complain(file, line, "the mistake " names[i] " has a stanza already")
        mistake[owner, names[i]] = n_stanzas
        anywhere[names[i]]
        if ("step" in field) set_step(names[i], field["step"], line)
        if (owner == of) {
            mine[++n_mine] = names[i]
            happened[n_mine] = field["happened"]
            next_step[n_mine] = field["next"]
            explains[n_mine] = field["explains"]
            explains_line[n_mine] = at["explains"]
            for (r = 1; r <= n_when; r++) add_rule(names[i], n_mine, when[r], when_line[r], when_first[r])
            no_wait[n_mine] = field["wait"] == "no"
            early[n_mine] = field["wait"] == "early"
        }
    }
    stanza_file[n_stanzas] = file
    stanza_line[n_stanzas] = line
    stanza_owner[n_stanzas] = owner
    stanza_name[n_stanzas] = field["mistake"]
    if (field["next"] ~ /cuda[A-Z]/) complain(file, at["next"], "next: names a call of CUDA. The first report names the rule; the call is in hint 2 of hints.md")
    page[n_stanzas] = plain(field["page"])
    page_line[n_stanzas] = at["page"]
    if (!n) complain(file, line, "mistake: has no name")
}

FNR == 1 { end_file(); begin_file() }

function begin_file() {
    file = kind = FILENAME
    owner = owner_of(file)
    sub(/.*\//, "", kind)
    if (file ~ /\.c$/) kind = "code"
}

function end_file() {
    if (kind == "mistakes") end_stanza()
    if (kind == "known.tsv") end_submission()
}

kind == "mistakes" && /^#/ { next }
kind == "mistakes" && /^[ \t]*$/ { end_stanza(); next }
kind == "mistakes" && /^[ \t]/ {
    sub(/^[ \t]+/, "")
    if (!first_key) complain(file, FNR, "an indented line continues a field, and there is none above it")
    else if (key == "when" || key == "first") when[n_when] = when[n_when] " " $0
    else field[key] = field[key] " " $0
    next
}
kind == "mistakes" {
    key = $0
    sub(/:.*/, "", key)
    text = substr($0, length(key) + 2)
    sub(/^[ \t]+/, "", text)
    if (index($0, ":") == 0 || key !~ /^(mistake|when|first|page|step|happened|next|explains|wait|checks|general|group|names|starter)$/) {
        complain(file, FNR, "\"" key "\" is no field: mistake, when, first, page, step, happened, next, explains, wait; step, checks, general; group, names; starter")
        next
    }
    if (!first_key) first_key = key
    if (key == "when" || key == "first") {
        when[++n_when] = text
        when_first[n_when] = key == "first"
        when_line[n_when] = FNR
        next
    }
    if (key == "starter") expect("starter", text, FNR)
    else if (key in field) complain(file, FNR, "this stanza has " key ": twice. An empty line ends a stanza")
    field[key] = text
    at[key] = FNR
    next
}

kind == "code" && match($0, /^JUDGE_CHECK\(lab[0-9][0-9], [a-z0-9_]+/) {
    name = substr($0, RSTART + 19, RLENGTH - 19)
    check[owner, name]
    anywhere[name]
    checks[++n_checks] = owner SUBSEP name
    next
}

# the words in code that can be facts
kind == "code" {
    n = split($0, word, /[^A-Za-z0-9_]+/)
    for (i = 1; i <= n; i++) written[owner, word[i]]
}

kind == "hints.md" && /^## / { section[owner, $2 == "Step" ? $3 + 0 : 0] }

# ---- pages that learners read

# text without marks, and with single spaces
function plain(text) {
    gsub(/[*`]/, "", text)
    gsub(/[ \t]+/, " ", text)
    return text
}

kind == "README.md" && /<summary>Common mistakes<\/summary>/ { in_list = 1 }
kind == "README.md" && /<\/details>/ { in_list = 0 }
kind == "README.md" && in_list { pages[owner] = plain(pages[owner] " " $0) }
kind == "SYMPTOMS.md" && /^\|/ {
    for (rest = $0; match(rest, /\[[0-9][0-9]\]/); rest = substr(rest, RSTART + RLENGTH))
        pages["lab" substr(rest, RSTART + 1, 2)] = pages["lab" substr(rest, RSTART + 1, 2)] plain($0)
}

# ---- known submissions: what they must show

# "sim results "words"": a row for the audit
function expect(name, text, line,    device, what, words) {
    device = what = text
    sub(/ .*/, "", device)
    sub(/^[^ ]* /, "", what)
    sub(/ .*/, "", what)
    words = substr(text, length(device) + length(what) + 3)
    if (device !~ /^(any|sim|gpu)$/ || words !~ /^".*"$/ || length(words) < 3) {
        complain(file, line, "expected is: " (name == "starter" ? "starter" : "fails") ": any|sim|gpu CHECK \"words of its message\"")
        return
    }
    n_fails++
    used_check[++n_used] = owner SUBSEP what
    used_in[n_used] = file
    used_line[n_used] = line
    add_row(name, device, what, substr(words, 2, length(words) - 2))
}

# except: PROFILE...
function except(text, line,    i, n, name, profile, ignored) {
    n = split(text, name, " ")
    for (i = 1; i <= n; i++) {
        profile = "common/simgpu/profiles/" name[i] ".profile"
        if ((getline ignored < profile) < 0) complain(file, line, "there is no " profile)
        close(profile)
    }
    gsub(/ /, ",", text)
    add_row(submission, "sim", "except", text)
}

function add_row(name, device, what, words) {
    if (owner == of) row[++n_rows] = name "\t" device "\t" what "\t" words
}

function end_submission() {
    if (is_wrong && !n_fails) complain(file, 1, "there is no line fails: which check must fail?")
}

kind == "known.tsv" {
    split($0, part, "\t")
    key = part[3]
    text = part[4]
    if (key == "wrong" || key == "right") {
        end_submission()
        submission = file = part[1]
        sub(/.*\//, "", submission)
        owner = owner_of(file)
        is_wrong = key == "wrong"
        n_fails = 0
    } else if (key == "base") next
    else if (!is_wrong) complain(file, part[2], "a right submission passes: it has no " key ":")
    else if (key == "fails") expect(submission, text, part[2])
    else if (key == "mistake" || key == "also") {
        produced[++n_produced] = owner SUBSEP text
        produced_at[n_produced] = file
        produced_line[n_produced] = part[2]
        add_row(submission, "sim", key, text)
    } else if (key == "needs") {
        needed[++n_needed] = owner SUBSEP text
        needed_at[n_needed] = file
        needed_line[n_needed] = part[2]
        add_row(submission, "any", key, text)
    } else if (key == "except") except(text, part[2])
    else complain(file, part[2], "\"" key "\" is no field: fails, mistake, also, needs, except, base")
}

# ---- what does not fit together

function hold(    i, n, k, part, words, s, count) {
    for (i = 1; i <= n_produced; i++) {
        split(produced[i], part, SUBSEP)
        s = 0
        if ((part[1], part[2]) in mistake) s = mistake[part[1], part[2]]
        else if (("judge", part[2]) in mistake) s = mistake["judge", part[2]]
        if (!s) complain(produced_at[i], produced_line[i], "there is no mistake " part[2] " in grader/labs/" part[1] "/mistakes or grader/judge/mistakes")
        else proof[s]
    }
    for (i = 1; i <= n_needed; i++)
        if (!(needed[i] in check)) {
            split(needed[i], part, SUBSEP)
            complain(needed_at[i], needed_line[i], "needs: is a check that the device must be able to show, and " part[1] " has no check " part[2])
        }
    for (i = 1; i <= n_used; i++)
        if (!(used_check[i] in check)) {
            split(used_check[i], part, SUBSEP)
            complain(used_in[i], used_line[i], part[1] " has no check " part[2])
        }
    for (i = 1; i <= n_stanzas; i++) {
        if (stanza_owner[i] != of) continue
        if (page[i] && !index(pages[of], page[i]))
            complain(stanza_file[i], page_line[i], "neither the list of common mistakes in the handout of " of " nor a row of labs/SYMPTOMS.md about it has the words \"" page[i] "\"")
        if (!(i in proof))
            complain(stanza_file[i], stanza_line[i], "no known submission produces the mistake " stanza_name[i] ": add the line \"mistake: " stanza_name[i] "\" to the one that must show it, or write one")
    }
    for (i = 1; i <= n_mine; i++) {
        explains[i] = expand(of, explains[i], stanza_file[mistake[of, mine[i]]], explains_line[i])
        n = split(explains[i], words, " ")
        for (k = 1; k <= n; k++)
            if (!is_known(of, words[k]))
                complain(stanza_file[mistake[of, mine[i]]], explains_line[i], "explains: names " words[k] ", which is no check and no mistake" (of == "judge" ? "" : " of " of))
    }
    hold_facts()
    if (of != "judge") hold_steps()
}

# a fact that a rule names is in the code
function hold_facts(    i, k, m, n, terms, words, names) {
    for (i = 1; i <= n_rules; i++) {
        n = split(rule_text[i], terms, ",")
        for (k = 1; k <= n; k++) {
            sub(/^ *(not )?/, "", terms[k])
            if (terms[k] !~ /^fact( |$)/) continue
            split(terms[k], words, " ")
            m = split(words[2] ? words[2] : rule_mistake[i], names, "|")
            for (; m > 0; m--)
                if (names[m] !~ /\*$/ && !((of, names[m]) in written) && !(("judge", names[m]) in written))
                    complain(rules_of(), rule_line[i], "no check records the fact " names[m])
        }
    }
}

function hold_steps(    i, part, name, path) {
    path = "grader/labs/" of "/mistakes"
    for (i = 1; i <= n_checks; i++) {
        split(checks[i], part, SUBSEP)
        if (part[1] != of) continue
        if (!((of, part[2]) in asked)) complain(path, 1, "the check " part[2] " belongs to no step: name it in checks: of one")
    }
    for (i = 1; i <= n_steps; i++) {
        name = in_steps[i]
        if ((of, name) in asked && !((of, name) in check))
            complain(path, asked[of, name], of " has no check " name)
        if ((of, name) in general && !(("judge", name) in mistake))
            complain(path, general[of, name], "grader/judge/mistakes has no mistake " name)
        if (!((of, step[of, name]) in section))
            complain(path, step_line[of, name], "hints.md has no section for step " step[of, name])
    }
}

# ---- what is made

function quoted(text) {
    if (text == "in code" || text == "") return "NULL"
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    return "\"" text "\""
}

function rules_of() { return "grader/" (of == "judge" ? "judge" : "labs/" of) "/mistakes" }

# the rules as a list in C
function write_list(to, name, first,    i) {
    printf "\nstatic const struct rule %s_list[] = {\n", name >to
    for (i = 1; i <= n_rules; i++)
        if (rule_first[i] == first)
            printf "    {&%s_%s, \"%s\", %s, \"%s:%d\", %s},\n", of, rule_mistake[i], rule_mistake[i], of == "judge" ? "0" : toupper(of "_" rule_mistake[i]), rules_of(), rule_line[i], quoted(rule_text[i]) >to
    printf "    {NULL, NULL, 0, NULL, NULL}};\nconst struct rule_list %s = {%s_list, codes};\n", name, name >to
}

function write_all(    i, k, to, upper) {
    upper = toupper(of)
    to = out "/mistakes.h"
    printf "/* made of the file mistakes of %s */\n#pragma once\n\n#include \"rules/rules.h\"\n\n%s\n\n", of, of == "judge" ? "struct judge_mistake;" : "#include \"judge/mistakes.h\"" >to
    for (i = 1; i <= n_mine; i++) printf "extern const struct judge_mistake %s_%s;\n", of, mine[i] >to
    printf "\n" >to
    for (name in predicate) printf "/* for rules: code %s */\nbool %s_%s(const struct facts *f);\n", name, of, name >to
    printf "extern const struct rule_list %s_rules;\n", of >to
    if (of == "judge") print "extern const struct rule_list judge_first_rules;" >to
    close(to)

    to = out "/rules.tsv"
    printf "" >to
    for (k = 1; k >= 0; k--)
        for (i = 1; i <= n_rules; i++)
            if (rule_first[i] == k) printf "%s:%d\t%s\t%s\n", rules_of(), rule_line[i], rule_mistake[i], rule_text[i] >to
    close(to)

    to = out "/causes.h"
    printf "/* made of the file mistakes of %s */\n#pragma once\n\nenum %s_cause {\n    %s_NOT_KNOWN,\n", of, of, upper >to
    for (i = 1; i <= n_mine; i++) printf "    %s_%s,\n", upper, toupper(mine[i]) >to
    printf "    %s_CAUSES\n};\n", upper >to
    close(to)

    to = out "/mistakes.c"
    printf "/* made of the file mistakes of %s */\n#include \"causes.h\"\n#include \"judge/judge.h\"\n#include \"mistakes.h\"\n#include \"rules/rules.h\"\n#include \"session/session.h\"\n\n", of >to
    print "#define FITS(text) _Static_assert(sizeof text <= sizeof((struct session_check *)0)->explains, \"explains: is longer than session_check.explains: enlarge that (session/session.h)\")\n" >to
    for (i = 1; i <= n_mine; i++) {
        printf "const struct judge_mistake %s_%s = {\"%s\", %s, %s, %s, %s, %s};\n", of, mine[i], mine[i], quoted(happened[i]), quoted(next_step[i]), quoted(explains[i]), no_wait[i] ? "true" : "false", early[i] ? "true" : "false" >to
        if (explains[i]) printf "FITS(%s);\n", quoted(explains[i]) >to
    }
    printf "\nstatic const struct rule_code codes[] = {\n" >to
    for (name in predicate) printf "    {\"%s\", %s_%s},\n", name, of, name >to
    printf "    {NULL, NULL}};\n" >to
    write_list(to, of "_rules", 0)
    if (of == "judge") write_list(to, "judge_first_rules", 1)
    close(to)

    to = out "/steps.tsv"
    printf "" >to
    for (i = 1; i <= n_steps; i++) printf "%s\t%d\n", in_steps[i], step[of, in_steps[i]] >to
    close(to)

    to = out "/expected.tsv"
    printf "" >to
    for (i = 1; i <= n_rows; i++) print row[i] >to
    close(to)
}

END {
    end_file()
    hold()
    if (failed) exit 1
    write_all()
}
