"""How the legal actions of short games are listed: as plain enumeration lists them, asked of less (`simcore.short.listing`)."""

import ast
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from bartizan.simcore.arrays import as_records
from bartizan.simcore.compile.jit import as_it_stands, jit
from bartizan.simcore.compile.loops import new_states
from bartizan.simcore.conformance import check_listing
from bartizan.simcore.errors import EngineError, UsageError
from bartizan.simcore.game import game_from_file, load_game, load_module
from bartizan.simcore.play.batch import play_games
from bartizan.simcore.play.state_space import Uncompiled
from bartizan.simcore.rng import below, seed_luck
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.short import proofs, words, writing
from bartizan.simcore.short.listing import cut
from bartizan.simcore.short.proofs import Proofs
from bartizan.simcore.short.reading import read
from tests.matches import match_of

SHORT = Path(__file__).parents[2] / "examples" / "short"
GAMES = sorted(path.stem for path in SHORT.glob("*.py"))
HEAD = """\"\"\"A game of many arguments.\"\"\"

from bartizan.short import *

players = (3, 2)
deck = Deck({"Red": 9, "Green": 6, "Blue": 3})
hand = Hand(deck, 6)
market = Pile(deck)
chips = Tokens(9)
highest, at_place, asked = Counter(), Counter(), Counter()
row = Row(4)


def setup(s, n):
    deal(s, s.deck, s.hand, 4)
    for _ in range(6):
        draw(s.deck, s.market)


"""
RULES = {  # the condition of `act` -> what is in the list of its legal actions
    # a condition without an argument is asked once
    "amount: range(1, 40) | return s.highest < 20 and amount > 3": "if state.highest < 20:\\n    for",
    # bounds of the loop
    "amount: range(1, 40) | return s.highest < amount <= s.chips[s.me]": "range(max(1, max(0, state.highest) + 1), min(40,",
    "amount: range(40) | return amount == s.highest": "range(max(0, state.highest), min(40, min(39, state.highest) + 1))",
    # asked in the loop of the first argument
    "target: others; amount: range(9) | return s.chips[target] > 2 and amount > s.highest": "if state.chips[target] > 2:\\n            for amount",
    # the same, of what stands behind a condition on the second one
    "target: others; amount: range(9) | return amount > 2 and has(s.hand[target], RED)": "if has(state.hand[target], RED):\\n            for amount",
    # nothing is asked before what protects it: an index that may be out of range
    "amount: range(9) | return s.at_place < 4 and s.row[s.at_place] == amount": "if can_act(state, tables, amount):",
    "target: others; amount: range(9) | return amount < s.row[s.at_place] and s.chips[target] > 0": "for amount in range(0, 9):\\n            if can_act",
    # a division by what may be 0
    "target: others; amount: range(9) | return amount // s.highest > 1 and s.chips[target] > 0": "for amount in range(0, 9):\\n            if can_act",
    # a loop that may not end
    "amount: range(9); target: others | return _long(s) > 2 and amount > 3 and s.chips[target] > 1": "if can_act(state, tables, amount, target)",
}
HELPERS = """

def _long(s):
    i = 0
    while i < s.highest:
        i += 1
    return i


def go_on(s, n):
    s.highest = (s.highest + 1) % 7
    s.at_place = s.at_place + 1
    if s.turn > 40:
        tie(s, "enough")
    next_player(s)
"""


def written(folder: Path, arguments: str, condition: str, more: str = HELPERS) -> Path:
    names = ", ".join(one.split(":")[0].strip() for one in arguments.split(";"))
    path = folder / "many.py"
    body = condition.replace("\n", "\n    ")
    rules = f"def can_act(s, n, {names}):\n    {body}\n\n\ndef act(s, n, {arguments.replace(';', ',')}):\n    s.asked = 0\n    next_player(s)\n"
    path.write_text(HEAD + rules + more, encoding="utf-8")
    return path


def uncompiled(engine):
    """The rules as plain Python."""
    plain = Uncompiled({})
    return SimpleNamespace(
        **{
            name: plain.copy(getattr(engine, name))
            for name in ("legal_actions", "every_action", "reset", "apply")
            if getattr(engine, name)
        }
    )


@cache
def positions(path: Path, most: int, games: int):
    """(match, tables, [position]) of random games, played as plain Python."""
    game = game_from_file(path)
    engine, scenario = game.engine(), load_scenario(game)
    tables, rules = as_records(engine.build_tables(scenario))[0], uncompiled(engine)
    engine = replace(engine, every_action=as_it_stands(rules.every_action))
    choice, found = np.random.default_rng(1), []
    legal = np.zeros(engine.max_legal, np.int32)
    with np.errstate(all="ignore"):
        for number in range(games):
            states = new_states(engine)
            state = as_records(states)[0]
            seed_luck(state, np.uint64(1), np.uint64(number))
            rules.reset(state, tables)
            for _ in range(most):
                if state.end_reason:
                    break
                found.append(as_records(states.copy())[0])
                n = rules.every_action(state, tables, legal)
                rules.apply(state, tables, int(choice.choice(legal[:n])))
    return SimpleNamespace(engine=engine, scenario=scenario), tables, found


