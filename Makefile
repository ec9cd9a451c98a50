# Each target sets up what it needs: only Python 3.11+ and make have to be there.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

# Compiled modules are kept, whatever the environment says: tests start hundreds of processes, and one that compiles z3's
# and our modules again takes twice as long to load as one that reads them.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: example check static lint types doors test coverage repeats long nightly fuzz conformance figures site clean

example: $(READY)           ## solve an example and show its summaries
	$(BIN)/sorrel solve --model examples/mccarthy91.smt2

check: $(READY)             ## all checks: what reads the code beside what runs it
	+$(MAKE) --jobs=2 --output-sync=target static test

static: lint types doors
lint: $(READY)
	$(BIN)/ruff check src tests bench
	$(BIN)/ruff format --check src tests bench

types: $(READY)
	$(BIN)/mypy

doors: $(READY)
	$(BIN)/lint-imports

test: $(READY)
	$(BIN)/pytest -n 2 --dist worksteal

coverage: $(READY)          ## the lines that tests run; fails if they are fewer than pyproject.toml demands
	$(BIN)/pytest -n 2 --dist worksteal --cov

repeats: $(READY)           ## code that stands in several places
	$(BIN)/pylint src/sorrel

fuzz: $(READY)              ## random examples of every kind: make fuzz SECONDS=600 SEED=7
	$(BIN)/python -m bench.fuzz --seconds $(or $(SECONDS),300) $(if $(SEED),--seed $(SEED))

long: $(READY)              ## tests that take minutes
	$(BIN)/pytest -n 2 --dist worksteal --long

nightly: $(READY)           ## many random examples that differ from night to night; a failing one is printed, with its seed
	$(BIN)/pytest -n 2 --dist worksteal --nightly tests/property
	$(BIN)/python -m bench.fuzz --seconds $(or $(SECONDS),3600) --seed $(or $(SEED),$(shell date +%Y%m%d))

conformance: $(READY)       ## third-party programs in SORREL_BENCH and generated ones: the interpreter against compilers
	$(BIN)/python -m bench.conformance c-testsuite "$(SORREL_BENCH)/c-testsuite"
	$(BIN)/python -m bench.conformance csmith --seeds $(or $(SEEDS),1..300)

RESULTS ?= figures
PRESETS ?= $$($(BIN)/python -c 'from sorrel.bench.preset import builtin_presets; print(*builtin_presets())')
figures: $(READY)           ## all figures of docs/conformance.md and docs/benchmarks.md; goes on where it was stopped
	mkdir -p $(RESULTS)
	-$(BIN)/python -m bench.conformance c-testsuite "$(SORREL_BENCH)/c-testsuite" > $(RESULTS)/c-testsuite.txt
	-$(BIN)/python -m bench.conformance csmith --seeds $(or $(SEEDS),1..300) --record $(RESULTS)/csmith.jsonl \
	  --keep $(RESULTS)/csmith > $(RESULTS)/csmith.txt
	-$(BIN)/python -m bench.fuzz.campaign --programs $(or $(PROGRAMS),10000) --seed $(or $(SEED),1) --folder $(RESULTS)
	-$(if $(THIRD_PARTY),$(BIN)/python -m bench.fuzz.contracts "$(THIRD_PARTY)" --contracts $(or $(CONTRACTS),1000) \
	  --record $(RESULTS)/contracts.jsonl,@echo "skipped: contracts, since THIRD_PARTY names no folder of C files")
	-for preset in $(PRESETS); do \
	  $(BIN)/sorrel bench $$preset $(if $(SAMPLE),--sample $(SAMPLE)) --output $(RESULTS)/$$preset; done

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Sorrel needs Python 3.11 or newer; set PYTHON=...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[dev]' # most of it is never imported
	touch $(READY)

site: $(READY)              ## the documentation as a site in build/site; a broken link is an error
	$(BIN)/python -m pip install --quiet --editable '.[site]'
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs build/site

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
