#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/site/net_flux_table.h from the two tables of normalised net flux (albedo 0.1 and 0.4).

Usage: tools/make-net-flux.py FOLDER > src/site/net_flux_table.h
FOLDER holds netflux_al0.1.csv and netflux_al0.4.csv (rows: optical depth; columns: zenith angle from 0 to 85 deg by 5).
Source: NASA TM-103623 (Appelbaum and Flood, tables of Pollack).
"""
import csv
import sys


def rows(path):
    with open(path, encoding="utf-8") as f:
        lines = [r for r in csv.reader(f) if r and not r[0].startswith("#")]
    return [(float(r[0]), [float(x) for x in r[1:]]) for r in lines[1:]]


def main():
    tables = [rows(f"{sys.argv[1]}/netflux_al{a}.csv") for a in ("0.1", "0.4")]
    taus = [t for t, _ in tables[0]]
    assert taus == [t for t, _ in tables[1]] and all(len(f) == 18 for t in tables for _, f in t)
    print("// SPDX-License-Identifier: Apache-2.0\n/// \\file")
    print("/// Normalised net flux at the surface of Mars, of NASA TM-103623 [appelbaum1990]. Made by tools/make-net-flux.py.")
    print("#ifndef RI_SITE_NET_FLUX_TABLE_H\n#define RI_SITE_NET_FLUX_TABLE_H\n")
    print(f"enum {{ NET_FLUX_TAUS = {len(taus)}, NET_FLUX_ANGLES = 18, NET_FLUX_ALBEDOS = 2 }};\n")
    print("// clang-format off")
    print("static const double net_flux_tau[NET_FLUX_TAUS] = {" + ", ".join(f"{t:g}" for t in taus) + "};\n")
    print("static const double net_flux[NET_FLUX_ALBEDOS][NET_FLUX_TAUS][NET_FLUX_ANGLES] = {")
    for t in tables:
        print("{")
        for _, f in t:
            print("    {" + ", ".join(f"{x:g}" for x in f) + "},")
        print("},")
    print("};\n// clang-format on\n\n#endif")


main()
