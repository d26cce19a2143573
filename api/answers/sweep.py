"""`run`: simulate all combinations of levels, line-ups and values, judge claims, and merge parts of a run."""

import shlex
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from bartizan.analyses.records import brackets, claims, equilibria
from bartizan.api.answer import Answer
from bartizan.api.caveats import assumed_lines, banner_lines, caveat_lines, common_caveat, copied_weights
from bartizan.api.cluster.first_games import first_games
from bartizan.api.effort import Effort
from bartizan.api.judging import claim_lines, judged_claims, verdict_code
from bartizan.api.keeping import Folder, folder_of, next_report
from bartizan.api.playing import made_ready, play, rows_in
from bartizan.api.questions.sweep import RunQuestion
from bartizan.api.reading import games_for, half_width, listed, path_of, texts, varied
from bartizan.policies.registry import at_one_table, find_player, line_ups
from bartizan.policies.request import Request, best_player, name_in_commands, player_values, several_values
from bartizan.reports.blocks import View
from bartizan.reports.render import terminal
from bartizan.reports.text import changes, words
from bartizan.reports.text.cell_names import cell_names
from bartizan.reports.views import cells, luck
from bartizan.reports.views import run as text
from bartizan.simcore.compile.rules import PLY_CAP
from bartizan.simcore.errors import EngineError, UsageError, as_spelled
from bartizan.simcore.files import quoted
from bartizan.simcore.game import Game, load_game
from bartizan.simcore.play.batch import Batch
from bartizan.simcore.play.cycles import cycle_of
from bartizan.simcore.scenario.changes import common
from bartizan.simcore.scenario.loading import Scenario, load_scenario, paths_meant
from bartizan.simcore.scenario.parameters import level_of
from bartizan.simcore.sources import is_engine
from bartizan.simcore.sweep.manifest import make_ready
from bartizan.simcore.sweep.merge import merge_sweep
from bartizan.simcore.sweep.plan import CellPlan, Plan, expand, read_plan, turned_round
from bartizan.simcore.sweep.run import Played, play_sweep
from bartizan.simcore.sweep.shards import SweepPart, read_part, shards_due
from bartizan.simcore.sweep.store import MANIFEST, Sweep, open_sweep, read_sweep
from bartizan.simcore.watch import Watch


def _known(game: Game, scenario: Scenario) -> Iterator[str]:
    """Yield sentences with shipped results about a level, to show while the user waits."""
    from bartizan.reports.views import bracket, equilibrium

    about = ([scenario.hash], game.rules_version)
    for it in brackets.about(brackets.shipped(name_in_commands(game)), *about):
        yield bracket.sentence(bracket.MeasuredBracket.read(it))
    for it in brackets.about(equilibria.shipped(name_in_commands(game)), *about):
        yield equilibrium.sentence(equilibrium.EquilibriumDocument.read(it))


# options that a plan file replaces
OF_PLAN = ("scenario", "difficulty", "policy", "players", "set", "precision", "rotate")


def answer(question: RunQuestion, is_sweep: bool = False) -> Answer:
    """Simulate one cell or several, and judge the claims of a plan.

    is_sweep: behave as the older command `sweep`, which requires a folder and also lists a single cell.
    """
    width = None if question.precision is None else half_width(question.precision)
    effort = question.effort(games_for(question.games, width), 1 if question.seed is None else question.seed)
    plan, request = _planned(question, effort, width, is_sweep)
    game = load_game(plan.game)
    if question.dry_run:
        if question.shards or question.cluster:
            raise UsageError(
                f"{question.command} --dry-run: estimates the whole sweep on this machine only; remove "
                "--shards and --cluster"
            )
        return dry_run(plan, game, effort, question.name)
    if question.out is None and (is_sweep or question.shards):
        raise UsageError(
            f"{question.command}: no folder given; add -o DIR (or --dry-run to see what would be simulated)"
        )
    if question.luck_adjusted and question.shards:
        raise UsageError("--luck-adjusted: needs all games of a cell; remove --shards")
    if question.shards is not None:
        return _part(question, plan, game, effort)
    if request is not None and len(plan.cells) == 1 and not is_sweep:
        return _one(question, plan, request, effort)
    return _whole(question, plan, game, effort)


