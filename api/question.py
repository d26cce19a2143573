"""A question: a class whose fields are its options.

The command with its help (`cli.py`), the Python method (`api/methods.py`), the command line in manifests and
the validation of values are derived from the fields. Neither this module nor the questions import anything
heavy before a question is asked.
"""

import reprlib
import shlex
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import MISSING, dataclass, field, fields
from enum import StrEnum
from functools import cache, partial
from itertools import chain
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Generic,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
)

from bartizan.api.answer import Answer
from bartizan.api.reading import listed, texts
from bartizan.simcore.compile import cache as compiled
from bartizan.simcore.errors import BartizanError, UsageError, as_spelled
from bartizan.simcore.watch import Watch

if TYPE_CHECKING:
    from bartizan.api.effort import Effort
    from bartizan.policies.request import Request
    from bartizan.simcore.game import Game
    from bartizan.simcore.play.match import Elsewhere

T_co = TypeVar("T_co", covariant=True)


class HelpSection(StrEnum):
    """Headings of the help text, in the order in which they appear."""

    PLAY = "Simulate and inspect"
    JUDGE = "Judge and improve"
    SKILL = "Skill"
    PEOPLE = "People and playtests"
    OWN = "Your own games and housekeeping"


@dataclass(frozen=True)
class Opt:
    """Command-line form and help of an option."""

    help: str | None
    metavar: str | None = None
    min: float | None = None
    max: float | None = None
    short: str = ""  # such as -o
    off: str = ""  # name that turns a flag off, such as --one-level
    is_argument: bool = False  # given by position, not by name
    is_hidden: bool = False  # the command has no such option
    is_kept: bool = True  # part of the command in manifests; False if no result depends on it
    lists: tuple[str, ...] = ()  # for PATH=VALUE options: paths that take several values
    needs: tuple[str, ...] = ()  # names of other options, without any of which this one has no effect


def opt(help: str | None, *, default: Any = MISSING, kw_only: bool = True, **how: Any) -> Any:
    """Return a dataclass field for an option that only this question has. how: the other fields of `Opt`."""
    if needs := how.get("needs"):
        help = f"with {_alternatives(map(flag_of, needs))}: {help}"
    return field(default=default, kw_only=kw_only, metadata={Opt: Opt(help, **how)})


def flag_of(name: str) -> str:
    """Return an option as on the command line, such as `--slow-games`."""
    return "--" + name.strip("_").replace("_", "-")


def _alternatives(texts: Iterable[str]) -> str:
    *others, last = texts
    return f"{', '.join(others)} or {last}" if others else last


def out_opt(
    metavar: str, help: str, *, default: Any = MISSING, kw_only: bool = True, needs: tuple[str, ...] = ()
) -> Any:
    """Return a dataclass field for the output path of a question, which does not affect results."""
    return opt(
        help, default=default, kw_only=kw_only, metavar=metavar, short="-o", is_kept=False, needs=needs
    )


@dataclass(frozen=True)
class OptionField:
    """An option with its name, its Python type and its default."""

    name: str
    type: Any
    default: Any  # MISSING for a required option
    opt: Opt

    @property
    def flag(self) -> str:
        return flag_of(self.name)

    @property
    def typed(self) -> str:
        """The shortest form of the option on the command line, such as `-o`."""
        return self.opt.short or self.flag

    @property
    def kinds(self) -> tuple[Any, ...]:
        """The types that a value may have, except None."""
        return _union(self.type)

    @property
    def is_mapping(self) -> bool:
        return any(get_origin(kind) is Mapping for kind in self.kinds)

    @property
    def items(self) -> tuple[Any, ...]:
        """The types of the items if the value can be a list; () for a single value."""
        lists = [kind for kind in self.kinds if get_origin(kind) is Sequence]
        return _union(get_args(lists[0])[0]) if lists else ()

    def checked(self, value: Any) -> Any:
        """Return the value, with numpy numbers and arrays converted to Python objects.

        Raises UsageError for a wrong type, an empty text, and a number out of bounds. The message about
        bounds is the same as on the command line.
        """
        value = _as_python(value)
        if value is self.default:
            return value
        if value == "" and self.default in (None, MISSING):
            metavar = self.opt.metavar or self.expected
            raise UsageError(f"Invalid value for '{self.flag}': the value is empty; write {metavar}")
        if not _is_of(value, self.type):
            raise UsageError(
                f"Invalid value for '{self.flag}': {' '.join(reprlib.repr(value).split())} "
                f"({type(value).__name__}); write {self.expected}"
            )
        for number in value if self.items and isinstance(value, (list, tuple)) else [value]:
            self._refuse_out_of_bounds(number)
        return value

    @property
    def expected(self) -> str:
        """Description of an allowed value, such as `an integer of at least 1, or None`."""
        kinds = [_in_words(kind) for kind in self.kinds]
        low, high = self.opt.min, self.opt.max
        bounds = [f"at {end} {bound}" for end, bound in (("least", low), ("most", high)) if bound is not None]
        if bounds and kinds:
            kinds[0] += f" of {' and '.join(bounds)}"
        kinds += ["None"] if self.default is None else []
        return _alternatives(dict.fromkeys(kinds))

    def _refuse_out_of_bounds(self, value: Any) -> None:
        low, high, bound = self.opt.min, self.opt.max, ""
        if isinstance(value, int) and high is None:
            high = LARGEST
        if isinstance(value, (int, float)):
            bound = f"at least {low}" if low is not None and value < low else bound
            bound = f"at most {high}" if high is not None and value > high else bound
        if bound:
            raise UsageError(f"Invalid value for '{self.flag}': write a number of {bound}")


