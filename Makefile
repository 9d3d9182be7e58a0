# Two commands matter: `make check` verifies the published scenarios, `make test` proves the tool.
# Needs python3 >= 3.11 with venv, git and make; everything else is installed into .venv with pinned hashes.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check
RUN    := $(VENV)/.installed-run
DEV    := $(VENV)/.installed-dev

.DEFAULT_GOAL := help
.PHONY: help setup check test test-proofs test-others lint test-slow clients bench mutation docs site pins clean

help:
	@echo "make check      install, then verify scenarios/"
	@echo "make test       lint, types, layering and the test suite"
	@echo "make test-slow  the long lanes"
	@echo "make clients    what needs other programs: other Python versions, SPIN, Chromium, Neovim, pytest-lsp, linters, pre-commit"
	@echo "make bench      measurements"
	@echo "make mutation   changes of the engine, each of which a test must notice: some hours, and goes on where it stopped"
	@echo "make setup      only install, with everything that development needs"
	@echo "make docs       regenerate docs/codes and the pages that are made from tables"
	@echo "make site        the documentation as a site, in build/site"
	@echo "make pins       export requirements*.txt again (needs uv)"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "wellposed needs Python 3.11 or later; set PYTHON=" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(RUN): requirements.txt pyproject.toml | $(BIN)/python
	@if test -e $(DEV); then $(MAKE) --no-print-directory $(DEV); else \
	  set -ex; $(PIP) install --quiet --require-hashes -r requirements.txt; $(PIP) install --quiet --no-deps -e .; fi
	@touch $@

$(DEV): requirements-dev.txt pyproject.toml | $(BIN)/python
	$(PIP) install --quiet --require-hashes -r requirements-dev.txt
	$(PIP) install --quiet --no-deps -e .
	@touch $(RUN) $@

setup: $(DEV)

check: $(RUN)
	$(BIN)/wellposed check scenarios/

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# Two halves side by side, each with its output in one piece: what proves verdicts, and everything else.
PROOFS := tests/oracle tests/verifier
FAST   := $(BIN)/python -m pytest -m "not slow and not clients"

test: lint
	$(MAKE) --no-print-directory -j2 --output-sync=target test-proofs test-others

test-proofs: $(DEV)
	$(FAST) $(PROOFS)

test-others: $(DEV)
	$(FAST) $(addprefix --ignore=,$(PROOFS))

test-slow: $(DEV)
	$(BIN)/python -m pytest -m "slow and not clients"

clients: $(DEV)
	$(BIN)/python tests/clients/other_pythons.py $(VENV)/clients
	$(BIN)/python tests/clients/install_debian.py
	$(BIN)/python tests/clients/install_pytest_lsp.py $(VENV)/clients/pytest-lsp
	$(BIN)/python tests/clients/install_desk.py
	$(BIN)/python -m pytest -m clients -rs

bench: $(DEV)
	@set -e; for script in $(sort $(wildcard bench/bench_*.py)); do echo "== $$script"; $(BIN)/python "$$script"; done

mutation: $(DEV)
	$(PIP) install --quiet -e ".[bench]"
	$(BIN)/python -m tests.verifier.mutation.run $(MODULES)

docs: $(DEV)
	$(BIN)/python docs/generate_codes.py
	$(BIN)/python docs/generate_readings.py
	$(BIN)/python docs/generate_audit.py
	$(BIN)/python docs/generate_mutants.py
	$(BIN)/python docs/generate_coverage.py
	$(BIN)/python docs/generate_corpus.py
	$(BIN)/python docs/generate_proof.py
	$(BIN)/python docs/generate_gallery.py
	$(BIN)/python docs/generate_pictures.py

SITE := $(VENV)/site
$(SITE)/.installed: docs/requirements-site.txt | $(BIN)/python
	$(PYTHON) -m venv $(SITE)
	$(SITE)/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes -r $<
	@touch $@

site: $(DEV) $(SITE)/.installed
	$(BIN)/python docs/generate_site.py
	$(SITE)/bin/zensical build --strict --clean

EXPORT := uv pip compile --quiet --generate-hashes --universal --python-version 3.11 --no-header --no-annotate --no-emit-index-url pyproject.toml
pins:
	$(EXPORT) --upgrade -o requirements.txt
	$(EXPORT) --upgrade --extra dev --extra lsp --extra reserve -o requirements-dev.txt
	$(EXPORT:pyproject.toml=docs/requirements-site.in) -o docs/requirements-site.txt

clean:
	rm -rf $(VENV)
