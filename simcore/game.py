"""The interface of a game: `Game`, which imports quickly, and `Engine`, which is compiled at first use."""

import importlib
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from bartizan.simcore.compile.cache import is_ours
from bartizan.simcore.compile.identity import MARK, Code, load
from bartizan.simcore.documentation import page
from bartizan.simcore.errors import EngineError, UsageError, as_spelled, did_you_mean
from bartizan.simcore.reporting import Reporting
from bartizan.simcore.scene import Scene
from bartizan.simcore.sources import (
    OWN_GAMES,
    check_known,
    is_engine,
    is_short,
    note_named,
    once,
    refuse_absent,
    source_hash,
)

if TYPE_CHECKING:
    from bartizan.simcore.features import Features
    from bartizan.simcore.live.playing import LiveEngine

BUILTIN = {
    "itter": "bartizan.simcore.itter",
    "colditz": "bartizan.simcore.colditz",
    "castle": "bartizan.simcore.castle",
    "rampage": "bartizan.simcore.rampage",
}
# Named in strings, as games are, so that an edit in them does not recompile other games (`compile.trees`).
LIVE, SHORT = "bartizan.simcore.live.game", "bartizan.simcore.short.writing"
ENTRY_POINTS = "bartizan.games"
PLAYERS = Path(__file__).parents[1] / "policies"  # data on the policies of the built-in games


# value with the number of players of a short game, also if they play together or their number is fixed
NUMBER_OF_PLAYERS = "numbers.players"


