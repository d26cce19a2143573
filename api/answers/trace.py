"""`trace`: print one game as a readable log."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from bartizan.analyses.experiments.losses import game_chances
from bartizan.analyses.records.quantities import best_first, is_borne_out, score_names, tier_of
from bartizan.analyses.records.seating import InMemoryCell, seated
from bartizan.analyses.records.tally import reporting_of, seat_scores
from bartizan.api.answer import Answer
from bartizan.api.caveats import banner_lines, caveat
from bartizan.api.effort import Effort
from bartizan.policies.request import Request
from bartizan.reports.pages.parts import validity
from bartizan.reports.text import changes, words
from bartizan.simcore.compile.rules import NOBODY, PLY_CAP, TRUNCATED
from bartizan.simcore.errors import UsageError
from bartizan.simcore.files import check_output, write_atomic, writing
from bartizan.simcore.play.cycles import cycle_of
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.position import turn_lines
from bartizan.simcore.play.replay import opening, record_of, replay
from bartizan.simcore.play.rollouts import ROLLOUTS
from bartizan.simcore.reporting import Reporting
from bartizan.simcore.scenario.changes import changes_of
from bartizan.simcore.watch import Watch

LEAST_ROLLOUTS = 20  # per turn; with fewer rollouts, the band is as wide as the chart
MOST_CHANGES = 8  # maximum number of changed components per decision in the text
UNSAID = ("game", "end_reason", "winner")  # columns that the last line already describes


def traced(
    request: Request,
    seed: int,
    number: int,
    html: Path | str | None = None,
    rollouts: int = 0,
    watch: Watch | None = None,
) -> Answer:
    """Trace the game that `run` simulates with this seed and game number.

    html: also write a page that steps through the game and shows the table after each decision. rollouts:
    number of rollouts per turn for the curve on the page; 0 for no curve.
    """
    if html is not None:
        html = Path(html)
        if html.suffix.lower() not in (".html", ".htm"):
            raise UsageError(f"--html {html}: use a file name that ends in .html")
        check_output(html, "--html")
    match = request.match(seed, "trace")
    game, s = request.game, request.loaded
    document = {
        "schema": "bartizan.trace/1",
        "game": game.name,
        "title": s.model.title,
        "changes": changes_of(game, s),
        "difficulty": s.difficulty,
        "policies": [player.name for player in match.players],
        "seed": seed,
        "number": number,
        "turn_name": game.turn_name,
        **caveat(game, s),
    }
    watched = html is not None
    turn_of = match.engine.turn_number or (lambda state: int(state["turn"]))
    before = opening(match, number)
    document["setup"] = before.events
    document["plies"] = [
        {
            "ply": ply.number,
            "seat": ply.seat,
            "action": ply.action,
            "text": ply.text,
            "events": ply.events,
            **({"changed": ply.changed} if ply.changed else {}),
            "rule": ply.rule,  # sections of the rules; "" if the game names none
            "shows": [{"rule": rule, "mark": mark} for rule, mark in ply.shows],
            **({"snapshot": ply.table, "turn": turn_of(ply.state)} if watched else {}),
        }
        for ply in replay(match, number, watched)
    ]
    document |= _record(match, number)
    seat, roles = document["record"]["winner"], match.game.roles_in(match.scenario)
    document["winner"] = f"{roles[seat]} ({match.players[seat].name})" if seat >= 0 else None
    document |= _tier(match, document["record"])
    if document["record"]["end_reason"] == PLY_CAP and (cycle := cycle_of(match, number)):
        document["cycle"] = cycle.words()
    if html is None:
        return Answer(document, lambda: _lines(match, document))
    document["opening"] = before.table
    if match.engine.can_deal:
        document["positions"] = turn_lines(replace(match, deals=True), number)
    if rollouts:
        if rollouts < LEAST_ROLLOUTS:
            raise UsageError(f"--rollouts {rollouts}: write at least {LEAST_ROLLOUTS}, or 0 for no curve")
        if document["plies"]:  # a game that ends in the set-up has no curve
            Effort(1, watch=watch or Watch()).compiles(game, ROLLOUTS)
            document["chances"] = game_chances(match, number, rollouts).plain()
    return _watched(request, match, document, html)


# ---------------------------------------------------------------- the page


def _watched(request: Request, match: Match, document: dict[str, Any], path: Path) -> Answer:
    """Write the page that steps through the game, and return the answer."""
    from bartizan.reports.render import watch

    named = [request.named, *replace(request, difficulty=document["difficulty"]).words()]
    words = ["--seed", str(document["seed"]), "--game", str(document["number"]), "--html", "game.html"]
    command = shlex.join(["bartizan", "trace", *named, *words])
    odds = shlex.join(["bartizan", "chance", *named])
    shown = {**document, "ended": _ending(match, document), "who": _who(match)}
    # a page without a curve shows no estimate, so nothing on it needs an interval
    facts = validity.lines(validity.of(request.game.name, request.named, match.scenario.confidence))
    page = watch.page(shown, request.game, match.scenario.model, command, odds, facts).encode()
    with writing(f"--html {path}"):
        write_atomic(path, page)
    document["html"] = str(path)
    size = f"{len(document['plies']):,} steps, {len(page) / 1000:,.0f} kB"
    lines = [*_head(match, document), _end(match, document), f"{path}: {size}; open it in a browser"]
    return Answer(document, lambda: lines)


def _who(match: Match) -> dict[int, str]:
    """Map each seat to its label in the log; {} for a game with one seat."""
    roles = match.game.roles_in(match.scenario)
    return dict(enumerate(roles)) if len(roles) > 1 else {}


# ---------------------------------------------------------------- the end, in words


def _record(match: Match, number: int) -> dict[str, Any]:
    """Return the field `record` (scores in points) and, for parts of a point, `score_scale`."""
    record, reporting = record_of(match, number), match.engine.reporting or Reporting()
    named = [one for one in reporting.scored_columns(record) if record[one] != match.engine.nulls.get(one)]
    scale = {"score_scale": reporting.score_scale} if reporting.score_scale > 1 else {}
    return {"record": record | {one: reporting.in_points(record[one]) for one in named}, **scale}


def _tier(match: Match, record: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields `tier` and `tier_level` of one game; {} if the game has no score or no tiers.

    The level is "" if the tier defines none or the result of the game contradicts it.
    """
    tiers = best_first(match.engine.tiers_in_points(match.scenario))
    if not tiers or record["score"] == match.engine.nulls.get("score"):
        return {}
    name = tier_of(record["score"], tiers)
    level = match.engine.tier_levels(match.scenario).get(name, "")
    return {"tier": name, "tier_level": level if is_borne_out(level, record["winner"]) else ""}


