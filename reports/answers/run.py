"""`run`: one cell is played; and how any plan is played and summarised."""

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

import polars as pl

from bartizan.analyses.experiments.luck_adjustment import adjust_luck as analyze_luck
from bartizan.analyses.records import claims
from bartizan.analyses.records.quantities import summarize
from bartizan.analyses.statistics.intervals import Interval, confidence_sequence, proportion
from bartizan.analyses.statistics.stagewise import Precision
from bartizan.policies.registry import find_player
from bartizan.policies.request import Request, name_in_commands
from bartizan.reports.answers.answer import Answer, Effort, Folder, assumed_lines, caveat_lines
from bartizan.reports.answers.keeping import folder_of, next_report
from bartizan.reports.text import changes, words
from bartizan.reports.text.sequential import stopped, stopped_lines
from bartizan.reports.views import luck
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import Game
from bartizan.simcore.play.batch import BATCH, CHUNK_GAMES
from bartizan.simcore.play.luck_adjusted import ADJUSTED
from bartizan.simcore.sweep.manifest import ReadyCell, make_ready, manifest, versions
from bartizan.simcore.sweep.plan import Plan, expand
from bartizan.simcore.sweep.run import ShardWorkers, play_sweep
from bartizan.simcore.sweep.store import MANIFEST, open_sweep, sweep_of


def ask(
    request: Request,
    effort: Effort,
    precision: float | None = None,
    samples: int | None = None,
    out: Path | None = None,
    command: str = "",
) -> Answer:
    """Play one cell. precision: half-width of the win rate at which to stop; samples: outcomes drawn of each
    chance event to take the luck out, None: not asked for; out: where the games are kept, and what became of
    their luck; of a sweep of other games only the latter.
    """
    game = request.game
    seats = request.line_ups()
    if len(seats) > 1:
        raise UsageError(
            f"run plays one cell, but {len(seats)} policies are named; use: bartizan sweep {request.named} "
            "... -o DIR"
        )
    sets = {path: [value] for path, value in request.values.items()}
    seated = [game.seated(request.loaded, line_up) for line_up in seats]
    cells = expand([request.difficulty] if request.difficulty else [], seated, sets)
    plan = Plan(request.named, request.scenario, tuple(cells), effort.games, effort.seed, precision, command)
    keep = folder_of(out, "luck", game, command) if out and samples is not None else None
    folder = Folder(None if keep and _holds_others(out, plan) else out)
    (document,) = play(folder.path, plan, game, effort)
    if samples is not None:
        document["luck_adjusted"] = _luck_adjusted(game, plan, document, samples, effort)
    if keep:
        effort.watch.kept(keep(document), next_report(out))
    return Answer(
        document,
        lambda: lines(game, document),
        hints=[_next(request, document, out)],
        rows=lambda: rows_of(folder),
    )


def _holds_others(out: Path | None, plan: Plan) -> bool:
    """Is there a sweep of other games than this run's, or of more of them? Then it stays as it is."""
    if out is None or not (out / MANIFEST).exists():
        return False
    there = open_sweep(out)
    same = [cell.id for cell in there.cells] == [cell.id for cell in plan.cells]
    return not same or there.manifest["seed"] != plan.seed or there.cells[0].games > plan.games


def rows_of(*folders: Folder, sides: tuple[str, ...] = ("",)) -> pl.LazyFrame:
    """The games in result folders, with columns `cell` and, of several folders, `side`."""
    for folder in folders:
        folder.keep()
    frames = [
        cell.scan().with_columns(
            pl.lit(cell.id).alias("cell"), *([pl.lit(side).alias("side")] if side else [])
        )
        for folder, side in zip(folders, sides, strict=True)
        for cell in open_sweep(folder.path).cells
    ]
    return pl.concat(frames, how="diagonal")


def _luck_adjusted(game: Game, plan: Plan, played: Mapping, samples: int, effort: Effort) -> dict:
    """The same games once more, with the luck of each."""
    effort.compiles(game, ADJUSTED)
    (cell,) = make_ready(plan, game, find_player)
    found = analyze_luck(cell.match, played["games"], samples, jobs=effort.threads)
    return luck.document(found, game.roles_in(cell.match.scenario), played["seconds"]).plain()


def _next(request: Request, document: Mapping, out: Path | None) -> str:
    if out:
        return f"Next: bartizan report {out} -o report.html"
    again = _same_cells(request, document["difficulty"], document["games"])
    return f"Next: bartizan sweep {again} -o results, then: bartizan report results -o report.html"


def _same_cells(request: Request, difficulty: str, games: int) -> str:
    """The words after `bartizan sweep` that play what `run` has just played."""
    game, policy = request.game, list(request.policy)
    roles = any("=" in text.split(":")[0] for text in policy)
    policy = ["+".join(policy)] if game.alike and len(policy) > 1 and not roles else policy
    again = Request(request.named, request.scenario, difficulty, tuple(policy), request.players, request.sets)
    return shlex.join([name_in_commands(game), *again.words(), "--games", str(games)])


# ---------------------------------------------------------------- playing a plan


def made_ready(plan: Plan, game: Game, effort: Effort, named: str) -> list[ReadyCell]:
    """The cells of a plan, compiled. named: the plan's file, for what is wrong in it."""
    effort.compiles(game, BATCH)
    ready = make_ready(plan, game, find_player)
    refuse_empty_claims(plan, game, ready, named)
    return ready


