#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Typical mistakes of somebody who is new: each is refused with the right exit code, and the answer names cause and cure.
#
#   test_mistakes.sh RILLE FOLDER
set -uo pipefail
rille=$(realpath "$1") work=$2
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
count=0 bad=0
# wants CODE PART COMMAND...: the answer ends with CODE and contains PART
wants() {
  local code=$1 part=$2 said status
  shift 2
  said=$("$@" 2>&1 </dev/null)
  status=$?
  count=$((count + 1))
  if [ $status -ne "$code" ] || ! grep -qF -- "$part" <<<"$said"; then
    echo "FAILED: ${*/$rille/rille}: exit $status, wanted $code with '$part'; it said:"
    tail -n 3 <<<"$said"
    bad=$((bad + 1))
  fi
}
# edited FILE SED PART: the project's scene with an edit in FILE is refused with PART
edited() {
  local file=$1 edit=$2 part=$3
  rm -rf copy && cp -r project copy
  sed -i "$edit" "copy/$file"
  cmp -s "project/$file" "copy/$file" && { echo "FAILED: the edit '$edit' changes nothing"; bad=$((bad + 1)); }
  wants 2 "$part" "$rille" run copy/scene.yaml --set soil=copy/soil.yaml --duration 0.01 --out out
}
"$rille" new rover project >/dev/null

# words
wants 2 "did you mean 'run'" "$rille" rnu mer_sand
wants 2 "did you mean 'check'" "$rille" robot chek mer
wants 2 "the scene is missing" "$rille" run
wants 2 "did you mean 'mer_sand'" "$rille" run mer_snad
wants 2 "it is a robot ('rille robot show mer')" "$rille" run mer
wants 2 "one argument too many" "$rille" run mer_sand mer_rocks
wants 2 "requires an argument" "$rille" run mer_sand --duration
wants 2 "unknown name 'abc'" "$rille" run mer_sand --duration abc
wants 2 "allowed: above 0" "$rille" run mer_sand --duration -5
wants 2 "did you mean 'speed'" "$rille" run mer_sand --set spede=3
wants 2 "NAME=VALUE" "$rille" run mer_sand --set speed
wants 2 "takes m*s^-1" "$rille" run mer_sand --set speed=3kg
wants 2 "'rille terrain soils' lists them" "$rille" run mer_sand --set soil=moondust
wants 2 "nofile.yaml" "$rille" run nofile.yaml
wants 2 "No such file" "$rille" run mer_sand --resume nofile
wants 2 "'rille list robots' lists them" "$rille" robot check nosuch
wants 2 "the robot is missing" "$rille" robot show
wants 2 "did you mean 'scenes'" "$rille" list scene
wants 2 "there are rover, snake, scene and device" "$rille" new rovr other
wants 2 "name a new folder" "$rille" new rover project
wants 2 "does not end in .png" "$rille" view mer_sand --png picture.jpg
wants 2 "expects page or rays" "$rille" view mer_sand --png p.png --renderer rayz
wants 2 "WIDTHxHEIGHT" "$rille" view mer_sand --png p.png --renderer rays --size 10
wants 2 "which log" "$rille" plot
wants 2 "not an MCAP file" "$rille" plot project/scene.yaml base.x
wants 2 "--over and --result are needed" "$rille" sweep project/scene.yaml
wants 2 "NAME=FROM:TO:STEP" "$rille" sweep project/scene.yaml --over slope --result 'max(base.x)'
wants 2 "did you mean 'slope'" "$rille" sweep project/scene.yaml --over slop=0:3:1 --result 'max(base.x)'
wants 2 "did you mean 'max'" "$rille" sweep project/scene.yaml --over slope=0:3:1 --result 'maxi(base.x)'
wants 2 "unknown name 'base.xx'" "$rille" sweep project/scene.yaml --over slope=0:3:1 --result 'max(base.xx)'
wants 2 "did you mean 'craters'" "$rille" terrain make crater --out x.asc
wants 2 "cannot be written so" "$rille" terrain make craters --out x.docx
wants 2 "did you mean 'dry_sand_LLL'" "$rille" terrain soils dry
wants 2 "no key 'place'" "$rille" place mer_sand
if "$rille" --version | grep -q 'embree: yes'; then # a build without it says so first
  wants 2 "give it a key 'cameras'" "$rille" camera shot mer_sand
  wants 2 "give it a key 'lidars'" "$rille" lidar scan mer_sand
