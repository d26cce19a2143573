"""Traces of named seeds: a change of play shows, for eight of them as a difference somebody can read."""

import pytest

from tests.golden.renew import DIGESTS, HERE, READABLE, digest, digests, names, trace

ALL = list(names())


@pytest.mark.parametrize("name", ALL, ids=str)
def test_plays_as_it_did(name):
    """A difference here is a change of behaviour: raise the game's behaviour version, say so in CHANGELOG.md, then renew.

    `python -m tests.golden.renew NAME` prints the trace behind a digest.
    """
    text = trace(name)
    if str(name) in READABLE:
        assert text == name.path.read_text(encoding="utf-8")
    else:
        assert digest(text) == digests()[str(name)]


def test_no_trace_is_left_over():
    assert {path.stem for path in HERE.glob("*.txt")} == READABLE | {DIGESTS.stem}
    assert set(digests()) | READABLE == {str(name) for name in ALL}
