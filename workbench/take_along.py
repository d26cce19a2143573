"""What is taken along: the command that gives the same figures, and a scenario file with the changes."""

import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bartizan.policies.request import name_in_commands
from bartizan.simcore.errors import ScenarioError
from bartizan.simcore.scenario.loading import load_scenario
from bartizan.simcore.scenario.names import title
from bartizan.simcore.scenario.parameters import as_text, get
from bartizan.simcore.toml import document
from bartizan.workbench.live import PairedGames
from bartizan.workbench.setting import PageSetting

MISSING = object()


def commands(pair: PairedGames, now: PageSetting, pinned: PageSetting | None) -> dict[str, str]:
    """`run`: the same win rate; `compare`: the same difference, where one command has it."""
    found = {"run": run_command(now, pair.now.games, pair.now.seed)}
    is_same_table = pinned and now.offer.name == pinned.offer.name and now.players == pinned.players
    # `compare` turns a table of different players round: then its figure is another
    if (
        pair.pinned
        and pinned
        and is_same_table
        and (not now.offer.game.alike or len({*now.seated, *pinned.seated}) == 1)
    ):
        found["compare"] = compare_command(now, pinned, pair.games, pair.now.seed)
    elif pair.pinned and pinned:
        found["pinned"] = run_command(pinned, pair.games, pair.now.seed)
    return found


def run_command(setting: PageSetting, games: int, seed: int) -> str:
    return _line("run", setting, ["--games", str(games), "--seed", str(seed)])


def _line(command: str, setting: PageSetting, more: list[str]) -> str:
    named = name_in_commands(setting.offer.game)
    return shlex.join(["bartizan", command, named, *setting.request.words(), *more])


def compare_command(now: PageSetting, pinned: PageSetting, games: int, seed: int) -> str:
    changes = [word for change in _changes(now, pinned) for word in ("--change", change)]
    return _line("compare", pinned, [*changes, "--games", str(games), "--seed", str(seed)])


def _changes(now: PageSetting, pinned: PageSetting) -> Iterator[str]:
    """From the pinned setting to this one."""
    if now.scenario != pinned.scenario:
        yield f"scenario={now.scenario}"
    if now.loaded.difficulty != pinned.loaded.difficulty:
        yield f"difficulty={now.loaded.difficulty}"
    for path, value in {**dict.fromkeys(pinned.sets, MISSING), **now.sets}.items():
        wanted = get(now.loaded.data, path) if value is MISSING else value
        if path not in pinned.sets or pinned.sets[path] != wanted:
            yield f"{path}={as_text(wanted)}"
    for role, was, policy in zip(now.roles, pinned.seated, now.seated, strict=False):
        if policy != was:
            yield f"policy={policy}" if len(now.roles) == 1 else f"policy={role}={policy}"


# ---------------------------------------------------------------- a scenario file


def scenario_file(setting: PageSetting, name: str) -> str:
    """A scenario that extends the one it was made from. Raises ScenarioError where a file cannot say it."""
    head = {
        "extends": setting.request.scenario,
        "name": name,
        "title": f"{setting.loaded.model.title}, {name.replace('-', ' ')}",
    }
    if setting.level:
        head["difficulty"] = setting.level
    players = {setting.offer.game.players_path: setting.players} if setting.players is not None else {}
    tables: dict[str, dict[str, Any]] = {}
    for path, value in {**players, **setting.sets}.items():
        table, _, key = path.rpartition(".")
        tables.setdefault(table, {})[key] = value
    text = document(head, tables)
    # the file must be played as the page played it
    with tempfile.TemporaryDirectory(prefix="bartizan-") as folder:
        file = Path(folder) / "saved.toml"
        file.write_text(text, encoding="utf-8")
        saved = load_scenario(setting.offer.game, str(file))
    if saved.hash == setting.loaded.hash:
        return text
    paths = [one for one in setting.sets if get(saved.data, one) != setting.sets[one]]
    raise ScenarioError(
        f"{', '.join(paths) or title(setting.scenario)}: no file that extends {setting.scenario} can say it: "
        "a reading of a ruling sets it once more, or its table keeps what the change leaves "
        "out; take the command along"
    )
