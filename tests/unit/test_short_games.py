"""Short games (docs/short-games.md): the games they are, the same plain as compiled, the same written out long."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import bartizan as bz
from bartizan.api import child
from bartizan.api.answers import trace
from bartizan.api.answers.new import new
from bartizan.api.cluster.first_games import check_ending, first_random_game, started
from bartizan.policies.registry import find_player
from bartizan.policies.request import Request
from bartizan.simcore.arrays import as_records
from bartizan.simcore.compile.loops import new_states
from bartizan.simcore.conformance import check_game
from bartizan.simcore.errors import EngineError, PolicyError, UsageError
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import set_up
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.short.table import Spot, Tabletop
from bartizan.simcore.watch import Watch, current
from tests.cli.run_cli import bartizan

EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = Path(__file__).parents[1] / "games"
PEEKING, WALK = ((GAMES / f"{name}.py").read_text(encoding="utf-8") for name in ("high", "walk"))
SHORT = EXAMPLES / "short"
MOST_LINES = {
    "pig": 20,
    "tic_tac_toe": 30,
    "no_thanks": 45,
    "cant_stop": 90,
    "love_letter": 150,
    "forbidden_island": 260,
    "hanabi": 125,
    "splendor": 220,
    "dominion": 320,
    "catan": 450,
    "pandemic": 420,
    "clever_4ever": 415,
    "fliptoons": 480,
    "orchard": 100,
    "kuhn": 50,
    "leduc": 75,
    "shut_the_box": 50,
    "goofspiel": 45,
    "sushi_go": 160,
}
PLAIN = "import sys; from bartizan.cli import main; main()"


def rows(path: Path, policy: str, games: int = 3000, level: str | None = None, **sets: str) -> np.ndarray:
    game = load_game(str(path))
    scenario = load_scenario(game, None, level, {f"numbers.{name}": value for name, value in sets.items()})
    match = Match(game, scenario, (find_player(game, policy),) * len(game.roles_in(scenario)), 3)
    return Batch(match).play(range(games))


@pytest.mark.parametrize("name", MOST_LINES)
def test_a_short_game_is_short(name):
    """Lines that hold something, imports aside."""
    lines = (SHORT / f"{name}.py").read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line.strip() and not line.startswith("from ")]) <= MOST_LINES[name]


def test_the_short_pig_is_the_long_one():
    long, short = rows(EXAMPLES / "pig/pig.py", "hold"), rows(SHORT / "pig.py", "steady")
    for column in ("winner", "turn", "plies", "score"):
        assert (long[column] == short[column]).all()


def test_pig_has_its_known_answer():
    """Both holding at 20, the first of two wins 0.5347 of the games."""
    won = (rows(SHORT / "pig.py", "steady", 200_000)["winner"] == 0).mean()
    assert abs(won - 0.5347) < 4 * np.sqrt(0.25 / 200_000)


def test_tic_tac_toe_at_random_has_its_known_answer():
    """First wins 0.5849, second 0.2881, drawn 0.1270 (counted over all games)."""
    winner = rows(SHORT / "tic_tac_toe.py", "random", 100_000)["winner"]
    for who, share in ((0, 0.5849), (1, 0.2881), (-1, 0.1270)):
        assert abs((winner == who).mean() - share) < 4 * np.sqrt(0.25 / 100_000)


@pytest.mark.rotating
@pytest.mark.parametrize(("players", "score"), [(2, 16.92), (3, 18.48), (4, 19.32), (5, 18.50)])
def test_hanabi_scores_what_is_published(players, score):
    """SimpleBot of github.com/Quuxplusone/Hanabi (README, without n); a tenth of a point is left to its own error."""
    scores = rows(SHORT / "hanabi.py", "simple", 5000, players=str(players))["score"]
    assert abs(scores.mean() - score) < 0.1 + 4 * scores.std() / np.sqrt(5000)


def test_hanabi_blind_scores_what_is_published():
    """BlindBot of the same: 1.25 for any number of players."""
    scores = rows(SHORT / "hanabi.py", "blind", 20_000)["score"]
    assert abs(scores.mean() - 1.25) < 0.005 + 4 * scores.std() / np.sqrt(20_000)


@pytest.mark.rotating
def test_splendor_lasts_as_long_as_is_published():
    """Two players: about 29.3 rounds and nearly always 26 to 33 (self-play of a learned player), 28.8 in the publisher's app
    (github.com/inclement/lapidary-ai, README, without n). `builder` is another player: a round and a half is left to it.
    """
    played = rows(SHORT / "splendor.py", "builder", 1000, players="2")
    rounds = (played["turn"] + 1) // 2
    assert abs(rounds.mean() - 29.05) < 1.5 and (abs(rounds - 29.5) <= 6.5).mean() > 0.95
    assert np.maximum(played["score_0"], played["score_1"]).min() >= 15


@pytest.mark.rotating
def test_big_money_with_smithies_wins_what_is_published():
    """Smithies bought with exactly 4 coins against Big Money alone, won, lost and tied of 1,000 games each
    (github.com/evanofslack/pyminion, README): 676, 110, 214 in the second seat, an older run 575, 168, 257 in both.
    """
    game = load_game(str(SHORT / "dominion.py"))
    smithies, money = (find_player(game, one) for one in ("smithy:most=99,duchies=0,estates_from=0", "big_money"))
    seated = [Batch(Match(game, load_scenario(game), pair, 4)) for pair in ((smithies, money), (money, smithies))]
    winners = [batch.play(range(2500))["winner"] for batch in seated]
    shares = np.array([[(won == who).mean() for who in (seat, 1 - seat, -1)] for seat, won in enumerate(winners)])
    for found, n, published in ((shares[1], 2500, (676, 110, 214)), (shares.mean(0), 5000, (575, 168, 257))):
        expected = np.array(published) / 1000
        assert (abs(found - expected) < 4 * np.sqrt(expected * (1 - expected) * (1 / 1000 + 1 / n))).all(), found


def test_hidden_cards_are_dealt_anew_as_clues_allow():
    """Dealt anew for the player at turn, every card in hand is one that its clues leave open, and the others' stay."""
    game = load_game(str(SHORT / "hanabi.py"))
    engine = game.compiled
    tables = as_records(engine.build_tables(load_scenario(game)))[0]
    states, legal = new_states(engine), np.zeros(engine.max_legal, np.int32)
    state = set_up(engine, states, tables, 1, 0)
    changed = 0
    for _ in range(30):
        before = states.copy()
        engine.determinize(state, tables, 0)
        me, hands = int(state.me), state.hand
        for card, may in zip(hands[me][1 : 1 + hands[me][0]], state.may[me], strict=False):
            assert may >> card // 5 & may >> 5 + card % 5 & 1
        changed += (hands[me] != before["hand"][0, me]).any()
        hands[me] = before["hand"][0, me]
        assert (hands == before["hand"][0]).all()
        states[:] = before
        n = engine.legal_actions(state, tables, legal)
        engine.apply(state, tables, np.int32(legal[n * 7 // 11]))
        if state.end_reason:
            break
    assert state.turn > 15 and changed > 10


def test_the_first_games_are_shown_before_the_code_is_compiled():
    with started(Request(str(SHORT / "pig.py")), 3) as child:
        line = next(line for line in child if sum(map(int, re.findall(r"\d+", line))) == 10)
    first = int((rows(SHORT / "pig.py", "steady", 10)["winner"] == 0).sum())
    assert line.strip().endswith(f"first {first}, second {10 - first}")


def test_a_sweep_takes_several_numbers_of_players():
    said = bz.game(str(SHORT / "no_thanks.py")).sweep(players=[3, 4], games=10, dry_run=True)
    assert [cell.rpartition("=")[2] for cell in said["cells"]] == ["3", "4"]


def test_written_out_it_is_the_same_game(kept_path, monkeypatch):
    monkeypatch.chdir(kept_path)
    list(new("game", "long_one", source=str(SHORT / "no_thanks.py")))
    assert (
        rows(kept_path / "long_one/long_one.py", "thrifty", 200) == rows(SHORT / "no_thanks.py", "thrifty", 200)
    ).all()


def test_uncompiled_it_is_the_same_game(tmp_path):
    path, policies = SHORT / "no_thanks.py", ["thrifty", "newcomer"]
    named = [word for policy in (*policies, "thrifty") for word in ("--policy", policy)]
    command = [sys.executable, "-c", PLAIN, "run", str(path), "--games", "2", "--players", "3", *named, "--plain"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=os.environ.copy(), check=True)
    compiled = bz.game(str(path)).run(games=2, players=3, policy=[*policies, "thrifty"])
    assert compiled.to_dict()["digest"][:16] in done.stdout


def test_uncompiled_a_component_may_have_the_name_of_a_method_of_numpy():
    states = as_records(np.zeros(2, [("round", "i4"), ("all", "i4", (3,))]), hides_numpy=True)
    states[1].round += 2
    states[1].all[2] = states[1].round
    assert states["round"].tolist() == [0, 2] and states["all"].tolist() == [[0, 0, 0], [0, 0, 2]]


SEVERAL = """
import json, sys
from bartizan.cli import main
for words in json.loads(sys.argv[1]):
    sys.argv = ["bartizan", *words, "--plain"]
    try:
        main()
    except SystemExit as end:
        print("exit code", end.code or 0)
"""


def uncompiled(folder: Path, *commands: list[str]) -> subprocess.CompletedProcess:
    """Several commands in one process, each followed by its exit code."""
    words = [sys.executable, "-c", SEVERAL, json.dumps(commands)]
    return subprocess.run(words, capture_output=True, text=True, cwd=folder, check=True)


def test_uncompiled_a_game_of_the_house_is_described_and_not_played(tmp_path):
    done = uncompiled(tmp_path, ["describe", "itter"], ["run", "itter"])
    assert "scenario" in done.stdout and done.stdout.endswith("\nexit code 0\nexit code 2\n")
    assert done.stderr.splitlines()[-1].startswith("error: --plain: not supported by itter")
    assert "Traceback" not in done.stderr


@pytest.fixture(scope="module")
def high():
    return load_game(str(GAMES / "high.py"))


@pytest.mark.parametrize("name", ["honest", "drawing", "newcomer"])
def test_who_does_not_peek_is_not_named(high, name):
    assert any(
        "policies leave" in line for line in check_game(high, [find_player(high, name)], find_player(high, "random"))
    )


@pytest.mark.parametrize("name", ["cheat", "sly"])
def test_who_peeks_is_named_with_the_decision(high, name):
    with pytest.raises(
        PolicyError, match=rf"policy {name}: .*ply \d+: chose \w+, but chose \w+ when .* (?:was|were) redealt"
    ):
        list(check_game(high, [find_player(high, name)], find_player(high, "random")))


def test_a_log_shows_the_components_that_changed():
    lines = bartizan("trace", SHORT / "pig.py", "--seed", 3).out.splitlines()
    assert lines[1:4] == ["    0  first: roll", "       the die shows 6", "       stake 0 -> 6"]
    document = bartizan("trace", SHORT / "tic_tac_toe.py", "--seed", 3, "--json").json
    assert document["plies"][0]["changed"] == ["board row 2, column 2: 0 -> 1"]
    plies = bartizan("trace", SHORT / "love_letter.py", "--seed", 3, "--json").json["plies"]
    assert {"deck -Baron", "hand of second player -Guard", "played of first player +Baron"} <= {*plies[0]["changed"]}
    assert "changed" not in bartizan("trace", EXAMPLES / "pig/pig.py", "--json").json["plies"][0]  # the full form


def test_changed_places_and_cards_are_listed():
    spots = (Spot("row"), Spot("pile", True, "deck"))
    table = Tabletop((), spots, 1, {"deck": ("Low", "High")}, seats=("first", "second"))
    kind = np.dtype([("players", "i8"), ("row", "i8", 9), ("pile", "i4", (2, 4))])
    before, after = np.zeros(2, kind)
    before["players"] = after["players"] = 2
    assert table.changed(before, after) == []
    after["row"] = 1
    before["pile"] = [[2, 0, 1, 0], [2, 0, 0, 0]]
    after["pile"] = [[2, 1, 0, 0], [3, 0, 1, 1]]
    assert table.changed(before, after) == [
        "row [0] 0 -> 1, [1] 0 -> 1, [2] 0 -> 1, [3] 0 -> 1, [4] 0 -> 1, [5] 0 -> 1, 3 more",
        "pile of first player in another order",
        "pile of second player -Low +High x2",
    ]
    long = trace._changes([f"stake {i} -> 0" for i in range(10)])
    assert len(long) == 1 and long[0].endswith("; stake 7 -> 0; 2 more") and trace._changes([]) == []


def test_a_policy_whose_text_reads_hidden_cards_is_noted_when_it_plays(high, monkeypatch, tmp_path):
    notes, seen = [], Watch()
    monkeypatch.setattr(seen, "note", notes.append, raising=False)
    at = current.set(seen)
    Batch(Request(str(GAMES / "high.py"), policy=("first=cheat", "second=honest")).match(1, "run")).play(range(2))
    current.reset(at)
    assert notes == [
        "high.py:36: policy cheat reads cards of s.hand[1 - s.me], which its player may not see: "
        "bartizan check high.py tests whether its choices depend on them"
    ]
    assert set(high.compiled.peeking) == {"cheat", "sly"}
    (tmp_path / "high.py").write_text(PEEKING.replace("top(s.hand[1 - s.me])", "top(s.deck)"), encoding="utf-8")
    assert "reads cards of s.deck" in load_game(str(tmp_path / "high.py")).compiled.peeking["sly"]


@pytest.mark.parametrize("name", MOST_LINES)
def test_no_example_is_noted_as_reading_hidden_cards(name):
    assert not load_game(str(SHORT / f"{name}.py")).compiled.peeking


@pytest.mark.slow
@pytest.mark.parametrize("name", MOST_LINES)
def test_the_examples_keep_the_contract_and_nobody_in_them_peeks(name):
    game = load_game(str(SHORT / f"{name}.py"))
    players = [find_player(game, policy.name) for policy in game.policies()]
    assert list(check_game(game, players, find_player(game, "random")))


@pytest.mark.parametrize("name", ["fliptoons", "forbidden_island", "pandemic"])
def test_a_number_by_level_has_only_its_own_source(name):
    assert load_scenario(load_game(str(SHORT / f"{name}.py"))).assumed == 0


@pytest.mark.parametrize("name", MOST_LINES)
def test_the_table_of_every_example_can_be_shown(name):
    """For `trace --html`: each component once, or once a player."""
    game = load_game(str(SHORT / f"{name}.py"))
    scenario = load_scenario(game)
    state = new_states(game.compiled)[0]
    state["players"] = players = 2
    table = game.compiled.scene.snapshot(state, game.compiled.build_tables(scenario), scenario)
    shown = [*table["counters"], *(zone["zone"] for zone in table["zones"])]
    zones = game.compiled.scene.snapshot.__self__.zones
    assert len(shown) == sum(players if zone.each else 1 for zone in zones) and len(set(shown)) == len(shown)


def test_a_card_that_is_lost_is_named(kept_path):
    path = kept_path / "loses.py"
    path.write_text(
        PEEKING.replace("    next_player(s)", "    take(s.hand[s.me], 0)\n    next_player(s)").replace(
            "s.turn == 2", "s.turn == 9"
        )
    )
    game = load_game(str(path))
    with pytest.raises(EngineError, match=r"0 cards \d+ of deck are on the table, but the game has 1"):
        list(check_game(game, [], find_player(game, "random")))


@pytest.mark.slow
def test_the_crew_of_forbidden_island_wins_some_and_fewer_where_the_water_is_higher():
    """Two players, 400 games: 0.162 at Novice (docs/gallery.md) within 4 standard errors, and most of
    it gone at Legendary.
    """
    novice, legendary = (
        np.mean(rows(SHORT / "forbidden_island.py", "crew", 400, level, players="2")["winner"] >= 0)
        for level in ("novice", "legendary")
    )
    assert abs(novice - 0.162) < 4 * (0.162 * 0.838 / 400) ** 0.5
    assert legendary < novice - 2 * (0.162 * 0.838 / 400) ** 0.5


def test_cant_stop_climbs_six_seven_or_eight_with_92_percent():
    """1,192 of the 1,296 throws of four dice make one of the sums 6, 7 and 8: counted by a twin of two lines."""
    game = load_game(str(SHORT / "cant_stop.py"))
    rules, engine = game.engine.__globals__, game.compiled
    tables = as_records(engine.build_tables(load_scenario(game)))[0]
    state = as_records(new_states(engine))[0]
    state.climber[6:9], state.used = 1, 3
    can = 0
    for dice in np.ndindex(6, 6, 6, 6):
        state.dice[:] = np.array(dice) + 1
        columns = {column for pairing in range(3) for column in rules["_sums"].py_func(state, pairing)}
        can += any(rules["_open"].py_func(state, tables, column) for column in columns)
    twin = sum(
        any((a + 1 + b + 1) in (6, 7, 8) for a, b in ((w, x), (w, y), (w, z), (x, y), (x, z), (y, z)))
        for w, x, y, z in np.ndindex(6, 6, 6, 6)
    )
    assert can == twin == 1192


def test_cant_stop_ends_when_no_column_is_left():
    """Of eleven columns, nobody tops all: the next throw would be repeated for ever."""
    assert set(rows(SHORT / "cant_stop.py", "random", 20, columns="11")["winner"]) == {-1}


# ---------------------------------------------------------------- what a designer is told


@pytest.fixture
def walk():
    return GAMES / "walk.py"


def test_games_that_are_all_one_game_are_called_so(walk, tmp_path):
    """Two that always step: the first is there first, and that is no share of games."""
    said = bartizan("run", walk, "--games", 200)
    assert "All 200 games are identical" in said.out and "this is one game, not 200" in said.out
    assert "first    steady: 100\u00a0%, 200 wins" in said.out and "95\u00a0%" not in said.out
    assert bartizan("sweep", walk, "--games", 200, "-o", tmp_path / "s").code == 0
    for form in ("html", "md"):
        bartizan("report", tmp_path / "s", "-o", tmp_path / f"r.{form}")
        page = (tmp_path / f"r.{form}").read_text(encoding="utf-8")
        assert "All 200 games are identical" in page
        assert "an advantage" not in page and "equal share than" not in page and "Wilson, 200" not in page
    shares = json.loads(bartizan("run", walk, "--games", 200, "--json").out)["seats"][0]["win_rate"]
    assert (shares["low"], shares["high"], shares["method"]) == (1, 1, "one game")


def test_a_comparison_of_two_games_without_luck_is_called_so(walk):
    said = bartizan("compare", walk, "--games", 200, "--policy", "steady", "--change", "numbers.goal=10")
    assert "All 200 games of a setting are identical" in said.out
    assert 'no value "goal"; did you mean "numbers.goal"?' in bartizan("compare", walk, "--change", "goal=10").err
    assert "numbers is a group of values" in bartizan("compare", walk, "--change", "numbers=10").err
    for name in ("gaol", "rulings.goal"):
        error = bartizan("compare", walk, "--change", f"{name}=10").err
        assert f'no value "{name}"; did you mean "numbers.goal"?' in error


def test_games_that_differ_are_not_called_one(walk):
    assert "identical" not in bartizan("run", walk, "--games", 200, "--policy", "random").out


def test_games_with_luck_are_never_certain_however_equal_they_are(tmp_path):
    """Of 200 games none is lost, of all games one in a thousand; with a die of one side nothing is drawn."""
    path = GAMES / "jackpot.py"
    document = json.loads(bartizan("run", path, "--games", 200, "--json").out)
    assert (document["wins"], document["is_one_game"], document["win_rate"]["high"]) == (200, False, 1)
    assert document["win_rate"]["low"] < 0.999 and document["win_rate"]["method"] == "Clopper-Pearson"
    said = bartizan("run", path, "--games", 200).out
    assert "identical" not in said and "all 200 equal; another value in at most" in said
    assert bartizan("sweep", path, "--games", 200, "--set", "numbers.sides=1000,1", "-o", tmp_path / "s").code == 0
    cells = json.loads((tmp_path / "s" / "manifest.json").read_text())["cells"]
    assert [cell.get("draws_luck", True) for cell in cells] == [True, False]
    bartizan("report", tmp_path / "s", "-o", tmp_path / "r.json")
    report = json.loads((tmp_path / "r.json").read_text())
    shares = [cell["win_rate"] for cell in report["cells"]]
    assert shares[0]["low"] < 0.999 and (shares[1]["low"], shares[1]["method"]) == (1, "one game")


LOOPS = {
    "    s.place[s.me] += 1\n": ("    while s.place[s.me] != 90:\n        s.place[s.me] %= 80\n", "1[12]", "step"),
    "def step(s, n):\n": ("def start_turn(s, n):\n    next_player(s)\n\n\ndef step(s, n):\n", "1[01]", "start_turn"),
}


@pytest.mark.parametrize(
    "written",
    [
        pytest.param(written, marks=[pytest.mark.slow] * ("def" not in written), id=rule)
        for written, (*_, rule) in LOOPS.items()
    ],
)
def test_a_rule_that_never_ends_is_named_with_its_line(written, tmp_path, monkeypatch):
    instead, line, rule = LOOPS[written]
    sooner = "from bartizan.api.cluster import first_games\nfirst_games.LONG = 0.5\nchild.tell("
    monkeypatch.setattr(child, "SCRIPT", child.SCRIPT.replace("child.tell(", sooner))
    path = tmp_path / "loops.py"
    path.write_text(WALK.replace(written, instead, 1))
    says = rf"loops\.py:{line}: a decision does not end: {rule} loops for ever here$"
    with first_random_game(str(path)) as first, pytest.raises(EngineError, match=says):
        check_ending(first)


def test_games_that_do_not_end_are_called_so(kept_path):
    path = kept_path / "endless.py"
    path.write_text(WALK.replace("s.place[s.me] >= n.goal", "s.place[s.me] < 0"))
    assert (
        "no game has ended so far within 100,000 decisions; check that a rule can end the game"
        in bartizan("run", path, "--games", 70).err
    )


def test_a_card_put_onto_a_full_pile_is_one_line(kept_path):
    """Compiled, uncompiled with the line, and by `check` with the decision."""
    path = kept_path / "full.py"
    path.write_text(
        PEEKING.replace("hand = Hand(deck)", "hand = Hand(deck, 1)").replace(
            "    next_player(s)", "    draw(s.deck, s.hand[s.me])\n    next_player(s)"
        )
    )
    full = "a card is put onto a full pile: hand has room for 1: "
    game = load_game(str(path))
    with pytest.raises(EngineError, match=re.escape(full)):
        rows(path, "honest", 50)
    with pytest.raises(EngineError, match=rf"full.py:21: {re.escape(full)}.*ply \d+\)"):
        list(check_game(game, [], find_player(game, "random")))
    command = [sys.executable, "-c", PLAIN, "run", str(path), "--games", "20", "--plain"]
    said = subprocess.run(command, capture_output=True, text=True, cwd=kept_path, env=os.environ.copy()).stderr
    assert full in said and len(said.strip().splitlines()) <= 2


@pytest.mark.parametrize(
    ("source", "sure"),
    [
        ("rulebook, p. 3", "rulebook"),
        ("the rulebook", "rulebook"),
        ("article: Knizia 1999", "article"),
        ("public-port", "public-port"),
        ("inferred: from the cards", "inferred"),
        ("my own playtests", "assumed"),
        ("", "assumed"),
    ],
)
def test_a_source_says_with_its_first_word_how_sure_it_is(source, sure, walk, tmp_path):
    path = tmp_path / "sourced.py"
    path.write_text(WALK.replace("goal = 7", f'goal = Number(7, 1, 90, "{source}")'))
    scenario = load_scenario(load_game(str(path)))
    assert scenario.model.numbers.origin("goal").confidence == sure
    assert (scenario.assumed == 1) == (sure == "assumed")


def test_players_sets_the_number_of_players_of_a_cooperative_game():
    together = Request(str(SHORT / "forbidden_island.py"), players=2)
    assert together.loaded.overrides == {"numbers.players": 2}
    with pytest.raises(UsageError, match="supports 2"):
        _ = Request(str(SHORT / "kuhn.py"), players=3).loaded
    with pytest.raises(UsageError, match="also sets the number of players"):
        _ = replace(together, sets={"numbers.players": "3"}).loaded
