# SPDX-License-Identifier: Apache-2.0
"""Dictionaries as YAML text, for scenes and robots that are made by a program.

Only writing: Rille reads YAML itself, so that messages name the line. Numbers, texts, booleans, None, lists, tuples,
dictionaries and NumPy's scalars and arrays are understood.
"""

import json
import math
from collections.abc import Mapping
from typing import Any


def _scalar(x, where):
    if isinstance(x, bool):
        return "true" if x else "false"
    if x is None:
        return "null"
    if isinstance(x, int):
        return str(x)
    if isinstance(x, float):
        if not math.isfinite(x):
            raise ValueError(f"{where}: {x} is not a finite number")
        return repr(x)
    if isinstance(x, str):
        return json.dumps(x, ensure_ascii=False)
    raise TypeError(f"{where}: {type(x).__name__} cannot be part of a scene; numbers, texts, lists and dictionaries can")


def _plain(x):
    """NumPy's scalars and arrays as Python's."""
    tolist = getattr(x, "tolist", None)
    return tolist() if callable(tolist) else x


def _write(x, indent, where, out, seen):
    x = _plain(x)
    pad = "  " * indent
    if isinstance(x, (Mapping, list, tuple)):
        if id(x) in seen:
            raise ValueError(f"{where}: a dictionary or list that contains itself")
        seen = seen | {id(x)}
    if isinstance(x, Mapping):
        if not x:
            return " {}\n"
        text = "\n"
        for key, value in x.items():
            if not isinstance(key, str):
                raise TypeError(f"{where}: the key {key!r} is not a text")
            text += f"{pad}{json.dumps(key, ensure_ascii=False)}:" + _write(value, indent + 1, f"{where}.{key}", out, seen)
        return text
    if isinstance(x, (list, tuple)):
        if not x:
            return " []\n"
        text = "\n"
        for i, value in enumerate(x):
            body = _write(value, indent + 1, f"{where}[{i}]", out, seen)
            text += f"{pad}-" + body
        return text
    return " " + _scalar(x, where) + "\n"


def to_yaml(tree: Any, what: str = "scene") -> str:
    """The YAML text of a dictionary.

    >>> print(to_yaml({"scene": "fall", "robot": "pendulum", "duration": 2.5, "log": {"values": ["hinge_*"]}}), end="")
    "scene": "fall"
    "robot": "pendulum"
    "duration": 2.5
    "log":
      "values":
        - "hinge_*"
    """
    tree = _plain(tree)
    if not isinstance(tree, Mapping):
        raise TypeError(f"a {what} is a dictionary, not {type(tree).__name__}")
    return _write(tree, 0, what, None, frozenset()).lstrip("\n")
