# The front door. `make run` shows the program at work, `make test` runs all tests; each installs what it needs.
# Underneath is CMake with presets (CMakePresets.json); nothing here is needed to build with it directly.
JOBS ?= $(shell nproc)

.PHONY: run build wheel test check check-format format sanitize fuzz bench validate package docs gallery page clean

run: build
	@echo "== A Mars Exploration Rover drives over soft sand: two minutes of simulated time"
	@build/rille run mer_sand --pictures --out out/mer_sand
	@echo
	@echo "The picture: out/mer_sand/picture.png    The report: out/mer_sand/report.html"
	@echo "Watch it live in a browser: build/rille view mer_sand"

build:
	@echo "== Packages"
	@tools/need.sh core
	@echo "== Building (two minutes on two cores, once)"
	@cmake --preset release >build-log.txt 2>&1 || { cat build-log.txt; exit 1; }
	@tools/progress.sh build-log.txt cmake --build build -j$(JOBS) --target rille_command tools
	@cmake --build build -j$(JOBS) --target peers >>build-log.txt 2>&1 || echo "Some peers could not be built: 'rille bench' will do without them."
	@rm -f build-log.txt

# The Python module as a wheel in dist/: pip install dist/rille-*.whl
wheel:
	@tools/need.sh core
	@tools/need.sh python
	@cmake --preset release -DRILLE_WITH_PYTHON=ON >/dev/null
	@cmake --build build -j$(JOBS) --target rille_python
	@/usr/bin/env python3 python/wheel.py build dist

# Everything: formatted, built with and without sanitizers, fuzzed for a moment, all tests in both builds.
test:
	@tools/need.sh full
	@tools/need.sh peers
	@$(MAKE) --no-print-directory check-format sanitize fuzz
	@echo "== release build"
	@cmake --preset release >/dev/null
	@cmake --build build -j$(JOBS)
	@ctest --test-dir build -j$(JOBS) --output-on-failure

# What `make test` does not see: the thread sanitizer, clang-tidy, the other compiler, the library without its optional parts.
check:
	@tools/need.sh full
	@JOBS=$(JOBS) tools/check.sh

sanitize:
	@echo "== tests under the address and undefined-behaviour sanitizers"
	@cmake --preset dev >/dev/null
	@cmake --build build-dev -j$(JOBS)
	@ctest --test-dir build-dev -j$(JOBS) --output-on-failure

# A short run of every fuzz target, from the seeds in fuzz/corpus.
fuzz:
	@echo "== fuzz targets"
	@cmake --preset fuzz >/dev/null
	@cmake --build build-fuzz -j$(JOBS)
	@tools/fuzz.sh build-fuzz/fuzz 15

check-format:
	@echo "== formatting"
	@git ls-files '*.c' '*.h' '*.hpp' | xargs clang-format --dry-run -Werror

format:
	@git ls-files '*.c' '*.h' '*.hpp' | xargs clang-format -i

bench: build
	@tools/need.sh peers
	@cmake --preset release >/dev/null
	@cmake --build build -j$(JOBS)
	@build/rille bench dynamics
	@build/rille bench sim

validate: build
	@build/rille validate

# Debian packages: rille, rille-tools, librille, librille-dev, and a list of what is inside (SPDX), in build-package.
package:
	@tools/need.sh core
	@tools/need.sh package
	@cmake --preset package >/dev/null
	@cmake --build build-package -j$(JOBS)
	@cd build-package && cpack -G DEB >cpack.log 2>&1 || { cat cpack.log; exit 1; }
	@tools/sbom.sh build-package/rille.spdx
	@ls build-package/*.deb build-package/rille.spdx

# The manual, the API of the C library and the man pages as HTML; needs Python and nothing else.
docs: build
	@tools/docs.py --check
	@tools/docs.py build/manual/html build/rille

# The pictures of docs/gallery.md, by the program's own ray tracer.
gallery: build
	@tools/gallery.py build/rille

# The viewer's web page: viewer/src -> viewer/dist, which is kept with the sources.
page:
	cd viewer && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --ignore-scripts && npm run build

clean:
	rm -rf build build-dev build-tsan build-fuzz build-coverage build-clang build-minimal build-package
