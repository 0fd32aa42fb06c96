# SPDX-License-Identifier: Apache-2.0
"""Simulations: load a scene, step it, read and write its named values."""

from __future__ import annotations

import builtins
import functools
import html
import math
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from . import _core, _device, _sensors, _yaml
from ._table import Recorder, Table

Scene = str | os.PathLike[str] | Mapping[str, Any]
Robot = str | os.PathLike[str] | Mapping[str, Any]
Devices = Sequence[type[_device.Device]] | Mapping[str, type[_device.Device]]

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")


def _root():
    """The data folder of an installed wheel; None in a source tree."""
    return DATA if os.path.isdir(DATA) else None


def _setting(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    return repr(float(value)) if not isinstance(value, int) else str(value)


def _opening(scene, settings, robot, devices, folder):
    """The core's arguments, from what a user gives."""
    text = None
    if isinstance(scene, Mapping):
        scene = dict(scene)
        scene.setdefault("scene", "python")
        if robot is not None:
            scene["robot"] = {"template": dict(robot)} if isinstance(robot, Mapping) else robot
            robot = None
        text, scene = _yaml.to_yaml(scene), "<dictionary>"
    elif isinstance(scene, str) and "\n" in scene:
        text, scene = scene, "<text>"
    else:
        scene = os.fspath(scene)
    if text is not None and folder is not None:
        scene = os.path.join(os.fspath(folder), scene)
    if isinstance(robot, Mapping):
        raise TypeError("a robot as a dictionary needs a scene as a dictionary")
    pairs = tuple((name, _setting(value)) for name, value in (settings or {}).items())
    return {"scene": scene, "text": text, "settings": pairs, "robot": None if robot is None else os.fspath(robot),
            "devices": _device.specs(devices), "root": _root()}


class Sim(_core.Sim):
    """A simulation of a scene.

        sim = rille.load("mer_sand")            # a scene by name, a path, YAML text, or a dictionary
        sim.step()                              # one control tick
        sim.run(10)                             # ten seconds of simulated time
        sim["base.x"]                           # a number
        sim["soil.*.slip"]                      # an array of numbers, without a copy
        sim["rover.speed"] = "3 cm/s"           # a text has a unit, a number is in SI units

    Learn what there is with sim.names("base.*") and sim.describe("base.x"). Everything that can be seen or set has a name.

    State: reset(), snapshot() and restore(), save() and load() (files), copy(), hash. Equal inputs give equal hashes.
    Controllers: @sim.control(rate=50), called by run() and step(). Devices of your own: rille.Device.
    Sensors: picture(), view(), truth(), scan(). Results: run(log=[...]), checks, validity, stopped.

    Threads: any thread may use a simulation; one waits for the other, at most for a tick. Python code of other threads runs
    while the simulation steps.
    """

    def __init__(self, scene: Scene, *, set: Mapping[str, Any] | None = None, robot: Robot | None = None,
                 devices: Devices | None = None, folder: str | os.PathLike[str] | None = None) -> None:
        self._arguments = dict(scene=scene, set=set, robot=robot, devices=devices, folder=folder)
        self._controllers = []
        self._calling = builtins.set()
        super().__init__(**_opening(scene, set, robot, devices, folder))

    # --- running

    def control(self, rate: float | Callable[[Sim], Any] | None = None) -> Callable[..., Any]:
        """Decorator: calls a function with the simulation before a tick, `rate` times per second (default: every tick).

            @sim.control(rate=50)
            def hold(sim):
                sim["servo_*.position"] = 0.3 * math.sin(sim.time)

        The rate must divide that of the ticks. An exception in it ends run() or step() between two ticks. Controllers are not part of
        snapshots.
        """
        if callable(rate):
            return self.control()(rate)
        if rate is not None and not (isinstance(rate, (int, float)) and 0.0 < rate < math.inf):
            raise ValueError(f"a controller's rate is a positive number of Hz, not {rate!r}")
        ticks = 1 if rate is None else 1.0 / (rate * self.dt)
        period = round(ticks)
        if period < 1 or abs(ticks - period) > 1e-6 * max(1.0, ticks):
            raise ValueError(f"a rate of {rate} Hz does not divide that of the ticks, {1.0 / self.dt:.9g} Hz")

        def register(function):
            self._controllers.append((period, function))
            if not isinstance(self, _Controlled):
                self.__class__ = _controlled(type(self))  # the plain step() knows no controllers
            return function
        return register

    def run(self, duration: float | None = None, *, until: str | None = None, log: str | Sequence[str] | None = None,
            rate: float | None = None, out: str | os.PathLike[str] | None = None) -> Table | None:
        """Runs for `duration` seconds, to the end of the scene without one, or while the expression `until` is false.

        log: names or globs whose values are collected, at `rate` rows per second (default: that of the scene's log); the table
        is returned. out: an MCAP file that they are written to as well. A stop condition of the scene ends the run (sim.stopped). Ctrl-C ends it between two
        ticks; the simulation can go on.
        """
        for what, x in (("duration", duration), ("rate", rate)):
            if x is not None and (isinstance(x, str) or not math.isfinite(x) or x < 0.0 or (what == "rate" and x == 0.0)):
                raise ValueError(f"{what} of a run is a positive number of {'seconds' if what == 'duration' else 'Hz'}, not {x!r}")
        end = self.duration if duration is None else self.time + duration
        last = round(end / self.dt)
        recorder = Recorder(self, log) if log is not None else None
        record = None
        if out is not None:
            if recorder is None:
                raise ValueError("out= needs log=: which values are written")
            signals = [(n, self.describe(n)["unit"]) for n in recorder.names]
            record = _core.Record(out, "/rille/values", signals)
        period = max(1, round(1.0 / ((rate or self.log_rate or 1.0 / self.dt) * self.dt)))
        try:
            self._run(last, period, recorder, record, until)
        finally:
            if record is not None:
                record.close()
        return recorder.table() if recorder else None

    def _run(self, last, period, recorder, record, until):
        def look():
            if recorder and self.tick % period == 0:
                recorder.take()
                if record is not None:
                    record.write(self.time, recorder._rows[-len(recorder.names):])
            return until is not None and self.eval(until) != 0.0

        done = look()
        while not done and self.tick < last and self.stopped is None:
            ahead = 1 if until is not None else last - self.tick
            if recorder:
                ahead = min(ahead, period - self.tick % period)
            self.step(ahead)
            done = look()

    @property
    def done(self) -> bool:
        """Whether the scene's duration is over or a stop condition holds."""
        return self.stopped is not None or self.time >= self.duration - 0.5 * self.dt

    # --- values

    def get(self, name: str, default: Any = None) -> Any:
        """sim[name], or `default` if there is no such value."""
        try:
            return self[name]
        except _core.NotFoundError:
            return default

    def set(self, values: Mapping[str, Any] | None = None, **more: Any) -> None:
        """Writes several values: sim.set({"rover.speed": "3 cm/s"})."""
        for name, value in {**(values or {}), **more}.items():
            self[name] = value

    def __contains__(self, name: str) -> bool:
        return bool(self.names(name))

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __len__(self) -> int:
        return len(self.names())

    # --- state

    def copy(self) -> Sim:
        """Another simulation of the same scene in the same state. Controllers are not copied."""
        a = self._arguments
        other = Sim(a["scene"], set=a["set"], robot=a["robot"], devices=a["devices"], folder=a["folder"])
        other.restore(self.snapshot())
        return other

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        raise TypeError("a simulation cannot be pickled; send its scene and snapshot(), and restore() there")

    # --- sensors

    @property
    def cameras(self) -> list[str]:
        """Names of the cameras."""
        return self._sensors(False)

    @property
    def lidars(self) -> list[str]:
        """Names of the lidars."""
        return self._sensors(True)

    def picture(self, camera: str | None = None) -> _sensors.Picture:
        """What a camera of the scene sees now; without a name, its first one."""
        return _sensors.Picture(*self._picture(self._first(camera, False)))

    def view(self, eye: Sequence[float] | None = None, target: Sequence[float] | None = None, *, width: int = 640,
             height: int = 480, field: float = 0.9, samples: int = 1, path: bool = False) -> _sensors.Picture:
        """A picture of the scene from anywhere: from `eye` to `target`, (x, y, z) in the world; default: the robot from behind."""
        x, y, z = (self.get("base.x", 0.0), self.get("base.y", 0.0), self.get("base.z", 0.0))
        target = (x, y, z) if target is None else tuple(float(c) for c in target)
        eye = (x - 2.5, y - 2.0, z + 1.5) if eye is None else tuple(float(c) for c in eye)
        return _sensors.Picture(*self._view(eye, target, width, height, field, samples, path))

    def truth(self, camera: str | None = None) -> _sensors.Truth:
        """What the pixels of a camera really see: depth, points, normals, links, soils, flow."""
        return _sensors.Truth(*self._truth(self._first(camera, False)))

    def scan(self, lidar: str | None = None, *, whole: bool = True) -> _sensors.Cloud:
        """A cloud of a lidar. whole=False: the shots since the last look, each from the pose at its own time."""
        return _sensors.Cloud(*self._scan(self._first(lidar, True), whole))

    def _first(self, name, lidars):
        if name is not None:
            return name
        names = self._sensors(lidars)
        if not names:
            raise _core.NotFoundError(f"scene '{self.name}' has no {'lidar' if lidars else 'camera'}; sim.view() needs none")
        return names[0]

    # --- showing

    def __enter__(self) -> Sim:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self):
        if self.closed:
            return "Sim(closed)"
        return f"Sim('{self.name}', t = {self.time:.6g} s, {len(self)} values)"

    def _repr_html_(self):
        if self.closed:
            return "<b>closed simulation</b>"
        rows = [("scene", self.name), ("about", self.doc), ("time", f"{self.time:.6g} s of {self.duration:.6g} s"),
                ("values", str(len(self))), ("hash", f"{self.hash:016x}")]
        rows += [("stopped", self.stopped)] if self.stopped else []
        rows += [("check " + c["name"], f"{c['value']:.6g} {c['unit']}" + (" passed" if c["passed"] else "")) for c in self.checks]
        rows += [("validity", f"{v['name']}: {v['text']} ({v['count']} ticks)") for v in self.validity]
        body = "".join(f"<tr><th>{html.escape(a)}</th><td>{html.escape(b)}</td></tr>" for a, b in rows)
        return f"<table>{body}</table>"


