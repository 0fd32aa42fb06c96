#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the indented commands of a page, one after the other, in a folder of its own. The first that fails is named. A block
# whose first line names a file ("```c brain.c") is written to that file, where the commands before it have gone.
#
#   run_page.sh RILLE PAGE FOLDER
set -uo pipefail
rille=$(realpath "$1") page=$(realpath "$2") work=$3
rm -rf "$work" && mkdir -p "$work/bin" && ln -s "$rille" "$work/bin/rille" && cd "$work" || exit 1
work=$PWD
PATH="$work/bin:$PATH"
RILLE_INCLUDE=$(dirname "$page")/../include
export RILLE_INCLUDE
count=0
file=
while IFS= read -r line; do
  if [[ $line == '```'* ]]; then
    words=($line)
    file=${words[1]:-}
    [ -z "$file" ] || : >"$file"
  elif [ -n "$file" ]; then
    printf '%s\n' "$line" >>"$file"
  elif [[ $line =~ ^'    '(rille|cd|cc)' ' ]]; then
    command=${line#    }
    echo "\$ $command"
    eval "$command" >"$work/said" 2>&1 || { echo "FAILED: $command"; tail -n 20 "$work/said"; exit 1; }
    count=$((count + 1))
  fi
done <"$page"
echo "$count commands"
[ "$count" -gt 0 ]
