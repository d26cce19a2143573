"""Simulate games of a results folder again, to verify the folder or to compare it with plays by people."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import polars as pl

from bartizan.analyses.records.tally import won
from bartizan.api.answers import people
from bartizan.api.questions.playtest import SkillQuestion
from bartizan.policies.registry import find_player
from bartizan.policies.request import Request
from bartizan.reports.text import words
from bartizan.reports.text.cell_names import changes_in
from bartizan.simcore.errors import EngineError, UsageError
from bartizan.simcore.game import load_game
from bartizan.simcore.play.match import Match
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.scenario.parameters import as_text
from bartizan.simcore.sources import only_known
from bartizan.simcore.sweep.plan import FILES
from bartizan.simcore.sweep.replay import resimulate
from bartizan.simcore.sweep.store import MANIFEST, Cell, Sweep, is_comparison, open_sweep
from bartizan.simcore.sweep.verify import checked_sweep, verify_sweep
from bartizan.simcore.watch import Watch


def lay_beside(folder: Path, plays: Path, watch: Watch, trusted: Sequence[Path] = ()) -> None:
    """Run `playtest skill` with a policy and the settings of a sweep, and save the result in its folder.

    trusted: .py files that may run although only the folder refers to them.
    """
    if is_comparison(folder):
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
        # `report` has no --policy; it shows the result that is saved in its folder
        another = shlex.join([*asking, "--policy", "NAME", "-o", str(folder)])
        people.answer(question, why, f"choose another policy with: {another}")


def _asked_of(opened: Sweep, cell: Cell, trusted: Sequence[Path]) -> Request:
    """Return the policies and settings of a cell as a request.

    For a game with one seat, the request has no level, and omits a policy that acts at random.
    """
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


def verify(folder: Path, trusted: Sequence[Path] = ()) -> Iterator[str]:
    """Verify the files of a sweep and simulate part of its cells again. Yields a line for each passed check.

    trusted: see `lay_beside`. Raises EngineError at the first failure.
    """
    opened = open_sweep(folder)
    files = list(verify_sweep(opened))
    yield f"ok  {len(files)} files match SHA256SUMS"
    if "imported" in opened.manifest:
        file = opened.manifest["imported"]["file"]
        yield f"ok  imported from {file}; its games cannot be simulated again here"
        return
    for cell in opened.cells[:: max(1, len(opened.cells) // 4)]:
        with _of_folder(opened, trusted, "check", folder):
            match = _match_of(opened, cell, trusted)
        games = resimulate(cell, match)
        yield f"ok  {cell.id}: {games} games of the first shard simulated again: identical"


def _of_folder(opened: Sweep, trusted: Sequence[Path], *command: object) -> AbstractContextManager[None]:
    """Return a context manager that rejects code to which only the folder refers.

    command: the command that the error message repeats with `--trust`.
    """
    words = ["bartizan", *map(str, command), *(word for one in trusted for word in ("--trust", str(one)))]
    return only_known(
        opened.folder / MANIFEST, trusted, lambda path: shlex.join([*words, "--trust", str(path)])
    )


def _match_of(opened: Sweep, cell: Cell, trusted: Sequence[Path]) -> Match:
    """Return the match of a saved cell.

    Raises EngineError if its rules, scenario or policies have changed since the run.
    """
    located = partial(_located, opened, trusted)
    game = load_game(located(opened.manifest["game_as_named"]))
    if opened.manifest.get("source_hash", "") != game.source_hash:
        raise EngineError(
            f"{cell.folder}: the code of {game.name} has changed since the run, so its games cannot be "
            "reproduced; check the folder with the version that simulated it"
        )
    scenario = opened.manifest["scenario_as_named"]
    s = load_scenario(game, scenario and located(scenario), cell.difficulty, cell.set)
    if s.hash != cell.scenario_hash:
        raise EngineError(
            f"{cell.folder}: its scenario has changed since the run (hash {cell.scenario_hash}, now "
            f"{s.hash}), so its games cannot be reproduced; restore the earlier scenario"
        )
    players = tuple(find_player(game, located(entry["as_named"])) for entry in cell.policies)
    for entry, player in zip(cell.policies, players, strict=True):
        if (entry["weights"], entry["source_hash"]) != (player.weights, player.source_hash):
            raise EngineError(
                f"{cell.folder}: policy {player.name} has changed since the run, so its games cannot be "
                "reproduced; restore the earlier policy"
            )
    return Match(game, s, players, opened.manifest["seed"])


def _located(opened: Sweep, trusted: Sequence[Path], named: str) -> str:
    """Return the name of a policy or game with its file resolved for the current folder.

    The file is the trusted file with this name, the file in the working folder, or the file in the nearest
    parent folder of the results. Names that are not files are returned unchanged. Raises UsageError for a
    missing file.
    """

    def path_of_file(match: re.Match[str]) -> str:
        for path in trusted:
            if path.name == Path(match["file"]).name:
                return match["before"] + str(path)
        for around in (Path(), *opened.folder.resolve().parents):
            if (around / match["file"]).is_file():
                return match["before"] + str(around / match["file"])
        raise UsageError(
            f"{match['file']}: not found; run this on the machine that simulated the games, or give "
            "the file: --trust FILE"
        )

    return FILES.sub(path_of_file, named)


# ---------------------------------------------------------------- the cell that people are compared with


def beside(cells: Sequence[Cell]) -> tuple[Cell, str]:
    """Return the cell to compare with people, and the reason for the choice ("" if no reason is needed).

    Of the cells without random actions (or of all cells, if every cell has them), it has the fewest changes
    from the published game. Among these, it has the policy that wins most, because a policy that never wins
    cannot serve as a scale. For competitive games, it is the first line-up, because one player's win is
    another's loss.
    """
    steady = [cell for cell in cells if not acts_at_random(cell)] or list(cells)
    fewest = min(len(changes_in(cell)) for cell in steady)
    near = [cell for cell in steady if len(changes_in(cell)) == fewest]
    shares = {name: 0.0 for name in map(_players, near)}
    if len(shares) > 1 and len(near[0].policies) == 1:
        for name in shares:  # the share of games that the first seat won
            own = [cell.scan().select(won(0).alias("won")) for cell in near if _players(cell) == name]
            shares[name] = pl.concat(own).select(pl.col("won").mean()).collect().item() or 0.0
    strongest = max(shares, key=shares.__getitem__)
    cell = next(cell for cell in near if _players(cell) == strongest)
    reasons = []
    if len(near) < len(steady):
        which = "with the fewest changes" if fewest else "without changes"
        reasons.append(f"It uses the sweep's games {which}.")
    if len(set(map(_players, cells))) > 1:
        reasons.append(_why_they(cell, shares))
    return cell, " ".join(reasons)


def acts_at_random(cell: Cell) -> bool:
    """Return whether a policy of the cell acts at random, always or sometimes."""
    return any(name == "random" or "noise=" in name for name in _players(cell))


def _players(cell: Cell) -> tuple[str, ...]:
    return tuple(one["as_named"] for one in cell.policies)


def _why_they(cell: Cell, shares: Mapping[tuple[str, ...], float]) -> str:
    """Return the reason for choosing this cell.

    shares: fraction of games won, by line-up of each candidate.
    """
    (strongest, *others), at_random = _players(cell), acts_at_random(cell)
    if others:
        which = "in every line-up, at least one policy acts" if at_random else "none of its policies acts"
        return f"This is the first line-up: {which} at random."
    if at_random:
        return "All policies in the sweep act at random, so the best known policy is shown here."
    if len(shares) == 1:
        return f"Among the policies in the sweep, only {strongest} never acts at random."
    listing = words.listing([f"{name} {words.percent(share)}" for (name,), share in shares.items()])
    return f"Among the policies in the sweep that never act at random, {strongest} wins most: {listing}."
