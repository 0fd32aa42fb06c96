#!/usr/bin/env bash
# tools/fuzz.sh FOLDER SECONDS: runs every fuzz target in FOLDER for SECONDS from its seeds, one per core at a time.
# Inputs that break a target are kept in the current folder, and the exit status is 1.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)

if [ "${1:-}" = --one ]; then # --one TARGET SECONDS: one target, in a temporary folder of its own
  target=$2 seconds=$3 name=$(basename "$2"); name=${name#fuzz_}
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/corpus"
  seeds=(); [ -d "$here/fuzz/corpus/$name" ] && seeds=("$here/fuzz/corpus/$name")
  extra=(); [ -f "$here/fuzz/$name.dict" ] && extra=(-dict="$here/fuzz/$name.dict")
  if "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=3000 -verbosity=0 -print_final_stats=1 "${extra[@]}" \
      -artifact_prefix="$work/" "$work/corpus" "${seeds[@]}" >"$work/output" 2>&1; then
    echo "fuzz $name: $(grep -o 'stat::number_of_executed_units: *[0-9]*' "$work/output" | grep -o '[0-9]*$') runs, nothing found"
    exit 0
  fi
  tail -n 40 "$work/output"
  for f in "$work"/crash-* "$work"/timeout-* "$work"/oom-* "$work"/leak-*; do [ -f "$f" ] && cp "$f" . && echo "fuzz $name: kept as $(basename "$f")"; done
  exit 1
fi

find "$1" -maxdepth 1 -name 'fuzz_*' -type f -executable | sort |
  xargs -P "${JOBS:-$(nproc)}" -I{} "$0" --one {} "$2" || { echo "fuzz: a target failed"; exit 1; }
