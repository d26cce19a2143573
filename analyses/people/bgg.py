"""Plays of BoardGameGeek as its XML API 2 says them (/xmlapi2/plays), from a file that the user saved."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from bartizan.analyses.people import cells
from bartizan.analyses.people.drafts import CONTENT, NAME, Draft, Drafts, How, results
from bartizan.simcore.errors import UsageError

WHAT = "not plays of BoardGameGeek"


class _DoctypeError(ValueError):
    """The file declares a document type: entities, which nobody needs here, could fill the memory."""


def read(path: Path, how: How) -> Drafts:
    """Raises UsageError for a file that is none, and for the page that BoardGameGeek sends on errors."""
    root = _tree(path)
    if root.tag != "plays":
        message = " ".join("".join(root.itertext()).split())[:100]
        raise UsageError(
            f"{path}: {WHAT}: its XML is <{root.tag[:30]}>{f', which says: {message}' if message else ''}"
        )
    drafts = Drafts(path.name, "bgg", "play")
    for number, play in enumerate(root.iter("play"), 1):
        drafts.records += 1
        drafts.rows += _play(number, play, how, drafts)
    total = root.get("total", "")
    if total.isdigit() and int(total[:9]) > drafts.records:
        drafts.notes.append(
            f"{drafts.records} of {int(total[:9])} plays: BoardGameGeek gives 100 a page; save the others too"
        )
    return drafts


def _tree(path: Path) -> Element:
    """The file as elements; one with a document type is refused."""
    builder, parser = TreeBuilder(), expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = builder.start, builder.end
    parser.CharacterDataHandler = builder.data

    def refuse(*_: Any) -> None:
        raise _DoctypeError

    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(path.read_bytes(), True)
        return builder.close()
    except _DoctypeError:
        raise UsageError(
            f"{path}: {WHAT}: it declares a document type (DOCTYPE), as no answer of the site does"
        ) from None
    except (expat.ExpatError, ValueError, AssertionError, LookupError) as error:
        raise UsageError(f"{path}: {WHAT}: no whole XML: {error}") from error


def _play(number: int, play: Element, how: How, drafts: Drafts) -> Iterator[Draft]:
    item = play.find("item")
    game, of_play = how.game("" if item is None else item.get("name", ""))
    drafts.quiet = not of_play.get("kept", True)
    people = list(play.iter("player"))
    base = {
        "kept": True,
        "row": number,
        "source_id": play.get("id"),
        CONTENT: play.get("id") or f"{number} {sorted(play.items())}",
        "date": drafts.cell("date", play.get("date", ""), cells.day),
        "edition": how.mapping.playtest.edition or None,
        "minutes": drafts.cell("minutes", play.get("length", ""), cells.minutes),
        "players": len(people) or None,
        **of_play,
        **how.level("", game, drafts),
    }
    if reason := _reason(play):
        base |= {"kept": False, "reason": base.get("reason") or reason}
    if not people:
        yield base | {"result": "unknown"}
        return
    won = [{"1": True, "0": False}.get(person.get("win", "").strip()) for person in people]
    scored = [not cells.is_blank(person.get("score", "")) for person in people]
    together = game.together if game else None
    ends = results(won, scored, together, False, how.mapping.playtest.untouched_means)
    if base["kept"]:
        drafts.losses(won, ends)
    for person, result in zip(people, ends, strict=True):
        yield base | _of_seat(person, game, how, drafts) | {"result": result}


def _reason(play: Element) -> str:
    """Why a play does not count; "" for one that does."""
    quantity = play.get("quantity", "1").strip()
    if play.get("incomplete") == "1":
        return "incomplete on BoardGameGeek"
    if play.get("nowinstats") == "1":
        return "kept out of win statistics on BoardGameGeek"
    if quantity != "1":
        return f"{quantity[:9]} plays in one record: one result cannot be that of each"
    return ""


def _of_seat(person: Element, game: Any, how: How, drafts: Drafts) -> Draft:
    """A player. `startposition` and `color` are used for anything: a number is a seat, a side is a role."""
    name, score, place = (person.get(key, "").strip() for key in ("name", "score", "startposition"))
    name, blank = name or person.get("username", "").strip(), cells.is_blank(score)
    return {
        NAME: None if cells.is_blank(name) else name,
        "seat": int(place) if place.isascii() and place.isdigit() and 0 < int(place[:9]) < 100 else None,
        "role": how.role(person.get("color", ""), game),
        "score": None if blank else drafts.cell("score", score, cells.arithmetic),
        "score_text": None if blank else score,
        "first_play": {"1": True, "0": False}.get(person.get("new", "").strip()),
    }
