# known.awk: what a known submission makes of a file of the solution. grader/README.md tells what it may hold.
#
#   awk -v file=lab.c -v files='lab.c lab.cu' -v base=solutions/…/lab.c -f known.awk KNOWN SOLUTION
#
# file: the one that is wanted; files: all that the lab has; base: what messages call the solution.

function fail(line, words) {
    printf "%s:%d: %s\n", known, line, words >"/dev/stderr"
    failed = 1
    exit 1
}

FNR == 1 { n_inputs++ }

# ---- the known submission: block b replaces old[b, 1 … n_old[b]] by new[b, 1 … n_new[b]]

n_inputs == 1 && FNR == 1 {
    known = FILENAME
    if (NF < 3 || /^<<<</) fail(1, "the first line must state the misconception")
    next
}
n_inputs == 1 && /^<<<< / {
    if (part) fail(FNR, "the block of line " at " has no >>>>")
    if (index(" " files " ", " " $2 " ") == 0) fail(FNR, "there is no " $2 "; the files are: " files)
    part = "old"
    at = FNR
    if (wanted = ($2 == file)) begun[++blocks] = FNR
    next
}
n_inputs == 1 && part == "old" && $0 == "====" { part = "new"; next }
n_inputs == 1 && part == "new" && $0 == ">>>>" { part = ""; n_all++; next }
n_inputs == 1 {
    if (wanted && part == "old") old[blocks, ++n_old[blocks]] = $0
    if (wanted && part == "new") new[blocks, ++n_new[blocks]] = $0
    next
}

# ---- the solution

{ line[FNR] = $0; n_lines = FNR }

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

END {
    if (failed) exit 1
    if (part) fail(at, "this block has no " (part == "old" ? "====" : ">>>>"))
    if (!n_all) fail(1, "there is no block: what is different from the solution?")
    for (b = 1; b <= blocks; b++) place(b)
    for (l = 1; l <= n_lines; l++) {
        for (i = 1; i <= n_new[begins[l]]; i++) print new[begins[l], i]
        if (!taken[l]) print line[l]
    }
}
