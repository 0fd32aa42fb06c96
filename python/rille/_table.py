# SPDX-License-Identifier: Apache-2.0
"""Tables of numbers over time: what runs and logs give."""

from __future__ import annotations

import csv
import fnmatch
import html
import os
from collections.abc import Iterator, KeysView, Mapping
from typing import Any

from . import _array
from ._core import NotFoundError


class Table:
    """Columns of numbers with names and units.

        table = sim.run(10, log=["base.*", "soil.*.slip"])
        table.time, table["base.x"]            # arrays
        table["soil.*.slip"]                   # a table of those columns
        table.to_csv("run.csv")

    Columns are NumPy arrays where NumPy is installed, memoryviews elsewhere. pandas.DataFrame(table) works too.
    """

    def __init__(self, columns: Mapping[str, Any], units: Mapping[str, str] | None = None, index: str = "time") -> None:
        self._columns = dict(columns)
        self.units = dict(units or {})
        self._index = index

    @property
    def names(self) -> list[str]:
        """Names of the columns, without the times."""
        return [n for n in self._columns if n != self._index]

    @property
    def time(self) -> Any:
        """Times of the rows [s]; None for a table that has none."""
        return self._columns.get("time")

    def keys(self) -> KeysView[str]:
        return self._columns.keys()

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return max((len(c) for c in self._columns.values()), default=0)

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __getitem__(self, name: str) -> Any:
        if name in self._columns:
            return self._columns[name]
        if "*" in name or "?" in name:
            found = fnmatch.filter(self.names, name)
            if found:
                kept = {k: v for k, v in self._columns.items() if k == self._index or k in found}
                return Table(kept, self.units, self._index)
        raise NotFoundError(f"the table has no column '{name}'; it has {', '.join(self.names[:8])}{', ...' if len(self.names) > 8 else ''}")

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Row by row, tuples in the order of the columns."""
        return zip(*self._columns.values())

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Writes a file with one line of names, then one line for each row."""
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(self._columns)
            writer.writerows(self.rows())

    def _label(self, name):
        unit = self.units.get(name, "")
        return f"{name} [{unit}]" if unit else name

    def __repr__(self):
        return f"Table({len(self)} rows: {', '.join(self._columns)})"

    def _repr_html_(self):
        head = "".join(f"<th>{html.escape(self._label(n))}</th>" for n in self._columns)
        rows = list(self.rows())
        shown = rows if len(rows) <= 12 else rows[:6] + [None] + rows[-6:]
        body = "".join(
            f"<tr><td colspan='{len(self._columns)}'>... {len(rows) - 12} more</td></tr>" if row is None
            else "<tr>" + "".join(f"<td>{html.escape(f'{x:.6g}' if isinstance(x, float) else str(x))}</td>" for x in row) + "</tr>"
            for row in shown)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class Recorder:
    """Collects rows of a simulation's values."""

    def __init__(self, sim, globs):
        import array
        names = []
        for glob in [globs] if isinstance(globs, str) else globs:
            found = sim.names(glob)
            if not found:
                raise NotFoundError(f"no value of scene '{sim.name}' matches '{glob}'; sim.names('*') lists them")
            names += [n for n in found if n not in names]
        self.names = names
        self._views = [sim[g] if ("*" in g or "?" in g) else None for g in ([globs] if isinstance(globs, str) else globs)]
        self._sim = sim
        self._times = array.array("d")
        self._rows = array.array("d")
        self._simple = len(self._views) == 1 and self._views[0] is not None

    def take(self):
        """One row of now."""
        self._times.append(self._sim.time)
        if self._simple:
            self._rows.extend(self._views[0].tolist())
        else:
            sim = self._sim
            self._rows.extend([sim[n] for n in self.names])

    def table(self):
        rows, n = len(self._times), len(self.names)
        block = _array.make(self._rows.tobytes(), "d", rows * n) if rows * n else memoryview(b"").cast("d")
        columns = {"time": _array.make(self._times.tobytes(), "d", rows)}
        for k, name in enumerate(self.names):
            columns[name] = block[k::n] if n else block
        units = {"time": "s", **{name: self._sim.describe(name)["unit"] for name in self.names}}
        return Table(columns, units)