@dataclass(frozen=True)
class Game:
    """A game as the command line uses it.

    Importing a game must not import numba. `engine` is called only to simulate games.
    """

    name: str
    title: str
    schema: type  # pydantic model of the scenario file, a subclass of simcore.scenario.model.ScenarioModel
    scenarios: Path  # folder of scenario TOML files
    engine: Callable[[], "Engine"]
    behaviour: int  # raised with every change that makes the same seed give different games
    roles: tuple[str, ...] = ("player",)  # one name per seat; policies are indexed by seat
    # all seats play against each other with the same rules: roles are places in turn order, and
    # `players_path` sets how many are occupied
    alike: bool = False
    rules_source: str = ""
    # policies of a user's game, strongest last; those of built-in games are in policies.<name>
    policies: Callable[[], list] = list
    default_policy: str = "random"
    # role -> default policy, if roles need different ones
    defaults: dict[str, str] = field(default_factory=dict, hash=False)
    # Scenario -> number of occupied seats; None: all, or the value at `players_path`
    seats: Callable[[Any], int] | None = None
    players_path: str = ""  # the scenario value that `--players` sets, if the number of players can vary
    player_counts: tuple[int, ...] = ()  # its possible values
    home: Path = field(default=Path("."))  # the file or package it was loaded from

    def __post_init__(self):
        for holds, otherwise in self._demands():
            if not holds:
                raise UsageError(f"game {self.name}: {otherwise}")

    def _demands(self) -> Iterator[tuple[bool, str]]:
        """Yield (is satisfied, message if not) for each requirement that an author may overlook."""
        from bartizan.simcore.scenario.model import ScenarioModel

        schema, roles = self.schema, self.roles
        of_model = isinstance(schema, type) and issubclass(schema, ScenarioModel)
        yield of_model, f"its schema must be a subclass of ScenarioModel, not {schema!r}"
        yield (
            isinstance(self.scenarios, Path),
            f'its scenarios must be a folder, Path(__file__).parent / "scenarios", not {self.scenarios!r}',
        )
        yield isinstance(self.behaviour, int), f"its behaviour must be an integer, not {self.behaviour!r}"
        named = isinstance(roles, tuple) and all(isinstance(role, str) for role in roles)
        yield named, (f'its roles must be a tuple, such as ("first", "second") or ("player",), not {roles!r}')
        yield len(set(roles)) == len(roles) > 0, f"its roles must have one name for each seat, not {roles!r}"
        yield (
            callable(self.policies),
            f"its policies must be a function, `lambda: [A, B]`, not a {type(self.policies).__name__}",
        )

    @cached_property
    def compiled(self) -> "Engine":
        engine = self.engine() if callable(self.engine) else None
        for holds, otherwise in demands(engine):
            if not holds:
                raise EngineError(f"{self.home}: {self.name}: {otherwise}")
        return engine

    @property
    def turn_name(self) -> str:
        """Name of the unit that column `turn` counts, in the singular, such as `turn` or `round`."""
        return (self.compiled.reporting or Reporting()).time

    @property
    def is_builtin(self) -> bool:
        return self.name in BUILTIN and is_ours(self.home)

    @cached_property
    def source_hash(self) -> str:
        """Hash (16 hex digits) of the sources of a user's game.

        "" for built-in games, which `behaviour` identifies.
        """
        home = self.home if self.home != Path(".") else Path(self.engine.__code__.co_filename)
        return "" if is_ours(home) else source_hash(home)

    @property
    def rules_version(self) -> tuple[int, str]:
        """Version of the rules: (behaviour version, source hash), as in `sources.rules_version`."""
        return self.behaviour, self.source_hash

    def rules_of(self, scenario) -> str:
        """Return the citation of the rules under a scenario, such as "rulebook v0.2"; "" if not stated."""
        return scenario.model.rules_source or self.rules_source

    def roles_in(self, scenario) -> tuple[str, ...]:
        """Return the roles of the occupied seats under a scenario."""
        if self.seats:
            return self.roles[: self.seats(scenario)]
        if not self.alike or not self.players_path:
            return self.roles
        from bartizan.simcore.scenario.parameters import get

        return self.roles[: get(scenario.data, self.players_path)]

    def has_rivals(self, scenario) -> bool:
        """Return whether several identical seats play against each other under a scenario.

        A game with identical seats may also support one player.
        """
        return self.alike and len(self.roles_in(scenario)) > 1

    def draw_in(self, scenario) -> float:
        """Return the value of a drawn game under a scenario, where a win is 1.

        It is an equal share of the win between rivals, otherwise 0.
        """
        return 1 / len(self.roles_in(scenario)) if self.has_rivals(scenario) else 0.0

    def seated(self, scenario, line_up: tuple[str, ...]) -> tuple[str, ...]:
        """Return one policy for each occupied seat.

        line_up: one policy per occupied seat, or one per role of the game. Raises UsageError for any other
        number of policies, and if different policies are given and an unoccupied seat has one that is not its
        default.
        """
        seats = len(self.roles_in(scenario))
        if len(line_up) == seats:
            return line_up
        if len(line_up) == len(self.roles):
            beyond = zip(self.roles[seats:], line_up[seats:], strict=True)
            named = [role for role, text in beyond if text != self.default_for(role)]
            if not named or len(set(line_up)) == 1:
                return line_up[:seats]
            self.refuse_untaken(named[0], self.roles[:seats])
        how = "; --players sets the number of players" if self.players_path else ""
        each = f"{seats} seats; give one for each seat" if seats > 1 else "one seat; give one"
        whole = "+".join((*line_up, *line_up[-1:] * seats)[:seats])
        raise UsageError(
            f"{len(line_up)} policies are given ({', '.join(line_up)}) for {each}, "
            f"such as --policy {whole}{', or one for all' * (seats > 1)}{how}"
        )

    def refuse_untaken(self, role: str, taken: tuple[str, ...]) -> NoReturn:
        """Raise UsageError because a policy is given for an unoccupied seat."""
        raise UsageError(
            f"a policy is given for the seat {role}, which this scenario does not have; give policies only "
            f"for {', '.join(taken)}"
        )

    def default_for(self, role: str) -> str:
        """Return the policy that the game declares for a role, even if a better one is known."""
        return self.defaults.get(role, self.default_policy)


def beside(named: str, name: str) -> Path:
    """Return the path of a file with data on a game's policies.

    named: the game in a command. name: name of the file. For a game file, the path is in the same folder,
    with `name` as its suffix. For any other game, the file is in the folder of the game's policies.
    """
    return Path(named).with_suffix(f".{name}") if named.endswith(OWN_GAMES) else PLAYERS / named / name


@dataclass(frozen=True)
class CardRow:
    """One kind of card as printed, under a scenario."""

    name: str
    copies: int
    value: int | None  # None: the card has none
    does: str  # its effect beyond that, "" for none
    source: str
    confidence: str
    cost: int | None = None  # number of cards from the hand to pay for it; None: the game has no costs
    assumed: tuple[str, ...] = ()  # assumed values, if each value has its own source