else
  wants 3 "this build has no Embree" "$rille" camera shot mer_sand
  wants 3 "this build has no Embree" "$rille" lidar scan mer_sand
fi
wants 2 "not a date such as" "$rille" time 2021-13-45
wants 2 "there is no such store" "$rille" campaign status nothing.db
wants 2 "there is no plan 'nosuch'" "$rille" plan run nosuch
# the right file for the wrong command
wants 2 "is a scene, not a robot: 'rille run project/scene.yaml' simulates it" "$rille" robot check project/scene.yaml
wants 2 "is a robot, not a scene" "$rille" run project/robot.urdf.xacro
wants 2 "is a terrain, not a scene" "$rille" run project/terrain.yaml
wants 2 "is a soil, not a scene" "$rille" run project/soil.yaml
wants 2 "is a scene, not a terrain" "$rille" terrain info project/scene.yaml
wants 2 "is a scene, not a campaign" "$rille" campaign run project/scene.yaml
# in the scene
edited scene.yaml 's/^duration/\tduration/' "not with tabs"
edited scene.yaml 's/^duration/durration/' "did you mean 'duration'"
edited scene.yaml 's/^gravity.*/&\ngravity: mars/' "given twice"
edited scene.yaml '/^robot:/d' "key 'robot' is missing"
edited scene.yaml 's/robot.urdf.xacro/rbot.urdf/' "there is no robot file 'rbot.urdf'"
edited scene.yaml 's/type: drive_train/type: drivetrain/' "did you mean 'drive_train'"
edited scene.yaml 's/gear_ratio/gear_ration/' "gear_ratio'?"
edited scene.yaml 's/24 V/24 A/' "takes V"
edited scene.yaml 's/"drive_\*"/"wheel_*"/' "drive_front_left, drive_rear_left"
edited scene.yaml 's/gravity: mars/gravity: marss/' "did you mean 'mars'"
edited scene.yaml 's/tick: 2 ms/tick: 0/' "allowed: above 0"
edited scene.yaml 's/value: base.x/value: base.xx/' "unknown name 'base.xx'"
edited scene.yaml 's/base.x, base.z/base.x, base.zz/' "unknown value 'base.zz'"
edited scene.yaml 's/terrain.yaml/terain.yaml/' "there is no terrain 'terain.yaml'"
edited scene.yaml 's/"\*.position"]/"*.position"/' "is missing"
edited scene.yaml 's/stance: {}/initial: {base: {xyz: [0, 0]}}/' "expected 3 numbers, found 2"
edited scene.yaml 's/stance: {}/initial: {base: {xyz: [0, 0, -1]}}/' "start it higher"
edited scene.yaml 's/stance: {}/integrator: rk45/' "did you mean 'rk4'"
# in soil and robot
edited soil.yaml 's/kPa/kN/' "expected Pa"
edited soil.yaml 's/^friction/fricton/' "did you mean 'friction'"
edited robot.urdf.xacro 's|</robot>||' "the file ends before every element is closed"
edited robot.urdf.xacro 's|</robot>|<xacro:whel a="1"/></robot>|' "did you mean 'wheel'"
edited robot.urdf.xacro 's|</robot>|<link name="${nope}"/></robot>|' "there is no property or parameter 'nope'"
edited robot.urdf.xacro 's|</robot>|<link name="alone"/></robot>|' "have no parent joint"
edited robot.urdf.xacro 's|</robot>|<xacro:include filename="$(find nopkg)/x.xacro"/></robot>|' "ROS_PACKAGE_PATH"
echo "$count mistakes, $bad answered badly"
[ $bad -eq 0 ]
