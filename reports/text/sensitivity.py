"""Which numbers move the result, as one document and as text: the sentence first, then influences, then
conclusions.
"""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bartizan.analyses.experiments.sensitivity import (
    DUEL,
    FIRST_SEAT,
    HALF,
    LEVELS,
    METHOD,
    Case,
    Conclusion,
    Influence,
    Robustness,
    Sensitivity,
)
from bartizan.analyses.experiments.trials import Condition
from bartizan.analyses.records.effects import effect_row
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.text import changes, differences, interactions, played, sentences, words
from bartizan.simcore.scenario.changes import changes_of
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.parameters import Parameter

NAMED = 2  # cases that a verdict names
IDLE = 12  # values that never came up, by name
MORE = "What the most influential do on average over each other, and what only together: --effects 6."
WIDEST = 100  # letters of a change in the table


def document(question: Condition, s: Scenario, found: Sensitivity, spread: float) -> dict:
    """Plain data. Nothing in it depends on time or threads."""
    roles = question.game.roles_in(s)
    subject = sentences.headline(
        question.game.alike, roles, found.line_up.names[0] if found.by_player else ""
    )
    conclusions = [_conclusion(conclusion, found) for conclusion in found.conclusions]
    rows = [_influence(influence) for influence in found.influences]
    return {
        "schema": "bartizan.sensitivity/1",
        **played.head(question, s),
        "games": question.games,
        "seatings": len(found.line_up.cells),
        "range": spread,
        "sentence": _sentence(question, s, found, subject, conclusions),
        "baseline": {
            "measure": subject.rstrip(","),
            "headline": found.headline.interval.to_dict(),
            "turns": found.turns.interval.to_dict(),
        },
        "knobs": [_knob(knob) for knob in found.knobs],
        "unvaried": [_knob(knob) for knob in found.unvaried],
        "influences": rows,
        "unclear": [knob.path for knob in found.unclear],
        "never": [knob.path for knob in found.never],
        "never_said": differences.never(question.games, words.listing(list(found.line_up.names))),
        "joint": {"draws": len(found.draws), **found.spread, "values": [_draw(draw) for draw in found.draws]},
        "effects": interactions.document(
            found.interactions, subject, _setting(question, s, found), _source(question, s)
        )
        if found.interactions
        else None,
        "conclusions": conclusions,
        "refused": [
            {"path": refused.path, "to": refused.to, "reason": refused.reason} for refused in found.refused
        ],
        **played.tail(s),
        "method": METHOD,
    }


def _knob(knob: Parameter) -> dict:
    return {
        "path": knob.path,
        "what": knob.what,
        "value": knob.value,
        "confidence": knob.confidence,
        "source": knob.source,
    }


def _influence(found: Influence) -> dict:
    headline, turns = (dict(effect_row(effect)) for effect in (found.headline, found.turns))
    origin = {
        "path": found.knob.path,
        "what": found.knob.what,
        "confidence": found.knob.confidence,
        "source": found.knob.source,
        "from": found.knob.value,
        "to": found.value,
    }
    return {
        **origin,
        "headline": headline,
        "turns": turns,
        "p": headline["p"],
        "p_adjusted": headline["p_adjusted"],
        "pairing_factor": headline["pairing_factor"],
        "is_clear": found.is_clear,
        "changed_games": found.touched.to_dict() if found.touched else None,
    }


def _draw(draw) -> dict:
    return {
        "draw": draw.case.draw,
        "headline": draw.headline.interval.to_dict(),
        "changes": dict(draw.case.changes),
        "left_out": list(draw.case.left_out),
    }


# ---------------------------------------------------------------- conclusions


def _conclusion(found: Conclusion, whole: Sensitivity) -> dict:
    return {
        "sentence": statement(found, whole.line_up.names),
        "verdict": verdict(found),
        "kind": found.claim.kind,
        "names": list(found.claim.names),
        "stands": found.always_stands,
        "at_baseline": "open" if found.is_open else "stands",
        "too_few_games": found.is_weak,
        "baseline": found.baseline.interval.to_dict(),
        "single": _counts(found.single),
        "joint": _counts(found.joint),
        "level": whole.look,
        "open_under": [_told(case) for case in (*found.single.open, *found.joint.open)],
        "overturned_by": [_told(case) for case in (*found.single.reversed, *found.joint.reversed)],
    }


