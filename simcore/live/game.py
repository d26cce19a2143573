"""A live engine as a game: experiments that play whole games use it like any other."""

from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import Engine, Game
from bartizan.simcore.live.declaration import end_reasons_of, reporting_of, scenarios_of, schema_of
from bartizan.simcore.live.engine_file import EngineFile, read_engine
from bartizan.simcore.live.playing import LiveEngine, live_engine
from bartizan.simcore.rng import LUCK_FIELDS
from bartizan.simcore.sources import check_known, note_named

STATE = np.dtype([*LUCK_FIELDS, ("end_reason", "i4"), ("to_move", "i4"), ("turn", "i4")])
TABLES = np.dtype([("nothing", "i1")])


_games: dict[Path, Game] = {}  # by engine file, with running programs


def game_from_engine(path: Path) -> Game:
    """Return the game of an engine file, after starting its program.

    Returns the same game until one of its files changes. Raises UsageError for an invalid file, and
    EngineError for a program that fails.
    """
    file = read_engine(path)
    check_known(file.path, file)
    kept = _games.get(file.path)
    if kept is None or kept.compiled.live.file != file:
        kept = _games[file.path] = _started(file)
        note_named(file.path, file)
    return kept


def _started(file: EngineFile) -> Game:
    live = live_engine(file)
    declared, engine = live.declared, _engine(live)
    game = Game(
        name=declared.name,
        title=declared.title or declared.name,
        schema=schema_of(declared),
        scenarios=scenarios_of(declared, file.path),
        engine=lambda: engine,
        behaviour=2,
        roles=declared.roles,
        alike=declared.is_alike,
        rules_source=f"the engine {file.path.name}"
        + (f", version {declared.version}" * bool(declared.version)),
        default_policy=declared.policies[0].name,
        defaults=_defaults(live),
        players_path="players" if len(declared.counts) > 1 else "",
        player_counts=tuple(sorted(declared.counts)) if len(declared.counts) > 1 else (),
        home=file.path,
    )
    vars(game)["source_hash"] = live.identity
    return game


def _defaults(live: LiveEngine) -> dict[str, str]:
    """Return {seat: first policy that can play it}, for seats that the first declared policy cannot play.

    Raises UsageError for a seat without a policy.
    """
    declared = live.declared
    able = {
        role: [policy.name for policy in declared.policies if not policy.seats or role in policy.seats]
        for role in declared.roles
    }
    if idle := [role for role, names in able.items() if not names]:
        live.close()
        raise UsageError(
            f"{live.file.path}: declaration: policies: no policy can play the seat {idle[0]}; declare one"
        )
    return {role: names[0] for role, names in able.items() if names[0] != declared.policies[0].name}


def _engine(live: LiveEngine) -> Engine:
    def refused(*_: Any) -> NoReturn:
        live.refuse_steps()

    return Engine(
        state_dtype=STATE,
        tables_dtype=TABLES,
        record_dtype=live.record,
        build_tables=lambda scenario: np.zeros(1, TABLES),
        reset=refused,
        legal_actions=refused,
        apply=refused,
        write_record=refused,
        end_reasons=end_reasons_of(live.declared),
        max_legal=1,
        reporting=reporting_of(live.declared),
        unknowable="" if live.declared.steps else live.no_steps,
        live=live,
    )
