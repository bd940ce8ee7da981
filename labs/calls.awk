# awk -f calls.awk calls.txt SOURCES: writes CALLS.md, the map of the runtime's calls.
#
# SOURCES are calls.def, which lists the calls that the simulated device models, error.c, which has those about errors,
# and programs of labs and myths. test_call_map compares; make calls writes the page.
BEGIN {
    most[0] = 4 # labs, and programs of labs/myths, that a row names
    most[1] = 2
    print "# The calls of the CUDA runtime: what each is for, and where you use it"
    print ""
    print "This page lists the calls of the runtime about streams, events, capture, graphs, memory, priorities and devices. Where a"
    print "lab or a program of [common claims](MYTHS.md) or [more subjects](MORE.md) uses a call, the page links it. Calls marked *real GPU"
    print "only* are not simulated: they return `cudaErrorNotSupported` on the simulated device. A call without a version is in CUDA 12.4"
    print "already; the versions are those whose headers first declare a call. Calls of CUDA 13.1 and later, and `cudaMemcpy3DBatchAsync`,"
    print "are simulated as NVIDIA documents them; no GPU has been asked. CUDA 13.5 announces that the typed node calls, such as"
    print "`cudaGraphAddKernelNode`, will be deprecated ([generic calls](MORE.md#news-of-cuda-131-to-135)). NVIDIA's"
    print "[reference](https://docs.nvidia.com/cuda/cuda-runtime-api/index.html) has parameters and errors."
}
FILENAME ~ /calls[.]txt$/ {
    if (/^# [A-Z].*[a-z]$/ && header_ended) {
        lines[++n] = "\n## " substr($0, 3) "\n\n| call | what it is for | where |\n| --- | --- | --- |"
    } else if (/^cuda/) {
        name[++n] = $1
        text = substr($0, length($1) + 3)
        if (text ~ /^since /) {
            split(text, word, " ")
            since[$1] = word[2]
            text = substr(text, length("since " word[2]) + 3)
        }
        purpose[$1] = text
    } else if ($0 == "")
        header_ended = 1
    next
}
FILENAME ~ /(calls[.]def|error[.]c)$/ {
    while (match($0, /cuda[A-Z][A-Za-z0-9_]*/)) {
        simulated[substr($0, RSTART, RLENGTH)] = 1
        $0 = substr($0, RSTART + RLENGTH)
    }
    next
}
FNR == 1 {
    n_parts = split(FILENAME, part, "/")
    if (FILENAME ~ /myths\//) {
        place = part[n_parts]
        sub(/[.].*/, "", place)
        sub(/_kernels$/, "", place)
        place = "[`" place "`](myths/" place ".c)"
    } else
        place = "[" substr(part[n_parts - 1], 4, 2) "](" part[n_parts - 1] "/README.md)"
}
{
    sub(/[/][/].*|^ [*].*|[/][*].*/, "") # comments
    while (match($0, /cuda[A-Z][A-Za-z0-9_]*/)) {
        call = substr($0, RSTART, RLENGTH)
        $0 = substr($0, RSTART + RLENGTH)
        if (!((call, place) in seen)) {
            seen[call, place] = 1
            if (++n_places[call, place ~ /myths/] <= most[place ~ /myths/])
                where[call] = where[call] (where[call] == "" ? "" : ", ") place
            else
                sub(/(, …)?$/, ", …", where[call])
        }
    }
}
END {
    for (i = 1; i <= n; i++) {
        if (i in lines) {
            print lines[i]
            continue
        }
        call = name[i]
        at = where[call]
        if (!(call in simulated))
            at = at (at == "" ? "" : ", ") "*real GPU only*"
        print "| `" call "` | " purpose[call] (call in since ? " (CUDA " since[call] ")" : "") " | " at " |"
    }
}