@dataclass(frozen=True, eq=False)
class Cards:
    """The cards of a game, and how to exchange a new card for another: used by `bartizan cards`.

    `due` is true once for each card that a seat receives. `swap` changes only the two cards and the record of
    who knows them. `swap` must choose uniformly among the remaining cards of the kind (`simcore.rng.aside`),
    because choosing the first card would leave the pile badly shuffled. Every card that enters a hand ends in
    one of `uses`, and `note` counts the cards by use. A card that enters a hand again is counted again.
    """

    # Scenario -> list[CardRow]: all printed cards; kinds that can be drawn have the same name as in `kinds`
    table: Callable
    # Scenario -> {kind: name}: kinds that can be drawn, in deck order, with distinct names
    kinds: Callable
    # jitted, see simcore.compile.rules.is_due; without it and `swap`, the deck is only listed
    due: Callable | None = None
    # jitted, see simcore.compile.rules.swap; a card already of that kind stays, and the result is True
    swap: Callable | None = None
    uses: tuple[str, ...] = ()  # all ways in which a card in a hand can end
    note: Callable | None = None  # jitted, see simcore.compile.rules.note
    # Scenario -> {kind: subset of `uses` that the card is meant for}; None: all uses
    printed_for: Callable | None = None
    value: str = "value"  # meaning of the number `value` in the rows
    # jitted, see simcore.compile.rules.take_away: for `cards --without`
    take_away: Callable | None = None
    # Scenario -> {kind: name} of the kinds that players own and that can be taken away; None: all kinds
    owned: Callable | None = None
    # jitted, see simcore.compile.rules.holdings: detects how cards enter and leave a hand, without `due` and
    # `note`
    holdings: Callable | None = None
    # jitted, see simcore.compile.rules.named_cards
    named_cards: Callable | None = None
    # Scenario -> {column: {kind: its number there}} of decks that are tables
    columns: Callable = lambda scenario: {}
    # Scenario -> {kind: names of the kinds of action by which a player uses such a card}
    used_by: Callable = lambda scenario: {}
    simultaneous: tuple[str, ...] = ()  # kinds of action that all players choose before any is applied
    # Scenario -> {kind: path of its number of copies}, for kinds that can be removed from the deck
    copies: Callable = lambda scenario: {}
    chosen_with: tuple[str, ...] = ()  # actions by which a player takes a card of their choice
    piles_for_hands: tuple[str, ...] = ()  # piles of players that count as hands, in a game without hands


@dataclass(frozen=True, eq=False)
class Topic:
    """A kind of item in a game, such as cards or spaces.

    It lists the arguments of actions and the events of the log in which items occur. `bartizan coverage`
    counts them in addition to kinds of action and endings.
    """

    title: str  # in the plural: "SS cards drawn"
    # Scenario -> {number: name} of all things; numbers with the same name are counted together
    names: Callable
    # name of a kind of action -> (argument, seat) -> its number or numbers; numbers missing from `names` are
    # ignored
    actions: dict[str, Callable] = field(default_factory=dict)
    events: dict[int, Callable] = field(default_factory=dict)  # event -> (three numbers) -> as in `actions`


@dataclass(frozen=True, eq=False)
class Rare:
    """An event that few games reach, and the progress towards it, for multilevel splitting."""

    title: str  # as the subject of a sentence: "no defender is lost"
    # jitted (state, tables) -> int: 0 at the start, `top` when the event has happened, below 0 when it has
    # become impossible. Read after every action, including the last
    progress: Callable
    top: Callable  # Scenario -> int: the progress at which the event has happened


