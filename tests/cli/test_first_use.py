"""What somebody sees who uses it for the first time: the rate itself, a version, short help, an end to a wait."""

import io
import os
import re
import shlex
import signal
import time

import pytest

from bartizan import cli
from bartizan.analyses.statistics.stagewise import most_needed
from bartizan.reports.render import progress
from tests.cli.run_cli import PIG, RUIN, answered, bartizan, process

LOOPS = """from bartizan.policies.protocol import Policy
def choose(state, tables, legal, n_legal, weights):
    print("playing")
    while state.turn < 10_000:
        pass
    return 0
P = Policy("loops", choose)
"""


def plain(text):
    return text.replace("\u00a0", " ")


def test_a_run_prints_the_win_rate_itself():
    result = bartizan("run", PIG, "--games", 2000)
    document, said = result.json, plain(result.out)
    assert (
        f"  wins     {document['win_rate']['estimate'] * 100:.0f} % (" in said
        or f"  wins     {document['win_rate']['estimate'] * 100:.1f} % (" in said
    )
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
    assert found["stopping"]["reached"] and 10_000 < found["games"] <= found["stopping"]["limit"] == most_needed(
        0.01, 2048, 10_000_000
    )
    assert most_needed(0.0001, 2048, 10_000_000) == 10_000_000


@pytest.mark.parametrize(
    "words", [("run", "--jobs", 2), ("sweep", "--jobs", 1, "-o", "out")], ids=lambda words: words[0]
)
def test_ctrl_c_is_answered_within_a_second_whatever_is_played(words, kept_path, monkeypatch):
    """Inside a policy that loops for ever: it says when it begins."""
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")
    policy, out = kept_path / "loops.py", kept_path / "out"
    policy.write_text(LOOPS)
    command, *more = (out if word == "out" else word for word in words)
    running = process(command, PIG, "--policy", f"first={policy}", "--games", 10, *more)
    try:
        assert "playing" in running.stdout.readline()  # two threads may write one line
        running.send_signal(signal.SIGINT)
        since = time.monotonic()
        out, err = running.communicate(timeout=30)
    finally:
        running.kill()
    assert time.monotonic() - since < 3, "a second, and room for a busy machine"
    assert running.returncode == 130 and err.splitlines()[-1].startswith("interrupted: ") and "Traceback" not in err
    assert not out.replace("playing", "").strip()


def test_ctrl_c_is_heard_in_a_finalizer_too(capsys, monkeypatch):
    """Python drops what is raised there: the command would play on until it is ended by force."""
    monkeypatch.setattr(cli, "GRACE", 60)  # on a busy machine, force would end the tests

    class Told:
        def __del__(self):
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # who tests side by side ignores it
    try:
        with pytest.raises(KeyboardInterrupt), cli.ending_when_told():
            told = Told()
            del told
            time.sleep(5)
    finally:
        signal.signal(signal.SIGINT, before)
    assert capsys.readouterr().err == ""


# ---------------------------------------------------------------- what varies, who plays, what is assumed

SURE = ("--set", "bets.win_per_mille=990")


def test_where_every_game_ends_alike_its_length_is_what_is_told(tmp_path):
    lines = plain(bartizan("run", RUIN, *SURE, "--games", 300).out).splitlines()
    assert (
        lines[1].startswith("  turns    mean 10.")
        and "median 10" in lines[1]
        and lines[2].startswith("  wins     above 9")
    )
    changed = bartizan("compare", RUIN, *SURE, "--change", "bets.goal=18", "--games", 300, "--json").json
    assert "turns −2" in changed["sentence"] and "win rate" not in changed["sentence"]
    assert "95 % Student t" in lines[1]
    swept = plain(bartizan("sweep", RUIN, *SURE, "--games", 300, "-o", tmp_path / "s").out).splitlines()
    (line,) = [line for line in swept if "turns 10." in line]
    assert line.endswith("95 % Student t)") and "wins above 9" in line and ": 300 of 300; turns" in line
    assert bartizan("report", tmp_path / "s", "-o", tmp_path / "r.md").code == 0
    page = plain((tmp_path / "r.md").read_text(encoding="utf-8"))
    assert (
        "how long is it?" in page.splitlines()[0]
        and "Random: a game takes 10." in page
        and "so games differ only in length" in page
    )


