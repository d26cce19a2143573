"""`sweep --shards` plays a part of a sweep, `merge` puts the parts together."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bartizan.reports.answers.answer import Answer, Effort, caveat_lines, common_caveat
from bartizan.reports.answers.run import made_ready, refuse_stopping
from bartizan.reports.answers.sweep import claim_lines, verdict_code
from bartizan.reports.text import changes
from bartizan.reports.text import claims as claim_text
from bartizan.simcore.game import Game
from bartizan.simcore.scenario.changes import common
from bartizan.simcore.sweep.merge import merge_sweep
from bartizan.simcore.sweep.plan import Plan
from bartizan.simcore.sweep.run import Played, ShardWorkers, play_sweep
from bartizan.simcore.sweep.shards import SweepPart, read_part, shards_due
from bartizan.simcore.sweep.store import Sweep, read_sweep
from bartizan.simcore.watch import Watch


def ask(
    plan: Plan,
    game: Game,
    effort: Effort,
    out: Path,
    named: str,
    shards: str,
    workers: ShardWorkers | None = None,
) -> Answer:
    """Play one part of a plan into a folder. shards: `3/16`; named: the game or plan file as named;
    workers: other machines that play.
    """
    part = read_part(shards)
    refuse_stopping(plan, "--shards")
    ready = made_ready(plan, game, effort, named)
    with effort.source(game, plan.games * len(plan.cells) // part.of) as source:
        results = play_sweep(out, plan, game, ready, source, part, workers=workers)
    document = _document(read_sweep(out), part, results)
    return Answer(
        document,
        lambda: _lines(game, document),
        hints=["", f"When all {part.of} parts are played: bartizan merge PART... -o DIR"],
    )


def _document(sweep: Sweep, part: SweepPart, results: Mapping[str, Played]) -> dict:
    share = [cell for cell, _ in part.share([cell.games for cell in sweep.cells])]
    cells = [
        {"cell": cell.id, "games": results[cell.id].games, "shards": share.count(i)}
        for i, cell in enumerate(sweep.cells)
    ]
    return {
        "schema": "bartizan.part-result/1",
        "folder": str(sweep.folder),
        "title": sweep.manifest["title"],
        "changes": common([cell.changes for cell in sweep.cells]),
        **common_caveat([{"banner": cell.banner} for cell in sweep.cells if cell.banner]),
        "part": part.number,
        "parts": part.of,
        "shards": sum(cell["shards"] for cell in cells),
        "shards_of_all_parts": len(shards_due([cell.games for cell in sweep.cells])),
        "games": sum(cell["games"] for cell in cells),
        "games_of_all_parts": sum(cell.games for cell in sweep.cells),
        "seconds": sum(played.seconds for played in results.values()),
        "cells": cells,
    }


def _lines(game: Game, d: Mapping) -> Iterator[str]:
    yield from caveat_lines(game, {key: value for key, value in d.items() if key != "changes"})
    if d["changes"]:
        yield f"{changes.title(d['title'], d['changes'])}: all cells"
    yield (
        f"part {d['part']} of {d['parts']} in {d['folder']}: {d['games']:,} of {d['games_of_all_parts']:,} "
        f"games, {d['shards']:,} of {d['shards_of_all_parts']:,} shards"
    )
    if not d["shards"]:
        enough = d["shards_of_all_parts"]
        yield f"nothing is left for this part: {enough:,} {'part' if enough == 1 else 'parts'} would do"


# ---------------------------------------------------------------- together


def merge(folders: Sequence[Path], out: Path, watch: Watch) -> Answer:
    """The folder that one machine would have made, and what its claims come to."""
    whole, notes = merge_sweep(folders, out, lambda due: watch.track(due, len(due), 1, "merging"))
    for line in notes:
        watch.note(line)
    judged = claim_text.of_sweep(whole)
    document = {
        "schema": "bartizan.merge/1",
        "folder": str(out),
        "merged": [str(folder) for folder in folders],
        "title": whole.manifest["title"],
        "changes": common([cell.changes for cell in whole.cells]),
        **common_caveat([{"banner": cell.banner} for cell in whole.cells if cell.banner]),
        "shards": sum(len(cell.shards()) for cell in whole.cells),
        "games": sum(cell.games for cell in whole.cells),
        "cells": [{"cell": cell.id, "games": cell.games} for cell in whole.cells],
        "claims": judged,
    }
    return Answer(
        document,
        lambda: _merged_lines(document, whole),
        hints=[f"Next: bartizan report {out} -o report.html"],
        exit_code=verdict_code(judged),
    )


def _merged_lines(d: Mapping, whole: Sweep) -> Iterator[str]:
    if d["changes"]:
        yield f"{changes.title(d['title'], d['changes'])}: all cells"
    yield (
        f"{d['folder']}: {d['games']:,} games in {d['shards']:,} shards of {len(d['cells'])} "
        f"{'cell' if len(d['cells']) == 1 else 'cells'}, merged from {len(d['merged'])} "
        f"{'folder' if len(d['merged']) == 1 else 'folders'}"
    )
    yield from claim_lines(d["claims"], whole)
