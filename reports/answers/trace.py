"""`trace`: one game as a readable log."""

from collections.abc import Iterator, Mapping

from bartizan.analyses.records.scores import best_first, tier_of
from bartizan.policies.request import Request
from bartizan.reports.answers.answer import Answer, caveat, caveat_lines
from bartizan.reports.text import changes
from bartizan.simcore.play.match import Match
from bartizan.simcore.play.replay import record_of, replay
from bartizan.simcore.scenario.changes import changes_of


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
    document |= _tier(match, document["record"])
    return Answer(document, lambda: _lines(match, document))


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
    ending = match.engine.reason_names().get(record["end_reason"], "over")
    if "tier" in d:
        ending += f"; {d['tier']}" + (f", {d['tier_level']}" if d["tier_level"] else "")
    rest = ", ".join(f"{key} {value}" for key, value in record.items() if key not in ("game", "end_reason"))
    yield f"end: {ending}; {rest}"
