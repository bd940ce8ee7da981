# get.sh: gets what is missing: packages of Debian, and wheels from PyPI; setup.sh reads it.

# give_up WHAT: the end of the log, what most likely went wrong, and what to do
give_up() {
    local free
    free=$(df -Pm build | tail -n 1 | sed -E 's/.* ([0-9]+) +[0-9]+%.*/\1/')
    tail -n 8 "$log" | cut -c 1-180 | sed 's/^/    /' >&2
    say "$1"
    if [ "$free" -lt 10 ] || grep -qiE 'no space left|not enough free space|disk quota' "$log"; then
        say "the disk is full ($free MB free here): make room, then run make again"
    elif grep -qiE 'could not get lock|unable to lock' "$log"; then
        say "another program is installing packages: let it finish, then run make again"
    elif grep -qi 'certificate verify failed' "$log"; then
        say "the package server's certificate is not trusted here: behind a proxy of your own, set REQUESTS_CA_BUNDLE to its certificates"
    elif grep -qiE 'resolv|failed to fetch|connection|network is unreachable|timed out|proxy|no release file' "$log"; then
        say "the package server could not be reached: check the network (or its proxy), then run make again"
    elif grep -qiE 'unable to locate package|no installation candidate' "$log"; then
        say "apt does not know this package: on Ubuntu the component universe must be enabled"
    fi
    say "the complete output is in build/setup.log"
    exit 1
}

# apt_install COMMAND...: COMMAND is apt-get, or sudo apt-get
apt_install() {
    local install=("$@" -y -o DPkg::Lock::Timeout=120 -o Acquire::Retries=2 --no-install-recommends install "${packages[@]}")
    local update=("$@" -o DPkg::Lock::Timeout=120 -o Acquire::Retries=2 update)
    say "running: $* install --no-install-recommends ${packages[*]}"
    export DEBIAN_FRONTEND=noninteractive
    if [ -z "$(find /var/lib/apt/lists -maxdepth 1 -name '*_Packages*' -print -quit 2>/dev/null)" ]; then
        say "running: $* update   (apt has no package lists yet)"
        "${update[@]}" </dev/null >>"$log" 2>&1 || give_up "apt-get update failed"
        "${install[@]}" </dev/null >>"$log" 2>&1 || give_up "apt-get install failed"
    elif ! "${install[@]}" </dev/null >>"$log" 2>&1; then
        ! grep -q 'Could not get lock' "$log" || give_up "apt-get install failed"
        say "that failed; running: $* update   (the package lists may be old), then once more"
        "${update[@]}" </dev/null >>"$log" 2>&1 || give_up "apt-get update failed"
        "${install[@]}" </dev/null >>"$log" 2>&1 || give_up "apt-get install failed"
    fi
}

