# make demo: the first verdict, in a browser. make test: everything that gates a change. make quick: the inner loop.
# All set up .venv when it is missing.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.ready

.PHONY: setup demo test quick slow fuzz lint lock clean

setup: $(STAMP)

$(STAMP): requirements.lock pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $(STAMP)

demo: $(STAMP)
	$(BIN)/bartizan sweep examples/itter-levels.toml -o demo
	$(BIN)/bartizan report demo -o report.html
	@echo "Open $(CURDIR)/report.html in a browser."

# The games are compiled first, each once: two workers that begin with the same game would both compile it.
test: lint
	BARTIZAN_BOUNDSCHECK=1 $(BIN)/bartizan warm
	$(BIN)/python -m pytest -n 2 --dist loadfile

# The inner loop: the house rules, and the statistics that play none of the big games.
quick: lint
	$(BIN)/python -m pytest -n 2 --dist loadfile tests/house/test_house.py tests/unit -k "not itter and not colditz and not castle and not rampage"

# The long statistical runs, and every game that the naive twins are compared on.
slow: $(STAMP)
	$(BIN)/python -m pytest -m slow --ignore tests/naive
	BARTIZAN_TWINS=all $(BIN)/python -m pytest -m "slow or not slow" tests/naive

# What a hurried or hostile user may write, and what may happen to a folder: 1,208 inputs and some 150 damages of one seed.
fuzz: $(STAMP)
	$(BIN)/python -m tests.fuzz $(SEED)

# mypy does not follow an editable install: it finds the package by a link of that name.
lint: $(STAMP)
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check --quiet .
	mkdir -p .venv/src && ln -sfn ../.. .venv/src/bartizan
	$(BIN)/mypy

# Pin what is installed now; run the tests before committing the result.
lock: $(STAMP)
	$(BIN)/python -m pip freeze --exclude-editable --all | grep -v '^pip==' > requirements.lock

clean:
	rm -rf .venv demo report.html build *.egg-info
