"""`playtest plan`: how many plays, by how many people, would tell what is asked."""

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from bartizan.analyses.people.log import read
from bartizan.analyses.people.skill import LevelPlan, PeopleSkill, more_plays
from bartizan.analyses.statistics import testing
from bartizan.api.answer import Answer
from bartizan.api.answers.people_skill import refuse_without_plays, skill_of, sources_of
from bartizan.api.caveats import shown
from bartizan.api.questions.playtest import PlanQuestion
from bartizan.api.reading import pair_of
from bartizan.policies.request import name_in_commands
from bartizan.reports.render import terminal
from bartizan.reports.views import people_plan as views
from bartizan.simcore.errors import UsageError

NOTICED = ((0.7, 0.5), (0.7, 0.4), (0.7, 0.3), (0.5, 0.3), (0.5, 0.4), (0.3, 0.15), (0.3, 0.1), (0.2, 0.05))
APART = ((0.7, 0.5), (0.6, 0.3), (0.5, 0.3), (0.4, 0.2), (0.3, 0.1))
MARGINS = (0.2, 0.15, 0.1)


def of_shares(question: PlanQuestion) -> Answer:
    """Without plays: power of exact tests."""
    levels, each = pair_of(question.levels, ",", "--levels"), question.each or 1
    _refuse(question, levels)
    rows = list(_rows(question, levels, each))
    document = views.document(rows, question.power, each, question.spread)
    return Answer(document.plain(), lambda: terminal.lines(views.view(document)), hints=_form("GAME"))


def _form(game: str) -> Sequence[str]:
    """More plays begin with the form."""
    return ["", f"Next: {shlex.join(['bartizan', 'playtest', 'form', game, '-o', 'form.html'])}"]


def _refuse(question: PlanQuestion, levels: tuple[float, float] | None) -> None:
    if question.people is not None and question.sim is None:
        raise UsageError(
            f"--people {question.people:g}: beside what? --sim says how often the simulation wins"
        )
    if question.sim is not None and question.people is None and question.margin is None:
        raise UsageError(
            f"--sim {question.sim:g}: --people says what to tell it from, or --margin how near is the same"
        )
    for name, pair in (
        ("--sim and --people", (question.sim, question.people)),
        ("--levels", levels or (0, 1)),
    ):
        if pair[0] is not None and pair[0] == pair[1]:
            raise UsageError(
                f"{name} {pair[0]:g}: two different win rates are needed; --margin shows that two are alike"
            )


def _rows(
    question: PlanQuestion, levels: tuple[float, float] | None, each: int
) -> Iterator[views.PlannedPlays]:
    usual = all(one is None for one in (question.sim, question.people, levels, question.margin))
    own = (
        [(question.sim, question.people)] if question.sim is not None and question.people is not None else []
    )
    for sim, people in NOTICED if usual else own:
        yield _row(
            "notice",
            (sim, people),
            testing.plays_against_known(sim, people, question.power),
            people,
            question,
            each,
        )
    for pair in APART if usual else [levels] if levels else []:
        yield _row("apart", pair, testing.between(*pair, question.power), sum(pair) / 2, question, each)
    rate = 0.5 if question.sim is None else question.sim
    for margin in MARGINS if usual else [question.margin] if question.margin else []:
        yield _row(
            "same",
            (rate, margin),
            testing.to_show_equal(rate, margin, None, question.power),
            rate,
            question,
            each,
        )


def _row(
    kind: str,
    rates: tuple[float, float],
    need: testing.Need | None,
    rate: float,
    question: PlanQuestion,
    each: int,
) -> views.PlannedPlays:
    spread = question.spread
    plays, testers = testing.with_testers(need.plays, each, rate, spread) if need else (None, None)
    alike = testing.alike(rate, spread)
    return views.PlannedPlays(
        kind=kind,
        rates=rates,
        plays_once_each=need.plays if need else None,
        power=need.power if need else None,
        icc=alike,
        design_effect=testing.design_effect(each, alike),
        plays=plays,
        testers=testers,
    )


# ---------------------------------------------------------------- from plays


def of_plays(question: PlanQuestion) -> Answer:
    """With plays: assurance from them that people's win rate is in a band, as the policy's unless named."""
    request, effort, each = question.request(), question.effort(question.games), question.each or 4
    band, plays = pair_of(question.band, "..", "--band"), Path(str(question.plays))
    log, game = read(plays), request.game
    refuse_without_plays(log, game, plays)
    skill = skill_of(request, effort, question, log)
    wanted = [request.difficulty] if request.difficulty else [row.level for row in skill.levels]
    missing = [level for level in wanted if level not in skill.yardstick.levels]
    if missing:
        raise UsageError(
            f"--difficulty {missing[0]}: is not on the scale; there is {', '.join(skill.yardstick.levels)}"
        )
    rows = [_more(skill, level, band, each, effort.seed) for level in wanted]
    document = views.more_document(skill, rows, str(plays), each, **sources_of(log, game))
    return shown(game, document, views.more_view(document), hints=_form(name_in_commands(game)))


def _more(
    skill: PeopleSkill, level: str, band: tuple[float, float] | None, each: int, seed: int
) -> LevelPlan:
    index = skill.yardstick.levels.index(level)
    policy = skill.levels[index].policy
    at = band or (max(policy - skill.margin, 0.0), min(policy + skill.margin, 1.0))
    return more_plays(skill.posterior, level, index, at, each, seed)
