"""Readable traces of named seeds: a change of play shows as a difference somebody can read."""

import pytest

from tests.golden.renew import HERE, names, trace

ALL = list(names())


@pytest.mark.parametrize("name", ALL, ids=str)
def test_plays_as_it_did(name):
    """A difference here is a change of behaviour: raise the game's behaviour version, say so in CHANGELOG.md, then renew."""
    assert trace(name) == name.path.read_text(encoding="utf-8")


def test_no_trace_is_left_over():
    assert {path.name for path in HERE.glob("*.txt")} == {name.path.name for name in ALL}
