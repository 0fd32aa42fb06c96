# SPDX-License-Identifier: Apache-2.0
"""Many robots of one scene in one process."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from . import _array, _core
from ._sim import Devices, Robot, Scene, _opening


class Batch(_core.Batch):
    """Many robots of one scene, stepped by threads; each has the bits that it would have alone.

        batch = rille.Batch("pendulum", 100)
        batch["hinge_1.velocity"] = [0.01 * i for i in range(100)]   # one number for each robot
        batch.step(1000)
        batch["hinge_*.position"]                                    # 100 x 2 numbers

    Arguments are those of rille.load(). A robot that stopped or failed stays where it is, the others go on; states tells. step()
    raises the failure of the first robot that failed.
    """

    def __init__(self, scene: Scene, count: int, *, set: Mapping[str, Any] | None = None, robot: Robot | None = None,
                 devices: Devices | None = None, folder: str | os.PathLike[str] | None = None) -> None:
        super().__init__(count=count, **_opening(scene, set, robot, devices, folder))

    def step(self, ticks: int = 1, *, threads: int | None = None) -> None:
        """Advances every robot by `ticks` control ticks, on `threads` threads (default: all cores)."""
        self._step(ticks, threads or len(os.sched_getaffinity(0)))

    def run(self, duration: float, *, threads: int | None = None) -> None:
        """Advances every robot by `duration` seconds."""
        self.step(round(duration / self.dt), threads=threads)

    def __getitem__(self, glob: str) -> Any:
        robots, values, data = self._read(glob)
        if values == 1 and "*" not in glob and "?" not in glob:
            return _array.make(data, "d", robots)
        return _array.make(data, "d", robots, values)

    def __setitem__(self, glob: str, numbers: Any) -> None:
        shape = getattr(numbers, "shape", None)
        if shape is not None and len(shape) == 2:
            numbers = [x for row in numbers.tolist() for x in row]
        elif isinstance(numbers, (list, tuple)) and numbers and isinstance(numbers[0], (list, tuple)):
            numbers = [x for row in numbers for x in row]
        self._write(glob, numbers)

    @property
    def hashes(self) -> list[int]:
        """Hash of the state of each robot."""
        return [s[1] for s in self.states]

    @property
    def times(self) -> list[float]:
        """Simulated time of each robot [s]."""
        return [s[0] for s in self.states]

    @property
    def failures(self) -> dict[int, str]:
        """What ended robots: {robot: sentence}."""
        return {i: s[3] for i, s in enumerate(self.states) if s[3]}

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self):
        return f"Batch({len(self)} robots)"
