#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the indented commands of a page, one after the other, in a folder of its own. The first that fails is named.
#
#   run_page.sh RILLE PAGE FOLDER
set -uo pipefail
rille=$(realpath "$1") page=$(realpath "$2") work=$3
rm -rf "$work" && mkdir -p "$work/bin" && ln -s "$rille" "$work/bin/rille" && cd "$work" || exit 1
work=$PWD
PATH="$work/bin:$PATH"
count=0
while IFS= read -r line; do
  command=${line#    }
  echo "\$ $command"
  eval "$command" >"$work/said" 2>&1 || { echo "FAILED: $command"; tail -n 20 "$work/said"; exit 1; }
  count=$((count + 1))
done < <(grep -E '^    (rille|cd) ' "$page")
echo "$count commands"
[ "$count" -gt 0 ]