def _counts(standing: Robustness) -> dict[str, int]:
    return {"stands": standing.stands, "open": len(standing.open), "reversed": len(standing.reversed)}


def _told(case: Case) -> dict[str, Any]:
    if case.draw:
        return {"draw": case.draw}
    ((path, to),) = case.changes.items()
    return {"path": path, "to": to}


def statement(found: Conclusion, players: Sequence[str]) -> str:
    """The conclusion as the baseline has it."""
    more = "more" if found.is_positive else "fewer"
    if found.claim.kind == HALF:
        return f"{players[0]} wins {more} than half of the games"
    if found.claim.kind == FIRST_SEAT:
        return f"the first seat wins {'more' if found.is_positive else 'less'} than its fair share"
    if found.claim.kind == LEVELS:
        easier, harder = found.claim.names
        return f"{harder} is won {'less' if found.is_positive else 'more'} often than {easier}"
    better, other = found.claim.names if found.is_positive else reversed(found.claim.names)
    return (
        f"{better} wins more often than {other}"
        if found.claim.kind == DUEL
        else f"the {words.plain(better)} player wins more often than the {words.plain(other)} player"
    )


def verdict(found: Conclusion) -> str:
    """How a conclusion fares, in words."""
    looks = f"{_many(found.single.looks, 'variation')}, {_many(found.joint.looks, 'joint draw')}"
    if found.always_stands:
        return f"stands whatever they are ({looks})"
    parts = []
    if found.is_open:
        parts.append("open as the numbers are now")
    elif found.is_weak:
        parts.append("stands as the numbers are now, but on too few games to be looked at so often (--games)")
    if found.single.reversed or found.joint.reversed:
        parts.append(f"overturned by {_cases(found.single.reversed, found.joint.reversed)}")
    if not (found.is_open or found.is_weak) and (found.single.open or found.joint.open):
        parts.append(f"open under {_cases(found.single.open, found.joint.open)}")
    return f"{'; '.join(parts)} ({looks})"


def _cases(single: Sequence[Case], joint: Sequence[Case]) -> str:
    """`card.ogre.count = 4, turn.draw = 3 and 5 more variations, and 2 joint draws`"""
    named = [
        f"{path} = {sentences.value(to)}" for case in single[:NAMED] for path, to in case.changes.items()
    ]
    rest = len(single) - len(named)
    more = f" and {_many(rest, 'more variation')}" if rest else ""
    told = [f"{', '.join(named)}{more}"] if named else []
    return words.listing([*told, *([_many(len(joint), "joint draw")] if joint else [])])


def _many(n: int, what: str) -> str:
    return f"{words.count(n)} {what}{'' if n == 1 else 's'}"


# ---------------------------------------------------------------- text


def _sentence(
    question: Condition, s: Scenario, found: Sensitivity, subject: str, conclusions: Sequence[Mapping]
) -> str:
    """What moves the result most, how many do not, what all of them do, what stands; n, method, seed."""
    parts = [_largest(found, subject), _unclear(len(found.unclear), len(found.knobs), len(found.influences))]
    if found.draws:
        low, high = (found.spread[end] * 100 for end in ("min", "max"))
        parts.append(
            f"all varied at once ({_many(len(found.draws), 'draw')}) it runs from {low:.1f} to "
            f"{high:.1f}{words.NBSP}%"
        )
    parts += [f"{conclusion['sentence']}: {conclusion['verdict']}" for conclusion in conclusions[:1]]
    seatings = f" in each of {len(found.line_up.cells)} seatings" if len(found.line_up.cells) > 1 else " each"
    sure = f"{words.count(question.games)} games{seatings}, paired on common luck, 95{words.NBSP}% intervals"
    return f"{_setting(question, s, found)}: {'; '.join(parts)} ({sure}, {_source(question, s)})."


def _setting(question: Condition, s: Scenario, found: Sensitivity) -> str:
    """Game, players, level."""
    level = [s.difficulty] if len(s.model.difficulties()) > 1 else []
    return changes.title(
        s.model.title, changes_of(question.game, s), " vs ".join(found.line_up.names), *level
    )


def _source(question: Condition, s: Scenario) -> str:
    return f"seed {question.seed}; {sentences.rests_on(s.assumed)}"


def _unclear(unclear: int, values: int, variations: int) -> str:
    are = "is" if unclear == 1 else "are"
    return (
        f"{words.count(unclear)} of {_many(values, 'value')} {are} not distinguishable from zero, adjusted "
        f"for all {_many(variations, 'variation')}"
    )