def hold(match, tables, found, lists) -> None:
    """Raises EngineError where `check` does."""
    room = np.zeros(match.engine.max_legal, np.int32)
    with np.errstate(all="ignore"):
        for state in found:
            check_listing(match, state, tables, room[: lists(state, tables, room)], "here")


@pytest.mark.parametrize("name", [name for name in GAMES if "pig" not in name and name != "kuhn"])  # nothing to cut
def test_the_gallery_is_listed_as_enumerated(name):
    match, tables, found = positions(SHORT / f"{name}.py", 12, 2)
    hold(match, tables, found, uncompiled(match.engine).legal_actions)
    assert len(found) > 5


@pytest.mark.parametrize("rule", RULES)
def test_a_condition_is_asked_where_its_arguments_are_known_unless_it_may_fail(rule, tmp_path):
    arguments, condition = rule.split(" | ")
    path = written(tmp_path, arguments, condition)
    game = read(path, load_module(path, "game"))
    proofs = Proofs(game, writing._constants(game))
    assert RULES[rule].replace("\\n", "\n") in "\n".join(cut(game, game.actions[0], proofs).lines)
    if game_from_file(path).engine().every_action:
        match, tables, found = positions(path, 9, 2)
        hold(match, tables, found, uncompiled(match.engine).legal_actions)


def test_what_a_guard_protects_fails_as_it_did(tmp_path):
    """Of a row, place 4 is asked for in the fifth turn: listed as enumerated, it fails alike."""
    path = written(
        tmp_path, "target: others; amount: range(9)", "return s.chips[target] > 0 and s.row[s.at_place] == amount"
    )
    game = game_from_file(path)
    rules, tables = (uncompiled(game.engine()), as_records(game.engine().build_tables(load_scenario(game)))[0])
    state = as_records(new_states(game.engine()))[0]
    with np.errstate(all="ignore"):
        rules.reset(state, tables)
    state.at_place, room = 4, np.zeros(100, np.int32)
    for lists in (rules.legal_actions, rules.every_action):
        with pytest.raises(IndexError):
            lists(state, tables, room)


def test_the_long_form_enumerates(tmp_path):
    """Whoever edits a rule there need not know of loops that were cut by it."""
    text, _ = writing.written_out(SHORT / "forbidden_island.py", "island")
    assert "every_action" not in text and "if can_lift(state, tables, group, to):" in text


# ---------------------------------------------------------------- wrong cuts

OTHER = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


def wrong_cuts(functions: ast.Module):
    """Copies of the functions that list, each with one condition or bound changed."""
    nodes = list(ast.walk(functions))
    for at, node in enumerate(nodes):
        changes = []
        if isinstance(node, ast.If):
            changes = [
                lambda one: setattr(one, "test", ast.Constant(False)),
                lambda one: setattr(one, "test", ast.UnaryOp(ast.Not(), one.test)),
            ]
        elif isinstance(node, ast.Compare) and type(node.ops[0]) in OTHER:
            changes = [lambda one: one.ops.__setitem__(0, OTHER[type(one.ops[0])]())]
        elif isinstance(node, ast.BoolOp):
            changes = [
                lambda one: setattr(one, "op", ast.Or() if isinstance(one.op, ast.And) else ast.And()),
                lambda one: one.values.pop(0) if len(one.values) > 2 else None,
            ]
        elif isinstance(node, ast.For) and isinstance(node.iter, ast.Call):
            changes = [
                lambda one: one.iter.args.__setitem__(-1, ast.BinOp(one.iter.args[-1], ast.Sub(), ast.Constant(1)))
            ]
        for change in changes:
            other = deepcopy(functions)
            change(list(ast.walk(other))[at])
            yield ast.fix_missing_locations(other)


def mutants(name: str):
    """(what is wrong, match, tables, positions, the list) of a game, one wrong cut after the other."""
    path = SHORT / f"{name}.py"
    match, tables, found = positions(path, 30, 8)
    lists = uncompiled(match.engine).legal_actions
    text = writing.long_game(read(path, load_module(path, "game")), follows=False)
    own = [
        node
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef)
        and (node.name == "legal_actions" or node.name.startswith(("may_", "list_")))
    ]
    for node in own:
        node.decorator_list.clear()
    for tree in wrong_cuts(ast.Module(own, [])):
        meanings = dict(lists.__globals__)
        exec(compile(tree, "mutant", "exec"), meanings)
        yield match, tables, found, meanings["legal_actions"]


