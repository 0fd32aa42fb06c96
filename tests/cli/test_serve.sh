#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `rille serve` with the clients of examples/serve, each a process of its own; in lock-step a run is repeated bit by bit.
# Usage: test_serve.sh RILLE SOURCE CLIENT
set -u
rille=$1
source=$2
client=$3
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failures=0

fail() { # what
    echo "FAIL $1"
    sed 's/^/    /' "$work"/*.txt | head -40
    failures=$((failures + 1))
}

# begin SCENE ARGUMENT...: a server, when it listens; its number is in $server
begin() {
    : >"$work/server.txt"
    timeout 100 "$rille" serve "$@" --out "$work/out" >"$work/server.txt" 2>"$work/messages.txt" &
    server=$!
    for _ in $(seq 300); do
        grep -q '^serving at' "$work/server.txt" && return
        sleep 0.2
    done
    fail "serve $*: it does not listen"
}

for name in client autonomy contacts; do
    scene=pendulum
    [ $name = autonomy ] && scene=mer_drive
    for turn in 1 2; do
        begin $scene --serve="$work/s" --set "duration=100" --set outside=1
        timeout 100 python3 "$source/examples/serve/$name.py" "$work/s" >"$work/$name$turn.txt" 2>&1 || fail "$name.py, turn $turn"
        wait $server || fail "$name.py: the server's exit code"
    done
    cmp -s "$work/${name}1.txt" "$work/${name}2.txt" || fail "$name.py: two runs differ"
    grep -q 'state [0-9a-f]\{16\}$' "$work/${name}1.txt" || fail "$name.py: no hash"
    grep -q "state hash  $(sed 's/.*state //' "$work/${name}1.txt")" "$work/server.txt" || fail "$name.py: the server has another hash"
done

# Flight software in C at 1 kHz; it goes without a word, and the run ends with a sentence and exit code 3.
begin pendulum --serve="$work/s" --serve-lost=stop
timeout 60 "$client" "$work/s" >"$work/c.txt" || fail "client.c"
grep -q 'after 2.000 s' "$work/c.txt" || fail "client.c: what it prints"
wait $server
[ $? -eq 3 ] || fail "a lost client: the exit code is 3"
grep -q 'client 1, which stepped the simulation, is gone' "$work/messages.txt" || fail "a lost client: the sentence"

# By TCP from the shell, with the token; a wrong one is refused; the token's file is private.
begin pendulum --serve=0 --serve-lost=stop
port=$(sed -n 's/.*port \([0-9]*\),.*/\1/p' "$work/server.txt")
[ "$(stat -c %a "$work/out/serve.token")" = 600 ] || fail "the token's mode"
echo 0123456789abcdef >"$work/wrong"
timeout 60 bash "$source/examples/serve/client.sh" "$port" "$work/wrong" >"$work/sh.txt" 2>&1 && fail "a wrong token gets in"
grep -q 'wrong token' "$work/sh.txt" || fail "a wrong token: the answer"
timeout 60 bash "$source/examples/serve/client.sh" "$port" "$work/out/serve.token" >"$work/sh.txt" 2>&1 || fail "client.sh"
grep -q '^t = 0.3 s' "$work/sh.txt" || fail "client.sh: what it prints"
wait $server
[ -s "$work/out/client-from_shell.checkpoint" ] || fail "client.sh: the checkpoint"

# Bad words on the command line.
for words in "--serve=70000" "--serve=x" "--serve-lost=perhaps" "--serve-patience=0" "--serve --view" "--serve=300.1.1.1:0" \
    "--serve --serve-token=$work/wrong"; do
    timeout 20 "$rille" run pendulum -q $words --out "$work/bad" 2>"$work/bad.txt" >&2
    [ $? -eq 2 ] || fail "$words: exit code 2"
done
[ $failures -eq 0 ]
