"""`check`: does a game, a policy or a scenario file keep its contract?

A game or a policy from outside is checked in a process of its own, whose code looks at the bounds of every
array: what writes past one, crashes or never ends is said in one line too.
"""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import chain
from pathlib import Path

from bartizan.api.answers.catalogue import confidence
from bartizan.api.answers.refresh import refresh
from bartizan.api.caveats import caveat, caveat_lines
from bartizan.api.cluster.first_games import hold_ends
from bartizan.api.questions.checking import CheckQuestion
from bartizan.api.reading import listed, trusted_of
from bartizan.policies.registry import find_player, find_policy, policies_of
from bartizan.policies.request import best_player
from bartizan.reports.text import changes
from bartizan.simcore import errors
from bartizan.simcore.compile import mistakes
from bartizan.simcore.conformance import check_game, each_scenario
from bartizan.simcore.game import BUILTIN, load_game, refuse_absent
from bartizan.simcore.play.match import Player
from bartizan.simcore.scenario.changes import changes_of
from bartizan.simcore.scenario.loading import Scenario, load_scenario, scenario_names
from bartizan.simcore.sources import is_short, only_known

CHILD = """
import sys
from bartizan.simcore.compile import cache
cache.configure()
from bartizan.api import first_look
from bartizan.api.answers import check
check.become_child()
check.tell({call})
"""
PATIENCE = 900  # seconds of computing, compiling among them
ERROR = "error: "  # how the line begins that tells a parent what its child found


def answer(question: CheckQuestion) -> Iterator[str]:
    """A game, a scenario file, or a folder of results."""
    target, policies = str(question.target), listed(question.policy)
    if Path(target).is_dir() and target not in BUILTIN:
        for option in ("policy", "ends", "refresh"):
            if getattr(question, option):
                raise errors.UsageError(f"--{option}: {target} is a folder of results; remove it")
        from bartizan.api.answers.results import verify

        return verify(Path(target), trusted_of(question.trust))
    if question.trust:
        raise errors.UsageError(f"--trust: is for a folder of results, and {target} is none; remove it")
    if question.refresh:
        if not target.endswith(".py"):
            raise errors.UsageError(
                f"--refresh: {target} links to no sheets; give the .py file of a short game"
            )
        return chain(refresh(Path(target)), check(target, policies, question.ends))
    return check(target, policies, question.ends)


def check(target: str, policies: Sequence[str] = (), every_end: bool = False) -> Iterator[str]:
    """Does a game keep the engine contract, do policies keep theirs, does a scenario file add up?

    policies: those to be asked, as a command names them; all of the game's unless named. every_end: play
    under every value that `--set` reaches, at both ends of its range. Returns a line for each check passed;
    raises at the first that fails, at once for a name or a file that does not exist.
    """
    if target.endswith(".toml"):
        return _check_scenario(target)
    refuse_unknown(target, policies)
    if any(".py" in text for text in (target, *policies)):
        return _check_alone(target, policies, every_end)
    return check_here(target, policies, every_end)


def refuse_unknown(target: str, policies: Sequence[str]) -> None:
    """Raises UsageError for a file that does not exist, PolicyError for a name that no policy has."""
    if target.endswith(".py"):
        refuse_absent(Path(target).resolve(), "game")
    for name in policies:
        if ".py" not in name:
            find_policy(load_game(target), name)
        elif re.fullmatch(r"[^:=+]+\.py", name):
            refuse_absent(Path(name).resolve(), "policy")


def _check_alone(target: str, policies: Sequence[str], every_end: bool) -> Iterator[str]:
    """The same in a process of its own."""
    if target.endswith(".py") and is_short(Path(target)):
        hold_ends(target)
    call = f"check.check_here(sys.argv[1], sys.argv[2:], {every_end})"
    yield from said_alone(call, target, *policies)


def check_here(target: str, policies: Sequence[str] = (), every_end: bool = False) -> Iterator[str]:
    """The same in this process."""
    game = load_game(target)
    yield from caveat_lines(game, caveat(game, load_scenario(game)))
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

    for line in check_game(game, players, random_player, every_end, seated):
        yield line if line.startswith("note") else f"ok  {line}"


# ---------------------------------------------------------------- in a process of its own


class Died(errors.EngineError):
    """A child that did not end by itself. code: as `Popen` says it."""

    def __init__(self, code: int, text: str):
        super().__init__(text)
        self.code = code


def said_alone(call: str, *words: str) -> Iterator[str]:
    """What a child says of a call, line by line; raises what it raised, and Died. words: its arguments."""
    command = [sys.executable, "-c", CHILD.format(call=call), *words]
    bounds = os.environ.get("BARTIZAN_BOUNDSCHECK") or "outside"
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,  # nothing is written there: it closes when this process ends, however it ends
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "BARTIZAN_BOUNDSCHECK": bounds, "BARTIZAN_PLAIN": "", "PYTHONIOENCODING": "utf-8"},
    ) as child:
        assert child.stdout
        try:
            for line in map(str.rstrip, child.stdout):
                if line.startswith(ERROR):
                    error = json.loads(line.removeprefix(ERROR))
                    raise getattr(errors, error["kind"])(error["text"])
                yield line
            _hold_alive(child.wait(), " ".join(words))
        finally:
            child.kill()


def _hold_alive(code: int, what: str) -> None:
    """Raises Died for a process that did not end by itself."""
    if code == 0:
        return
    if computed_for_long(code):
        raise Died(
            code, f"{what}: no end within {PATIENCE} s of computing: does a rule or a policy loop for ever?"
        )
    died = f"signal {-code}" if code < 0 else f"exit code {code}"
    why = "endless recursion, or a write far outside an array" if code < 0 else "something in it ends Python"
    raise Died(code, f"{what}: the process that checked it died ({died}): {why}")


def computed_for_long(code: int) -> bool:
    return -code in [getattr(signal, name, None) for name in ("SIGXCPU", "SIGKILL")]


def tell(lines: Iterable[str]) -> None:
    """What the child does: every line, the error's last, to stdout."""
    try:
        for line in lines:
            _write(line)
    except errors.BartizanError as error:
        _write(ERROR + json.dumps({"kind": type(error).__name__, "text": str(error)}))
    except Exception as error:
        text = mistakes.sentence(error) if mistakes.place_of(error) else errors.unforeseen(error)
        _write(ERROR + json.dumps({"kind": "EngineError", "text": text}))


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def become_child() -> None:
    """End this process with its parent, and when it has computed for long, where the system can; Ctrl-C is
    the parent's to hear.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE + 5))


def _end_with_parent() -> None:
    """stdin closes when nobody is left to read what is found."""
    os.read(0, 1)
    os._exit(1)


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
    """Which game a scenario file is for: it says so, or it extends a scenario that one game alone has."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise errors.UsageError(f"{path}: no such scenario file") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise errors.UsageError(f"{path}: not TOML: {error}") from error
    if not isinstance(data.get("game", ""), str):
        raise errors.UsageError(f"{path}: game must be the name of a game, or the path of its .py file")
    base = data.get("extends")
    having = [name for name in BUILTIN if base in scenario_names(load_game(name).scenarios)]
    if "game" not in data and len(having) > 1:
        raise errors.UsageError(
            f'{path}: extends = "{base}" is a scenario of {", ".join(having)}; choose one with game '
            f'= "{having[0]}"'
        )
    return data.get("game") or (having or list(BUILTIN))[0]
