#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a wheel from a built tree: the package, the extension, and robots, scenes, soils, terrains, cameras and campaigns.

    python3 python/wheel.py BUILD OUT

A wheel is a zip file with a list of what is in it (PEP 427), so that nothing but the standard library is needed. Equal contents give equal
files. The extension links the system's libraries (expat, yaml, zstd, ...): the wheel is for machines that have them, and its tag
(linux_x86_64, not manylinux) says so.
"""

import base64
import hashlib
import os
import re
import sys
import sysconfig
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(HERE)
DATA = ("cameras", "campaigns", "projects", "robots", "scenes", "soils", "terrains")
ABOUT = """Metadata-Version: 2.1
Name: rille
Version: {version}
Summary: A simulator of planetary surface robots: rovers on rock and sand, snake robots on ice
License: Apache-2.0
Requires-Python: >=3.11
Provides-Extra: numpy
Requires-Dist: numpy; extra == "numpy"
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Typing :: Typed
Description-Content-Type: text/plain

Rille simulates planetary surface robots. `import rille; help(rille)` shows the way; the tutorial is docs/python.md of the source tree.
"""


def version():
    """That of the project."""
    with open(os.path.join(SOURCE, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"project\(rille VERSION ([0-9.]+)", file.read()).group(1)


def contents(build):
    """Names in the wheel and the files they come from."""
    package = os.path.join(HERE, "rille")
    for name in sorted(os.listdir(package)):
        if name.endswith((".py", ".pyi")) or name == "py.typed":
            yield f"rille/{name}", os.path.join(package, name)
    extension = os.path.join(build, "python", "rille", "_core.abi3.so")
    if not os.path.exists(extension):
        sys.exit(f"{extension} is missing: build the target rille_python first (it needs python3-dev)")
    yield "rille/_core.abi3.so", extension
    for kind in DATA:
        for folder, _, files in sorted(os.walk(os.path.join(SOURCE, kind))):
            for name in sorted(files):
                path = os.path.join(folder, name)
                yield "rille/data/" + os.path.relpath(path, SOURCE), path
    yield "rille/LICENSE", os.path.join(SOURCE, "LICENSE")


def write(build, out):
    """Writes the wheel into the folder `out`; returns its path."""
    number = version()
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag = f"cp311-abi3-{platform}"
    info = f"rille-{number}.dist-info"
    records = []
    os.makedirs(out, exist_ok=True)
    path = os.path.join(out, f"rille-{number}-{tag}.whl")
    with zipfile.ZipFile(path + ".part", "w", zipfile.ZIP_DEFLATED) as wheel:
        def add(name, data, executable=False):
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = (0o755 if executable else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            records.append(f"{name},sha256={digest},{len(data)}\n")

        for name, source in contents(build):
            with open(source, "rb") as file:
                add(name, file.read(), name.endswith(".so"))
        add(f"{info}/METADATA", ABOUT.format(version=number).encode())
        add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: rille\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
        wheel.writestr(zipfile.ZipInfo(f"{info}/RECORD", (2020, 1, 1, 0, 0, 0)),
                       "".join(records) + f"{info}/RECORD,,\n")
    os.replace(path + ".part", path)
    return path


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(write(sys.argv[1], sys.argv[2]))
