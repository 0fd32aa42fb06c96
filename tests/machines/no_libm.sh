#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# no_libm.sh SOURCE: the physics rooms use ri_exp, ri_sin, ... (src/base/functions.h), never the C library's functions, whose last bits
# depend on the processor; links, too, for they hand commands to the robot. Exempt: src/base/functions.c itself, drawing (src/io/draw) and
# statistics of campaigns.
set -eu
cd "$1"
names='exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|sin|cos|sincos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|cbrt|hypot|erf|erfc|tgamma|lgamma'
rooms='src/base src/math src/model src/dynamics src/terrain src/contact src/soil src/device src/optics src/onboard src/site src/sim src/io src/link src/study include/rille'
found=$(grep -rnE "(^|[^A-Za-z0-9_.\"/>])($names)f?l?\(" $rooms --include='*.c' --include='*.h' |
  grep -vE '^(src/base/functions\.|src/base/function_tables\.|src/io/draw/|src/study/campaign/)' |
  grep -vE '^[^:]+:[0-9]+: *(///|//|\*( |/|$))' | sed -E 's|//.*$||' |
  grep -E "(^|[^A-Za-z0-9_.\"/>])($names)f?l?\(" || true)
if [ -n "$found" ]; then
  echo "$found"
  echo "use the functions of base/functions.h here"
  exit 1
fi
