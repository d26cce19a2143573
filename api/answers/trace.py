"""`trace`: one game as a readable log."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from bartizan.analyses.records.scores import best_first, is_borne_out, tier_of
from bartizan.api.answer import Answer
from bartizan.api.caveats import banner_lines, caveat
from bartizan.api.keeping import writing
from bartizan.policies.request import Request
from bartizan.reports.text import changes
from bartizan.simcore.errors import UsageError
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import Ply, opening, record_of, replay
from bartizan.simcore.play.rules import NOBODY, TRUNCATED
from bartizan.simcore.scenario.changes import changes_of
from bartizan.simcore.sweep.files import write_atomic

UNSAID = ("game", "end_reason", "winner")  # the end has said them in words


def traced(request: Request, seed: int, number: int, html: Path | str | None = None) -> Answer:
    """The game that `run` and `sweep` play under this seed and number. html: also a page to step through it,
    with the table after each decision.
    """
    html = _html_file(html)
    match = request.match(seed, "trace: name one policy (or one for each role)")
    document = _document(request, match, seed, number)
    watched = html is not None
    document["plies"] = [_ply(ply, watched) for ply in replay(match, number, watched)]
    document["record"] = record_of(match, number)
    document["winner"] = _winner(match, document["record"]["winner"])
    document |= _tier(match, document["record"])
    if html is None:
        return Answer(document, lambda: _lines(match, document))
    document["opening"] = opening(match, number)
    return _watched(request, match, document, html)


def _document(request: Request, match: Match, seed: int, number: int) -> dict:
    """Which game it is."""
    game, s = request.game, request.loaded
    return {
        "schema": "bartizan.trace/1",
        "game": game.name,
        "title": s.model.title,
        "changes": changes_of(game, s),
        "difficulty": s.difficulty,
        "policies": [player.name for player in match.players],
        "seed": seed,
        "number": number,
        **caveat(game, s),
    }


def _ply(ply: Ply, watched: bool) -> dict:
    """One decision. rule, shows: sections of the rules, "" where the game names none."""
    document = {
        "ply": ply.number,
        "seat": ply.seat,
        "action": ply.action,
        "text": ply.text,
        "events": ply.events,
        "rule": ply.rule,
        "shows": [{"rule": rule, "mark": mark} for rule, mark in ply.shows],
    }
    return document | ({"snapshot": ply.table} if watched else {})


# ---------------------------------------------------------------- the page


def _html_file(html: Path | str | None) -> Path | None:
    """Refused before anything is played."""
    if html is None:
        return None
    path = Path(html)
    if path.suffix.lower() not in (".html", ".htm"):
        raise UsageError(f"--html {path}: name a file that ends in .html")
    if not path.parent.is_dir():
        raise UsageError(f"--html {path}: there is no folder {path.parent}")
    return path


def _watched(request: Request, match: Match, document: dict, path: Path) -> Answer:
    """The answer of a game whose page is written."""
    from bartizan.reports.pages import watch

    command = _command(request, document)
    shown = {**document, "ended": _ending(match, document), "who": _who(match)}
    page = watch.page(shown, request.game, match.scenario.model, command).encode()
    with writing(f"--html {path}"):
        write_atomic(path, page)
    document["html"] = str(path)
    size = f"{len(document['plies']):,} steps, {len(page) / 1000:,.0f} kB"
    lines = [*_head(match, document), _end(match, document), f"{path}: {size}; open it in a browser"]
    return Answer(document, lambda: lines)


def _command(request: Request, d: Mapping) -> str:
    """What shows this game again."""
    words = replace(request, difficulty=d["difficulty"]).words()
    named = ["bartizan", "trace", request.named, *words, "--seed", str(d["seed"]), "--game", str(d["number"])]
    return shlex.join([*named, "--html", "game.html"])


def _who(match: Match) -> dict[int, str]:
    """{seat: its name before what it does}; {} with one seat. A game that says who acts needs none."""
    roles = match.game.roles_in(match.scenario)
    return dict(enumerate(roles)) if len(roles) > 1 else {}


# ---------------------------------------------------------------- the end, in words


def _winner(match: Match, seat: int) -> str | None:
    """`the first player, hold`: the seat and who sat there; None when nobody won."""
    if seat < 0:
        return None
    role = match.game.roles_in(match.scenario)[seat]
    return f"{role} ({match.players[seat].name})"


def _ended(d: Mapping) -> str:
    """Who won, for a reader."""
    if d["winner"] is not None:
        return f"{d['winner']} wins"
    return {NOBODY: "a draw", TRUNCATED: "cut off, nobody wins"}.get(
        d["record"]["winner"], "lost to the game"
    )


def _tier(match: Match, record: Mapping) -> dict[str, str]:
    """{tier, tier_level} of one game; {} where it has no score or the game no tiers. No level where the game
    ended otherwise.
    """
    tiers = best_first(match.engine.tiers(match.scenario))
    if not tiers or record["score"] == match.engine.nulls.get("score"):
        return {}
    name = tier_of(record["score"], tiers)
    level = match.engine.tier_levels(match.scenario).get(name, "")
    return {"tier": name, "tier_level": level if is_borne_out(level, record["winner"]) else ""}


def _head(match: Match, d: Mapping) -> Iterator[str]:
    yield from banner_lines(match.game, d)
    title = changes.titled(d, d["difficulty"], " vs ".join(d["policies"]))
    yield f"{title}: seed {d['seed']}, game {d['number']}"


def _lines(match: Match, d: Mapping) -> Iterator[str]:
    yield from _head(match, d)
    who = {seat: f"{role}: " for seat, role in _who(match).items()}
    for ply in d["plies"]:
        yield f"{ply['ply']:>5}  {who.get(ply['seat'], '')}{ply['text']}"
        yield from (event if event.startswith("==") else f"       {event}" for event in ply["events"])
    yield _end(match, d)


def _ending(match: Match, d: Mapping) -> str:
    """Who won and why: `first (hold) wins: goal reached`."""
    ending = f"{_ended(d)}: " + match.engine.reason_names().get(d["record"]["end_reason"], "over")
    if "tier" in d:
        ending += f"; {d['tier']}" + (f", {d['tier_level']}" if d["tier_level"] else "")
    return ending


def _end(match: Match, d: Mapping) -> str:
    nulls = match.engine.nulls
    rest = ", ".join(
        f"{key} {'none' if value == nulls.get(key) else value}"
        for key, value in d["record"].items()
        if key not in UNSAID
    )
    return f"end: {_ending(match, d)}; {rest}"
