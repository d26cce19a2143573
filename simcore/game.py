"""A game to the rest of the house: `Game`, light to import, and `Engine`, compiled when first used."""

import importlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from bartizan.simcore.compile.cache import is_ours
from bartizan.simcore.compile.identity import MARK, Code, load
from bartizan.simcore.errors import EngineError, UsageError, did_you_mean
from bartizan.simcore.reporting import Reporting
from bartizan.simcore.scene import Scene
from bartizan.simcore.sources import OWN_GAMES, hold_known, is_engine, is_short, note_named, source_hash

if TYPE_CHECKING:
    from bartizan.simcore.features import Features
    from bartizan.simcore.live.playing import LiveEngine

BUILTIN = {
    "itter": "bartizan.simcore.itter",
    "colditz": "bartizan.simcore.colditz",
    "castle": "bartizan.simcore.castle",
    "rampage": "bartizan.simcore.rampage",
}
ENTRY_POINTS = "bartizan.games"
PLAYERS = Path(__file__).parents[1] / "policies"  # what is known of the players of the built-in games


@dataclass(frozen=True)
class Game:
    """A game as the command line sees it. Importing one must not import numba: `engine` is called to play."""

    name: str
    title: str
    schema: type  # pydantic model of the scenario file, a subclass of simcore.scenario.model.ScenarioModel
    scenarios: Path  # folder of scenario TOML files
    engine: Callable[[], "Engine"]
    behaviour: int  # raised whenever a change makes the same seed play differently
    roles: tuple[str, ...] = ("player",)  # one name a seat; policies are indexed by seat
    # everybody for himself, the same for all: roles are places in the turn order, and `players_path` says how
    # many are taken
    alike: bool = False
    rules_source: str = ""
    # the policies of a game from outside, strongest last; those of the house's games stand in policies.<name>
    policies: Callable[[], list] = list
    default_policy: str = "random"
    # role -> policy, where roles need different ones
    defaults: dict[str, str] = field(default_factory=dict, hash=False)
    # Scenario -> how many of the roles are taken under it; None: all, or what `players_path` says
    seats: Callable[[Any], int] | None = None
    players_path: str = ""  # the scenario value that `--players` sets, for games that can vary it
    player_counts: tuple[int, ...] = ()  # and what it may be
    home: Path = field(default=Path("."))  # the file or package it was loaded from

    def __post_init__(self):
        for holds, otherwise in self._demands():
            if not holds:
                raise UsageError(f"game {self.name}: {otherwise}")

    def _demands(self) -> Iterator[tuple[bool, str]]:
        """(does it hold, what is wrong otherwise): what the author of a game may get wrong."""
        from bartizan.simcore.scenario.model import ScenarioModel

        schema, roles = self.schema, self.roles
        of_model = isinstance(schema, type) and issubclass(schema, ScenarioModel)
        yield of_model, f"its schema is a class made from ScenarioModel, not {schema!r}"
        yield (
            isinstance(self.scenarios, Path),
            f'its scenarios are a folder, Path(__file__).parent / "scenarios", not {self.scenarios!r}',
        )
        yield isinstance(self.behaviour, int), f"its behaviour is a whole number, not {self.behaviour!r}"
        named = isinstance(roles, tuple) and all(isinstance(role, str) for role in roles)
        yield named, f'its roles are a tuple, such as ("first", "second") or ("player",), not {roles!r}'
        yield len(set(roles)) == len(roles) > 0, f"its roles are one name for each seat, not {roles!r}"
        yield (
            callable(self.policies),
            f"its policies are a function, `lambda: [A, B]`, not a {type(self.policies).__name__}",
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
        """What column `turn` counts, in the singular: `turn`, `round`."""
        return (self.compiled.reporting or Reporting()).time

    @property
    def is_builtin(self) -> bool:
        return self.name in BUILTIN and is_ours(self.home)

    @cached_property
    def source_hash(self) -> str:
        """16 hex digits over an outside game's sources; "" for the house's, whose `behaviour` tests hold."""
        home = self.home if self.home != Path(".") else Path(self.engine.__code__.co_filename)
        return "" if is_ours(home) else source_hash(home)

    def rules_of(self, scenario) -> str:
        """Which text the rules are from under a scenario."""
        return scenario.model.rules_source or self.rules_source

    def roles_in(self, scenario) -> tuple[str, ...]:
        """The seats taken under a scenario."""
        if self.seats:
            return self.roles[: self.seats(scenario)]
        if not self.alike or not self.players_path:
            return self.roles
        from bartizan.simcore.scenario.parameters import get

        return self.roles[: get(scenario.data, self.players_path)]

    def seated(self, scenario, line_up: tuple[str, ...]) -> tuple[str, ...]:
        """A line-up (one policy a role, or one for each player) as it sits down: one policy for each seat
        taken.

        Refuses one that names more or fewer.
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
        how = "; --players sets how many play" if self.players_path else ""
        whole = "+".join((*line_up, *line_up[-1:] * seats)[:seats])
        raise UsageError(
            f"{len(line_up)} policies are given ({', '.join(line_up)}) for {seats} seats; give one for each "
            f"seat, such as --policy {whole}, or one for all{how}"
        )

    def refuse_untaken(self, role: str, taken: tuple[str, ...]) -> NoReturn:
        """A policy is named for a seat that nobody takes."""
        plays = "plays" if len(taken) == 1 else "play"
        raise UsageError(
            f"a policy is given for the {role} seat, but {len(taken)} {plays}: {', '.join(taken)}"
        )

    def default_for(self, role: str) -> str:
        """The policy that the game declares for a role, whatever has been found to play better since."""
        return self.defaults.get(role, self.default_policy)


def beside(named: str, name: str) -> Path:
    """Where data on a game's players stand: in the folder of its policies, or beside the file of a game from
    outside.

    named: as a command names the game.
    """
    return Path(named).with_suffix(f".{name}") if named.endswith(OWN_GAMES) else PLAYERS / named / name


@dataclass(frozen=True)
class CardRow:
    """One kind of card as it is printed, under a scenario."""

    name: str
    copies: int
    value: int | None  # None: the card has none
    does: str  # what it can do beyond that, "" for nothing
    source: str
    confidence: str
    cost: int | None = None  # cards of the hand it takes to use it; None: costs are no part of this game
    assumed: tuple[str, ...] = ()  # which of its values are, where each has an origin of its own


@dataclass(frozen=True, eq=False)
class Cards:
    """The cards of a game, and how one just got changes places with another: what `bartizan cards` lists and
    plays.

    A seat is due once for each card it gets. The swap touches nothing but the two cards, and what who knows
    of them. It must change with any card of the kind that is left, each as likely (`simcore.rng.aside`): with
    always the first one the pile would no longer be a shuffled one. Every card that comes into a hand ends in
    one of `uses`; `note` counts them. A card that comes into a hand again counts again.
    """

    # Scenario -> list[CardRow]: everything printed; a kind that can be drawn has its name from `kinds`
    table: Callable
    # Scenario -> {kind: name}: what can be drawn, in the order of the deck; no two names alike
    kinds: Callable
    # jitted, see simcore.compile.rules.is_due; without it, and `swap`, the deck is only listed
    due: Callable | None = None
    # jitted, see simcore.compile.rules.swap; a card that is of that kind already stays, and that is True
    swap: Callable | None = None
    uses: tuple[str, ...] = ()  # how a card that came into a hand can end, every way
    note: Callable | None = None  # jitted, see simcore.compile.rules.note
    # Scenario -> {kind: those of `uses` that are what it is printed for}; None: all uses are
    printed_for: Callable | None = None
    value: str = "value"  # what the number in the rows' `value` is
    # jitted, see simcore.compile.rules.take_away: for `cards --without`
    take_away: Callable | None = None
    # Scenario -> {kind: name} of those that players own, and so can be taken away; None: all kinds
    owned: Callable | None = None
    # jitted, see simcore.compile.rules.holdings: what comes into a hand, and how it leaves it, is then seen
    # from outside, without `due` and `note`
    holdings: Callable | None = None
    # jitted, see simcore.compile.rules.named_cards
    named_cards: Callable | None = None
    # Scenario -> {column: {kind: its number there}} of decks that are tables
    columns: Callable = lambda scenario: {}
    # Scenario -> {kind: names of the kinds of action by which a player uses a card in hand}
    used_by: Callable = lambda scenario: {}
    # Scenario -> {kind: path of its number of copies}, of those that can be left out of the deck
    copies: Callable = lambda scenario: {}


@dataclass(frozen=True, eq=False)
class Topic:
    """Things of one sort that a game can meet, cards or spaces, and where they are named: in the arguments of
    actions, in the events of the log. What `bartizan coverage` counts beside kinds of action and ends.
    """

    title: str  # in the plural: "SS cards drawn"
    # Scenario -> {number: name}: all there are under it; numbers of one name are counted together
    names: Callable
    # name of a kind of action -> (argument, seat) -> its number, or several; one that `names` lacks: nothing
    actions: dict[str, Callable] = field(default_factory=dict)
    events: dict[int, Callable] = field(default_factory=dict)  # event -> (its three numbers) -> the same


@dataclass(frozen=True, eq=False)
class Rare:
    """An event that most games never see, and the way to it: what multilevel splitting needs."""

    title: str  # as the subject of a sentence: "no defender is lost"
    # jitted (state, tables) -> int: 0 at the start; it has happened at `top`; below 0: it can no more happen.
    # Read after every action, the last too
    progress: Callable
    top: Callable  # Scenario -> int: the progress at which it has happened


@dataclass(frozen=True, eq=False)  # compared and hashed by identity: one engine a game a process
class Engine:
    """The playable half of a game: record layouts and jitted functions (see `simcore.compile.rules`)."""

    state_dtype: Any  # holds simcore.rng.LUCK_FIELDS, `end_reason`, `to_move`
    tables_dtype: Any
    record_dtype: Any  # holds `game`, `plies`, `end_reason`, `winner`, `turn`, `score`
    build_tables: Callable  # Scenario -> record array of length 1
    reset: Callable
    legal_actions: Callable
    apply: Callable
    write_record: Callable
    end_reasons: dict[int, str]
    max_legal: int
    # the legal actions, each asked by itself, where `legal_actions` lists them faster: `check` compares both
    every_action: Callable | None = None
    # it is proved that no rule writes a number that a field of the state cannot hold
    holds_all: bool = False
    # column -> the value that means "none" and becomes null
    nulls: dict[str, int] = field(default_factory=dict)
    tiers: Callable = lambda scenario: {}  # Scenario -> {name: least score}, best first
    # Scenario -> {tier: level of victory it stands for}, where the rules have such levels
    tier_levels: Callable = lambda scenario: {}
    # Scenario -> the least score that wins; None: a score decides nothing
    min_win_score: Callable = lambda scenario: None
    describe_action: Callable | None = None  # (state, tables, action, scenario) -> str
    # (state, tables, scenario) -> list[str]: what happened in the last apply
    describe_events: Callable | None = None
    scene: Scene | None = None  # what a page shows to who watches a game: `trace --html`
    check: Callable | None = None  # (state, tables) -> str: "" or what is wrong with the state
    labels: dict[str, Callable] = field(default_factory=dict)  # column -> Scenario -> {value: name}
    cause_column: str | None = None  # the column that says how a game was lost
    reporting: Reporting | None = None  # what reports show beyond the result
    cards: Cards | None = None  # for games whose players get cards
    # name of a kind of action -> its number; what `omit=` of a restricted policy can name
    acts: dict[str, int] = field(default_factory=dict)
    act_words: dict[str, str] = field(default_factory=dict)  # the same -> what it is, in the game's words
    arguments: int = 1  # an action is kind * arguments + argument
    # jitted (state) -> the turn as the record's `turn` counts it; None: the state has a field `turn`
    turn_number: Callable | None = None
    # jitted (state) -> int: which player of the side decides (0, 1, ...), where a seat is a side of several;
    # None: a seat is one player
    member: Callable | None = None
    # jitted (state, tables) -> int: what lies face down unseen is shuffled with the state's luck; how many
    # cards that is. None: nothing lies ready
    shuffle_unseen: Callable | None = None
    # jitted (state, tables, seat): what this seat cannot know, piles and hands, is dealt anew with the
    # state's luck (`simcore.kit.piles.all_open` where that is nothing). None: nobody may look ahead
    determinize: Callable | None = None
    # a function that returns the same game with states that also hold what each seat knows of hidden
    # cards, where plain play does without: it alone has `determinize` and `shuffle_unseen`
    following: Callable[[], "Engine"] | None = None
    # why nobody can deal hidden cards anew, with the line to change; "": it can be done
    unknowable: str = ""
    # what the rules tell players of hidden cards that is not used when those are dealt anew, with the line
    # that tells it; "": nothing
    untold: str = ""
    features: "Features | None" = None  # for luck-adjusted win rates
    rare: dict[str, Rare] = field(default_factory=dict)  # name -> event, for `bartizan chance`
    topics: tuple[Topic, ...] = ()  # for `bartizan coverage`
    # a program from outside that plays whole games (docs/engines.md): its rules are not here
    live: "LiveEngine | None" = None

    @property
    def can_deal(self) -> bool:
        """Can what a seat does not know be dealt anew?"""
        return self.determinize is not None or self.following is not None

    def followed(self) -> "Engine":
        """The engine whose states hold what each seat knows: of most games, this one."""
        return self.following() if self.following else self

    def reason_names(self) -> dict[int, str]:
        """Names of all end reasons, the house's own two included."""
        own = {int(code): name for code, name in self.end_reasons.items()}
        return {1: "illegal action", 2: "ply cap"} | own


IN_STATE = ("luck_key", "luck", "end_reason", "to_move")
IN_RECORD = ("game", "plies", "end_reason", "winner", "turn", "score")


def demands(engine: Engine) -> Iterator[tuple[bool, str]]:
    """(does it hold, what is wrong otherwise): what the author of a game may get wrong."""
    yield isinstance(engine, Engine), f"its `engine` is a function that returns an Engine, not {engine!r}"
    for what, dtype, needed in (
        ("state", engine.state_dtype, IN_STATE),
        ("tables", engine.tables_dtype, ()),
        ("record", engine.record_dtype, IN_RECORD),
    ):
        missing = [name for name in needed if name not in (dtype.names or ())]
        luck = " (*LUCK_FIELDS)" if "luck" in missing else ""
        yield not missing, f"its {what}_dtype has no field {', '.join(missing)}{luck}"
        odd = [name for name in dtype.names or () if dtype[name].base.kind not in "biufV"]
        yield not odd, f"its {what}_dtype has no numeric type in {', '.join(odd)}; use i4, u1, f8 or b1"
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
        f'its end_reasons are a dict, {{3: "goal reached"}}, not {engine.end_reasons!r}',
    )
    yield (
        isinstance(engine.acts, dict) and all(isinstance(code, int) for code in engine.acts.values()),
        f'its acts are a dict, {{"roll": 0, "hold": 1}}, not {engine.acts!r}',
    )
    yield (
        isinstance(engine.max_legal, int) and engine.max_legal >= 1,
        f"max_legal = {engine.max_legal}: the most legal actions there can be, at least 1",
    )
    reported = engine.reporting.columns() if engine.reporting else []
    if engine.reporting and engine.reporting.scores:
        reported = [*reported, engine.reporting.scores.format(0)]
    for what, columns in (("nulls", engine.nulls), ("reporting", reported)):
        odd = [column for column in columns if column not in engine.record_dtype.names]
        yield not odd, f"its {what} names {', '.join(odd)}, which its record_dtype lacks"
    for code, name in engine.end_reasons.items():
        yield code >= 3, f'end reason {code} ("{name}") is the house\'s: number your own from 3'


