# SPDX-License-Identifier: Apache-2.0
"""Environments for learning: reset() and step(action), as Gymnasium has them, without needing Gymnasium.

    env = rille.env.RoverEnv()
    observation, info = env.reset(seed=1)
    while True:
        action = env.action_space.sample()
        observation, reward, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            break

RoverEnv drives a Mars Exploration Rover over sand to a goal; SnakeEnv finds gaits for Mini EELS. Both are examples of Env: give it a
scene, and say what an action sets, what is observed and what is rewarded. Equal seeds and actions give equal hashes (info["hash"]).
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

from . import _array
from ._core import NumericError
from ._sim import Sim, load


class Box:
    """A box of numbers: low <= x <= high, with the methods that Gymnasium's Box has."""

    def __init__(self, low: Sequence[float], high: Sequence[float]) -> None:
        self.low, self.high = _vector(low), _vector(high)
        self.shape = (len(self.low),)
        self.dtype = getattr(self.low, "dtype", float)
        self._random = random.Random()

    def seed(self, seed: int | None = None) -> None:
        self._random.seed(seed)

    def sample(self) -> Any:
        """A point of the box; an unbounded side is drawn from a normal distribution."""
        return _vector([self._random.uniform(a, b) if math.isfinite(a) and math.isfinite(b) else self._random.gauss(0.0, 1.0)
                        for a, b in zip(self.low, self.high)])

    def contains(self, x: Sequence[float]) -> bool:
        return len(x) == self.shape[0] and all(a <= float(v) <= b for a, v, b in zip(self.low, x, self.high))

    __contains__ = contains

    def __repr__(self):
        return f"Box({list(self.low)}, {list(self.high)})"


def _vector(numbers):
    numbers = [float(x) for x in numbers]
    return _array.numpy.array(numbers) if _array.numpy is not None else numbers


