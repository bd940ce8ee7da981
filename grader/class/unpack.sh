#!/bin/bash
# unpack.sh ARCHIVE FOLDER: unpacks a zip or tar archive. FOLDER appears when it is complete. If the archive is refused,
# one sentence on stdout says why and what to do next, and the status is 1.
#
# An archive is hostile until proved otherwise. unzip and tar run in the jail of compilers (grader/compile), so they write
# below one folder only. They have 20 seconds, and files of 64 MiB at most.
set -u -o pipefail
export LC_ALL=C.UTF-8
# shellcheck source=grader/labs/take.sh
. grader/labs/take.sh
archive=$1 to=$2 most_mib=64 most_files=2000
refuse() {
    echo "$*"
    exit 1
}
again='Next: have it packed again, as zip or tar.gz'

mkdir -p "$(dirname "$to")" && work=$(mktemp -d "$to.XXXXXX") || refuse "there is no room for its files. Next: free some space"
trap 'rm -rf -- "$work"' EXIT
mkdir "$work/in" "$work/out" && take_copy "$archive" "$work/in/archive" $((most_mib << 20)) ||
    refuse "it could not be read or copied. Next: chmod u+r on it, or free some space"

# jailed SCRIPT: in the folder out, with the archive as $1; its words go to $work/words
jailed() {
    timeout 30 build/grader/compile -r "$work/in" -w "$work/out" -s 20 -m 1024 -- \
        bash -c "ulimit -f $((most_mib * 1024)); cd \"\$2\" && $1" bash "$work/in/archive" "$work/out" 2>"$work/words"
}

# First its names, one in each line, and the size of all files: list/names, list/size
case $(od -An -tx1 -N3 "$work/in/archive" | tr -d ' ') in
    504b*) kind=zip ;;
    1f8b*) kind=tar filter='gzip -dc' ;;
    425a68) kind=tar filter='bzip2 -dc' ;;
    fd377a) kind=tar filter='xz -dc' ;;
    *) kind=tar filter=cat ;;
esac
if [ $kind = zip ]; then
    command -v unzip >/dev/null || refuse 'unzip is not installed. Next: apt-get install unzip, and repeat the command'
    jailed 'unzip -Z1 "$1" | head -c 1000000 >names; unzip -Zt "$1" | grep -oE "[0-9]+ bytes uncompressed" | cut -d" " -f1 >size'
    unpack='unzip -qq -o -P "" "$1"'
else
    jailed "$filter <\"\$1\" | head -c ${most_mib}M >tar; stat -c %s tar >size; tar -tf tar >names || touch broken"
    unpack='tar -xf "${1%/*}/list/tar" --no-same-owner --no-same-permissions'
fi
mv "$work/out" "$work/in/list" && mkdir "$work/out" && cd "$work/in/list" || refuse 'there is no room for its files. Next: free some space'
[ "$(cat size)" ] && [ "$(cat size)" -ge $((most_mib << 20)) ] && refuse "it holds more than $most_mib MiB. Next: hand in only the source files"
[ -s names ] && [ -s size ] || refuse "it is broken, or no archive. $again"
! grep -qE '^/|^[A-Za-z]:|(^|[/\])\.\.([/\]|$)' names || refuse 'it has names that lead out of its folder. Next: have it packed again inside of the folder'
[ "$(wc -l <names)" -le $most_files ] || refuse "it has more than $most_files files. Next: hand in only the folders of the labs"
[ ! -e broken ] || refuse "it is broken. $again"
cd "$OLDPWD" || exit 1

jailed "$unpack" </dev/null || refuse "it could not be unpacked, perhaps for a password. $again"
chmod -R u+rwX "$work/out" && { mv -T -- "$work/out" "$to" 2>/dev/null || [ -d "$to" ]; } || refuse 'there is no room for its files. Next: free some space'
