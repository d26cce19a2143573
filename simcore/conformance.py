"""Checks of the contract that every game must satisfy, used by `bartizan check` and the games' own tests.

A check that fails raises EngineError, or PolicyError if a policy is at fault.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from bartizan.simcore import rng
from bartizan.simcore.arrays import Record, as_records
from bartizan.simcore.compile import mistakes
from bartizan.simcore.compile.cache import is_ours
from bartizan.simcore.compile.cuts import check_integers
from bartizan.simcore.compile.habits import GAMES_LUCK, PLAYERS_LUCK, bad_habit
from bartizan.simcore.compile.identity import is_by_content
from bartizan.simcore.compile.loops import compile_rules, naming_mistakes, new_row, new_states, rule_arguments
from bartizan.simcore.compile.memory import MEMORY
from bartizan.simcore.compile.rules import FIRST_GAME_REASON, PLAYING, PLY_CAP
from bartizan.simcore.ends import End, ends_of, match_with_room, pairs_of, spread, too_narrow, with_room
from bartizan.simcore.errors import BartizanError, EngineError, PolicyError, ScenarioError
from bartizan.simcore.game import Engine, Game
from bartizan.simcore.play.batch import Batch, play_games
from bartizan.simcore.play.failures import (
    after_the_end,
    follow,
    in_rule,
    in_words,
    nothing_allowed,
    snapshot,
    written_in,
)
from bartizan.simcore.play.match import Match, Player, function_for
from bartizan.simcore.play.replay import say, set_up
from bartizan.simcore.scenario.loading import Scenario, load_scenario, scenario_names
from bartizan.simcore.scenario.model import data_records

GAMES = 20  # random games that a check plays step by step
BATCH = 3000
DEALS = 2  # redeals of hidden cards per decision
DRAWS, DOUBT = 64, 1e-6  # calls of a policy that draws random numbers; probability of a false alarm
LOOKED_AT = 5  # games in which a user's rules are checked before the policies
# policies are checked at each of the first plies, then at every fourth; SHARED policies at every fourth only
ASKED_FIRST, ASKED_EVERY = 40, 4
SHARED = ("random", "newcomer")
MOST_ENDS, END_GAMES = 40, 5  # limits of the ranges of --set; games at each
PAIRS, MANY_PAIRS = 10, 500  # pairs of limits of two values at once; the second number with `--ends`
FIRST_PLIES = 300  # plies checked step by step at the limit of a range
LONG = 2000  # plies after which a check asks whether the game ends at all
ROWS = "rows: "  # prefix of the lines of `check_batches` that contain a digest
BEYOND = 4096  # room behind a list, to detect writes beyond its end
UNWRITTEN = np.int32(-(2**31))
Seated = Callable[[Scenario], tuple[Player, ...]]
HOUSE_COLUMNS = {"game", "plies", "end_reason"}  # columns of a record that the game does not write
DRAWS_POLICY_LUCK = (
    f"draws from stream {rng.POLICY}, which is reserved for policies: use 0 to {rng.POLICY - 1}"
)


def check_game(
    game: Game,
    players: Iterable[Player],
    random_player: Player,
    batches: Iterable[str] | None = None,
    hold: Callable[[], None] = lambda: None,
    doing: Callable[[str], None] = lambda what: None,
) -> Iterator[str]:
    """Yield one line for each check that passes; raise EngineError or PolicyError at the first that fails.

    players: if this is an iterator, it is read after the rules are compiled. batches: the lines of
    `check_batches`, perhaps from another process. hold: called before the first game; raises EngineError for
    rules that never end. doing: called with a description of the current check.
    """
    yield from check_scenarios(game)
    lines = iter(check_batches(game, random_player, doing=doing) if batches is None else batches)
    doing("compiling the rules")
    check_habits(game.compiled.followed())
    if game.compiled.unknowable:
        yield f"note: rollouts, lookahead and newcomer are not available: {game.compiled.unknowable}"
    elif game.compiled.untold:
        yield f"note: {game.compiled.untold}"
    engine = game.compiled.followed()
    compiled_players = [as_played(_for_engine(player, engine, game), engine) for player in players]
    hold()
    for scenario in each_scenario(game):
        match, label = _random_match(game, scenario, random_player), _label(scenario)
        doing(f"{label}: random games, with all checks at each decision")
        with naming_mistakes(match.engine):
            # an error in a rule is not a fault of a player that simulates with it
            first = range(LOOKED_AT if place_of(match.engine.apply) else 0)
            asked = set().union(*(walk(match, number, []) for number in first))
            for number in range(GAMES):
                asked |= walk(match, number, compiled_players, are_rules_checked=number in first)
        yield (
            f"{label}: {GAMES} random games: legal actions are never empty or repeated, and each can "
            f"be applied; policies leave the state unchanged{_also(game)}"
        )
        following = "" if match.engine is game.compiled else digest_of(_played(match))
        for line in lines:
            if line.startswith(ROWS):
                own = line.removeprefix(ROWS)
                _hold(
                    following in ("", own),
                    f"{game.name}: tracking known cards changes the games; this is a bug in Bartizan: please "
                    "report it",
                )
                break
            yield line
        if remark := never_asked(match, asked):
            yield f"note: {label}: {remark}"
    yield from lines


def check_batches(
    game: Game,
    random_player: Player,
    every_end: bool = False,
    defaults: Seated | None = None,
    doing: Callable[[str], None] = lambda what: None,
) -> Iterator[str]:
    """Check many games at once: yield lines as `check_game` does.

    After each scenario, one line contains the digest of its games (ROWS).

    every_end: simulate both ends of the range of every value that `--set` can change, in every scenario. If
    False, simulate a sample of them in the default scenario.
    defaults: function from a scenario to the default policies by seat; None: only `random_player` plays.
    """
    for scenario in each_scenario(game):
        # the plain engine: the one that tracks cards stores piles as 64-bit words with marks
        match, label = _random_match(game, scenario, random_player, deals=False), _label(scenario)
        doing(f"{label}: games alone and in a batch, which are compiled first")
        rows = check_alone(match)
        yield f"{label}: games are identical alone and in a batch, and on one and two threads"
        if place_of(match.engine.apply):
            for place, word in after_the_end(match, GAMES).items():
                yield (
                    f"note: {place}: {word} after the end of the game has no effect: put it in an else "
                    "branch, or return after the end"
                )
        if remark := one_winner(match, rows):
            yield f"note: {label}: {remark}"
        yield ROWS + digest_of(rows)
    for scenario in each_scenario(game) if every_end else [load_scenario(game)]:
        yield from check_ends(game, scenario, random_player, every_end, defaults, doing)


def _random_match(game: Game, scenario: Scenario, random_player: Player, deals: bool = True) -> Match:
    return Match(game, scenario, (random_player,) * len(game.roles_in(scenario)), 20_16, deals=deals)


def _played(match: Match, jobs: int = 1) -> np.ndarray:
    return np.concatenate(list(play_games(match, range(BATCH), jobs)))


def digest_of(rows: np.ndarray) -> str:
    """Return a SHA-256 (hex) of rows, without the padding between their columns."""
    columns = (rows[name].tobytes() for name in rows.dtype.names or ())
    return hashlib.sha256(b"".join(columns)).hexdigest()


def _label(scenario: Scenario) -> str:
    return f"{scenario.name}, {scenario.difficulty}"


def _for_engine(player: Player, engine: Engine, game: Game) -> Player:
    """Return a player whose function is compiled for one of the game's engines.

    A user's player is returned unchanged, because `as_played` compiles it.
    """
    if _is_from_outside(player):
        return player
    return replace(player, function=function_for(player, engine, game))


def _also(game: Game) -> str:
    engine = game.compiled.followed()
    progress = f"progress of {', '.join(engine.rare)} begins at 0 and does not change the state"
    checks = {
        "features leave it unchanged too": engine.features,
        "redealing keeps the set of cards and what each seat knows": engine.shuffle_unseen,
        progress: engine.rare,
    }
    return "".join(f"; {words}" for words, declared in checks.items() if declared)


def each_scenario(game: Game):
    for name in scenario_names(game.scenarios):
        base = load_scenario(game, name)
        for difficulty in base.model.difficulties():
            yield load_scenario(game, name, difficulty)


def check_habits(engine: Engine) -> None:
    """Check that a user's rules use only the game's random streams.

    Also check that they hide no errors and truncate no fractions.
    """
    rules = rule_arguments(engine)
    outside = [(rule.py_func, place) for rule, _ in rules if (place := place_of(rule))]
    for function, place in outside:
        habit = bad_habit(function, GAMES_LUCK)
        _hold(not habit, f"{place}{habit}")
    if outside:
        compile_rules(engine)
    check_integers(rules)


@cache
def place_of(rule: Any) -> str:
    """Return `FILE:LINE: ` for a rule in a user's file; "" for a built-in rule."""
    function = rule.py_func
    return "" if is_ours(Path(function.__code__.co_filename)) else f"{mistakes.head_of(function)}: "


