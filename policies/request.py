"""A request: the game, the scenario, the changed values and the policies that the user has given."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from bartizan.policies import archive, registry
from bartizan.simcore.commands import command_of as command_of
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import NUMBER_OF_PLAYERS, Game, load_game
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import Scenario, load_scenario, paths_meant
from bartizan.simcore.sources import OWN_GAMES
from bartizan.simcore.sweep.plan import FILES

Sets = Mapping[str, str]  # path -> value, as text


@dataclass(frozen=True)
class Request:
    """The game that the user named, the changed values, and the policies.

    Invalid values raise an error when they are read.
    """

    named: str  # a built-in game, or the path of a .py or engine file
    scenario: str | None = None
    difficulty: str | None = None
    policy: tuple[str, ...] = ()
    players: int | None = None
    sets: Sets = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Treat `--set difficulty=elite` as `--difficulty elite`."""
        if self.difficulty is None and "difficulty" in (self.sets or {}):
            object.__setattr__(self, "difficulty", str(self.sets["difficulty"]))
            others = {path: value for path, value in self.sets.items() if path != "difficulty"}
            object.__setattr__(self, "sets", others)

    @cached_property
    def game(self) -> Game:
        return load_game(self.named)

    @cached_property
    def values(self) -> dict[str, str]:
        """Value of each path as text, including the number of players.

        Raises UsageError if this number or the difficulty is given twice.
        """
        players = player_values(self.game, self.players)
        sets = paths_meant(self.game, self.scenario, self.sets)
        if twice := next(iter(players.keys() & sets), ""):
            raise UsageError(
                f"--players {self.players}: --set {twice} also sets the number of players; remove one of them"
            )
        if self.difficulty and "difficulty" in sets:
            raise UsageError(
                f"--difficulty {self.difficulty}: also set by --set difficulty; set it only once"
            )
        return players | sets

    @cached_property
    def leveled(self) -> dict[str, str]:
        """`values` with the difficulty, if one is given."""
        return self.values | ({"difficulty": self.difficulty} if self.difficulty else {})

    @cached_property
    def loaded(self) -> Scenario:
        """The scenario with the changed values."""
        return load_scenario(self.game, self.scenario, self.difficulty, self.values)

    def best(self, *beside: Scenario) -> Callable[[str], str]:
        """Return a function that maps a role to its default policy (`best_player`).

        The policy is the same under the scenario and the scenarios in `beside`.
        """
        return lambda role: best_player(self.game, role, self.loaded, *beside)

    def line_up(self, asking: str, default: Callable[[str], str] | None = None) -> tuple[str, ...]:
        """Return the single line-up of a request (`line_ups`). Raises UsageError if there are several.

        asking: the command, for the message.
        """
        line_up, *more = self.line_ups(default)
        if more:
            each = (
                " for all seats, or one for each seat (P+Q)"
                if self.game.alike
                else ", or one for each role (ROLE=P)"
            )
            raise UsageError(
                f"{asking}: supports one line-up, but --policy gives {len(more) + 1}; give one policy"
                f"{each if len(self.game.roles) > 1 else ''}"
            )
        return line_up

    def line_ups(self, default: Callable[[str], str] | None = None) -> list[tuple[str, ...]]:
        """Return every requested line-up.

        Seats without a policy get the `default` of their role (default: the best known policy). Raises
        UsageError for a policy in an unoccupied role.
        """
        taken = self.game.roles_in(self.loaded)
        for text in self.policy:
            role = registry.role_of(self.game, text)[0] if registry.is_role(self.game, text) else taken[0]
            if role not in taken:
                self.game.refuse_untaken(role, taken)
        return registry.line_ups(self.game, list(self.policy), together=True, default=default or self.best())

    def match(self, seed: int, asking: str) -> Match:
        """Return the match of the single line-up. asking: the command, for the message."""
        seated = self.game.seated(self.loaded, self.line_up(asking))
        return match_of(self.game, self.loaded, seated, seed)

    def words(self) -> list[str]:
        """Return the request as words of a command line, without the game.

        Omits the difficulty if the scenario has only one.
        """
        words = ["--scenario", self.scenario] if self.scenario else []
        if self.difficulty and len(self.loaded.model.difficulties()) > 1:
            words += ["--difficulty", self.difficulty]
        words += [word for text in self.policy for word in ("--policy", text)]
        words += ["--players", str(self.players)] if self.players is not None else []
        return words + [word for path, value in self.sets.items() for word in ("--set", f"{path}={value}")]


