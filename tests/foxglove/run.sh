#!/bin/sh
# run.sh RILLE FOLDER: Foxglove's own client speaks to our server. Skipped (77) where npm or the network is missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
rille=$1
work=$2
command -v npm >/dev/null && command -v node >/dev/null || { echo "skipped: no npm"; exit 77; }
"$rille" --version | grep -q "view: yes" || { echo "skipped: this build has no libwebsockets"; exit 77; }
mkdir -p "$work"
cp "$here/package.json" "$here/package-lock.json" "$here/check.mjs" "$work"
cd "$work"
timeout 200 npm ci --no-audit --no-fund --ignore-scripts >npm.log 2>&1 || { tail -n 3 npm.log; echo "skipped: npm cannot install"; exit 77; }
rm -f address.txt
"$rille" view snake_servo --no-open --set 'duration=60' >address.txt 2>view.log &
server=$!
trap 'kill -INT $server 2>/dev/null || true' EXIT
for _ in $(seq 100); do [ -s address.txt ] && break; sleep 0.3; done
node check.mjs "$(head -n 1 address.txt)"
