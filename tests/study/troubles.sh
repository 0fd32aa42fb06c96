#!/usr/bin/env bash
# troubles.sh RILLE: what may happen to a store: two coordinators at once, a full disk, a file that cannot be written, clocks that jump, a program of another version.
# Each is refused with a reason or survived; in the end the table is that of an undisturbed campaign.
set -u
rille=$(readlink -f "$1")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d /tmp/rille-troubles-XXXXXX)
trap 'rm -rf "$work"' EXIT
cat >"$work/c.yaml" <<C
campaign: troubles
scene: $here/../../scenes/pendulum.yaml
runs: 60
set: {duration: 1 s}
dispersions:
  start: {uniform: [60 deg, 120 deg]}
results: {end: hinge_1.position, fastest: max(hinge_*.velocity)}
C
fail() { echo "$1"; [ -f "$work/err" ] && tail -n 3 "$work/err"; exit 1; }
run() { "$rille" campaign run "$work/c.yaml" --store "$1" -q -j 1 >/dev/null 2>>"$work/err"; }
equal() {
  "$rille" campaign export "$1" >"$work/table.csv" || fail "$2: no table"
  diff "$work/calm.csv" "$work/table.csv" >/dev/null || fail "$2: the table is not that of an undisturbed campaign"
  echo "ok   $2"
}
run "$work/calm.db" || fail "the undisturbed campaign failed"
"$rille" campaign export "$work/calm.db" >"$work/calm.csv" || fail "no table"

# Two coordinators share the runs.
run "$work/two.db" & first=$!
run "$work/two.db" & second=$!
wait "$first" || fail "the first of two coordinators failed"
wait "$second" || fail "the second of two coordinators failed"
equal "$work/two.db" "two coordinators at once"

# A stop rule is looked at by workers, too: all runs fail, five failures are enough, but only after twenty runs.
{ sed '/^campaign:/s/troubles/rule/; s/^runs: 60/runs: 10/' "$work/c.yaml"; printf 'success: "end > 1000"\nstop: {failures: 5, least: 20}\n'; } >"$work/rule.yaml"
"$rille" campaign run "$work/rule.yaml" --store "$work/rule.db" -q >/dev/null 2>>"$work/err" || fail "a campaign with a stop rule failed"
"$rille" campaign extend "$work/rule.db" 90 -q >/dev/null || fail "a campaign with a stop rule could not be extended"
"$rille" campaign worker "$work/rule.db" 2>>"$work/err" || fail "a worker of a campaign with a stop rule failed"
"$rille" campaign report "$work/rule.db" --json | tr -d ' \n' | grep -q '"runs":20,"finished":20,"success":0,.*"stopped":20,' || fail "a worker did not look at the stop rule"
"$rille" campaign status "$work/rule.db" | grep -q skipped || fail "a worker made all runs in spite of the stop rule"
echo "ok   a worker looks at the stop rules"

# A disk that is full at 100 kB: files cannot grow beyond it.
( trap '' XFSZ; ulimit -f 100; run "$work/full.db" ) && fail "a full disk went unnoticed"
grep -q "full.db" "$work/err" || fail "a full disk: the message does not name the store"
run "$work/full.db" || fail "the campaign did not go on when there was room again"
equal "$work/full.db" "full disk"

# A store that this user may read only.
user=
[ "$(id -u)" -ne 0 ] || user="setpriv --reuid=65534 --regid=65534 --clear-groups"
if [ -z "$user" ] || command -v setpriv >/dev/null; then
  mkdir "$work/only" && cp "$work/calm.db" "$work/only/read.db" && chmod 444 "$work/only/read.db" && chmod 555 "$work/only"
  chmod 755 "$work"
  $user "$rille" campaign extend "$work/only/read.db" 10 >/dev/null 2>"$work/err" && fail "a store that cannot be written was extended"
  grep -q "read.db" "$work/err" || fail "read only: the message does not name the store"
  chmod 755 "$work/only"
  equal "$work/only/read.db" "read-only store"
fi

# On a terminal there is a live table; elsewhere plain lines.
if command -v python3 >/dev/null && python3 -c 'import pty' 2>/dev/null; then
  python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' \
    "$rille" campaign run "$work/c.yaml" --store "$work/live.db" </dev/null >"$work/live" 2>>"$work/err" || fail "a campaign on a terminal failed"
  grep -q "60 of 60 runs" "$work/live" && grep -q "greatest" "$work/live" && grep -q "$(printf '\033\[J')" "$work/live" || fail "no live table on a terminal"
  equal "$work/live.db" "live table on a terminal"
fi
"$rille" campaign run "$work/c.yaml" --store "$work/plain.db" >/dev/null 2>"$work/plain" || fail "a campaign with progress failed"
grep -q "^100 %  60 of 60 runs" "$work/plain" || fail "no plain lines of progress"
grep -q "$(printf '\033')" "$work/plain" && fail "escapes in plain lines of progress"
equal "$work/plain.db" "plain progress elsewhere"

# Clocks that jump: all leases seem to have run out long ago, or to last for a day more, again and again.
if command -v python3 >/dev/null && python3 -c 'import sqlite3' 2>/dev/null; then
  "$rille" campaign run "$work/c.yaml" --store "$work/clock.db" -q -j 2 --lease 2 >/dev/null 2>>"$work/err" & busy=$!
  for by in -86400 86400 -86400 -86400 86400 -172800; do
    sleep 0.05
    python3 - "$work/clock.db" "$by" <<'P' 2>/dev/null
import sqlite3, sys
with sqlite3.connect(sys.argv[1], timeout=20) as db:
    db.execute("UPDATE run SET lease = lease + ? WHERE lease IS NOT NULL", (float(sys.argv[2]),))
P
  done
  wait "$busy" || fail "a campaign with clocks that jump failed"
  equal "$work/clock.db" "clocks that jump"

  # A worker of another version of the program.
  cp "$work/calm.db" "$work/old.db"
  python3 - "$work/old.db" <<'P' || fail "the store could not be changed"
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    db.execute("UPDATE experiment SET version = '0.0.1 of long ago'")
    db.execute("UPDATE run SET status = 'waiting' WHERE k = 3")
P
  "$rille" campaign worker "$work/old.db" >/dev/null 2>"$work/err" && fail "a worker of another version was let in"
  grep -q "0.0.1 of long ago" "$work/err" || fail "another version: the message does not name it"
  echo "ok   a worker of another version is refused"
fi