def check_scenarios(game: Game) -> Iterator[str]:
    """Check that every scenario is valid at every difficulty, and that every assumption has a reason."""
    for scenario in each_scenario(game):
        for path, datum in data_records(scenario.model):
            if datum.confidence in ("inferred", "assumed") and not (datum.why or datum.note):
                raise EngineError(
                    f"{scenario.path}: {path}: the value is {datum.confidence} without a reason; "
                    'state it as why = "..."'
                )
        yield (
            f"{scenario.name}, {scenario.difficulty}: valid, {sum(scenario.confidence.values())} "
            f"values, {scenario.assumed} of them assumed"
        )


def check_players(
    game: Game, players: list[Player], random_player: Player, ends: Iterable[str] = ()
) -> Iterator[str]:
    """Check the policies of a game whose rules have passed `check_game`, in the same random games.

    Yields and raises as `check_game` does.

    ends: the iterator of `check_default_players`, perhaps from another process.
    """
    engine = game.compiled.followed()
    players = [as_played(_for_engine(player, engine, game), engine) for player in players]
    for scenario in each_scenario(game) if players else ():
        match = _random_match(game, scenario, random_player)
        for number in range(GAMES):
            walk(match, number, players, are_rules_checked=True)
    for _ in ends:
        pass
    names = ", ".join(player.name for player in players) or "none"
    yield (
        "the rules are unchanged since they passed these checks; changed policies, checked in "
        f"{GAMES} random games: {names}"
    )


