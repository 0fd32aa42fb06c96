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
    """messages: (topic, seconds, bytes) of JointState."""
    topics = sorted({m[0] for m in messages})
    out = b"\x89MCAP0\r\n" + record(1, text("ros2") + text("test"))
    out += record(3, struct.pack("<H", 1) + text("sensor_msgs/msg/JointState") + text("ros2msg") + text("std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\nfloat64[] effort\n"))
    for i, topic in enumerate(topics, 1):
        out += record(4, struct.pack("<HH", i, 1) + text(topic) + text("cdr") + struct.pack("<I", 0))
    for n, (topic, seconds, data) in enumerate(messages):
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
sys.exit(1 if failures else 0)
