"""Record which rules of short games have passed `check`.

After an edit of a policy, only the policies need to be checked again.
"""

import hashlib
import json
from contextlib import suppress
from pathlib import Path

from bartizan.simcore import conformance
from bartizan.simcore.compile import trees
from bartizan.simcore.compile.cache import cache_root, claim
from bartizan.simcore.compile.identity import content_hash, is_by_content
from bartizan.simcore.compile.loops import rules_of
from bartizan.simcore.conformance import each_scenario
from bartizan.simcore.files import write_atomic
from bartizan.simcore.game import Game
from bartizan.simcore.play.match import Player

MOST_POLICIES = 100  # maximum number of remembered policies per game
FOLDER = "checked"  # folder in the cache folder, with one file per game file


class PassedRules:
    """The report of `check` on a short game's rules, if these rules have passed.

    lines: the lines of the report; empty if the rules have not passed.
    """

    def __init__(self, game: Game):
        self.path = cache_root() / FOLDER / hashlib.sha256(str(game.home).encode()).hexdigest()[:24]
        self.hash = _hash_of(game)
        self.lines: list[str] = []
        self.policies: list[str] = []
        with suppress(OSError, ValueError, KeyError, TypeError):
            kept = json.loads(self.path.read_bytes())
            if kept["rules"] == self.hash:
                self.lines, self.policies = kept["lines"], kept["policies"]

    @staticmethod
    def can_tell(game: Game) -> bool:
        """Return whether rules are identified by their content, as in short games."""
        return is_by_content(game.compiled.legal_actions)

    def is_known(self, player: Player) -> bool:
        """Return whether a policy has passed `check` with these rules."""
        return _hash_of_policy(player) in self.policies

    def keep(self, lines: list[str], players: list[Player]) -> None:
        """Save the lines of a check that has passed, and the policies that were checked."""
        policies = [*self.policies, *map(_hash_of_policy, players)][-MOST_POLICIES:]
        kept = {"rules": self.hash, "lines": lines, "policies": list(dict.fromkeys(policies))}
        with suppress(OSError):
            claim(cache_root())
            self.path.parent.mkdir(exist_ok=True)
            write_atomic(self.path, json.dumps(kept).encode())


def _hash_of_policy(player: Player) -> str:
    return content_hash(player.function) + json.dumps(dict(player.weights))


def _hash_of(game: Game) -> str:
    """Return a hash of the rules, texts and scenarios of a game, and of Bartizan's own checks."""
    parts = [trees.closure_hash(frozenset(), Path(conformance.__file__))]
    for engine in dict.fromkeys((game.compiled, game.compiled.followed())):
        functions = [*rules_of(engine).values(), *(event.progress for event in engine.rare.values())]
        functions += [engine.every_action] if engine.every_action else []
        parts += [content_hash(*functions), str(engine.state_dtype), repr(engine.end_reasons), engine.untold]
    words = getattr(game.compiled.describe_action, "__self__", None)
    parts += [repr(words), *(one.path.read_text(encoding="utf-8") for one in each_scenario(game))]
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()
