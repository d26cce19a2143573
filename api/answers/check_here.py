"""`check` in this process: the checks of a game, its policies and its scenario files.

The separate process of a user's game starts two more processes, so that the check uses two cores. One of them
plays the first random game uncompiled, to find rules that never end. The other compiles the rules as `run`
uses them and plays with them (`conformance.check_batches`), while this process compiles the rules that track
known cards and plays decision by decision. Lines and errors are in the same order as in one process.
"""

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import starmap
from pathlib import Path

from bartizan.api.answers.check import is_note
from bartizan.api.answers.passed_rules import PassedRules
from bartizan.api.caveats import caveat, caveat_lines
from bartizan.api.child import Child, results_of, tell_doing
from bartizan.api.cluster.first_games import check_ending, first_random_game
from bartizan.policies.protocol import Policy, as_called, as_player
from bartizan.policies.registry import find_player, find_policy, policies_of
from bartizan.policies.request import best_player
from bartizan.reports.text import changes, words
from bartizan.simcore import errors, toml
from bartizan.simcore.compile.cache import is_ours
from bartizan.simcore.compile.jit import as_it_stands
from bartizan.simcore.compile.loops import are_compiled, compile_later_rules
from bartizan.simcore.conformance import (
    as_played,
    check_batches,
    check_default_players,
    check_game,
    check_players,
    each_scenario,
)
from bartizan.simcore.game import BUILTIN, Game, load_game
from bartizan.simcore.play.match import Player
from bartizan.simcore.scenario.changes import changes_of
from bartizan.simcore.scenario.loading import Scenario, load_scenario, scenario_names
from bartizan.simcore.sources import is_short, only_known

Doing = Callable[[str], None]


@dataclass
class Beside:
    """Checks that other processes run at the same time.

    hold: waits for the first uncompiled game; raises EngineError if a rule never ends. batches: the lines of
    `check_batches`; None if this process does these checks.
    """

    hold: Callable[[], None] = lambda: None
    batches: Iterator[str] | None = None


Begin = Callable[[Game], Beside]


def in_child(target: str, every_end: str, *policies: str) -> Iterator[str]:
    """Entry point of the separate process: yield the lines of the check."""
    with ExitStack() as children:

        def begin(game: Game) -> Beside:
            beside = Beside()
            if target.endswith(".py") and is_short(Path(target)):
                beside.hold = partial(check_ending, children.enter_context(first_random_game(target)))
            if not are_compiled(game.compiled.followed()):  # there is much to compile
                child = Child(f"{__name__}:in_second_child", target, every_end, *policies)
                beside.batches = results_of(children.enter_context(child), tell_doing)
            return beside

        yield from check_here(target, policies, bool(every_end), tell_doing, begin)


def in_second_child(target: str, every_end: str, *policies: str) -> Iterator[str]:
    """Entry point of the process that checks batches of games.

    It first compiles some of the code that the other process needs last, so that the other process reads this
    code from the cache.
    """
    game = load_game(target)
    engine = game.compiled.followed()
    compile_later_rules(engine)
    with suppress(Exception):  # reported by the other process
        for name in policies or policies_of(game):
            if _is_plain(policy := find_policy(game, name)):
                as_played(_player(game, name, policy), engine)
    return check_batches(game, find_player(game, "random"), bool(every_end), _seated(game), tell_doing)


def check_here(
    target: str,
    policies: Sequence[str] = (),
    every_end: bool = False,
    doing: Doing = lambda what: None,
    begin: Begin = lambda game: Beside(),
) -> Iterator[str]:
    """Run `check` in this process, and yield the lines of the report.

    doing: called with a description of the checks that follow. begin: starts other processes for a game whose
    rules have not passed before.
    """
    doing("reading the game")
    game = load_game(target)
    passed = PassedRules(game) if not every_end and PassedRules.can_tell(game) else None
    beside = begin(game) if not (passed and passed.lines) else Beside()
    yield from caveat_lines(game, caveat(game, load_scenario(game)))
    found = [(name, find_policy(game, name)) for name in policies or policies_of(game)]
    player_of = cache(partial(_player, game))
    defaults = [best_player(game, role, s) for s in each_scenario(game) for role in game.roles_in(s)]
    for name in dict.fromkeys([*map(game.default_for, game.roles), *defaults]):
        try:
            find_policy(game, name)
        except errors.UsageError as error:
            raise errors.PolicyError(f"{game.home}: the default policy of the game: {error}") from error
    random_player = find_player(game, "random")
    if passed and (lines := passed.lines):
        yield from lines
        changed = [player for player in starmap(player_of, found) if not passed.is_known(player)]
        ends = check_default_players(game, _seated(game))
        doing("checking the policies that changed")
        yield from (f"ok  {line}" for line in check_players(game, changed, random_player, ends))
    else:
        lines = []
        batches = beside.batches or check_batches(game, random_player, every_end, _seated(game), doing)
        for line in check_game(game, starmap(player_of, found), random_player, batches, beside.hold, doing):
            lines.append(line if is_note(line) else f"ok  {line}")
            yield lines[-1]
    if passed:
        passed.keep(lines, list(starmap(player_of, found)))


def _player(game: Game, text: str, policy: Policy) -> Player:
    """Return a named policy as a player to check.

    A user's function is not compiled yet: `conformance.as_played` compiles it for the engine of the check.
    """
    function = as_it_stands(as_called(policy.choose, policy.memory)) if _is_plain(policy) else None
    player: Player = as_player(game, policy, function)
    return replace(player, named=text)


def _is_plain(policy: Policy) -> bool:
    """Return whether a policy was written by the user and has no modifiers."""
    return type(policy) is Policy and not is_ours(policy.source)


def _seated(game: Game) -> Callable[[Scenario], tuple[Player, ...]]:
    by_name = cache(partial(find_player, game))

    def seated(scenario: Scenario) -> tuple[Player, ...]:
        return tuple(by_name(best_player(game, role, scenario)) for role in game.roles_in(scenario))

    return seated


# ---------------------------------------------------------------- scenario files


def check_scenario_file(target: str) -> Iterator[str]:
    """Check a scenario file, and yield one line for each level, after any caveats and changes."""
    with only_known(Path(target), (), lambda game: shlex.join(["bartizan", "check", str(game)])):
        game = load_game(_game_of_file(Path(target)))
    own = load_scenario(game, target)
    yield from caveat_lines(game, caveat(game, own))
    if changed := changes_of(game, own):
        yield f"changed: {changes.listing(changed, None)}"
    for difficulty in own.model.difficulties():
        s = load_scenario(game, target, difficulty)
        yield f"ok  {target}, {difficulty}: valid, {words.evidence(s.confidence)}"


def _game_of_file(path: Path) -> str:
    """Return the game that a scenario file names, or the game whose scenario it extends.

    The default is the first built-in game.

    Raises UsageError if several built-in games have a scenario with the extended name.
    """
    data = toml.read(path, "no such scenario file; check the path")
    if not isinstance(data.get("game", ""), str):
        raise errors.UsageError(f"{path}: game must be the name of a game, or the path of its .py file")
    base = data.get("extends")
    having = [name for name in BUILTIN if base in scenario_names(load_game(name).scenarios)]
    if "game" not in data and len(having) > 1:
        raise errors.UsageError(
            f'{path}: extends = "{base}" is a scenario of several games ({", ".join(having)}); state the '
            f'game, such as game = "{having[0]}"'
        )
    return data.get("game") or (having or list(BUILTIN))[0]
