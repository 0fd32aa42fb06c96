#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_whole_files.sh RILLE SOURCE FOLDER: a write that fails leaves the old file as it was, nothing beside it, and an exit status other
# than 0; special files are written in place. The sources: none truncates a file first, none opens a shared object without a look.
set -eu
rille=$1 source=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
cd "$work"
fail() { echo "FAIL $*"; exit 1; }

# --- the sources: files are opened for writing by src/io/file only, or exclusively (x), or they are /dev/null ---
found=$(grep -rnE 'f(re)?open(64)?\([^;]*"[wa][^"x]*"|O_TRUNC|[^a-z_]creat\(' "$source/src" "$source/apps" --include='*.c' --include='*.h' |
  grep -vE '/src/io/file/|fopen\("/dev/null"|fdopen\(' | grep -vE '/apps/rille/view/browser\.c:[0-9]+:.*addopen' || true)
[ -z "$found" ] || { echo "$found"; fail "files are written beside their place and renamed: io/file/beside.h"; }
# --- shared objects that users give are opened by base/shared_object.c, which looks at them first; the others are known by name ---
found=$(grep -rnE 'dlm?open\(' "$source/src" "$source/apps" "$source/python" --include='*.c' --include='*.h' |
  grep -vE '/src/base/shared_object\.c:|dlopen\(RILLE_[A-Z]+_LIBRARY' || true)
[ -z "$found" ] || { echo "$found"; fail "shared objects are opened by base/shared_object.h"; }

# keeps NAME COMMAND...: the command writes the file NAME (its last word). It is done once for real, once without room on the disk.
keeps() {
  name=$1
  shift
  "$rille" "$@" "$name" >words 2>&1 || { cat words; fail "$*"; }
  [ -s "$name" ] || fail "$*: no file"
  echo old >"$name"
  code=$( (
    trap '' XFSZ
    ulimit -f 0
    ended=0
    "$rille" "$@" "$name" 2>&1 >/dev/null || ended=$?
    echo " $ended"
  ) | tail -n 1 | sed 's/.* //')
  [ "$code" = 3 ] || fail "$*: exit $code on a full disk, not 3"
  [ "$(cat "$name")" = old ] || fail "$*: the old file is gone"
  [ -z "$(find . -name '*.part*')" ] || fail "$*: something is left beside it"
}
keeps graph.svg ros graph pendulum --out
keeps plan.html plan report sojourner_sol -f map --out
keeps camera.csv camera calibrate --seen-by NAVL --model cahv --out

# refused NAME COMMAND...: as above for commands that need files of their own before they write. A name that leaves no room for one beside
# it is refused, where a program that truncates first would have destroyed the old file; a full device is an error.
long=$(printf 'n%.0s' $(seq 245))
refused() {
  end=$1
  shift
  "$rille" "$@" "whole.$end" >words 2>&1 || { cat words; fail "$*"; }
  [ -s "whole.$end" ] || fail "$*: no file"
  echo old >"$long.$end"
  code=0
  "$rille" "$@" "$long.$end" >words 2>&1 || code=$?
  [ "$code" = 3 ] || fail "$*: exit $code without room for a name, not 3"
  [ "$(cat "$long.$end")" = old ] || fail "$*: the old file is gone"
  ln -sf /dev/full "full.$end"
  code=0
  "$rille" "$@" "full.$end" >words 2>&1 || code=$?
  [ "$code" = 3 ] || fail "$*: exit $code at a full device, not 3"
  [ -c "full.$end" ] || fail "$*: the link is gone"
  ln -sf /dev/null "null.$end"
  "$rille" "$@" "null.$end" >words 2>&1 || { cat words; fail "$*: a special file"; }
}
sweep="sweep pendulum --over duration=0.1,0.2 --result max(energy.kinetic) -q"
refused csv $sweep --out
refused svg $sweep --plot
"$rille" $sweep --store s.db >/dev/null
refused csv campaign export s.db --out
refused html campaign report s.db --out
