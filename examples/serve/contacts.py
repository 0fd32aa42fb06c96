#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A 3-D tool that owns time and finds contacts: contacts.py SOCKET, with `rille serve pendulum --set outside=1 --serve=SOCKET`.

Each tick it gets the poses of all links, finds where the tip of the pendulum is below a floor that only this program knows, and gives the
contact back: point, normal, depth, friction, restitution, stiffness.
"""
import socket
import sys

FLOOR = -1.5  # [m]

connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
stream = connection.makefile("rw", newline="\n")


def ask(request):
    """The lines of an answer, the last one without its ok."""
    stream.write(request + "\n")
    stream.flush()
    lines = []
    while True:
        line = stream.readline().rstrip("\n")
        word, _, rest = line.partition(" ")
        if word == "error":
            raise SystemExit(f"contacts: {request}: {rest}")
        if word == "ok":
            return lines, rest
        lines.append(line)


def tip():
    """Where the end of the last rod is: one metre from its joint, along -z of the link."""
    (line,), _ = ask("poses rod_2")
    x, y, z, qw, qx, qy, qz = map(float, line.split()[1:8])
    down = (2 * (qx * qz + qw * qy), 2 * (qy * qz - qw * qx), 1 - 2 * (qx * qx + qy * qy))
    return x - down[0], y - down[1], z - down[2]


lowest, touched = 0.0, 0
for _ in range(2000):
    x, y, z = tip()
    lowest = min(lowest, z)
    if z < FLOOR:
        touched += 1
        ask(f"contacts rod_2 {x!r} {y!r} {z!r} 0 0 1 {FLOOR - z!r} 0.3 0.2 20000")
    else:
        ask("contacts")
    ask("step")
_, state = ask("hash")
print(f"{touched} ticks on the floor, {FLOOR - lowest:.4f} m deep at most, state {state}")
ask("quit")
raise SystemExit(0 if touched > 0 and lowest > FLOOR - 0.05 else 1)
