# awk -f links.awk PAGE...: links that lead nowhere: to a file that is not there, or to a heading that its page does not have.
#
# Links in fenced and in indented blocks and to other sites are not read. A page that is linked with a heading must be one of PAGE.

# path, seen from the folder of page, without .. and .
function resolved(page, path,    n, part, i, k, kept) {
    sub(/[^\/]*$/, "", page)
    n = split(page path, part, "/")
    for (i = 1; i <= n; i++)
        if (part[i] == "..") k--
        else if (part[i] != ".") kept[++k] = part[i]
    path = kept[1]
    for (i = 2; i <= k; i++) path = path "/" kept[i]
    return path
}

FNR == 1 { fenced = 0 }
/^```/ { fenced = !fenced }
fenced || /^    / { next }

# as GitHub names a heading: small letters, hyphens for spaces, no other signs
/^##* / {
    heading = tolower($0)
    sub(/^#+ /, "", heading)
    gsub(/[^a-z0-9_ -]/, "", heading)
    gsub(/ /, "-", heading)
    has[FILENAME "#" heading]
}

{
    while (match($0, /\]\([^) ]+/)) {
        link = substr($0, RSTART + 2, RLENGTH - 2)
        $0 = substr($0, RSTART + RLENGTH)
        if (link ~ /^https?:/) continue
        to[++n] = link ~ /^#/ ? FILENAME link : resolved(FILENAME, link)
        from[n] = FILENAME ":" FNR ": " link
    }
}

END {
    for (i = 1; i <= n; i++) {
        split(to[i], part, "#")
        if (!(part[1] in absent))
            absent[part[1]] = system("test -e '" part[1] "'")
        if (absent[part[1]] || (part[2] && !(to[i] in has)))
            print from[i]
    }
    if (!n) print "no page has a link"
}
