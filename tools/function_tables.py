#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/base/function_tables.h: the constants of src/base/functions.c, from 80 decimal digits.

    tools/function_tables.py > src/base/function_tables.h
"""
from decimal import Decimal as D, getcontext
from fractions import Fraction as F
import struct

getcontext().prec = 80


def atan(x):
    """Arc tangent of 0 <= x <= 1: three halvings, then the series."""
    x = D(x)
    for _ in range(3):
        x = x / (1 + (1 + x * x).sqrt())
    term, total, k = x, D(0), 1
    while abs(term) > D(10) ** -78:
        total += term / k
        term, k = -term * x * x, k + 2
    return 8 * total


PI = 4 * atan(1)
LN2 = D(2).ln()


def two(x):
    """x as the sum of two doubles."""
    hi = float(x)
    return hi, float(x - D(hi))


def coarse(x, bits):
    """x rounded to a multiple of 2^-bits, and what is left, as doubles."""
    hi = float(D(int((x * 2**bits).to_integral_value())) / 2**bits)
    return hi, float(x - D(hi))


def put(name, value):
    print(f"static const double {name} = {value.hex()};")


def table(name, rows, what):
    print(f"\n/// {what}")
    print(f"static const double {name}[{len(rows)}][{len(rows[0])}] = {{")
    for row in rows:
        print("    {" + ", ".join(x.hex() for x in row) + "},")
    print("};")


def log_rows():
    rows = []
    for i in range(128):
        bits = 0x3FE6800000000000 + (i << 45)
        low = struct.unpack("<d", struct.pack("<Q", bits))[0]
        high = struct.unpack("<d", struct.pack("<Q", bits + (1 << 45)))[0]
        c = 1.0 if i in (75, 76) else round(512 * 2.0 / (low + high)) / 512
        hi, lo = coarse(-D(c).ln(), 43) if c != 1.0 else (0.0, 0.0)
        rows.append((c, hi, lo))
    return rows


def words(count):
    """The first bits after the point of 2/pi, 64 to a word."""
    getcontext().prec = 500
    pi = D(0)  # Machin's formula
    for factor, n in ((16, 5), (-4, 239)):
        term, k, s = D(1) / n, 1, D(0)
        while abs(term) > D(10) ** -490:
            s += term / k
            term, k = -term / (n * n), k + 2
        pi += factor * s
    x = int((2 / pi) * 2 ** (64 * count))
    return [(x >> (64 * (count - 1 - i))) & (2**64 - 1) for i in range(count)]


print("""// SPDX-License-Identifier: Apache-2.0
/// \\file
/// Constants of src/base/functions.c. Written by tools/function_tables.py: do not edit.
#ifndef RI_BASE_FUNCTION_TABLES_H
#define RI_BASE_FUNCTION_TABLES_H

#include <stdint.h>

// clang-format off""")
step = LN2 / 64
hi = float(D(int(step * 2**42)) / 2**42)
put("LN2_64_HIGH", hi)
put("LN2_64_LOW", float(step - D(hi)))
put("PER_LN2_64", float(1 / step))
hi, lo = coarse(LN2, 43)
put("LN2_HIGH", hi)
put("LN2_LOW", lo)
for name, x in (("LN2", LN2), ("PER_LN2", 1 / LN2), ("PER_LN10", 1 / D(10).ln()), ("PI_HALF", PI / 2), ("PI", PI)):
    hi, lo = two(x)
    put(name + "_1", hi)
    put(name + "_2", lo)
put("TWO_PER_PI", float(2 / PI))
a = float(D(int(PI / 2 * 2**32)) / 2**32)
b = float(D(int((PI / 2 - D(a)) * 2**65)) / 2**65)
put("PI_HALF_A", a)
put("PI_HALF_B", b)
put("PI_HALF_C", float(PI / 2 - D(a) - D(b)))
table("EXP_TABLE", [two((LN2 * j / 64).exp()) for j in range(64)], "2^(j/64) as the sum of two doubles.")
table("LOG_TABLE", log_rows(), "c of 10 bits, about 1/z in the interval, and -ln c: a multiple of 2^-43, and what is left.")
table("ATAN_TABLE", [two(atan(D(j) / 32)) for j in range(33)], "atan(j/32) as the sum of two doubles.")
w = words(20)
print("\n/// Bits of 2/pi after the point.")
print(f"static const uint64_t TWO_PER_PI_BITS[{len(w)}] = {{")
for x in w:
    print(f"    0x{x:016x}u,")
print("};\n// clang-format on\n\n#endif")
