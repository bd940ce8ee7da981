#!/bin/bash
# arm64.sh: make arm64: makes a bare Debian for 64-bit Arm and boots it in an emulated machine with two processors, under Debian's
# kernels with pages of 4 and 16 KiB. There it runs what a reader runs, and prints a table of results and times. The reports on a
# class of four must be those of this machine: a solution, a crash, a race and a stack overflow.
#
# arm64.sh [STEP...]   only these, for example: class lab03 test_jail; image (make image by podman) runs only if it is named
#
# This machine gives the address of the Debian mirror, resolv.conf, hosts and the trusted certificates. The system stays in
# build/arm64, with all that was built there. Skipped if a tool is missing that the course does not need otherwise.
#
# The emulated machine's clock counts instructions: on a busy machine it would else show time in which nothing ran, and what runs
# would be stopped at its time limit.
set -u -o pipefail
suite=trixie kernels='arm64 arm64-16k'
tests='test_judge test_crash test_stopped test_jail test_engine test_exec test_order test_findings test_runtime test_lineage
    test_callers test_protection test_memory_limits test_process test_simcc'

# class FOLDER: the reports on four students, without what differs from machine to machine
class() {
    local lab=solutions/lab03_overlap/lab.c of
    mkdir -p "$1"/in/{solution/lab03,overflow/lab03,race/lab03,crash/lab01}
    make -s build/known/lab01/memcpy_from_device/lab.c build/known/lab03/set_free_too_early/lab.c DEVICE=sim || return
    cp build/known/lab01/memcpy_from_device/lab.c "$1/in/crash/lab01"
    cp build/known/lab03/set_free_too_early/lab.c "$1/in/race/lab03"
    { echo '#define SOLUTION' && cat $lab; } >"$1/in/solution/lab03/lab.c"
    sed 's/^    TRY(cudaStreamWaitEvent.*/    TRY(enqueue_batch(lab, i));/' "$1/in/solution/lab03/lab.c" >"$1/in/overflow/lab03/lab.c"
    rm -rf "$1/out"
    ./grade class "$1/in" --device sim --seed 1 --out "$1/out" || return
    for of in solution overflow crash race; do
        jq -r '.student + " " + .lab + "\n" + (.report | del(.submission, .host) | tostring)' "$1/out/students/$of"-*/*.json
    done | sed 's/0x[0-9a-f]*/ADDRESS/g' >"$1/reports"
}

# image: by a podman that needs little of this kernel; the Debian that it starts from is this one as it was made, in place of a
# registry's
image() {
    apt-get update -q && apt-get install -y --no-install-recommends git podman >/dev/null
    printf '[storage]\ndriver = "vfs"\nrunroot = "/run/containers"\ngraphroot = "/var/lib/containers/storage"\n' >/etc/containers/storage.conf
    mountpoint -q /sys/fs/cgroup || mount -t cgroup2 cgroup2 /sys/fs/cgroup
    podman import -q /root/bare.tar docker.io/library/debian:trixie-slim
    git init -q && git add . && git -c user.name=course -c user.email=course@localhost commit -q -m 'the course under test'
    make image && podman run --rm --network none streams-and-graphs lab01 --hint
}

# ---- in the emulated machine: this script is its first process

# step NAME COMMAND: runs it, unless others are wanted, and prints a line of the table
step() {
    local began=$SECONDS status=0
    [[ -z $wanted || " $wanted " == *" $1 "* ]] || return 0
    printf '\n$ %s\n' "$2"
    bash -c "set -e -o pipefail; $2" </dev/null || status=$?
    printf 'arm64: %-20s %-7s %4d s\n' "$1" "$([ $status = 0 ] && echo passed || echo FAILED)" $((SECONDS - began))
    [ $status = 0 ] || failed=1
}

inside() {
    local wanted failed=0 name network
    wanted=$(sed -n 's/.* steps=\([^ ]*\).*/\1/p' /proc/cmdline | tr , ' ')
    network=$(basename "$(ls -d /sys/class/net/e*)")
    ip link set lo up && ip link set "$network" up && ip address add 10.0.2.15/24 dev "$network" && ip route add default via 10.0.2.2
    mkdir -p /dev/pts /dev/shm && ln -s /proc/self/fd /dev/fd
    mount -t devpts -o newinstance,ptmxmode=666 devpts /dev/pts
    mount -t tmpfs -o mode=1777 tmpfs /dev/shm
    export HOME=/root CI=true PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin
    printf 'arm64: pages of %d KiB, %s\n' $(($(getconf PAGESIZE) / 1024)) "$(uname -r)"
    step setup 'make setup'
    step grade './grade lab01 && exit 2 || [ $? = 1 ]'
    for name in labs/lab[0-9][0-9]_*; do
        name=${name:5:5}
        step "$name" "make $name SOLUTION=1 && ./grade $name"
        step "$name-starter" "make $name; ./grade $name && exit 2 || [ \$? = 1 ]"
    done
    export -f class image
    step class 'class /root/class && sed "s/^/report: /" /root/class/reports'
    step sim 'make sim'
    for name in $tests; do
        step "$name" "make build/grader/tests/$name && build/grader/tests/$name -j1"
    done
    [[ " $wanted " != *' image '* ]] || BUILDAH_ISOLATION=chroot step image image
    return $failed
}

if [ $$ = 1 ]; then
    inside && echo 'arm64: all passed'
    sync
    echo o >/proc/sysrq-trigger
    sleep 60
fi

# ---- on this machine

