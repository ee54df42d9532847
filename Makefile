# Two commands do everything on a fresh machine: `make demo` and `make test`.
# Environment, builds and stamps all live in $(VENV); nothing else is touched.

VENV ?= .venv
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

# Of make fuzz: inputs for each reader, and seconds after which it stops anyway.
RUNS ?= 20000
FUZZ_SECONDS ?= 600

BIN := $(VENV)/bin
STAMPS := $(VENV)/stamps
BUILDS := $(VENV)/builds
# meson, cython and ninja are looked up here by the builds.
export PATH := $(abspath $(BIN)):$(PATH)
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
# Builds use the environment's own tools, so that a second one compiles only changes.
# (setuptools and wheel are there for dependencies that come as source.)
PIP_BUILD := $(PIP) install --no-build-isolation
# Folders count too: theirs is the time at which a file was removed.
SOURCES := pyproject.toml meson.build meson.options \
	$(shell find src ! -name '*.pyc' ! -name __pycache__)
KERNEL_TESTS := $(wildcard tests/core tests/bayes tests/tree tests/preprocessing)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test lint unit kernels sanitize dist format bench clean \
	hostile races fuzz faults chaos models-campaign

help: ## Show this list
	@echo "make demo      set up an environment and run dissensus demo"
	@echo "make test      set up an environment and run every check and test"
	@echo "make lint      run the linters and type checks only"
	@echo "make unit      run the tests, doctests and snippets only"
	@echo "make kernels   run the kernels' tests on a build with bounds checks"
	@echo "make sanitize  the same with sanitizers, and hostile tables for every estimator"
	@echo "make dist      build wheel and sdist, install each afresh, try them"
	@echo "make format    format the code and fix what ruff can fix"
	@echo "make bench     measure the speed of everything, and write docs/benchmarks"
	@echo "make clean     remove the environment, builds and caches"
	@echo "Campaigns, as long as you like:"
	@echo "make hostile   COUNT hostile tables, with sanitizers"
	@echo "make races     eight threads on one table and model, with the thread sanitizer"
	@echo "make fuzz      search for inputs that break the readers, RUNS for each"
	@echo "make faults    damage stores (DAMAGES), fail the writes of a study (FAULTS)"
	@echo "make chaos     kill studies at COUNT random moments, and look what is left"
	@echo "make models-campaign  edit model files in COUNT ways, and open them"

demo: $(STAMPS)/demo
	@$(BIN)/dissensus demo

test: lint unit kernels dist
	@echo "== all checks and tests passed"

lint: $(STAMPS)/test
	@echo "== ruff"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@echo "== mypy"
	@$(BIN)/mypy
	@echo "== import-linter"
	@PYTHONPATH=src $(BIN)/lint-imports
	@$(BIN)/python tools/check_house.py
	@echo "== cython-lint"
	@$(BIN)/cython-lint src
	@echo "== codespell"
	@$(BIN)/codespell

unit: $(STAMPS)/test
	@sh tools/install_browser.sh
	@echo "== pytest"
	@$(BIN)/pytest -q -n $(JOBS)

kernels: $(STAMPS)/kernels
	@echo "== pytest, kernels with bounds checks"
	@PYTHONPATH=$(BUILDS)/checked DISSENSUS_CHECKED_KERNELS=1 \
		$(BIN)/pytest -q -n $(JOBS) tests/test_package.py $(KERNEL_TESTS)

fuzz: $(STAMPS)/test
	@$(PIP) install "atheris>=2.3" || echo "== atheris cannot be installed here"
	@for target in csv arff stream model; do \
		echo "== fuzzing: $$target"; \
		$(BIN)/python tools/fuzz.py $$target -runs=$(RUNS) \
			-max_total_time=$(FUZZ_SECONDS) || exit 1; \
	done

DAMAGES ?= 2000
FAULTS ?= all
faults: $(STAMPS)/test
	@echo "== pytest, $(DAMAGES) damaged stores, $(FAULTS) failing calls"
	@DISSENSUS_DAMAGES=$(DAMAGES) DISSENSUS_FAULTS=$(FAULTS) \
		$(BIN)/pytest -q -rA tests/store/test_damage.py tests/store/test_faults.py

# Linux only; 20 kills are among the tests.
chaos: $(STAMPS)/test
	@$(BIN)/python -m tests.experiment.chaos $(or $(COUNT),1000)