# ---------------------------------------------------------------- types of values

LARGEST = 2**63 - 1  # largest signed 64-bit integer
WORDS = {int: "integer", float: "number", str: "text", Path: "path", bool: "True or False"}


def _as_python(value: Any) -> Any:
    """Return the value with numpy and pandas objects as lists and Python numbers, also inside a mapping."""
    if isinstance(value, Mapping):
        return {name: _as_python(one) for name, one in value.items()}
    return value.tolist() if hasattr(value, "tolist") else value


@cache
def _adapter(kind: Any) -> Any:
    from pydantic import ConfigDict, TypeAdapter  # `--help` does not need them

    return TypeAdapter(kind, config=ConfigDict(strict=True, allow_inf_nan=False))


def _is_of(value: Any, kind: Any) -> bool:
    """Return whether the value has this type.

    A string is not a number, a bool is not 1, and nan is invalid.
    """
    from pydantic import ValidationError

    try:
        _adapter(kind).validate_python(value)
    except ValidationError:
        return False
    return True


def _in_words(kind: Any) -> str:
    if get_origin(kind) is Mapping:
        return 'a dict such as {"numbers.goal": 4}'
    if get_origin(kind) is tuple:
        return f"a pair of {WORDS[get_args(kind)[0]]}s"
    if get_origin(kind) is Sequence:
        return f"a list of {' or '.join(WORDS[one] + 's' for one in _union(get_args(kind)[0]))}"
    return WORDS[kind] if kind is bool else f"{'an' if kind is int else 'a'} {WORDS[kind]}"


def _union(kind: Any) -> tuple[Any, ...]:
    """Return the members of a union without None, or the single type."""
    members = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    return tuple(member for member in members if member is not NoneType)


def _option(one: Any) -> OptionField:
    shared = get_args(one.type) if get_origin(one.type) is Annotated else (one.type,)
    return OptionField(one.name, shared[0], one.default, one.metadata.get(Opt) or shared[1])


def begun(lines: Generator[str, None, None]) -> Iterator[str]:
    """Yield the same lines, with the first line computed at once.

    An invalid call therefore fails immediately.
    """
    return chain([first for first in [next(lines, None)] if first is not None], lines)


