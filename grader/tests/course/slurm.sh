#!/bin/bash
# slurm.sh start|restart|stop FOLDER: a Slurm of one node on the loopback address, for test_class_slurm.c. Its state is in FOLDER, and
# FOLDER/slurm.conf is for SLURM_CONF. Status 3 and a reason: Slurm cannot run here.
set -eu
dir=$2 conf=$2/slurm.conf
unable() {
    echo "$*"
    exit 3
}
configure() {
    local plugin=disabled memory track=linuxproc task=none
    memory=$(($(awk '/MemTotal/ { print $2 }' /proc/meminfo) / 1024 * 9 / 10))
    mkdir -p "$dir"/{state,spool,log,munge}
    chmod 755 "$dir" "$dir/munge"
    chown -R slurm: "$dir/state" "$dir/log"
    chown munge: "$dir/munge"
    (umask 077; head -c 1024 /dev/urandom >"$dir/munge/key")
    chown munge: "$dir/munge/key"
    # before version 23, slurmd loads a plugin for control groups in any case; this one touches none
    case $(slurmd -V) in *' 2'[0-2].*) plugin=cgroup/v1 ;; esac
    # control groups where they can be made, so that memory and processors are enforced as on a cluster
    if mkdir /sys/fs/cgroup/memory/course-slurm-$$ /sys/fs/cgroup/freezer/course-slurm-$$ 2>/dev/null; then
        rmdir /sys/fs/cgroup/{memory,freezer}/course-slurm-$$
        plugin=cgroup/v1 track=cgroup task=cgroup
    fi
    printf '%s\n' "CgroupPlugin=$plugin" ConstrainRAMSpace=yes ConstrainSwapSpace=no ConstrainCores=no >"$dir/cgroup.conf"
    cat >"$conf" <<END
ClusterName=course
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=26817
SlurmdPort=26818
SlurmUser=slurm
SlurmdUser=root
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket=$dir/munge/socket
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/state/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/slurmd.log
ProctrackType=proctrack/$track
TaskPlugin=task/$task
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
MpiDefault=none
ReturnToService=2
KillWait=5
LaunchParameters=disable_send_gids
NodeName=localhost NodeAddr=127.0.0.1 CPUs=2 RealMemory=$memory State=UNKNOWN
PartitionName=course Nodes=localhost Default=YES MaxTime=01:00:00 State=UP
END
}
# end FILE: the process whose number is in the file
end() {
    local pid
    [ -s "$1" ] || return 0
    pid=$(cat "$1")
    kill "$pid" 2>/dev/null || return 0
    for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null || return 0; sleep 0.1; done
    kill -KILL "$pid"
}
case $1 in
    start)
        for program in slurmctld slurmd munged sbatch; do command -v $program >/dev/null || unable "$program is not installed (Debian's packages slurm-wlm and munge)"; done
        [ "$(id -u)" = 0 ] || unable 'starting Slurm needs root'
        configure
        setpriv --reuid=munge --regid=munge --clear-groups munged --socket="$dir/munge/socket" --pid-file="$dir/munge/pid" \
            --key-file="$dir/munge/key" --log-file="$dir/munge/log" --seed-file="$dir/munge/seed" || unable 'munged does not start here'
        slurmctld -f "$conf" && slurmd -f "$conf" -N localhost || unable 'Slurm does not start here'
        for _ in $(seq 300); do
            [ "$(SLURM_CONF=$conf sinfo -h -o %T 2>/dev/null)" != idle ] || exit 0
            sleep 0.1
        done
        unable "the node does not become idle: $(tail -n 1 "$dir/log/slurmd.log")"
        ;;
    restart)
        end "$dir/state/slurmctld.pid"
        sleep 3
        slurmctld -f "$conf"
        ;;
    stop)
        SLURM_CONF=$conf scancel -u root 2>/dev/null || true
        end "$dir/state/slurmctld.pid"
        end "$dir/slurmd.pid"
        end "$dir/munge/pid"
        ;;
esac
