# Everything there is to do here, from a fresh Debian 12 on: `make demo`, `make test`. `make help` lists the rest.

PYTHON ?= python3
JOBS ?= $(shell nproc)
BUILD := build
BIN := .venv/bin
export WAX_BUILD_DIR := $(abspath $(BUILD))

CPP_SOURCES = $(shell find dialect passes runtime tools examples -name '*.cpp' -o -name '*.h' -o -name '*.c')
# One thread of the pools that NumPy and its kin start, as tests run several processes.
# Tests of Vulkan run apart: while Mesa's software driver has a device open, it keeps a processor busy.
PYTEST = $(BIN)/python -m pytest -q -n $(JOBS) --dist loadfile -p no:cacheprovider

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test test-full conformance fuzz bench bench-more wheel docs accuracy check-docs format lint lit build clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

demo: build ## a quickstart, then a real model; the text of every stage goes to build/demo
	$(BIN)/python examples/quickstart.py --stages $(BUILD)/demo/quickstart
	$(BIN)/python examples/sentence_embeddings.py --stages $(BUILD)/demo/sentence_embeddings

test: build check-docs lint lit ## every check, and the tests of the quick tier
	$(PYTEST) -m "not full and not vulkan"
	$(PYTEST) -m "not full and vulkan"

test-full: build check-docs lint lit ## every check and every test
	$(PYTEST) -m "not vulkan"
	$(PYTEST) -m vulkan

# The suite gives its slower tests a tenth of the examples: compiled, these run apart, and get five too.
CONFORMANCE = cd $(SUITE) && PYTHONPATH=$(abspath tests) $(abspath $(BIN))/python -m pytest -q -n $(JOBS) \
  -p no:cacheprovider --rootdir . -c pytest.ini --disable-deadline --derandomize \
  --skips-file $(abspath tests/conformance/skips.txt) array_api_tests
conformance: build .venv/.test ## the array API's own test suite, SUITE=path of a checkout; COMPILED=1 compiles every call
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r $(SUITE)/requirements.txt
ifdef COMPILED
	export ARRAY_API_TESTS_MODULE=compiled_namespace; $(CONFORMANCE) -m "not unvectorized" --max-examples 5
	export ARRAY_API_TESTS_MODULE=compiled_namespace; $(CONFORMANCE) -m unvectorized --max-examples 50
else
	export ARRAY_API_TESTS_MODULE=wax.numpy; $(CONFORMANCE) --max-examples 100
endif

fuzz: build .venv/.test ## random and mutated programs through everything, FUZZ="--count 100000"
	$(BIN)/python tests/fuzz.py $(FUZZ)

bench: build .venv/.bench ## wax beside PyTorch and JAX, in one table: half an hour; BENCH="--quick", BENCH="--only matmul"
	$(BIN)/python benchmarks/bench.py $(BENCH)

bench-more: build .venv/.bench ## each other benchmark, with what it is about in more detail
	for one in trace_time warm_start cold_start basis sizes fft convolve loops linalg random_numbers networks open_sizes training ad choose; do \
	  $(BIN)/python benchmarks/$$one.py || exit 1; done

wheel: .venv/.run ## dist/wax-*.whl
	$(BIN)/python -m pip wheel --no-deps --no-build-isolation --wheel-dir dist .

docs: build ## docs/reference from the TableGen files, docs/errors.md from the error classes
	$(BIN)/python scripts/reference.py
	$(BIN)/python scripts/errors_page.py

accuracy: build .venv/.test ## docs/accuracy.md, measured: minutes
	$(BIN)/python scripts/accuracy.py

check-docs: build .venv/.test
	$(BIN)/python scripts/reference.py --check
	$(BIN)/python scripts/errors_page.py --check
	$(BIN)/python scripts/accuracy.py --check

format: .venv/.test ## sources as ruff and clang-format like them
	$(BIN)/ruff check --fix --exit-zero --quiet
	$(BIN)/ruff format
	$(BIN)/clang-format -i $(CPP_SOURCES)

lint: .venv/.test ## ruff, clang-format, pyright
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/clang-format --dry-run -Werror $(CPP_SOURCES)
	$(BIN)/pyright -p pyproject.toml

lit: build .venv/.test ## the .mlir suites
	$(BIN)/lit -sv -j $(JOBS) tests

build: $(BUILD)/build.ninja ## the native parts; the extension module lands in frontend/wax
	$(BIN)/ninja -C $(BUILD) --quiet $(NINJAFLAGS)

clean: ## removes what was built; .venv stays
	rm -rf $(BUILD) dist frontend/wax/_native*.so frontend/wax/_machine*.so $(addprefix runtime/wax_runtime/iree/,libwax_team.so wax_spread.o)

# Set-up, a stamp a step.

$(BUILD)/.packages: scripts/install-packages.sh
	sh $< $(PYTHON)
	@mkdir -p $(@D) && touch $@

.venv/.run: pyproject.toml scripts/develop.py | $(BUILD)/.packages
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python scripts/develop.py run
	@touch $@

# PyPI's PyTorch brings CUDA along. PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu gets the one without.
$(BUILD)/.test-packages: scripts/install-packages.sh
	sh $< $(PYTHON) test
	@mkdir -p $(@D) && touch $@

.venv/.test: .venv/.run | $(BUILD)/.test-packages
	$(BIN)/python scripts/develop.py test
	@touch $@

.venv/.bench: .venv/.test
	$(BIN)/python scripts/develop.py bench
	@touch $@

# Ninja configures again by itself when a CMake file changes.
$(BUILD)/build.ninja: | .venv/.run
	$(BIN)/cmake -S . -B $(BUILD) -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) \
	  -DPython_EXECUTABLE=$(abspath $(BIN)/python) --log-level=WARNING
