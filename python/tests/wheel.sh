#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The wheel as a stranger gets it: built, installed with pip and without a network into a fresh virtual environment, tested from another folder.
#   wheel.sh PYTHON SOURCE BUILD WORK COMMAND
set -eu
python=$1 source=$2 build=$3 work=$4 command=$5
"$python" -c 'import venv, ensurepip' 2>/dev/null || { echo "skipped: $python has no venv; install python3-venv"; exit 77; }
rm -rf "$work" && mkdir -p "$work/tests"
wheel=$("$python" "$source/python/wheel.py" "$build" "$work/dist")
"$python" -m venv "$work/venv"
unset PYTHONPATH
PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 "$work/venv/bin/python" -m pip install -q --no-index "$wheel"
cp "$source"/python/tests/*.py "$work/tests"
cd "$work/tests"
# No checkout may help: every folder must be that of the wheel.
"$work/venv/bin/python" - <<'PROBE'
import rille
for kind, folder in rille.paths().items():
    assert kind in ("data", "cache") or "/venv/" in folder, (kind, folder)
try:
    import numpy
except ImportError:
    pass
else:
    raise SystemExit("the fresh environment has NumPy: it is not fresh")
print("rille", rille.__version__, "from", rille.__file__)
PROBE
RILLE_COMMAND=$command "$work/venv/bin/python" -m unittest -q test_sim test_values test_devices test_types
