"""Trials by chance take long, and what they find moves slowly: a third of them in each run."""

from pathlib import Path

import pytest


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.rotating)
