# make demo: the first verdict, in a browser. make test: everything that gates a change. make quick: its tests alone.
# All set up .venv when it is missing. make lock, sbom, audit: what is installed, by its hashes; its bill of materials;
# what is known against it.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.ready
PLAYS := .venv/.plays
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# uv takes a third of pip's time. Where it does not reach what pip does (a mirror that pip alone is told of), pip does it.
install = $(BIN)/uv pip install --quiet --python $(BIN)/python $(1) || $(PIP) $(1)
TOOLS := .venv/tools
SITE := .venv/site
TOOLS_STAMP := $(TOOLS)/.ready

# A hundred processes of the tests would each compile what they import.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup demo sample docs test played snapshots warm quick slow fuzz soak lint compiled bundle lock sbom audit clean

setup: $(STAMP)

# What plays, writes pages and opens the workbench. Modules are compiled by whoever imports them first.
$(PLAYS): requirements-uv.lock requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(PIP) --require-hashes -r requirements-uv.lock
	$(call install,--require-hashes -r requirements.lock)
	$(call install,--no-deps --no-build-isolation -e .)
	touch $@

# The rest: PDF, clusters, Gym, tests.
$(STAMP): $(PLAYS) requirements-all.lock
	$(call install,--require-hashes -r requirements-all.lock)
	touch $@

demo: $(PLAYS)
	$(BIN)/bartizan run examples/itter-levels.toml -o demo
	$(BIN)/bartizan report demo -o report.html
	@echo "Open $(CURDIR)/report.html in a browser."

# Renew the sample report and the picture in the README. Needs Chromium.
sample: $(STAMP)
	rm -rf build/sample && mkdir -p docs/sample
	$(BIN)/bartizan run examples/itter-levels.toml -o build/sample
	$(BIN)/bartizan report build/sample -o docs/sample/report.html
	$(BIN)/bartizan report build/sample -o docs/sample/report.pdf
	$(BIN)/python benchmarks/screenshot.py docs/sample/report.html docs/sample/report.png

# The documentation site in build/site (docs/make.py, mkdocs.yml). To read it: python3 -m http.server -d build/site
docs: $(STAMP) $(SITE)/.ready
	$(BIN)/python docs/make.py $(DOCS)
	$(SITE)/bin/zensical build --clean --strict

$(SITE)/.ready: requirements-docs.lock
	$(PYTHON) -m venv $(SITE)
	$(SITE)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-docs.lock
	touch $@

# Lint beside the tests: neither leaves a core idle while the other ends.
test: $(STAMP)
	$(MAKE) --no-print-directory --jobs 2 lint played

played: warm
	$(BIN)/python -m pytest -n 2 --dist loadfile

# Write the wording in tests/**/__snapshots__ anew. Read the difference before you commit it.
snapshots: $(STAMP)
	$(BIN)/python -m pytest -n 2 --dist loadfile --snapshot-update $$(git ls-files "*.ambr" | sed "s|__snapshots__/\(.*\)[.]ambr|\1.py|")

# Each game once: two workers that begin with the same one would both compile it.
warm: $(STAMP)
	BARTIZAN_BOUNDSCHECK=1 $(BIN)/bartizan doctor --warm

# The inner loop: tests that reach a file that differs from BASE, and the house rules. BASE is main, or a commit: where
# this branch left it counts.
quick: lint
	@$(BIN)/python -m tests.concerned $(BASE) > .venv/concerned
	$(BIN)/python -m pytest -n 2 --dist loadfile $$(cat .venv/concerned)

# The long statistical runs, every turn of the rotating tests, and every game of the reference implementations.
slow: export BARTIZAN_TURN = all
slow: $(STAMP)
	$(BIN)/python -m pytest -m "slow or rotating" --ignore tests/naive
	BARTIZAN_TWINS=all $(BIN)/python -m pytest -m "slow or not slow" tests/naive

# What a hurried or hostile user may write, and what may happen to a folder: 1,408 inputs, 3,200 spoiled files and some
# 150 damages of one seed; the spoiled files take long.
fuzz: $(STAMP)
	$(BIN)/python -m tests.fuzz $(SEED)

# What may happen to a sweep, a part, a merge and an answer that is kept: 50 kills, full disks, damaged and swapped files,
# two writers, clocks that jump; 156 cases of one seed.
soak: $(STAMP)
	$(BIN)/python -m tests.soak $(SEED)

lint: $(STAMP)
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	$(BIN)/python -m tests.typed

# Tools that are no part of an installation, in a place of their own.
$(TOOLS_STAMP): Makefile
	$(PYTHON) -m venv $(TOOLS)
	$(TOOLS)/bin/python -m pip install --quiet --disable-pip-version-check cyclonedx-bom==7.5.0 pip-audit==2.10.1
	touch $(TOOLS_STAMP)

# A wheel of compiled code for machines of this kind: with it installed, a first start compiles nothing. Takes minutes.
compiled: $(STAMP)
	$(BIN)/python -m bartizan.simcore.compile.wheel dist

# What pyproject.toml asks for, with the sha256 of every file of every platform. Pins stay as they are; `make lock
# UPGRADE=--upgrade` takes the newest. Run the tests before committing the result.
PIN := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header -
lock: $(PLAYS)
	echo uv | $(PIN) $(UPGRADE) -o requirements-uv.lock
	echo zensical | $(PIN) $(UPGRADE) -o requirements-docs.lock
	echo setuptools | $(PIN) pyproject.toml --extra test $(UPGRADE) -o requirements-all.lock
	echo setuptools | $(PIN) pyproject.toml --extra workbench --constraint requirements-all.lock $(UPGRADE) -o requirements.lock

# dist/bartizan.mcpb: the server for assistants with the wheel of this version, to install by one click in a desktop client.
bundle: $(STAMP)
	rm -rf build/bundle
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir build/bundle .
	rm -rf build/lib build/bdist.*
	$(BIN)/python -m bartizan.assistant.bundle build/bundle/bartizan-*.whl dist/bartizan.mcpb

# sbom.json: every installed package with version and licence (CycloneDX).
sbom: $(STAMP) $(TOOLS_STAMP)
	$(TOOLS)/bin/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible --output-file sbom.json $(BIN)/python

# Known weaknesses of what the lock names, as PyPI knows them; it fails where PyPI does not say.
audit: $(TOOLS_STAMP)
	$(TOOLS)/bin/pip-audit --strict --disable-pip --require-hashes --progress-spinner off --requirement requirements-all.lock

clean:
	rm -rf .venv demo report.html sbom.json build dist *.egg-info
