# find … | awk -f names.awk: names in comments and pages that nothing has: a source that was renamed, a function that is gone.
#
# Of the files, sources and pages (*.md) are read. Of all others, and of those with an absolute path, only the name counts. A name in a comment, or on a page outside of
# a fenced block, must be that of a file or folder, or a word of code. Searched are names with an extension (race/hazard.c),
# words with an underscore (memory_of), and in comments of C constants (OP_COPY), but for those of the driver (CU_). A path with
# a word in capitals is a placeholder: labNN/suite.c, FOLDER/points.csv. torch.x_y and thrust::x_y are names of others.

BEGIN {
    extension = "[.](c|h|cu|cuh|S|awk|sh|mk|jq|gp|tsv|csv|md|def|map|txt|profile|json|png)$"
    while ((getline path < "-") > 0) {
        add_path(path)
        if (path ~ /^\//)
            continue
        if (path ~ /[.](c|h|cu|cuh|S|def|map)$/ || path ~ /simcc\/include\//)
            language[path] = "c"
        else if (path ~ /[.](sh|awk|mk|jq|gp|yml)$/ || path ~ /Makefile$/)
            language[path] = "shell"
        else if (path ~ /[.]md$/)
            language[path] = "page"
        else if (path ~ /(^labs\/calls.txt|\/(mistakes|wrong\/[^\/]*|right\/[^\/]*))$/)
            language[path] = "names"
        else
            continue
        ARGV[ARGC++] = path
    }
}

# The path, its folders, each with any folders before it or none, and without its extension.
function add_path(path,    n, part, i, rest) {
    sub(/^[.]\//, "", path)
    n = split(path, part, "/")
    rest = path
    for (i = 1; i <= n; i++) {
        is_file[rest] = is_word[part[i]] = 1
        sub(/^lab[0-9][0-9]_/, "", part[i])
        sub(/[.][a-z]*$/, "", part[i])
        is_word[part[i]] = 1
        sub(/^[^\/]*\//, "", rest)
    }
}

function add_code(text,    n, word, i) {
    gsub(/[^A-Za-z0-9_.\/-]+/, " ", text)
    n = split(text, word, " ")
    for (i = 1; i <= n; i++)
        if (word[i] ~ extension) {
            is_file[word[i]] = 1
            sub(/.*\//, "", word[i])
            is_file[word[i]] = 1
        }
    gsub(/[.\/-]/, " ", text)
    n = split(text, word, " ")
    for (i = 1; i <= n; i++)
        is_word[word[i]] = 1
}

function note(name) {
    noted[++n_noted] = name
    place[n_noted] = FILENAME ":" FNR
}

function add_comment(text,    n, word, i, k, m, piece) {
    gsub(/https?:[^ )]*|(torch|thrust)[.:][A-Za-z_.:(=]*/, "", text)
    gsub(/[^A-Za-z0-9_.\/*$<>{}%-]+/, " ", text)
    n = split(text, word, " ")
    for (i = 1; i <= n; i++) {
        if (word[i] ~ /^\/|[*$<>{}%]/)
            continue
        gsub(/^([.]+\/)+|[.\/-]+$/, "", word[i])
        if (word[i] ~ extension) {
            if (word[i] !~ /^(.*\/)?[a-z][.][a-z]*$/ && word[i] !~ /^build\/|[A-Z][A-Z].*\/|[A-Z][A-Z].*[.][^m][a-z]*$/)
                note(word[i])
            continue
        }
        m = split(word[i], piece, /[.\/]/)
        for (k = 1; k <= m; k++)
            if ((piece[k] ~ /^[a-z][A-Za-z0-9]*_[A-Za-z0-9_]*[A-Za-z0-9]$/ && piece[k] !~ /NN|NAME|_[A-Z]$/) ||
                (kind == "c" && piece[k] ~ /^[A-Z][A-Z0-9]+_[A-Z0-9_]*[A-Z0-9]$/ && piece[k] !~ /^CU(DA)?_|NN|NAME/))
                note(piece[k])
    }
}

FNR == 1 { in_comment = fenced = 0; kind = language[FILENAME] }

kind == "page" {
    if (/^ *```/)
        fenced = !fenced
    else if (fenced)
        add_code($0)
    else
        add_comment($0)
}

kind == "names" { add_code($0) }

kind == "shell" {
    if (match($0, /(^|[ \t])#( |$)/)) {
        add_comment(substr($0, RSTART))
        $0 = substr($0, 1, RSTART)
    }
    add_code($0)
}

kind == "c" {
    text = $0
    while (text != "")
        if (in_comment) {
            at = index(text, "*/")
            add_comment(at ? substr(text, 1, at - 1) : text)
            in_comment = !at
            text = at ? substr(text, at + 2) : ""
        } else if (match(text, /"([^"\\]|\\.)*"|'([^'\\]|\\.)*'|\/[*]|\/\//)) {
            found = substr(text, RSTART, RLENGTH)
            add_code(substr(text, 1, RSTART - 1) (found ~ /^\// ? "" : found))
            text = substr(text, RSTART + RLENGTH)
            in_comment = found == "/*"
            if (found == "//") {
                add_comment(text)
                text = ""
            }
        } else {
            add_code(text)
            text = ""
        }
}

END {
    for (i = 1; i <= n_noted; i++)
        if (!(noted[i] in is_file) && !(noted[i] in is_word))
            print place[i] ": there is no " noted[i]
    if (!n_noted)
        print "no name was found"
}
