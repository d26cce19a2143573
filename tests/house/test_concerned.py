"""`make quick`: a change concerns the test files that reach it, by whatever way they do, and hardly any others."""

import re

import pytest

from tests.concerned import EVERYTHING, OUTSIDE, Graph, tracked


@pytest.fixture(scope="module")
def graph():
    return Graph(tracked())


REACHED = {  # file -> a test file that reaches it, and by which way
    "simcore/castle/rules/attack.py": "tests/unit/test_castle_rules.py",  # imports
    "simcore/kit/actions.py": "tests/naive/test_castle_twin.py",  # imports of what is imported
    "policies/itter/garrison.py": "tests/statistical/test_itter_policies.py",  # by the name of the game
    "simcore/rampage/scenarios/assumed-v1.toml": "tests/unit/test_rampage_rules.py",  # data beside code
    "reports/views/losses.py": "tests/cli/test_losses.py",  # by the name of the command
    "analyses/experiments/losses.py": "tests/api/test_wrong_calls.py",  # by asking for all commands
    "reports/pages/solo.py": "tests/cli/test_report_kinds.py",  # an import in a function
    "reports/templates/report.css": "tests/unit/test_pdf.py",
    "workbench/page/workbench.js": "tests/browser/test_workbench.py",
    "examples/pig/pig.py": "tests/cli/test_kill_and_resume.py",  # a file that is named
    "examples/pig/scenarios/standard.toml": "tests/cli/test_tune.py",
    "docs/short-games.md": "tests/assistant/test_skill.py",
    "tests/castle_table.py": "tests/property/test_castle_hidden.py",
    "tests/cli/__snapshots__/test_parts.ambr": "tests/cli/test_parts.py",
    "tests/unit/conftest.py": "tests/unit/test_core.py",
    "simcore/short/provenance.py": "tests/unit/test_short_deals.py",  # by a template of code
    "api/cluster/warming.py": "tests/cli/test_warm.py",  # a process of its own
    "__init__.py": "tests/unit/test_core.py",
}
NOT_REACHED = {
    "reports/views/losses.py": "tests/unit/test_castle_rules.py",
    "simcore/castle/turns.py": "tests/unit/test_colditz_rules.py",
    "api/answers/odds.py": "tests/cli/test_losses.py",
    "workbench/server.py": "tests/cli/test_tune.py",
    "tests/cli/__snapshots__/test_parts.ambr": "tests/cli/test_edges.py",
    "reports/pages/solo.py": "tests/naive/test_itter_twin.py",
}


@pytest.mark.parametrize("path", REACHED)
def test_a_change_concerns_who_reaches_it(graph, path):
    assert path in graph.files, "renamed? name another file here"
    assert path in graph.reached(REACHED[path])


@pytest.mark.parametrize("path", NOT_REACHED)
def test_a_change_does_not_concern_others(graph, path):
    assert path in graph.files, "renamed? name another file here"
    assert path not in graph.reached(NOT_REACHED[path])


def test_every_module_is_reached(graph):
    """What nobody reaches would never be tested by `make quick`."""
    tests = [path for path in graph.sources if re.fullmatch(r"tests/(.+/)?test_\w+\.py", path)]
    left = {path for path in graph.sources if not path.startswith(OUTSIDE)} - EVERYTHING
    for test in sorted(tests, key=lambda path: len(graph.steps[path]), reverse=True):  # who names most first
        if not left:
            break
        left -= graph.reached(test)
    assert left == set()
