#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compare.sh SCENE_HASHES WORK: state hashes of all scenes must not depend on the machine. They are computed
#   here:    as the machine is
#   libm:    with the C library's code for processors without FMA and AVX2
#   kernels: with our own kernels for processors without AVX2
#   flush:   with subnormal numbers flushed to zero
set -eu
program=$1 work=$2
mkdir -p "$work"
run() { # NAME OPTIONS...
  name=$1
  shift
  "$program" --ticks 250 "$@" >"$work/$name" 2>"$work/$name.txt" || { cat "$work/$name" "$work/$name.txt"; exit 1; }
  grep -v '^libm ' "$work/$name" >"$work/$name.scenes"
}
run here
(export GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4,-AVX512F; run libm)
(export RILLE_KERNELS=generic; run kernels)
modes="libm kernels"
if [ "$(uname -m)" = x86_64 ]; then
  run flush --flush
  modes="$modes flush"
fi
if [ "$(head -n 1 "$work/here")" = "$(head -n 1 "$work/libm")" ]; then
  echo "note: the tunables do not change this C library, so nothing was learnt about libm"
fi
for mode in $modes; do
  diff "$work/here.scenes" "$work/$mode.scenes" || { echo "$mode: state hashes differ"; exit 1; }
done
echo "$(wc -l <"$work/here.scenes") scenes agree: $modes"
