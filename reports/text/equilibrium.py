"""An equilibrium in words: what the game is worth between the best players found, and how far training may
still move it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from bartizan.analyses.experiments import bracket
from bartizan.analyses.experiments.equilibrium import METHOD, Standoff, shares_of
from bartizan.analyses.records.equilibria import Hunt, Member
from bartizan.analyses.statistics.intervals import Interval
from bartizan.reports.text import changes, differences, words

LAST = 3  # rounds of training that the sentence looks back on
POLICIES_ONLY = "The players are policies: one that nobody has found may still move the value."


def document(it: Standoff, asked: Mapping[str, Any], hunt: Hunt) -> dict[str, Any]:
    """What was found, as plain data; without how each game ended."""
    last = hunt.rounds[-1]
    told = {
        **asked,
        "title": it.scenario.model.title,
        "levels": len(it.scenario.model.difficulties()),
        "value": last.value.to_dict(),
        "gap": list(last.gap),
        "shares": shares_of(hunt, last),
        "mixtures": last.mixtures,
        "pools": {role: [_member(one) for one in pool] for role, pool in hunt.pools.items()},
        "table": [
            {
                "first": pair.first,
                "second": pair.second,
                "games": len(pair.ends),
                "wins": pair.ends.count(bracket.WON),
                "draws": pair.ends.count(bracket.DRAWN),
                "capped": pair.ends.count(bracket.CUT_OFF),
                "share": bracket.win_rate(pair.ends, it.draw).to_dict(),
            }
            for pair in hunt.table
        ],
        "rounds": [{**one.model_dump(), "gap": list(one.gap)} for one in hunt.rounds],
        "settled": hunt.is_settled,
        "method": METHOD,
    }
    return {**told, "sentence": sentence(told)}


def _member(one: Member) -> dict[str, Any]:
    return {"name": one.name, **one.model_dump()}


def checked(hunt: Hunt, role: str, member: Member) -> str:
    """What the weights file of somebody who joined says of his worth."""
    one = hunt.rounds[member.round - 1].responses[role]
    gain = differences.signed(one.gain, least=1)
    return f"round {member.round}: {gain} over the mixture of {role}, {words.count(one.games)} fresh games"


def sentence(d: Mapping) -> str:
    """`Escape from Colditz: Allied wins 55–68 % between the best players found (value 61 % (58–64 %)); the
    last 3 rounds of training moved the value by 2.0 percentage points.`
    """
    level = words.title(d["difficulty"]) if d["levels"] > 1 else ""
    return f"{changes.titled(d, level)}: {_worth(d)}."


def brief(d: Mapping) -> str:
    """The same on a page that names the game: what is otherwise, level, worth."""
    level = words.title(d["difficulty"]) if d["levels"] > 1 else ""
    lead = ", ".join(filter(None, (changes.with_these(d["changes"]), level)))
    return f"{lead}: {_worth(d)}." if lead else f"{_worth(d)}."


def _worth(d: Mapping) -> str:
    value, gap = words.share_with_limits(Interval(**d["value"])), _span(d)
    told, beside = (gap, f" (value {value})") if gap else (value, "")
    role = words.title(d["roles"][0])
    return f"{role} {_gets(d)} {told} between the best players found{beside}; {_moved(d)}"


def _gets(d: Mapping) -> str:
    return f"scores (a draw counts {d['draw']:g})" if d["draw"] else "wins"


def _span(d: Mapping) -> str:
    """`55–68 %`: the gap, told as finely as the value, whose noise it shares; "" where it is one number."""
    low, high = d["gap"]
    digits = words.digits_for(100 * Interval(**d["value"]).half_width)
    limits = words.span(100 * low, 100 * high, digits)
    return f"{limits}{words.NBSP}%" if len(set(limits.split("–"))) > 1 else ""


def _moved(d: Mapping) -> str:
    """What the last rounds of training did: each shows in the value of the next."""
    values = [one["value"]["estimate"] for one in d["rounds"]][-LAST - 1 :]
    trained = len(values) - 1
    if not trained:
        return "training has not moved the value" if d["settled"] else "what training found has yet to be met"
    rounds = "the last round" if trained == 1 else f"the last {trained} rounds"
    moved = words.number(100 * (max(values) - min(values)), 1)
    return f"{rounds} of training moved the value by {differences.points(moved)}"


# ---------------------------------------------------------------- every line


def lines(d: Mapping) -> Iterator[str]:
    """The document for a reader at a terminal."""
    yield d["sentence"]
    value = Interval(**d["value"])
    yield f"  value      {words.share_of(d['value'])}; {_ends(d)}"
    for role, pool in d["pools"].items():
        yield f"  {role:<10} {_pool(pool, d['mixtures'][role])}"
    yield from _table(d)
    for number, one in enumerate(d["rounds"], 1):
        yield f"  round {number:<4} {_round(one)}"
    generations = "1 generation" if d["generations"] == 1 else f"{d['generations']} generations"
    yield (
        f"  found      {words.count(d['games'])} games a pair on common luck, as many a candidate, "
        f"{generations} a search, {words.count(d['fresh'])} fresh games a gain, seed "
        f"{d['seed']}; {words.level(value.level)} intervals; {d['method']}"
    )
    yield f"  {_outlook(d)} {POLICIES_ONLY}"
    yield f"  next: {d['next']}"


def _ends(d: Mapping) -> str:
    """`allied wins 62.0 %, draws 5.1 %, loses 32.9 %`: where both play their mixtures."""
    shares = d["shares"]
    cut_off = f", {words.percent(shares['cut_off'])} cut off" if shares["cut_off"] else ""
    told = [f"{verb} {words.percent(shares[key])}" for verb, key in VERBS.items()]
    return f"{d['roles'][0]} {', '.join(told)}{cut_off}"


VERBS = {"wins": "won", "draws": "drawn", "loses": "lost"}


def _pool(pool: list[Mapping], mixture: Mapping[str, float]) -> str:
    """`[1] garrison 62 %, [2] garrison (round 1) 38 %`"""
    told = [f"[{number}] {one['name']}{_mixed(one['name'], mixture)}" for number, one in enumerate(pool, 1)]
    return ", ".join(told)


def _mixed(name: str, mixture: Mapping[str, float]) -> str:
    return f" {words.percent(mixture[name])}" if name in mixture else ""


def _table(d: Mapping) -> Iterator[str]:
    """A row for each of the first side, a column for each of the second, those who have met."""
    cells = {(one["first"], one["second"]): Interval(**one["share"]) for one in d["table"]}
    first, second = (
        [
            (number, one["name"])
            for number, one in enumerate(pool, 1)
            if any(one["name"] == it[side] for it in cells)
        ]
        for side, pool in enumerate(d["pools"].values())
    )
    role, other = d["roles"]
    heads = "".join(f"{f'against {other} [{n}]':<24}" for n, _ in second)
    yield f"  {role} {_gets(d)}"
    yield f"  {'':<10} {heads}".rstrip()
    for number, name in first:
        told = "".join(f"{words.share_with_limits(cells[name, one]):<24}" for _, one in second)
        yield f"  {f'[{number}]':<10} {told}".rstrip()


def _round(one: Mapping) -> str:
    """`value 38 % (36–40 %); best responses: defender from garrison +3.1 ... joins, ...; gap 36–42 %`"""
    told = [
        f"{role} from {found['begins']} {differences.signed(Interval(**found['gain']), least=1)}"
        f"{' joins' if found['joins'] else ''}"
        for role, found in one["responses"].items()
    ]
    value, gap = words.share_with_limits(Interval(**one["value"])), _span(one)
    return f"value {value}; best responses gain: {', '.join(told)}{f'; gap {gap}' if gap else ''}"


def _outlook(d: Mapping) -> str:
    if d["settled"]:
        return "Neither side's newest best response gains beyond noise."
    return "The newest best responses still gain: more --rounds may move the value."
