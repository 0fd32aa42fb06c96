#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a build and shows how far it is: one line for each tenth. The whole output goes to LOG, its end is shown on failure.
#
#   tools/progress.sh LOG COMMAND...
set -uo pipefail
log=$1
shift
"$@" 2>&1 | tee -a "$log" | awk '
  match($0, /^\[ *[0-9]+%\]/) {
    percent = substr($0, 2, RLENGTH - 3) + 0
    if (percent >= next_at) { printf "  %d %% built\n", percent; fflush(); next_at = percent - percent % 10 + 10 }
  }'
status=${PIPESTATUS[0]}
[ "$status" -eq 0 ] || tail -n 40 "$log"
exit "$status"
