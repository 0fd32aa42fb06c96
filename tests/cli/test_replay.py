#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`rille run --replay-commands`: test_replay.py RILLE WORK

A bag is written here byte by byte (MCAP, ROS 2 messages in CDR), from a run over the variable server: commanded efforts and measured joint states. Replayed,
the scene ends with the same state, and what was measured agrees.
"""
import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import sys
import time

rille, work = sys.argv[1], pathlib.Path(sys.argv[2])
shutil.rmtree(work, ignore_errors=True)
work.mkdir(parents=True)
failures = 0


def check(good, what):
    global failures
    if not good:
        failures += 1
        print("FAIL", what)


# --- a bag ------------------------------------------------------------------------------------------------------------

def text(x):
    return struct.pack("<I", len(x)) + x.encode()


def record(opcode, content):
    return struct.pack("<BQ", opcode, len(content)) + content


class Cdr:
    def __init__(self):
        self.data = b""

    def put(self, form, *x):
        size = struct.calcsize(form)
        self.data += b"\0" * (-len(self.data) % size)
        for v in x:
            self.data += struct.pack("<" + form, v)

    def string(self, x):
        self.put("I", len(x) + 1)
        self.data += x.encode() + b"\0"

    def doubles(self, x):
        self.put("I", len(x))
        if x:
            self.put("d", *x)

    def bytes(self):
        return b"\0\1\0\0" + self.data


def joint_state(names, position, velocity, effort):
    c = Cdr()
    c.put("i", 0)
    c.put("I", 0)
    c.string("base")
    c.put("I", len(names))
    for n in names:
        c.string(n)
    for values in (position, velocity, effort):
        c.doubles(values)
    return c.bytes()


def bag(path, messages, start=1000):
    """messages: (topic, seconds, bytes) of JointState, or (topic, seconds, bytes, type)."""
    topics = sorted({m[0] for m in messages})
    types = {m[0]: m[3] if len(m) > 3 else "sensor_msgs/msg/JointState" for m in messages}
    out = b"\x89MCAP0\r\n" + record(1, text("ros2") + text("test"))
    out += record(3, struct.pack("<H", 1) + text("sensor_msgs/msg/JointState") + text("ros2msg") + text("std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\nfloat64[] effort\n"))
    known = ["sensor_msgs/msg/JointState"] + sorted(set(types.values()) - {"sensor_msgs/msg/JointState"})
    for i, name in enumerate(known[1:], 2):
        out += record(3, struct.pack("<H", i) + text(name) + text("ros2msg") + text(""))
    for i, topic in enumerate(topics, 1):
        out += record(4, struct.pack("<HH", i, 1 + known.index(types[topic])) + text(topic) + text("cdr") + struct.pack("<I", 0))
    for n, (topic, seconds, data, *_) in enumerate(messages):
        stamp = start * 10**9 + round(seconds * 1e9)
        out += record(5, struct.pack("<HIQQ", topics.index(topic) + 1, n, stamp, stamp) + data)
    out += record(15, struct.pack("<I", 0)) + record(2, struct.pack("<QQI", 0, 0, 0)) + b"\x89MCAP0\r\n"
    path.write_bytes(out)


# --- a run to record ----------------------------------------------------------------------------------------------------

path = str(work / "s")
server = subprocess.Popen([rille, "serve", "pendulum", "-q", f"--serve={path}", "--out", str(work / "live"), "--duration", "1"], stderr=subprocess.DEVNULL)
for _ in range(200):
    if os.path.exists(path):
        break
    time.sleep(0.05)
connection = socket.socket(socket.AF_UNIX)
connection.connect(path)
stream = connection.makefile("rw", newline="\n")


def ask(request):
    stream.write(request + "\n")
    stream.flush()
    while True:
        words = stream.readline().split()
        if words[0] != "event":
            return words[1:]


ask("bind 0 1 hinge_1.command -> hinge_1.position hinge_2.position hinge_1.velocity hinge_2.velocity")
messages = []
for i in range(1000):
    u = 0.3 * (i % 11 - 5)
    messages.append(("/effort_commands", i * 0.001, joint_state(["hinge_1"], [], [], [u])))
    x = list(map(float, ask(f"cycle 0 {u!r}")))
    messages.append(("/joint_states", (i + 1) * 0.001, joint_state(["hinge_1", "hinge_2"], x[1:3], x[3:5], [])))
(state,) = ask("hash")
ask("quit")
server.wait(60)


def replay(*words, bag="bag.mcap", code=0):
    done = subprocess.run([rille, "run", "pendulum", "--duration", "1", "--out", str(work / "out"), "--replay-commands", str(work / bag), *words],
                          capture_output=True, text=True, timeout=60)
    check(done.returncode == code, f"{words} {bag}: exit code {done.returncode}: {done.stderr}")
    return done


bag(work / "bag.mcap", messages)
done = replay()
check(f"state hash  {state}" in done.stdout, "the replayed run ends in the recorded state")
check("1 values driven by 1000 numbers, 0 refused" in done.stdout, "driven: " + done.stdout)
found = re.findall(r"(hinge_\d\.\w+) differs from /joint_states:\1 by (\S+) \S+ rms", done.stdout)
check(len(found) == 4 and all(float(x) == 0.0 for _, x in found), f"compared: {found}")
check(len((work / "out/replay.csv").read_text().splitlines()) == 6, "replay.csv")

# Another scene than the one that was recorded: the difference is told.
done = replay("--set", "gravity.z=-9.0")
found = re.findall(r"(hinge_\d\.\w+) differs from /joint_states:\1 by (\S+) \S+ rms", done.stdout)
check(len(found) == 4 and all(float(x) > 0.01 for _, x in found), f"compared in another gravity: {found}")

# A map by hand: positions of the bag become efforts.
done = replay("--replay-map", "/joint_states:*.position=*.command")
check("3 values driven" in done.stdout, "a map: " + done.stdout)
replay("--replay-map", "/joint_states:*.position=*.nothing", code=2)
replay("--replay-map", "nothing", code=2)

# NaN and hostile names.
bag(work / "nan.mcap", messages[:10] + [("/effort_commands", 0.02, joint_state(["hinge_1"], [], [], [float("nan")]))] + [("/effort_commands", 0.03, joint_state(["../`x\n", "hinge_1"], [], [], [1.0, 2.0]))])
done = replay(bag="nan.mcap")
check("1 refused" in done.stdout, "a NaN is refused: " + done.stdout)

# Damaged and foreign bags.
whole = (work / "bag.mcap").read_bytes()
bag(work / "cut.mcap", [("/effort_commands", 0.0, joint_state(["hinge_1"], [], [], [1.0])[:-3])])
check("cut short" in replay(bag="cut.mcap", code=2).stderr, "a message that is cut short")
long = bytearray(joint_state(["hinge_1"], [], [], [1.0]))
long[24:28] = b"\xff\xff\xff\x7f"
bag(work / "long.mcap", [("/effort_commands", 0.0, bytes(long))])
replay(bag="long.mcap", code=2)
(work / "junk.mcap").write_bytes(b"junk" * 100)
replay(bag="junk.mcap", code=2)
replay(bag="missing.mcap", code=2)
bag(work / "other.mcap", [("/other", 0.0, joint_state(["wheel"], [1.0], [], []))])
check("none of its 1 numbers drives a value" in replay(bag="other.mcap", code=2).stderr, "a bag that drives nothing")


# --- commands as the live link takes them ---------------------------------------------------------------------------------

def trajectory(names, points, stamp=0):
    """points: (seconds, positions, velocities)."""
    c = Cdr()
    c.put("i", stamp)
    c.put("I", 0)
    c.string("")
    c.put("I", len(names))
    for n in names:
        c.string(n)
    c.put("I", len(points))
    for seconds, positions, velocities in points:
        for values in (positions, velocities, [], []):
            c.doubles(values)
        c.put("i", int(seconds))
        c.put("I", round((seconds - int(seconds)) * 1e9))
    return c.bytes()


def twist(x, z):
    c = Cdr()
    c.put("d", x, 0.0, 0.0, 0.0, 0.0, z)
    return c.bytes()


def pose(frame, x, y):
    c = Cdr()
    c.put("i", 0)
    c.put("I", 0)
    c.string(frame)
    c.put("d", x, y, 0.0, 0.0, 0.0, 0.0, 1.0)
    return c.bytes()


def drive(scene, messages, *words, code=0, name="drive.mcap"):
    bag(work / name, messages)
    done = subprocess.run([rille, "run", scene, "--out", str(work / "drive"), "--replay-commands", str(work / name), *words], capture_output=True, text=True,
                          timeout=300)
    check(done.returncode == code, f"{scene} {words}: exit code {done.returncode}: {done.stderr}")
    return done


TRAJECTORY, TWIST, POSE = "trajectory_msgs/msg/JointTrajectory", "geometry_msgs/msg/Twist", "geometry_msgs/msg/PoseStamped"
moves = [("/joint_trajectory_controller/joint_trajectory", 0.0, trajectory(["hinge_1", "hinge_2"], [(1.0, [0.2, -0.1], [0.0, 0.0]), (2.0, [0.3, 0.1], [0.0, 0.0])]), TRAJECTORY),
         ("/joint_states", 0.5, joint_state(["hinge_1", "hinge_2"], [0.1, -0.05], [], []), "sensor_msgs/msg/JointState"),
         ("/joint_states", 1.5, joint_state(["hinge_1", "hinge_2"], [0.25, 0.0], [], []), "sensor_msgs/msg/JointState"),
         ("/joint_states", 2.9, joint_state(["hinge_1", "hinge_2"], [0.3, 0.1], [], []), "sensor_msgs/msg/JointState")]
robots = pathlib.Path(__file__).resolve().parents[2] / "robots"
(work / "held.yaml").write_text(f"""scene: held
robot: {{file: {robots}/pendulum.yaml, set: {{rods: 2}}}}
duration: 3 s
tick: 1 ms
gravity: none
devices:
  - {{joints: "hinge_*", name: "servo_${{joint}}", type: servo, set: {{stiffness: 2000 N*m/rad, damping: 20 N*m*s/rad}}}}
