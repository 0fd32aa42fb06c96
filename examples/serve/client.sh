#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A client of the variable server in shell, by TCP: client.sh PORT TOKENFILE. Steps a pendulum and prints where it is.
exec 3<>"/dev/tcp/127.0.0.1/$1"
ask() {
    printf '%s\n' "$1" >&3
    read -r word rest <&3
    [ "$word" = ok ] || { echo "$rest" >&2; exit 1; }
    echo "$rest"
}
ask "token $(cat "$2")" >/dev/null
ask "set hinge_1.position 20 deg" >/dev/null
for _ in 1 2 3; do
    ask "step 100" >/dev/null
    echo "t = $(ask "get time") s, hinge_1 at $(ask "get hinge_1.position") rad"
done
ask "checkpoint from_shell"