def cards_of(game: Game) -> Cards:
    """Raises UsageError for a game without cards."""
    if game.compiled.cards is None:
        raise UsageError(
            f"{game.name}: no cards in this game: a short game declares them with Deck(...), a long one with "
            "Engine(cards=...); to vary its numbers one by one: bartizan sensitivity"
        )
    return game.compiled.cards


def acts_of(kinds) -> dict[str, int]:
    """An IntEnum of the kinds of action as `Engine.acts` wants it."""
    return {kind.name.lower(): int(kind) for kind in kinds}


# what the question that is asked has read, by kind of file and path
_read: ContextVar[dict[tuple[str, Path], Any] | None] = ContextVar("read", default=None)


@contextmanager
def read_once() -> Iterator[None]:
    """Meanwhile a game or policy file is read once, so that a question is answered for one version of it.

    Without this, a file is checked whenever it is named, and executed again if it has changed.
    """
    token = _read.set({}) if _read.get() is None else None
    try:
        yield
    finally:
        if token is not None:
            _read.reset(token)


def load_game(name: str) -> Game:
    """A game by its name, its entry point, or the path of an engine file or of a Python file with GAME.

    The same object until one of its files changes.
    """
    if name in BUILTIN:
        return importlib.import_module(BUILTIN[name]).GAME
    if is_engine(name):
        from bartizan.simcore.live.game import game_from_engine

        path = Path(name).resolve()
        return _once("engine", path, lambda: game_from_engine(path))
    if name.endswith(".py"):
        return game_from_file(Path(name))
    refuse_unknown(name)
    return next(point for point in _entry_points() if point.name == name).load()


