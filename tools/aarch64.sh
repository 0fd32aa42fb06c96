#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# aarch64.sh [BUILD [TICKS]]: builds the library without its optional parts for aarch64, runs all scenes for TICKS ticks under
# qemu-user and compares their state hashes with those of the native build in BUILD (default: build, which must have scene_hashes).
#
# Needs gcc-aarch64-linux-gnu and qemu-user (Debian). The libraries for aarch64 are fetched as Debian packages into build-aarch64/sysroot:
# nothing is installed. Takes about ten minutes on two idle cores; called by hand.
set -euo pipefail
cd "$(dirname "$0")/.."
native=${1:-build} ticks=${2:-100} here=$PWD/build-aarch64 root=$PWD/build-aarch64/sysroot
for tool in aarch64-linux-gnu-gcc qemu-aarch64 apt-get dpkg cmake; do
  command -v $tool >/dev/null || { echo "aarch64.sh: $tool is missing: apt-get install gcc-aarch64-linux-gnu qemu-user" >&2; exit 3; }
done

fetch() { # the packages of another architecture, with a package database of our own
  local state=$here/apt
  mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$root"
  touch "$state/status"
  local options=(-qq -o Dir::State="$state" -o Dir::State::status="$state/status" -o Dir::Cache="$state/cache"
    -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Debug::NoLocking=1 -o APT::Sandbox::User="$(id -un)")
  apt-get "${options[@]}" update
  apt-get "${options[@]}" -y --no-install-recommends --download-only install libc6-dev libgcc-12-dev libexpat1-dev \
    libyaml-dev libzstd-dev liblz4-dev libpng-dev liberfa-dev libqhull-dev libsqlite3-dev
  for package in "$state"/cache/archives/*.deb; do dpkg -x "$package" "$root"; done
  # absolute links point into the root
  find "$root" -type l -lname '/*' | while read -r link; do ln -sfn "$root$(readlink "$link")" "$link"; done
  touch "$here/fetched"
}
[ -e "$here/fetched" ] || fetch

cat >"$here/toolchain.cmake" <<TOOLCHAIN
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_SYSROOT $root)
set(CMAKE_FIND_ROOT_PATH $root)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L $root)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
TOOLCHAIN
export PKG_CONFIG_LIBDIR=$root/usr/lib/aarch64-linux-gnu/pkgconfig:$root/usr/share/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
# GCC 12 for aarch64 fails in its vectoriser (internal error), so that is off.
# The preset `minimal` says which parts are optional.
cmake --preset minimal -B "$here/build" -DCMAKE_TOOLCHAIN_FILE="$here/toolchain.cmake" -DRILLE_TESTS=OFF -DRILLE_TOOLS=OFF -DRILLE_WITH_PQ=OFF \
  -DCMAKE_C_FLAGS_RELEASE="-O2 -DNDEBUG -fno-tree-vectorize" >"$here/configure.txt" 2>&1 || { tail -30 "$here/configure.txt"; exit 1; }
cmake --build "$here/build" -j"$(nproc)" --target librille >"$here/build.txt" || { tail -30 "$here/build.txt"; exit 1; }
aarch64-linux-gnu-gcc --sysroot="$root" -std=c17 -O2 -D_GNU_SOURCE -DRILLE_SOURCE_DIR="\"$PWD\"" -Iinclude \
  tests/machines/scene_hashes.c -o "$here/scene_hashes" "$here/build/librille.a" -lexpat -lyaml -lzstd -llz4 -lpng -lz -lerfa \
  -lqhull_r -lsqlite3 -lm -ldl -lpthread

# A scene that needs an optional part fails on both sides or on one: scenes that run on both are compared.
qemu-aarch64 -L "$root" "$here/scene_hashes" --ticks "$ticks" >"$here/aarch64.txt" 2>"$here/aarch64.log" || true
"$native/tests/scene_hashes" --ticks "$ticks" >"$here/native.txt" 2>"$here/native.log" || true
pick() { grep -E '^[a-z0-9_]+ [0-9a-f]{16} [0-9]+$' "$1" | sort; }
join <(pick "$here/aarch64.txt") <(pick "$here/native.txt") | awk '$2 != $4 {print "differs:", $1; bad = 1} END {exit bad}' || exit 1
both=$(join <(pick "$here/aarch64.txt") <(pick "$here/native.txt") | wc -l)
echo "aarch64: $both of $(pick "$here/native.txt" | wc -l) scenes run there, all with the state hashes of this machine"
join -v 2 <(pick "$here/aarch64.txt") <(pick "$here/native.txt") | awk '{print "  not run there:", $1}'
[ "$both" -gt 40 ]
