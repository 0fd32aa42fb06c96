#!/bin/sh
# A node in C drives MER around a rock by lidar, in lock-step over ROS 2: it gets past, and three
# times with the same bits. The second time the node comes late and is stopped for moments, so that
# messages of different topics come in other orders; the third time the simulator is.
# usage: rock.sh RILLE ROCK_NODE FOLDER DOMAIN
set -u
mkdir -p "$3"
export CYCLONEDDS_URI='<CycloneDDS><Domain id="any"><General><Interfaces><NetworkInterface address="127.0.0.1"/></Interfaces><AllowMulticast>false</AllowMulticast></General><Discovery><ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>32</MaxAutoParticipantIndex><Peers><Peer address="127.0.0.1"/></Peers></Discovery></Domain></CycloneDDS>'
export ROS_DOMAIN_ID="$4"

# Stops a process for moments until it ends, or 200 times.
disturb() {
  for n in $(seq 200); do
    kill -STOP "$1" 2>/dev/null || return
    sleep 0.013
    kill -CONT "$1" 2>/dev/null || return
    sleep 0.007
  done
}

for i in 1 2 3; do
  "$1" run mer_around_rock --ros2 --json -q --set ros.timeout=120 --out "$3/run$i" >"$3/summary$i" &
  run=$!
  [ $i = 2 ] && sleep 1
  timeout 400 "$2" mer 120 >"$3/node$i" 2>&1 &
  node=$!
  [ $i = 2 ] && disturb $node
  [ $i = 3 ] && disturb $run
  wait $run || { echo "the run failed:"; cat "$3/summary$i" "$3/node$i"; exit 1; }
  wait $node || { echo "the node did not get there:"; cat "$3/node$i"; exit 1; }
  grep -q '"stop_reason": "condition"' "$3/summary$i" || { echo "the rover did not get past the rock"; exit 1; }
  grep state_hash "$3/summary$i"
done
for i in 2 3; do
  [ "$(grep state_hash "$3/summary1")" = "$(grep state_hash "$3/summary$i")" ] || { echo "the hashes differ"; exit 1; }
done
cat "$3/node1"
