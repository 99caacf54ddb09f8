# `make audit` needs Python 3.11+ and make; everything else is installed into .venv.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: audit browser collect-local test test-fast lint bench mutants clean

.venv/.installed: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || (echo "Python 3.11 or newer is needed" >&2; exit 1)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

.venv/.installed-test: .venv/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	touch $@

.venv/.installed-bench: .venv/.installed-test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	touch $@

ADVISORS := contract agreement-split unstable-selector fact-hallucination cash-overrun smollm2-135m smollm2-135m-schema qwen2.5-coder-0.5b

audit: .venv/.installed  ## judge the shipped answers, the real model's among them
	$(BIN)/audit bank $(addprefix --advisor ,$(ADVISORS))

collect-local: .venv/.installed  ## ask a small real model on this machine; OUT=folder, ARGS=options of audit collect
	examples/local_model/collect.sh $(OUT) $(ARGS)

browser:  ## Debian packages that the browser test needs; as root, else say so
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && apt-get install -y -qq chromium fonts-noto-cjk poppler-utils >/dev/null; \
	else echo "browser: not root on Debian; the browser test is skipped where chromium is missing" >&2; fi

lint: .venv/.installed-test
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

test: lint  ## lint, types, layers and every test
	$(BIN)/python -m pytest -n 2

test-fast: .venv/.installed-test  ## the tests that take seconds; T=path for one file
	$(BIN)/python -m pytest -m "not slow" $(T)

mutants: .venv/.installed-test  ## break each clause on purpose; its own tests must notice
	$(BIN)/python -m tests.mutants

bench: .venv/.installed-bench  ## ratios against what users would pick instead
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv runs build dist
