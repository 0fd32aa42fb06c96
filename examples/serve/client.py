#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A client of the variable server: client.py SOCKET. Swings a pendulum, in lock-step with the simulation."""
import socket
import sys


class Rille:
    def __init__(self, address, token=None):
        tcp = isinstance(address, tuple)
        self.socket = socket.create_connection(address) if tcp else socket.socket(socket.AF_UNIX)
        if not tcp:
            self.socket.connect(address)
        self.file = self.socket.makefile("rw", newline="\n")
        if token:
            self.ask("token " + token)

    def ask(self, request):
        self.file.write(request + "\n")
        self.file.flush()
        word, _, rest = self.file.readline().rstrip("\n").partition(" ")
        if word not in ("ok", "held"):
            raise RuntimeError(rest)
        return rest.split()


sim = Rille(sys.argv[1])
sim.ask("bind 0 1 hinge_1.command -> hinge_1.position hinge_1.velocity")
time, angle, rate = map(float, sim.ask("cycle 0 0"))
while time < 2.0:
    time, angle, rate = map(float, sim.ask(f"cycle 0 {-20.0 * angle - 4.0 * rate!r}"))
print(f"hinge_1 at {angle:.3f} rad after {time:.3f} s, state", *sim.ask("hash"))
sim.ask("quit")
