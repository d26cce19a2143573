"""`check`: validate a game, a policy or a scenario file against its contract.

A user's game or policy is checked in a separate process with bounds checking, so that writes outside an
array, crashes and infinite loops are also reported in one line.
"""

import re
import shlex
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import chain
from pathlib import Path

from bartizan.api.answers.catalogue import confidence
from bartizan.api.answers.check_engine import check_engine
from bartizan.api.answers.passed_rules import PassedRules
from bartizan.api.answers.refresh import refresh
from bartizan.api.caveats import caveat, caveat_lines
from bartizan.api.child import said_by
from bartizan.api.cluster.first_games import hold_ends
from bartizan.api.questions.checking import CheckQuestion
from bartizan.api.reading import listed, trusted_of
from bartizan.policies.registry import find_player, find_policy, policies_of
from bartizan.policies.request import best_player
from bartizan.reports.text import changes
from bartizan.reports.text.words import many
from bartizan.simcore import errors
from bartizan.simcore.conformance import check_game, check_players, each_scenario
from bartizan.simcore.game import BUILTIN, load_game, refuse_absent
from bartizan.simcore.play.match import Player
from bartizan.simcore.scenario.changes import changes_of
from bartizan.simcore.scenario.loading import Scenario, load_scenario, scenario_names
from bartizan.simcore.sources import is_engine, is_short, only_known
from bartizan.simcore.watch import Watch

DOING = "doing: "  # how lines of the separate process begin that are no results


def answer(question: CheckQuestion) -> Iterator[str]:
    """Check a game, a scenario file, or a folder of results. Yields the lines of the report; for a game, the
    last line is the verdict.
    """
    target, policies = str(question.target), listed(question.policy)
    if Path(target).is_dir() and target not in BUILTIN:
        for option in ("policy", "ends", "refresh"):
            if getattr(question, option):
                raise errors.UsageError(f"--{option}: {target} is a folder of results; remove it")
        from bartizan.api.answers.replaying import verify

        return verify(Path(target), trusted_of(question.trust))
    if question.trust:
        raise errors.UsageError(f"--trust: requires a folder of results, and {target} is not one; remove it")
    if question.refresh:
        if not target.endswith(".py"):
            raise errors.UsageError(
                f"--refresh: the game {target} has no links to sheets; give the .py file of a short game"
            )
    new = refresh(Path(target)) if question.refresh else ()
    return _judged(chain(new, check(target, policies, question.ends)), question.watch)


def _judged(lines: Iterable[str], watch: Watch) -> Iterator[str]:
    """Yield the lines and the verdict, and report what is being done to the watch."""
    notes = 0
    try:
        for line in lines:
            watch.doing(line.removeprefix(DOING) if line.startswith(DOING) else "")
            if not line.startswith(DOING):
                notes += is_note(line)
                yield line
    finally:
        watch.doing("")
    count = f" with {many(notes, 'note')}: no failure, but read the lines that begin with `note`"
    yield f"passed{count if notes else ''}"


def is_note(line: str) -> bool:
    return line.startswith("note")


def check(target: str, policies: Sequence[str] = (), every_end: bool = False) -> Iterator[str]:
    """Validate a game, its policies, or a scenario file.

    policies: the policies to check, as a command names them (default: all of the game's). every_end: test
    both ends of the range of every value that `--set` can change. Returns one line per check that passed.
    Raises at the first failure, and immediately for an unknown name or a missing file.
    """
    if is_engine(target):
        return check_engine(target, policies, every_end)
    if target.endswith(".toml"):
        return _check_scenario(target)
    refuse_unknown(target, policies)
    if any(".py" in text for text in (target, *policies)):
        return _check_alone(target, policies, every_end)
    return check_here(target, policies, every_end)


def refuse_unknown(target: str, policies: Sequence[str]) -> None:
    """Raise UsageError for a file that does not exist, PolicyError for an unknown policy name."""
    if target.endswith(".py"):
        refuse_absent(Path(target).resolve(), "game")
    for name in policies:
        if ".py" not in name:
            find_policy(load_game(target), name)
        elif re.fullmatch(r"[^:=+]+\.py", name):
            refuse_absent(Path(name).resolve(), "policy")


def _check_alone(target: str, policies: Sequence[str], every_end: bool) -> Iterator[str]:
    """Run `check` in a separate process."""
    words = (target, "every end" if every_end else "", *policies)
    yield from said_by(f"{__name__}:in_child", *words, BARTIZAN_PLAIN="")


def in_child(target: str, every_end: str, *policies: str) -> Iterator[str]:
    """Entry point of the separate process."""
    from bartizan.api.child import write

    def hold() -> None:
        if target.endswith(".py") and is_short(Path(target)):
            hold_ends(target)

    return check_here(target, policies, bool(every_end), lambda what: write(f"{DOING}{what}"), hold)


def check_here(
    target: str,
    policies: Sequence[str] = (),
    every_end: bool = False,
    doing: Callable[[str], None] = lambda what: None,
    hold: Callable[[], None] = lambda: None,
) -> Iterator[str]:
    """Run `check` in this process.

    doing: called with a description of the checks that follow. hold: called before the first game of rules
    that have not passed; raises EngineError if one of them never ends.
    """
    doing("reading the game")
    game = load_game(target)
    passed = PassedRules(game) if not every_end and PassedRules.can_tell(game) else None
    if not (passed and passed.lines):
        hold()
    yield from caveat_lines(game, caveat(game, load_scenario(game)))
    doing("compiling the rules and the policies")
    players = [find_player(game, name) for name in policies or policies_of(game)]
    defaults = [best_player(game, role, s) for s in each_scenario(game) for role in game.roles_in(s)]
    for name in dict.fromkeys([*map(game.default_for, game.roles), *defaults]):
        try:
            find_policy(game, name)
        except errors.UsageError as error:
            raise errors.PolicyError(f"{game.home}: its default policy: {error}") from error
    random_player, by_name = find_player(game, "random"), cache(partial(find_player, game))

    def seated(scenario: Scenario) -> tuple[Player, ...]:
        names = [best_player(game, role, scenario) for role in game.roles_in(scenario)]
        return tuple(map(by_name, names))

    if passed and (lines := passed.lines):
        yield from lines
        changed = [player for player in players if not passed.is_known(player)]
        doing("checking the policies that changed")
        yield from (f"ok  {line}" for line in check_players(game, changed, random_player, seated))
    else:
        lines = []
        for line in check_game(game, players, random_player, every_end, seated, doing):
            lines.append(line if is_note(line) else f"ok  {line}")
            yield lines[-1]
    if passed:
        passed.keep(lines, players)


# ---------------------------------------------------------------- scenario files


def _check_scenario(target: str) -> Iterator[str]:
    with only_known(Path(target), (), lambda game: shlex.join(["bartizan", "check", str(game)])):
        game = load_game(_game_of_file(Path(target)))
    own = load_scenario(game, target)
    yield from caveat_lines(game, caveat(game, own))
    if changed := changes_of(game, own):
        yield f"changed: {changes.listing(changed, None)}"
    for difficulty in own.model.difficulties():
        s = load_scenario(game, target, difficulty)
        yield f"ok  {target}, {difficulty}: valid, {confidence(s.confidence)}"


def _game_of_file(path: Path) -> str:
    """Return the game of a scenario file: the one it names, or the only game that has the scenario it
    extends.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise errors.UsageError(f"{path}: no such scenario file") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise errors.UsageError(f"{path}: invalid TOML: {error}") from error
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