# Short: three minutes on two cores. An address that is not ours, an overflow of signed
# numbers, a leak of a kernel, or any hostile table that is neither answered nor refused
# in words is a failure.
SANITIZED := sh tools/with_sanitizers.sh address $(abspath $(BUILDS))/sanitized
sanitize: $(STAMPS)/sanitized
	@echo "== pytest, kernels with address and undefined-behaviour sanitizers"
	@$(SANITIZED) $(BIN)/pytest -q -n $(JOBS) -p tests.sanitizers \
		tests/test_package.py tests/test_races.py $(KERNEL_TESTS)
	@$(MAKE) --no-print-directory hostile COUNT=2000

hostile: $(STAMPS)/sanitized
	@echo "== $(or $(COUNT),20000) hostile tables, kernels with sanitizers"
	@$(SANITIZED) $(BIN)/python -m tests.campaign \
		--count $(or $(COUNT),20000) --seed $(or $(SEED),0) --jobs $(JOBS)

races: $(STAMPS)/watched
	@echo "== eight threads, kernels with the thread sanitizer"
	@sh tools/with_sanitizers.sh thread $(abspath $(BUILDS))/watched \
		$(BIN)/python -m tests.races

dist: $(STAMPS)/dist

format: $(STAMPS)/test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(STAMPS)/test
	$(BIN)/python -m benchmarks.write_pages
	$(BIN)/python -m benchmarks.bench_commands

models-campaign: $(STAMPS)/test
	$(BIN)/python -m tests.persistence.campaign $(or $(COUNT),20000) --seed $(or $(SEED),0) --jobs $(JOBS)

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis \
		.import_linter_cache dissensus-demo.*
	find src tests tools examples benchmarks -name __pycache__ -exec rm -rf {} +

# A stamp has the time at which its work began, so that a source which is edited during
# the work counts as newer.

$(STAMPS)/venv: tools/make_venv.sh
	@sh tools/make_venv.sh $(VENV)
	@mkdir -p $(STAMPS)
	@touch $@

$(STAMPS)/build-tools: $(STAMPS)/venv pyproject.toml
	@echo "== installing the build tools"
	@touch $@.begun
	@$(PIP) install "meson-python>=0.18" "Cython>=3.1" "ninja>=1.11" setuptools wheel
	@mv $@.begun $@

$(STAMPS)/demo: $(STAMPS)/build-tools $(SOURCES)
	@echo "== building and installing dissensus"
	@touch $@.begun
	@$(PIP_BUILD) --config-settings=build-dir=$(BUILDS)/release ".[cli]"
	@mv $@.begun $@

$(STAMPS)/test: $(STAMPS)/build-tools $(SOURCES)
	@echo "== building and installing dissensus, with what its tests need"
	@touch $@.begun
	@$(PIP_BUILD) --config-settings=build-dir=$(BUILDS)/release ".[dev]"
	@mv $@.begun $@

$(STAMPS)/kernels: $(STAMPS)/test
	@echo "== building the kernels with bounds checks"
	@touch $@.begun
	@rm -rf $(BUILDS)/checked
	@$(PIP_BUILD) --no-deps --target $(BUILDS)/checked \
		--config-settings=build-dir=$(BUILDS)/debug \
		--config-settings=setup-args=-Ddebug_kernels=true .
	@mv $@.begun $@

$(STAMPS)/sanitized: $(STAMPS)/test
	@echo "== building the kernels with sanitizers"
	@touch $@.begun
	@rm -rf $(BUILDS)/sanitized
	@$(PIP_BUILD) --no-deps --target $(BUILDS)/sanitized \
		--config-settings=build-dir=$(BUILDS)/sanitizers \
		--config-settings=setup-args=-Dsanitize=address,undefined .
	@mv $@.begun $@

$(STAMPS)/watched: $(STAMPS)/test
	@echo "== building the kernels with the thread sanitizer"
	@touch $@.begun
	@rm -rf $(BUILDS)/watched
	@$(PIP_BUILD) --no-deps --target $(BUILDS)/watched \
		--config-settings=build-dir=$(BUILDS)/threads \
		--config-settings=setup-args=-Dsanitize=thread .
	@mv $@.begun $@

$(STAMPS)/dist: $(STAMPS)/test README.md LICENSE tools/check_dist.py tools/smoke.py
	@echo "== wheel and sdist"
	@touch $@.begun
	@$(BIN)/python tools/check_dist.py
	@mv $@.begun $@