def check_default_players(game: Game, defaults: Seated) -> Iterator[str]:
    """Check the default policies with values at both ends of their ranges (`--set`).

    Yields no lines, and raises the errors of `check_ends`.
    """
    for _ in check_ends(game, load_scenario(game), None, defaults=defaults):
        yield from ()


def walk(match: Match, number: int, players: list[Player], are_rules_checked: bool = False) -> set[int]:
    """Play one random game step by step with all checks, and return the seats that had to decide.

    Raises EngineError if the game does not end.

    are_rules_checked: the rules have passed these checks. Skip them, and return an empty set.
    """
    engine, tables = match.engine, match.tables()
    built = tables.tobytes()
    states = new_states(engine, 2)  # the second state is a guard that must stay empty
    state = set_up(engine, states, tables, match.seed, number)
    choice = np.random.default_rng(number)
    game = f"{match.game.name}, {match.scenario.difficulty}, seed {match.seed}, game {number}"
    seated = with_rows(engine, players)
    own = [one for one in seated if one[0].name.partition("@")[0] not in SHARED]
    check_luck(state, match.seed, number, game)
    look_at_progress(match, states, tables, game, at_start=True)
    asked: set[int] = set()
    room = np.zeros(engine.max_legal, np.int32)
    for ply in range(match.ply_cap):
        where = f"{game}, ply {ply}"
        if state.end_reason != PLAYING:
            check_end(match, state, tables, where)
            return asked
        if are_rules_checked:
            legal = room[: engine.legal_actions(state, tables, room)].copy()
        else:
            check_seat(match, state, engine.apply if ply else engine.reset, where)
            asked.add(int(state.to_move))
            legal = check_legal(match, states, tables, built, where)
        rng.next_policy_luck(state)
        every = (ply + number) % ASKED_EVERY == 0
        if every or (ply < ASKED_FIRST and own):
            check_policies(match, states, tables, built, legal, seated if every else own, where)
        action = legal[choice.integers(len(legal))]  # `choice` takes five times as long
        if are_rules_checked:
            engine.apply(state, tables, action)
            continue
        if ply % 7 == 0:
            check_features(engine, tables, states, where)
            check_dealing(engine, tables, states, where)
        check_apply(match, states, tables, built, action, where)
        look_at_progress(match, states, tables, where)
        if ply == LONG and Batch(match).play(range(number, number + 1))["end_reason"][0] == PLY_CAP:
            break  # the remaining plies need no check
    raise EngineError(
        f"{place_of(engine.apply)}{game} does not end within {match.ply_cap:,} plies; check the rule that "
        "ends it: a short game calls `win`, `lose` or `tie`, and the full form sets `state.end_reason` in "
        "apply"
    )


def check_luck(state: Record, seed: int, number: int, where: str) -> None:
    """Check that the set-up uses the game's own random streams, and not the stream of the policies."""
    fresh = as_records(np.zeros(1, rng.LUCK_FIELDS))[0]
    rng.seed_luck(fresh, seed, number)
    _hold(state.luck[rng.POLICY] == fresh.luck[rng.POLICY], f"{where}: reset {DRAWS_POLICY_LUCK}")


def check_seat(match: Match, state: Record, rule: Any, where: str) -> None:
    """Check that a seat of the game is to move. rule: the rule that set the seat."""
    seats = match.game.roles_in(match.scenario)
    named = ", ".join(f"{seat} {role}" for seat, role in enumerate(seats))
    _hold(
        0 <= state.to_move < len(seats),
        f"{place_of(rule)}{where}: seat {state.to_move} is to move; set the number of a seat: {named}",
    )


def recorded(engine: Engine, state: Record, tables: Record) -> bytes:
    """Return the record that would be written now. Uses a copy, because a state may hold scratch space."""
    row = np.zeros(1, engine.record_dtype)
    follow(engine.write_record, "the record", state, tables, as_records(row)[0])
    return row.tobytes()


