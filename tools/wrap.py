#!/usr/bin/env python3
"""Wraps the prose of Markdown files at 100 columns, in place. Tables, code, headings and HTML stay as they are.

    tools/wrap.py FILE...           rewrites the files
    tools/wrap.py --check FILE...   names files that would change and exits with 1
"""
import re
import sys
import textwrap

WIDTH = 100
ITEM = re.compile(r"^(\s*)([-*+]|\d+\.)\s+")
FIXED = re.compile(r"^(\||#|<|!\[|\[[^\]]+\]:|---|===|\s*$)")


def fill(lines):
    """One paragraph or list item as lines of at most WIDTH columns."""
    item = ITEM.match(lines[0])
    first = item.group(0) if item else re.match(r"\s*", lines[0]).group(0)
    rest = " " * len(first)
    words = " ".join(line.strip() for line in [lines[0][len(first):]] + lines[1:])
    out = textwrap.wrap(words, WIDTH, initial_indent=first, subsequent_indent=rest,
                        break_long_words=False, break_on_hyphens=False)
    # A line must not begin with what Markdown would read as a list, a heading or a table.
    for i in range(1, len(out)):
        if re.match(r"\s*([-*+#|>]|\d+\.)(\s|$)", out[i]):
            word, _, tail = out[i].strip().partition(" ")
            out[i - 1] += " " + word
            out[i] = rest + tail
    return [line for line in out if line.strip()]


def wrap(text):
    out, block, fenced = [], [], False

    def flush():
        if block:
            long = any(len(line) > WIDTH for line in block)
            out.extend(fill(block) if long else block)
            block.clear()

    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            flush()
            fenced = not fenced
            out.append(line)
        elif fenced or FIXED.match(line) or (re.match(r"^ {4,}", line) and not block):
            flush()
            out.append(line)
        else:
            if ITEM.match(line) or line.endswith("  "):
                flush()
            block.append(line)
    flush()
    return "\n".join(out)


def main():
    check = "--check" in sys.argv
    changed = False
    for path in [a for a in sys.argv[1:] if a != "--check"]:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        new = wrap(text)
        if new != text:
            changed = True
            print(path)
            if not check:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(new)
    return 1 if check and changed else 0


sys.exit(main())
