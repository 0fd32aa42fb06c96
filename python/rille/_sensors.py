# SPDX-License-Identifier: Apache-2.0
"""Pictures, truth and clouds as arrays."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Mapping
from typing import Any

from . import _array


def png(width: int, height: int, rgb: bytes) -> bytes:
    """A PNG file of eight-bit colours, as bytes."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    row = 3 * width
    lines = b"".join(b"\0" + rgb[i * row:(i + 1) * row] for i in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines, 6)) + chunk(b"IEND", b"")


class Picture:
    """A picture of a camera. A notebook shows it; save() writes a PNG file.

    rgb: height x width x 3, eight bits (sRGB). radiance: the same in W/(m^2 sr). time: when it was taken [s].
    """

    def __init__(self, width: int, height: int, time: float, rgb: Any, radiance: Any) -> None:
        self.width, self.height, self.time = width, height, time
        self._rgb = rgb
        self.rgb = _array.make(rgb, "B", height, width, 3)
        self.radiance = _array.make(radiance, "f", height, width, 3)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.rgb if dtype is None else self.rgb.astype(dtype)

    def png(self) -> bytes:
        """The PNG file, as bytes."""
        return png(self.width, self.height, self._rgb)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a PNG file."""
        with open(path, "wb") as file:
            file.write(self.png())

    def _repr_png_(self):
        return self.png()

    def __repr__(self):
        return f"Picture({self.width} x {self.height}, t = {self.time:.6g} s)"


class Truth:
    """What the pixels of a camera really see.

    depth (along the ray [m], inf: nothing), xyz and normal (world), albedo, link (number of the link, -1 ground, -2
    nothing), soil (material of the ground, -1), flow ([px] since the last look), visible: arrays of height x width.
    """

    depth: Any
    xyz: Any
    normal: Any
    albedo: Any
    link: Any
    soil: Any
    flow: Any
    visible: Any

    def __init__(self, width: int, height: int, time: float, fields: Mapping[str, Any]) -> None:
        self.width, self.height, self.time = width, height, time
        shape = (height, width)
        for name, code, more in (("depth", "d", ()), ("xyz", "d", (3,)), ("normal", "f", (3,)), ("albedo", "f", (3,)),
                                 ("link", "i", ()), ("soil", "i", ()), ("flow", "f", (2,)), ("visible", "B", ())):
            setattr(self, name, _array.make(fields[name], code, *shape, *more))

    def __repr__(self):
        return f"Truth({self.width} x {self.height}, t = {self.time:.6g} s)"


class Cloud:
    """What a lidar brings back, one row for each shot.

    point (of the first return in the lidar's frame, with noise [m]; nan: none), range (first and last [m]; inf: none),
    world (the same point in the world, from where the lidar was then [m]), intensity, truth (in the world [m]), time [s], channel, link (-1 ground, -2 nothing), soil. pose: (position, rows of the
    rotation matrix) of the lidar in the world.
    """

    point: Any
    range: Any
    intensity: Any
    world: Any
    truth: Any
    time: Any
    channel: Any
    link: Any
    soil: Any

    def __init__(self, count: int, time: float, pose: Any, fields: Mapping[str, Any]) -> None:
        self.pose, self.time_of_look = pose, time
        for name, code, more in (("point", "d", (3,)), ("range", "d", (2,)), ("intensity", "f", (2,)), ("world", "d", (3,)), ("truth", "d", (3,)),
                                 ("time", "d", ()), ("channel", "i", ()), ("link", "i", ()), ("soil", "i", ())):
            setattr(self, name, _array.make(fields[name], code, count, *more))
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.point if dtype is None else self.point.astype(dtype)

    def __repr__(self):
        return f"Cloud({self._count} shots, t = {self.time_of_look:.6g} s)"