def _planned(
    question: RunQuestion, effort: Effort, width: float | None, is_sweep: bool
) -> tuple[Plan, Request | None]:
    """Return the plan and, for a named game, the request of the command line (None for a plan file)."""
    if question.name.endswith(".toml") and not is_engine(question.name):
        line = question.command_line()
        for option in question.options:
            if option.name in OF_PLAN and question.has(option.name):
                where = ", under [set]" if option.name in ("set", "players") else ""
                raise UsageError(
                    f"{option.flag}: a plan defines it: write it in {question.name}{where}, or remove it here"
                )
        return plan_of_file(question.name, question.games, question.seed, line), None
    levels, counts, sets = listed(question.difficulty), listed(question.players), question.values()
    if not levels and len(several_values(sets.get("difficulty", "-,-"))) == 1:
        levels, sets = (sets["difficulty"],), {path: sets[path] for path in sets if path != "difficulty"}
    request = replace(
        question.request(set=None, difficulty=_only(levels), players=None),
        players=int(counts[0]) if len(counts) == 1 else None,
        sets={path: value for path, value in sets.items() if len(several_values(value)) == 1},
    )
    is_one = len(levels) < 2 and len(counts) < 2 and request.sets == sets
    line_ups = _seats_of(request, is_one) if not is_sweep else some_named(request.game, list(request.policy))
    several = _counts(request.game, counts) | sets
    line = question.command_line()
    plan = plan_of_request(request, levels, several, effort, question.rotate, width, line, line_ups)
    return plan, request


def _only(values: Sequence[str]) -> str | None:
    return values[0] if len(values) == 1 else None


def _seats_of(request: Request, is_one: bool) -> list[tuple[str, ...]]:
    """Return the line-ups of `--policy`.

    If seats are identical and no policy contains `+`, all policies together are one line-up; if each of them
    contains `+`, each is a line-up. is_one: whether a single scenario is simulated; only then is the number
    of seats known.
    """
    game, policies = request.game, list(request.policy)
    if game.alike and len(policies) > 1 and all(len(at_one_table(game, one)) > 1 for one in policies):
        return some_named(game, policies)
    return request.line_ups(_unnamed) if is_one else some_named(game, policies, together=True)


def values_of(question: RunQuestion) -> dict[str, str]:
    """Map each path to its values, written as `a,b,c`.

    A list stands for several values, unless the parameter's own value is a list.
    """
    lists = [path for path, value in (question.set or {}).items() if isinstance(value, (list, tuple))]
    if not lists:
        return varied(question.set)
    game, scenario = load_game(str(question.name)), question.scenario and str(question.scenario)
    known = {knob.path: knob.value for knob in load_scenario(game, scenario).parameters()}
    whole = {path for path in lists if isinstance(known.get(path), (list, tuple))}
    alone = {path: value for path, value in (question.set or {}).items() if path in whole}
    return varied(question.set) | texts(alone)


def _one(question: RunQuestion, plan: Plan, request: Request, effort: Effort) -> Answer:
    """Simulate one cell. Without `-o`, the games are saved in a temporary folder."""
    game, out = request.game, path_of(question.out)
    keep = folder_of(question, out, game) if out and question.luck_adjusted else None
    folder = Folder(None if keep and _holds_others(out, plan) else out)
    if question.luck_adjusted:
        from bartizan.analyses.experiments.luck_adjustment import bytes_of as luck_bytes

        effort.holds(luck_bytes(len(plan.cells[0].policies)))
    first = first_games(request, effort.seed, effort.watch.known, effort.watch.note)
    with first, _saying_kept(out, game):
        shipped = replace(effort, known=lambda: _known(game, request.loaded))
        (document,) = play(folder.path, plan, game, shipped)
    if question.luck_adjusted:
        _without_luck(question, plan, game, effort, [document])
    if caveats := copied_weights(plan.cells[0].policies):
        document["caveats"] = caveats
    if document["capped"]:
        document["cycle"] = _cycle(plan, game, folder)
    if keep and out:
        effort.watch.kept(keep(document), next_report(out))
    if out:
        hint = f"Next: bartizan report {quoted(out)} -o report.html"
    else:
        again = _same_cells(request, document["difficulty"], document["games"])
        hint = f"Next: bartizan run {again} -o results, then: bartizan report results -o report.html"

    def lines() -> Iterator[str]:
        yield from caveat_lines(game, document)
        yield from text.lines(document)
        if not text.has_one_result(document):
            yield from terminal.block_lines(text.chart(document, known))
        yield from assumed_lines(game, document)
        yield from (f"  caveat   {line}" for line in document.get("caveats", ()))
        yield from text.after_assumptions(document)

    known = brackets.of_scenario(name_in_commands(game), document["scenario_hash"], game)
    names = [", ".join(filter(None, [document["difficulty"], " vs ".join(document["policies"])]))]
    view = partial(_view, document, [document], names, known)
    return Answer(document, lines, view=view, hints=[hint], rows=rows_in(folder))