def _once(kind: str, path: Path, reader: Callable[[], Any]) -> Any:
    """What `reader` returns; under `read_once` what it returned first."""
    read = _read.get()
    if read is None:
        return reader()
    if (kind, path) not in read:
        read[kind, path] = reader()
    return read[kind, path]


def refuse_unknown(name: str) -> None:
    """Raises UsageError for a game that does not exist. No file is run."""
    if name.endswith(OWN_GAMES):
        refuse_absent(Path(name), "game")
        if name.endswith(".toml") and not is_engine(name):
            raise UsageError(f"{name}: is no engine file, because it has no command (docs/engines.md)")
    elif name not in game_names():
        raise UsageError(
            f'no game "{name}"{did_you_mean(name, game_names())} (for your own game, give the path '
            "of its .py file)"
        )


def refuse_absent(path: Path, what: str) -> None:
    """Raises UsageError where there is no such file."""
    if not path.is_file():  # a link that leads nowhere is named itself
        raise UsageError(f"{path.absolute()}: no such {what} file")


def game_names() -> list[str]:
    return [*BUILTIN, *(point.name for point in _entry_points())]


def _entry_points():
    from importlib.metadata import entry_points

    return list(entry_points(group=ENTRY_POINTS))


def game_from_file(path: Path) -> Game:
    """A game of one file, long or short."""
    read = load_module(path, "game")
    kept, game = _games.get(path.resolve(), (None, None))
    if game is None or kept is not read:
        game = _game_of(path, read)
        _games[path.resolve()] = read, game
    return game


