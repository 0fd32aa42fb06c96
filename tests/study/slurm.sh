#!/usr/bin/env bash
# slurm.sh RILLE [RUNS SECONDS]: a cluster of one node on loopback (munged, slurmctld, slurmd), a campaign submitted to it, its table against that of this machine. The
# three processes are ended by their ids. Exit code 77: Slurm cannot be had here. With RUNS and SECONDS (simulated, of each run) it tells what share of the time of two
# tasks is not spent in runs: from the submission until the command knows that all is done, and the same of 'rille campaign run -j 2'.
set -u
rille=$(readlink -f "$1")
here=$(cd "$(dirname "$0")" && pwd)
[ "$(id -u)" -eq 0 ] && [ -x /usr/sbin/slurmctld ] && [ -x /usr/sbin/slurmd ] && [ -x /usr/sbin/munged ] || exit 77
work=$(mktemp -d /tmp/rille-slurm-XXXXXX)
host=$(hostname -s) pids=()
finish() {
  for ((i = ${#pids[@]} - 1; i >= 0; i--)); do
    kill "${pids[i]}" 2>/dev/null
    for _ in $(seq 80); do kill -0 "${pids[i]}" 2>/dev/null || break; sleep 0.1; done
  done
  rm -rf "$work"
}
trap finish EXIT
mkdir -p "$work"/{munge,state,spool,log}
chmod 755 "$work" "$work/munge"
head -c 1024 /dev/urandom >"$work/munge/key"
chmod 400 "$work/munge/key"
cat >"$work/slurm.conf" <<C
ClusterName=rille
SlurmctldHost=$host(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$work/munge/sock
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
SlurmctldPort=16827
SlurmdPort=16828
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/log/slurmctld.log
SlurmdLogFile=$work/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,sched_interval=1,bf_interval=1
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
MailProg=/bin/true
DefMemPerCPU=128
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$(awk '/MemTotal/{print int($2/2048)}' /proc/meminfo) State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
C
export SLURM_CONF=$work/slurm.conf
/usr/sbin/munged --force -F --num-threads=2 --key-file="$work/munge/key" --socket="$work/munge/sock" \
  --pid-file="$work/munge/pid" --log-file="$work/log/munged.log" --seed-file="$work/munge/seed" >/dev/null 2>&1 &
pids+=($!)
for _ in $(seq 50); do [ -S "$work/munge/sock" ] && break; sleep 0.1; done
/usr/sbin/slurmctld -D -i >/dev/null 2>&1 &
pids+=($!)
/usr/sbin/slurmd -D -N "$host" >/dev/null 2>&1 &
pids+=($!)
for _ in $(seq 100); do sinfo -h -o %t 2>/dev/null | grep -q '^idle' && break; sleep 0.2; done
sinfo -h -o %t 2>/dev/null | grep -q '^idle' || { echo "the cluster did not come up here"; tail -n 3 "$work"/log/*.log; exit 77; }

cat >"$work/c.yaml" <<C
campaign: slurm
scene: $here/../../scenes/pendulum.yaml
runs: 24
set: {duration: 0.5 s}
dispersions:
  start: {uniform: [60 deg, 120 deg]}
results: {end: hinge_1.position}
C
"$rille" campaign run "$work/c.yaml" --store "$work/here.db" -q >/dev/null || exit 1
timeout 120 "$rille" campaign submit --slurm "$work/c.yaml" --store "$work/there.db" --tasks 2 --wait >"$work/out" 2>&1 ||
  { cat "$work/out"; exit 1; }
"$rille" campaign export "$work/here.db" >"$work/here.csv"
"$rille" campaign export "$work/there.db" >"$work/there.csv"
cmp "$work/here.csv" "$work/there.csv" || exit 1
for _ in $(seq 100); do # the store is complete before the last task says so
  logs=$(ls "$work/there.db.slurm"/*.log 2>/dev/null | wc -l)
  made=$(sed -n 's/.*: \([0-9]*\) runs of slurm were made here/\1/p' "$work/there.db.slurm"/*.log | awk '{ n += $1 } END { print n + 0 }')
  [ "$logs" -eq 2 ] && [ "$made" -eq 24 ] && break
  sleep 0.1
done
[ "$logs" -eq 2 ] && [ "$made" -eq 24 ] || { echo "$logs logs of 2 tasks, that tell of $made runs of 24"; cat "$work/there.db.slurm"/*.log; exit 1; }
echo "24 runs by an array job of 2 tasks: equal tables"
[ $# -ge 3 ] || exit 0

sed "s/^campaign: .*/campaign: share/; s/^runs: .*/runs: $2/; s/duration: .* s/duration: $3 s/" "$work/c.yaml" >"$work/share.yaml"
tell() { # NAME STORE BEGIN: core seconds of two cores against those of the runs
  python3 - "$@" <<'P'
import sqlite3, sys, time
name, store, begin = sys.argv[1], sys.argv[2], float(sys.argv[3])
cores = 2 * (time.time() - begin)
runs = sqlite3.connect(store).execute("SELECT sum(wall) FROM run").fetchone()[0]
print(f"{name}: {cores / 2:.1f} s on two cores, {100 * (1 - runs / cores):.1f} % of it not in runs")
P
}
begin=$(date +%s.%N)
"$rille" campaign run "$work/share.yaml" --store "$work/share_here.db" -q -j 2 >/dev/null || exit 1
tell "workers of this machine" "$work/share_here.db" "$begin"
begin=$(date +%s.%N)
"$rille" campaign submit --slurm "$work/share.yaml" --store "$work/share_there.db" --tasks 2 --wait >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
tell "two tasks of Slurm" "$work/share_there.db" "$begin"
