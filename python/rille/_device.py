# SPDX-License-Identifier: Apache-2.0
"""Devices written in Python: controllers, motors, sensors as blocks with ports."""

from __future__ import annotations

import math
from typing import Any, overload

from . import _core

_KINDS = {"parameter": 0, "input": 1, "state": 2, "output": 3}
_ATTACH = {None: 0, "joint": 1, "frame": 2, "wrench": 3, "joints": 4}
_ACTIONS = {None: 0, "effort": 1, "gain": 2, "damping": 3, "position": 4, "rate": 5, "limit": 6}


class Port:
    """A number of a device that has a name in the simulation. Use Parameter, Input, State and Output."""

    kind = "parameter"

    name: str | None
    index: int | None

    def __init__(self, initial: float = 0.0, unit: str = "", doc: str = "", *, low: float = -math.inf, high: float = math.inf,
                 action: str | None = None) -> None:
        if action not in _ACTIONS:
            raise ValueError(f"action {action!r}: one of {', '.join(repr(a) for a in _ACTIONS)} is allowed")
        self.initial, self.unit, self.doc, self.low, self.high = float(initial), unit, doc, float(low), float(high)
        self.action = action
        self.name = None
        self.index = None

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, device: None, owner: type | None = None) -> Port: ...

    @overload
    def __get__(self, device: Device, owner: type | None = None) -> float: ...

    def __get__(self, device: Device | None, owner: type | None = None) -> Port | float:
        if device is None:
            return self
        return device._x[self.index]

    def __set__(self, device: Device, value: float) -> None:
        device._x[self.index] = value

    def _tuple(self):
        doc = self.doc or f"{self.kind} {self.name}"
        return (self.name, self.unit, doc, _KINDS[self.kind], self.initial, self.low, self.high, _ACTIONS[self.action])


class Parameter(Port):
    """Set before or during a run (`set:` in a scene), not changed by the device."""

    kind = "parameter"


class Input(Port):
    """Read by the device; connect it to any named value (`connect:` in a scene), or write it from outside."""

    kind = "input"


class State(Port):
    """Carried from update to update. It is in checkpoints, snapshots and the hash, as attributes of your own are not."""

    kind = "state"


class Output(Port):
    """Computed by the device. With `action` it acts on the joint: "effort", or a servo's "gain", "damping", "position", "rate", "limit"."""

    kind = "output"

    def __init__(self, unit: str = "", doc: str = "", *, initial: float = 0.0, action: str | None = None) -> None:
        super().__init__(initial, unit, doc, action=action)


class Device:
    """A device or controller written in Python.

    Declare the ports as class attributes, say what it is attached to, and write `update`:

        class Pull(rille.Device):
            "A spring to a target angle, with a damper."
            attach = "joint"
            kp = rille.Parameter(5.0, "N*m/rad", "stiffness")
            kd = rille.Parameter(0.5, "N*m*s/rad", "damping")
            target = rille.Input(0.0, "rad", "angle that it pulls to")
            torque = rille.Output("N*m", "on the joint", action="effort")

            def update(self, call):
                self.torque = self.kp * (self.target - call.position) - self.kd * call.velocity

        sim = rille.load({"robot": "pendulum", "devices": [{"name": "pull", "type": "Pull", "joint": "hinge_1"}]},
                         devices=[Pull])
        sim["pull.target"] = "30 deg"

    attach: None, "joint", "joints" (a group), "frame" or "wrench". Every device of the scene has an object of its own; `rate:` in
    the scene says how often `update` is called. `call` (see rille.Call) tells time, joint positions, poses and so on.

    What must survive a snapshot, a checkpoint or a reset belongs into State ports. An exception in `start` or `update`
    ends the step with a DeviceError whose cause is the exception; the simulation is as it was before the tick.
    """

    attach: str | None = None
    name: str = ""
    _x: Any

    def start(self, call: Call) -> None:
        """Called once, before the first update, with the robot at its start. Raise an exception to refuse."""

    def update(self, call: Call) -> None:
        """Reads parameters and inputs, writes states and outputs."""
        raise NotImplementedError(f"{type(self).__name__} has no update")

    @classmethod
    def _spec(cls, name=None):
        ports = {}
        for base in reversed(cls.__mro__):
            for key, value in vars(base).items():
                if isinstance(value, Port):
                    ports[key] = value
        for index, port in enumerate(ports.values()):
            if port.name in ("name", "attach", "start", "update"):
                raise ValueError(f"{cls.__name__}: a port cannot be called '{port.name}'")
            if port.index not in (None, index):
                raise TypeError(f"{cls.__name__}: the port '{port.name}' is shared with a class that has other ports before it")
            port.index = index
        if cls.attach not in _ATTACH:
            raise ValueError(f"{cls.__name__}.attach is {cls.attach!r}; None, 'joint', 'joints', 'frame' or 'wrench' is allowed")
        doc = (cls.__doc__ or cls.__name__).strip().splitlines()[0]
        return (name or cls.__name__, doc, _ATTACH[cls.attach], tuple(p._tuple() for p in ports.values()), cls)


def specs(devices):
    """What the core takes, from a list of classes or a dictionary of name and class."""
    if not devices:
        return ()
    pairs = devices.items() if hasattr(devices, "items") else [(None, d) for d in devices]
    result = []
    for name, cls in pairs:
        if not (isinstance(cls, type) and issubclass(cls, Device)):
            raise TypeError(f"{cls!r} is not a subclass of rille.Device")
        result.append(cls._spec(name))
    return tuple(result)


Call = _core.Call
