"""`doctor`: check this machine."""

import os
import platform
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from bartizan.api.answer import Answer
from bartizan.api.cluster.warming import warm
from bartizan.api.questions.checking import DoctorQuestion
from bartizan.api.reading import listed
from bartizan.policies.registry import line_ups
from bartizan.policies.request import match_of, player_values
from bartizan.simcore.bench import peak_memory_mb, speed, start_seconds, yardstick
from bartizan.simcore.compile import cache, shipped
from bartizan.simcore.documentation import page
from bartizan.simcore.errors import EngineError, UsageError
from bartizan.simcore.game import game_names, load_game
from bartizan.simcore.play.batch import Progress
from bartizan.simcore.rng import mix
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.watch import Watch

PACKAGES = (
    *("bartizan", "numba", "numpy", "polars", "pyarrow", "scipy", "optuna"),
    *("pydantic", "typer", "rich", "matplotlib", "seaborn"),
)
WRONG = f"doctor: a check above failed; install Bartizan again (see {page('install')})"


# ---------------------------------------------------------------- how fast


def bench(games: Sequence[str] = (), policy: Sequence[str] = (), quick: bool = False) -> Answer:
    """Measure the speed of each game and, in the same run, of a reference loop.

    quick: skip the timing of starts.
    """
    rows = [row for name in (games or game_names()) for row in _bench_rows(name, policy, quick)]
    document = {
        "schema": "bartizan.bench/1",
        "yardstick_seconds": yardstick(),
        "cores": os.cpu_count(),
        "peak_memory_mb": peak_memory_mb(),
        "results": rows,
    }
    return Answer(document, lambda: _bench_lines(document))


def _bench_rows(name: str, wanted: Sequence[str], quick: bool) -> Iterator[dict[str, Any]]:
    """Yield one row per policy and number of players.

    The default is the random policy and the game's default policies. Better policies from the archive are not
    used, so that the measured games stay the same.
    """
    game = load_game(name)
    counts = game.player_counts or [None]
    for texts, players in product([[text] for text in wanted] if wanted else [["random"], []], counts):
        (line_up, *_) = line_ups(game, texts)
        s = load_scenario(game, sets=player_values(game, players))
        seats = game.seated(s, line_up)
        match = match_of(game, s, seats, 1)
        one, two = speed(match), speed(match, jobs=2)
        ratio = two["games_per_second"] / one["games_per_second"]
        named = "+".join(dict.fromkeys(seats))
        row = {"game": game.name, "policy": named, "players": players, **one, "two_threads": ratio}
        if not quick and players == counts[0]:  # to the first game, with nothing compiled and with all of it
            who = texts or [f"{role}={text}" for role, text in zip(game.roles, seats, strict=False)]
            with tempfile.TemporaryDirectory(prefix="bartizan-") as fresh:
                row["cold_start_seconds"] = start_seconds(name, who, fresh)
                row["warm_start_seconds"] = start_seconds(name, who, fresh)
        yield row


def _bench_lines(d: Mapping[str, Any]) -> Iterator[str]:
    head = f"{'game':<10} {'policy':<32} {'players':>7} {'games/s':>12} {'plies/s':>14}"
    yield f"{head} {'ns/ply':>8} {'2 threads':>10} {'cold s':>7} {'warm s':>7}"
    for r in d["results"]:
        starts = ""
        if "cold_start_seconds" in r:
            starts = f"{r['cold_start_seconds']:>7.1f} {r['warm_start_seconds']:>7.2f}"
        who = f"{r['game']:<10} {r['policy']:<32} {r['players'] or '':>7}"
        pace = f"{r['games_per_second']:>12,.0f} {r['plies_per_second']:>14,.0f} {r['ns_per_ply']:>8.1f}"
        yield f"{who} {pace} {r['two_threads']:>9.2f}x {starts}"
    yield (
        f"reference: 50 million SplitMix64 words in {d['yardstick_seconds']:.3f} s; {d['cores']} cores; peak "
        f"memory {d['peak_memory_mb']:.0f} MiB"
    )


# ---------------------------------------------------------------- is all there