@dataclass(frozen=True, eq=False)  # compared and hashed by identity: one engine per game and process
class Engine:
    """The compiled part of a game: record layouts and jitted functions (see `simcore.compile.rules`)."""

    state_dtype: Any  # has simcore.rng.LUCK_FIELDS, `end_reason`, `to_move`
    tables_dtype: Any
    record_dtype: Any  # has `game`, `plies`, `end_reason`, `winner`, `turn`, `score`
    build_tables: Callable  # Scenario -> record array of length 1
    reset: Callable
    legal_actions: Callable
    apply: Callable
    write_record: Callable
    end_reasons: dict[int, str]
    max_legal: int
    # the legal actions, each tested separately, if `legal_actions` has a faster listing; `check` compares
    # both
    every_action: Callable | None = None
    # column -> the value that means "none" and becomes null
    nulls: dict[str, int] = field(default_factory=dict)
    # Scenario -> {name: lowest score}, best first; scores below all of them belong to the last
    tiers: Callable = lambda scenario: {}
    # Scenario -> {tier: level of victory}, if the rules have such levels
    tier_levels: Callable = lambda scenario: {}
    # Scenario -> the lowest score that wins; None: the score decides nothing
    min_win_score: Callable = lambda scenario: None
    describe_action: Callable | None = None  # (state, tables, action, scenario) -> str
    # (state, tables, scenario) -> list[str]: the events of the last apply
    describe_events: Callable | None = None
    scene: Scene | None = None  # data for a page that replays a game: `trace --html`
    check: Callable | None = None  # (state, tables) -> str: "" or a description of the fault in the state
    labels: dict[str, Callable] = field(default_factory=dict)  # column -> Scenario -> {value: name}
    cause_column: str | None = None  # the column with the cause of a loss
    reporting: Reporting | None = None  # additional contents of reports
    cards: Cards | None = None  # for games whose players hold cards
    # name of a kind of action -> its number, for `omit=` of a restricted policy
    acts: dict[str, int] = field(default_factory=dict)
    # name of a kind of action -> its description in the terms of the game
    act_words: dict[str, str] = field(default_factory=dict)
    arguments: int = 1  # an action is kind * arguments + argument
    # jitted (state) -> the turn, counted as the record's `turn`; None: the state has a field `turn`
    turn_number: Callable | None = None
    # jitted (state) -> int: index of the deciding player of the side (0, 1, ...), if a seat is a side of
    # several players; None: a seat is one player
    member: Callable | None = None
    # jitted (state, tables) -> int: shuffles unseen face-down cards with the state's random numbers and
    # returns their number. None: there are no such cards
    shuffle_unseen: Callable | None = None
    # jitted (state, tables, seat): redeals the piles and hands that this seat cannot know, with the state's
    # random numbers (`simcore.kit.piles.all_open` if there are none). None: no policy may look ahead
    determinize: Callable | None = None
    # a function that returns the same game with states that also track each seat's knowledge of hidden cards,
    # if plain play does not need it; only that engine has `determinize` and `shuffle_unseen`
    following: Callable[[], "Engine"] | None = None
    # why hidden cards cannot be redealt, with the line to change; "": they can
    unknowable: str = ""
    # information about hidden cards that the rules reveal but redealing ignores, with its line; "": none
    untold: str = ""
    # policy of the game -> a note, if its text reads cards that its player may not see
    peeking: dict[str, str] = field(default_factory=dict)
    features: "Features | None" = None  # for luck-adjusted win rates
    rare: dict[str, Rare] = field(default_factory=dict)  # name -> event, for `bartizan chance`
    topics: tuple[Topic, ...] = ()  # for `bartizan coverage`
    # an external program that plays whole games (docs/engines.md) by its own rules
    live: "LiveEngine | None" = None

    @property
    def can_deal(self) -> bool:
        """Whether the cards that a seat does not know can be redealt."""
        return self.determinize is not None or self.following is not None

    def followed(self) -> "Engine":
        """Return the engine whose states contain each seat's knowledge. For most games, it is this engine."""
        return self.following() if self.following else self

    def reason_names(self) -> dict[int, str]:
        """Return the names of all end reasons, including the two reserved end reasons."""
        own = {int(code): name for code, name in self.end_reasons.items()}
        return {1: "illegal action", 2: "ply cap"} | own

    def in_points(self, score: Any) -> Any:
        """Convert scores from the unit of the rules to points (`Reporting.in_points`)."""
        return (self.reporting or Reporting()).in_points(score)

    def tiers_in_points(self, scenario: Any) -> dict[str, Any]:
        return {name: self.in_points(least) for name, least in self.tiers(scenario).items()}


IN_STATE = ("luck_key", "luck", "end_reason", "to_move")
IN_RECORD = ("game", "plies", "end_reason", "winner", "turn", "score")