_games: dict[Path, tuple[ModuleType, Game]] = {}  # by file: the module of a game, and the game


def _game_of(path: Path, read: ModuleType) -> Game:
    """The game of a file that was executed."""
    code = vars(read)[MARK]
    module = _long_of(path.resolve(), read) if is_short(path, code.source) else read
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game):
        raise UsageError(
            f"{path}: defines no GAME (see docs/adding-a-game.md); to check a policy: bartizan "
            f"check GAME --policy {path.name}"
        )
    if not list(game.scenarios.glob("*.toml")):
        raise UsageError(f"{path}: {game.name}: no scenario (.toml) in its folder {game.scenarios}")
    if game.home == Path("."):
        game = replace(game, home=path.resolve())
        vars(game)["source_hash"] = code.hash  # of what was executed, whatever is edited since
    return game


def _long_of(path: Path, short: ModuleType) -> ModuleType:
    """The long game of a short one (docs/short-games.md)."""
    from bartizan.simcore.short.writing import load

    return load(path, short)


def load_module(path: Path, what: str):
    """Import one Python file from outside the package; any fault in it becomes one line that names file and
    line. Refuses what only a stranger's results name (`simcore.sources`).
    """
    path = Path(path).absolute()
    code, module = _once(what, path, lambda: _executed(path, what))
    hold_known(code.root, code)  # also where it was executed for another reason before
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
            f"{error.filename or path}: the {what} file cannot be read: {error.strerror}"
        ) from error
    hold_known(path, code)
    try:
        module = load(code, what)
    except (Exception, SystemExit) as error:
        raise UsageError(
            f"{path}{_line_of(error, path)}: the {what} file does not load: {type(error).__name__}: {error}"
            f"{_unsaid(error, path)}"
        ) from error
    note_named(path, code)
    return code, module


