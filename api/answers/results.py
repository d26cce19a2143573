"""Result folders: `report` writes them as a page or a table, `check` plays part of them again."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from bartizan.analyses.records.tally import won
from bartizan.analyses.records.tidy import table, write_table
from bartizan.api.answer import Answer
from bartizan.api.answers.sweep import claim_lines, judged_claims, verdict_code
from bartizan.api.questions.playtest import SkillQuestion
from bartizan.api.questions.results import ReportQuestion
from bartizan.api.reading import path_of, trusted_of
from bartizan.policies.registry import find_player
from bartizan.policies.request import Request
from bartizan.reports import write_report
from bartizan.reports.pages import comparison
from bartizan.reports.pages.parts import measured
from bartizan.reports.study import study
from bartizan.reports.text import changes, words
from bartizan.reports.text.cell_names import changes_in
from bartizan.simcore.errors import BartizanError, EngineError, UsageError
from bartizan.simcore.files import check_output, whole, writing
from bartizan.simcore.game import load_game
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.changes import common
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.scenario.parameters import as_text
from bartizan.simcore.sources import only_known
from bartizan.simcore.sweep.plan import FILES, read_claims
from bartizan.simcore.sweep.store import COMPARISON, MANIFEST, Cell, Sweep, open_sweep
from bartizan.simcore.sweep.verify import checked_sweep, resimulate, verify_sweep
from bartizan.simcore.watch import Watch

SCHEMA = "bartizan.report/1"
TABLES = (".parquet", ".csv")


def report(question: ReportQuestion) -> Answer:
    """Write a sweep, or a comparison, as a page; plays by people are laid beside it first. A table of all its
    games where the file is one.
    """
    folder, out, paper = Path(question.folder), Path(question.out), question.paper
    claims, since = path_of(question.claims), path_of(question.since)
    if out.suffix in TABLES:
        for option in ("claims", "since", "plays", "paper"):
            if getattr(question, option):
                raise UsageError(
                    f"--{option}: {out} is a table of games, not a page; remove it, or name a page"
                )
        return export(folder, out)
    if question.plays:
        lay_beside(folder, Path(question.plays), question.watch, trusted_of(question.trust))
    if (folder / COMPARISON).is_file():
        if since is not None:
            raise UsageError(
                f"--since: {folder} contains a comparison, which already reports a change; remove --since"
            )
        if claims is not None:
            raise UsageError(
                f"--claims: {folder} contains a comparison; claims need a sweep, such as {folder / 'b'}"
            )
        for side in ("a", "b"):
            checked_sweep(folder / side)
        path = _written(comparison.read(folder), out, paper)
        return Answer({"schema": SCHEMA, "file": str(path), "claims": []}, lambda: [_size(path)])
    opened = checked_sweep(folder)
    if not any(cell.shards() for cell in opened.cells):
        raise UsageError(f"{folder}: contains no games yet; run the same sweep again with -o {folder}")
    if claims is not None:
        manifest = {**opened.manifest, "claims": list(read_claims(claims)), "claims_from": str(claims)}
        opened = replace(opened, manifest=manifest)
    if since is not None:
        opened = replace(opened, manifest={**opened.manifest, "since": str(earlier(since, opened))})
    judged, counted = judged_claims(opened)
    path = _written(opened, out, paper)
    document = {"schema": SCHEMA, "file": str(path), "claims": judged, **counted}

    def lines() -> Iterator[str]:
        if shared := common([cell.changes for cell in opened.cells]):
            yield changes.title(opened.manifest["title"], shared)
        yield _size(path)
        yield from claim_lines(judged, opened, counted)

    return Answer(document, lines, exit_code=verdict_code(judged))


def lay_beside(folder: Path, plays: Path, watch: Watch, trusted: Sequence[Path] = ()) -> None:
    """Keep the answer of `playtest skill` in a sweep's folder: plays by people, beside a policy and numbers
    that the sweep was played with. trusted: .py files that may be run though only the folder names them.
    """
    from bartizan.api.answers import people  # half a second to import, and few reports have plays

    if (folder / COMPARISON).is_file():
        raise UsageError(f"--plays: {folder} contains a comparison; choose a sweep, such as {folder / 'b'}")
    opened = checked_sweep(folder)
    with _of_folder(opened, trusted, "report", folder, "--plays", plays):
        cell, why = beside(opened.cells)
        request, seed = _asked_of(opened, cell, trusted), opened.manifest["seed"]
        question = SkillQuestion(
            request.named,
            plays=plays,
            scenario=request.scenario,
            difficulty=request.difficulty,
            policy=request.policy,
            set=request.sets,
            seed=seed,
            out=folder,
        )
        asking = ["bartizan", "playtest", "skill", request.named, "--plays", str(plays)]
        words = [*asking, *request.words(), "--seed", str(seed), "-o", "DIR"]
        question.watch, question.typed = watch, shlex.join(words)
        # a report takes no policies, and shows what is kept in its folder
        another = shlex.join([*asking, "--policy", "NAME", "-o", str(folder)])
        people.answer(question, why, f"name another with: {another}")


def _asked_of(opened: Sweep, cell: Cell, trusted: Sequence[Path]) -> Request:
    """Describe a cell: policy, settings and, for plays by people, its level."""
    manifest, located = opened.manifest, partial(_located, opened, trusted)
    game = load_game(asked := located(manifest["game_as_named"]))
    names = [located(entry["as_named"]) for entry in cell.policies]
    alone, alike = len(names) == 1, len(set(names)) == 1
    seated = names[:1] if alike else [f"{role}={name}" for role, name in zip(game.roles, names, strict=False)]
    return Request(
        asked,
        (named := manifest["scenario_as_named"]) and located(named),
        None if alone else cell.difficulty,
        () if alone and acts_at_random(cell) else tuple(seated),
        sets={path: as_text(value) for path, value in cell.set.items() if path != "difficulty"},
    )


def earlier(folder: Path, opened: Sweep, option: str = "--since") -> Path:
    """An earlier sweep of the same game; refused where it is another's, or a comparison."""
    if (folder / COMPARISON).is_file():
        raise UsageError(
            f"{option} {folder}: contains a comparison; choose one of its sides, such as {folder / 'a'}"
        )
    manifest = checked_sweep(folder).manifest
    if manifest["game"] != opened.manifest["game"]:
        raise UsageError(
            f"{option} {folder}: contains another game ({manifest['game']}, not {opened.manifest['game']})"
        )
    return folder