@contextmanager
def _saying_kept(out: Path | None, game: Game) -> Iterator[None]:
    """Context manager that adds to an error of a live engine that earlier games are saved in `out`."""
    try:
        yield
    except EngineError as error:
        if out and game.compiled.live:
            again = f"earlier games are saved in {out}; run the same command again to resume"
            raise EngineError(f"{error}; {again}") from error
        raise


def _without_luck(
    question: RunQuestion, plan: Plan, game: Game, effort: Effort, documents: Sequence[dict[str, Any]]
) -> None:
    """Estimate the luck in each game, and add the luck-adjusted win rate to the document of each cell."""
    from bartizan.analyses.experiments.luck_adjustment import adjust_luck as analyze_luck
    from bartizan.simcore.play.luck_adjusted import ADJUSTED

    effort.compiles(game, ADJUSTED)
    for cell, document in zip(make_ready(plan, game, find_player), documents, strict=True):
        result = analyze_luck(cell.match, document["games"], question.samples, jobs=effort.workers)
        roles = game.roles_in(cell.match.scenario)
        document["luck_adjusted"] = luck.document(result, roles, document["seconds"]).plain()


def _cycle(plan: Plan, game: Game, folder: Folder) -> str | None:
    """Describe the cycle of positions in the first truncated game; None if there is no such game or cycle."""
    (cell,), (stored,) = make_ready(plan, game, find_player), open_sweep(folder.path).cells
    truncated = stored.scan().filter(pl.col("end_reason") == PLY_CAP).select(pl.col("game").min())
    number = truncated.collect().item()
    cycle = None if number is None else cycle_of(cell.match, number)
    return cycle.words() if cycle else None


def _view(
    document: Mapping[str, Any],
    played: Sequence[dict[str, Any]],
    names: Sequence[str],
    known: Sequence[Any] = (),
) -> View:
    """Return the view of the simulated cells. Its title states the changes that all cells have in common."""
    many = words.many(sum(one["games"] for one in played), "game")
    where = f"{len(played)} cells" if len(played) > 1 else names[0]
    title = changes.titled({"title": played[0]["title"], "changes": document["changes"]}, where)
    return cells.view(f"{title}: {many}, seed {played[0]['seed']}", played, names, known)


def _holds_others(out: Path | None, plan: Plan) -> bool:
    """Return whether the folder contains a sweep of other games, or of more games.

    The command then leaves this sweep unchanged.
    """
    if out is None or not (out / MANIFEST).exists():
        return False
    before = open_sweep(out)
    same = [cell.id for cell in before.cells] == [cell.id for cell in plan.cells]
    return not same or before.manifest["seed"] != plan.seed or before.cells[0].games > plan.games


def _same_cells(request: Request, difficulty: str, games: int) -> str:
    """Return the arguments of `bartizan run` that repeat the run."""
    words = replace(request, difficulty=difficulty).words()
    return shlex.join([name_in_commands(request.game), *words, "--games", str(games)])


# ---------------------------------------------------------------- the cells


PILOT, PILOT_SECONDS = (
    1024,
    0.2,
)  # a dry run times at most PILOT games of a cell, or stops after PILOT_SECONDS
UNNAMED = ""  # no policy is named for a seat; each cell uses its best known policy


def _unnamed(role: str) -> str:
    return UNNAMED


some_named = partial(line_ups, default=_unnamed)


def _counts(game: Game, counts: Sequence[str]) -> dict[str, str]:
    """Map the path of the number of players to the requested numbers, written as `a,b,c`; {} if none."""
    values = [player_values(game, int(count)) for count in counts]
    return {path: ",".join(value[path] for value in values) for path in values[0]} if values else {}


def plan_of_file(path: str, games: int | None, seed: int | None, command: str) -> Plan:
    """Read a PLAN.toml.

    The number of games and the seed of the command line, if given, replace those of the plan.

    Raises UsageError for an invalid plan.
    """
    plan = read_plan(Path(path), some_named, load_game)
    claims.read(plan.claims, path)
    return replace(
        plan,
        cells=_full(load_game(plan.game), plan.scenario, plan.cells),
        games=games or plan.games,
        seed=plan.seed if seed is None else seed,
        command=command,
    )


