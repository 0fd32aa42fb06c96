#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rovers written as four other makers would, for other simulators: each comes to a slip curve on a 15 degree slope of soft soil with
# two edits of a new project's scene, and what stands in the way is told with its cure. The rovers are ours, in tests/cli/strangers:
#
#   skid_steer        ROS 1: macros with blocks, <gazebo>, <transmission>, wheels whose axes point to the right, meshes that are not there
#   rover_description ROS 2: package, YAML, includes, a rocker-bogie with <mimic>, wheels as meshes, rockers without effort
#   cad_rover         written by a CAD program: one mesh for all wheels, steering with limits of 0, no shapes but the wheels'
#   four_wheel_steer  recursive macros, lists, slices, dict()
#
#   test_strangers.sh RILLE FOLDER
set -uo pipefail
rille=$(realpath "$1") work=$2 strangers=$(dirname "$(realpath "$0")")/strangers bad=0
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
fail() { echo "FAILED: $*"; bad=$((bad + 1)); }
hold='  - {joints: "%s", name: "hold_${joint}", type: servo, set: {stiffness: 500 N*m/rad, damping: 20 N*m*s/rad}}'

# says ROBOT PART...: the check of the robot names each part
says() {
  local robot=$1 text
  shift
  text=$("$rille" robot check "$strangers/$robot" 2>&1)
  for part in "$@"; do grep -qF -- "$part" <<<"$text" || fail "check of $robot lacks '$part'"; done
}

# drives NAME ROBOT WHEELS STEERING SETTING: edit 1 is the robot, edit 2 the joints of the devices
drives() {
  local name=$1 robot=$2 wheels=$3 steering=$4
  shift 4
  "$rille" new rover "$name" >/dev/null || fail "no project $name"
  sed -i "s|^robot:.*|robot: $strangers/$robot|; s|\"drive_\*\"|\"$wheels\"|" "$name/scene.yaml"
  if [ -n "$steering" ]; then # without it, the message says what is missing
    grep -q 'steering: a servo' <<<"$("$rille" run "$name/scene.yaml" --duration 0.1 --out out 2>&1)" || fail "$name: no cure is named"
    # shellcheck disable=SC2059
    sed -i "s|^devices:.*|&\n$(printf "$hold" "$steering" | sed 's/[&|]/\\&/g')|" "$name/scene.yaml"
  fi
  "$rille" sweep "$name/scene.yaml" --over slope=0:15:15 --set 'duration=4 s' "$@" --result 'mean(soil.*.slip)' \
    --result 'max(soil.*.sinkage)' -q >"$name.txt" 2>"$name.err" || { fail "$name: no curve"; tail -n 3 "$name.err"; return; }
  awk -v name="$name" '$1 == 0 { level = $2; sunk = $3 } $1 == 15 { steep = $2 }
    END { if (!(level > 0.05 && level < steep && steep > 0.5 && sunk > 0.001)) { print name ": slips by " level " and " steep; exit 1 } }' \
    "$name.txt" || fail "$name: that is no slip curve"
}

says skid_steer/mule.urdf.xacro "derived from round shapes on continuous joints: front_left_wheel_link (cylinder, radius 0.178 m" \
  "the axes of all wheels point to the right" "-p FOLDER" "<gazebo> is ignored" "<transmission> is ignored"
says rover_description/urdf/rover.xacro "6 wheels" "1 mimic coupling" "front_left_wheel (mesh, radius 0.08 m" "<ros2_control> is ignored"
says cad_rover/urdf/cad_rover.urdf "velocity limit 0 allows no motion" "WheelFL (mesh, radius 0.08 m"
says four_wheel_steer/micro.urdf.xacro "robot 'micro': 9 links, 8 joints" "tyre_fl (cylinder, radius 0.065 m"

drives skid skid_steer/mule.urdf.xacro '*_wheel' '' --set speed=-5
drives rocker rover_description/urdf/rover.xacro '*_wheel_joint' ''
drives cad cad_rover/urdf/cad_rover.urdf 'WheelJoint*' 'SteerJoint*'
drives micro four_wheel_steer/micro.urdf.xacro 'hub_*' 'steer_*'
[ $bad -eq 0 ] && echo "four strangers' rovers came to their slip curves"
