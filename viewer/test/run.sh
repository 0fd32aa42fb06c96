#!/bin/sh
# run.sh SOURCE WORK [PROGRAM]: builds the page in WORK, checks that viewer/dist is what the sources give, and tests it in Chromium; with PROGRAM also
# against the program itself. Skipped (77) where node, npm, chromium or the network is missing.
set -eu
source=$1
work=$2
program=${3:-}
for tool in node npm; do
  command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
[ "$(node -p 'Number(process.versions.node.split(".")[0]) >= 20')" = true ] || { echo "skipped: node is older than 20"; exit 77; }
[ -n "${RILLE_CHROMIUM:-}" ] || command -v chromium >/dev/null || command -v google-chrome >/dev/null || { echo "skipped: no chromium"; exit 77; }
mkdir -p "$work"
cd "$work"
rm -rf src mock test dist built
cp -r "$source/src" "$source/mock" "$source/test" "$source/dist" "$source/package.json" "$source/package-lock.json" "$source/tsconfig.json" "$source/build.mjs" .
if ! cmp -s package-lock.json installed-lock.json; then
  PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 timeout 200 npm ci --no-audit --no-fund --ignore-scripts >npm.log 2>&1 ||
    { tail -n 3 npm.log; echo "skipped: npm cannot install"; exit 77; }
  cp package-lock.json installed-lock.json
fi
node_modules/.bin/tsc -p .
node build.mjs built
for file in index.html app.js app.css; do
  cmp "built/$file" "dist/$file" || { echo "viewer/dist is not what viewer/src gives: run 'npm run build' in viewer/"; exit 1; }
done
[ -z "$program" ] || export RILLE_PROGRAM="$program"
# A browser drawn by software on a busy machine may miss a deadline of a test: a file that fails is tried once more, and says so.
for file in test/*.test.mjs; do
  node --test --test-concurrency=1 --test-reporter=spec "$file" && continue
  echo "second try: $file"
  node --test --test-concurrency=1 --test-reporter=spec "$file"
done
