"""`bartizan check`: what is wrong with a game or a policy is named, with the place where it shows."""

import json
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest
from numba import types
from pydantic import BaseModel, ValidationError

from bartizan.api import child
from bartizan.api.answers.check_here import check_here
from bartizan.policies.registry import find_player
from bartizan.simcore import conformance
from bartizan.simcore.compile import cuts, jit, mistakes
from bartizan.simcore.compile.habits import bad_habit
from bartizan.simcore.errors import EngineError, PolicyError, UsageError
from bartizan.simcore.game import load_game
from bartizan.simcore.play.batch import Batch, play_games
from bartizan.simcore.play.match import Match
from bartizan.simcore.rng import seed_luck
from bartizan.simcore.scenario.loading import first_fault, load_scenario
from bartizan.simcore.short import words
from tests.cli.run_cli import PIG, ROOT, RUIN
from tests.matches import match_of

STALLS = str(ROOT / "tests/games/stalls.py")
POLICY = (
    "import numpy as np\nfrom bartizan import Policy, jit, policy_below\n\n{helper}\ndef choose(state, "
    "tables, legal, n_legal, weights):\n    {body}\n\nP = Policy('p', choose, weights={weights})\n"
)
CHEATS = {  # body of the policy -> what is said of it
    "state.banked[0] = 99\n    return legal[0]": "it changed the state",
    "tables.goal = 1\n    return legal[0]": "it changed the tables",
    "weights[0] = 3.0\n    return legal[0]": "it changed its weights",
    "legal[0] = 77\n    return 77": "it wrote into the list of legal actions",
    "legal[n_legal + 5] = 1\n    return legal[0]": "it wrote into the list of legal actions",
    "return legal[0] + (1 << 32)": "mine.py:6: OverflowError: Python integer 4294967296 out of bounds for int32",
    "return legal[0] + 0.5": "it returns float64, but an action is an integer",
    "return n_legal > 1": "it returns bool, but an action is an integer",
    "return 77": "chose 77, which is not legal (legal: 0, 1)",
    "return legal[np.random.randint(0, n_legal)]": "choose uses a random generator that ignores the seed",
}


def policy_file(folder, body, weights="{}", helper=""):
    path = folder / "mine.py"
    path.write_text(POLICY.format(body=body, weights=weights, helper=helper))
    return str(path)


@pytest.mark.parametrize("body", CHEATS)
def test_a_policy_that_cheats_is_named(kept_path, body):
    match = match_of(PIG)
    with pytest.raises(PolicyError) as said:
        player = find_player(match.game, policy_file(kept_path, body))
        conformance.walk(match, 0, [conformance.as_played(player, match.engine)])
    assert CHEATS[body] in str(said.value) and re.search("mine.py:(6:)? policy", str(said.value))


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        ("{'at': float('nan')}", "weight at = nan is not a finite number"),
        ("{'at': 'x'}", "not a finite number"),
        ("{'noise': 1.0}", "the name of a modifier"),
        ("[1.0]", "must be a dict"),
    ],
)
def test_weights_that_are_none(kept_path, weights, says):
    with pytest.raises(UsageError, match=r"mine.py:8: the policy file cannot be loaded") as said:
        find_player(load_game(PIG), policy_file(kept_path, "return legal[0]", weights))
    assert says in str(said.value)


def test_a_helper_without_jit(kept_path):
    with pytest.raises(PolicyError, match=r"mine.py:\d+: .* helper is a plain function: write @jit above it"):
        find_player(
            load_game(PIG),
            policy_file(kept_path, "return helper(legal)", helper="def helper(legal):\n    return legal[0]\n"),
        )


def test_a_generator_that_numba_does_not_compile_is_named_as_what_it_is(kept_path):
    path = policy_file(kept_path, "return legal[G.integers(0, n_legal)]", helper="G = np.random.default_rng(1)\n")
    with pytest.raises(
        PolicyError, match=r"mine.py:\d+: .* choose uses a random generator that ignores the seed: draw with"
    ):
        find_player(load_game(PIG), path)


