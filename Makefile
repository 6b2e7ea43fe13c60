# Every target sets itself up in $(VENV); nothing is installed outside of it.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip --disable-pip-version-check -qq
BENCHMARKS = install ddm bayes designs robustness held_out latency race stopping load fleet population
LOCK = $(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 \
	--fork-strategy fewest --generate-hashes --no-emit-index-url --no-emit-find-links \
	--no-annotate --quiet

.DEFAULT_GOAL := help
.PHONY: help setup run test check docs bench lock clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-6s %s\n", $$1, $$2 }' Makefile

setup: $(VENV)/.dev ## Install tacit and everything that tests, checks and docs need

run: $(VENV)/.run ## Serve the live demo studies, and print their address
	$(BIN)/tacit serve $(ARGS)

test: $(VENV)/.dev ## Run the test suite
	$(BIN)/pytest -n 2 $(ARGS)

check: $(VENV)/.dev ## Lint, format, types, doors between rooms, docs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/sphinx-build -W --keep-going -q -E docs docs/_build/check

docs: $(VENV)/.dev ## Build the documentation into docs/_build/html
	$(BIN)/sphinx-build -W --keep-going -q docs docs/_build/html
	@echo "open docs/_build/html/index.html"

bench: $(VENV)/.bench ## Measure speed and accuracy, also of other packages, and write docs/benchmarks.md
	@set -e; for name in $(BENCHMARKS); do echo "== $$name"; $(BIN)/python -m benchmarks.$$name; done
	$(BIN)/python -m benchmarks.report

lock: $(VENV)/.dev ## Resolve requirements/*.txt anew
	UV_CUSTOM_COMPILE_COMMAND="make lock" $(LOCK) --upgrade --extra all --group dev -o requirements/dev.txt
	UV_CUSTOM_COMPILE_COMMAND="make lock" $(LOCK) --extra plot --extra tables --extra web --group build \
		-c requirements/dev.txt -o requirements/run.txt
	UV_CUSTOM_COMPILE_COMMAND="make lock" $(LOCK) --extra plot --extra tables --extra data \
		--group build --group bench -c requirements/dev.txt -o requirements/bench.txt

clean: ## Remove everything that was built, the environment too
	rm -rf $(VENV) build dist docs/_build out .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "tacit needs Python 3.11 or newer; name one: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo "This Python cannot make environments; on Debian: apt install python3-venv"; exit 1; }

$(VENV)/.run: requirements/run.txt pyproject.toml | $(VENV)/bin/python
	@echo "Installing requirements/run.txt into $(VENV)"
	@$(PIP) install --require-hashes -r requirements/run.txt
	@$(PIP) install --no-build-isolation --no-deps -e .
	@touch $@

$(VENV)/.dev: requirements/dev.txt pyproject.toml | $(VENV)/bin/python
	@echo "Installing requirements/dev.txt into $(VENV)"
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@$(PIP) install --no-build-isolation --no-deps -e .
	@touch $@

$(VENV)/.bench: requirements/bench.txt pyproject.toml | $(VENV)/bin/python
	@echo "Installing requirements/bench.txt into $(VENV)"
	@$(PIP) install --require-hashes -r requirements/bench.txt
	@$(PIP) install --no-build-isolation --no-deps -e .
	@touch $@