def play(
    folder: Path, plan: Plan, game: Game, effort: Effort, named: str = "", workers: ShardWorkers | None = None
) -> list[dict]:
    """Play a plan into a folder: one document a cell. named: as for `made_ready`; workers: other machines
    that play.
    """
    if workers is not None:
        refuse_stopping(plan, "--cluster")
    ready = made_ready(plan, game, effort, named)
    rule = Precision(plan.precision, CHUNK_GAMES, plan.games) if plan.precision is not None else None
    stop = rule.is_enough if rule else None
    with effort.source(game, plan.games * len(plan.cells)) as source:
        results = play_sweep(folder, plan, game, ready, source, stop=stop, workers=workers)
    documents = []
    for cell, stored in zip(ready, open_sweep(folder).cells, strict=True):
        played = results[cell.plan.id]
        # a run that is watched and stopped keeps its promise with a confidence sequence only
        summary = summarize(stored.scan(), stored, method=confidence_sequence if rule else proportion)
        summary |= stopped(rule, played.games, summary["wins"], summary["capped"])
        documents.append(document_of(cell, stored, played, summary, effort.threads))
    return documents


def refuse_stopping(plan: Plan, option: str) -> None:
    """Raises UsageError: whether a cell goes on hangs on all its games before."""
    if plan.precision is not None:
        raise UsageError(
            f"{option}: a cell that stops at --precision looks at its games in their order, and cannot be "
            f"divided; leave --precision out and say how many --games, or play it without {option}"
        )


def refuse_empty_claims(plan: Plan, game: Game, ready: list[ReadyCell], named: str) -> None:
    """A claim that speaks of no cell is refused before a game is played."""
    if plan.claims:
        said = sweep_of(Path(), manifest(plan, game, ready))
        claims.cases(claims.read(plan.claims, named), said.cells, game.alike, named)


def document_of(cell: ReadyCell, stored, played, summary: dict, jobs: int) -> dict:
    """The document of one cell. stored: `simcore.sweep.store.Cell`; played: `simcore.sweep.run.Played`."""
    match = cell.match
    head = {
        "schema": "bartizan.run/1",
        "game": match.game.name,
        "title": match.scenario.model.title,
        "changes": stored.changes,
        "scenario": match.scenario.name,
        "scenario_hash": match.scenario.hash,
        "difficulty": match.scenario.difficulty,
        "policies": [player.name for player in match.players],
        "policy_weights": [player.weights for player in match.players],
        "overrides": match.scenario.overrides,
        "games": played.games,
        "seed": match.seed,
        "jobs": jobs,
    }
    tail = {
        "seconds": played.seconds,
        "games_per_second": played.games / played.seconds if played.seconds else None,
        "digest": played.digest.hexdigest(),
        "assumed": stored.assumed,
        "confidence": stored.confidence,
        "assumptions": stored.assumptions,
        **({"banner": stored.banner} if stored.banner else {}),
        "behaviour": match.game.behaviour,
        "versions": versions(),
    }
    return {**head, **summary, "plies": played.plies, **tail, "cell": stored.id}


# ---------------------------------------------------------------- in words


def lines(game: Game, d: Mapping) -> Iterator[str]:
    """The verdict of one cell for a reader at a terminal."""
    yield from caveat_lines(game, d)
    title = changes.titled(d, d["difficulty"], " vs ".join(d["policies"]))
    yield f"{title}: {d['games']:,} games, seed {d['seed']}"
    length = f"  turns    {_turns(d)}"
    if is_about_length(d):
        yield length
    yield f"  wins     {words.share_of(d['win_rate'])}: {d['wins']:,} of {d['games']:,}"
    yield from (f"  {line}" for line in stopped_lines(d))
    cut_off = f"    cut off {d['capped']:,}" if d["capped"] else ""
    yield f"  draws    {d['draws']:,}    losses {d['losses']:,}{cut_off}"
    for seat in d.get("seats", []):
        won = words.share_with_limits(Interval(**seat["win_rate"]))
        yield f"  {seat['role']:<8} {seat['policy']}: {won}, {seat['wins']:,} wins"
    yield from _scores(d)
    yield "  ends     " + ", ".join(f"{name} {n:,}" for name, n in d["end_reasons"].items() if n)
    if not is_about_length(d):
        yield length
    yield from assumed_lines(game, d)
    if "luck_adjusted" in d:
        yield from luck.lines(luck.WithoutLuck.read(d["luck_adjusted"]))
    speed = f"{d['games_per_second']:,.0f} games/s" if d["games_per_second"] else "kept from before"
    yield f"  {d['plies']:,} decisions in {d['seconds']:.2f} s, {speed}; digest {d['digest'][:16]}"


def is_about_length(d: Mapping) -> bool:
    """Do all games of one player end alike? Then what differs is how long they take: that stands first."""
    return d["win_rate"]["estimate"] in (0, 1) and not d.get("seats")


def _turns(d: Mapping) -> str:
    """`mean 39.23 (39.17–39.29, 95 % Student t), median 33, from 7 to 358`"""
    turns = d["turns"]
    median = f", median {turns['quantiles']['50']:g}" if turns["quantiles"].get("50") is not None else ""
    return f"mean {words.mean_of(turns)}{median}, from {turns['min']} to {turns['max']}"


def _scores(d: Mapping) -> Iterator[str]:
    score, levels = d["score"], d.get("tier_levels", {})
    if score.get("mean") is not None:
        span = f"from {score['min']} to {score['max']}"
        spread = f", sd {score['sd']:.2f}" if score["sd"] is not None else ""  # one game has none
        yield f"  score    mean {words.mean_of(score)}{spread}, {span} (games that have one)"
    if d["tiers"]:
        named = {name: f"{name} ({levels[name]})" if name in levels else name for name in d["tiers"]}
        yield "  tiers    " + ", ".join(f"{named[name]} {n:,}" for name, n in d["tiers"].items())