@dataclass_transform(kw_only_default=True, field_specifiers=(opt, out_opt))
class Question(Generic[T_co]):
    """Base class of questions.

    A subclass declares its options and `answer`. Its docstring is the help of its command.
    """

    command: ClassVar[str]  # the words after `bartizan`
    example: ClassVar[str]  # a command line, shown in the help
    section: ClassVar[HelpSection] = HelpSection.OWN
    instead: ClassVar[str] = ""  # for an older command, which the help does not list: the current command
    options: ClassVar[tuple[OptionField, ...]] = ()  # in the order of the help
    has_document: ClassVar[bool] = True  # False for a session that ends with Ctrl-C and has no --json
    kept_as: ClassVar[str] = ""  # kind of answer under which a sweep's folder saves it for the report
    effort_options: ClassVar[tuple[str, ...]] = ("games",)  # options that determine the duration

    watch = Watch()  # observer of progress
    typed = ""  # the command line, if the user typed one

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        dataclass(kw_only=True, eq=False, repr=False)(
            cls
        )  # one shared __repr__, because generating each takes time
        cls.options = tuple(_option(one) for one in fields(cls))  # type: ignore[arg-type]

    def __post_init__(self) -> None:
        self.elsewhere: Elsewhere | None = None  # workers that simulate until the question is answered
        for option in self.options:
            setattr(self, option.name, option.checked(getattr(self, option.name)))

    def __repr__(self) -> str:
        values = ((option, getattr(self, option.name)) for option in self.options)
        changed = (f"{option.name}={value!r}" for option, value in values if value != option.default)
        return f"{type(self).__name__}({', '.join(changed)})"

    def ask(self) -> T_co:
        """Return the answer. Sets the cache folder before anything imports numba."""
        compiled.configure()
        from bartizan.simcore.sources import read_once

        with read_once():
            self.refuse_without_effect()
            self.spell_names()
            with ExitStack() as workers:
                self.elsewhere = self._elsewhere(workers)
                answer = self.answer()
            if self.is_about_balance:
                from bartizan.api import practice

                answer = practice.beside(self, answer)  # type: ignore[arg-type, assignment]
        return begun(answer) if isinstance(answer, Generator) else answer  # type: ignore[return-value]

    def has(self, name: str) -> bool:
        """Return whether an option has another value than its default.

        An empty list or table counts as no value.
        """
        (option,) = (option for option in self.options if option.name == name)
        value = getattr(self, name)
        is_empty = option.default is None and value in ([], (), {})
        return bool(value != option.default) and not is_empty

    def refuse_without_effect(self) -> None:
        """Raise UsageError for an option that has no effect, because an option that it needs is missing."""
        options = {option.name: option for option in self.options}
        for option in self.options:
            if option.opt.needs and self.has(option.name) and not any(map(self.has, option.opt.needs)):
                flag = option.typed
                needed = [options[name] for name in option.opt.needs]
                texts = (" ".join(filter(None, (one.flag, one.opt.metavar))) for one in needed)
                raise UsageError(
                    f"{self.command}: {flag} requires {_alternatives(texts)}; add it, or remove {flag}"
                )

    def spell_names(self) -> None:
        """Replace names in the options by the spelling of the game, such as `Elite` by `elite`."""

    def answer(self) -> T_co:
        raise NotImplementedError

    @property
    def is_about_balance(self) -> bool:
        """Whether the answer may depend on the strength of the policy (see `api.practice`)."""
        return False

    def document_of(self, lines: Iterable[str]) -> Answer:
        """Return lines as an answer with a `--json` document."""
        found = list(lines)
        schema = f"bartizan.{self.command.replace(' ', '.')}/1"
        return Answer({"schema": schema, "lines": found}, lambda: found)

    def shortened(self, seconds: float) -> str:
        """Return options that shorten the run from `seconds` to about a minute; "" if there are none."""
        effort = [option for option in self.options if option.name in self.effort_options]
        flags = []
        for option in effort:
            value, least = getattr(self, option.name), option.opt.min or 1
            if type(value) is int:
                fewer = max(int(least), int(float(f"{value * 60 / seconds:.1g}")))
                flags += [f"{option.flag} {fewer}"] if fewer < value else []
            elif value is None:
                flags.append(f"fewer {option.flag}")
        return " ".join(flags)

    @staticmethod
    def key(document: Mapping[str, Any]) -> list[Any]:
        """Return the key of a saved answer. A later answer with the same key replaces it."""
        return [document.get(name) for name in ("scenario_hash", "policies", "policy_weights")]

    def written(self, name: str) -> Any:
        """Return the value of an option as it is written on a command line."""
        return getattr(self, name)

    def command_line(self) -> str:
        """Return the command line to save with results: as typed, or built from the changed options."""
        if self.typed:
            return self.typed
        from bartizan.policies.request import command_of

        values = {option: self.written(option.name) for option in self.options}
        arguments = [value for option, value in values.items() if option.opt.is_argument and value]
        changed = {
            option.opt.off.strip("-") if value is False else option.name: value is False or value
            for option, value in values.items()
            if option.opt.is_kept and not option.opt.is_argument and value != option.default
        }
        return command_of(self.command, *arguments, **changed) + " -o DIR"

    def effort(self, games: int, seed: int | None = None) -> "Effort":
        """Return the effort of the question: number of games, seed and workers.

        Also makes sure that policies from files are checked before their first games.
        """
        from bartizan.api.effort import Effort
        from bartizan.api.first_look import look_at
        from bartizan.policies import trial
        from bartizan.policies.registry import first_look

        first_look.set(partial(look_at, self.watch))
        trial.watch.set(self.watch)
        luck = getattr(self, "seed", 1) if seed is None else seed
        return Effort(games, luck, getattr(self, "jobs", None), self.watch, self.elsewhere)

    def _elsewhere(self, workers: ExitStack) -> "Elsewhere | None":
        """Return the workers of `--cluster`; None without it. They are connected at the first game."""
        if (address := getattr(self, "cluster", None)) is None:
            return None
        from bartizan.api.cluster.client import Cluster, WorkerPool

        return workers.enter_context(WorkerPool(Cluster(address), self.watch.note))


