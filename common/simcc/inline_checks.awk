# inline_checks.awk [PLAIN=file WANTED=file] SUM=number FILE.s FILE.s: the assembly of a program that reports its loads and stores by calls of __tsan_read4 and the
# like. Host code gets a comparison in place of each call: an address from simgpu_host.watched on is of no interest, and that
# is 0 unless work is pending (kernel/host_record.h). Below it, the access marks its bytes if its window is open, and calls
# if not. This moves to the end of its function.
#
# The compiler keeps no floating-point value in a register across a call: it stores the value before and loads it after.
# The comparison changes no such register, so a load directly behind it is left out, and moves to the call.
#
# A function that has a loop, and calls nothing that could enqueue work, asks once: if nothing is pending at its beginning,
# it goes on as the function of PLAIN, a program without these calls. WANTED lists these functions (second_build.awk).

function is_harmless(name) {
    return name ~ /^__tsan_(unaligned_)?(read|write)(_range|[0-9]+)$/ ||
           name ~ /^(mem(cpy|move|set|cmp)|a?(sin|cos|tan)h?f?|(sqrt|exp2?|log(2|10)?|pow|fabs|fmod?|floor|ceil|round|trunc|hypot)f?|rand)$/
}

# The number of the n-th access of this program: no other of its slot has the same. Nor has one of another program, which has
# another checksum (SUM).
function site_of(n) { return (SUM + int(n / SLOTS) * 40503) % 16777216 * SLOTS + n % SLOTS }

# The access of so many bytes at %rdi, marked if the site has opened a window with them in its slot (struct host_record); else to
# a call.
function mark(bytes, site,  slot, to) {
    slot = site % SLOTS
    to = 16 * SLOTS + (1048576 + 64) * slot "(%rcx,%rax)\n"
    return (has_slots ? "" : load_slots) "\tmovabsq\t$" site "<<32, %rax\n\taddq\t%rdi, %rax\n\taddq\t(%rdx), %rax\n\tsubq\t" 16 * slot "(%rcx), %rax\n\tcmpq\t%rax, 8+" 16 * slot "(%rcx)\n" \
           "\tjb\t.Lsimgpu_call" n "\n\tmov" size[bytes > 8 ? 8 : bytes] "\t$-1, " to (bytes > 8 ? "\tmovq\t$-1, 8+" to : "")
}

BEGIN {
    SLOTS = 64
    load_slots = "\tmovq\tsimgpu_windows@gottpoff(%rip), %rcx\n\tmovq\tsimgpu_host@GOTPCREL(%rip), %rdx\n\tmovq\t%fs:(%rcx), %rcx\n"
    size[1] = "b"; size[2] = "w"; size[4] = "l"; size[8] = "q"
    while (PLAIN != "" && (getline line <PLAIN) > 0)
        if (line ~ /^\t\.type\t.*@function/ && split(line, part, /[\t, ]+/))
            is_plain[part[3]] = 1
}

function forget() { split("", held); split("", move) }
# the values that lie in register r, or at an overlapping place of the stack, are others from now on
function forget_register(r,  at) { for (at in held) if (held[at] == r) delete held[at] }
function forget_place(to,  at) { for (at in held) if (at - to < 16 && to - at < 16) delete held[at] }
function is_move(how) { return how ~ /^mov(ss|sd|aps)$/ }
function is_place(operand) { return operand ~ /^-?[0-9]*\(%rsp\),?$/ }

FNR == NR {
    if (/^[^ \t.#][^ \t]*:/) {
        name = substr($1, 1, length($1) - 1)
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
    next
}

# kernels report each access
/^[^ \t.#][^ \t]*:/ {
    is_kernel = /simgpu_(body_|global_function)/
    name = substr($1, 1, length($1) - 1)
    asks = !is_kernel && has_loop[name] && accesses[name] && !is_busy[name] && name in is_plain && name !~ /\./
}
/^\t\.cfi_startproc/ && asks {
    print name >WANTED
    print $0 "\n\tmovq\tsimgpu_host@GOTPCREL(%rip), %rax\n\tcmpq\t$0, 8(%rax)\n\tje\t" name ".plain"
    next
}

/^\tcall\t\*__tsan_(read|write)[0-9]+@GOTPCREL/ && !is_kernel {
    n++
    name = $2
    gsub(/^\*__tsan_|@.*/, "", name)
    bytes = name
    sub(/[a-z]+/, "", bytes)
    bytes += 0 # it was text: "16" < "8"
    if (asks) {
        printf "%s\tcmpq\t%%rdi, 8(%%rdx)\n\tjbe\t.Lsimgpu_go_on%d\n", has_slots ? "" : load_slots, n
        has_slots = 1
        printf "%s", mark(bytes, site_of(n))
    } else {
        print "\tmovq\tsimgpu_host@GOTPCREL(%rip), %rax\n\tcmpq\t%rdi, 8(%rax)\n\tja\t.Lsimgpu_check" n
        late = late ".Lsimgpu_check" n ":\n" mark(bytes, site_of(n)) "\tjmp\t.Lsimgpu_go_on" n "\n"
    }
    print ".Lsimgpu_go_on" n ":"
    late = late ".Lsimgpu_call" n ":\n"
    late = late "\tleaq\t.Lsimgpu_go_on" n "(%rip), %rsi\n\tmovl\t$" site_of(n) ", %edx\n"
    late = late "\tcall\t*simgpu_" name "@GOTPCREL(%rip)\n"
    for (at in held)
        late = late "\t" move[at] "\t" at "(%rsp), " held[at] "\n"
    if (asks)
        late = late load_slots
    late = late "\tjmp\t.Lsimgpu_go_on" n "\n"
    next
}

/^\t\.cfi_endproc/ { printf "%s", late; late = ""; forget(); print; next }
# (no jump leads to the labels of debug information)
/^\.L(VL|BB|BE|BI|EHB|EHE)[0-9]+:/ { print; next }
/^[^\t]*:/ { forget(); has_slots = 0; print; next }
/^\t\./ || NF == 0 { print; next }

# (%rcx and %rdx keep what load_slots has put there)
/%[er]?[cd][xlh]/ || $1 !~ /^(mov|lea|add|sub|inc|dec|neg|not|p?x?or|p?and|s[ah][lr]|cmp[bwlqsp]|test|set|cvt|(mul|div|sqrt|unpck)[sp][sd]|u?comi|j)/ { has_slots = 0 }

# a value is stored
is_move($1) && $2 ~ /^%xmm[0-9]+,$/ && is_place($3) {
    forget_place($3 + 0)
    held[$3 + 0] = substr($2, 1, length($2) - 1)
    move[$3 + 0] = $1
    print
    next
}

# and loaded again
is_move($1) && is_place($2) && $3 ~ /^%xmm/ && ($2 + 0) in held && move[$2 + 0] == $1 {
    from = held[$2 + 0]
    if (from == $3)
        next
    forget_register($3)
    print "\tmovaps\t" from ", " $3
    next
}

# inline assembly
/^#/ { forget() }
$1 ~ /^(call|jmp|ret|push|pop|leave|enter|vzero)/ || $NF ~ /%[er]?[sb]p/ { forget() }
$NF ~ /^%[xyz]mm[0-9]+$/ { forget_register("%xmm" substr($NF, 5)) }
{ print }
