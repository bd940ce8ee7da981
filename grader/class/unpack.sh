#!/bin/bash
# unpack.sh ARCHIVE FOLDER BYTES: unpacks an archive of any kind that bsdtar reads: zip, tar with any compression, 7z, rar.
# FOLDER appears when it is complete; FOLDER.bytes has the number of bytes that it took. If the archive is refused, one
# sentence on stdout says why and what to do next, and the status is 1.
#
# An archive is hostile until proved otherwise. It is unpacked in the jail of compilers (grader/compile), which writes below
# one folder only and has 20 seconds. bsdtar makes a plain tar archive of it, and no more than BYTES of that are kept,
# whatever sizes the archive claims to have. That is listed, and then unpacked.
set -u -o pipefail
export LC_ALL=C.UTF-8
archive=$1 to=$2 most=$3 most_files=2000
refuse() {
    echo "$*"
    exit 1
}
again='Next: have it packed again, as zip or tar.gz'
no_room='there is no room for its files. Next: free some space'
command -v bsdtar >/dev/null || refuse 'bsdtar is not installed. Next: apt-get install libarchive-tools, and repeat the command'

mkdir -p "$(dirname "$to")" && work=$(mktemp -d "$to.XXXXXX") || refuse "$no_room"
trap 'rm -rf -- "$work"' EXIT
mkdir "$work/in" "$work/out" && cp -- "$archive" "$work/in/archive" || refuse "$no_room"

deps=() # where a set-up without root has put bsdtar
[ ! -e build/deps ] || deps=(-r build/deps)
# jailed SCRIPT ARGUMENT...: in the folder out; its words go to $work/words
jailed() {
    timeout 30 build/grader/compile -r "$work/in" "${deps[@]}" -w "$work/out" -s 20 -m 1024 -- \
        bash -c "ulimit -f $((most / 1024 + 1)); cd \"\$1\" && $1" bash "$work/out" "${@:2}" 2>"$work/words" </dev/null
}

# (-P: newer ones would correct names that lead out)
jailed 'bsdtar -P --format gnutar -cf - "@$2" | head -c "$3" >tar; echo "${PIPESTATUS[0]}" >status' "$work/in/archive" $((most + 1))
mv "$work/out" "$work/in/list" && mkdir "$work/out" && cd "$work/in/list" || refuse "$no_room"
! grep -qi passphrase "$work/words" || refuse "it has a password. $again, without one"
[ -s tar ] && [ -s status ] || refuse "it is broken, or no archive. $again"
[ "$(stat -c %s tar)" -le "$most" ] || refuse "it holds more than $((most >> 20)) MiB. Next: hand in only the source files"
# a name that this machine cannot write is no reason to refuse the others
[ "$(cat status)" = 0 ] || grep -qi "pathname can.t be\|can.t translate" "$work/words" || refuse "it is broken, or no archive. $again"
cd "$OLDPWD" || exit 1
jailed 'tar -tf "$2" >names' "$work/in/list/tar" || refuse "it is broken. $again"
[ "$(wc -l <"$work/out/names")" -gt 0 ] || refuse "it is broken, or no archive. $again"
! grep -qE '^/|^[A-Za-z]:|(^|[/\])\.\.([/\]|$)' "$work/out/names" || refuse 'it has names that lead out of its folder. Next: have it packed again inside of the folder'
[ "$(wc -l <"$work/out/names")" -le $most_files ] || refuse "it has more than $most_files files. Next: hand in only the folders of the labs"
rm -- "$work/out/names"

jailed 'tar -xf "$2" --no-same-owner --no-same-permissions' "$work/in/list/tar" || refuse "it could not be unpacked. $again"
stat -c %s "$work/in/list/tar" >"$to.bytes"
chmod -R u+rwX "$work/out" && { mv -T -- "$work/out" "$to" 2>/dev/null || [ -d "$to" ]; } || refuse "$no_room"
