# second_build.awk NAMES=file WANTED=file FILE.s FILE.s: of the assembly of a program without records, what is added to the object with
# records. The functions become local ones named f.plain, which call each other. Addresses of functions and all variables
# are those of the other object: their names are weak here, and listed in NAMES. Nothing runs at program start.
# A table has the loop over a block's threads of each kernel: with records, without. (Not with KERNELS=no.) The other object
# goes on at those of the functions that WANTED lists.

function is_dotted(name) { return name ~ /\./ }
function plain(name) { return name in is_function ? name ".plain" : name }

FNR == NR {
    if ($1 == ".type") {
        sub(/,$/, "", $2)
        if ($3 == "@function") is_function[$2] = 1; else is_object[$2] = 1
    } else if ($1 == ".section" && $2 ~ /,comdat$/)
        in_group[part[split($2, part, ",") - 1]] = 1
    else if ($1 == ".set" && split($2, part, ",") == 2 && part[2] in is_function)
        is_function[part[1]] = 1
    next
}

$1 == ".section" || $1 ~ /^\.(text|data|bss)$/ { is_left_out = $2 ~ /^\.(init_array|ctors)/ }
is_left_out { next }

/^[^ \t#.][^ \t]*:/ { name = substr($1, 1, length($1) - 1); print plain(name) ":"; next }
$1 ~ /^\.(globl|weak|hidden|internal)$/ && $2 in is_function { next }
$1 == ".globl" { print "\t.weak\t" $2; next }
$1 == ".type" || $1 == ".size" {
    name = $2
    sub(/,.*/, "", name)
    if (name in is_function) {
        print $1 == ".type" ? "\t.type\t" plain(name) ", @function" : "\t.size\t" plain(name) ", .-" plain(name)
        next
    }
}
$1 == ".section" && $2 ~ /,comdat$/ { # of a group that other objects have, too
    n = split($2, part, ",")
    if (!(part[n - 1] in is_object)) {
        sub(/G/, "", part[2])
        $2 = part[1]
        for (i = 2; i < n - 1; i++)
            $2 = $2 "," part[i]
        print "\t.section\t" $2
        next
    }
}
$1 == ".set" && split($2, part, ",") == 2 && part[1] in is_function { print "\t.set\t" plain(part[1]) "," plain(part[2]); next }
$1 ~ /^(call|j[a-z]+)$/ {
    name = $2
    at = sub(/@PLT$/, "", name) ? "@PLT" : ""
    print "\t" $1 "\t" plain(name) at
    next
}
$1 !~ /^\.(string|ascii|asciz)/ && /[A-Za-z0-9_]\./ { # what the compiler has split off from a function is in one object alone
    rest = $0
    line = ""
    while (match(rest, /[A-Za-z_$][A-Za-z0-9_.$]*/)) {
        name = substr(rest, RSTART, RLENGTH)
        line = line substr(rest, 1, RSTART - 1) (is_dotted(name) ? plain(name) : name)
        rest = substr(rest, RSTART + RLENGTH)
    }
    print line rest
    next
}
{ print }

END {
    for (name in is_function)
        if (!is_dotted(name)) {
            print "\t.weak\t" name "\n\t.set\t" name "," plain(name)
            print name >NAMES
        }
    for (name in is_object)
        if (!is_dotted(name) && !(name in in_group)) {
            print "\t.weak\t" name
            print name >NAMES
        }
    for (name in is_function)
        if (KERNELS != "no" && name ~ /^_ZN22simgpu_global_function.*E3runEPKPv$/)
            print "\t.section simgpu_plain,\"aw\"\n\t.balign 8\n\t.quad\t" name "\n\t.quad\t" plain(name)
    while ((getline name <WANTED) > 0)
        print "\t.globl\t" plain(name)
    print "\t.section .note.GNU-stack,\"\",@progbits"
}