class GameQuestion(Question[Answer]):
    """A question about one game. The common options form its request."""

    name: str = opt(
        "a game by name (see: bartizan describe), or the path of its .py or engine file",
        metavar="GAME",
        is_argument=True,
        kw_only=False,
    )

    @property
    def is_folder(self) -> bool:
        """Whether the question is about the games in a folder of results."""
        return (Path(self.name) / "manifest.json").is_file()

    def refuse_without_effect(self) -> None:
        if not self.is_folder:  # for a folder, the answer rejects every option that needs new games
            super().refuse_without_effect()

    def spell_names(self) -> None:
        from bartizan.simcore.game import load_game
        from bartizan.simcore.scenario.loading import scenario_names

        if self.is_folder:
            return
        self._spell_game()
        scenario, difficulty = getattr(self, "scenario", None), getattr(self, "difficulty", None)
        if not (scenario or difficulty or getattr(self, "role", None)):
            return
        with suppress(BartizanError):  # the answer reports it
            game = load_game(str(self.name))
            if role := getattr(self, "role", None):
                setattr(self, "role", as_spelled(role, game.roles))  # noqa: B010
            if isinstance(scenario, str):
                setattr(self, "scenario", as_spelled(scenario, scenario_names(game.scenarios)))  # noqa: B010
            if difficulty:
                levels = self.request(difficulty=None, policy=()).loaded.model.difficulties()
                spelled = [as_spelled(level, levels) for level in listed(difficulty)]
                setattr(self, "difficulty", spelled[0] if isinstance(difficulty, str) else spelled)  # noqa: B010

    def _spell_game(self) -> None:
        """Replace the game's name by its registered spelling, also in the command line saved with results."""
        from bartizan.simcore.game import registered_name

        typed = str(self.name)
        if (name := registered_name(typed)) != typed:
            words = [name if word == typed else word for word in shlex.split(self.typed)]
            self.name, self.typed = name, shlex.join(words)

    def request(self, **others: Any) -> "Request":
        """Return the request: the game, its changes and its policies.

        others: options that replace the question's own.
        """
        from bartizan.policies.request import Request

        shared = ("scenario", "difficulty", "policy", "players", "set")
        options = {name: getattr(self, name, None) for name in shared} | others
        scenario, policy = options["scenario"], listed(options["policy"])
        sets, players = texts(options["set"]), options["players"]
        named = str(scenario) if scenario is not None else None
        request = Request(str(self.name), named, options["difficulty"], policy, players, sets)
        if player := getattr(self, "player", None):
            from bartizan.api import practice

            return practice.asked_for(request, player, self.watch)
        return request

    def command_with(self, game: "Game", *names: str) -> str:
        """Return the command line for this game with some of the question's options.

        names: the options, in order. Options without a value are omitted.
        """
        from bartizan.policies.request import command_of, name_in_commands

        options = {option.name: option for option in self.options if option.name in names}
        values = {name: (getattr(self, name), options[name]) for name in names}
        named = {
            name: list(listed(value)) if option.items else value
            for name, (value, option) in values.items()
            if value or value != option.default
        }
        return command_of(self.command, name_in_commands(game), **named)