def test_a_policy_that_calls_itself(kept_path):
    """It must not be told to write @jit, which is refused above `choose`."""
    with pytest.raises(PolicyError, match=r"mine.py:6: .* choose, or a function that it calls, calls itself"):
        find_player(load_game(PIG), policy_file(kept_path, "return choose(state, tables, legal, n_legal, weights)"))


def test_a_policy_that_fails_is_named(kept_path):
    match = match_of(PIG)
    with pytest.raises(PolicyError, match=r"mine.py: policy p: pig, .*, ply 0: error: .*mine.py:\d+: AssertionError"):
        conformance.walk(
            match, 0, [find_player(match.game, policy_file(kept_path, "assert n_legal > 2\n    return legal[0]"))]
        )


MISTAKES = {  # in ruin.py: what stood there, what an author wrote -> what is said
    "winner": (
        "    record.winner = 0 if state.end_reason == GOAL_REACHED else HOUSE\n",
        "",
        "write_record does not set `winner`",
    ),
    "seat": ("GOAL_REACHED else HOUSE", "GOAL_REACHED else 5", "record.winner is 5, which is not a seat: use 0 to 0"),
    "reason": (
        "state.end_reason = RUINED",
        "state.end_reason = 9",
        "end_reason 9, which `end_reasons` does not declare",
    ),
    "house": (
        "state.end_reason = RUINED",
        "state.end_reason = 1",
        "end_reason 1, which `end_reasons` does not declare",
    ),
    "stream": (
        "below(state, 0, 1000)",
        "below(state, 7, 1000)",
        "apply draws from stream 7, which is reserved for policies",
    ),
    "acts": ('{"bet": BET}', '{"bet": 4}', "action 0 is of kind 0 (arguments=1), which is missing from `acts`"),
    "listed": ("    return 1\n", "    return 2\n", "2 legal actions, more than max_legal = 1"),
    "raises": (
        "    state.turn += 1\n",
        "    state.turn += 1\n    assert state.turn < 3\n",
        "broken.py:66: AssertionError (ruin, ",
    ),
    "luck": (
        "    legal[0] = BET\n",
        "    legal[0] = BET\n    below(state, 0, 2)\n",
        "legal_actions changed the random state, the seat to move or the tables",
    ),
    "tables": ("    state.turn += 1\n", "    state.turn += 1\n    tables.goal = 12\n", "apply changed the tables"),
    "asked": (
        "    legal[0] = BET\n",
        "    legal[0] = BET\n    state.purse += 1\n",
        "legal_actions changes the record each time it is called",
    ),
    "field": (
        "state.purse = tables.start",
        "state.purze = tables.start",
        "broken.py:54: rule reset does not compile: the record has no field 'purze'",
    ),
    "nobody": (
        "    state.turn += 1\n",
        "    state.turn += 1\n    state.to_move = 5\n",
        "broken.py:63: ruin, standard, seed 1, game 0, ply 1: seat 5 is to move; set the number of a seat: 0 player",
    ),
    "first": (
        "state.purse = tables.start",
        "state.purse = tables.start\n    state.to_move = 5",
        "broken.py:51: ruin, standard, seed 1, game 0, ply 0: seat 5 is to move",
    ),
    "feature": (
        "features.purse = state.purse",
        "features.purze = state.purse",
        "broken.py:83: rule write_features does not compile: the record has no field 'purze'",
    ),
    "unset": (
        "    features.purse = state.purse\n",
        "",
        "broken.py:80: ruin, standard, seed 1, game 0, ply 0: write_features leaves a number unset",
    ),
    "silent": (
        "    max_legal=1,\n",
        "    max_legal=1,\n    describe_action=lambda *_: None,\n",
        "<lambda> returns None: it must return text",
    ),
    "told": (
        "    max_legal=1,\n",
        "    max_legal=1,\n    describe_events=lambda *_: 'wins',\n",
        "<lambda> returns 'wins': it must return a list of texts",
    ),
    "asks": (
        "    max_legal=1,\n",
        "    max_legal=1,\n    describe_action=lambda state: '',\n",
        "takes 1 positional argument but 4 were given",
    ),
    "words": (
        "    max_legal=1,\n",
        "    max_legal=1,\n    describe_action=lambda *_: none,\n",
        "NameError: name 'none' is not defined",
    ),
}


