#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Man pages and completion hold what the commands' own help holds.
#
#   test_manual.sh RILLE FOLDER
set -euo pipefail
rille=$(realpath "$1") work=$2
rm -rf "$work" && mkdir -p "$work" && cd "$work"
"$rille" manual man pages
fail() { echo "$1"; exit 1; }
# every command of the help has a page, and every long option of a command's help is on its page
for command in $("$rille" | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
  page=pages/rille-$command.1
  [ -s "$page" ] || fail "no page for '$command'"
done
for words in "run" "view" "sweep" "plot" "robot check" "terrain make" "campaign run" "camera shot"; do
  page=pages/rille-${words// /-}.1
  # shellcheck disable=SC2086
  for option in $("$rille" $words --help | grep -oE '^ {2,6}(-[a-zA-Z], )?--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+' | grep -vE -- '--(help|usage)'); do
    plain=${option//-/\\\\-}
    grep -q -- "$plain" "$page" || fail "$page lacks $option"
  done
done
[ "$(ls pages | wc -l)" -gt 50 ] || fail "few pages"
if command -v man >/dev/null; then
  man -l -E utf8 --warnings=w pages/rille-run.1 >/dev/null 2>said || fail "man refuses a page"
  [ ! -s said ] || { cat said; exit 1; }
fi
"$rille" manual bash >rille.bash
bash -n rille.bash
complete_words() (
  source ./rille.bash 2>/dev/null
  rille() { "$rille" "$@"; }
  compopt() { :; }
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _rille
  echo "${COMPREPLY[*]}"
)
[ "$(complete_words rille swe)" = sweep ] || fail "commands are not completed"
[ "$(complete_words rille robot che)" = check ] || fail "second words are not completed"
[ "$(complete_words rille run mer_sand --pic)" = --pictures ] || fail "options are not completed"
[ "$(complete_words rille run mer_san)" = mer_sand ] || fail "scenes are not completed"
[ "$(complete_words rille robot show curio)" = curiosity ] || fail "robots are not completed"
if "$rille" manual man 2>said; then fail "a missing folder was taken"; fi
grep -q 'man FOLDER' said
