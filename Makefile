# The front door. Every target installs what it lacks (dev/setup.sh) and then calls CMake; see CMakePresets.json.
.DEFAULT_GOAL := help
SHELL := /bin/bash
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 20
# AddressSanitizer watches freed memory until 8 MB more are freed (256 MB by default, out of every cache), and its reports name
# the last calls alone: so the tests take half the time. Fuzzing keeps the defaults.
ASAN_OPTIONS ?= malloc_context_size=6:quarantine_size_mb=8:thread_local_quarantine_size_kb=256
CTEST := ctest -j$(JOBS) --output-on-failure --no-tests=error

# $(call build,PRESET,OPTIONS,TARGET): configures and builds, everything unless a target is named.
build = cmake --preset $(1) $(2) >build/$(1).log 2>&1 || { cat build/$(1).log; exit 1; }; \
        cmake --build --preset $(1) -j$(JOBS) $(if $(3),--target $(3))

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r name text; do \
	  printf '  make %-13s %s\n' "$$name" "$$text"; done

.PHONY: build
build: ## set up and build the program, optimised
	@dev/setup.sh build
	@mkdir -p build && $(call build,release,,quadrille_cli)

.PHONY: run
run: ## set up, build, and do the main job: total exchange on a 4x4 torus, proved, then run with real bytes
	@$(MAKE) --no-print-directory build
	build/release/quadrille run alltoall "torus(4,4)" --bytes 65536

.PHONY: test
test: ## set up, build with ASan and UBSan, and run every quick test
	@dev/setup.sh build test
	@$(MAKE) --no-print-directory viewer-tools || echo "make test: without these the page of view is not tested in a browser"
	@mkdir -p build && $(call build,dev)
	cd build/dev && ASAN_OPTIONS=$(ASAN_OPTIONS) $(CTEST) -LE slow --output-junit junit.xml

.PHONY: test-slow
test-slow: ## the tests that take minutes, optimised
	@dev/setup.sh build test
	@mkdir -p build && $(call build,release,-DQUADRILLE_TESTS=ON)
	cd build/release && $(CTEST) -L "slow|plain_build" --output-junit junit.xml

.PHONY: clang
clang: ## build with clang, run the unit tests and every fuzz target for FUZZ_SECONDS
	@dev/setup.sh build test clang
	@mkdir -p build && $(call build,clang,-DQUADRILLE_FUZZ_ALONE=OFF -DQUADRILLE_FUZZ_SECONDS=$(FUZZ_SECONDS))
	cd build/clang && $(CTEST) -R '^(unit|fuzz|must_not_compile)\.' -LE slow --output-junit junit.xml

.PHONY: fuzz
fuzz: ## let clang read all but the tests, and run every fuzz target for FUZZ_SECONDS
	@dev/setup.sh build test clang
	@mkdir -p build && $(call build,clang,-DQUADRILLE_FUZZ_ALONE=ON -DQUADRILLE_FUZZ_SECONDS=$(FUZZ_SECONDS) $(FUZZ_OPTIONS),quadrille_fuzz)
	cd build/clang && $(CTEST) -R '^(fuzz|must_not_compile)\.' -LE slow --output-junit junit.xml

.PHONY: tsan
tsan: ## build what runs on several threads with ThreadSanitizer, and run its tests
	@dev/setup.sh build test
	@mkdir -p build && $(call build,tsan,,quadrille_thread_tests)
	cd build/tsan && $(CTEST) --output-junit junit.xml

.PHONY: coverage
coverage: ## lines of verify/ and bounds/ that their tests run (dev/mutate.py tells whether they look at them)
	@dev/setup.sh build test
	@mkdir -p build && cmake --preset quick >build/quick.log || { cat build/quick.log; exit 1; }
	dev/coverage.py verify
	dev/coverage.py bounds

.PHONY: lint
lint: ## clang-format and clang-tidy over everything
	@dev/setup.sh build test clang lint
	@mkdir -p build && cmake --preset lint >build/lint.log || { cat build/lint.log; exit 1; }
	dev/lint.sh build/lint