def caught(name: str) -> tuple[int, int]:
    """(wrong cuts that `check` names with the rule, all of them); those that change no list of these positions are
    not named.
    """
    named = every = 0
    for mutant in mutants(name):
        every += 1
        try:
            hold(*mutant)
        except EngineError as error:
            assert f"{name}.py:" in str(error) and "differs from the result of calling can_" in str(error), error
            named += 1
        except (IndexError, NameError, ValueError, OverflowError):
            named += 1
    return named, every


def test_check_names_wrong_cuts():
    named, every = caught("love_letter")
    assert every >= 20 and named >= 0.75 * every, (named, every)


@pytest.mark.slow
def test_check_names_two_hundred_wrong_cuts():
    counts = {name: caught(name) for name in GAMES}
    named, every = map(sum, zip(*counts.values(), strict=True))
    assert named >= 200 and named >= 0.75 * every, counts


# ---------------------------------------------------------------- many positions


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_hundred_thousand_positions_are_listed_as_enumerated(name):
    engine = load_game(str(SHORT / f"{name}.py")).compiled
    if engine.every_action is None:
        return
    reset, lists, enumerates, apply = engine.reset, engine.legal_actions, engine.every_action, engine.apply

    @jit
    def differing(states, blank, tables, one, other, most):
        seen, game = 0, 0
        while seen < most:
            states[0] = blank[0]
            seed_luck(states[0], 5, game)
            reset(states[0], tables)
            game += 1
            while states[0].end_reason == 0 and seen < most:
                n, k = lists(states[0], tables, one), enumerates(states[0], tables, other)
                seen += 1
                if n != k or not (one[:n] == other[:n]).all():
                    return seen
                apply(states[0], tables, one[below(states[0], 6, n)])
        return 0

    rooms = [np.zeros(engine.max_legal + 4096, np.int32) for _ in range(2)]
    tables = as_records(engine.build_tables(load_scenario(load_game(str(SHORT / f"{name}.py")))))[0]
    assert differing(new_states(engine), new_states(engine), tables, *rooms, 100_000) == 0


# ---------------------------------------------------------------- words, each against what it says at length


def test_steps_regions_and_neighbours_are_those_that_are_searched_for():
    luck = np.random.default_rng(0)
    for rows, columns in ((1, 1), (1, 5), (4, 1), (2, 2), (3, 4), (6, 6), (2, 31), (8, 8)):
        for _ in range(12):
            grid = luck.integers(0, 3, (rows, columns))
            cell, goal = (int(one) for one in luck.integers(-1, grid.size + 1, 2))
            least, most = sorted(map(int, luck.integers(0, 3, 2)))
            for aslant in (False, True):
                beside = goal >= 0 and goal in [words.neighbour(grid, cell, way) for way in range(8 if aslant else 4)]
                assert words.adjacent(grid, cell, goal, aslant) == beside
            if 0 <= cell < grid.size:
                assert words.steps(grid, cell, goal, least, most) == words._flood(grid, cell, goal, least, most)[1]
                assert (
                    words.region(grid, cell)
                    == words._flood(grid, cell, words.NONE, grid.flat[cell], grid.flat[cell])[0]
                )


@pytest.mark.parametrize(
    ("more", "kind"),
    [
        ("    s.out[0] = 300\n", "int8"),
        ("    lay(s.out, 0, 300 + s.highest)\n", "int8"),
        ("    put(s.market, 70000 * 70000)\n", "int32"),
    ],
)
def test_a_number_that_does_not_fit_the_state_stops_a_game(more, kind, kept_path):
    path = written(
        kept_path,
        "amount: range(9)",
        "return amount > 3",
        HELPERS.replace("    s.highest = (s", f"{more}    s.highest = (s"),
    )
    with pytest.raises(EngineError, match=f"OverflowError: .*{kind}"):
        list(play_games(match_of(path), range(9)))


def test_print_is_named_in_rules(tmp_path):
    path = tmp_path / "loud.py"
    path.write_text(
        (SHORT / "pig.py").read_text(encoding="utf-8").replace("    s.stake = 0\n", "    print(s.stake)\n"),
        encoding="utf-8",
    )
    with pytest.raises(UsageError, match=r"loud\.py:\d+: print works only with --plain"):
        game_from_file(path)


def test_a_neighbour_may_lie_outside_the_grid():
    """Else a rule that reads the grid there would lose its check."""
    assert proofs._cell([SimpleNamespace(lengths=(3, 4))]) == proofs.Span(-1, 11)
