#!/bin/bash
# `rille run --ros1` as Debian's ROS 1 tools see it: rostopic lists, echoes, measures and publishes; rosbag records and reads; roscore is used where one runs.
# usage: test_ros1.sh RILLE FOLDER PORT
set -u
command -v rostopic >/dev/null && command -v rosmaster >/dev/null && /usr/bin/python3 -c 'import rosbag, sensor_msgs, rospy' 2>/dev/null ||
  { echo "ROS 1 is not installed"; exit 77; }
rille=$1 out=$2 port=$3
export ROS_MASTER_URI=http://127.0.0.1:$port ROS_IP=127.0.0.1 ROS_HOSTNAME=127.0.0.1 ROS_PACKAGE_PATH=/usr/share ROS_DISTRO=noetic
export ROS_VERSION=1 ROS_PYTHON_VERSION=3 ROS_LOG_DIR=$out/log PATH=/usr/bin:/bin PYTHONUNBUFFERED=1
rm -rf "$out"; mkdir -p "$out"
failed=0
check() { if [ "$2" = yes ]; then echo "ok   $1"; else echo "FAIL $1"; failed=1; fi; }
has() { grep -q -- "$1" "$2" && echo yes || echo no; }

look() { # $1: which master
  "$rille" run mer_around_rock --ros1 --set ros.pace=real_time --duration 120 --out "$out/run" >"$out/rille.log" 2>&1 &
  run=$!
  for i in $(seq 100); do timeout 10 rostopic list >"$out/list" 2>/dev/null && grep -q /mer/joint_states "$out/list" && break; sleep 0.1; done
  check "$1: rostopic lists the topics" "$(has '^/mer/joint_states$' "$out/list")"
  timeout 30 rostopic echo -n 1 /mer/joint_states >"$out/echo"
  check "$1: rostopic echoes joint states" "$(has drive_front_left_joint "$out/echo")"
  timeout 30 rostopic pub -1 /mer/enable_gravity std_msgs/Bool false >/dev/null
  for i in $(seq 50); do grep -q 'gravity off' "$out/rille.log" && break; sleep 0.1; done
  check "$1: rostopic pub reaches the robot" "$(has 'gravity off' "$out/rille.log")"
}
leave() {
  kill -INT $run; wait $run
  check "$1: the run ends with its files" "$(has 'messages sent' "$out/rille.log")"
}

look "own master"
timeout 30 rostopic echo -n 1 /mer/robot_description >"$out/robot"
check "a latched topic comes to those who are late" "$(has '<robot name' "$out/robot")"
timeout 30 rostopic type /mer/lidar/mast/points >"$out/type"
check "types are told" "$(has '^sensor_msgs/PointCloud2$' "$out/type")"
timeout 40 /usr/bin/python3 - "$out/trip.bag" >"$out/bag" 2>&1 <<'P'
import sys, threading, rosbag, rospy
from rospy import AnyMsg
from sensor_msgs.msg import JointState, PointCloud2, CameraInfo
from nav_msgs.msg import Odometry
from tf2_msgs.msg import TFMessage
from diagnostic_msgs.msg import KeyValue
# A bag as `rosbag record` writes it: whatever comes, with the definition that the publisher sent.
bag = rosbag.Bag(sys.argv[1], "w")
got = {"/mer/joint_states": 0, "/mer/lidar/mast/points": 0, "/mer/camera/front/camera_info": 0, "/mer/ground_truth": 0, "/tf": 0}
kinds = {"/mer/joint_states": JointState, "/mer/lidar/mast/points": PointCloud2, "/mer/camera/front/camera_info": CameraInfo, "/mer/ground_truth": Odometry, "/tf": TFMessage}
rospy.init_node("recorder", anonymous=True, disable_signals=True)
recording = True
lock = threading.Lock() # rospy calls back from a thread per topic, and a Bag takes one writer at a time
def keep(topic):
    def f(m):
        with lock:
            got[topic] += 1
            if recording and got[topic] <= 50:
                bag.write(topic, m, rospy.Time.now())
    return f
subs = [rospy.Subscriber(t, k, keep(t)) for t, k in kinds.items()]
pub = rospy.Publisher("/mer/set_value", KeyValue, queue_size=10)
import time
end = time.time() + 25
while time.time() < end and (min(got.values()) < 2 or got["/mer/joint_states"] < 100):
    time.sleep(0.05)
pub.publish(KeyValue("rover.speed", "1 cm/s"))
time.sleep(0.5)
for s in subs:
    s.unregister()
with lock:
    recording = False
    bag.close()
print("received", got)
names = 0
for topic, m, t in rosbag.Bag(sys.argv[1]).read_messages():
    if topic == "/mer/joint_states":
        assert len(m.name) == len(m.position) == len(m.effort) >= 14
        names += 1
    if topic == "/mer/lidar/mast/points":
        assert len(m.data) == 24 * m.width and [f.name for f in m.fields] == ["x", "y", "z", "intensity", "time", "ring"]
    if topic == "/mer/camera/front/camera_info":
        assert m.distortion_model == "equidistant" and m.K[8] == 1
print("bag read,", names, "joint states")
P
check "rosbag writes and reads what comes" "$(has 'bag read' "$out/bag")"
for i in $(seq 30); do grep -q 'rover.speed = 1 cm/s' "$out/rille.log" && break; sleep 0.1; done
check "rospy sets a value by name" "$(has 'rover.speed = 1 cm/s' "$out/rille.log")"
# Nonsense on all three ports: the run goes on.
for p in $(ss -ltnp 2>/dev/null | grep "pid=$run," | sed 's/.*127.0.0.1:\([0-9]*\) .*/\1/'); do
  head -c 2000 /dev/urandom | timeout 1 bash -c "cat >/dev/tcp/127.0.0.1/$p" 2>/dev/null
  printf '\377\377\377\377xx' | timeout 1 bash -c "cat >/dev/tcp/127.0.0.1/$p" 2>/dev/null
done
timeout 30 rostopic echo -n 1 /mer/joint_states >"$out/echo2"
check "nonsense on its ports does not hurt" "$(has drive_front_left_joint "$out/echo2")"
"$rille" ros graph --ros1 >"$out/graph"
check "rille ros graph asks the master" "$(has '/mer/rille *-> /mer/joint_states *sensor_msgs/JointState' "$out/graph")"
leave "own master"

rosmaster --core -p "$port" >"$out/master.log" 2>&1 &
master=$!
sleep 1.5
look "Debian's master"
timeout 20 rosnode list >"$out/nodes"
check "rosnode lists the node" "$(has '^/mer/rille$' "$out/nodes")"
leave "Debian's master"
timeout 10 rostopic list >"$out/after" 2>/dev/null
check "the node takes its leave of the master" "$(grep -q /mer/joint_states "$out/after" && echo no || echo yes)"
kill $master
[ $failed = 0 ] || { tail -n 5 "$out/rille.log" "$out/bag"; }
exit $failed
