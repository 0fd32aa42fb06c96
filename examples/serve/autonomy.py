#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An autonomy process that owns time: autonomy.py SOCKET. Drives a rover to a goal by arcs, a decision every four seconds.

The simulator (`rille serve mer_drive`) makes a tick only when this program asks for it, so the run depends on nothing but its
decisions: two runs end with the same state hash.
"""
import math
import socket
import sys

GOAL = (-2.5, -0.4)

connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
stream = connection.makefile("rw", newline="\n")


def ask(request):
    stream.write(request + "\n")
    stream.flush()
    word, _, rest = stream.readline().rstrip("\n").partition(" ")
    if word != "ok":
        raise SystemExit(f"autonomy: {request}: {word} {rest}")
    return rest.split()


ask("bind 1 0 rover.radius rover.length rover.command ->")  # a command, without a tick
ask("bind 0 1000 -> base.x base.y base.yaw")                # four seconds, and where the rover is
while True:
    time, x, y, yaw = map(float, ask("cycle 0"))
    dx, dy = GOAL[0] - x, GOAL[1] - y
    distance = math.hypot(dx, dy)
    if distance < 0.25 or time > 90.0:
        break
    side = dy * math.cos(yaw) - dx * math.sin(yaw)  # the goal, to the left of the rover
    radius = 0.0 if abs(side) < 1e-3 else math.copysign(max(1.5, 0.5 * distance**2 / abs(side)), side)
    ask(f"cycle 1 {radius!r} {distance!r} 1")
print(f"{'arrived' if distance < 0.25 else 'not there'} after {time:.1f} s, {distance:.3f} m from the goal, state", *ask("hash"))
ask("quit")
raise SystemExit(0 if distance < 0.25 else 1)
