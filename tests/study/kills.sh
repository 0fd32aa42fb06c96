#!/usr/bin/env bash
# kills.sh RILLE N [postgres]: a campaign whose workers, coordinator and (postgres) database server are killed with -9 at random, N times. Its table must be that of an
# undisturbed campaign: no finished run lost, none doubled. Exit code 77: the server cannot be had here.
set -u
rille=$(readlink -f "$1") kills=$2 kind=${3:-sqlite}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d /tmp/rille-kills-XXXXXX)
coordinator=
finish() {
  [ -z "$coordinator" ] || { kill "$coordinator" 2>/dev/null; wait "$coordinator" 2>/dev/null; }
  [ "$kind" != postgres ] || "$here/postgres.sh" down "$work/pg" >/dev/null 2>&1
  rm -rf "$work"
}
trap finish EXIT
cat >"$work/c.yaml" <<C
campaign: kills
scene: $here/../../scenes/pendulum.yaml
runs: $((60 + 12 * kills))
set: {duration: 1 s}
dispersions:
  start: {uniform: [60 deg, 120 deg]}
results: {end: hinge_1.position, fastest: max(hinge_*.velocity)}
C
store=$work/killed.db
if [ "$kind" = postgres ]; then
  "$here/postgres.sh" up "$work/pg" >/dev/null 2>&1 || exit $?
  store="postgresql:///postgres?host=$work/pg&port=54398&user=sim"
fi
more=0 # runs added because a fast machine had finished before its kills
start() {
  if [ "$more" -eq 0 ]; then
    "$rille" campaign run "$work/c.yaml" --store "$store" -q --lease 2 -j 2 >"$work/out" 2>"$work/err" &
  else
    "$rille" campaign resume "$store" -q --lease 2 -j 2 >"$work/out" 2>"$work/err" &
  fi
  coordinator=$!
}
start
done=0 workers=0 coordinators=0 servers=0
while [ "$done" -lt "$kills" ]; do
  sleep "0.$((RANDOM % 3 + 1))"
  if ! kill -0 "$coordinator" 2>/dev/null; then
    if wait "$coordinator"; then
      "$rille" campaign extend "$store" 400 -q >/dev/null || { echo "the campaign could not be extended"; exit 1; }
      more=$((more + 400))
    fi
    start
    continue
  fi
  case $((RANDOM % 8)) in
    0) kill -9 "$coordinator" && coordinators=$((coordinators + 1)); wait "$coordinator" 2>/dev/null; start ;;
    1) if [ "$kind" = postgres ]; then
         "$here/postgres.sh" crash "$work/pg" && servers=$((servers + 1))
         for _ in $(seq 20); do "$here/postgres.sh" up "$work/pg" >/dev/null 2>&1 && break; sleep 0.5; done
       else continue; fi ;;
    *) worker=$(pgrep -P "$coordinator" | shuf -n 1)
       [ -n "$worker" ] && kill -9 "$worker" 2>/dev/null && workers=$((workers + 1)) || continue ;;
  esac
  done=$((done + 1))
done
wait "$coordinator"
coordinator=
"$rille" campaign resume "$store" --lease 2 -q >/dev/null || { echo "the campaign could not be finished"; cat "$work/err"; exit 1; }
"$rille" campaign export "$store" >"$work/killed.csv" || exit 1
"$rille" campaign run "$work/c.yaml" --store "$work/calm.db" -q >/dev/null || exit 1
[ "$more" -eq 0 ] || { "$rille" campaign extend "$work/calm.db" "$more" -q && "$rille" campaign resume "$work/calm.db" -q; } >/dev/null || exit 1
"$rille" campaign export "$work/calm.db" >"$work/calm.csv" || exit 1
echo "$done kills: $workers workers, $coordinators coordinators, $servers servers"
diff "$work/calm.csv" "$work/killed.csv" >/dev/null || { echo "the tables differ"; diff "$work/calm.csv" "$work/killed.csv" | head; exit 1; }
echo "equal tables of $(($(wc -l <"$work/calm.csv") - 1)) runs"
