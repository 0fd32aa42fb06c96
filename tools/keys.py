#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of scene keys into docs/*.md.

keys.py RILLE [--check]: replaces what stands between `<!-- keys SECTION -->` and `<!-- end of keys -->` by the output of
`RILLE keys SECTION --markdown`. With --check nothing is written and the exit code tells whether all tables are current.
"""
import pathlib
import re
import subprocess
import sys

command, check = sys.argv[1], "--check" in sys.argv[2:]
docs = pathlib.Path(__file__).resolve().parent.parent / "docs"
block = re.compile(r"(<!-- keys (\S+) -->\n).*?(<!-- end of keys -->)", re.S)
tables, old = 0, []


def fill(match):
    global tables
    tables += 1
    words = [command, "keys", match.group(2), "--markdown"]
    return match.group(1) + subprocess.run(words, check=True, capture_output=True, text=True).stdout + match.group(3)


for page in sorted(docs.glob("*.md")):
    text = page.read_text(encoding="utf-8")
    current = block.sub(fill, text)
    if current == text:
        continue
    old.append(page.name)
    if not check:
        page.write_text(current, encoding="utf-8")
print(f"{tables} tables; {'not current' if check else 'written'}: {', '.join(old) or 'none'}")
sys.exit(1 if tables == 0 or (check and old) else 0)