def broken(folder, before, after):
    """ruin.py with one mistake in it."""
    text = (ROOT / "examples/ruin/ruin.py").read_text(encoding="utf-8")
    assert text.count(before) >= 1
    (folder / "scenarios").mkdir(parents=True)
    (folder / "scenarios/standard.toml").write_bytes((ROOT / "examples/ruin/scenarios/standard.toml").read_bytes())
    (folder / "broken.py").write_text(text.replace(before, after, 1), encoding="utf-8")
    return folder / "broken.py"


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_a_game_is_named(kept_path, mistake):
    before, after, says = MISTAKES[mistake]
    match = match_of(broken(kept_path / mistake, before, after))
    with pytest.raises(EngineError) as said, conformance.naming_mistakes(match.engine):
        for number in range(4):
            conformance.walk(match, number, [])
    assert says in str(said.value)


CUTS = {
    "    state.turn += 1\n": (
        "    state.turn += 1 / 2\n",
        r"broken.py:65: turn has whole numbers .int32., so this fraction would be truncated",
    ),
    "record.score = state.purse": ("record.score = state.purse / 3", r"broken.py:77: score has whole numbers .int16."),
    "    legal[0] = BET\n": (
        "    legal[0] = 0.5\n",
        r"broken.py:59: this array has whole numbers .int32., so this fraction",
    ),
    "@jit\ndef apply": (
        "@jit\ndef half(state):\n    state.turn = state.turn / 2\n\n\n@jit\ndef apply",
        r"broken.py:65: turn has whole numbers",
    ),
}


@pytest.mark.parametrize("before", CUTS)
def test_a_fraction_that_would_be_cut_is_named(kept_path, before):
    after, says = CUTS[before]
    path = broken(kept_path / "cut", before, after)
    if "def half" in after:
        path.write_text(path.read_text().replace("    state.turn += 1\n", "    half(state)\n"))
    with pytest.raises(EngineError, match=says):
        conformance.check_habits(load_game(str(path)).compiled)


HALVES = {
    "def score(s, n, who):\n    return s.points[who] / 2\n": "13: score has whole numbers",
    "    s.points[s.me] += s.turn / 2\n": "11: this array has whole numbers",
    "    s.points[s.me] += die(s, s.turn / 2)\n": "11: die needs whole numbers",
    "HALVES = 3, 0.5\n\n\ndef ends(s, n):\n    s.half = 6 * HALVES[1]\n": "17: half has whole",
    "    s.points.fill(s.turn / 2)\n": "11: this array has whole numbers",
    '    assert s.turn < 9\n    if s.turn > 8:\n        raise ValueError("late")\n    s.half = 0.5\n': "14: half has whole",
}


@pytest.mark.parametrize(
    "written",
    [
        "s.row[:] = np.arange(4) * n",
        "s.row[1:3] = (n, 1)",
        "s.row[:2] = [1, n]",
        "s.row += n",
        "s.row[2:] -= n",
        "s.row[s.row > 0] = n",
        "s.flags[:] = s.row[:2]",
        "s.row.fill(n)",
    ],
)
def test_arrays_that_do_not_fit_are_held_like_numbers(tmp_path, written):
    """70,000 was written into 16 bits as 4,464."""
    path, names = tmp_path / "outside.py", {"np": np}
    path.write_text(f"def rule(s, n):\n    {written}\n")
    exec(compile(path.read_text(), path, "exec"), names)
    state = np.zeros(1, np.dtype([("row", "i2", 4), ("flags", "u1", 2)], align=True))
    state["row"] = 0, 1, 2, 3
    rule = jit.jit(names["rule"])
    rule(state[0], 2)
    if "flags" in written:
        state["row"] = -1
    before = state.copy()
    with pytest.raises(OverflowError, match=r"does not fit this array \(u?int(8|16)\)"):
        rule(state[0], 70_000)
    assert (state == before).all()


