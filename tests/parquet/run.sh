#!/bin/sh
# run.sh RILLE CAMPAIGN FOLDER: a reader of other people's reads our Parquet. Skipped (77) where npm or the network is missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
rille=$1
campaign=$2
work=$3
command -v npm >/dev/null && command -v node >/dev/null || { echo "skipped: no npm"; exit 77; }
mkdir -p "$work"
cp "$here/package.json" "$here/package-lock.json" "$here/check.mjs" "$work"
cd "$work"
timeout 200 npm ci --no-audit --no-fund --ignore-scripts >npm.log 2>&1 || { tail -n 3 npm.log; echo "skipped: npm cannot install"; exit 77; }
rm -f table.db*
"$rille" campaign run "$campaign" --store table.db --runs 8 --quiet >run.log
"$rille" campaign export table.db --out table.csv
"$rille" campaign export table.db --out table.parquet
node check.mjs table.parquet table.csv