def answer(question: DoctorQuestion) -> Answer:
    """Check and describe this machine.

    On request, compile games, and measure their speed and the coverage of intervals.
    """
    games, policy, jobs = (
        listed(question.games),
        listed(question.policy),
        question.jobs or os.cpu_count() or 1,
    )
    if games and not (question.warm or question.bench):
        raise UsageError(
            f"doctor {games[0]}: add --warm to compile it in advance, or --bench to measure its speed"
        )
    if policy and not question.bench:
        raise UsageError("doctor: --policy requires --bench; add it, or remove --policy")
    folder = cache.configure()
    parts: dict[str, Answer] = {}
    if question.warm:
        parts["warm"] = warm(games, jobs, question.watch)
    if question.bench:
        parts["bench"] = bench(games, policy, question.quick)
    found = doctor(folder, jobs if question.validate else 0, question.watch)
    if not parts:
        return found
    document = {**found.to_dict(), **{name: part.to_dict() for name, part in parts.items()}}

    def lines() -> Iterator[str]:
        yield from found.lines()
        for part in parts.values():
            yield ""
            yield from part.lines()

    return Answer(document, lines, failure=found.failure)


def doctor(folder: Path, validate: int = 0, watch: Watch = Watch()) -> Answer:  # noqa: B008 it has no state
    """Check versions, cores, the cache folder, and a computation with a known result.

    validate: number of processes that measure the coverage of every registered method; 0 skips this. The exit
    code is 4 if a check fails.
    """
    findings: dict[str, Any] = {
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": os.cpu_count(),
        **{name: _version(name) for name in PACKAGES},
        "cache": str(folder),
        "cache_writable": os.access(folder, os.W_OK),
        "cache_warm": cache.is_warm(folder, "play_batch"),
        "cache_from": shipped.DISTRIBUTION
        if (folder / shipped.MARK).exists()
        else cache.not_shipped or "compiled here",
        "compiles": _compiles_right(),
    }
    document = {"schema": "bartizan.doctor/1", **findings}
    failure = None if findings["compiles"] and "missing" not in findings.values() else EngineError(WRONG)
    if validate:
        document["validation"] = measured = validation(validate, watch)
        if below := [row["method"] for row in measured["methods"] if row["is_below"]]:
            failure = failure or EngineError(f"doctor: coverage is below its target: {'; '.join(below)}")

    def lines() -> Iterator[str]:
        yield from (f"{key:<15} {value}" for key, value in findings.items())
        if validate:
            yield from ("", *coverage_lines(document["validation"]))

    return Answer(document, lines, failure=failure)


# ---------------------------------------------------------------- does every interval keep its promise?

SEED = 1


def validation(jobs: int, watch: Watch) -> dict[str, Any]:
    """Run the short form of every trial of `analyses/validation`. jobs: number of processes."""
    from bartizan.analyses.statistics.methods import METHODS
    from bartizan.analyses.validation import registry

    since = perf_counter()
    with watch.progress("validate", 0) as draw:
        found = registry.run(
            jobs=jobs,
            seed=SEED,
            told=lambda name, done, of: draw(Progress(name, games_done=done, games_total=of)),
        )
    return {
        "seconds": perf_counter() - since,
        "jobs": jobs,
        "seed": SEED,
        "registered": len(METHODS),
        "methods": [finding.row() for finding in found],
    }


def coverage_lines(measured: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a table with the smallest coverage of each trial and its grid point."""
    rows = measured["methods"]
    wide = max(len(_called(row)) for row in rows)
    yield f"{'method':<{wide}}  {'nominal':>7}  {'smallest coverage':>18}  verdict"
    for row in rows:
        nominal = f"{row['nominal'] * 100:.0f} %" if row["nominal"] else "none"
        error = f" ± {row['standard_error'] * 100:.1f}" if row["replicates"] else ""
        coverage = f"{row['coverage'] * 100:.1f}{error} %"
        yield f"{_called(row):<{wide}}  {nominal:>7}  {coverage:>18}  {row['verdict']} ({row['at']})"
    below = sum(row["is_below"] for row in rows)
    yield (
        f"{measured['registered']} registered methods; {len(rows)} trials with "
        f"{sum(row['points'] for row in rows)} grid points. {below} trials are below the target "
        f"(nominal coverage minus 2 percentage points). Seed {measured['seed']}, "
        f"{measured['seconds']:.0f} s in {measured['jobs']} processes. ± is the standard error of the "
        "simulation; coverage without ± is exact. Open: below the target, but within the error of the "
        "simulation."
    )


def _called(row: Mapping[str, Any]) -> str:
    return f"{row['method']}: {row['about']}" if row["about"] else row["method"]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def _compiles_right() -> bool:
    """Return whether compiled code and plain Python give the same result."""
    try:
        z = 0x9E3779B97F4A7C15
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        return int(mix(np.uint64(0x9E3779B97F4A7C15))) == z ^ z >> 31
    except Exception:
        return False
