"""People beside policies as one document and as text: the sentence, the levels, what does not fit, what was
left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from bartizan.analyses.people.checks import Check, Checked
from bartizan.analyses.people.contest import Contested, NumberBeside, SeatWins
from bartizan.analyses.people.skill import AtLevel, PeopleSkill
from bartizan.analyses.statistics.intervals import Interval
from bartizan.analyses.statistics.latent_skill import LeftOut, interval_of
from bartizan.reports.text import changes, plays, sentences, words
from bartizan.simcore.game import Game
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.changes import changes_of
from bartizan.simcore.scenario.loading import Scenario

METHOD = (
    "skill of testers normal, half-normal prior on its spread, Gauss-Hermite quadrature on a grid, averaged "
    "over the scale's bootstrap"
)
SAID = {"score": "mean score", "turns": "mean length in turns", "streak": "longest row of losses"}
EDGE = 0.5  # chance beyond the scale from which the sentence says so


def about(game: Game, s: Scenario) -> dict:
    """What was played: the head of every document about plays by people."""
    return {"game": game.name, "title": s.model.title, "changes": changes_of(game, s), "scenario": s.name}


def document(found: PeopleSkill, checked: Checked, plays: str) -> dict:
    """Plain data. Nothing in it depends on time or threads."""
    question = found.yardstick.question
    first = next(iter(question.scenarios.values()))
    it = {
        "schema": "bartizan.playtest.skill/1",
        **about(question.game, first),
        "scenario_hashes": {level: scenario.hash for level, scenario in question.scenarios.items()},
        "behaviour": question.game.behaviour,
        "folder": plays,
        "policy": found.yardstick.policy,
        "games": question.games,
        "seed": question.seed,
        "method": METHOD,
        "plays": len(found.joined.plays),
        "people": found.people,
        "unnamed": sum(name.startswith("unnamed, ") for name in found.draws.people),
        "left_out": dict(found.joined.left_out),
        "rungs": found.yardstick.places,
        "difficulties": found.yardstick.difficulties(),
        **_skill(found),
        "levels": [_level(row) for row in found.levels],
        "one_scale": _one_scale(found),
        "checks": [_check(row) for row in checked.checks],
        "unmatched_endings": list(checked.unmatched),
        "assumed": max(scenario.assumed for scenario in question.scenarios.values()),
        "assumptions": list(
            dict.fromkeys(
                line for scenario in question.scenarios.values() for line in scenario.model.assumptions()
            )
        ),
    }
    return {**it, "sentence": sentence(it)}


def _skill(found: PeopleSkill) -> dict:
    above, below = found.beyond
    first = found.posterior.interval("first").to_dict() if found.has_first else None
    return {
        "noise": found.noise.to_dict(),
        "above_the_scale": above,
        "below_the_scale": below,
        "skill": {
            "these": interval_of(found.draws.skill()).to_dict(),
            "mean": found.posterior.interval("mu").to_dict(),
            "spread": found.posterior.interval("tau").to_dict(),
            "first_play": first,
        },
    }


def _level(row: AtLevel) -> dict:
    return {
        "level": row.level,
        "plays": row.plays,
        "wins": row.wins,
        "seen": row.seen and row.seen.to_dict(),
        "these": row.these.to_dict(),
        "new_tester": row.new.to_dict(),
        "newcomer": row.newcomer.to_dict(),
        "expert": row.expert.to_dict(),
        "policy": row.policy,
        "within_margin": row.within,
        "equivalence": row.equal
        and {"margin": row.equal.margin, "p": row.equal.p, "method": row.equal.method},
    }


def _one_scale(found: PeopleSkill) -> dict | None:
    """None: plays at one level only, so that nothing can be said."""
    if found.calibration is None:
        return None
    slope = found.calibration.interval("slope")
    return {
        "slope": slope.to_dict(),
        "flatter": found.flatter,
        "offset": found.calibration.interval("mu").to_dict(),
        "left_out": [_left(row, found.yardstick.levels) for row in found.left_out],
    }


def _left(row: LeftOut, levels: Sequence[str]) -> dict:
    return {
        "level": levels[row.level],
        "plays": row.plays,
        "wins": row.wins,
        "predicted": row.predicted.to_dict(),
        "error": row.error,
        "p": row.p,
    }


def _check(row: Check) -> dict:
    return {
        "kind": row.kind,
        "name": row.name,
        "plays": row.plays,
        "seen": row.seen,
        "expected": row.expected.to_dict(),
        "p": row.p,
        "p_adjusted": row.adjusted,
        "differs": row.differs,
    }


# ---------------------------------------------------------------- as text


def sentence(it: Mapping) -> str:
    """How strong, how sure, of how many plays; on what it rests."""
    sure = f"{how_sure(it)}; policies {words.count(it['games'])} games a cell, seed {it['seed']}"
    return (
        f"{changes.titled(it)}: your testers play {like(it)} ({sure}); {sentences.rests_on(it['assumed'])}."
    )


def how_sure(it: Mapping) -> str:
    """`90 % posterior interval, 40 plays by 9 testers`"""
    plays_of = f"{words.count(it['plays'])} {'play' if it['plays'] == 1 else 'plays'} by {_people(it)}"
    return f"{words.level(it['noise']['level'])} posterior interval, {plays_of}"


def _people(it: Mapping) -> str:
    named = it["people"] - it["unnamed"]
    said = [f"{named} {'tester' if named == 1 else 'testers'}"] if named else []
    return words.listing(said + (["unnamed people, counted as one a file"] if it["unnamed"] else []))


def like(it: Mapping) -> str:
    """`like garrison with noise 0.08 (0.03 to 0.20)`; beyond the ends of the scale words, not numbers."""
    policy, noise, most = it["policy"], it["noise"], it["rungs"][-1]["noise"]
    if it["above_the_scale"] > EDGE:
        return f"better than {policy}, or like it with noise up to {noise['high']:.2f}"
    if it["below_the_scale"] > EDGE:
        return f"worse than {policy} with noise {most:g}, or like it with noise down to {noise['low']:.2f}"
    low = f"{noise['low']:.2f}" if noise["low"] > 0 else "0, or better,"
    high = f"{noise['high']:.2f}" if noise["high"] < most else f"{most:.2f} or more"
    return f"like {policy} with noise {noise['estimate']:.2f} ({low} to {high})"


def lines(it: Mapping) -> Iterator[str]:
    """The sentence, and tables under it."""
    yield it["sentence"]
    yield from plays.sources(it)
    if "seats" in it:
        yield from _contest_lines(it)
        return
    yield from _skill_lines(it)
    yield from _level_lines(it)
    yield from _scale_lines(it)
    yield from _check_lines(it)
    yield from _left_lines(it)


def report_lines(it: Mapping) -> Iterator[str]:
    """What stands below the picture of a report: whatever is in none of its tables."""
    if "seats" not in it:
        yield from (f"{words.sentence(_equal(it, row))}." for row in it["levels"] if row["equivalence"])
        yield from (f"{words.sentence(line.strip())}." for line in _scale_lines(it))
        if it["unmatched_endings"]:
            yield f"{words.sentence(_unmatched(it))}."
    yield from (f"{words.sentence(line.strip())}." for line in _left_lines(it))


def _skill_lines(it: Mapping) -> Iterator[str]:
    rungs = ", ".join(
        f"{rung['noise']:g} {words.signed(rung['logits']['estimate'], 2)}" for rung in it["rungs"]
    )
    skill = it["skill"]
    yield f"  scale, in logits: {it['policy']} with noise {rungs}"
    yield (
        f"  skill of these people {_logits(skill['these'])}; spread between people {_limits(skill['spread'])}"
    )
    if skill["first_play"]:
        yield f"  a first play changes {_logits(skill['first_play'])} logits; all else is of later plays"


def _level_lines(it: Mapping) -> Iterator[str]:
    yield (
        "  win rate by level: seen; predicted for these people, a new tester, a newcomer, an "
        "expert; the policy"
    )
    for row in it["levels"]:
        seen = f"{row['wins']} of {row['plays']}" if row["plays"] else "no play"
        predicted = ", ".join(_share(row[key]) for key in ("these", "new_tester", "newcomer", "expert"))
        policy = f"{it['policy']} {words.percent(row['policy'], 0)}"
        yield f"    {row['level']:<16} {seen:<10} {predicted}; {policy}"
    sure = words.level(it["noise"]["level"])
    yield f"    a newcomer: 1 in 10 such people is weaker; an expert: 1 in 10 is stronger; {sure} intervals"
    yield from (f"    {_equal(it, row)}" for row in it["levels"] if row["equivalence"])


def _equal(it: Mapping, row: Mapping) -> str:
    """`within 10 percentage points of garrison at veteran: chance 41 %, not shown by the plays alone`"""
    test = row["equivalence"]
    shown = "shown" if test["p"] <= 0.05 else "not shown"
    margin = words.number(test["margin"] * 100)
    return (
        f"within {margin} percentage points of {it['policy']} at {row['level']}: chance "
        f"{words.percent(row['within_margin'], 0)}, {shown} by the plays alone ({test['method']}, p "
        f"{words.p_value(test['p'])})"
    )


def _scale_lines(it: Mapping) -> Iterator[str]:
    scale = it["one_scale"]
    if scale is None:
        yield "  one scale: plays at one level only cannot tell whether levels are as far apart for people"
        return
    yield f"  one scale: {_fits(scale['slope'])} (slope less 1: {_logits(_less_one(scale['slope']))})"
    for row in scale["left_out"]:
        error = f"{words.signed(row['error'] * 100)} percentage points (p {words.p_value(row['p'])})"
        seen = f"{_share(row['predicted'])} predicted, {row['wins']} of {row['plays']} won"
        yield f"    {row['level']} from the other levels: {seen}, error {error}"


def _fits(slope: Mapping) -> str:
    if slope["high"] < 1:
        return "levels are closer together for people than for policies: one scale does not fit"
    if slope["low"] > 1:
        return "levels are further apart for people than for policies: one scale does not fit"
    return "nothing says that levels are not as far apart for people as for policies"


def _less_one(slope: Mapping) -> dict:
    return {**slope, **{key: slope[key] - 1 for key in ("estimate", "low", "high")}}


def _check_lines(it: Mapping) -> Iterator[str]:
    if not it["checks"]:
        return
    yield "  beside groups of policies of the same skill (mid-p, Holm over all lines)"
    for row in it["checks"]:
        mark = "  differs" if row["differs"] else ""
        yield f"    {_checked(row)} (p {words.p_value(row['p_adjusted'])}){mark}"
    if it["unmatched_endings"]:
        yield f"    {_unmatched(it)}"


def _unmatched(it: Mapping) -> str:
    listed = words.listing([f'"{one}"' for one in it["unmatched_endings"]])
    return f"no ending of the game is called {listed}: these are not counted"


def _checked(row: Mapping) -> str:
    """`9 of 55 plays were lost by breach; policies: 3.1 expected (1 to 6)`"""
    expected, low, high = (words.number(row["expected"][key], 1) for key in ("estimate", "low", "high"))
    if row["kind"] == "lost":
        what = f"{row['seen']:.0f} of {row['plays']} plays were lost: {row['name']}"
        return f"{what}; policies: {expected} expected ({low} to {high})"
    seen = words.number(row["seen"], 0 if row["kind"] == "streak" else 1)
    return (
        f"{SAID[row['kind']]} {seen} of {row['plays']} plays; policies: {expected} expected ({low} to {high})"
    )


def _left_lines(it: Mapping) -> Iterator[str]:
    if it["left_out"]:
        listed = [f"{plays} {reason}" for reason, plays in it["left_out"].items()]
        yield f"  left out: {words.listing(listed)}"


def _logits(place: Mapping) -> str:
    estimate, limits = words.change(Interval(**place), least=2)
    return f"{estimate} ({limits})"


def _limits(place: Mapping) -> str:
    return f"{place['estimate']:.2f} ({place['low']:.2f} to {place['high']:.2f})"


def _share(place: Mapping) -> str:
    middle, low, high = (words.number(place[key] * 100) for key in ("estimate", "low", "high"))
    return f"{middle} % ({low}–{high})"


# ---------------------------------------------------------------- people against people


def contest_document(found: Contested, match: Match, seated: Sequence[str], plays: str) -> dict:
    """Of a game in which people play each other."""
    scenario = match.scenario
    it = {
        "schema": "bartizan.playtest.contest/1",
        **about(match.game, scenario),
        "scenario_hash": scenario.hash,
        "difficulty": scenario.difficulty,
        "behaviour": match.game.behaviour,
        "folder": plays,
        "policies": list(seated),
        "games": found.games,
        "seed": match.seed,
        "plays": found.plays,
        "left_out": found.left_out,
        "skill": None,
        "seats": [_seat(row) for row in found.seats],
        "numbers": [_number(row) for row in found.numbers],
        "assumed": scenario.assumed,
        "assumptions": list(scenario.model.assumptions()),
    }
    return {**it, "sentence": _contest_sentence(it)}


def _seat(row: SeatWins) -> dict:
    share = row.share and row.share.to_dict()
    return {"seat": row.seat, "plays": row.plays, "wins": row.wins, "share": share, "policies": row.policies}


def _number(row: NumberBeside) -> dict:
    return {"name": row.name, "people": asdict(row.people), "policies": asdict(row.policies)}


def _contest_sentence(it: Mapping) -> str:
    return (
        f"{changes.titled(it)}: {words.count(it['plays'])} plays of people against people say nothing of how "
        f"strong they are on the policies' scale; seats and length beside "
        f"{words.count(it['games'])} games of "
        f"policies, seed {it['seed']}; {sentences.rests_on(it['assumed'])}."
    )


def _contest_lines(it: Mapping) -> Iterator[str]:
    for row in it["seats"]:
        seen = f"{row['wins']} of {row['plays']} plays" if row["plays"] else "nobody wrote down who sat there"
        share = f", {words.share_with_limits(Interval(**row['share']))}" if row["share"] else ""
        yield f"  {row['seat']} won {seen}{share}; policies {words.percent(row['policies'])}"
    for row in it["numbers"]:
        people, policies = words.mean_of(row["people"]), words.mean_of(row["policies"])
        yield f"  {SAID.get(row['name'], row['name'])} {people}; policies {policies}"
    yield from _left_lines(it)
