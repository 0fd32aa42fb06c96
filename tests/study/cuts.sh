#!/usr/bin/env bash
# cuts.sh RILLE N: a campaign whose connections to PostgreSQL are cut N times, in the middle of whatever is said. It must end by itself with the table of an
# undisturbed campaign: no finished run lost, none doubled. Exit code 77: the server or Python cannot be had here.
set -u
rille=$(readlink -f "$1") cuts=$2
here=$(cd "$(dirname "$0")" && pwd)
command -v python3 >/dev/null || exit 77
work=$(mktemp -d /tmp/rille-cuts-XXXXXX)
proxy=
finish() {
  [ -z "$proxy" ] || { kill "$proxy" 2>/dev/null; wait "$proxy" 2>/dev/null; }
  "$here/postgres.sh" down "$work/pg" >/dev/null 2>&1
  rm -rf "$work"
}
trap finish EXIT
cat >"$work/c.yaml" <<C
campaign: cuts
scene: $here/../../scenes/pendulum.yaml
runs: 80
set: {duration: 0.3 s}
dispersions:
  start: {uniform: [60 deg, 120 deg]}
results: {end: hinge_1.position, fastest: max(hinge_*.velocity)}
C
"$here/postgres.sh" up "$work/pg" >/dev/null 2>&1 || exit $?
# The store is entered in peace: what is tried is a campaign that runs.
direct="postgresql:///postgres?host=$work/pg&port=54398&user=sim"
sed 's/^runs: 80/runs: 2/' "$work/c.yaml" >"$work/first.yaml"
"$rille" campaign run "$work/first.yaml" --store "$direct" -q >/dev/null || { echo "the campaign could not be entered"; exit 1; }
"$rille" campaign extend "$direct" 78 -q >/dev/null || exit 1
python3 "$here/proxy.py" "$work/pg/.s.PGSQL.54398" "$work/port" "$cuts" 211 &
proxy=$!
for _ in $(seq 100); do [ -s "$work/port" ] && break; sleep 0.1; done
[ -s "$work/port" ] || { echo "the proxy did not start"; exit 1; }
store="postgresql://sim@127.0.0.1:$(cat "$work/port")/postgres?sslmode=disable&gssencmode=disable"
opened=1
for _ in $(seq 0 "$cuts"); do # a command that is cut while it opens the store says so and may be given again
  timeout 100 "$rille" campaign resume "$store" -q --lease 2 -j 2 >"$work/out" 2>"$work/err" && { opened=0; break; }
  grep -q "of 80 runs\|interrupted" "$work/out" && break
done
[ "$opened" -eq 0 ] || { echo "the campaign did not survive"; cat "$work/err"; exit 1; }
"$rille" campaign export "$direct" >"$work/cut.csv" || exit 1
"$rille" campaign run "$work/first.yaml" --store "$work/calm.db" -q >/dev/null || exit 1
{ "$rille" campaign extend "$work/calm.db" 78 -q && "$rille" campaign resume "$work/calm.db" -q; } >/dev/null || exit 1
"$rille" campaign export "$work/calm.db" >"$work/calm.csv" || exit 1
made=$(cat "$work/port.cuts" 2>/dev/null || echo 0)
[ "$made" -gt 0 ] || { echo "nothing was cut"; exit 1; }
diff "$work/calm.csv" "$work/cut.csv" >/dev/null || { echo "the tables differ"; diff "$work/calm.csv" "$work/cut.csv" | head; exit 1; }
echo "$made cuts: equal tables of $(($(wc -l <"$work/calm.csv") - 1)) runs"
