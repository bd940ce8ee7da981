# waits.awk: the functions of adapters, and of what they share, that call the runtime so that the host waits for the
# device or learns whether it is done: file and function.
FNR == 1 { inside = "" }
/^[a-z].*\(/ && !/;$/ { inside = $0; sub(/\(.*/, "", inside); sub(/.*[ *]/, "", inside) }
/^COUNT_HOST_WAIT/ { next }
{
    line = $0
    while (match(line, /cuda((Device|Stream|Event)Synchronize|(Stream|Event)Query|Memcpy(2D|3D|ToSymbol|FromSymbol)?|Memset(2D|3D)?|Free(Host|Array)?|HostUnregister|DeviceReset)\(/)) {
        call = substr(line, RSTART, RLENGTH - 1)
        line = substr(line, RSTART + RLENGTH)
        if (inside != call && !seen[FILENAME, inside]++) # a function of that name stands between it and the submission
            print FILENAME "\t" inside
    }
}
