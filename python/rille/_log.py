# SPDX-License-Identifier: Apache-2.0
"""Logs as arrays."""

from __future__ import annotations

import fnmatch
import math
import os
from collections.abc import Iterator
from typing import Any

from . import _array, _core
from ._table import Table


class Log(_core.Log):
    """A log file (MCAP) that `rille run` or Sim.run(out=...) left behind.

        log = rille.Log("out/mer_sand/log.mcap")
        log.names                         # signals
        time, x = log["base.x"]           # arrays
        log.table("soil.*.slip")          # a Table of signals that were written together
        log.events()                      # what happened: (time, topic, text)

    Logs of other tools open as far as their channels have schemas of float64 fields.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path
        self.units = dict(self._signals())

    @property
    def names(self) -> list[str]:
        """Names of the signals."""
        return list(self.units)

    def read(self, name: str, start: float = -math.inf, end: float = math.inf) -> tuple[Any, Any]:
        """Times and values of a signal between two times, both included: two arrays."""
        count, times, values = self._read(name, start, end)
        return _array.make(times, "d", count), _array.make(values, "d", count)

    def __getitem__(self, name: str) -> tuple[Any, Any]:
        return self.read(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.units)

    def table(self, *globs: str, start: float = -math.inf, end: float = math.inf) -> Table:
        """A table of the signals that match, which must have been written at the same times; without globs, of all of them."""
        names = [n for n in self.names if not globs or any(fnmatch.fnmatchcase(n, g) for g in globs)]
        if not names:
            raise _core.NotFoundError(f"no signal of {self.path} matches {', '.join(globs)}; log.names lists them")
        columns, first = {}, None
        for name in names:
            count, times, values = self._read(name, start, end)
            if first is None:
                first = times
                columns["time"] = _array.make(times, "d", count)
            elif times != first:
                raise _core.InputError(f"'{name}' and '{names[0]}' were not written at the same times; read them one by one")
            columns[name] = _array.make(values, "d", count)
        return Table(columns, {"time": "s", **{n: self.units[n] for n in names}})

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self):
        return f"Log('{self.path}', {len(self)} signals)"
