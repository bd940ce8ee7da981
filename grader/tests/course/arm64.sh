#!/bin/bash
# arm64.sh: make arm64: builds a copy of the course in build/arm64 for 64-bit Arm, with Debian's cross compiler and arm64 packages,
# with signed return addresses, and runs under qemu-user what can run there: tests of the simulated device, crashes of subjects
# (with pages of 4, 16 and 64 KiB), and the programs of the handouts, which must print what they print on this machine.
# The judge is built and not run: qemu-user has no seccomp filters and no ptrace.
# Skipped if a tool is missing that the course does not need otherwise.
set -eu -o pipefail
cd "$(dirname "$0")/../../.."
top=$PWD out=$PWD/build/arm64
root=$out/root binfmt=/proc/sys/fs/binfmt_misc
target=aarch64-linux-gnu
# The tests that run. Not among them: those that compile programs (simcc, footprints); those that count the machine's time or
# memory (busy_machine, host_time, memory_limits, protection, stream_lifetime); graph_lifetime, which takes longer than it may; and
# conformance, whose situations are 1,700 processes.
tests=(engine exec order order_model findings graph_misuse conditional device_launch devices trace runtime costs lineage
    programmatic register wait_without_call callers crash judge_parts)

skip() { echo "skipped: $*" && exit 0; }
packages='mmdebstrap qemu-user-static g++-aarch64-linux-gnu'
for tool in mmdebstrap qemu-aarch64-static "$target-gcc" "$target-g++"; do
    command -v "$tool" >/dev/null || skip "$tool is missing; next: apt-get install $packages"
done

# the kernel starts programs of another machine by the emulator that is registered with it
registered=''
unregister() { [ -z "$registered" ] || echo -1 >"$binfmt/qemu-aarch64"; }
trap unregister EXIT
if [ ! -e $binfmt/qemu-aarch64 ]; then
    [ -e $binfmt/register ] || mount -t binfmt_misc binfmt_misc $binfmt 2>/dev/null || skip "$binfmt cannot be mounted"
    cat /usr/lib/binfmt.d/qemu-aarch64.conf >$binfmt/register 2>/dev/null || skip "no emulator can be registered: that needs root"
    registered=yes
fi

if [ ! -e "$root/usr/include/criterion" ]; then
    mkdir -p "$out"
    rm -rf "$root.part"
    suite=$(. /etc/os-release && echo "$VERSION_CODENAME") version=$("$target-gcc" -dumpversion)
    # unpacked only: nothing of it runs
    mmdebstrap --quiet --variant=extract --architectures=arm64 --include="libc6-dev,libstdc++-$version-dev,libgcc-$version-dev" \
        --include=libgomp1,libcriterion-dev,libseccomp-dev,libbsd-dev "$suite" "$root.part" || skip "the arm64 packages cannot be fetched"
    mv "$root.part" "$root"
fi

mkdir -p "$out/course/build" "$out/bin"
for compiler in gcc g++; do # the course's make, and simcc, call these
    printf '#!/bin/sh\nexec %s --sysroot=%q -mbranch-protection=standard "$@"\n' "$target-$compiler" "$root" >"$out/bin/$compiler"
done
# a process is the emulator's, not its program's: $RUNS is
printf '#!/bin/sh\nexec %s -e "$RUNS" "$3"\n' "$target-addr2line" >"$out/bin/addr2line"
chmod +x "$out"/bin/*
git ls-files -z --cached --others --exclude-standard | tar c --null --ignore-failed-read -T - | tar x -C "$out/course"
cp build/setup.mk "$out/course/build"
mapfile -t labs < <(cd labs && printf '%s\n' lab[0-9][0-9]_* | cut -d_ -f1)
programs=("${labs[@]/#/build/sim/example/}")
nice make "${programs[@]}" DEVICE=sim # of this machine, to compare with
cd "$out/course"
export QEMU_LD_PREFIX=$root
PATH=$out/bin:$PATH nice make DEVICE=sim sim grade "${programs[@]}" "${labs[@]/#/build/grader/}" \
    "${tests[@]/#/build/grader/tests/test_}"

failed=0
export SIMGPU_DEVICES=2 # as make example does
for lab in "${labs[@]}"; do
    expected=$("$top/build/sim/example/$lab") || true
    actual=$(nice "build/sim/example/$lab") || true
    [ "$actual" != "$expected" ] || continue
    failed=1
    printf '%s: the program of the handout prints, on this machine and on Arm:\n%s\n\n%s\n' "$lab" "$expected" "$actual"
done
unset SIMGPU_DEVICES
# no emulator says if a fault was a read or a write
export NO_SYNDROME=1 ADDR2LINE=$target-addr2line
for test in "${tests[@]}"; do
    RUNS=build/grader/tests/test_$test PATH=$out/bin:$PATH nice "build/grader/tests/test_$test" -j1 || failed=1
done
for page in 16384 65536; do
    QEMU_PAGESIZE=$page nice build/grader/tests/test_crash -j1 || failed=1
done
[ $failed = 0 ] && echo "arm64: ${#labs[@]} programs print the same, and ${#tests[@]} test programs pass"
