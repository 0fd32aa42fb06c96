#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every project of `rille new` runs at once, its checks pass, and what is there already is not touched.
#
#   test_new.sh RILLE INCLUDE FOLDER
set -euo pipefail
rille=$(realpath "$1") include=$(realpath "$2") work=$3
rm -rf "$work" && mkdir -p "$work" && cd "$work"
for kind in rover snake scene device; do
  "$rille" new $kind my_$kind >/dev/null
  [ $kind != device ] || make -s -C my_$kind INCLUDE="$include"
  (cd my_$kind && "$rille" run scene.yaml --quiet) || { echo "the project '$kind' does not run"; exit 1; }
  ! grep -rq '@NAME@' my_$kind --include='*.yaml' --include='*.c' --include='*.md' || { echo "the project '$kind' keeps a mark"; exit 1; }
done
if "$rille" new rover my_rover 2>said; then echo "an existing folder was taken"; exit 1; fi
grep -q 'name a new folder' said
if "$rille" new car other 2>said; then echo "an unknown kind was taken"; exit 1; fi
grep -q 'there are rover, snake, scene and device' said
[ ! -e other ]