def check_legal(match: Match, states: np.ndarray, tables: Record, built: bytes, where: str) -> np.ndarray:
    """Check the contract of legal_actions, and return the legal actions.

    built: bytes of the tables before the game, read once because the tables of Colditz take 6 MB.
    """
    engine, state = match.engine, as_records(states)[0]
    kept = _untouchable(states)
    legal, once = list_legal(match, state, tables, where), recorded(engine, state, tables)
    if engine.every_action:
        check_listing(match, state, tables, legal, where)
    again, twice = list_legal(match, state, tables, where), recorded(engine, state, tables)
    where = f"{place_of(engine.legal_actions)}{where}"
    _hold(
        _untouchable(states) == kept and tables.tobytes() == built,
        f"{where}: legal_actions changed the random state, the seat to move or the tables; it may write "
        "only `legal`",
    )
    _hold(
        once == twice,
        f"{where}: legal_actions changes the record each time it is called; it may write only `legal`",
    )
    _hold(
        np.array_equal(legal, again),
        f"{where}: legal_actions lists different actions when called again; it must depend only on the state",
    )
    n = len(legal)
    _hold(len(set(legal.tolist())) == n, f"{where}: a legal action is listed twice; list each action once")
    for action in legal.tolist() if engine.acts else ():
        kind = action // engine.arguments
        _hold(
            kind in engine.acts.values(),
            f"{where}: action {action} is of kind {kind} (arguments={engine.arguments}), which is "
            "missing from `acts`",
        )
    return legal


