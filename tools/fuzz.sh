#!/usr/bin/env bash
# tools/fuzz.sh FOLDER SECONDS: runs every fuzz target in FOLDER for SECONDS from its seeds; stops at the first finding.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for target in "$1"/fuzz_*; do
  [ -f "$target" ] && [ -x "$target" ] || continue
  name=$(basename "$target"); name=${name#fuzz_}
  mkdir -p "$work/corpus/$name"
  seeds=(); [ -d "$here/fuzz/corpus/$name" ] && seeds=("$here/fuzz/corpus/$name")
  extra=(); [ -f "$here/fuzz/$name.dict" ] && extra=(-dict="$here/fuzz/$name.dict")
  if "$target" -max_total_time="$2" -timeout=10 -rss_limit_mb=3000 -verbosity=0 -print_final_stats=1 "${extra[@]}" \
      -artifact_prefix="$work/" "$work/corpus/$name" "${seeds[@]}" >"$work/output" 2>&1; then
    echo "fuzz $name: $(grep -o 'stat::number_of_executed_units: *[0-9]*' "$work/output" | grep -o '[0-9]*$') runs, nothing found"
  else
    tail -n 40 "$work/output"
    for f in "$work"/crash-* "$work"/timeout-* "$work"/oom-*; do [ -f "$f" ] && cp "$f" . && echo "kept as $(basename "$f")"; done
    exit 1
  fi
done
