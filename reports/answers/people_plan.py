"""`playtest plan`: how many plays, by how many people, would tell what is asked."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from bartizan.analyses.people.log import read
from bartizan.analyses.people.skill import LevelPlan, PeopleSkill, more_plays
from bartizan.analyses.statistics import testing
from bartizan.policies.request import Request, name_in_commands
from bartizan.reports.answers.answer import Answer, Effort, shown
from bartizan.reports.answers.people_skill import Laying, found_of, refuse_without_plays, sources_of
from bartizan.reports.render import terminal
from bartizan.reports.views import people_plan as views
from bartizan.simcore.errors import UsageError

NOTICED = ((0.7, 0.5), (0.7, 0.4), (0.7, 0.3), (0.5, 0.3), (0.5, 0.4), (0.3, 0.15), (0.3, 0.1), (0.2, 0.05))
APART = ((0.7, 0.5), (0.6, 0.3), (0.5, 0.3), (0.4, 0.2), (0.3, 0.1))
MARGINS = (0.2, 0.15, 0.1)


@dataclass(frozen=True)
class Terms:
    """How sure, and who plays how often."""

    power: float = testing.POWER
    each: int = 1  # plays of one tester
    spread: float = 0.8  # of skill between testers, in logits


@dataclass(frozen=True)
class PlannedShares:
    """What is to be told; shares. Nothing of it: the usual ones."""

    sim: float | None = None  # the policies win so often
    people: float | None = None  # and people, perhaps
    levels: tuple[float, float] | None = None  # two levels that people win so often
    margin: float | None = None  # to show that people win as `sim`, within this


def ask(asked: PlannedShares, terms: Terms) -> Answer:
    """Without plays: power of exact tests."""
    _refuse(asked)
    rows = list(_rows(asked, terms))
    document = views.document(rows, terms.power, terms.each, terms.spread)
    return Answer(document.plain(), lambda: terminal.lines(views.view(document)), hints=_form("GAME"))


def _form(game: str) -> Sequence[str]:
    """More plays begin with the form."""
    return ["", f"Next: {shlex.join(['bartizan', 'playtest', 'form', game, '-o', 'form.html'])}"]


def _refuse(asked: PlannedShares) -> None:
    if asked.people is not None and asked.sim is None:
        raise UsageError(f"--people {asked.people:g}: beside what? --sim says how often the simulation wins")
    if asked.sim is not None and asked.people is None and asked.margin is None:
        raise UsageError(
            f"--sim {asked.sim:g}: --people says what to tell it from, or --margin how near is the same"
        )
    for name, pair in (
        ("--sim and --people", (asked.sim, asked.people)),
        ("--levels", asked.levels or (0, 1)),
    ):
        if pair[0] is not None and pair[0] == pair[1]:
            raise UsageError(
                f"{name} {pair[0]:g}: two different win rates are needed; --margin shows that two are alike"
            )


def _rows(asked: PlannedShares, terms: Terms):
    usual = asked == PlannedShares()
    own = [(asked.sim, asked.people)] if asked.sim is not None and asked.people is not None else []
    for sim, people in NOTICED if usual else own:
        yield _row(
            "notice", (sim, people), testing.plays_against_known(sim, people, terms.power), people, terms
        )
    for pair in APART if usual else [asked.levels] if asked.levels else []:
        yield _row("apart", pair, testing.between(*pair, terms.power), sum(pair) / 2, terms)
    rate = 0.5 if asked.sim is None else asked.sim
    for margin in MARGINS if usual else [asked.margin] if asked.margin else []:
        yield _row(
            "same", (rate, margin), testing.to_show_equal(rate, margin, None, terms.power), rate, terms
        )


def _row(
    kind: str, rates: tuple[float, float], need: testing.Need | None, rate: float, terms: Terms
) -> views.PlannedPlays:
    plays, testers = (
        testing.with_testers(need.plays, terms.each, rate, terms.spread) if need else (None, None)
    )
    alike = testing.alike(rate, terms.spread)
    return views.PlannedPlays(
        kind=kind,
        rates=rates,
        plays_once_each=need.plays if need else None,
        power=need.power if need else None,
        icc=alike,
        design_effect=testing.design_effect(terms.each, alike),
        plays=plays,
        testers=testers,
    )


# ---------------------------------------------------------------- from plays


def more(
    request: Request, effort: Effort, laying: Laying, each: int, band: tuple[float, float] | None
) -> Answer:
    """With plays: assurance from them. band: of the win rate; None: as the policy, within the margin."""
    log, game = read(laying.plays), request.game
    refuse_without_plays(log, game, laying.plays)
    found = found_of(request, effort, laying, log)
    wanted = [request.difficulty] if request.difficulty else [row.level for row in found.levels]
    missing = [level for level in wanted if level not in found.yardstick.levels]
    if missing:
        raise UsageError(
            f"--difficulty {missing[0]}: is not on the scale; there is {', '.join(found.yardstick.levels)}"
        )
    rows = [_more(found, level, band, each, effort.seed) for level in wanted]
    document = views.more_document(found, rows, str(laying.plays), each, **sources_of(log, game))
    return shown(game, document, views.more_view(document), hints=_form(name_in_commands(game)))


def _more(
    found: PeopleSkill, level: str, band: tuple[float, float] | None, each: int, seed: int
) -> LevelPlan:
    index = found.yardstick.levels.index(level)
    policy = found.levels[index].policy
    at = band or (max(policy - found.margin, 0.0), min(policy + found.margin, 1.0))
    return more_plays(found.posterior, level, index, at, each, seed)