def demands(engine: Engine) -> Iterator[tuple[bool, str]]:
    """Yield (is satisfied, message if not) for each requirement that an author may overlook."""
    yield (
        isinstance(engine, Engine),
        (f"its `engine` must be a function that returns an Engine, not {engine!r}"),
    )
    for what, dtype, needed in (
        ("state", engine.state_dtype, IN_STATE),
        ("tables", engine.tables_dtype, ()),
        ("record", engine.record_dtype, IN_RECORD),
    ):
        missing = [name for name in needed if name not in (dtype.names or ())]
        luck = " (*LUCK_FIELDS)" if "luck" in missing else ""
        yield not missing, f"its {what}_dtype has no field {', '.join(missing)}{luck}"
        odd = [name for name in dtype.names or () if dtype[name].base.kind not in "biufV"]
        yield (
            not odd,
            (f"its {what}_dtype has fields that are not numeric: {', '.join(odd)}; use i4, u1, f8 or b1"),
        )
    yield (
        engine.record_dtype["winner"].kind == "i",
        "its record_dtype has an unsigned `winner`, but a draw is -1: use i1",
    )
    names = () if engine.live else ("reset", "legal_actions", "apply", "write_record")
    rules = {name: getattr(engine, name) for name in names}
    written = {engine.features.write.__name__: engine.features.write} if engine.features else {}
    for name, rule in (rules | written).items():
        yield hasattr(rule, "py_func"), f"its rule {name} is not compiled: write @jit above it"
    yield (
        isinstance(engine.end_reasons, dict) and all(isinstance(code, int) for code in engine.end_reasons),
        f'its end_reasons must be a dict, {{3: "goal reached"}}, not {engine.end_reasons!r}',
    )
    yield (
        isinstance(engine.acts, dict) and all(isinstance(code, int) for code in engine.acts.values()),
        f'its acts must be a dict, {{"roll": 0, "hold": 1}}, not {engine.acts!r}',
    )
    yield (
        isinstance(engine.max_legal, int) and engine.max_legal >= 1,
        f"max_legal = {engine.max_legal}: write the largest number of legal actions, at least 1",
    )
    reported = engine.reporting.columns() if engine.reporting else []
    if engine.reporting and engine.reporting.scores:
        reported = [*reported, engine.reporting.scores.format(0)]
    for what, columns in (("nulls", engine.nulls), ("reporting", reported)):
        odd = [column for column in columns if column not in engine.record_dtype.names]
        yield not odd, f"its {what} refers to {', '.join(odd)}, which record_dtype does not contain"
    for code, name in engine.end_reasons.items():
        yield code >= 3, f'end reason {code} ("{name}") is reserved: number your own from 3'


def cards_of(game: Game) -> Cards:
    """Return the cards of a game. Raises UsageError for a game without cards."""
    if game.compiled.cards is None:
        raise UsageError(
            f"{game.name}: the game declares no cards; declare them with Deck(...) in a short game, or "
            "Engine(cards=...) in the full form. To vary its numbers one by one, run `bartizan sensitivity`"
        )
    return game.compiled.cards


def acts_of(kinds) -> dict[str, int]:
    """Convert an IntEnum of kinds of action to the form of `Engine.acts`."""
    return {kind.name.lower(): int(kind) for kind in kinds}


def load_game(name: str) -> Game:
    """Load a game by name, entry point, or path of an engine file or a Python file.

    The Python file may be in short or full form.

    Returns the same object until one of its files changes.
    """
    if name in BUILTIN:
        return importlib.import_module(BUILTIN[name]).GAME
    if is_engine(name):
        path = Path(name).resolve()
        return once("engine", path, lambda: importlib.import_module(LIVE).game_from_engine(path))
    if name.endswith(".py"):
        return game_from_file(Path(name))
    refuse_unknown(name)
    if (registered := registered_name(name)) != name:
        return load_game(registered)
    return next(point for point in _entry_points() if point.name == name).load()


def registered_name(name: str) -> str:
    """Return the name of a game as it is registered, if `name` differs only in case.

    Other text, such as a path, is returned unchanged.
    """
    return name if name in BUILTIN or name.endswith(OWN_GAMES) else as_spelled(name, game_names())


def refuse_unknown(name: str) -> None:
    """Raise UsageError for a game that does not exist. Does not run any file."""
    if name.endswith(OWN_GAMES):
        refuse_absent(Path(name), "game")
        if name.endswith(".toml") and not is_engine(name):
            raise UsageError(
                f"{name}: not an engine file, because it has no line command = [...] (see {page('engines')})"
            )
    elif registered_name(name) not in game_names():
        titles = {load_game(one).title.casefold(): one for one in BUILTIN}
        meant = titles.get(re.sub("[-_]", " ", name.casefold()), name)
        raise UsageError(
            f'no game "{name}"{did_you_mean(meant, game_names())} (for your own game, give the path '
            "of its .py file)"
        )


def game_names() -> list[str]:
    return [*BUILTIN, *(point.name for point in _entry_points())]