def test_what_numba_does_by_itself_is_not_held():
    """Powers of integers, and arithmetic on whole arrays, convert and wrap inside numba."""

    def computes(a, w):
        a[0] = 2 ** a[1] + len([x for x in a if x > 1])
        return w ^ (w << np.uint32(13)), np.full(2, -1, np.uint8)

    rule = jit.jit(computes)
    rule.compile((types.int64[::1], types.uint32[::1]))
    assert not list(cuts.fractions_cut(computes, (types.int64[::1], types.uint32[::1])))
    a, w = np.array([1, 5, 0]), np.array([1 << 31, 3], np.uint32)
    assert rule(a, w)[0].tolist() == [1 << 31, 3 ^ (3 << 13)] and a[0] == 33


@pytest.mark.parametrize("lines", HALVES)
def test_a_short_game_does_not_play_with_truncated_fractions(kept_path, lines):
    """`run` truncated them, and only `check` said so: a mean of 3.25 where the rules give 3.5."""
    path = kept_path / "halves.py"
    inside = lines if lines.startswith(" ") else "    s.half = 1\n"
    path.write_text(
        '"""Four turns."""\n\nfrom bartizan.short import *\n\nplayers = 2\nhalf = Counter()\npoints = Tokens()\n\n\n'
        f"def roll(s, n):\n{inside}    win(s, s.me)\n" + lines.removeprefix(inside)
    )
    with pytest.raises(EngineError, match=f"halves.py:{HALVES[lines]}"):
        list(play_games(match_of(path), range(2)))


def test_code_from_outside_is_always_compiled_with_bounds_checked(kept_path, monkeypatch):
    """Not only by `check`: a place that an array lacks would be read from what lies behind it."""
    monkeypatch.setattr(jit, "BOUNDS", False)
    path = broken(kept_path / "flags", "    state.turn += 1\n", "    state.turn += 1\n")
    rule = load_game(str(path)).compiled.apply.py_func
    assert jit.flags(rule)["boundscheck"] and jit.flags(rule)["error_model"] == "python"
    assert jit.flags(words.at.py_func)["boundscheck"]  # what a rule hands its places to
    assert not jit.flags(seed_luck.py_func)["boundscheck"]


def test_a_division_by_0_is_named(kept_path):
    path = broken(
        kept_path / "divides", "    state.turn += 1\n", "    state.turn += 1 // (tables.goal - tables.goal)\n"
    )
    match = match_of(path)
    with pytest.raises(
        EngineError, match=r"broken.py:\d+: ZeroDivisionError: tables.goal - tables.goal is 0 .*game 0, ply 0"
    ):
        conformance.walk(match, 0, [])


def test_a_division_by_0_of_a_policy_is_named(kept_path):
    """Repeated uncompiled, a division of two numbers of numpy gives 0 and a warning."""
    path = kept_path / "walk_divides.py"
    text = (ROOT / "tests/games/walk.py").read_text(encoding="utf-8")
    path.write_text(
        text + '\n\ndef divides(s, n):\n    """Divides by 0."""\n    return n.goal // (s.turn - s.turn)\n',
        encoding="utf-8",
    )
    match = match_of(path, "divides")
    with pytest.raises(
        EngineError, match=r"walk_divides.py:\d+: ZeroDivisionError: s.turn - s.turn is 0 .*game 0, ply 0"
    ):
        Batch(match).play(range(2))