def _head(match: Match, d: Mapping[str, Any]) -> Iterator[str]:
    yield from banner_lines(match.game, d)
    title = changes.titled(d, d["difficulty"], " vs ".join(d["policies"]))
    yield f"{title}: seed {d['seed']}, game {d['number']}"


def _lines(match: Match, d: Mapping[str, Any]) -> Iterator[str]:
    yield from _head(match, d)
    yield from _told(d["setup"])
    who = {seat: f"{role}: " for seat, role in _who(match).items()}
    for ply in d["plies"]:
        yield f"{ply['ply']:>5}  {who.get(ply['seat'], '')}{ply['text']}"
        yield from _told(ply["events"])
        yield from _told(_changes(ply.get("changed", [])))
    yield _end(match, d)
    if "cycle" in d:
        yield d["cycle"]


def _changes(changed: Sequence[str]) -> list[str]:
    """Return the changed components as one line; [] if there are none.

    A truncated line begins with the points.
    """
    more = [f"{len(changed) - MOST_CHANGES} more"] if len(changed) > MOST_CHANGES else []
    changed = sorted(changed, key=lambda one: not one.startswith("points")) if more else changed
    return ["; ".join([*changed[:MOST_CHANGES], *more])] if changed else []


def _told(events: Sequence[str]) -> Iterator[str]:
    return (event if event.startswith("==") else f"       {event}" for event in events)


def _ending(match: Match, d: Mapping[str, Any]) -> str:
    """Return the winner and the reason for the end, such as `first (hold) wins: goal reached`."""
    nobody = {NOBODY: "a draw", TRUNCATED: "truncated, no winner"}
    ended = nobody.get(d["record"]["winner"], "lost to the game")
    if d["winner"] is not None:
        ended = f"{d['winner']} wins"
    ending = f"{ended}: " + match.engine.reason_names().get(d["record"]["end_reason"], "over")
    if "tier" in d:
        ending += f"; {d['tier']}" + (f", {d['tier_level']}" if d["tier_level"] else "")
    return ending


def _end(match: Match, d: Mapping[str, Any]) -> str:
    nulls, record = match.engine.nulls, d["record"]
    rest = ", ".join(
        f"{name} {'none' if record[key] == nulls.get(key) else _shown(record[key])}"
        for key, name in _recorded(match, d).items()
    )
    return f"end: {_ending(match, d)}; {rest}{_margin(match, record)}"


def _shown(value: float) -> str:
    return str(value) if isinstance(value, int) else words.exact(value)


def _recorded(match: Match, d: Mapping[str, Any]) -> dict[str, str]:
    """Map each shown column of the record to its label.

    The label of a score includes its owner. Games without scores have no score columns.
    """
    cell = _held(match)
    absent = reporting_of(cell).absent(d["record"], len(cell.policies))
    scores, own = score_names(cell), ["score", *seat_scores(cell), *absent]
    known = {"plies": "decisions", "turn": d["turn_name"], **scores}
    told = (key for key in d["record"] if key not in UNSAID and (key in scores or key not in own))
    return {key: known.get(key, key) for key in told}


def _margin(match: Match, record: Mapping[str, Any]) -> str:
    """Return the winner's margin as text, such as `, margin of the winner 58`.

    Returns "" if seats have no scores or nobody wins.
    """
    own, winner = seat_scores(_held(match)), record["winner"]
    if not own or winner < 0:
        return ""
    best = max(record[column] for seat, column in enumerate(own) if seat != winner)
    return f", margin of the winner {_shown(record[own[winner]] - best)}"


def _held(match: Match) -> InMemoryCell:
    """Return an in-memory cell without games, with the line-up and the report columns of the game."""
    reporting, roles = match.engine.reporting, match.game.roles_in(match.scenario)
    return InMemoryCell(
        seated(roles, match.players), pl.DataFrame(), reporting.document() if reporting else None
    )
