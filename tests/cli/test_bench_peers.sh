#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `rille bench` survives every kind of peer: none, crashing, hanging, babbling, disagreeing. Usage: test_bench_peers.sh RILLE
set -u
rille=$1
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failures=0

fail() { # what
    echo "FAIL $1"
    sed 's/^/    /' "$work/out" "$work/err" | head -20
    failures=$((failures + 1))
}

# run WANTED_STATUS ARGUMENT...: runs the bench with output in out and err
run() {
    wanted=$1
    shift
    timeout 60 "$rille" bench "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ "$status" -eq "$wanted" ] || fail "bench $*: status $status, expected $wanted"
}

# peer FOLDER NAME: makes an executable peer of the script on standard input
peer() {
    mkdir -p "$work/$1"
    { echo '#!/bin/sh'; cat; } >"$work/$1/peer_$2"
    chmod +x "$work/$1/peer_$2"
}

quick="dynamics --repeats 2 --seconds 0.001 --timeout 1 --only chain8.fd"

run 0
grep -q '^  dynamics ' "$work/out" || fail "without a name the benches are listed"

run 2 no_such_bench
run 2 dynamics --repeats 0
run 2 dynamics --repeats many
run 2 dynamics --peers "$work/missing"
grep -q 'missing' "$work/err" || fail "a missing folder is named"

mkdir "$work/empty"
run 0 $quick --json --peers "$work/empty"
for key in bench case unit ours peer peer_value ratio repeats spread; do
    grep -q "\"$key\": " "$work/out" || fail "a JSON row has the key $key"
done
[ "$(wc -l <"$work/out")" -eq 1 ] || fail "without peers a case is one row"
run 0 $quick --peers "$work/empty"
grep -q '^chain8.fd ' "$work/out" || fail "the table names the case"
run 0 $quick --markdown --peers "$work/empty"
grep -q '^| chain8.fd |' "$work/out" || fail "the Markdown table names the case"

peer bad crash_early </dev/null
peer bad crash_late <<'END'
echo hello late 1; read line; exit 3
END
peer bad hang_early <<'END'
exec sleep 30
END
peer bad hang_late <<'END'
echo hello hanging 1; read line; exec sleep 30
END
peer bad babble <<'END'
echo hello babbling 1; while read line; do echo what; done
END
peer bad endless <<'END'
echo hello endless 1; read line; while echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx | tr -d '\n'; do :; done
END
peer bad mute <<'END'
echo good day; while read line; do echo none; done
END
peer bad unable <<'END'
echo hello unable 1; while read line; do echo none; done
END
run 0 $quick --json --peers "$work/bad"
[ "$(wc -l <"$work/out")" -eq 1 ] || fail "bad peers leave one row: ours alone"
[ "$(grep -c 'is left out' "$work/err")" -eq 7 ] || fail "each bad peer is reported once"

peer wrong stranger <<'END'
echo hello stranger 1
while read a b c; do if [ "$a" = check ]; then echo check 1 2 3 4; else echo value 5; fi; done
END
run 1 $quick --json --peers "$work/wrong"
grep -q '"peer": "stranger 1".*"valid": false' "$work/out" || fail "a peer that computes something else is invalid"
grep -q '"peer": "fastest"' "$work/out" && fail "an invalid peer is never the fastest"

[ "$failures" -eq 0 ] && echo "ok   rille bench survives its peers"
exit "$failures"