def plan_of_request(
    request: Request,
    difficulties: Sequence[str],
    several: Mapping[str, str],
    effort: Effort,
    rotate: bool = False,
    precision: float | None = None,
    command: str = "",
    named: Sequence[tuple[str, ...]] | None = None,
) -> Plan:
    """Plan the cells that the command line describes.

    several: maps paths to values, written as `a,b,c`. rotate: also use every rotation of each line-up. named:
    the line-ups (default: the request's policies in their seats).
    """
    game = request.game
    asked = paths_meant(game, request.scenario, several)
    sets = {path: several_values(value) for path, value in asked.items()}
    seats = list(named) if named else some_named(game, list(request.policy))
    cells = expand(list(difficulties), turned_round(game, seats) if rotate else seats, sets)
    full = _full(game, request.scenario, cells)
    _refuse_other_levels(request, full, [*sets])
    return Plan(request.named, request.scenario, full, effort.games, effort.seed, precision, command)


def _refuse_other_levels(request: Request, cells: Iterable[CellPlan], paths: Sequence[str]) -> None:
    """Raise UsageError if one of `paths` sets a value of a level that no cell simulates."""
    if not paths:
        return
    loaded = load_scenario(request.game, request.scenario)
    levels = loaded.model.difficulties()
    simulated = {as_spelled(cell.difficulty or loaded.difficulty, levels) for cell in cells}
    for path in paths:
        level = level_of(path, loaded.data, levels)
        if level and level not in simulated:
            raise UsageError(
                f"--set {path}: a value of level {level}, but only {', '.join(sorted(simulated))} is "
                f"simulated; add --difficulty {level}"
            )


def _full(game: Game, scenario: str | None, cells: Iterable[CellPlan]) -> tuple[CellPlan, ...]:
    """Return the cells with a policy in every seat.

    Seats without a named policy get the best known policy, chosen separately for each cell.
    """
    full = []
    for cell in cells:
        if UNNAMED in cell.policies:
            loaded = load_scenario(game, scenario, cell.difficulty, dict(cell.sets))
            places = zip(game.roles, cell.policies, strict=True)
            line_up = tuple(text or best_player(game, role, loaded) for role, text in places)
            cell = replace(cell, policies=game.seated(loaded, line_up))
        full.append(cell)
    return tuple(full)


def _whole(question: RunQuestion, plan: Plan, game: Game, effort: Effort) -> Answer:
    """Simulate the games of a plan that its folder does not contain yet, and judge the claims."""
    out = path_of(question.out)
    keep = folder_of(question, out, game) if out and question.luck_adjusted else None
    folder = Folder(out)
    with _saying_kept(out, game):
        documents = play(folder.path, plan, game, effort, question.name)
    if question.luck_adjusted:
        _without_luck(question, plan, game, effort, documents)
        if keep and out:
            for played in documents:
                effort.watch.kept(keep(played), next_report(out))
    opened = open_sweep(folder.path)
    judged, counted = judged_claims(opened)
    many = f"{len(documents)} {'cell' if len(documents) == 1 else 'cells'}"
    document = {
        "schema": "bartizan.sweep-result/1",
        "folder": out and str(out),
        "changes": common([one["changes"] for one in documents]),
        **common_caveat(documents),
        "cells": documents,
        "claims": judged,
        **counted,
    }

    names = cell_names(opened.cells, game.alike)

    def lines() -> Iterator[str]:
        yield from banner_lines(game, document)
        yield from _changed_in_all(documents[0]["title"], document)
        for cell in documents:
            yield _one_line(cell, names[cell["cell"]], game)
            if "luck_adjusted" in cell:
                yield from luck.lines(luck.WithoutLuck.read(cell["luck_adjusted"]))
        yield from claim_lines(judged, opened, counted)

    if out:
        following = f"{many} in {out}. Next: bartizan report {quoted(out)} -o report.html"
    else:
        following = f"{many}. Next: add -o DIR to save the games for a report"
    return Answer(
        document,
        lines,
        view=partial(_view, document, documents, [names[one["cell"]] for one in documents]),
        hints=["", following],
        exit_code=verdict_code(judged),
        rows=rows_in(folder),
    )