class Env:
    """An environment around a simulation. Subclasses say what happens:

        class Hop(rille.env.Env):
            period = 0.1                                  # seconds of simulated time for one step
            horizon = 200                                 # steps of an episode
            action_space = rille.env.Box([-1], [1])
            observation_space = rille.env.Box([-math.inf] * 2, [math.inf] * 2)
            def make(self): return rille.load("pendulum")
            def act(self, action: Sequence[float]) -> None: self.sim["hinge_1.velocity"] = float(action[0])
            def observe(self): return [self.sim["hinge_1.position"], self.sim["hinge_1.velocity"]]
            def reward(self): return -abs(self.sim["hinge_1.position"])
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 10}
    render_mode = "rgb_array"
    spec: Any = None
    period = 0.1
    horizon = 200
    action_space = Box([], [])
    observation_space = Box([], [])

    def __init__(self) -> None:
        self.sim = self.make()
        self.steps = 0
        self.random = random.Random(0)
        self._ready = False

    # --- what a subclass says

    def make(self) -> Sim:
        """The simulation."""
        raise NotImplementedError

    def begin(self) -> None:
        """After the simulation went back to its start: draws what is random, with self.random."""

    def act(self, action: Sequence[float]) -> None:
        """Carries an action into named values."""
        raise NotImplementedError

    def observe(self) -> Sequence[float]:
        """The observation, a list of numbers."""
        raise NotImplementedError

    def reward(self) -> float:
        """Of the step just made."""
        raise NotImplementedError

    def is_over(self) -> bool:
        """Whether the episode ended by itself: a goal, a fall."""
        return False

    # --- what a user calls

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Back to the start. Returns the observation and a dictionary of facts."""
        if seed is not None:
            self.random.seed(seed)
        self.sim.reset()
        self.steps = 0
        self._ready = True
        self.begin()
        return _vector(self.observe()), self._info()

    def step(self, action: Sequence[float]) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carries out an action for self.period seconds. Returns observation, reward, terminated, truncated, info.

        A simulation that diverges ends the episode: terminated is True, info["failure"] has the sentence.
        """
        if not self._ready:
            raise RuntimeError("reset() comes before step()")
        if not self.action_space.contains(action):
            raise ValueError(f"the action {list(action)} is not in {self.action_space}")
        self.act(action)
        failure = None
        try:
            self.sim.step(max(1, round(self.period / self.sim.dt)))
        except NumericError as error:
            failure = str(error)
        self.steps += 1
        terminated = failure is not None or self.sim.stopped is not None or self.is_over()
        truncated = not terminated and self.steps >= self.horizon
        self._ready = not (terminated or truncated)
        info = self._info()
        if failure:
            info["failure"] = failure
        return _vector(self.observe()), float(self.reward()), terminated, truncated, info

    def render(self) -> Any:
        """A picture of now, height x width x 3."""
        return self.sim.view().rgb

    def close(self) -> None:
        self.sim.close()

    @property
    def unwrapped(self) -> Env:
        return self

    def _info(self):
        return {"time": self.sim.time, "hash": self.sim.hash, "stopped": self.sim.stopped}

    def __enter__(self) -> Env:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class RoverEnv(Env):
    """A Mars Exploration Rover drives over waves of loose sand to a goal 2 to 4 m away.

    Action: curvature and speed, each from -1 to 1 (of 0.5 1/m to the left, of 5 cm/s ahead).
    Observation: goal ahead and to the left [m], roll and pitch [rad], speed [m/s], mean slip of the wheels, greatest sinkage [m].
    Reward: how much nearer the goal is [m], less 0.1 times the mean slip; 10 at the goal (within 0.3 m).
    """

    period = 1.0
    horizon = 150
    action_space = Box([-1, -1], [1, 1])
    observation_space = Box([-math.inf] * 7, [math.inf] * 7)
    most_curvature = 0.5

    def make(self) -> Sim:
        return load("mer_sand", set={"duration": 1e6, "size": "16 m", "rover.command": 0})

    def begin(self) -> None:
        self.sim.step(round(0.6 / self.sim.dt))  # past the scene's own command
        self.sim["rover.command"] = 5
        bearing, way = self.random.uniform(-0.8, 0.8), self.random.uniform(2.0, 4.0)
        yaw = self.sim["base.yaw"]
        self.goal = (self.sim["base.x"] + way * math.cos(yaw + bearing), self.sim["base.y"] + way * math.sin(yaw + bearing))
        self._distance = self._to_goal()
        self._motion = None

    def _to_goal(self):
        return math.hypot(self.goal[0] - self.sim["base.x"], self.goal[1] - self.sim["base.y"])

    def act(self, action: Sequence[float]) -> None:
        curvature, speed = self.most_curvature * float(action[0]), float(action[1])
        self.sim["rover.speed"] = max(1e-3, 0.05 * abs(speed))
        motion = None if abs(speed) < 0.02 else (round(curvature, 3), math.copysign(10.0, speed))
        if motion == self._motion and (motion is None or self.sim["rover.busy"]):
            return  # the wheels need not be steered anew
        self._motion = motion
        if motion:
            self.sim["rover.radius"] = 0.0 if motion[0] == 0.0 else 1.0 / motion[0]
            self.sim["rover.length"] = motion[1]
        self.sim["rover.command"] = 1 if motion else 5

    def observe(self) -> Sequence[float]:
        sim = self.sim
        dx, dy, yaw = self.goal[0] - sim["base.x"], self.goal[1] - sim["base.y"], sim["base.yaw"]
        slips, sinkages = sim["soil.*.slip"], sim["soil.*.sinkage"]
        return [dx * math.cos(yaw) + dy * math.sin(yaw), -dx * math.sin(yaw) + dy * math.cos(yaw), sim["base.roll"],
                sim["base.pitch"], math.hypot(sim["base.vx"], sim["base.vy"]), sum(slips) / len(slips), max(sinkages)]

    def reward(self) -> float:
        before, self._distance = self._distance, self._to_goal()
        slips = self.sim["soil.*.slip"]
        return before - self._distance - 0.1 * abs(sum(slips) / len(slips)) + (10.0 if self.is_over() else 0.0)

    def is_over(self) -> bool:
        return self._to_goal() < 0.3


class SnakeEnv(Env):
    """Mini EELS looks for a gait that carries it over flat ground.

    Action, each from -1 to 1: amplitude (0 to 60 deg), lift (0 to 25 deg), frequency (0.1 to 1 Hz), phase step (0.3 to 1.2 rad).
    Observation: angles of the joints [rad], velocity of the tail (x, y) [m/s], roll and pitch [rad].
    Reward: way of the centre of mass in this step [m], less 1 mm for each joule of work.
    """

    period = 0.5
    horizon = 40
    modules = 12
    action_space = Box([-1] * 4, [1] * 4)
    observation_space = Box([-math.inf] * 16, [math.inf] * 16)

    def make(self) -> Sim:
        return load({
            "scene": "snake_env",
            "robot": {"file": "mini_eels", "set": {"modules": self.modules}},
            "terrain": {"kind": "plane", "material": "ground"},
            "duration": 1e6,
            "tick": "2 ms",
            "contact": {"pairs": [{"robot": "*", "ground": "*", "stiffness": "5 kN/m", "damping": "50 N*s/m", "friction": 0.5}]},
            "initial": {"base": {"xyz": [0, 0, "26 mm"]}},
            "devices": [
                {"name": "gait", "type": "gait_sidewind", "group": "bend_*", "rate": "100 Hz",
                 "set": {"amplitude": 0, "vertical_amplitude": 0, "frequency": 0.5, "phase_step": 0.75}},
                {"joints": "bend_*", "name": "servo_${joint}", "type": "servo",
                 "set": {"stiffness": "20 N*m/rad", "damping": "0.5 N*m*s/rad", "effort_limit": "2 N*m"},
                 "connect": {"position": "gait.${joint}.position", "velocity": "gait.${joint}.rate"}}]})

    def begin(self) -> None:
        self.sim.step(round(0.5 / self.sim.dt))  # it falls onto the ground
        self._place, self._work = self._where(), self.sim["energy.work"]

    def _where(self):
        return self.sim["com.x"], self.sim["com.y"]

    def act(self, action: Sequence[float]) -> None:
        a, b, f, p = (0.5 * (float(x) + 1.0) for x in action)
        self.sim.set({"gait.amplitude": math.radians(60.0 * a), "gait.vertical_amplitude": math.radians(25.0 * b),
                      "gait.frequency": 0.1 + 0.9 * f, "gait.phase_step": 0.3 + 0.9 * p})

    def observe(self) -> Sequence[float]:
        sim = self.sim
        return sim["bend_*.position"].tolist() + [sim["base.vx"], sim["base.vy"], sim["base.roll"], sim["base.pitch"]]

    def reward(self) -> float:
        (x0, y0), (x1, y1) = self._place, self._where()
        before, self._work = self._work, self.sim["energy.work"]
        self._place = (x1, y1)
        return math.hypot(x1 - x0, y1 - y0) - 1e-3 * max(0.0, self._work - before)
