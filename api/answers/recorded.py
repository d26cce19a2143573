"""Answers from the games in a folder of results, without new simulations: `ladder DIR`, `cards DIR`."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bartizan.analyses.experiments.recorded_cards import CellCards
from bartizan.analyses.experiments.recorded_ladder import recorded_ladder
from bartizan.analyses.records.imported_rows import NOT_RECORDED
from bartizan.analyses.statistics.rasch import UndeterminedScaleError
from bartizan.api.answer import Answer
from bartizan.api.question import GameQuestion
from bartizan.api.questions.skill import LadderQuestion
from bartizan.api.reading import listed, texts
from bartizan.reports.render import terminal
from bartizan.reports.text.cell_names import cell_names
from bartizan.reports.views import cards as card_views
from bartizan.reports.views import ladder as ladder_views
from bartizan.simcore.errors import UsageError, as_spelled
from bartizan.simcore.game import game_names
from bartizan.simcore.scenario.parameters import as_text
from bartizan.simcore.sweep.store import CARDS, Cell, Sweep, read_added
from bartizan.simcore.sweep.verify import checked_sweep


def _refuse_others(question: GameQuestion, *allowed: str) -> None:
    """Raise UsageError for an option that needs new games. allowed: options that do not need them."""
    for option in question.options:
        if option.name not in ("name", *allowed) and getattr(question, option.name) != option.default:
            game = "rename the folder" if question.name in game_names() else "give a game"
            raise UsageError(
                f"{question.command} {question.name}: {option.flag} requires new games, but this is a "
                f"folder of results; remove {option.flag}, or {game}"
            )


def ladder(question: LadderQuestion) -> Answer:
    """Rank the policies in a folder of results by its games."""
    _refuse_others(question, "difficulty", "set", "seed")
    sweep = checked_sweep(Path(question.name))
    alike = bool(sweep.manifest.get("alike"))
    cells = _chosen(sweep, listed(question.difficulty), texts(question.set))
    names = {policy["name"] for cell in cells for policy in cell.policies}
    if names == {NOT_RECORDED}:
        raise UsageError(
            f"ladder {question.name}: the records contain no policies, so there is nothing to rank; import "
            "them again with a column of policies or players"
        )
    if not alike and any(len(cell.policies) > 2 for cell in cells):
        raise UsageError(
            f"ladder {question.name}: supports only games with one role, two roles, or identical seats"
        )
    if len(names) < 2:
        raise UsageError(
            f"ladder {question.name}: all games have the same policy, {names.pop()}, so there is "
            "nothing to rank; add games of another policy"
        )
    try:
        result = recorded_ladder(cells, alike, question.seed)
    except UndeterminedScaleError:
        raise UsageError(
            f"ladder {question.name}: the effect of a policy cannot be separated from that of its seat or "
            "level "
            f"({', '.join(sorted(names))}), or there are too few games; import games in which each policy "
            "plays in "
            "several seats"
        ) from None
    document = ladder_views.document_of_records(sweep, cells, result, sweep.manifest["title"])
    view = partial(ladder_views.view, document)
    return Answer(document.plain(), lambda: terminal.lines(view()), view=view)


def _chosen(sweep: Sweep, levels: Sequence[str], sets: Mapping[str, str]) -> list[Cell]:
    levels = [as_spelled(level, {cell.difficulty for cell in sweep.cells}) for level in levels]
    cells = [
        cell
        for cell in sweep.cells
        if cell.difficulty in (levels or [cell.difficulty])
        and all(as_text(cell.set.get(path)) == value for path, value in sets.items())
    ]
    if not cells:
        values = (f"{path}={as_text(value)}" for cell in sweep.cells for path, value in cell.set.items())
        known = dict.fromkeys([*(cell.difficulty for cell in sweep.cells), *values])
        raise UsageError(
            f"{sweep.folder}: no games at this level and setting; choose from: {', '.join(known)}"
        )
    return cells


# ---------------------------------------------------------------- cards


def usage_documents(sweep: Sweep, found: Sequence[CellCards]) -> list[dict[str, Any]]:
    """Return the documents of `cards --usage`, one for each cell."""
    names = cell_names(sweep.cells, bool(sweep.manifest.get("alike")))
    return [
        card_views.UsageDocument(
            schema="bartizan.card-usage/1",
            game=sweep.manifest["game"],
            title=sweep.manifest["title"],
            scenario=None,
            behaviour=sweep.manifest["behaviour"],
            scenario_hash=cell.scenario_hash,
            difficulty=cell.difficulty,
            policies=[policy["name"] for policy in cell.policies],
            seed=sweep.manifest["seed"],
            cell=names[cell.id],
            by=None if cards.by == card_views.DRAWN else cards.by,
            **dict(cards.usage),
            drawn=cards.drawn,
            declared=True,
        ).plain()
        for cell, cards in zip(sweep.cells, found, strict=True)
    ]


def cards(question: GameQuestion) -> Answer:
    """Report how cards are used in imported games, and the win rates of players who had each card."""
    _refuse_others(question, "usage")
    sweep = checked_sweep(Path(question.name))
    kept = [card_views.UsageDocument.read(one) for one in read_added(sweep, CARDS).get("usage", [])]
    if not kept:
        raise UsageError(
            f"cards {question.name}: the records list no cards; import them with a column cards_drawn or "
            "cards_played (names separated by ;), or with such a column for each seat"
        )
    views = [card_views.usage_view(document) for document in kept]

    def lines() -> Iterator[str]:
        for number, view in enumerate(views):
            yield from [""] * (number > 0)
            yield from terminal.lines(view)

    return Answer({"schema": "bartizan.card-usage/1", "cells": [one.plain() for one in kept]}, lines)
