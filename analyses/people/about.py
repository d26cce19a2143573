"""What a log of plays may name of a game: its levels, its roles, how it ends, what others call it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bartizan.analyses.people.vocabulary import words
from bartizan.simcore.game import game_names, load_game
from bartizan.simcore.scenario.loading import load_scenario, scenario_names
from bartizan.simcore.sources import only_known

CUT_OFF = {1, 2}  # end reasons that no table meets: an illegal action, the limit on decisions


@dataclass(frozen=True)
class GameWords:
    """A game by its words."""

    name: str
    title: str
    levels: tuple[str, ...]  # of all its scenarios, those of the first one first
    roles: tuple[str, ...]
    alike: bool  # everybody for themselves
    together: bool  # one side against the game, as it is usually played
    editions: tuple[str, ...]  # its scenarios
    endings: tuple[str, ...]  # how it can end, in its own words

    def level_of(self, text: str) -> str | None:
        return _same(text, self.levels)

    def role_of(self, text: str) -> str | None:
        return None if self.alike else _same(text, self.roles)

    def is_called(self, text: str) -> bool:
        """Is that this game, by its name or its title without what follows a colon or a bracket?"""
        return stem(text) in {stem(self.name), stem(self.title)}

    @property
    def only_level(self) -> str | None:
        """What a play was on when nobody says: the level of a game that has one."""
        return self.levels[0] if len(self.levels) == 1 else None


def stem(text: str) -> str:
    """A title for comparison: "Castle Itter: The Strangest Battle of WWII" is "castle itter"."""
    return " ".join(re.split(r"[:(,\[–—]| - ", text.casefold(), maxsplit=1)[0].replace("_", " ").split())


def _same(text: str, names: Iterable[str]) -> str | None:
    plain = " ".join(re.sub(r"[_-]", " ", text).split()).casefold()
    return next((name for name in names if re.sub(r"[_-]", " ", name).casefold() == plain), None)


@cache
def words_of(name: str) -> GameWords:
    """Of a game by name or by its .py file. UsageError for one that there is not."""
    game = load_game(name)
    base = load_scenario(game)
    names = scenario_names(game.scenarios)
    models = [base.model, *(load_scenario(game, one).model for one in names)]
    levels = tuple(dict.fromkeys(level for model in models for level in model.difficulties()))
    together = not game.alike and len(game.roles_in(base)) == 1
    called = (game.name, game.title, levels, game.roles)
    return GameWords(*called, game.alike, together, tuple(names), endings_of(name))


def endings_of(name: str) -> tuple[str, ...]:
    """How a game can end, in its own words."""
    reasons = load_game(name).compiled.reason_names()
    return tuple(text for code, text in reasons.items() if code not in CUT_OFF)


class KnownGames:
    """Which game a text means: the one asked for, or one of those that there are."""

    def __init__(self, named: str | None = None, called: Mapping[str, str] | None = None):
        """named: the game asked for; called: a file's name of a game, in small letters -> its name here."""
        self.named, self.asked = named, words_of(named) if named else None
        self.called = dict(called or {})
        self.find = cache(self._find)  # an export names the same few games again and again

    def _find(self, text: str) -> GameWords | None:
        """None for a game that is not known."""
        name = self.called.get(words(text))
        if self.asked and (self.asked.is_called(text) or name in (self.named, self.asked.name)):
            return self.asked
        if name is not None:
            with only_known(Path("the mapping"), (), lambda game: f"bartizan check {game}"):
                return words_of(name)
        return next((game for game in map(words_of, game_names()) if game.is_called(text)), None)