def _changed_in_all(title: str, d: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line with the changes that all cells share, if any."""
    if d["changes"]:
        yield f"{changes.title(title, d['changes'])}: all cells"


def _one_line(document: Mapping[str, Any], name: str, game: Game) -> str:
    """Return a line with the win rate of a cell; if all games have one result, also the score or length."""
    won = f"{document['wins']:,} of {document['games']:,}"
    players = text.players_of(document)
    player = f" ({players[0]})" if len(set(players)) > 1 else ""
    who = f"{words.plain(game.roles[0])}{player} wins" if document.get("seats") else "wins"
    line = f"{name:<40} {who} {words.share_of(document['win_rate'])}: {won}"
    if not text.has_one_result(document):
        return line
    what = "score" if text.is_about_score(document) else "turns"
    number = document[what].get("ended", document[what])
    return f"{line}; {what} {words.mean_of(number, not document['is_one_game'])}"


# ---------------------------------------------------------------- what would be played


def dry_run(plan: Plan, game: Game, effort: Effort, named: str) -> Answer:
    """List the cells and their games, with the estimated time and disk space.

    The time is estimated from a short pilot run of each cell. The space is estimated from the size of a
    record.
    """
    ready = made_ready(plan, game, effort, named)
    seconds = sum(_seconds_per_game(Batch(cell.match)) * cell.games for cell in ready) / effort.threads
    total = sum(cell.games for cell in ready)
    size = int(total * game.compiled.record_dtype.itemsize * 0.6)  # bytes, as shards are written
    document = {
        "schema": "bartizan.dry-run/1",
        "cells": [cell.plan.id for cell in ready],
        "games": total,
        "seconds": seconds,
        "bytes": size,
    }

    def lines() -> Iterator[str]:
        yield from (f"{cell.plan.id:<40} {cell.games:>10,} games" for cell in ready)
        cells = f"{len(ready)} {'cell' if len(ready) == 1 else 'cells'}"
        yield f"{cells}, {total:,} games, about {seconds:.0f} s and {size / 1e6:.1f} MB"

    return Answer(document, lines)


def _seconds_per_game(batch: Batch) -> float:
    """Return the measured time of one game in seconds. Slow games are timed with fewer games."""
    batch.play(range(1))  # warm up: compilation and caches
    games = 1
    while True:
        since = time.perf_counter()
        batch.play(range(games))
        seconds = time.perf_counter() - since
        if seconds >= PILOT_SECONDS or games >= PILOT:
            return seconds / games
        games *= 4


# ---------------------------------------------------------------- a part, and all of them together


def _part(question: RunQuestion, plan: Plan, game: Game, effort: Effort) -> Answer:
    """Simulate one part of a plan, and save its games in a folder.

    Raises UsageError if the plan has a precision: such a cell may stop early, so it cannot be divided.
    """
    part, out = read_part(str(question.shards)), Path(str(question.out))
    if plan.precision is not None:
        raise UsageError(
            "--shards: does not support --precision, because such a cell uses its games in order and "
            "cannot be divided; replace --precision by --games, or remove --shards"
        )
    ready = made_ready(plan, game, effort, question.name)
    with effort.source(game, plan.games * len(plan.cells) // part.of) as source:
        results = play_sweep(out, plan, game, ready, source, part)
    document = _part_document(read_sweep(out), part, results)
    shards, of_all = document["shards"], document["shards_of_all_parts"]

    def lines() -> Iterator[str]:
        yield from banner_lines(game, document)
        yield from _changed_in_all(document["title"], document)
        yield (
            f"part {part.number} of {part.of} in {document['folder']}: {document['games']:,} of "
            f"{document['games_of_all_parts']:,} games, {shards:,} of {of_all:,} shards"
        )
        if not shards:
            yield f"this part has no work: {of_all:,} {'part' if of_all == 1 else 'parts'} would be enough"

    return Answer(
        document, lines, hints=["", f"When all {part.of} parts are finished: bartizan import PART... -o DIR"]
    )


def _part_document(sweep: Sweep, part: SweepPart, results: Mapping[str, Played]) -> dict[str, Any]:
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


def merge(folders: Sequence[Path], out: Path, watch: Watch) -> Answer:
    """Merge the parts of a run into one folder, and judge the claims.

    The folder is byte-identical to that of a run on one machine.
    """
    whole, notes = merge_sweep(folders, out, lambda due: watch.track(due, len(due), 1, "merging"))
    for line in notes:
        watch.note(line)
    judged, counted = judged_claims(whole)
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
        **counted,
    }
    cells, parts = len(whole.cells), len(folders)

    def lines() -> Iterator[str]:
        yield from _changed_in_all(document["title"], document)
        yield (
            f"{out}: {document['games']:,} games in {document['shards']:,} shards of {cells} "
            f"{'cell' if cells == 1 else 'cells'}, merged from {parts} "
            f"{'folder' if parts == 1 else 'folders'}"
        )
        yield from claim_lines(judged, whole, counted)

    return Answer(
        document,
        lines,
        hints=[f"Next: bartizan report {quoted(out)} -o report.html"],
        exit_code=verdict_code(judged),
    )