def test_a_game_over_before_it_begins_and_an_idle_seat_are_remarked(kept_path):
    match = match_of(broken(kept_path / "over", "state.purse = tables.start", "state.end_reason = RUINED"))
    assert "no decisions in 20 random games" in conformance.never_asked(match, conformance.walk(match, 0, []))
    match = match_of(PIG)
    assert conformance.never_asked(match, {0}) == "second: no decision in 20 random games"
    assert conformance.never_asked(match, conformance.walk(match, 0, [])) == ""


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ('("turn", "u4"), ("score"', '("turn", "u1"), ("score"', "76: OverflowError: .* turn .uint8."),
        ('("turn", "i4")', '("turn", "i1")', "65: OverflowError: .* turn .int8."),
        ("    legal[0] = BET\n", "    legal[0] = BET - 2**40 * (state.turn == 9)\n", "59: .* this array .int32."),
        (
            "    state.turn += 1\n",
            "    state.turn += 1\n    state.luck[0] = -state.turn\n",
            "66: .* this array .uint64.",
        ),
    ],
    ids=["record", "state", "array", "sign"],
)
def test_a_number_that_does_not_fit_stops_a_game(kept_path, before, after, says):
    """numba wraps it, and only `check` said so."""
    match = match_of(broken(kept_path / "wrapped", before, after))
    with pytest.raises(EngineError, match=f"broken.py:{says}"):
        Batch(match).play(range(400))


GAMES = {  # of `GAME` in ruin.py: what stood there, what an author wrote -> what is said
    "folder": ('Path(__file__).parent / "scenarios"', '"scenarios"', "its scenarios must be a folder"),
    "model": (
        "class RuinScenario(ScenarioModel)",
        "class RuinScenario(Datum)",
        "its schema must be a subclass of ScenarioModel",
    ),
    "text": ("    1,\n    home", '    1,\n    roles="first",\n    home', "its roles must be a tuple"),
    "list": ("    1,\n    home", '    1,\n    roles=["first"],\n    home', "its roles must be a tuple"),
    "policies": ("    1,\n    home", "    1,\n    policies=[],\n    home", "its policies must be a function"),
    "reporting": (
        "from bartizan import HOUSE,",
        "from bartizan import Reporting\nReporting(groups={'x': ('score',)})\nfrom bartizan import HOUSE,",
        "reporting: each group must be a Group(...), not 'x'",
    ),
    "behaviour": ("    1,\n    home", '    "one",\n    home', "its behaviour must be an integer"),
}


@pytest.mark.parametrize("mistake", GAMES)
def test_a_game_that_is_put_together_wrongly(kept_path, mistake):
    before, after, says = GAMES[mistake]
    with pytest.raises(UsageError, match=r"broken.py:\d+: the game file cannot be loaded: ") as said:
        load_game(str(broken(kept_path / mistake, before, after)))
    assert says in str(said.value)


@pytest.mark.parametrize("wrong", ['"bets are odd"', "None"])
def test_problems_that_are_no_pairs(kept_path, wrong):
    before = 'yield "bets.start", f"{self.bets.start} is not below the goal of {self.bets.goal}"'
    path = broken(kept_path / "problems", before, f"pass\n        yield {wrong}")
    with pytest.raises(EngineError, match=r"broken.py:\d+: problems yields .* instead of a place and a message"):
        load_scenario(load_game(str(path)))


def test_what_draws_elsewhere_or_hides_errors_is_read_off_the_code():
    def inner(n):
        def drawn(m):
            return np.random.randint(0, m)

        return drawn(n)

    def hides(n):
        try:
            return 1 // n
        except ZeroDivisionError:
            return 0

    def honest(state):
        return state.random + sum([i for i in range(3)])

    assert "inner uses a random generator that ignores the seed: draw with luck" in bad_habit(inner, "luck")
    assert "hides contains a `try`" in bad_habit(hides, "luck") and bad_habit(honest, "luck") == ""


def test_a_game_that_never_ends_is_named_soon(kept_path):
    path = broken(kept_path / "endless", "    state.turn += 1\n", "    state.turn += 1\n    return\n")
    with pytest.raises(EngineError, match=r"broken.py:\d+: .* does not end within 100,000 plies"):
        conformance.walk(match_of(path), 0, [])


