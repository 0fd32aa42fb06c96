# SPDX-License-Identifier: Apache-2.0
"""Started by `rille bench links`: times of one round in microseconds, one "name value" a line."""

import time

import rille

STEPS, READS = 20000, 2000


def best(function, count, rounds=5):
    """Shortest time of one call of several rounds [us]."""
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        for _ in range(count):
            function()
        times.append((time.perf_counter() - begin) / count)
    return 1e6 * min(times)


def overhead(sim):
    """What a call of step() adds to a tick [us]: single steps beside as many in one call, in turn."""
    single, many = [], []
    for _ in range(9):
        single.append(best(sim.step, STEPS, 1))
        many.append(best(lambda: sim.step(STEPS), 1, 1) / STEPS)
    return min(single) - min(many)


print("step", overhead(rille.load("pendulum", set={"duration": 1e6})))

snake = rille.load("snake_servo")
view = snake["*"]
scale = 1000.0 / len(view)


def read():
    memoryview(view)


print("read", best(read, READS) * scale)
try:
    import numpy
except ImportError:
    pass
else:
    print("numpy", best(lambda: numpy.asarray(view), READS) * scale)


class Idle(rille.Device):
    """Does nothing, inside the tick."""

    attach = "joint"
    x = rille.Input(0.0, "", "an input")
    y = rille.Output("", "an output")

    def update(self, call):
        self.y = self.x + call.position


tree = {"robot": "pendulum", "integrator": "rk4", "initial": {"positions": {"hinge_1": 1.0}}, "duration": 1e6}
plain = rille.load(tree)
device = rille.load({**tree, "devices": [{"name": "idle", "type": "Idle", "joint": "hinge_1"}]}, devices=[Idle])
print("device", best(device.step, STEPS) - best(plain.step, STEPS))
