#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes what the packages are made of as SPDX 2.3 (tag-value): Rille, the libraries it links, and what the page bundles.
#
#   tools/sbom.sh FILE
set -euo pipefail
out=$(realpath "$1")
cd "$(dirname "$0")/.."
version=$(sed -n 's/^project(rille VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
created=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)} # a copy without its history: now
libraries=(libexpat1 libyaml-0-2 libzstd1 liblz4-1 libpng16-16 zlib1g liberfa1 libqhull-r8.0 libsqlite3-0 libjpeg62-turbo
  libassimp5 libgdal32 libembree3-3 libwebsockets17 libedit2 libnlopt0 libpq5 libddsc0debian)
package() { # name version licence
  printf '\nPackageName: %s\nSPDXID: SPDXRef-%s\nPackageVersion: %s\n' "$1" "${1//[^A-Za-z0-9.-]/-}" "$2"
  printf 'PackageDownloadLocation: NOASSERTION\nFilesAnalyzed: false\nPackageLicenseConcluded: NOASSERTION\n'
  printf 'PackageLicenseDeclared: %s\nPackageCopyrightText: NOASSERTION\n' "$3"
}
{
  printf 'SPDXVersion: SPDX-2.3\nDataLicense: CC0-1.0\nSPDXID: SPDXRef-DOCUMENT\n'
  printf 'DocumentName: rille-%s\nDocumentNamespace: https://spdx.org/spdxdocs/rille-%s\n' "$version" "$version"
  printf 'Creator: Tool: tools/sbom.sh\nCreated: %s\n' "$(date -u -d "@$created" +%Y-%m-%dT%H:%M:%SZ)"
  package rille "$version" Apache-2.0
  [ ! -d build-deps/sundials ] || package sundials-cvode bundled BSD-3-Clause
  package three "$(sed -n 's/.*"three": "\([0-9.]*\)".*/\1/p' viewer/package.json)" MIT
  for library in "${libraries[@]}"; do
    found=$(dpkg-query -W -f '${Version}' "$library" 2>/dev/null || true)
    [ -z "$found" ] || package "$library" "$found" NOASSERTION
  done
} >"$out"
