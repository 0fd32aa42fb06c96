#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make check`: what `make test` does not see. Each step prints a heading; the last lines count the steps.
#
#   tools/check.sh [STEP...]     threads, tidy, clang, minimal; all of them without a name
set -uo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
passed=0 failed=0 broken=()

# Tests of everything that has threads, under the thread sanitizer (tests/extra.cmake, label threads).
threads() {
  cmake --preset tsan >/dev/null &&
    cmake --build build-tsan -j"$jobs" --target thread_tests &&
    ctest --test-dir build-tsan -j"$jobs" -L threads --no-tests=error --output-on-failure
}

# clang-tidy over library, programs, benches, validation cases and the Python module: .clang-tidy has the checks and the reasons.
tidy() {
  cmake --preset clang >/dev/null || return
  # Kernels are compiled once per instruction set with flags of their own; as plain files they say nothing new.
  git ls-files 'src/*.c' 'apps/*.c' 'bench/*.c' 'validate/*.c' 'python/src/*.c' | grep -v -e '^bench/peers/' -e '_kernel\.c$' |
    xargs -P"$jobs" -n8 clang-tidy -p build-clang --quiet 2>/dev/null
}

# The other compiler, warnings as errors; a scene and closed-form cases as a smoke test; all scenes have the state hashes
# of the first compiler (it calls a function's arguments in another order, for one).
clang() {
  cmake --preset clang >/dev/null &&
    cmake --build build-clang -j"$jobs" --target rille_command tools scene_hashes &&
    build-clang/rille run pendulum --quiet --out build-clang/smoke &&
    build-clang/rille validate free_fall gears friction screws &&
    cmake --preset release >/dev/null &&
    cmake --build build -j"$jobs" --target scene_hashes &&
    build/tests/scene_hashes --ticks 100 >build-clang/first.txt &&
    build-clang/tests/scene_hashes --ticks 100 >build-clang/second.txt &&
    diff <(grep -v '^libm' build-clang/first.txt) <(grep -v '^libm' build-clang/second.txt) &&
    echo "$(wc -l <build-clang/first.txt) scenes have equal state hashes with both compilers"
}

# The library without its optional parts, and all its tests; what needs a part says so and is skipped.
minimal() {
  cmake --preset minimal >/dev/null &&
    cmake --build build-minimal -j"$jobs" &&
    ctest --test-dir build-minimal -j"$jobs" --output-on-failure
}

for step in "${@:-threads tidy clang minimal}"; do
  for name in $step; do
    case $name in
      threads | tidy | clang | minimal) ;;
      *) echo "check.sh: there is no step '$name'; there are threads, tidy, clang, minimal" >&2; exit 2 ;;
    esac
    echo "== check: $name"
    if $name; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1)) broken+=("$name")
    fi
  done
done
[ $failed -eq 0 ] || echo "failed: ${broken[*]}"
echo "check: $passed passed, $failed failed"
[ $failed -eq 0 ]