ENGINES = {
    "@jit\ndef apply": ("def apply", "its rule apply is not compiled: write @jit above it"),
    "[*LUCK_FIELDS, (": ("[(", "its state_dtype has no field luck_key, luck"),
    '("plies", "u4"), ': ("", "its record_dtype has no field plies"),
    "GOAL_REACHED, RUINED = 3, 4": ("GOAL_REACHED, RUINED = 2, 3", "end reason 2"),
    "max_legal=1": ("max_legal=1.0", "max_legal = 1.0"),
    'acts={"bet": BET}': ('acts={"bet"}', "its acts must be a dict"),
    'end_reasons={GOAL_REACHED: "goal reached", RUINED: "ruined"}': (
        'end_reasons=["goal"]',
        "its end_reasons must be a dict",
    ),
    '("winner", "i1")': ('("winner", "u1")', "an unsigned `winner`"),
    '("purse", "i4")': ('("purse", "U5")', "its state_dtype has fields that are not numeric: purse"),
    "    max_legal=1,": (
        "    max_legal=1,\n    nulls={'scor': -1},",
        "its nulls refers to scor, which record_dtype does not contain",
    ),
    "@jit\ndef write_features": ("def write_features", "its rule write_features is not compiled"),
    "lambda: ENGINE": ("ENGINE", "a function that returns an Engine, not None"),
}


@pytest.mark.parametrize("before", ENGINES)
def test_an_engine_that_lacks_something(kept_path, before):
    after, says = ENGINES[before]
    path = broken(kept_path / "lacking", before, after)
    with pytest.raises(EngineError, match=r"broken.py: ruin: ") as said:
        _ = load_game(str(path)).compiled
    assert says in str(said.value)


@pytest.mark.parametrize(
    ("own", "says"),
    [
        ("HOLD", "return a list or tuple, not a Policy; write `lambda: [A, B]`"),
        ("[len]", "must be Policy(...) objects, not builtin"),
    ],
)
def test_policies_that_are_none(kept_path, own, says):
    hold = f"    1,\n    policies=lambda: {own.replace('HOLD', 'RANDOM')},\n    home"
    path = broken(kept_path / "players", "    1,\n    home", hold)
    path.write_text("from bartizan.policies.protocol import RANDOM\n" + path.read_text())
    with pytest.raises(PolicyError, match=r"broken.py: ruin: its policies ") as said:
        find_player(load_game(str(path)), "random")
    assert says in str(said.value)


def test_a_default_policy_that_is_none_is_named(kept_path):
    path = broken(kept_path / "default", "    1,\n    home", '    1,\n    default_policy="randm",\n    home')
    with pytest.raises(
        PolicyError, match=r'broken.py: the default policy of the game: no policy "randm" .* mean "random"'
    ):
        list(check_here(str(path)))


def test_a_game_knows_its_file_even_if_it_does_not_say(kept_path):
    path = broken(kept_path / "homeless", "    home=Path(__file__),\n", "")
    assert load_game(str(path)).home == path


REASONS = {
    "Signature mismatch: 5 argument types given, but function takes 3 arguments": "it takes 3 arguments but is given 5",
    "No conversion from none to int32 for '$30return_value.6', defined at None": "it returns nothing on at least one path, but an action must be an integer (int32)",
    "No conversion from array(int32, 1d, C) to int32 for '$4return_value.1'": "it returns array(int32, 1d, C), but an action must be an integer (int32)",
    'Failed in nopython mode pipeline (step: analyzing bytecode)\nthat\n\nFile "x.py", line 3:\ndef f(n):\n  '
    "  that\n    ^\n\nand this": "TypeError: that and this",
    "Untyped global name 'helper': Cannot determine Numba type of <class 'function'>": "helper is a plain function: write @jit above it (from bartizan import jit)",
}


@pytest.mark.parametrize("text", REASONS)
def test_the_reason_of_an_error_in_one_line(text):
    assert mistakes.reason_of(TypeError(text)) == REASONS[text]


def test_a_policy_that_only_raises_is_named(kept_path):
    with pytest.raises(PolicyError, match=r"mine.py:5: policy function choose never returns an action"):
        find_player(load_game(PIG), policy_file(kept_path, "raise ValueError('x')"))


class Places(BaseModel):
    model_config = {"strict": True}
    pairs: list[tuple[int, int]]