def check_listing(match: Match, state: Record, tables: Record, legal: np.ndarray, where: str) -> None:
    """Check that the legal actions equal the result of plain enumeration, in the same order.

    Raises EngineError with the name of the rule. Such an error is a bug in Bartizan.
    """
    engine, room = match.engine, np.zeros(match.engine.max_legal + BEYOND, np.int32)
    assert engine.every_action
    every = room[: follow(engine.every_action, where, state, tables, room)].tolist()
    listed = legal.tolist()
    if listed == every:
        return
    missing = [action for action in every if action not in listed]
    added = [action for action in listed if action not in every]
    odd = (missing or added or every)[0]
    what = "is missing" if missing else "is not legal" if added else "is in a different position"
    name = next((name for name, kind in engine.acts.items() if kind == odd // engine.arguments), "")
    lists = getattr(engine.legal_actions, "py_func", engine.legal_actions)
    rule = lists.__globals__.get(f"can_{name}", engine.legal_actions)
    place = mistakes.head_of(getattr(rule, "py_func", rule))
    raise EngineError(
        f"{place}: {name}: the list of legal actions differs from the result of calling can_{name} for "
        f"every value: {_worded(match, state, tables, odd)} {what} ({where}). This is a bug in "
        "Bartizan: please report it. Until it is fixed, use the game that `bartizan new game NAME --from "
        "FILE` writes, which lists its actions by plain enumeration"
    )


def list_legal(match: Match, state: Record, tables: Record, where: str) -> np.ndarray:
    """Return the legal actions: int32. Raises EngineError if there is none, or more than max_legal."""
    engine = match.engine
    room = np.full(engine.max_legal + BEYOND, UNWRITTEN, np.int32)
    n = follow(engine.legal_actions, where, state, tables, room[: engine.max_legal])
    if n == 0:
        if engine.every_action:  # is the fault in Bartizan's own listing?
            check_listing(match, state, tables, room[:0], where)
        raise EngineError(nothing_allowed(match, state, tables, where))
    most, where = f"more than max_legal = {engine.max_legal}", f"{place_of(engine.legal_actions)}{where}"
    _hold(n > 0, f"{where}: legal_actions returns {n}, but a game that has not ended needs at least 1")
    _hold(n <= engine.max_legal, f"{where}: {n} legal actions, {most}")
    _hold((room[engine.max_legal :] == UNWRITTEN).all(), f"{where}: legal_actions lists {most}")
    return room[:n].copy()


def _untouchable(states: np.ndarray) -> list:
    """Return copies of the parts of a state that listing must not change.

    Rules may use working space in the state.
    """
    fields = ("luck_key", "luck", "end_reason", "to_move")
    return [states[field].tobytes() for field in fields]


def check_apply(
    match: Match, states: np.ndarray, tables: Record, built: bytes, action: np.int32, where: str
) -> None:
    """Apply one action, and check that nothing but the state changes.

    The random stream of the policies must not change either.
    """
    engine, state = match.engine, as_records(states)[0]
    luck = int(state.luck[rng.POLICY])
    if engine.describe_action:
        say(engine.describe_action, str, state, tables, int(action), match.scenario)
    follow(engine.apply, where, state, tables, action)
    where = f"{place_of(engine.apply)}{where}"
    _hold(tables.tobytes() == built, f"{where}: apply changed the tables; it may change only the state")
    _hold(int(state.luck[rng.POLICY]) == luck, f"{where}: apply {DRAWS_POLICY_LUCK}")
    _hold(
        not states[1:].view(np.uint8).any(),
        f"{where}: apply wrote past the end of the state; check its indices",
    )
    if engine.check:
        _hold(not (fault := engine.check(state, tables)), f"{where}: {fault}")
    if engine.describe_events:
        say(engine.describe_events, list, state, tables, match.scenario)


def check_end(match: Match, state: Record, tables: Record, where: str) -> None:
    """Check a finished game: its end reason is declared, its record complete and its winner valid."""
    engine, reason = match.engine, int(state.end_reason)
    known = ", ".join(f"{code} {name}" for code, name in engine.end_reasons.items())
    _hold(
        reason in engine.end_reasons,
        f"{place_of(engine.apply)}{where}: the game ends with end_reason {reason}, which `end_reasons` "
        f"does not declare ({known}; values below {FIRST_GAME_REASON} are reserved)",
    )
    row = check_record(engine, state, tables, where)
    seats = len(match.players)
    _hold(
        -3 <= row["winner"] < seats,
        f"{place_of(engine.write_record)}{where}: record.winner is {row['winner']}, which is not a "
        f"seat: use 0 to {seats - 1}, NOBODY (-1) or HOUSE (-3)",
    )


def check_record(engine: Engine, state: Record, tables: Record, where: str) -> np.void:
    """Check that `write_record` sets every column, whatever the previous contents; return the row."""
    rows = [np.full(engine.record_dtype.itemsize, byte, np.uint8) for byte in (0, 255)]
    zeros, ones = (row.view(engine.record_dtype) for row in rows)
    for row in (zeros, ones):
        follow(engine.write_record, where, state, tables, as_records(row)[0])
    for column in set(engine.record_dtype.names or ()) - HOUSE_COLUMNS:
        is_set = zeros[column].tobytes() == ones[column].tobytes()
        _hold(is_set, f"{place_of(engine.write_record)}{where}: write_record does not set `{column}`")
    return zeros[0]


def check_ends(
    game: Game,
    scenario: Scenario,
    random_player: Player | None,
    every: bool = False,
    defaults: Seated | None = None,
    doing: Callable[[str], None] = lambda what: None,
) -> Iterator[str]:
    """Check each value that `--set` can change, at both ends of its range, and random pairs of these values.

    Games must be playable, or the value must be rejected with a one-line message.

    No list of legal actions may exceed `max_legal`, and numbers must fit their fields, in games of random
    policies and of the `defaults`. A user's code raises an error for a number that does not fit
    (`compile.wraps`); the records of built-in games must equal those of games with 64-bit integers.

    random_player: None if the random games have passed. every: check all values instead of a sample, and give
    the states of built-in games 64-bit integers too.
    """
    all_ends = ends_of(scenario)
    ends = [(path, value) for path, value in all_ends if every or path != game.players_path]
    tried = spread(ends, len(ends) if every else MOST_ENDS)
    pairs = pairs_of(ends, MANY_PAIRS if every else PAIRS)
    roomy = None if place_of(game.compiled.write_record) else with_room(game.compiled, every)

    def played(values: Sequence[tuple[End, ...]]) -> int:
        n = 0
        for one in values:
            doing(f"{_label(scenario)}: games with {_sets(one)}")  # named if a game at this limit never ends
            n += _holds_at(one, game, scenario, (random_player, defaults), roomy)
        return n

    is_part = len(tried) < len(all_ends)
    of_all, all_of_them = (f" sampled from {len(all_ends):,}", " (--ends tests all)") if is_part else ("", "")
    by = "random and default policies" if defaults else "random policies"
    n_tried, n_pairs = played([(end,) for end in tried]), played(pairs)
    yield (
        f"{scenario.name}, {scenario.difficulty}: of {len(tried):,}{of_all} range limits and choices of "
        f"--set{all_of_them}, {n_tried:,} were simulated with {by} and {len(tried) - n_tried:,} rejected "
        f"with a message; of {len(pairs):,} pairs of them, {n_pairs:,} were simulated and "
        f"{len(pairs) - n_pairs:,} rejected; all numbers fit their fields"
    )


def _sets(ends: tuple[End, ...]) -> str:
    return " ".join(f"--set {path}={value}" for path, value in ends)


def _holds_at(
    ends: tuple[End, ...],
    game: Game,
    scenario: Scenario,
    who: tuple[Player | None, Seated | None],
    roomy: Engine | None,
) -> bool:
    """Check a scenario with changed values.

    Return False if it is rejected; raise EngineError if a game fails with these values.

    who: the random player, and the function that returns the default policies by seat; either may be None.
    """
    random_player, defaults = who
    where = f"{game.name}, {scenario.difficulty}, {_sets(ends)}"
    try:
        named = str(scenario.path) if scenario.path.parent != game.scenarios else scenario.path.stem
        other = load_scenario(game, named, scenario.difficulty, {**scenario.overrides, **dict(ends)})
    except ScenarioError:
        return False
    players = (random_player,) * len(game.roles_in(other)) if random_player else ()
    match = Match(game, other, players, 20_16)
    if not is_by_content(match.engine.legal_actions):  # of the short form: it has room for all
        with naming_mistakes(match.engine):
            check_room(match, f"{place_of(match.engine.write_record)}{where}")
    line_ups = [match.players] if random_player else []
    line_ups += [seated] if defaults and _is_quick(seated := defaults(other)) else []
    for players in line_ups:
        _check_width(replace(match, players=players), where, roomy)
    return True


def _is_quick(players: tuple[Player, ...]) -> bool:
    """Return whether no player looks ahead or learns before its games.

    Players that do are slow, and other players test the same rules.
    """
    return not any(player.deals or player.learn for player in players)


def _check_width(match: Match, where: str, roomy: Engine | None) -> None:
    """Raise EngineError if games fail, or if their records need wider integers.

    roomy: the engine with 64-bit integers, whose records are compared; None for users' games, which raise an
    error if a number does not fit.
    """
    place = place_of(match.engine.write_record)
    try:
        with naming_mistakes(match.engine):
            rows = Batch(match).play(range(END_GAMES))
            again = Batch(match_with_room(match, roomy)).play(range(END_GAMES)) if roomy else rows
            differences = too_narrow(rows, again)
    except PolicyError as error:
        raise EngineError(f"{place}{where}: {error}") from error
    for difference in differences:
        who = " vs ".join(dict.fromkeys(player.name for player in match.players))
        raise EngineError(f"{place}{where}, {who}: {difference}")


def check_room(match: Match, where: str) -> None:
    """Check the start of a random game. Raises EngineError.

    No rule may fail, and the legal actions must never exceed `max_legal`.
    """
    engine, tables = match.engine, match.tables()
    state = set_up(engine, new_states(engine), tables, match.seed, 0)
    choice = np.random.default_rng(0)
    for _ in range(FIRST_PLIES):
        if state.end_reason != PLAYING:
            return
        legal = list_legal(match, state, tables, where)
        follow(engine.apply, where, state, tables, legal[choice.integers(len(legal))])


def one_winner(match: Match, rows: np.ndarray) -> str:
    """Return a warning if one of several seats wins every game, because the rules may not set the winner.

    Otherwise, return "".
    """
    winners = set(rows["winner"].tolist())
    if len(match.players) == 1 or len(winners) > 1 or min(winners) < 0:
        return ""
    return f"seat {winners.pop()} wins all {len(rows):,} random games; check that the rules set the winner"


def never_asked(match: Match, asked: set[int]) -> str:
    """Return a warning if a seat never has to decide; otherwise ""."""
    if not asked:
        return f"no decisions in {GAMES} random games; check that reset does not end the game (`end_reason`)"
    idle = [role for seat, role in enumerate(match.game.roles_in(match.scenario)) if seat not in asked]
    return f"{', '.join(idle)}: no decision in {GAMES} random games" if idle else ""


def look_at_progress(
    match: Match, states: np.ndarray, tables: Record, where: str, at_start: bool = False
) -> None:
    """Check rare events: progress must be 0 at the start, and computing it must not change the state."""
    state = as_records(states)[0]
    for name, event in match.game.compiled.rare.items():
        before = states.tobytes()
        now = event.progress(state, tables)
        _hold(
            states.tobytes() == before,
            f"{where}: progress of {name} changed the state; it may only read the state",
        )
        _hold(
            not at_start or now == 0,
            f"{where}: progress of {name} is {now} at the start, before anything has happened; it must "
            "begin at 0",
        )


def check_features(engine: Engine, tables: Record, states: np.ndarray, where: str) -> None:
    """Check the contract of `features`: finite and reproducible numbers, and an unchanged state."""
    if not engine.features:
        return
    before = states.tobytes()
    seen = [np.full(len(engine.features.names), filler) for filler in (np.nan, 7.0)]
    state, write = as_records(states)[0], engine.features.write
    for out in seen:
        follow(write, where, state, tables, engine.features.record(out))
    where = f"{place_of(write)}{where}"
    _hold(
        states.tobytes() == before, f"{where}: write_features changed the state; it may write only `features`"
    )
    _hold(
        np.isfinite(seen[0]).all(),
        f"{where}: write_features leaves a number unset, or writes one that is not finite; write a "
        "finite number into every field",
    )
    _hold(
        (seen[0] == seen[1]).all(),
        f"{where}: write_features depends on the previous contents of its array; set every field",
    )


def check_dealing(engine: Engine, tables: Record, states: np.ndarray, where: str) -> None:
    """Check the contract of `shuffle_unseen` and `determinize`.

    They must not change the end reason, turn, stage, seat to move or legal actions, and the state must pass
    `Engine.check`.
    """
    if engine.shuffle_unseen:
        cards = _dealt_anew(engine, tables, states, f"{where}: redealing", engine.shuffle_unseen)
        _hold(cards >= 0, f"{where}: shuffle_unseen does not return the number of cards dealt; return it")
    if engine.determinize:
        seat = int(states[0]["to_move"])
        _dealt_anew(engine, tables, states, f"{where}: determinize", engine.determinize, seat)


def _dealt_anew(engine: Engine, tables: Record, states, where: str, deal: Callable, *seat: int) -> Any:
    """Call `deal` on a copy of the state, check that it changes only hidden cards, and return its result."""
    other = states.copy()
    state = as_records(other)[0]
    rng.fresh_luck(state, 0)
    try:
        returned = follow(deal, where, state, tables, *seat)
    except EngineError as error:
        if isinstance(
            error.__cause__, ValueError
        ):  # the message has the line, and the cards that cannot be known
            raise EngineError(f"{error.__cause__} ({where})") from error
        raise
    for field in ("end_reason", "to_move", "turn", "stage"):
        kept = field not in engine.state_dtype.names or (other[field] == states[field]).all()
        _hold(kept, f"{where} changed {field}")
    legal = [_legal(engine, tables, them) for them in (states, other)]
    _hold(
        legal[0] == legal[1],
        f"{where} changed the legal actions, so it changed something that the seat knows; redeal only what "
        "is hidden",
    )
    if engine.check:
        _hold(not (fault := engine.check(state, tables)), f"{where}: afterwards {fault}")
    return returned


def _legal(engine: Engine, tables: Record, states: np.ndarray) -> list[int]:
    legal = np.zeros(engine.max_legal, np.int32)
    return legal[: engine.legal_actions(as_records(states.copy())[0], tables, legal)].tolist()


def check_alone(match: Match) -> np.ndarray:
    """Check that rows do not depend on batches or threads; return the rows."""
    one, two = _played(match), _played(match, 2)
    _hold(
        (one == two).all(),
        f"{match.game.name}: two threads play different games from one thread; "
        "rules must keep nothing between games",
    )
    batch = Batch(match)
    for number in (0, 1, BATCH // 2, BATCH - 1):
        _hold(
            batch.play(range(number, number + 1))[0] == one[number],
            f"{match.game.name}: game {number} played alone differs from the same game in a batch; "
            "rules must keep nothing between games",
        )
    return one


def _hold(condition: bool, otherwise: str, kind: type[BartizanError] = EngineError) -> None:
    if not condition:
        raise kind(otherwise)


# ---------------------------------------------------------------- policies

# The contract of a policy, as checks that can fail: it chooses a legal action, repeats its choice, and
# changes nothing but its memory.


def as_played(player: Player, engine: Engine) -> Player:
    """Return a user's policy, compiled for one of the game's engines as in simulations.

    Built-in policies are returned unchanged. Raises PolicyError for actions that are not integers, and for a
    random generator that ignores the seed.
    """
    if not _is_from_outside(player):
        return player
    habit = bad_habit(player.function.py_func, PLAYERS_LUCK)
    _hold(not habit, f"{written_in(player)}: policy {player.name}: {habit}", PolicyError)
    return replace(player, function=player.compiled_for(engine)) if player.compiled_for else player


def _is_from_outside(player: Player) -> bool:
    """Return whether a user wrote a policy. False for the newcomer, which redeals hidden cards itself."""
    return not is_ours(player.source) and not is_ours(_file_of(player.function))


@cache
def _file_of(function: Any) -> Path:
    return Path(function.py_func.__code__.co_filename)


def with_rows(engine: Engine, players: list[Player]) -> list[tuple[Player, np.ndarray]]:
    """Pair each player with a row of weights and memory, which is kept between decisions."""
    return [(player, new_row(engine, player.weights.values())) for player in players]


def check_policies(
    match: Match,
    states: np.ndarray,
    tables: Record,
    built: bytes,
    legal: np.ndarray,
    seated: list,
    where: str,
) -> None:
    """Check that every policy for this seat chooses a legal action, repeats its choice, and changes nothing.

    A user's policy must also ignore hidden information (`check_blind`).

    seated: the result of `with_rows`. The memory is blank at the first call. It contains data of other
    decisions at the second call, and data of this decision at the third, which is skipped if the memory is
    empty.
    """
    state = as_records(states)[0]
    for player, kept in seated:
        if player.roles and match.game.roles[state.to_move] not in player.roles:
            continue
        who = f"{written_in(player)}: policy {player.name}"
        chosen: list[int] = []
        for row in (new_row(match.engine, player.weights.values()), kept, kept):
            if len(chosen) < 2 or row[-MEMORY:].any():
                chosen.append(ask(player, states, tables, legal, f"{who}: {where}", row))
        # compared once for all three calls: the tables of Escape from Colditz have six megabytes
        _check_tables(tables, built, f"{who}: {where}")
        listed = ", ".join(map(str, legal[:8].tolist()))
        if chosen[0] not in legal:
            words = in_words(match, chosen[0], legal[:8].tolist())
            illegal = f"{who}: {where}: chose {chosen[0]}, which is not legal (legal: {listed}){words}"
            raise PolicyError(illegal)
        other = next((action for action in chosen if action != chosen[0]), chosen[0])
        why = "draw random numbers only with policy_below(state, i, n)"
        if kept[-MEMORY:].any():
            why = "the contents of its memory must not change a choice"
        fickle = f"{who}: {where}: chose {chosen[0]}, then {other} in the same state: {why}"
        _hold(other == chosen[0], fickle, PolicyError)
        if _is_from_outside(player) and match.engine.determinize and not player.weights.get("peek"):
            check_blind(match, states, tables, legal, player, f"{who}: {where}")
            _check_tables(tables, built, f"{who}: {where}")


def _check_tables(tables: Record, built: bytes, where: str) -> None:
    _hold(
        tables.tobytes() == built,
        f"{where}: it changed the tables, which a policy may only read",
        PolicyError,
    )


def check_blind(
    match: Match, states: np.ndarray, tables: Record, legal: np.ndarray, player: Player, where: str
) -> None:
    """Check that a policy does not depend on hidden information: it chooses the same action after redealing.

    A policy that draws random numbers is called with different random numbers, and must choose each action
    equally often with every deal.
    """

    deal = match.engine.determinize
    assert deal

    def chosen(branch: int, luck: int, is_dealt: bool) -> int:
        other = states.copy()
        state = as_records(other)[0]
        if is_dealt:
            rng.fresh_luck(state, branch)
            deal(state, tables, state.to_move)
            other["luck_key"], other["luck"] = states["luck_key"], states["luck"]
        for _ in range(luck):
            rng.next_policy_luck(state)
        return ask(player, other, tables, legal, where, new_row(match.engine, player.weights.values()))

    action = chosen(0, 0, False)
    others = [chosen(branch, 0, True) for branch in range(DEALS)]
    if all(other == action for other in others):
        return
    known = [chosen(0, luck, False) for luck in range(DRAWS)]
    if len(set(known)) > 1:
        dealt = [chosen(luck, luck, True) for luck in range(DRAWS)]
        share = max(abs(known.count(one) - dealt.count(one)) for one in set(known + dealt)) / DRAWS
        if share < np.sqrt(np.log(2 / DOUBT) / DRAWS):  # Hoeffding: two shares of DRAWS each
            return
    other, state = next(one for one in others if one != action), as_records(states)[0]
    raise PolicyError(
        f"{where}: chose {_worded(match, state, tables, action)}, but chose "
        f"{_worded(match, state, tables, other)} when the cards that seat {states['to_move'][0]} "
        "cannot know were redealt, so it uses hidden information, such as another player's hand or the "
        "order of a pile"
    )


def _worded(match: Match, state: Record, tables: Record, action: int) -> str:
    describe = match.engine.describe_action
    return describe(state, tables, action, match.scenario) if describe else str(action)


def ask(
    player: Player, states: np.ndarray, tables: Record, legal: np.ndarray, where: str, row: np.ndarray
) -> int:
    """Return the choice of a policy.

    Raises PolicyError if it fails, or changes the state, its weights or the set of legal actions. It may
    reorder `legal` and change its memory, at the end of `row`.
    """
    room = np.full(len(legal) + BEYOND, UNWRITTEN, np.int32)
    room[: len(legal)] = legal
    given = {"the state": states, "its weights": row[:-MEMORY]}
    before = {what: content.tobytes() for what, content in given.items()}
    arguments = (as_records(states)[0], tables, room, len(legal), row)
    try:
        action = player.function(*arguments)
    except Exception as error:
        found = in_rule(player.function, [snapshot(one)() for one in arguments], error)
        raise PolicyError(f"{where}: error: {found or mistakes.reason_of(error)}") from error
    for what, content in given.items():
        said = f"{where}: it changed {what}, which a policy may only read"
        _hold(content.tobytes() == before[what], said, PolicyError)
    kept = (
        sorted(room[: len(legal)].tolist()) == sorted(legal.tolist())
        and (room[len(legal) :] == UNWRITTEN).all()
    )
    _hold(
        kept,
        f"{where}: it wrote into the list of legal actions, which a policy may only reorder",
        PolicyError,
    )
    return int(action)
