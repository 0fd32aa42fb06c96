# SPDX-License-Identifier: Apache-2.0
"""Rille: an open simulator of planetary surface robots, from Python.

    import rille

    sim = rille.load("mer_sand")        # rille.scenes() lists the scenes
    sim.run(20)                         # seconds of simulated time
    sim["base.x"], sim["soil.*.slip"]   # every quantity has a name: sim.names("soil.*")
    sim["rover.speed"] = "3 cm/s"
    sim.view().save("rover.png")

Where to go on:

    help(rille.load)      scenes from files, text and dictionaries
    help(rille.Sim)       stepping, values, snapshots, controllers, sensors
    help(rille.Device)    devices and controllers of your own, inside the tick
    help(rille.Batch)     many robots on all cores
    help(rille.Log)       logs as arrays
    help(rille.campaign)  results of campaigns as tables
    help(rille.env)       environments with reset() and step(action), for learning

NumPy is optional: with it arrays are NumPy's, without it they are memoryviews. Units are SI; a text may have its own ("3 cm/s").
"""

import html as _html
import os as _os

from . import _core
from ._batch import Batch
from ._core import (DeviceError, Error, FileError, InputError, NotFoundError, NumericError, StateError, UnsupportedError,
                    Values)
from ._device import Call, Device, Input, Output, Parameter, Port, State
from ._log import Log
from ._sensors import Cloud, Picture, Truth
from ._sim import Sim, _root, load
from ._table import Table
from ._yaml import to_yaml
from . import campaign, env



def _values_html(self):
    """What a notebook shows of a view: names, numbers, units."""
    rows = "".join(f"<tr><th>{_html.escape(n)}</th><td>{x:.6g}</td><td>{_html.escape(u)}</td></tr>"
                   for n, x, u in zip(self.names, self.tolist(), self.units))
    return f"<table>{rows}</table>"


Values._repr_html_ = _values_html

__version__ = _core.version
features = _core.features

__all__ = ["Batch", "Call", "Cloud", "Device", "DeviceError", "Error", "FileError", "Input", "InputError", "Log",
           "NotFoundError", "NumericError", "Output", "Parameter", "Picture", "Port", "Sim", "State", "StateError", "Table",
           "Truth", "UnsupportedError", "Values", "campaign", "device_types", "env", "features", "load", "paths", "robots",
           "scenes", "to_yaml"]


def paths() -> dict[str, str]:
    """Folders of robots, scenes, terrains, soils, cameras and campaigns, as the command `rille` finds them.

    The environment has the first word: RILLE_ROBOTS, RILLE_SCENES, ...
    """
    return _core.paths(_root())


def _stems(kind, endings):
    folder = paths()[kind]
    files = _os.listdir(folder) if folder and _os.path.isdir(folder) else []
    return sorted({_os.path.splitext(f)[0] for f in files if _os.path.splitext(f)[1] in endings})


def scenes() -> list[str]:
    """Names of the scenes that rille.load() knows."""
    return _stems("scenes", {".yaml"})


def robots() -> list[str]:
    """Names of the robots that a scene can name."""
    return _stems("robots", {".yaml", ".urdf"})


def device_types() -> dict[str, tuple[str, dict[str, tuple[str, str, str]]]]:
    """Built-in types of devices: {name: (sentence, {port: (unit, kind, sentence)})}."""
    return {name: (doc, {p: (unit, kind, text) for p, unit, kind, text in ports})
            for name, doc, ports in _core.device_classes()}
