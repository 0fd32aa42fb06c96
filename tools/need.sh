#!/usr/bin/env bash
# Installs the Debian packages that are missing, and nothing else. Asks for root only if something is missing.
#
#   tools/need.sh core       what building and running needs; SUNDIALS is unpacked into build-deps, not installed
#   tools/need.sh full       what the tests need on top (sanitizers, fuzzing, servers, a browser)
#   tools/need.sh python     what the Python module needs to be built and tried
#   tools/need.sh package    what `make package` needs on top of core
#   tools/need.sh peers      other engines to compare with; the tests skip those that cannot be had
set -euo pipefail

core=(gcc g++ make cmake pkg-config libc6-dev libexpat1-dev libyaml-dev libzstd-dev liblz4-dev libpng-dev
  zlib1g-dev libwebsockets-dev libedit-dev libembree-dev libjpeg62-turbo-dev liberfa-dev libqhull-dev
  libsqlite3-dev libassimp-dev libgdal-dev libcairo2 fonts-dejavu-core)
full=(libnlopt-dev clang lld clang-format clang-tidy libclang-rt-14-dev python3 python3-dev python3-venv python3-numpy chromium
  libpq-dev postgresql
  slurm-wlm munge cyclonedds-dev cyclonedds-tools libfastrtps-dev libfastcdr-dev ros-core python3-rostopic
  python3-rosbag python3-sensor-msgs python3-geometry-msgs python3-nav-msgs python3-tf2-msgs python3-trajectory-msgs
  python3-diagnostic-msgs mypy rviz xvfb xauth imagemagick)
python=(python3-dev python3-venv)
packaging=(dpkg-dev file)
peers=(libmujoco-dev libsimbody-dev libdart-dev libbullet-dev libode-dev libeigen3-dev libsiconos-numerics-dev)

missing=()
want() {
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
  done
}

# SUNDIALS CVODE, the reference integrator: its static library and headers, unpacked into build-deps/sundials once. Installing
# libsundials-dev would bring 190 packages (MPI, PETSc) for one library of 0.6 MB. No root needed; without it the build goes on.
deps=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/build-deps
download_sundials() { # into the current folder
  local quick=(-q -o Acquire::Retries=0 -o Acquire::http::Timeout=10 -o Acquire::https::Timeout=10)
  apt-get download "${quick[@]}" libsundials-dev && return
  if [ "$(id -u)" -eq 0 ]; then
    apt-get update "${quick[@]}"
  else
    sudo -n apt-get update "${quick[@]}" # only if it asks for no password
  fi && apt-get download "${quick[@]}" libsundials-dev
}
unpack_sundials() ( # works in folder $1; the last step makes the result visible, so a broken download leaves nothing behind
  cd "$1" && chmod 755 . && download_sundials &&
    dpkg -x libsundials-dev_*.deb all &&
    mkdir -p sundials/include sundials/lib &&
    (cd all/usr/include && cp -r cvode nvector sundials sunlinsol sunmatrix sunnonlinsol "$1/sundials/include/") &&
    cp all/usr/lib/*/libsundials_cvode.a sundials/lib/ &&
    cp all/usr/share/doc/libsundials-dev/copyright sundials/ &&
    rm -rf "$deps/sundials" && mv sundials "$deps/sundials"
)
fetch_sundials() {
  local found=("$deps"/sundials/lib/libsundials_cvode.a /usr/include/cvode/cvode.h /usr/local/include/cvode/cvode.h) file work
  for file in "${found[@]}"; do [ -e "$file" ] && return; done
  mkdir -p "$deps" && work=$(mktemp -d "$deps/unpack.XXXXXX") || return 0
  command -v apt-get >/dev/null && unpack_sundials "$work" >"$work/log" 2>&1 ||
    echo "SUNDIALS could not be fetched: building without the CVODE integrator. $(grep -m1 '^E:' "$work/log" 2>/dev/null || true)" >&2
  rm -rf "$work"
}

# A node from elsewhere does for the tests of the page, and Debian's packages would conflict with it.
command -v node >/dev/null && command -v npm >/dev/null || full+=(nodejs npm)

optional=no
case "${1:-core}" in
  core) fetch_sundials; want "${core[@]}" ;;
  full) fetch_sundials; want "${core[@]}" "${full[@]}" ;;
  python) want "${python[@]}" ;;
  package) want "${packaging[@]}" ;;
  peers) want "${peers[@]}"; optional=yes ;;
  *) echo "need.sh: core, full, python, package or peers" >&2; exit 2 ;;
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
echo "Installing ${#missing[@]} Debian packages and what they need: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
said=$(mktemp)
trap 'rm -f "$said"' EXIT
# One line for each fiftieth package: a silent minute looks like a hang.
show_progress() {
  awk '/newly installed/ { total = $3; printf "  %d packages to install\n", total; fflush() }
       /^Unpacking / { n++ } /^Setting up / { n++ }
       n >= next_at && n > 0 { printf "  installing: %d of %d steps\n", n, 2 * total; fflush(); next_at = n + 50 }'
}
install() {
  "${as_root[@]}" apt-get update -qq && "${as_root[@]}" apt-get install -y --no-install-recommends "${missing[@]}"
}
set +e
install 2>&1 | tee "$said" | show_progress
status=${PIPESTATUS[0]}
set -e
if [ "$status" -ne 0 ]; then
  tail -n 5 "$said" >&2
  [ $optional = yes ] && { echo "Going on without them: comparisons will be skipped." >&2; exit 0; }
  exit 3
fi