def _entry_points():
    from importlib.metadata import entry_points

    return list(entry_points(group=ENTRY_POINTS))


def game_from_file(path: Path) -> Game:
    """Load a game from one file, in short or full form."""
    read = load_module(path, "game")
    kept, game = _games.get(path.resolve(), (None, None))
    if game is None or kept is not read:
        game = _game_of(path, read)
        _games[path.resolve()] = read, game
    return game


_games: dict[Path, tuple[ModuleType, Game]] = {}  # by file: the module of a game, and the game


def _game_of(path: Path, read: ModuleType) -> Game:
    """Return the game that an executed file defines.

    Raises UsageError for a file without a game or without scenarios.
    """
    from bartizan.simcore.scenario.loading import load_scenario

    code, module = vars(read)[MARK], read
    if is_short(path, code.source):  # its full form (docs/short-games.md)
        with code.reading(code.sheets):
            module = importlib.import_module(SHORT).load(path.resolve(), read)
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game):
        raise UsageError(
            f"{path}: the file defines no game (see {page('short-games')}); to check a policy, run: bartizan "
            f"check GAME --policy {path.name}"
        )
    if not list(game.scenarios.glob("*.toml")):
        raise UsageError(
            f"{path}: {game.name}: no scenario in its folder {game.scenarios}; add a .toml file there"
        )
    if game.home == Path(".") or (is_ours(game.home) and not is_ours(path)):  # or a copy of a built-in game
        game = replace(game, home=path.resolve())
    if not is_ours(game.home):
        if module is read:  # data that its functions open count as those that the file opens
            with suppress(Exception):  # the first command that needs its tables reports a fault
                scenario = load_scenario(game)
                with code.reading(code.data):
                    game.compiled.build_tables(scenario)
        vars(game)["source_hash"] = code.hash  # the hash of the executed sources, regardless of later edits
    return game


def load_module(path: Path, what: str):
    """Import one Python file from outside the package, and return the module.

    Raises UsageError with file and line number for an error in the file. Also raises UsageError for a file
    that is named only in results from another source (`simcore.sources`).
    """
    path = Path(path).absolute()
    code, module = once(what, path, lambda: _executed(path, what))
    check_known(code.root, code)  # also if it was executed earlier for another reason
    return module


def _executed(path: Path, what: str) -> tuple[Code, ModuleType]:
    refuse_absent(path, what)
    path = path.resolve()
    if path.suffix != ".py":
        raise UsageError(f"{path}: a {what} file must be Python, with a name that ends in .py")
    try:
        code = Code(path)
    except OSError as error:
        raise UsageError(
            f"{error.filename or path}: the {what} file cannot be read: {error.strerror}; check the path "
            "and its permissions"
        ) from error
    check_known(path, code)
    try:
        module = load(code, what)
    except (Exception, SystemExit) as error:
        raise UsageError(
            f"{path}{_line_of(error, path)}: the {what} file cannot be loaded: {type(error).__name__}: "
            f"{error}{_unsaid(error, path)}"
        ) from error
    note_named(path, code)
    return code, module


def _unsaid(error: BaseException, path: Path) -> str:
    """Return advice for the import of a neighbouring file under a wrong name; "" for other errors."""
    name = error.name if isinstance(error, ModuleNotFoundError) else None
    beside = bool(name) and path.with_name(f"{name}.py").is_file()
    return f" (to import the file beside it, write: import {name})" if beside else ""


def _line_of(error: BaseException, path: Path) -> str:
    import traceback

    if isinstance(error, SyntaxError) and error.lineno:
        return f":{error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return f":{lines[-1]}" if lines else ""


# ---------------------------------------------------------------- rotated line-ups

# Rotations, for comparing policies when seats are not equal.

P = TypeVar("P")


def rotations(seats: Sequence[P]) -> list[tuple[P, ...]]:
    """Return a line-up in every distinct rotation of the seats."""
    line_up = tuple(seats)
    return list(dict.fromkeys(line_up[turn:] + line_up[:turn] for turn in range(len(line_up))))


def around(seats: Sequence[P], seat: int = 0) -> list[tuple[tuple[P, ...], int]]:
    """Return (line-up, new seat of the policy at `seat`) for each rotation of the seats."""
    line_up, n = tuple(seats), len(seats)
    return [(line_up[n - turn :] + line_up[: n - turn], (seat + turn) % n) for turn in range(n)]