.PHONY: format
format: ## let clang-format rewrite what it does not like
	@dev/setup.sh lint
	git ls-files --cached --others --exclude-standard '*.h' '*.cc' | xargs clang-format -i

.PHONY: bench
bench: ## the benchmarks, optimised (BENCH=REGEX for some of them)
	@dev/setup.sh build bench
	@mkdir -p build && $(call build,release,-DQUADRILLE_BENCHMARKS=ON,quadrille_bench)
	build/release/quadrille_bench $(if $(BENCH),--benchmark_filter='$(BENCH)')

.PHONY: viewer-tools
viewer-tools:
	@dev/setup.sh viewer
	@cd web && { [[ node_modules/.package-lock.json -nt package-lock.json ]] || npm ci --no-audit --no-fund --loglevel=error; }

.PHONY: viewer
viewer: viewer-tools ## bundle the page of `quadrille view` anew (web/, node 18 or newer), and test it in a browser
	cd web && node build.mjs
	@$(MAKE) --no-print-directory build
	cd web && QUADRILLE=$(CURDIR)/build/release/quadrille node --test test/*.test.mjs

.PHONY: docs
docs: ## regenerate the pages that the program writes itself
	@dev/setup.sh build
	@mkdir -p build && $(call build,release,,quadrille_cli)
	dev/regen_docs.sh build/release/quadrille

.PHONY: check-figures
check-figures: ## by the optimised program: claims, pages that it writes, transcripts that take long, contradictions on small networks
	@$(MAKE) --no-print-directory build
	build/release/quadrille claims --check | tail -n 1; exit $${PIPESTATUS[0]}
	tests/cli/docs_are_fresh.sh build/release/quadrille .
	sed 's|.*|tests/cli/&.md|' tests/cli/optimised.txt | xargs -n 1 -P $(JOBS) tests/cli/transcripts.py --program build/release/quadrille
	python3 tests/guidelines/guidelines.py --program build/release/quadrille --only mesh2x3,one_way --sizes steps,64KiB
	python3 tests/guidelines/guidelines.py --program build/release/quadrille --only petersen,petersen-file --sizes steps

.PHONY: python
python: ## build the Python package into build/release/python, and test it
	@dev/setup.sh build python
	@mkdir -p build && $(call build,release,-DQUADRILLE_PYTHON=ON,quadrille_python quadrille_cli)
	cd build/release && $(CTEST) -R '^python\.' --output-junit junit.xml

.PHONY: rig-check
rig-check: ## as root: programs on a 4x4 torus of rate-limited links of this machine: bytes of each link, times, bounds
	@dev/setup.sh build test
	@mkdir -p build && $(call build,release,,quadrille_cli quadrille_rig)
	rig/check.py $(RIG_OPTIONS)

.PHONY: smpi-compare
smpi-compare: ## every algorithm of SimGrid's MPI against our programs on simulated networks: a table and a plot
	@dev/setup.sh build test
	@mkdir -p build && $(call build,release,,quadrille_cli quadrille_rig)
	rig/smpi_compare.py -o build/smpi_compare $(SMPI_OPTIONS)

.PHONY: install
install: ## install the library, the headers and the programs (PREFIX=/usr/local)
	@dev/setup.sh build
	@mkdir -p build && $(call build,release)
	cmake --install build/release --prefix "$(PREFIX)"

.PHONY: package
package: ## Debian packages of the program, the library, the Python package and what runs over MPI: build/release/packages
	@dev/setup.sh build test python
	@mkdir -p build && $(call build,release,-DQUADRILLE_PYTHON=ON)
	cd build/release && cpack -B packages >packages.log || { cat packages.log; exit 1; }
	tests/package/check.sh build/release/packages

.PHONY: package-root
package-root: package ## the same, installed, run and removed in a new Debian of its own (as root)
	@dev/setup.sh package
	tests/package/check.sh build/release/packages --root

.PHONY: clean
clean: ## forget everything that was built
	rm -rf build