def _unsaid(error: BaseException, path: Path) -> str:
    """What to write where a file beside it was imported by a string."""
    name = error.name if isinstance(error, ModuleNotFoundError) else None
    beside = bool(name) and path.with_name(f"{name}.py").is_file()
    return f" (for the file beside it write: import {name})" if beside else ""


def _line_of(error: BaseException, path: Path) -> str:
    import traceback

    if isinstance(error, SyntaxError) and error.lineno:
        return f":{error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return f":{lines[-1]}" if lines else ""


# ---------------------------------------------------------------- line-ups turned round

# What a comparison of players needs when seats are not equal.

P = TypeVar("P")


def rotations(seats: Sequence[P]) -> list[tuple[P, ...]]:
    """A line-up in every rotation of the seats, each once."""
    line_up = tuple(seats)
    return list(dict.fromkeys(line_up[turn:] + line_up[:turn] for turn in range(len(line_up))))


def around(seats: Sequence[P], seat: int = 0) -> list[tuple[tuple[P, ...], int]]:
    """Everybody moves on by one seat, all the way round: who sits where, and where the one at `seat` does."""
    line_up, n = tuple(seats), len(seats)
    return [(line_up[n - turn :] + line_up[: n - turn], (seat + turn) % n) for turn in range(n)]
