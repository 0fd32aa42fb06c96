# The front door. `make run` shows the program at work, `make test` runs all tests; each installs what it needs.
# Underneath is CMake with presets (CMakePresets.json); nothing here is needed to build with it directly.
JOBS ?= $(shell nproc)

.PHONY: run build test check-format format sanitize fuzz bench validate page clean

run: build
	@build/rille run snake_servo --out out/snake_servo
	@build/rille plot out/snake_servo/log.mcap 'bend_*.position' --out out/snake_servo/bends.png
	@build/rille plot out/snake_servo/log.mcap bend_1.position bend_5.position --terminal
	@echo "A picture: out/snake_servo/bends.png; the whole story: out/snake_servo/report.html"
	@echo "See it move: build/rille view out/snake_servo/log.mcap, or live: build/rille view snake_servo"

build:
	@tools/need.sh core
	@cmake --preset release >build-log.txt 2>&1 || { cat build-log.txt; exit 1; }
	@cmake --build build -j$(JOBS) --target rille_command >>build-log.txt 2>&1 || { tail -n 40 build-log.txt; exit 1; }
	@cmake --build build -j$(JOBS) --target peers >>build-log.txt 2>&1 || echo "Some peers could not be built: 'rille bench' will do without them."
	@rm -f build-log.txt

# Everything: formatted, built with and without sanitizers, fuzzed for a moment, all tests in both builds.
test:
	@tools/need.sh full
	@tools/need.sh peers
	@$(MAKE) --no-print-directory check-format sanitize fuzz
	@echo "== release build"
	@cmake --preset release >/dev/null
	@cmake --build build -j$(JOBS)
	@ctest --test-dir build -j$(JOBS) --output-on-failure

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
	@git ls-files '*.c' '*.h' | xargs clang-format --dry-run -Werror

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

bench: build
	@tools/need.sh peers
	@cmake --preset release >/dev/null
	@cmake --build build -j$(JOBS)
	@build/rille bench dynamics
	@build/rille bench sim

validate: build
	@build/rille validate

# The viewer's web page: viewer/src -> viewer/dist, which is kept with the sources.
page:
	cd viewer && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --ignore-scripts && npm run build

clean:
	rm -rf build build-dev build-tsan build-fuzz build-coverage