# unpack_packages: the same packages, and those they need that are not installed, under build/deps/root
unpack_packages() {
    local state=$deps/apt deb name
    local apt=(apt-get -y -o Debug::NoLocking=1 -o "APT::Sandbox::User=$(id -un)" -o Acquire::Retries=2
        -o Acquire::Languages=none -o "Dir::State=$state" -o "Dir::State::lists=$state/lists" -o Dir::State::status=/var/lib/dpkg/status
        -o "Dir::Cache=$state" -o "Dir::Cache::archives=$state/archives")
    say "without root: downloading ${packages[*]} and what they need, and unpacking it under build/deps/root"
    mkdir -p "$state/lists/partial" "$state/archives/partial" || give_up "no folder $state"
    "${apt[@]}" update </dev/null >>"$log" 2>&1 || give_up "apt-get update (into build/deps/apt) failed"
    "${apt[@]}" --no-install-recommends --download-only install "${packages[@]}" </dev/null >>"$log" 2>&1 ||
        give_up "downloading the packages failed"

    rm -rf "$root.part"
    mkdir -p "$root.part" || give_up "no folder $root.part"
    if [ -d "$root" ]; then
        cp -al "$root/." "$root.part/" >>"$log" 2>&1 || give_up "copying build/deps/root failed"
    fi
    for deb in "$state"/archives/*.deb; do
        name=$(dpkg-deb -f "$deb" Package 2>>"$log") || give_up "$deb is damaged"
        # an update of what the system has: the system's own is good enough, and mixing two C libraries is not
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] && continue
        dpkg-deb -x "$deb" "$root.part" >>"$log" 2>&1 || give_up "unpacking $name failed"
    done
    repair_links "$root.part" >>"$log" 2>&1 || give_up "repairing the links in build/deps/root failed"
    rm -rf "$root" "$state"
    mv "$root.part" "$root" || give_up "build/deps/root could not be put in place"
}

# repair_links FOLDER: links and linker scripts that name a file as if FOLDER were / get to name the one that is there
repair_links() {
    local link to inside
    while read -r link; do
        to=$(readlink "$link")
        case $to in
        /*) inside=$1$to ;;
        *) inside=$(dirname "$link")/$to ;;
        esac
        inside=$(realpath -ms "$inside")
        if [ -e "$inside" ] || [ -L "$inside" ]; then
            ln -sfnr "$inside" "$link"
        elif [ -e "${inside#"$1"}" ]; then
            ln -sfn "${inside#"$1"}" "$link"
        fi
    done < <(find "$1" -type l)
    # libc.so and the like are texts: GROUP ( /lib/…/libc.so.6 … ); bare names are looked up along -L
    [ ! -d "$1/usr/lib/$triple" ] || find "$1/usr/lib/$triple" -maxdepth 1 -name '*.so' -type f -size -2 2>/dev/null | while read -r link; do
        sed -i '/^\(GROUP\|INPUT\)/s#/[^ ]*/##g' "$link"
    done
}

# write_wrappers: programs of build/deps/root, callable as build/deps/bin/NAME
write_wrappers() {
    local bin=$deps/bin libs=$root/usr/lib/$triple:$root/lib/$triple program name ld_path flags
    rm -rf "$bin"
    mkdir -p "$bin" || give_up "no folder $bin"
    [ -d "$root" ] || return 0
    flags="-B $root/usr/lib/$triple/ -idirafter $root/usr/include/$triple -idirafter $root/usr/include"
    flags="$flags -L$root/usr/lib/$triple -L$root/lib/$triple"
    flags="$flags -Wl,--disable-new-dtags,-rpath,$root/usr/lib/$triple,-rpath,$root/lib/$triple"
    for program in "$root"/usr/bin/*; do
        if [ ! -x "$program" ] || [ ! -f "$program" ]; then continue; fi
        name=${program##*/}
        ld_path=''
        # (not grep -q: it ends at the first match, and then ldd with an error)
        if ldd "$program" 2>/dev/null | grep 'not found' >/dev/null || [[ $name =~ ^(.*-)?(gcc|g\+\+|cpp)(-[0-9]+)?$ ]]; then
            ld_path="LD_LIBRARY_PATH='$libs'\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH} "
        fi
        {
            echo '#!/bin/sh'
            echo "export GVBINDIR='$root/usr/lib/$triple/graphviz' FONTCONFIG_FILE='$deps/fonts.conf'"
            printf "%sexec '%s' \"\$@\"\n" "$ld_path" "$program"
        } >"$bin/$name"
    done
    # Debian chooses these by update-alternatives
    [ -e "$bin/gnuplot" ] || [ ! -e "$bin/gnuplot-nox" ] || ln -s gnuplot-nox "$bin/gnuplot"
    [ -e "$bin/awk" ] || [ ! -e "$bin/mawk" ] || ln -s mawk "$bin/awk"
    for name in gcc g++; do
        [ -e "$bin/$name" ] || have "$name" || continue
        program=$(PATH=$path_before command -v "$name")
        [ -e "$root/usr/bin/$name" ] && program=$root/usr/bin/$name && ld_path="LD_LIBRARY_PATH='$libs' "
        [ -e "$root/usr/bin/$name" ] || ld_path=''
        printf '#!/bin/sh\n%sexec "%s" "$@" %s\n' "$ld_path" "$program" "$flags" >"$bin/$name"
    done
    chmod +x "$bin"/*
    printf '<fontconfig><dir>/usr/share/fonts</dir><dir>%s</dir><cachedir>%s</cachedir></fontconfig>\n' \
        "$root/usr/share/fonts" "$deps/fonts" >"$deps/fonts.conf"
    [ ! -e "$bin/dot" ] || "$bin/dot" -c >>"$log" 2>&1
}

# find_pip: sets pip, a command
find_pip() {
    pip=(python3 -m pip)
    [ -d "$root/usr/lib/python3" ] && pip=(env "PYTHONPATH=$root/usr/lib/python3/dist-packages" "${pip[@]}")
    runs "${pip[@]}" --version
}

# pip is there, and does not run
no_pip() {
    "${pip[@]}" --version </dev/null >>"$log" 2>&1
    if grep -q 'No module named' "$log"; then
        say "pip does not run: this Python has no complete standard library (Debian's python3-minimal alone?)"
        say "next: have root install it, apt-get install python3 python3-pip, or set CUDA_HOME to a CUDA 13 toolkit; then run make again"
    fi
    give_up "pip does not run"
}

# pip_install NAME WHEEL...: into build/deps/NAME.part
pip_install() {
    local name=$1
    shift
    say "downloading the wheels $* from PyPI into build/deps/$name"
    # pip's own list of certificates is the system's; without one, that of the package unpacked here
    if [ ! -e /etc/ssl/certs/ca-certificates.crt ] && [ -d "$root/usr/share/ca-certificates" ]; then
        find "$root/usr/share/ca-certificates" -name '*.crt' -exec cat {} + >"$deps/certificates.crt"
        pip=(env "REQUESTS_CA_BUNDLE=${REQUESTS_CA_BUNDLE:-$deps/certificates.crt}" "${pip[@]}")
    fi
    rm -rf "$deps/$name.part"
    "${pip[@]}" install --target "$deps/$name.part" --no-deps --only-binary=:all: --no-compile --disable-pip-version-check \
        "$@" </dev/null >>"$log" 2>&1 || give_up "pip could not get the wheels"
}

# put_in_place NAME: build/deps/NAME.part, which is complete, becomes build/deps/NAME
put_in_place() {
    rm -rf "${deps:?}/$1"
    mv "$deps/$1.part" "$deps/$1" || give_up "build/deps/$1 could not be put in place"
}

# get_toolkit NAME WHEEL...: a toolkit in build/deps/NAME
get_toolkit() {
    local home=$deps/$1.part/nvidia/cu13 lib
    pip_install "$@"
    # a wheel cannot hold links: give the libraries the names that -l looks for
    for lib in "$home"/lib/lib*.so.*; do
        [ -e "$lib" ] && ln -sf "${lib##*/}" "${lib%.so.*}.so"
    done
    put_in_place "$1"
}

