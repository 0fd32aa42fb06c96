#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mini EELS walks with controllers written in Python: a gait for all joints and a PD controller for each.

    python3 walk_mini_eels.py [picture.png]

Both are devices: they are called inside the tick, the gait at 100 Hz and the PD controllers at every tick.
"""

import math
import sys

import rille


class Sidewind(rille.Device):
    """A wave that carries a snake sideways: even joints bend in the plane, odd ones lift, a quarter of a period apart."""

    attach = "joints"
    amplitude = rille.Parameter(math.radians(40), "rad", "of the joints that bend in the plane")
    lift = rille.Parameter(math.radians(12), "rad", "of the joints that lift")
    frequency = rille.Parameter(0.5, "Hz", "of the wave")
    phase_step = rille.Parameter(0.75, "rad", "from joint to joint")
    ramp = rille.Parameter(1.0, "s", "within which the wave grows", low=0.01)

    def update(self, call):
        w = 2.0 * math.pi * self.frequency
        grown = min(1.0, call.time / self.ramp)
        positions, rates = [], []
        for i in range(len(call.joints)):
            lifts = i % 2 == 1
            size = grown * (self.lift if lifts else self.amplitude)
            angle = w * call.time + self.phase_step * i + (0.5 * math.pi if lifts else 0.0)
            positions.append(size * math.sin(angle))
            rates.append(size * w * math.cos(angle))
        call.command(positions, rates)


class PD(rille.Device):
    """A proportional-derivative controller of one joint, with a torque limit."""

    attach = "joint"
    kp = rille.Parameter(20.0, "N*m/rad", "gain on the angle")
    kd = rille.Parameter(0.2, "N*m*s/rad", "gain on the rate")
    limit = rille.Parameter(2.0, "N*m", "greatest torque", low=0.0)
    angle = rille.Input(0.0, "rad", "wanted angle")
    rate = rille.Input(0.0, "rad/s", "wanted rate")
    torque = rille.Output("N*m", "on the joint", action="effort")

    def update(self, call):
        torque = self.kp * (self.angle - call.position) + self.kd * (self.rate - call.velocity)
        self.torque = max(-self.limit, min(self.limit, torque))


SCENE = {
    "scene": "walk_mini_eels",
    "robot": {"file": "mini_eels", "set": {"modules": 16}},
    "terrain": {"kind": "plane", "material": "ground"},
    "duration": 8,
    "tick": "1 ms",
    "contact": {"pairs": [{"robot": "*", "ground": "*", "stiffness": "5 kN/m", "damping": "50 N*s/m", "friction": 0.5}]},
    "initial": {"base": {"xyz": [0, 0, 0.03]}},
    "devices": [
        {"name": "gait", "type": "Sidewind", "group": "bend_*", "rate": "100 Hz"},
        {"joints": "bend_*", "name": "pd_${joint}", "type": "PD",
         "connect": {"angle": "gait.${joint}.position", "rate": "gait.${joint}.rate"}},
    ],
}


def main():
    sim = rille.load(SCENE, devices=[Sidewind, PD])
    table = sim.run(log=["com.x", "com.y", "bend_1.position", "gait.bend_1.position"], rate=50)
    x, y = table["com.x"], table["com.y"]
    way = math.hypot(x[-1] - x[0], y[-1] - y[0])
    lag = max(abs(a - b) for a, b in zip(table["bend_1.position"], table["gait.bend_1.position"]))
    print(f"In {sim.time:.0f} s Mini EELS has walked {way:.2f} m; joint 1 followed its wave within {math.degrees(lag):.1f} deg.")
    print(f"Hash of the state: {sim.hash:016x}")
    if len(sys.argv) > 1:
        sim.view(eye=(sim["com.x"] - 1.2, sim["com.y"] - 1.2, 0.9), target=(sim["com.x"], sim["com.y"], 0)).save(sys.argv[1])
    return way


if __name__ == "__main__":
    main()
