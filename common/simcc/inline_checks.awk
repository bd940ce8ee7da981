# inline_checks.awk [PLAIN=file WANTED=file] FILE.s FILE.s: the assembly of a program that reports its loads and stores by calls of __tsan_read4 and the
# like. Host code gets a comparison in place of each call: an address from simgpu_watched on is of no interest, and that
# is 0 unless work is pending (kernel/host_record.h). The call itself moves to the end of its function.
#
# The compiler keeps no floating-point value in a register across a call, but on the stack. A comparison changes no such
# register: one that the function does not use holds the value, and calls find it on the stack. (Its callers expect that it
# changes any register, because it calls functions that the compiler does not know.)
#
# A function that has a loop, and calls nothing that could enqueue work, asks once: if nothing is pending at its beginning,
# it goes on as the function of PLAIN, a program without these calls. WANTED lists these functions (second_build.awk).

function is_harmless(name) {
    return name ~ /^__tsan_(unaligned_)?(read|write)(_range|[0-9]+)$/ ||
           name ~ /^(mem(cpy|move|set|cmp)|a?(sin|cos|tan)h?f?|(sqrt|exp2?|log(2|10)?|pow|fabs|fmod?|floor|ceil|round|trunc|hypot)f?|rand)$/
}

BEGIN {
    while (PLAIN != "" && (getline line <PLAIN) > 0)
        if (line ~ /^\t\.type\t.*@function/ && split(line, part, /[\t, ]+/))
            is_plain[part[3]] = 1
}

function is_place(operand) { return operand ~ /^[0-9]*\(%rsp\),?$/ }
function is_store() { return is_place($3) && ($1 ~ /^movs[sd]$/ && $2 ~ /^%xmm/ || $1 ~ /^mov[lq]$/ && $2 ~ /^\$(0x0+|0),$/) }
function is_load() { return is_place($2) && $1 ~ /^((mov|add|sub|mul|div|sqrt|max|min)s|u?comis)[sd]$|^cvtt?s[sd]2/ }
function place() { match($0, /[0-9]*\(%rsp/); return substr($0, RSTART) + 0 }
function cover(at, bytes, times,  i) { for (i = 0; i < bytes; i++) covers[name, at + i] += times }

# a line names the stack: as a place of one scalar value, or in another way
function note_stack(  at, bytes) {
    is_odd[name] = is_odd[name] || $1 ~ /^lea|^xchg/ || !/[ \t,][0-9]*\(%rsp\)/
    at = place()
    bytes = $1 ~ /^cvtt?sd|^[^c].*sd$|^comisd$|^movq$/ ? 8 : 4
    if (!is_store() && !is_load() || width[name, at] && width[name, at] != bytes) {
        cover(at, /%[xyz]mm/ ? 64 : 16, 2)
        return
    }
    is_set[name, at] = is_set[name, at] || is_store()
    if (!width[name, at]) {
        places[name] = places[name] " " at
        cover(at, width[name, at] = bytes, 1)
    }
}

function note_line(  rest) {
    if ($1 == "subq" && $3 == "%rsp") {
        is_odd[name] = is_odd[name] || frame[name]
        frame[name] = substr($2, 2) + 0
    } else if ($1 ~ /^push/ && frame[name] || /^#APP/ || /setjmp/)
        is_odd[name] = 1
    else if (/%rsp/ && !/^\t(addq|pop|\.)/)
        note_stack()
    for (rest = $0; match(rest, /mm(8|9|1[0-5])/); rest = substr(rest, RSTART + RLENGTH))
        uses[name, substr(rest, RSTART + 2, RLENGTH - 2)] = 1
}

# the registers of the function's places
function assign(  i, n, at, b, part, is_good, k) {
    split("", register)
    split("", move)
    k = 8
    n = is_odd[name] || is_kernel || !accesses[name] ? 0 : split(places[name], part, " ")
    for (i = 1; i <= n; i++) {
        at = part[i] + 0
        is_good = is_set[name, at] && at < frame[name]
        for (b = 0; b < width[name, at]; b++)
            is_good = is_good && covers[name, at + b] == 1
        while ((name, k) in uses)
            k++
        if (is_good && k < 16) {
            move[at] = width[name, at] == 8 ? "movsd" : "movss"
            register[at] = "%xmm" k++
        }
    }
}
function saves(  at, text) { for (at in move) text = text "\t" move[at] "\t" register[at] ", " at "(%rsp)\n"; return text }
function loads(  at, text) { for (at in move) text = text "\t" move[at] "\t" at "(%rsp), " register[at] "\n"; return text }
# the name of a function, of which a part may lie elsewhere
function function_name(label) { sub(/(\.cold)?:$/, "", label); return label }

FNR == NR {
    note_line()
    if (/^[^ \t.#][^ \t]*:/) {
        name = function_name($1)
        split("", is_behind)
    } else if (/^\./)
        is_behind[substr($1, 1, length($1) - 1)] = 1
    else if ($1 == "call") {
        called = $2
        gsub(/^\*|@.*/, "", called)
        accesses[name] += called ~ /^__tsan_/
        is_busy[name] = is_busy[name] || !is_harmless(called)
    } else if ($1 ~ /^(notrack|jmp)$/ && $2 !~ /^\.L/)
        is_busy[name] = 1
    if ($1 ~ /^j/ && $2 in is_behind)
        has_loop[name] = 1
    if ($1 == ".uleb128" && $2 ~ /^\.L[0-9]+-\.LFB/ && split($2, part, "-"))
        is_pad[part[1] ":"] = 1
    next
}

# kernels report each access
/^[^ \t.#][^ \t]*:/ {
    is_kernel = /simgpu_(body_|global_function)/
    name = function_name($1)
    assign()
    asks = !is_kernel && $1 !~ /\.cold:/ && has_loop[name] && accesses[name] && !is_busy[name] && name in is_plain && name !~ /\./
}
/^\t\.cfi_startproc/ && asks {
    asks = 0
    print name >WANTED
    print $0 "\n\tmovq\tsimgpu_watched@GOTPCREL(%rip), %rax\n\tcmpq\t$0, (%rax)\n\tje\t" name ".plain"
    next
}

/^\tcall\t\*__tsan_(read|write)[0-9]+@GOTPCREL/ && !is_kernel {
    n++
    print "\tmovq\tsimgpu_watched@GOTPCREL(%rip), %rax\n\tcmpq\t%rdi, (%rax)\n\tja\t.Lsimgpu_call" n "\n.Lsimgpu_go_on" n ":"
    sub(/__tsan_/, "simgpu_", $2)
    late = late ".Lsimgpu_call" n ":\n" saves() "\tleaq\t.Lsimgpu_go_on" n "(%rip), %rsi\n\tcall\t" $2 "\n"
    late = late loads() "\tjmp\t.Lsimgpu_go_on" n "\n"
    next
}

/^\t\.cfi_endproc/ { printf "%s", late; late = "" }
/^\tcall/ { print saves() $0; printf "%s", loads(); next }
$0 in is_pad { print; printf "%s", loads(); next }

/\(%rsp\)/ && place() in register {
    if (is_store())
        $0 = $1 ~ /^mov[lq]/ ? "\tpxor\t" register[place()] ", " register[place()] : "\tmovaps\t" $2 " " register[place()]
    else if ($1 ~ /^mov/)
        $0 = "\tmovaps\t" register[place()] ", " $3
    else
        sub(/[0-9]*\(%rsp\)/, register[place()])
}
{ print }
