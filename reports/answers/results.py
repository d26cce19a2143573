"""Result folders: `report` writes them as a page, `verify` plays part of them again."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bartizan.policies.registry import find_player
from bartizan.reports import write_report
from bartizan.reports.answers.answer import Answer, writing
from bartizan.reports.answers.sweep import claim_lines, verdict_code
from bartizan.reports.pages import comparison
from bartizan.reports.text import changes
from bartizan.reports.text import claims as claim_text
from bartizan.simcore.errors import EngineError, UsageError
from bartizan.simcore.game import load_game
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.changes import common
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.sweep.plan import FILES, read_claims
from bartizan.simcore.sweep.store import COMPARISON, Sweep, open_sweep
from bartizan.simcore.sweep.verify import checked_sweep, resimulate, verify_sweep


def report(
    folder: Path, out: Path, claims: Path | None = None, since: Path | None = None, paper: str | None = None
) -> Answer:
    """Write a sweep, or a comparison, as a page. claims: a plan whose claims are judged instead; since: an
    earlier sweep, to say what has changed; paper: of a .pdf.
    """
    if (folder / COMPARISON).is_file():
        if since is not None:
            raise UsageError(f"--since: {folder} holds a comparison, which says what changed by itself")
        if claims is not None:
            raise UsageError(
                f"--claims: {folder} holds a comparison; claims are judged over a sweep, such as "
                f"{folder / 'b'}"
            )
        for side in ("a", "b"):
            checked_sweep(folder / side)
        path = _written(comparison.read(folder), out, paper)
        return Answer({"file": str(path), "claims": []}, lambda: [_size(path)])
    opened = checked_sweep(folder)
    if claims is not None:
        manifest = {**opened.manifest, "claims": list(read_claims(claims)), "claims_from": str(claims)}
        opened = replace(opened, manifest=manifest)
    if since is not None:
        opened = replace(opened, manifest={**opened.manifest, "since": str(_earlier(since, opened))})
    judged = claim_text.of_sweep(opened)
    path = _written(opened, out, paper)
    document = {"file": str(path), "claims": judged}
    return Answer(document, lambda: _lines(opened, path, judged), exit_code=verdict_code(judged))


def _earlier(folder: Path, opened: Sweep) -> Path:
    """An earlier sweep of the same game; refused where it is another's, or a comparison."""
    if (folder / COMPARISON).is_file():
        raise UsageError(
            f"--since {folder}: holds a comparison; name one of its sides, such as {folder / 'a'}"
        )
    manifest = checked_sweep(folder).manifest
    if manifest["game"] != opened.manifest["game"]:
        raise UsageError(
            f"--since {folder}: is about another game ({manifest['game']}, not {opened.manifest['game']})"
        )
    return folder


def _lines(opened: Sweep, path: Path, judged: list[dict]) -> Iterator[str]:
    shared = common([cell.changes for cell in opened.cells])
    if shared:
        yield changes.title(opened.manifest["title"], shared)
    yield _size(path)
    yield from claim_lines(judged, opened)


def _written(what, out: Path, paper: str | None) -> Path:
    with writing(str(out)):
        return write_report(what, out, paper)


def _size(path: Path) -> str:
    return f"{path} ({path.stat().st_size / 1024:.0f} kB)"


def verify(folder: Path) -> Iterator[str]:
    """Checks the files of a sweep, and plays part of its cells again; yields a line for each check passed.

    Raises EngineError at the first that fails.
    """
    opened = open_sweep(folder)
    files = list(verify_sweep(opened))
    yield f"ok  {len(files)} files match SHA256SUMS"
    for cell in opened.cells[:: max(1, len(opened.cells) // 4)]:
        games = resimulate(cell, _match_of(opened, cell))
        yield f"ok  {cell.id}: {games} games of the first shard played again, row for row the same"


def _match_of(opened: Sweep, cell) -> Match:
    """The match a stored cell was played with; refused when its scenario or players have changed since."""
    game = load_game(_found(opened, opened.manifest["game_as_named"]))
    if opened.manifest.get("source_hash", "") != game.source_hash:
        raise EngineError(
            f"{cell.folder}: the code of {game.name} has changed since; its games cannot be played again"
        )
    scenario = opened.manifest["scenario_as_named"]
    s = load_scenario(game, scenario and _found(opened, scenario), cell.difficulty, cell.set)
    if s.hash != cell.scenario_hash:
        raise EngineError(
            f"{cell.folder}: its scenario has changed since (hash {cell.scenario_hash}, now {s.hash}); its "
            "games cannot be played again"
        )
    players = tuple(find_player(game, _found(opened, entry["as_named"])) for entry in cell.policies)
    for entry, player in zip(cell.policies, players, strict=True):
        if (entry["weights"], entry["source_hash"]) != (player.weights, player.source_hash):
            raise EngineError(
                f"{cell.folder}: policy {player.name} has changed since; its games cannot be played again"
            )
    return Match(game, s, players, opened.manifest["seed"])


def _found(opened: Sweep, named: str) -> str:
    """Files as they were named where the sweep was started, a policy's and its weights': in the working
    folder, else in the nearest folder around the results; what names no file stays.
    """

    def found(match: re.Match) -> str:
        for around in (Path(), *opened.folder.resolve().parents):
            if (around / match["file"]).is_file():
                return match["before"] + str(around / match["file"])
        raise UsageError(f"{match['file']}: is not here; verify where the sweep was started")

    return FILES.sub(found, named)