def _written(what: Any, out: Path, paper: str | None) -> Path:
    """Raises EngineError that names a kept answer where one is what cannot be written."""
    with writing(str(out)):
        try:
            return write_report(what, out, paper)
        except (BartizanError, OSError):
            raise
        except Exception:
            if isinstance(what, Sweep):
                measured.refuse_damaged(what.folder, study(what))
            raise


def _size(path: Path) -> str:
    return f"{path} ({path.stat().st_size / 1024:.0f} kB)"


def export(folder: Path, out: Path) -> Answer:
    """Write every game as a row of one table."""
    if out.suffix not in TABLES:
        raise UsageError(f"-o {out}: use a .parquet or .csv file")
    check_output(out)
    frame = table(folder)
    games, columns = frame.select(pl.len()).collect().item(), frame.collect_schema().names()
    with writing(f"-o {out}"), whole(out) as part:
        write_table(frame, games, part, is_parquet=out.suffix == ".parquet")
    document = {"schema": "bartizan.export/1", "file": str(out), "games": games, "columns": columns}
    line = f"{out}: {games:,} games, {len(columns)} columns (docs/data.md says what they are)"
    return Answer(document, lambda: [line], rows=partial(table, folder))


def verify(folder: Path, trusted: Sequence[Path] = ()) -> Iterator[str]:
    """Checks the files of a sweep, and plays part of its cells again; yields a line for each check passed.

    trusted: as in `lay_beside`. Raises EngineError at the first that fails.
    """
    opened = open_sweep(folder)
    files = list(verify_sweep(opened))
    yield f"ok  {len(files)} files match SHA256SUMS"
    if "imported" in opened.manifest:
        file = opened.manifest["imported"]["file"]
        yield f"ok  imported from {file}; its games cannot be played again here"
        return
    for cell in opened.cells[:: max(1, len(opened.cells) // 4)]:
        with _of_folder(opened, trusted, "check", folder):
            match = _match_of(opened, cell, trusted)
        games = resimulate(cell, match)
        yield f"ok  {cell.id}: {games} games of the first shard played again, row for row the same"


def _of_folder(opened: Sweep, trusted: Sequence[Path], *command: object) -> AbstractContextManager[None]:
    """Meanwhile no code is run that only the folder names. command: what is asked, for who allows it."""
    words = ["bartizan", *map(str, command), *(word for one in trusted for word in ("--trust", str(one)))]
    return only_known(
        opened.folder / MANIFEST, trusted, lambda path: shlex.join([*words, "--trust", str(path)])
    )


def _match_of(opened: Sweep, cell: Cell, trusted: Sequence[Path]) -> Match:
    """The match a stored cell was played with; refused when its scenario or players have changed since."""
    located = partial(_located, opened, trusted)
    game = load_game(located(opened.manifest["game_as_named"]))
    if opened.manifest.get("source_hash", "") != game.source_hash:
        raise EngineError(
            f"{cell.folder}: the code of {game.name} has changed since; its games cannot be reproduced"
        )
    scenario = opened.manifest["scenario_as_named"]
    s = load_scenario(game, scenario and located(scenario), cell.difficulty, cell.set)
    if s.hash != cell.scenario_hash:
        raise EngineError(
            f"{cell.folder}: its scenario has changed since (hash {cell.scenario_hash}, now "
            f"{s.hash}); its games cannot be reproduced"
        )
    players = tuple(find_player(game, located(entry["as_named"])) for entry in cell.policies)
    for entry, player in zip(cell.policies, players, strict=True):
        if (entry["weights"], entry["source_hash"]) != (player.weights, player.source_hash):
            raise EngineError(
                f"{cell.folder}: policy {player.name} has changed since; its games cannot be reproduced"
            )
    return Match(game, s, players, opened.manifest["seed"])


def _located(opened: Sweep, trusted: Sequence[Path], named: str) -> str:
    """Files as they were named where the sweep was started, a policy's and its weights': the trusted one of
    this name, else in the working folder, else in the nearest folder around the results; what names no file
    stays.
    """

    def path_of_file(match: re.Match[str]) -> str:
        for path in trusted:
            if path.name == Path(match["file"]).name:
                return match["before"] + str(path)
        for around in (Path(), *opened.folder.resolve().parents):
            if (around / match["file"]).is_file():
                return match["before"] + str(around / match["file"])
        raise UsageError(
            f"{match['file']}: not found; run this where the games were played, or give the file: "
            "--trust FILE"
        )

    return FILES.sub(path_of_file, named)


# ---------------------------------------------------------------- the cell that people are compared with


def beside(cells: Sequence[Cell]) -> tuple[Cell, str]:
    """The cell and the reason for choosing it ("" if there was no choice).

    Of the cells in which nobody acts at random those nearest to the published game, and of these the
    player who wins most: one who never wins is no scale. Of players against each other the first line-up:
    what one of them wins another loses.
    """
    steady = [cell for cell in cells if not acts_at_random(cell)] or list(cells)
    fewest = min(len(changes_in(cell)) for cell in steady)
    near = [cell for cell in steady if len(changes_in(cell)) == fewest]
    shares = {name: 0.0 for name in map(_players, near)}
    if len(shares) > 1 and len(near[0].policies) == 1:
        for name in shares:  # of all games of the first seat
            own = [cell.scan().select(won(0).alias("won")) for cell in near if _players(cell) == name]
            shares[name] = pl.concat(own).select(pl.col("won").mean()).collect().item() or 0.0
    strongest = max(shares, key=shares.__getitem__)
    cell = next(cell for cell in near if _players(cell) == strongest)
    reasons = []
    if len(near) < len(steady):
        which = "the one with the fewest changes" if fewest else "the one in which nothing is changed"
        reasons.append(f"Of the sweep's games it is {which}.")
    if len(set(map(_players, cells))) > 1:
        reasons.append(_why_they(cell, shares))
    return cell, " ".join(reasons)


def acts_at_random(cell: Cell) -> bool:
    """Whether a policy of the cell acts at random, always or sometimes."""
    return any(name == "random" or "noise=" in name for name in _players(cell))


def _players(cell: Cell) -> tuple[str, ...]:
    return tuple(one["as_named"] for one in cell.policies)


def _why_they(cell: Cell, shares: Mapping[tuple[str, ...], float]) -> str:
    """Why these players. shares: of games won, of everybody there was to choose from."""
    (strongest, *others), at_random = _players(cell), acts_at_random(cell)
    if others:
        which = "in each somebody acts" if at_random else "nobody in it acts"
        return f"The line-up is the first there is: {which} at random."
    if at_random:
        return "All policies in the sweep act at random, so the best known policy is shown here."
    if len(shares) == 1:
        return f"Of those who play it in the sweep {strongest} alone never acts at random."
    listing = words.listing([f"{name} {words.percent(share)}" for (name,), share in shares.items()])
    return f"Of those who play it in the sweep and never act at random {strongest} wins most: {listing}."