def _largest(found: Sensitivity, subject: str) -> str:
    top = next((influence for influence in found.influences if influence.is_clear), None)
    if top is None:
        return f"no single value moves {subject} by an amount that is distinguishable from zero"
    moved = differences.moves(top.headline.difference.interval)
    return (
        f"{top.knob.what} moves the result most: with {sentences.value(top.value)} instead of "
        f"{sentences.value(top.knob.value)} {subject} {moved}"
    )


def lines(d: Mapping, top: int) -> Iterator[str]:
    """A document for a reader at a terminal."""
    yield d["sentence"]
    yield ""
    rate = words.share_with_limits(Interval(**d["baseline"]["headline"]))
    yield (
        f"As it is: {d['baseline']['measure']} {rate}, {d['baseline']['turns']['estimate']:.1f} turns. What "
        "each change does by itself, largest first:"
    )
    width = max([len(_change(row)) for row in d["influences"][:top]], default=0)
    yield f"  {'':<{width}}   {'percentage points':<24} {'turns':>7} {'p adjusted':>12}"
    for row in d["influences"][:top]:
        yield f"  {_change(row):<{width}}   {_moved(row, d['never_said'])}"
    if rest := len(d["influences"]) - top:
        if rest > 0:
            yield f"  and {words.count(rest)} smaller ones (--top, --json)"
    yield ""
    yield from (f"{words.title(row['sentence'])}: {row['verdict']}." for row in d["conclusions"])
    yield from _rest(d)
    yield ""
    yield from interactions.lines(d["effects"]) if d["effects"] else [MORE]


def _change(row: Mapping) -> str:
    """Short enough for a line; `--json` has the whole of it."""
    return textwrap.shorten(
        f"{row['path']} {sentences.value(row['from'])} -> {sentences.value(row['to'])}",
        WIDEST,
        placeholder=" ...",
    )


def _moved(row: Mapping, never: str) -> str:
    """never: what is said of a change that changed no game."""
    if sentences.is_idle(row):
        return never
    estimate, limits = words.change(Interval(**row["headline"]["difference"]), 100, least=1)
    turns = words.signed(row["turns"]["difference"]["estimate"], 1) if row["turns"] else ""
    unsure = sentences.doubt(Interval(**row["headline"]["difference"]), row["p_adjusted"], "all variations")
    p = words.p_value(row["p_adjusted"])
    return f"{f'{estimate} ({limits})':<24} {turns:>7} {p:>12}   {unsure}".rstrip()


def _refused(refused: Sequence[Mapping]) -> str:
    """The variations that the rules do not take, the first of them with the reason."""
    named = [f"{one['path']} = {sentences.value(one['to'])} ({one['reason']})" for one in refused[:NAMED]]
    more = len(refused) - len(named)
    return "Refused: " + "; ".join([*named, *([f"and {words.count(more)} more (--json)"] if more else [])])


def _rest(d: Mapping) -> Iterator[str]:
    """What was not varied, and how to read it all."""
    joint, idle = d["joint"], sum(map(sentences.is_idle, d["influences"]))
    if "q5" in joint:
        least, most, median, low, high = (
            words.percent(joint[key]) for key in ("min", "max", "q50", "q5", "q95")
        )
        spread = f"from {least} to {most}, median {median}, nine in ten between {low} and {high}"
        yield (
            f"All varied at once, {_many(joint['draws'], 'draw')}: {spread}; one draw is known to "
            f"{words.percent(joint['se'])} (standard error)."
        )
    yield (
        f"{_unclear(len(d['unclear']), len(d['knobs']), len(d['influences']))}; {_many(idle, 'variation')} "
        "changed no game at all."
    )
    if d["never"]:
        named, more = d["never"][:IDLE], len(d["never"]) - IDLE
        rest = f" and {words.count(more)} more (--json)" if more > 0 else ""
        yield f"{words.title(d['never_said'])}: {', '.join(named)}{rest} (bartizan coverage says more)."
    if still := [knob["path"] for knob in d["unvaried"]]:
        yield (
            f"No rule varies {_many(len(still), 'value')} (names, text, empty lists): "
            f"{', '.join(still[:NAMED])}{', ...' if len(still) > NAMED else ''}"
        )
    if d["refused"]:
        yield _refused(d["refused"])
    yield f"Method: {d['method']}."
