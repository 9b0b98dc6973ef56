# Two commands set everything up (README): `make demo` trains, `make test` runs the tests.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STEPS ?=
SEED ?=
RELEASES ?=
EXTRAS ?=

# Bytecode decides how long a start takes (docs/en/local.md): never suppress it here.
unexport PYTHONDONTWRITEBYTECODE
unexport PYTHONPATH
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: demo test oracle extras lint types imports check clean install install-dev

demo: $(VENV)/.installed
	@$(BIN)/agentic-rl quickstart $(if $(STEPS),--steps $(STEPS)) $(if $(SEED),--seed $(SEED))

test: $(VENV)/.installed-dev
	@$(BIN)/python -m pytest -n 2

# Renews what the tests replay: fetches six releases of verl from the package index, takes some minutes. RELEASES: only these.
oracle: $(VENV)/.installed-dev
	@PYTHONPATH=tools $(BIN)/python -m oracle.renew $(RELEASES)
	@PYTHONPATH=tools $(BIN)/python -m oracle.table

# Proves with pip, installing nothing, that the extras gpu and npu resolve; fetches metadata and wheels, takes minutes.
extras: $(VENV)/.installed-dev
	@PYTHONPATH=tools $(BIN)/python -m extras $(EXTRAS)

check: lint types imports test

lint: $(VENV)/.installed-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	@$(BIN)/basedpyright

imports: $(VENV)/.installed-dev
	@$(BIN)/lint-imports

install: $(VENV)/.installed
install-dev: $(VENV)/.installed-dev

$(VENV)/.installed: pyproject.toml requirements/constraints.txt
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if (3, 11) <= v < (3, 13) else "agentic-rl: the local back end is pinned for Python 3.11 and 3.12, this is %d.%d: run make PYTHON=python3.11" % v)'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing verl and what it needs into $(VENV) (about two minutes, once)"
	@$(BIN)/python -m pip install --quiet --constraint requirements/constraints.txt --editable '.[local]'
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@echo "Installing the tools of the tests into $(VENV)"
	@$(BIN)/python -m pip install --quiet --constraint requirements/constraints.txt --editable '.[local,dev]'
	@touch $@

clean:
	rm -rf $(VENV) build *.egg-info