def match_of(game: Game, scenario: Scenario, seated: Sequence[str], seed: int) -> Match:
    """Return a match between policies. seated: one policy as text for each occupied seat."""
    return Match(game, scenario, tuple(registry.find_player(game, text) for text in seated), seed)


def player_values(game: Game, players: int | None) -> dict[str, str]:
    """Return the values that set the number of players.

    Returns {} if `players` is None, or if it is the only number that the game supports.

    Raises UsageError for a number that the game does not support.
    """
    if players is None:
        return {}
    if players in game.player_counts:
        return {game.players_path: str(players)}
    if not game.player_counts:  # the players of a cooperative game have one role
        known = {one.path: one for one in load_scenario(game).parameters()}
        if NUMBER_OF_PLAYERS in known and known[NUMBER_OF_PLAYERS].low != known[NUMBER_OF_PLAYERS].high:
            return {NUMBER_OF_PLAYERS: str(players)}
    option = f"--players {players}: "
    if game.player_counts:
        least, most = game.player_counts[0], game.player_counts[-1]
        raise UsageError(f"{option}{game.name} supports {least} to {most} ({game.players_path})")
    if game.seats:
        lists = f"(bartizan describe {game.name} lists its scenarios)"
        raise UsageError(f"{option}in {game.name}, the scenario sets the number of players {lists}")
    if players != len(game.roles):
        raise UsageError(f"{option}{game.name} supports {len(game.roles)} ({', '.join(game.roles)})")
    return {}


def line_up_words(game: Game, policies: tuple[str, ...]) -> str:
    """Return a line-up as text, such as `steward`, `steward+raider` or `allied=random, german=greedy`."""
    if len(set(policies)) == 1:
        return policies[0]
    if game.alike:
        return "+".join(policies)
    return ", ".join(f"{role}={text}" for role, text in zip(game.roles, policies, strict=False))


def best_player(game: Game, role: str, *scenarios: Scenario) -> str:
    """Return the default policy of a role.

    It is the best in the archive that comes with the game, or the policy that the game declares.

    If several scenarios are given, it is the same policy for all: the best under each of them or, if these
    differ, the policy that the game declares.
    """
    entries = archive.read(archive.file_of(name_in_commands(game)))
    best = {_best_of(game, role, entries, scenario) for scenario in scenarios}
    return best.pop() if len(best) == 1 else game.default_for(role)


def _best_of(game: Game, role: str, entries: Sequence[archive.Entry], scenario: Scenario) -> str:
    """Return the last admitted policy that is fast and not a file; the declared policy if there is none.

    A policy file runs only if the user names it.
    """
    if role not in game.roles_in(scenario):
        return game.default_for(role)  # an unoccupied seat
    known = archive.quick(archive.of_seat(entries, game, scenario, role))
    return next((policy for policy in reversed(known) if not FILES.search(policy)), game.default_for(role))


def default_policy_words(game: Game, scenario: Scenario) -> str:
    """Return the options that name the default policies: one for all seats, or one for each occupied seat."""
    seats = game.roles_in(scenario)
    if not game.defaults or len(seats) == 1:
        return f"--policy {best_player(game, seats[0], scenario)}"
    return " ".join(f"--policy {role}={best_player(game, role, scenario)}" for role in seats)


def name_in_commands(game: Game) -> str:
    """Return the game as a command names it: its name, or the path of its file."""
    return str(game.home) if game.home.suffix in OWN_GAMES else game.name


def several_values(value: str) -> list[str]:
    """Split `a,b,c` into three values. A list or table in brackets is one value."""
    return [value] if value.startswith(("[", "{")) else [part.strip() for part in value.split(",")]