""")
done = drive(str(work / "held.yaml"), moves)
check("1 of 1 messages carried out as /joint_trajectory_controller/joint_trajectory, 0 refused" in done.stdout, "a trajectory: " + done.stdout)
found = re.findall(r"(hinge_\d)\.position differs from \S+ by (\S+) rad rms", done.stdout)
check(len(found) == 2 and all(float(x) < 0.002 for _, x in found), f"the middle of a cubic, and its ends: {done.stdout}")

hashes = []
rover = [("/rover/mer/cmd_vel", 0.5 * i, twist(0.03, 0.0), TWIST) for i in range(20)] + [("/mer/cmd_vel", 3.1, twist(float("nan"), 0.0), TWIST), ("/mer/pause", 1.0, b"\0\1\0\0\1", "std_msgs/msg/Bool")]
for _ in range(2):
    done = drive("mer_around_rock", rover, "--duration", "10")
    check("/rover/mer/cmd_vel: 20 of 20 messages carried out as /mer/cmd_vel, 0 refused" in done.stdout, "cmd_vel: " + done.stdout)
    check("/mer/cmd_vel: 0 of 1 messages carried out as /mer/cmd_vel, 1 refused" in done.stdout, "a NaN: " + done.stdout)
    hashes.append(re.findall("state hash  ([0-9a-f]+)", done.stdout))
check(hashes[0] == hashes[1] and len(hashes[0]) == 1, f"equal hashes: {hashes}")
check('"/rover/mer/cmd_vel","/mer/cmd_vel",,messages,20,0,0,0' in (work / "drive/replay.csv").read_text(), "replay.csv has topics")

done = drive("mer_around_rock", [("/mer/goal_pose", 0.0, pose("odom", 1.0, 0.0), POSE)], "--duration", "5")
check("1 of 1 messages carried out as /mer/goal_pose" in done.stdout, "a goal: " + done.stdout)
done = drive("mer_around_rock", [("/mer/goal_pose", 0.0, pose("nowhere", 1.0, 0.0), POSE)], "--duration", "1")
check("0 of 1 messages carried out as /mer/goal_pose, 1 refused" in done.stdout, "a goal in a frame that is not there: " + done.stdout)
sys.exit(1 if failures else 0)
