#!/usr/bin/env bash
# claims.sh RILLE: what docs/campaigns.md says of the worked campaigns, in short versions of them.
set -u
rille=$(readlink -f "$1")
campaigns=$(cd "$(dirname "$0")/../../campaigns" && pwd)
work=$(mktemp -d /tmp/rille-claims-XXXXXX)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAIL $1"; exit 1; }
# table NAME RUNS: runs a campaign and leaves NAME.csv; RUNS 0: all of it.
table() {
  local runs=()
  [ "$2" -eq 0 ] || runs=(--runs "$2")
  "$rille" campaign run "$campaigns/$1.yaml" --store "$work/$1.db" -q "${runs[@]}" >/dev/null 2>"$work/err" || [ $? -eq 1 ] || { cat "$work/err"; fail "$1"; }
  "$rille" campaign export "$work/$1.db" >"$work/$1.csv" || fail "$1: no table"
}
# correlation NAME A B LEAST MOST: of two columns.
correlation() {
  awk -F, -v a="$2" -v b="$3" -v least="$4" -v most="$5" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { x = $at[a]; y = $at[b]; n++; sx += x; sy += y; sxx += x * x; syy += y * y; sxy += x * y }
    END {
      r = (n * sxy - sx * sy) / sqrt((n * sxx - sx * sx) * (n * syy - sy * sy))
      good = (r >= least + 0 && r <= most + 0)
      printf "%s %s and %s: %.2f\n", (good ? "ok  " : "FAIL"), a, b, r
      exit !good
    }' "$work/$1.csv" || fail "$1: $2 and $3"
}

# FIDO's tilt table: slip uphill rises with the slope and runs away at 20 degrees; downhill the wheels are ahead of themselves.
table fido_tilt_table 0
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  $at["heading"] == "0 deg" { if ($at["slip"] <= last) bad = 1; last = $at["slip"]; if ($at["slope"] == "15 deg" && last > 0.25) bad = 2 }
  $at["heading"] == "180 deg" && $at["slope"] != "0.5 deg" && $at["slip"] >= 0 { bad = 3 }
  END { if (last < 0.5) bad = 4; if (bad) print "claim " bad; exit bad }' "$work/fido_tilt_table.csv" || fail "fido_tilt_table"
echo "ok   fido: slip rises with the slope, and runs away at 20 degrees"

# A rover on sand: the slope matters most, friction less, both with their signs; runs outside of validity are counted.
table rover_slip 20
correlation rover_slip slope slip 0.5 1
correlation rover_slip friction slip -1 -0.2
correlation rover_slip slope way -1 -0.5
"$rille" campaign report "$work/rover_slip.db" --json >"$work/report.json" && grep -q '"left_validity"' "$work/report.json" || fail "validity is not counted"

# EELS: the amplitude of the wave decides how far it gets.
table eels_friction 16
correlation eels_friction amplitude way 0.7 1

# Wheels: large ones pull, wide ones sink less.
table wheel_size 24
correlation wheel_size radius pull 0.6 1
correlation wheel_size width sinkage -1 -0.5
# The search finds a wheel that pulls more than all of those, and keeps the constraint.
best=$("$rille" campaign search "$campaigns/wheel_size.yaml" --by pull --runs 40 -q --json | sed -n 's/.*"value": *\([-0-9.e]*\).*/\1/p' | head -n 1)
awk -F, -v best="$best" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["success"] == 1 && $at["pull"] + 0 > most { most = $at["pull"] }
  END { good = (best + 0 > most); printf "%s best wheel by search %.3f N, by sampling %.3f N\n", (good ? "ok  " : "FAIL"), best, most; exit !good }' "$work/wheel_size.csv" || fail "search"

# Suspension: of the rovers that climb the step, those with the bogie's pivot further back pitch less; the search goes there.
table bogie_design 16
awk -F, 'NR == 1 || $3 == 1' "$work/bogie_design.csv" >"$work/climbed.csv"
correlation climbed robot.bogie_x pitch 0.9 1
"$rille" campaign search "$campaigns/bogie_design.yaml" --by pitch --least --runs 24 -q --json >"$work/best.json" || fail "bogie_design: search"
awk -F, -v best="$(sed -n 's/.*"value": *\([-0-9.e]*\).*/\1/p' "$work/best.json" | head -n 1)" '
  NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  { sum += $at["pitch"]; n++ }
  END { good = (n > 8 && best > 0.1 && best < 0.9 * sum / n); printf "%s pitch by search %.4f rad, mean of %d samples %.4f\n", (good ? "ok  " : "FAIL"), best, n, sum / n; exit !good }' "$work/climbed.csv" || fail "bogie_design"

# Wheel size against climbed slope: the steepest slope of each radius, and width matters less than radius.
table climbed_slope 0
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  { slope = int($at["slope"] * 57.29578 + 0.5); slip[$at["radius"], $at["width"], slope] = $at["slip"] }
  $at["success"] == 1 && slope > climbed[$at["radius"]] { climbed[$at["radius"]] = slope }
  $at["success"] == 1 && $at["radius"] == "9 cm" && $at["width"] == "10 cm" { narrow = 1 }
  END {
    wide = slip["18 cm", "10 cm", 8] - slip["18 cm", "24 cm", 8]
    large = slip["13 cm", "16 cm", 8] - slip["18 cm", "16 cm", 8]
    printf "climbed: %d, %d, %d degrees; slip at 8 degrees less by %.2f (width), %.2f (radius)\n", climbed["9 cm"], climbed["13 cm"], climbed["18 cm"], wide, large
    exit !(climbed["9 cm"] == 4 && climbed["13 cm"] == 8 && climbed["18 cm"] == 12 && !narrow && wide > 0 && wide < 0.1 && large > 0.1)
  }' "$work/climbed_slope.csv" || fail "climbed_slope"
