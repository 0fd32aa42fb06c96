#!/bin/sh
# run.sh WRITER FOLDER: the MCAP project's own reader reads what we write. Skipped (77) where npm or the network is missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
writer=$1
work=$2
command -v npm >/dev/null && command -v node >/dev/null || { echo "skipped: no npm"; exit 77; }
mkdir -p "$work"
cp "$here/package.json" "$here/package-lock.json" "$here/check.mjs" "$work"
cd "$work"
timeout 200 npm ci --no-audit --no-fund --ignore-scripts >npm.log 2>&1 || { tail -n 3 npm.log; echo "skipped: npm cannot install"; exit 77; }
for level in 0 1 9; do
  "$writer" sample.mcap 2000 "$level"
  node check.mjs sample.mcap 2000
done