def test_a_page_has_contents_players_in_a_line_and_a_footer(tmp_path):
    assert (
        bartizan("sweep", PIG, "--policy", "hold", "--policy", "random", "--games", 400, "-o", tmp_path / "s").code == 0
    )
    pages = []
    for name in ("one.html", "two.html"):
        assert bartizan("report", tmp_path / "s", "-o", tmp_path / name).code == 0
        pages.append((tmp_path / name).read_text(encoding="utf-8"))
        for shard in (tmp_path / "s").rglob("*.parquet"):
            os.utime(shard, (1, 1))  # as in a copy of the folder
    assert pages[0] == pages[1], "the same games are the same page"
    page = pages[0]
    assert "holds when this turn brought" in page[: page.index('id="verdict"')]
    places = set(re.findall(r'href="#([\w-]+)"', page))
    assert {"numbers", "background", "again"} < places and all(f'id="{place}"' in page for place in places)
    footer = plain(page[page.index("<footer>") :])
    assert re.search(r"Bartizan \d\S+\.</p>", footer) and "bartizan sweep" in page[page.index('id="again"') :]


def test_what_is_assumed_is_one_line_with_a_pointer():
    lines = bartizan("run", "itter", "--difficulty", "veteran", "--policy", "idle", "--games", 20).out.splitlines()
    (said,) = [line for line in lines if line.startswith("  assumed ")]
    assert said.startswith("  assumed  Tactics: ") and said.endswith(
        "full list: bartizan describe itter --difficulty veteran"
    )
    said = bartizan("describe", "itter").out
    assert "seats: defender" in said and "ss=" not in said


@pytest.mark.parametrize(
    "args",
    [
        ("compare", "itter", "--policy", "idle", "--change", "difficulty=veteran", "--games", 100),
        ("compare", "itter", "--policy", "greedy", "--scenario", "playtest-v0.2", "--steps", "--games", 400),
        ("ladder", "itter", "--policy", "random", "--policy", "idle", "--noise", "none", "--games", 200),
        ("run", "castle", "--players", 4, "--policy", "random", "--set", "advanced.berserker=true", "--games", 20),
    ],
)
def test_the_pointer_shows_as_many_as_it_announces(args):
    """The scenario, the level, the number of players and what was set are in its command."""
    (said,) = [line for line in answered(*args).out.splitlines() if line.startswith("  assumed ")]
    announced = 1 + int((re.search(r"\(and (\d+) more\); full list", said) or [0, 0])[1])
    (command,) = said.split("full list: bartizan ")[1].split(" and bartizan ")
    shown = bartizan(*shlex.split(command)).out
    assert shown.count("\n  assumed: ") == announced, (said, shown)
    assert "castle" not in args or "--set advanced.berserker=true" in command


@pytest.mark.parametrize("width", [80, 200])
def test_a_progress_line_keeps_count_and_time_left(width):
    from rich.console import Console
    from rich.progress import Progress

    out = io.StringIO()
    with Progress(
        *progress._columns(), console=Console(file=out, width=width, force_terminal=True), expand=True
    ) as bars:
        now = "win rate 30.1% to 31.5% so far (95% at every look)"
        bars.add_task(
            "itter",
            total=540_000,
            completed=343_360,
            cell="elite.garrison.a_long_setting-5",
            rate="60,000 games/s",
            now=now,
            left=progress.duration(197),
        )
        bars.refresh()
    assert "343360/540000" in out.getvalue() and "3 min 20 s" in out.getvalue() and "60,000 games/s" in out.getvalue()
