"""How many plays it takes, as a document and as a table."""

from collections.abc import Iterator, Mapping, Sequence

from bartizan.analyses.people.skill import PeopleSkill
from bartizan.analyses.statistics.power import ALPHA, MOST
from bartizan.reports.text import changes, plays, sentences, words
from bartizan.reports.text.people_skill import about

TITLES = {
    "notice": "to notice that people do not win as the simulation does (exact binomial test)",
    "apart": "to tell two levels apart, plays at each (test of two shares; its power enumerated)",
    "same": "to show that people win as the simulation does (exact binomial TOST)",
}
USUAL = 0.8  # assurance that a sentence names


def document(rows: Sequence[Mapping], power: float, each: int, spread: float) -> dict:
    """Plain data."""
    it = {
        "schema": "bartizan.playtest.plan/1",
        "alpha": ALPHA,
        "power": power,
        "plays_of_each_tester": each,
        "spread": spread,
        "rows": list(rows),
    }
    return {**it, "sentence": sentence(it)}


def sentence(it: Mapping) -> str:
    each = it["plays_of_each_tester"]
    said = "each tester plays once" if each == 1 else f"each tester plays {each} times"
    icc = "" if each == 1 else f", skill spread by {it['spread']:g} logits between testers"
    return f"Plays needed for a power of {words.percent(it['power'], 0)} at 5 % ({said}{icc}):"


def lines(it: Mapping) -> Iterator[str]:
    """The sentence, and a table for each kind of question."""
    yield it["sentence"]
    for kind, title in TITLES.items():
        rows = [row for row in it["rows"] if row["kind"] == kind]
        if rows:
            yield f"  {title}"
            yield from (f"    {_row(row)}" for row in rows)
    if it["plays_of_each_tester"] > 1:
        yield "  more testers help more than more plays of each"


def _row(row: Mapping) -> str:
    """`simulation 70 %, people 50 %    52 plays (power 83 %)`"""
    one, other = (
        f"{words.number(rate * 100, 0 if round(rate * 1000) % 10 == 0 else 1)} %" for rate in row["rates"]
    )
    asked = {
        "notice": f"simulation {one}, people {other}",
        "apart": f"{one} and {other}",
        "same": f"simulation {one}, margin {other.removesuffix(' %')} percentage points",
    }[row["kind"]]
    if row["plays"] is None:
        return f"{asked:<44} more than {MOST:,} plays"
    testers = (
        ""
        if row["plays"] == row["testers"]
        else f" by {row['testers']} testers, {row['plays_once_each']} if each played once"
    )
    return f"{asked:<44} {words.count(row['plays'])} plays{testers} (power {words.percent(row['power'], 0)})"


# ---------------------------------------------------------------- from plays


def more_document(found: PeopleSkill, rows: Sequence[Mapping], folder: str, each: int) -> dict:
    """Plain data of what more plays would decide."""
    question = found.yardstick.question
    first = next(iter(question.scenarios.values()))
    it = {
        "schema": "bartizan.playtest.plan/1",
        **about(question.game, first),
        "behaviour": question.game.behaviour,
        "folder": folder,
        "policy": found.yardstick.policy,
        "plays": len(found.joined.plays),
        "people": found.people,
        "games": question.games,
        "seed": question.seed,
        "plays_of_each_tester": each,
        "levels": list(rows),
        "assumed": max(scenario.assumed for scenario in question.scenarios.values()),
        "assumptions": list(first.model.assumptions()),
    }
    return {**it, "sentence": _more_sentence(it)}


def _more_sentence(it: Mapping) -> str:
    told = words.listing([_would(row) for row in it["levels"]])
    return (
        f"{changes.titled(it)}: {told} (assurance {words.percent(USUAL, 0)}, from {it['plays']} "
        f"plays; decided: "
        f"95 % sure; seed {it['seed']}); {sentences.rests_on(it['assumed'])}."
    )


def _would(row: Mapping) -> str:
    if row["decided"]:
        return f"{row['level']} is decided: {'in' if row['chance_inside'] > 0.5 else 'outside'} the band"
    usual = next(one for one in row["more"] if one["assurance"] == USUAL)
    if "plays" not in usual:
        return f"no number of plays that can be asked for would decide {row['level']}"
    people = "1 person" if usual["testers"] == 1 else f"{usual['testers']} people"
    return f"{usual['plays']} more plays by {people} or more would decide {row['level']}"


def more_lines(it: Mapping) -> Iterator[str]:
    """The sentence, and each level with what is known now."""
    yield it["sentence"]
    yield from plays.sources(it)
    for row in it["levels"]:
        low, high = (words.percent(end, 0) for end in row["band"])
        chance = words.percent(row["chance_inside"], 0)
        yield f"  {row['level']}: people like these win {low} to {high}: chance {chance} as known now"
        yield from (f"    {_assured(one)}" for one in row["more"] if not row["decided"])


def _assured(one: Mapping) -> str:
    share = words.percent(one["assurance"], 0)
    needs = (
        f"{one['plays']} plays by {one['testers']} new testers"
        if "plays" in one
        else "more than can be asked for"
    )
    return f"decided with a chance of {share}: {needs}"
