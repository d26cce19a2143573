"""Which numbers move the result, and which conclusions stand whatever they are?

Every value in question is varied by the rules of `analyses.experiments.variations`: one at a time, each
variation against the baseline on common luck, game by game, and then all of them at once in random draws,
since one at a time misses what several do together (Saltelli et al. 2008, Global Sensitivity Analysis). The
most influential may be looked at once more, in `analyses.experiments.interactions`: what each does on average
over the others, and which act together. Conclusions are statements about a sign. They are looked at under
every variation and in every draw with simultaneous intervals (Bonferroni).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bartizan.analyses.experiments import interactions
from bartizan.analyses.experiments.cases import Case, Cases
from bartizan.analyses.experiments.conclusions import Conclusion, claimed, claims, conclusion
from bartizan.analyses.experiments.interactions import Factor, Interactions
from bartizan.analyses.experiments.trials import Condition, Refused
from bartizan.analyses.experiments.variations import RANGE, variations
from bartizan.analyses.records.changed_games import ChangedGames, changed_games
from bartizan.analyses.records.comparison import headline, is_by_player
from bartizan.analyses.records.effects import LENGTH
from bartizan.analyses.records.line_ups import LineUp
from bartizan.analyses.statistics.intervals import CONFIDENCE
from bartizan.analyses.statistics.paired import Effect, Estimate, adjust, compare, estimates
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import Source
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.parameters import Parameter

CLEAR = 0.05  # p adjusted for all variations, below which an influence is called one
QUANTILES = (5, 50, 95)  # percent
METHOD = (
    "each variation against the baseline on common luck, game by game: Student's t, with fewer than 100 "
    "games that differ exact tails (Blaker 2000); "
    "p adjusted for all variations, for the headline and for the turns separately (Benjamini & Hochberg "
    "1995); a conclusion stands, is open or is "
    "reversed by intervals that all hold together with 95 % (Bonferroni over variations and draws)"
)


# ---------------------------------------------------------------- the answer


@dataclass(frozen=True)
class Influence:
    """What one variation of one value does."""

    knob: Parameter
    value: Any
    headline: Effect  # p adjusted over all variations; so is that of the turns, over theirs
    turns: Effect
    touched: ChangedGames | None = None  # games whose record is another

    @property
    def is_clear(self) -> bool:
        """Is it distinguishable from zero after adjusting for all the variations looked at?

        Then its interval leaves out 0 too.
        """
        return self.headline.is_told(CLEAR)


@dataclass(frozen=True)
class Draw:
    """One joint variation."""

    case: Case
    headline: Estimate


@dataclass(frozen=True)
class Sensitivity:
    """Influences, largest first; draws and conclusions."""

    line_up: LineUp  # the baseline's
    # the headline is the share of the first player over all seats; else that of the first seat
    by_player: bool
    headline: Estimate
    turns: Estimate
    knobs: tuple[Parameter, ...]  # that were varied
    unvaried: tuple[Parameter, ...]  # asked for, but text or empty: no rule varies them
    influences: tuple[Influence, ...]
    draws: tuple[Draw, ...]
    conclusions: tuple[Conclusion, ...]
    refused: tuple[Refused, ...]
    look: float  # confidence of the intervals that conclusions are judged by
    interactions: Interactions | None = None  # of the most influential values; the second stage

    @property
    def unclear(self) -> tuple[Parameter, ...]:
        """Values of which no variation is distinguishable from zero."""
        clear = {influence.knob.path for influence in self.influences if influence.is_clear}
        return tuple(knob for knob in self.knobs if knob.path not in clear)

    @property
    def never(self) -> tuple[Parameter, ...]:
        """Values of which no variation changed a game: they never came up."""
        idle: dict[str, bool] = {}
        for one in self.influences:
            is_none = one.touched is not None and one.touched.is_none
            idle[one.knob.path] = idle.get(one.knob.path, True) and is_none
        return tuple(knob for knob in self.knobs if idle.get(knob.path))

    @property
    def spread(self) -> dict[str, float]:
        """Least, quantiles and greatest headline of the joint draws; `se`: the median standard error of a
        draw, whose games are luck too.

        Empty without draws.
        """
        if not self.draws:
            return {}
        values = [draw.headline.interval.estimate for draw in self.draws]
        quantiles = {f"q{q}": float(np.quantile(values, q / 100)) for q in QUANTILES}
        return {
            "min": min(values),
            **quantiles,
            "max": max(values),
            "se": float(np.median([draw.headline.se or 0.0 for draw in self.draws])),
        }


# ---------------------------------------------------------------- asking


def knobs_of(
    scenario: Scenario, game: Game, assumed: bool = False, prefixes: Sequence[str] = ()
) -> list[Parameter]:
    """The values in question: all, only guesses, only those below some paths.

    Who plays, and at which level, belongs to the question.
    """
    fixed = {"difficulty", game.players_path}
    return [
        knob
        for knob in scenario.parameters()
        if knob.path not in fixed
        and (not assumed or knob.is_guess)
        and (not prefixes or any(f"{knob.path}.".startswith(f"{prefix}.") for prefix in prefixes))
    ]


@dataclass(frozen=True)
class Extent:
    """How far the values are varied, and how often."""

    spread: float = RANGE  # share of a number, up and down
    draws: int = 32  # random draws of all values at once
    effects: int = 0  # so many of the most influential values are looked at together in a second stage
    settings: int = interactions.SETTINGS  # random settings of these


def analyze(
    condition: Condition,
    knobs: Sequence[Parameter],
    source: Source,
    extent: Extent = Extent(),
    levels: Sequence[str] = (),
) -> Sensitivity:
    """Play every variation and every draw, and compare. The answer does not depend on who plays.

    levels: easiest first; with two or more every case is played at each of them, and that harder levels win
    less often is a conclusion too.
    """
    screened = _screened(condition, knobs, source, extent, levels)
    factors = _factors(screened.influences)[: extent.effects]
    if not factors:
        return screened
    together = interactions.analyze(condition, factors, extent.settings, screened.by_player, source)
    return replace(screened, interactions=together)


def _screened(
    condition: Condition, knobs: Sequence[Parameter], source: Source, extent: Extent, levels: Sequence[str]
) -> Sensitivity:
    values = {knob.path: variations(knob, extent.spread) for knob in knobs}
    varied = {knob.path: knob for knob in knobs if values[knob.path]}
    cases = Cases(condition, {path: values[path] for path in varied}, extent.draws, levels, source)
    all_played = cases.played()
    base = next(all_played)
    statements = claims(condition.game, base.main, levels)
    look = 1 - (1 - CONFIDENCE) / max(len(statements) * cases.most, 1)
    by_player = is_by_player(base.main)
    measures = [headline(base.main, by_player), base.main.column(LENGTH)]
    singles, joint, looks = [], [], []
    for played in all_played:
        looks.append((played.case, claimed(statements, played, look)))
        if played.case.draw:
            joint.append(Draw(played.case, estimates(played.scan(), measures[:1], played.capped)[0]))
        else:
            capped = base.capped + played.capped
            share_moved, turns_moved = compare(base.scan(), played.scan(), measures, capped)
            singles.append((played.case, share_moved, turns_moved, changed_games(base.main, played.main)))
    share, turns = estimates(base.scan(), measures, base.capped)
    at_base, strict = (claimed(statements, base, confidence) for confidence in (CONFIDENCE, look))
    return Sensitivity(
        base.main,
        by_player,
        share,
        turns,
        tuple(varied.values()),
        tuple(knob for knob in knobs if not values[knob.path]),
        tuple(_influences(varied, singles)),
        tuple(joint),
        tuple(
            conclusion(claim, at_base[claim], strict[claim], looks)
            for claim in statements
            if claim in at_base
        ),
        tuple(cases.refused),
        look,
    )


def _influences(
    varied: Mapping[str, Parameter], singles: list[tuple[Case, Effect, Effect, ChangedGames | None]]
) -> list[Influence]:
    shares, lengths = adjust([share for _, share, *_ in singles]), adjust([turns for *_, turns, _ in singles])
    influences = []
    for (case, _, _, touched), share, turns in zip(singles, shares, lengths, strict=True):
        ((path, value),) = case.changes.items()
        influences.append(Influence(varied[path], value, share, turns, touched))
    return sorted(influences, key=lambda influence: -abs(influence.headline.difference.interval.estimate))


def _factors(influences: Sequence[Influence]) -> list[Factor]:
    """Values that changed a game, the most influential first, with all their variations that
    can be played.
    """
    moved = dict.fromkeys(
        influence.knob.path for influence in influences if influence.headline.differing.estimate
    )
    groups = ([influence for influence in influences if influence.knob.path == path] for path in moved)
    return [
        Factor(group[0].knob, (group[0].knob.value, *(influence.value for influence in group)))
        for group in groups
    ]
