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
import polars as pl

from bartizan.analyses.experiments import interactions
from bartizan.analyses.experiments.cases import Case, Cases, Refused
from bartizan.analyses.experiments.conclusions import Conclusion, claimed, claims, conclusion
from bartizan.analyses.experiments.interactions import Factor, Interactions
from bartizan.analyses.experiments.trials import Question, Watch
from bartizan.analyses.experiments.variations import RANGE, variations
from bartizan.analyses.records.changed_games import ChangedGames, changed_games
from bartizan.analyses.records.comparison import headline, is_by_player
from bartizan.analyses.records.effects import LENGTH
from bartizan.analyses.records.line_ups import LineUp
from bartizan.analyses.statistics.paired import Effect, Estimate, adjust, compare, estimates
from bartizan.simcore.game import Game
from bartizan.simcore.scenario.loading import Scenario
from bartizan.simcore.scenario.parameters import Parameter

LEVEL = 0.95
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
        return self.headline.is_significant(CLEAR)


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
    look: float  # level of the intervals that conclusions are judged by
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

    def to_frame(self) -> pl.DataFrame:
        """One row a variation, largest first: path, confidence, from and to (as text), difference as a
        struct, p, p_adjusted, pairing_factor.
        """
        return pl.DataFrame([_row(influence) for influence in self.influences])


def _row(found: Influence) -> dict:
    share = found.headline
    told = {
        "path": found.knob.path,
        "confidence": found.knob.confidence,
        "from": str(found.knob.value),
        "to": str(found.value),
    }
    return {
        **told,
        "difference": share.difference.interval.to_dict(),
        "p": share.difference.p,
        "p_adjusted": share.adjusted,
        "pairing_factor": share.factor,
    }


# ---------------------------------------------------------------- asking


def knobs_of(
    scenario: Scenario, game: Game, assumed: bool = False, prefixes: Sequence[str] = ()
) -> list[Parameter]:
    """The values in question: all, only guesses, only those below some paths.

    Who plays, and at which level, belongs to the question.
    """
    fixed = {"difficulty", game.players_path}
    asked = [
        knob for knob in scenario.parameters() if knob.path not in fixed and (not assumed or knob.is_guess)
    ]
    return [
        knob
        for knob in asked
        if not prefixes or any(f"{knob.path}.".startswith(f"{prefix}.") for prefix in prefixes)
    ]


@dataclass(frozen=True)
class Extent:
    """How far the values are varied, and how often."""

    spread: float = RANGE  # share of a number, up and down
    draws: int = 32  # random draws of all values at once
    effects: int = 0  # so many of the most influential values are looked at together in a second stage
    settings: int = interactions.SETTINGS  # random settings of these


def analyze(
    question: Question,
    knobs: Sequence[Parameter],
    extent: Extent = Extent(),
    levels: Sequence[str] = (),
    jobs: int = 1,
    watch: Watch = lambda progress: None,
) -> Sensitivity:
    """Play every variation and every draw, and compare. The answer does not depend on `jobs`.

    levels: easiest first; with two or more every case is played at each of them, and that harder levels win
    less often is a conclusion too.
    """
    found = _screened(question, knobs, extent, levels, jobs, watch)
    factors = _factors(found.influences)[: extent.effects]
    if not factors:
        return found
    together = interactions.analyze(question, factors, extent.settings, found.by_player, jobs, watch)
    return replace(found, interactions=together)


def _screened(
    question: Question,
    knobs: Sequence[Parameter],
    extent: Extent,
    levels: Sequence[str],
    jobs: int,
    watch: Watch,
) -> Sensitivity:
    values = {knob.path: variations(knob, extent.spread) for knob in knobs}
    varied = {knob.path: knob for knob in knobs if values[knob.path]}
    cases = Cases(question, {path: values[path] for path in varied}, extent.draws, levels)
    tables = cases.played(jobs, watch)
    base = next(tables)
    asked = claims(question.game, base.main, levels)
    look = 1 - (1 - LEVEL) / max(len(asked) * cases.most, 1)
    by_player = is_by_player(base.main)
    measures = [headline(base.main, by_player), base.main.column(LENGTH)]
    singles, joint, looks = [], [], []
    for table in tables:
        looks.append((table.case, claimed(asked, table, look)))
        if table.case.draw:
            joint.append(Draw(table.case, estimates(table.scan(), measures[:1], table.capped, LEVEL)[0]))
        else:
            capped = base.capped + table.capped
            share_moved, turns_moved = compare(base.scan(), table.scan(), measures, capped, LEVEL)
            singles.append((table.case, share_moved, turns_moved, changed_games(base.main, table.main)))
    share, turns = estimates(base.scan(), measures, base.capped, LEVEL)
    at_base, strict = (claimed(asked, base, level) for level in (LEVEL, look))
    return Sensitivity(
        base.main,
        by_player,
        share,
        turns,
        tuple(varied.values()),
        tuple(knob for knob in knobs if not values[knob.path]),
        tuple(_influences(varied, singles)),
        tuple(joint),
        tuple(conclusion(claim, at_base[claim], strict[claim], looks) for claim in asked if claim in at_base),
        tuple(cases.refused),
        look,
    )


def _influences(
    varied: Mapping[str, Parameter], singles: list[tuple[Case, Effect, Effect, ChangedGames | None]]
) -> list[Influence]:
    shares, lengths = adjust([share for _, share, *_ in singles]), adjust([turns for *_, turns, _ in singles])
    found = []
    for (case, _, _, touched), share, turns in zip(singles, shares, lengths, strict=True):
        ((path, value),) = case.changes.items()
        found.append(Influence(varied[path], value, share, turns, touched))
    return sorted(found, key=lambda influence: -abs(influence.headline.difference.interval.estimate))


def _factors(influences: Sequence[Influence]) -> list[Factor]:
    """Values that changed a game, the most influential first, with all their variations that
    can be played.
    """
    moved = dict.fromkeys(
        influence.knob.path for influence in influences if influence.headline.differing.estimate
    )
    of = {path: [influence for influence in influences if influence.knob.path == path] for path in moved}
    return [
        Factor(found[0].knob, (found[0].knob.value, *(influence.value for influence in found)))
        for found in of.values()
    ]