@pytest.mark.parametrize(
    ("data", "says"),
    [({"pairs": [[1, 2]]}, "pairs.0: TOML has lists, not tuples: declare list[list[int]]"), ({}, "pairs: missing")],
)
def test_a_value_that_does_not_fit_its_model(data, says):
    with pytest.raises(ValidationError) as found:
        Places.model_validate(data)
    assert first_fault(found.value, data, Places).startswith(says)


ENDS = {
    7: "the process that checked it died (exit code 7): its code exits Python",
    -11: "died (signal 11): endless recursion, or a write far outside an array",
    -9: "was killed (signal 9): too much memory, or another program ended it",
    -24: "not finished after 900 s of computing; a rule or a policy may contain an infinite loop",
}


@pytest.mark.parametrize("code", ENDS)
def test_how_the_process_that_checks_ended(code):
    child.check_exit(0, "mine.py")
    with pytest.raises(EngineError, match=r"^mine.py: ") as said:
        child.check_exit(code, "mine.py")
    assert ENDS[code] in str(said.value)
    with pytest.raises(EngineError, match=r"^mine.py, games with --set numbers.goal=11: "):
        child.check_exit(code, "mine.py", "games with --set numbers.goal=11")


def test_a_fault_of_ours_in_the_process_that_checks_is_called_so(capsys):
    child.tell({}[key] for key in ["absent"])
    said = json.loads(capsys.readouterr().out.removeprefix(child.ERROR))
    assert said["kind"] == "EngineError" and said["text"].startswith("unexpected error: KeyError: 'absent' (a bug in")


def test_the_process_that_checks_ends_with_its_parent():
    """stdin of a process that would run for long closes, as when its parent is killed."""
    command = "import time\nfrom bartizan.api import child\nchild.become_child()\ntime.sleep(500)"
    with subprocess.Popen([sys.executable, "-c", command], stdin=subprocess.PIPE) as child:
        child.stdin.close()
        assert child.wait(timeout=120) == 1


def test_every_seat_that_wins_each_game_is_remarked():
    rows = np.zeros(5, [("winner", "i1")])
    assert "seat 0 wins all 5 random games" in conformance.one_winner(match_of(PIG), rows)
    rows["winner"][2] = 1
    assert conformance.one_winner(match_of(PIG), rows) == "" == conformance.one_winner(match_of(RUIN), rows)


def test_a_damaged_cache_is_called_so(monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/cache/abc")
    for error in (pickle.UnpicklingError("pickle data was truncated"), EOFError("Ran out of input")):
        assert mistakes.reason_of(error) == "compiled code in /cache/abc is damaged: delete that folder"


def test_a_rule_that_fails_is_named_before_a_player_who_plays_futures_with_it(kept_path):
    """Whoever fails in futures of its own would be named instead."""
    match = match_of(broken(kept_path, *MISTAKES["raises"][:2]))
    failing = find_player(match.game, policy_file(kept_path, "assert n_legal > 2\n    return legal[0]"))
    with pytest.raises(EngineError, match=r"broken.py:66: AssertionError \(ruin, "):
        list(conformance.check_game(match.game, [failing], match.players[0]))


def test_an_open_pile_in_a_game_that_follows_cards_has_room_in_64_bits():
    """Piles of 64 bits are those with marks: the counters of such a game were widened, and its open piles with them."""
    game = load_game(STALLS)
    match = Match(game, load_scenario(game), (find_player(game, "random"),) * 2, 1, deals=True)
    assert match.engine is not game.compiled
    assert set().union(*(conformance.walk(match, number, []) for number in range(5))) == {0, 1}


def test_an_illegal_choice_is_named_in_words():
    game = load_game(STALLS)
    match = Match(game, load_scenario(game), (find_player(game, "first"),) * 2, 1)
    with pytest.raises(
        PolicyError,
        match=r"In words: it chose an action that this game does not have; legal: take one at 0, take one at 1",
    ):
        Batch(match).play(range(1))


def test_a_constant_that_becomes_another_number_is_said_with_what_to_write():
    error = TypeError("No conversion from int64 to Literal[int](-1) for 'best', defined at game.py (37)")
    assert (
        mistakes.sentence(error) == "best starts as a constant and is assigned another number later: write `best = -1`"
    )
