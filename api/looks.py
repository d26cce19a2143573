"""Looks at a saved answer: earlier numbers of games for the same question at the same path.

A saved answer records its look. The next answer to the same question adjusts its confidence level in the same
way as claims do (`analyses.statistics.looks`). Games in a sweep's folder have a separate record for claims
(`simcore.sweep.looks`), whose looks are counted by the same rule.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from bartizan.analyses.statistics.looks import level_of, plain_level_of
from bartizan.reports.document import Looked
from bartizan.simcore.compile.cache import is_ours
from bartizan.simcore.documentation import page
from bartizan.simcore.files import read_document
from bartizan.simcore.game import Game
from bartizan.simcore.play.match import Player
from bartizan.simcore.reporting import CONFIDENCE
from bartizan.simcore.sweep.looks import number_of
from bartizan.simcore.sweep.store import ANSWERS, COMPARISON

GAMES = "games"


@dataclass(frozen=True)
class KeptLooks:
    """The looks at one question that are saved at a path.

    asked: identity of the question; "" if nothing is saved. earlier: the number of games at each look.
    """

    asked: str = ""
    earlier: tuple[int, ...] = ()

    def number(self, games: int) -> int:
        """Return the number of the look with this number of games, counted from 1.

        A repeated number of games is the same look.
        """
        return number_of({GAMES: games}, [{GAMES: was} for was in self.earlier])

    def level(self, games: int) -> float:
        """Return the confidence level of verdicts at this look; 95 % if nothing is saved.

        With these levels, the probability of an error at any look is at most 5 %.
        """
        return level_of(self.number(games)) if self.asked else CONFIDENCE

    def plain_level(self, games: int) -> float:
        """Return the confidence level of the intervals shown beside the verdict: 95 % at the first look."""
        return plain_level_of(self.number(games))

    def fields(self, games: int) -> dict[str, Any]:
        """Return the document fields that record this look for later looks; {} if nothing is saved."""
        if not self.asked:
            return {}
        looks = sorted({*self.earlier, games})
        return {"looks_counted": True, "look_number": self.number(games), "looks": looks, "asked": self.asked}


def before(out: Path | None, kind: str, *identity: Any) -> KeptLooks:
    """Return the earlier looks at a question that are saved at `out` (a .json file or a folder).

    `kind` and `identity` together identify the question.
    """
    if out is None:
        return KeptLooks()
    asked = sha256(json.dumps([kind, *identity], sort_keys=True, default=str).encode()).hexdigest()[:16]
    kept = (document for document in _kept(Path(out), kind) if document.get("asked") == asked)
    return KeptLooks(asked, tuple(sorted({games for document in kept for games in document["looks"]})))


def own_code(game: Game, players: Iterable[Player] = ()) -> list[str]:
    """Return hashes of the user's rules and policies; [] if all are built in.

    The hashes are part of the identity of a question, so an edit of the code starts a new count of looks.
    """
    hashes = [game.source_hash, *("" if is_ours(one.source) else one.source_hash for one in players)]
    return hashes if any(hashes) else []


def _kept(out: Path, kind: str) -> Iterator[dict[str, Any]]:
    """Yield the documents saved at `out` that may be answers of this kind."""
    if out.suffix == ".json" and not out.is_dir():
        yield read_document(out)
        return
    yield read_document(out / COMPARISON)
    for path in sorted(out.glob(f"{ANSWERS}/{kind}-*.json")):
        yield read_document(path).get("answer", {})


def looks_said(document: Looked) -> list[str]:
    """Return the lines about repeated looks to print below an answer; [] if looks are not counted."""
    if not document.looks_counted:
        return []
    if document.look_number == 1:
        return [
            "Each later look at more games of this seed is counted and widens the intervals "
            f"(see {page('claims')})."
        ]
    look = f"look {document.look_number} at games of this seed"
    return [f"This is {look}: verdicts and intervals are adjusted for repeated looks (see {page('claims')})."]
