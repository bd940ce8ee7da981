# help.awk: of the text of make help, on stdin, the lines on what there is. absent: the goals that this copy lacks, between spaces.
/^  (make|\.\/grade) / {
    goal = $2
    sub(/,$/, "", goal)
    here = !index(absent, " " goal " ")
}
/^[^ ]/ { here = 1 }
absent ~ /[a-z]/ && /KNOWN=/ { next }
/^[^ ].*:$/ { heading = $0; next }
/^$/ { blank = 1; next }
here {
    if (blank) print ""
    if (heading && /^ /) print heading "\n"
    print
    blank = 0
    heading = ""
}
