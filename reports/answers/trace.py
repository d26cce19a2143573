"""`trace`: one game as a readable log."""

from collections.abc import Iterator, Mapping

from bartizan.analyses.records.scores import best_first, tier_of
from bartizan.policies.request import Request
from bartizan.reports.answers.answer import Answer, caveat, caveat_lines
from bartizan.reports.text import changes
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import record_of, replay
from bartizan.simcore.play.rules import NOBODY, TRUNCATED
from bartizan.simcore.scenario.changes import changes_of

UNSAID = ("game", "end_reason", "winner")  # the end has said them in words


def ask(request: Request, seed: int, number: int) -> Answer:
    """The game that `run` and `sweep` play under this seed and number."""
    game, s = request.game, request.loaded
    match = request.match(seed, "trace: name one policy (or one for each role)")
    document = {
        "schema": "bartizan.trace/1",
        "game": game.name,
        "title": s.model.title,
        "changes": changes_of(game, s),
        "difficulty": s.difficulty,
        "policies": [player.name for player in match.players],
        "seed": seed,
        "number": number,
        **caveat(game, s),
        "plies": [
            {
                "ply": ply.number,
                "seat": ply.seat,
                "action": ply.action,
                "text": ply.text,
                "events": ply.events,
            }
            for ply in replay(match, number)
        ],
        "record": record_of(match, number),
    }
    document["winner"] = _winner(match, document["record"]["winner"])
    document |= _tier(match, document["record"])
    return Answer(document, lambda: _lines(match, document))


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
    """{tier, tier_level} of one game; {} where it has no score or the game no tiers."""
    tiers = best_first(match.engine.tiers(match.scenario))
    if not tiers or record["score"] == match.engine.nulls.get("score"):
        return {}
    name = tier_of(record["score"], tiers)
    return {"tier": name, "tier_level": match.engine.tier_levels(match.scenario).get(name, "")}


def _lines(match: Match, d: Mapping) -> Iterator[str]:
    game = match.game
    yield from caveat_lines(game, {key: d[key] for key in d if key != "changes"})
    title = changes.titled(d, d["difficulty"], " vs ".join(d["policies"]))
    yield f"{title}: seed {d['seed']}, game {d['number']}"
    several = len(game.roles_in(match.scenario)) > 1
    for ply in d["plies"]:
        who = f"{game.roles[ply['seat']]}: " if several else ""
        yield f"{ply['ply']:>5}  {who}{ply['text']}"
        yield from (event if event.startswith("==") else f"       {event}" for event in ply["events"])
    record = d["record"]
    ending = f"{_ended(d)}: " + match.engine.reason_names().get(record["end_reason"], "over")
    if "tier" in d:
        ending += f"; {d['tier']}" + (f", {d['tier_level']}" if d["tier_level"] else "")
    nulls = match.engine.nulls
    rest = ", ".join(
        f"{key} {'none' if value == nulls.get(key) else value}"
        for key, value in record.items()
        if key not in UNSAID
    )
    yield f"end: {ending}; {rest}"