class _Controlled:
    """What a simulation becomes with its first controller."""

    _controllers: list[tuple[int, Callable[[Any], Any]]]
    _calling: set[int]  # threads that are inside a controller

    def step(self, n: int = 1, /) -> bool:
        """Advances by n control ticks, with the controllers. Returns True while no stop condition holds."""
        plain, going = super().step, self.stopped is None
        if n < 0:
            raise ValueError(f"step({n}): the number of ticks is negative")
        thread = threading.get_ident()
        if thread in self._calling:
            raise _core.StateError("a controller is called before a tick; it cannot step its own simulation")
        while n > 0:
            tick, ahead = self.tick, n
            for period, function in self._controllers:
                if tick % period == 0:
                    self._calling.add(thread)
                    try:
                        function(self)
                    finally:
                        self._calling.discard(thread)
                ahead = min(ahead, period - tick % period)
            going = plain(ahead)
            if not going:
                break
            n -= ahead
        return going


@functools.cache
def _controlled(cls: type) -> type:
    return type(cls.__name__, (_Controlled, cls), {"__doc__": cls.__doc__, "__module__": cls.__module__})


def load(scene: Scene, *, set: Mapping[str, Any] | None = None, robot: Robot | None = None, devices: Devices | None = None,
         folder: str | os.PathLike[str] | None = None) -> Sim:
    """Loads and builds a scene, and returns its simulation, ready to step.

    scene    a name ("mer_sand"; rille.scenes() lists them), a path, YAML text, or a dictionary with the keys of a scene
    set      settings, as `rille run --set`: {"duration": 5, "robot.modules": 4, "rover.speed": "3 cm/s"}
    robot    a file in place of the scene's robot; with a dictionary as scene also a name or a dictionary (a template)
    devices  subclasses of rille.Device that the scene names as `type`: a list, or a dictionary of name and class
    folder   where files that a text or a dictionary names are looked for (default: the working folder)

        sim = rille.load("pendulum", set={"start": "30 deg"})
        sim = rille.load({"robot": "pendulum", "duration": 3, "initial": {"positions": {"hinge_1": "30 deg"}}})

    What is wrong raises rille.InputError or rille.NotFoundError with a sentence that names file and line.
    """
    return Sim(scene, set=set, robot=robot, devices=devices, folder=folder)
