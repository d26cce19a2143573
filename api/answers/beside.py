"""Which cell of a sweep plays by people are laid beside, and why that one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from bartizan.analyses.records.tally import won
from bartizan.reports.text import words
from bartizan.reports.text.cell_names import changes_in
from bartizan.simcore.sweep.store import Cell


@dataclass(frozen=True)
class Beside:
    """The cell, and in words why it was chosen; "" where there was no choice."""

    cell: Cell
    why: str


def beside(cells: Sequence[Cell]) -> Beside:
    """Of the cells in which nobody acts at random those nearest to the published game, and of these the
    player who wins most: one who never wins is no scale. Of players against each other the first line-up:
    what one of them wins another loses.
    """
    steady = [cell for cell in cells if not acts_at_random(cell)] or list(cells)
    fewest = min(len(changes_in(cell)) for cell in steady)
    near = [cell for cell in steady if len(changes_in(cell)) == fewest]
    shares = {name: 0.0 for name in map(_players, near)}
    if len(shares) > 1 and len(near[0].policies) == 1:
        shares = {name: _share_won(near, name) for name in shares}
    strongest = max(shares, key=shares.__getitem__)
    cell = next(cell for cell in near if _players(cell) == strongest)
    reasons = [_why_it(fewest)] if len(near) < len(steady) else []
    reasons += [_why_they(cell, shares)] if len(set(map(_players, cells))) > 1 else []
    return Beside(cell, " ".join(reasons))


def acts_at_random(cell: Cell) -> bool:
    """Does somebody in it act at random, always or now and then?"""
    return any(name == "random" or "noise=" in name for name in _players(cell))


def _players(cell: Cell) -> tuple[str, ...]:
    return tuple(one["as_named"] for one in cell.policies)


def _share_won(cells: Sequence[Cell], players: tuple[str, ...]) -> float:
    """Of all their games there; the first seat's."""
    own = [cell.scan().select(won(0).alias("won")) for cell in cells if _players(cell) == players]
    return pl.concat(own).select(pl.col("won").mean()).collect().item() or 0.0


def _why_it(changes: int) -> str:
    """Why this game."""
    which = "the one with the fewest changes" if changes else "the one in which nothing is changed"
    return f"Of the sweep's games it is {which}."


def _why_they(cell: Cell, shares: Mapping[tuple[str, ...], float]) -> str:
    """Why these players. shares: of games won, of everybody there was to choose from."""
    (strongest, *others), at_random = _players(cell), acts_at_random(cell)
    if others:
        which = "in each somebody acts" if at_random else "nobody in it acts"
        return f"The line-up is the first there is: {which} at random."
    if at_random:
        return "Everybody in the sweep acts at random, so the best player found stands here."
    if len(shares) == 1:
        return f"Of those who play it in the sweep {strongest} alone never acts at random."
    listing = words.listing([f"{name} {words.percent(share)}" for (name,), share in shares.items()])
    return f"Of those who play it in the sweep and never act at random {strongest} wins most: {listing}."
