"""What somebody sees who uses it for the first time: the rate itself, a version, short help, an end to a wait."""

import signal
import time

import pytest

from bartizan.analyses.statistics.stagewise import most_needed
from tests.cli.run_cli import PIG, RUIN, bartizan, process

LOOPS = """from bartizan.policies.protocol import Policy
def choose(state, tables, legal, n_legal, weights):
    while state.turn < 10_000:
        pass
    return 0
P = Policy("loops", choose)
"""


def plain(text):
    return text.replace("\u00a0", " ")


def test_a_run_prints_the_win_rate_itself():
    document = bartizan("run", PIG, "--games", 2000, "--json").json
    said = plain(bartizan("run", PIG, "--games", 2000).out)
    assert f"  wins     {document['win_rate']['estimate'] * 100:.0f} % (" in said or f"  wins     {document['win_rate']['estimate'] * 100:.1f} % (" in said
    assert f"%, 95 % Wilson): {document['wins']:,} of 2,000" in said


def test_a_sweep_prints_the_win_rate_itself(tmp_path):
    said = plain(bartizan("sweep", PIG, "--policy", "hold", "--games", 1000, "-o", tmp_path / "s").out)
    assert " wins 5" in said and "%, 95 % Wilson): " in said and " of 1,000" in said


@pytest.mark.parametrize("words", [("--version",), ("-h",), ("run", "-h"), ("odds", "appel", "-h")])
def test_version_and_short_help(words):
    result = bartizan(*words)
    assert result.code == 0 and not result.err
    assert result.out.startswith("bartizan " if words == ("--version",) else "Usage: ")


def test_precision_alone_plays_until_it_is_known():
    found = bartizan("run", RUIN, "--precision", "1pp", "--json").json
    assert found["stopping"]["reached"] and 10_000 < found["games"] <= found["stopping"]["limit"] == most_needed(0.01, 2048, 10_000_000)
    assert most_needed(0.0001, 2048, 10_000_000) == 10_000_000


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_is_answered_within_a_second_whatever_is_played(jobs, tmp_path):
    policy = tmp_path / "loops.py"
    policy.write_text(LOOPS)
    running = process("run", PIG, "--policy", f"first={policy}", "--games", 10, "--jobs", jobs)
    time.sleep(8)
    running.send_signal(signal.SIGINT)
    since = time.monotonic()
    out, err = running.communicate(timeout=30)
    assert time.monotonic() - since < 3, "a second, and room for a busy machine"
    assert running.returncode == 130 and err.splitlines()[-1].startswith("interrupted: ") and not out
