# SPDX-License-Identifier: Apache-2.0
"""Arrays: NumPy's where NumPy is installed, memoryviews of the standard library elsewhere."""

try:
    import numpy
except ImportError:  # optional
    numpy = None

_SIZES = {"d": 8, "f": 4, "i": 4, "B": 1}
_DTYPES = {"d": "f8", "f": "f4", "i": "i4", "B": "u1"}


def make(data, code, *shape):
    """An array of numbers from bytes: `code` is d, f, i or B as in the module struct."""
    if numpy is not None:
        return numpy.frombuffer(data, dtype=_DTYPES[code]).reshape(shape)
    if 0 in shape:
        return memoryview(data).cast(code)
    return memoryview(data).cast("B").cast(code, shape)
