#!/bin/bash
# RViz of ROS 1, which nobody here wrote, draws the robot and its lidar's points: meshes are found, wheels are there, frames lead to `map`.
# usage: rviz.sh RILLE SOURCE FOLDER PORT
set -u
for tool in rviz xvfb-run import rostopic; do command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }; done
rille=$1 source=$2 out=$3 port=$4
export ROS_MASTER_URI=http://127.0.0.1:$port ROS_IP=127.0.0.1 ROS_HOSTNAME=127.0.0.1 ROS_PACKAGE_PATH=/usr/share ROS_DISTRO=noetic
export ROS_VERSION=1 ROS_PYTHON_VERSION=3 ROS_LOG_DIR=$out/log PATH=/usr/bin:/bin LIBGL_ALWAYS_SOFTWARE=1
export XDG_RUNTIME_DIR=$out/run HOME=$out
rm -rf "$out"; mkdir -p "$out"; mkdir -m 700 "$out/run"
# Only what Rille sends is in the picture: the grid and the axes of frames are off.
sed 's/\(rviz.Grid, Enabled: \)true/\1false/; s/\(rviz.TF, Enabled: \)true/\1false/' "$source/examples/ros/rover.rviz" >"$out/test.rviz"

"$rille" run mer_around_rock --ros1 --set ros.pace=real_time --duration 600 --out "$out/rille" >"$out/rille.log" 2>&1 &
run=$!
for i in $(seq 100); do timeout 10 rostopic list 2>/dev/null | grep -q /mer/joint_states && break; sleep 0.1; done

# Red pixels are points of the lidar; others that are not background belong to the robot.
cat >"$out/look.py" <<'P'
import sys
data = open(sys.argv[1], "rb").read()
kind, width, height, most = data.split(None, 4)[:4]
pixels = data[-3 * int(width) * int(height):]
width, height, red, robot = int(width), int(height), 0, 0
for y in range(100, 600):
    for x in range(50, 850):
        r, g, b = pixels[3 * (y * width + x):3 * (y * width + x) + 3]
        if r > 180 and g < 70 and b < 70:
            red += 1
        elif max(abs(r - 48), abs(g - 48), abs(b - 48)) > 12:
            robot += 1
print(red, "pixels of points,", robot, "of the robot")
sys.exit(0 if red >= 200 and robot >= 20000 else 1)
P
cat >"$out/screen.sh" <<'S'
rviz -d test.rviz >rviz.log 2>&1 & rviz=$!
result=1
for i in $(seq 60); do
  sleep 1
  kill -0 $rviz 2>/dev/null || break
  import -window root -depth 8 ppm:shot.ppm 2>/dev/null && /usr/bin/python3 look.py shot.ppm >seen && { result=0; break; }
done
kill -INT $rviz 2>/dev/null
for i in $(seq 50); do kill -0 $rviz 2>/dev/null || break; sleep 0.1; done
kill -KILL $rviz 2>/dev/null
exit $result
S
(cd "$out" && timeout 150 xvfb-run -a -s "-screen 0 1024x768x24" sh screen.sh)
result=$?
kill -INT $run; wait $run
cat "$out/seen" 2>/dev/null
[ $result = 0 ] || { echo "FAIL RViz draws the robot and the points"; tail -n 5 "$out/rviz.log" "$out/rille.log"; exit 1; }
if grep ERROR "$out/rviz.log" | grep -v rospack; then echo "FAIL RViz has no errors"; exit 1; fi
grep -q 'messages sent' "$out/rille.log" || { echo "FAIL the run ends with its files"; exit 1; }
