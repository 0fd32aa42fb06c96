# SPDX-License-Identifier: Apache-2.0
"""Results of campaigns as tables.

    results = rille.campaign.results("out/rover_slip.db")
    results["slip"], results["slope"]       # arrays: a result, a dispersion
    results["status"]                       # a list of texts

Campaigns are run by the command: `rille campaign run campaigns/rover_slip.yaml` (docs/campaigns.md). Stores are SQLite files; of a
store on a PostgreSQL server `rille campaign export` gives CSV.
"""

from __future__ import annotations

import array
import os
import sqlite3

from . import _array
from ._core import FileError, InputError, NotFoundError
from ._table import Table

_FACTS = ("status", "success", "violations", "time", "wall", "ticks", "hash", "reason", "detail")


def _open(store):
    store = os.fspath(store)
    if store.startswith(("postgres://", "postgresql://")):
        raise InputError("a store on a server cannot be read from Python; 'rille campaign export' gives CSV")
    if not os.path.isfile(store):
        raise FileError(f"{store}: there is no such file")
    db = sqlite3.connect(f"file:{os.path.abspath(store).replace('?', '%3f').replace('#', '%23')}?mode=ro", uri=True)
    try:
        db.execute("SELECT version FROM rille_store")
    except sqlite3.DatabaseError as error:
        db.close()
        raise InputError(f"{store}: not a store of campaigns: {error}") from error
    return db


def experiments(store: str | os.PathLike[str]) -> list[str]:
    """Names of the campaigns in a store."""
    db = _open(store)
    try:
        return [row[0] for row in db.execute("SELECT name FROM experiment ORDER BY id")]
    finally:
        db.close()


def _numbers(cells):
    """Numbers as an array where all are numbers (None: nan), else as a list."""
    out = array.array("d")
    for cell in cells:
        if cell is None:
            cell = float("nan")
        if not isinstance(cell, (int, float)):
            try:
                cell = float(cell)
            except ValueError:
                return list(cells)
        out.append(cell)
    return _array.make(out.tobytes(), "d", len(out))


def results(store: str | os.PathLike[str], experiment: str | None = None) -> Table:
    """All runs of a campaign as a table: one row for each, with what was dispersed, what was collected, and what became of it.

    Columns: run, the dispersions by their names (numbers where they are numbers in SI or plain, texts with units as they are), the
    results in SI (nan: not collected), and status, success, violations, time, wall, ticks, hash, reason, detail.
    """
    db = _open(store)
    try:
        known = dict(db.execute("SELECT name, id FROM experiment ORDER BY id"))
        if not known:
            raise NotFoundError(f"{store}: the store holds no campaign")
        if experiment is None and len(known) > 1:
            raise InputError(f"{store}: the store holds several campaigns: {', '.join(known)}; name one")
        name = next(iter(known)) if experiment is None else experiment
        if name not in known:
            raise NotFoundError(f"{store}: there is no campaign '{name}'; there is {', '.join(known)}")
        return _table(db, known[name])
    finally:
        db.close()


def _table(db, experiment):
    runs = db.execute(f"SELECT k, {', '.join(_FACTS)} FROM run WHERE experiment = ? ORDER BY k", (experiment,)).fetchall()
    place = {row[0]: i for i, row in enumerate(runs)}
    columns = {"run": [row[0] for row in runs]}
    for run, name, value in db.execute("SELECT run, name, value FROM stage_command WHERE experiment = ? AND run >= 0 ORDER BY place",
                                       (experiment,)):
        if run in place:
            columns.setdefault(name, [None] * len(runs))[place[run]] = value
    columns = {name: _numbers(cells) if name != "run" else cells for name, cells in columns.items()}
    specs = db.execute("SELECT place, name FROM result_spec WHERE experiment = ? ORDER BY place", (experiment,)).fetchall()
    for spec, name in specs:
        cells = [None] * len(runs)
        for run, value in db.execute("SELECT run, value FROM result WHERE experiment = ? AND spec = ?", (experiment, spec)):
            if run in place:
                cells[place[run]] = value
        columns[name] = _numbers(cells)
    for i, fact in enumerate(_FACTS):
        cells = [row[i + 1] for row in runs]
        columns.setdefault(fact, _numbers(cells) if fact in ("success", "violations", "time", "wall", "ticks") else cells)
    return Table(columns, index="run")