# programs of the simulated device need the headers alone
get_libraries() {
    pip_install libraries "${wheels_libraries[@]}"
    rm -rf "$deps/libraries.part/nvidia/cu13/lib"
    put_in_place libraries
}

# sudo may ask for a password, so there must be someone to ask
sudo_agreed() {
    local answer
    have sudo && [ -t 2 ] && [ -z "${CI:-}" ] && { : </dev/tty; } 2>/dev/null || return 1
    say "you are not root. Install these with sudo apt-get (y), or unpack them under build/deps (n, the default)?"
    read -r answer </dev/tty
    [[ $answer == [yY]* ]]
}

get_missing() {
    if [ ${#packages[@]} -gt 0 ]; then
        if ! have apt-get; then
            say "this system has no apt-get: install the above with its own package manager, then run make again"
            exit 1
        elif [ "$(id -u)" = 0 ]; then
            apt_install apt-get
        elif sudo_agreed; then
            apt_install sudo apt-get
        else
            unpack_packages
            write_wrappers
            PATH=$deps/bin:$path_before
        fi
        hash -r
    fi
    [ $((${#wheels[@]} + ${#wheels_libraries[@]} + ${#wheels_format[@]})) = 0 ] || find_pip || no_pip
    [ ${#wheels[@]} = 0 ] || get_toolkit cuda "${wheels[@]}"
    [ ${#wheels_libraries[@]} = 0 ] || get_libraries
    [ ${#wheels_format[@]} = 0 ] || { pip_install format "${wheels_format[@]}" && put_in_place format; }
}