cd "$(dirname "$0")/../../.." || exit
out=build/arm64
log=$out/log
packages='mmdebstrap arch-test qemu-user-static qemu-system-arm cpio kmod'
skip() { echo "skipped: $*" && exit 0; }
for tool in mmdebstrap arch-test qemu-aarch64-static qemu-system-aarch64 mke2fs cpio modprobe; do
    command -v $tool >/dev/null || skip "$tool is missing; next: apt-get install $packages"
done

debian() { nice mmdebstrap --quiet --architectures=arm64 "$@" "$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
    'Origin: Debian' 'Label: Debian' | sed -n 1p)" || skip "the arm64 packages cannot be fetched"; }

# make_kernels: each kernel, and the modules that it needs to find the disks; they are unpacked, and nothing of them runs
make_kernels() {
    local from=$out/kernels part=$out/initrd kernel version module
    debian --variant=extract --include="busybox-static,$(printf 'linux-image-%s,' $kernels)" $suite $from
    for kernel in $kernels; do
        # before the kernel's name, its version ends with a digit
        version=$(cd $from/boot && ls vmlinuz-*[0-9]-"$kernel") && version=${version#vmlinuz-}
        cp "$from/boot/vmlinuz-$version" "$out/vmlinuz-$kernel"
        mkdir -p $part/{proc,sys,dev,disk} && cp $from/usr/bin/busybox $part
        depmod -b $from/usr "$version"
        for module in virtio_blk virtio_net ext4; do
            modprobe -d $from/usr -S "$version" -D $module | sed -n 's/^insmod \([^ ]*\).*/\1/p'
        done | while read -r module; do
            xz -dc "$module" >"$part/$(basename "$module" .xz)"
            echo "/busybox insmod /$(basename "$module" .xz)"
        done >$part/modules
        printf '%s\n' '#!/busybox sh' 'for t in proc sysfs:sys devtmpfs:dev; do /busybox mount -t ${t%:*} none /${t#*:}; done' \
            '. /modules' '/busybox mount -t ext4 /dev/vda /disk' \
            'for m in proc sys dev; do /busybox mount --move /$m /disk/$m; done' 'exec /busybox switch_root /disk /init.sh' >$part/init
        chmod +x $part/init
        (cd $part && find . | cpio -o -H newc --quiet) >"$out/initrd-$kernel"
        rm -rf $part
    done
    rm -rf $from
}

# make_disk: the bare system. What packages do at their installation is run by the emulator that the kernel calls for programs
# of another machine.
make_disk() {
    local binfmt=/proc/sys/fs/binfmt_misc root=$out/root
    if [ ! -e $binfmt/qemu-aarch64 ]; then
        [ -e $binfmt/register ] || mount -t binfmt_misc binfmt_misc $binfmt 2>/dev/null || skip "$binfmt cannot be mounted"
        cat /usr/lib/binfmt.d/qemu-aarch64.conf >$binfmt/register 2>/dev/null || skip "no emulator can be registered: that needs root"
        trap 'echo -1 >/proc/sys/fs/binfmt_misc/qemu-aarch64' EXIT
    fi
    debian --variant=minbase --include=make,iproute2 $suite $root
    mkdir -p $root/etc/ssl/certs $root/usr/local/share
    cp /etc/ssl/certs/ca-certificates.crt $root/etc/ssl/certs
    cp -rL /usr/local/share/ca-certificates $root/usr/local/share
    cp -L /etc/resolv.conf /etc/hosts $root/etc
    apt-config dump | grep -i '^Acquire::.*proxy' >$root/etc/apt/apt.conf.d/90proxy
    tar c -C $root -f $out/bare.tar . && mv $out/bare.tar $root/root
    # the first process: it takes the course from the second disk, and becomes this script of it
    printf '%s\n' '#!/bin/bash' 'mkdir -p /root/course && cd /root/course || exit' \
        'find . -mindepth 1 -maxdepth 1 ! -name build ! -name grade -exec rm -rf {} +' \
        'tar x -f /dev/vdb && exec grader/tests/course/arm64.sh' >$root/init.sh
    chmod +x $root/init.sh
    mke2fs -q -t ext4 -d $root $out/part 16G && rm -rf $root && mv $out/part $out/disk
}
mkdir -p $out
if [ ! -e $out/disk ]; then
    make_kernels
    make_disk
fi
# a kernel of one's own has all drivers built in: it refuses the modules of another kernel, and goes on
[ -z "${KERNEL-}" ] || { kernels=own && cp "$KERNEL" $out/vmlinuz-own && cp $out/initrd-arm64 $out/initrd-own; } || exit

git ls-files -z --cached --others --exclude-standard | tar c --null --ignore-failed-read -T - -f $out/course.tar
place=$(mktemp -d) && class "$place" >$out/class.log && mv "$place/reports" $out && rm -rf "$place" || exit
failed=0
for kernel in $kernels; do
    nice -n 10 qemu-system-aarch64 -M virt -cpu max,pauth-impdef=on -smp 2 -m 4G -icount shift=1 \
        -display none -serial stdio -no-reboot \
        -kernel "$out/vmlinuz-$kernel" -initrd "$out/initrd-$kernel" \
        -append "console=ttyAMA0 quiet panic=-1 steps=$(IFS=, && echo "$*") " -netdev user,id=net -device virtio-net-pci,netdev=net,romfile= \
        -drive file=$out/disk,format=raw,if=virtio,cache=unsafe -drive file=$out/course.tar,format=raw,if=virtio,readonly=on \
        </dev/null | sed -u 's/\r$//' | tee "$log-$kernel"
    grep -q '^arm64: all passed' "$log-$kernel" || failed=1
    if grep -q '^report: ' "$log-$kernel"; then
        sed -n 's/^report: //p' "$log-$kernel" | diff - $out/reports || failed=1
    fi
done
grep -h '^arm64: ' $out/log-*
exit $failed
