#!/usr/bin/env bash
# Installs the Debian packages that are missing, and nothing else. Asks for root only if something is missing.
#
#   tools/need.sh core       what building and running needs
#   tools/need.sh full       what the tests need on top (mesh formats, sanitizers, fuzzing)
#   tools/need.sh peers      other engines to compare with; the tests skip those that cannot be had
set -euo pipefail

core=(gcc g++ make cmake pkg-config libc6-dev libexpat1-dev libyaml-dev libzstd-dev libpng-dev libedit-dev)
full=(libassimp-dev clang clang-format libclang-rt-14-dev python3)
peers=(libmujoco-dev libsimbody-dev libdart-dev libbullet-dev libeigen3-dev)

missing=()
want() {
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
  done
}

optional=no
case "${1:-core}" in
  core) want "${core[@]}" ;;
  full) want "${core[@]}" "${full[@]}" ;;
  peers) want "${peers[@]}"; optional=yes ;;
  *) echo "need.sh: core, full or peers" >&2; exit 2 ;;
esac
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
  echo "Please install what corresponds to these Debian packages: ${missing[*]}" >&2
  [ $optional = yes ] && exit 0 || exit 3
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  echo "Root is needed to install: ${missing[*]}"
  as_root=(sudo)
fi
echo "Installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
if ! { "${as_root[@]}" apt-get update -qq && "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >/tmp/rille-need.$$ 2>&1; then
  tail -n 5 /tmp/rille-need.$$ >&2
  rm -f /tmp/rille-need.$$
  [ $optional = yes ] && { echo "Going on without them: comparisons will be skipped." >&2; exit 0; }
  exit 3
fi
rm -f /tmp/rille-need.$$
