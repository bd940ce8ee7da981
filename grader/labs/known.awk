# known.awk: the one reader of known submissions. grader/README.md tells what they may hold.
#
#   awk -f known.awk KNOWN…
#       A row for each part: file, line, key, text. The keys are wrong and right, with the misconception, and those of the
#       first lines, fails and so on.
#   awk -v file=lab.c -v files='lab.c lab.cu' -v base=NAME -f known.awk KNOWN BASE
#       What KNOWN makes of this file of its base, which messages call NAME.

# The message is one string: mawk writes each argument by itself, and make's other jobs may write in between.
function fail(line, words) {
    printf "%s", known ":" line ": " words "\n" >"/dev/stderr"
    failed = 1
    exit 1
}

function row(key, text) { if (!file) printf "%s\t%d\t%s\t%s\n", known, FNR, key, text }

function end_known() {
    if (part) fail(at, "this block has no " (part == "old" ? "====" : ">>>>"))
}

FNR == 1 { is_base = file && n_inputs++ }
is_base { line[FNR] = $0; n_lines = FNR; next }

# ---- the known submission: block b replaces old[b, 1 … n_old[b]] by new[b, 1 … n_new[b]]

FNR == 1 {
    end_known()
    n = split(known = FILENAME, path, "/")
    id = path[n - 2] "/" path[n]
    if (NF < 3 || /^<<<</) fail(1, "the first line must state the misconception")
    if (path[n] ~ /^(yours|solution|starter)$/) fail(1, path[n] " is the name of another submission: rename this one")
    if (id in file_of) fail(1, file_of[id] " has the same name: remove or rename one")
    file_of[id] = known
    ids[++n_ids] = id
    in_head = 1
    row(path[n - 1], $0)
    next
}
/^[ \t]*$/ || /^<<<< / { in_head = 0 }
in_head && /^[a-z]+: ?/ {
    key = text = $0
    sub(/:.*/, "", key)
    sub(/^[a-z]+: */, "", text)
    row(key, text)
    if (key == "base") { base_of[id] = text; base_line[id] = FNR }
}
/^<<<< / {
    if (part) fail(FNR, "the block of line " at " has no >>>>")
    if (files && index(" " files " ", " " $2 " ") == 0) fail(FNR, "there is no " $2 "; the files are: " files)
    part = "old"
    at = FNR
    if (wanted = ($2 == file)) begun[++blocks] = FNR
    next
}
part == "old" && $0 == "====" { part = "new"; next }
part == "new" && $0 == ">>>>" { part = ""; n_all++; next }
wanted && part == "old" { old[blocks, ++n_old[blocks]] = $0 }
wanted && part == "new" { new[blocks, ++n_new[blocks]] = $0 }

# ---- its base

# does the text of block b begin at line l?
function is_at(b, l,    i) {
    for (i = 1; i <= n_old[b]; i++)
        if (line[l + i - 1] != old[b, i]) return 0
    return l + n_old[b] - 1 <= n_lines
}

# Without a text to look for, the block replaces the whole file.
function place(b,    l, n, where) {
    if (!n_old[b]) { n = where = 1; n_old[b] = n_lines }
    else for (l = 1; l <= n_lines; l++) if (is_at(b, l)) { n++; where = l }
    if (n != 1)
        fail(begun[b], n ? "the text of this block is in " base " " n " times: add a line to it" : \
            "the text of this block is not in " base)
    for (l = where; l < where + n_old[b]; l++) {
        if (taken[l]) fail(begun[b], "this block and the one of line " taken[l] " change the same line of " base)
        taken[l] = begun[b]
    }
    begins[where] = b
}

function print_changed(    b, l, i) {
    if (!n_all) fail(1, "there is no block: what is different from the solution?")
    for (b = 1; b <= blocks; b++) place(b)
    for (l = 1; l <= n_lines; l++) {
        for (i = 1; i <= n_new[begins[l]]; i++) print new[begins[l], i]
        if (!taken[l]) print line[l]
    }
}

# ---- all of a lab

# Bases are known submissions, too, or the starter. Each leads to the solution.
function check_base(id,    base, n) {
    known = file_of[id]
    base = path_of(id)
    if (!(base in file_of) && base_of[id] != "starter") fail(base_line[id], "base: there is no submission " base_of[id])
    for (; base in base_of && base != id && n < n_ids; n++) base = path_of(base)
    if (base == id) fail(base_line[id], "base: " base_of[id] " is made of this submission itself")
}

function path_of(id) {
    sub(/[^\/]*$/, base_of[id], id)
    return id
}

END {
    if (failed) exit 1
    end_known()
    if (file) print_changed()
    else for (i = 1; i <= n_ids; i++) if (ids[i] in base_of) check_base(ids[i])
}
