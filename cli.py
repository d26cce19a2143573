"""The command line: parse, call, echo. The only file that prints, exits or reads arguments.

Results go to stdout, progress and errors to stderr. Heavy packages are imported inside the commands, so that
`bartizan --help` is quick.
"""

import json
import os
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

from bartizan.simcore.compile import cache
from bartizan.simcore.errors import BartizanError, EngineError, UsageError

INTERRUPTED = 130
INCONCLUSIVE = 3
REDRAWN = 0.1  # seconds after which a progress line says something new
app = typer.Typer(
    name="bartizan",
    help="Monte Carlo balance and difficulty analysis for board games.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="a game by name (see: bartizan games), or the path of a game's .py file"
    ),
]
ScenarioName = Annotated[
    str | None,
    typer.Option(
        "--scenario", metavar="NAME|FILE", help="a scenario of the game, or a .toml file of your own"
    ),
]
Difficulties = Annotated[list[str] | None, typer.Option("--difficulty", help="level; repeat for several")]
OneDifficulty = Annotated[str | None, typer.Option("--difficulty", help="level, as `describe` lists them")]
Policies = Annotated[
    list[str] | None,
    typer.Option(
        "--policy",
        metavar="P|role=P|P+Q|FILE.py",
        help="who plays; with weights: P:weight=1.5; P+Q: P in the first seat, Q in the second; repeat for "
        "several",
    ),
]
Sets = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="PATH=VALUE",
        help="change a number or a ruling (see: bartizan describe GAME --knobs)",
    ),
]
Games = Annotated[int, typer.Option("--games", min=1, help="games a cell")]
Seed = Annotated[int, typer.Option("--seed", min=0, max=2**63 - 1, help="the same seed plays the same games")]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", min=1, max=1024, help="threads; all cores unless given. The results do not depend on it"
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="one JSON document on stdout")]
Players = Annotated[
    int | None, typer.Option("--players", min=1, help="number of players, for games that can vary it")
]
Precision = Annotated[
    str | None,
    typer.Option(
        "--precision",
        metavar="0.5pp",
        help="stop when the win rate is known to this half-width; --games is then the limit",
    ),
]


# ---------------------------------------------------------------- what there is


@app.command()
def games(as_json: AsJson = False) -> None:
    """The games that can be played."""
    from bartizan.simcore.game import game_names, load_game
    from bartizan.simcore.scenario import load_scenario, scenario_names

    rows = []
    for name in game_names():
        game = load_game(name)
        base = load_scenario(game)
        rows.append(
            {
                "game": name,
                "title": base.model.title,
                "scenarios": scenario_names(game.scenarios),
                "difficulties": base.model.difficulties(),
                "roles": list(game.roles),
                "behaviour": game.behaviour,
                "rules_source": game.rules_source,
                "confidence": base.confidence,
            }
        )
    if as_json:
        return _print_json({"schema": "bartizan.games/1", "games": rows})
    for row in rows:
        print(f"{row['game']}: {row['title']}")
        print(
            f"  scenarios {', '.join(row['scenarios'])}; difficulties {', '.join(row['difficulties'])}; "
            f"seats {', '.join(row['roles'])}; behaviour version {row['behaviour']}"
        )
        print(f"  rules: {row['rules_source']}")
        print(f"  data: {_confidence(row['confidence'])}")
    print(
        "\nNext: bartizan describe GAME. A game of your own: give the path of its .py file "
        "(docs/adding-a-game.md)."
    )


@app.command()
def policies(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]")] = None, as_json: AsJson = False
) -> None:
    """Who can play: policies, their weights, and how they can be restricted."""
    _prepare([game or ""])
    from bartizan.policies.modifiers import WORDS
    from bartizan.policies.registry import policies_of
    from bartizan.simcore.game import game_names, load_game

    found = {name: policies_of(load_game(name)).values() for name in ([game] if game else game_names())}
    acts = {name: list(load_game(name).compiled.acts) for name in found}
    if as_json:
        rows = [
            {"game": name, "policy": p.name, "about": p.about, "weights": p.weights, "roles": list(p.roles)}
            for name, ps in found.items()
            for p in ps
        ]
        return _print_json(
            {"schema": "bartizan.policies/1", "policies": rows, "modifiers": WORDS, "acts": acts}
        )
    for name, listed in found.items():
        print(f"{name}:")
        for policy in listed:
            print(f"  {policy.name:<12} {policy.about}")
            if policy.weights:
                print(
                    "  "
                    + " " * 13
                    + "weights: "
                    + ", ".join(f"{key}={value:g}" for key, value in policy.weights.items())
                )
        print(f"  kinds of action: {', '.join(acts[name]) or 'not named'}")
    print("\nRestricted: --policy NAME:MODIFIER,MODIFIER (docs/ladder.md)")
    for modifier, meaning in WORDS.items():
        print(f"  {modifier:<15} {meaning}")
    print(
        "\nOther weights: --policy NAME:weight=value. A policy of your own: --policy my_policy.py "
        "(docs/adding-a-policy.md)."
    )


@app.command()
def describe(
    game: GameName,
    scenario: ScenarioName = None,
    difficulty: OneDifficulty = None,
    set_: Sets = None,
    knobs: Annotated[bool, typer.Option("--knobs", help="every value that --set reaches")] = False,
    rulings: Annotated[bool, typer.Option("--rulings", help="every unclear rule with its readings")] = False,
    board: Annotated[
        Path | None,
        typer.Option(
            "--board", metavar="FILE.svg", help="draw the game's board into this file (.svg, .pdf or .png)"
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """A game's scenario: levels, rulings, numbers and how sure they are."""
    _prepare([game])
    from bartizan.reports import changes
    from bartizan.simcore.changes import changes_of
    from bartizan.simcore.game import load_game
    from bartizan.simcore.scenario import load_scenario, scenario_names

    it = load_game(game)
    s = load_scenario(it, scenario, difficulty, _one_value_each(set_))
    if board is not None:
        return _draw_board(it.name, board, as_json)
    if as_json:
        document = {
            "schema": "bartizan.describe/1",
            "game": it.name,
            "title": s.model.title,
            "changes": changes_of(it, s),
            "scenario": s.name,
            "scenario_hash": s.hash,
            "scenarios": scenario_names(it.scenarios),
            "difficulty": s.difficulty,
            "difficulties": s.model.difficulties(),
            "roles": list(it.roles_in(s)),
            "behaviour": it.behaviour,
            "rules_source": it.rules_of(s),
            "confidence": s.confidence,
            "assumed": s.assumed,
            "assumptions": s.model.assumptions(),
            **_banner(it, s),
            "overrides": s.overrides,
            "knobs": [vars(k) for k in s.knobs()],
            "rulings": {
                key: {"reading": s.model.rulings[key], **r.model_dump()} for key, r in s.model.ruling.items()
            },
        }
        return _print_json(document)
    _print_banner(it, _banner(it, s))
    if (knobs or rulings) and (changed := changes_of(it, s)):
        print(changes.title(s.model.title, changed))
    if knobs:
        for knob in s.knobs():
            print(
                f"{knob.path} = {_toml(knob.value)}    [{knob.allowed}]    "
                f"{knob.confidence}{': ' + knob.source if knob.source else ''}"
            )
        return None
    if rulings:
        for key, ruling in s.model.ruling.items():
            print(
                f"{ruling.id} rulings.{key} = {s.model.rulings[key]}    [{' | '.join(ruling.readings)}]    "
                f"impact {ruling.impact}, {ruling.confidence}"
            )
            print(f"    {ruling.question} {ruling.meaning}")
        return None
    print(
        f"{changes.title(s.model.title, changes_of(it, s))}: scenario {s.name}, {s.difficulty} (hash "
        f"{s.hash})"
    )
    print(
        f"difficulties: {', '.join(s.model.difficulties())}; scenarios: "
        f"{', '.join(scenario_names(it.scenarios))}; seats: {', '.join(it.roles_in(s))}"
    )
    print(f"rules: {it.rules_of(s) or 'not stated'}")
    print(f"data: {_confidence(s.confidence)}")
    for line in _guesses(s.model.assumptions(), _banner(it, s)):
        print(f"  assumed: {line}")
    n = len(s.knobs())
    print(f"\n{n} values can be changed with --set: bartizan describe {game} --knobs")
    if s.model.ruling:
        print(f"{len(s.model.ruling)} unclear rules are rulings: bartizan describe {game} --rulings")
    print(
        f"Next: bartizan run {game}{f' --scenario {scenario}' if scenario else ''} --difficulty "
        f"{s.difficulty} {_default_policies(it, s)} --games 20000"
    )
    return None


# ---------------------------------------------------------------- playing


@app.command()
def run(
    game: GameName,
    scenario: ScenarioName = None,
    difficulty: OneDifficulty = None,
    policy: Policies = None,
    games: Games = 10_000,
    seed: Seed = 1,
    set_: Sets = None,
    jobs: Jobs = None,
    players: Players = None,
    precision: Precision = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="DIR", help="keep the games in this folder")
    ] = None,
    luck_adjusted: Annotated[
        bool,
        typer.Option(
            "--luck-adjusted", help="also the win rate without the luck: the same games, worth more"
        ),
    ] = False,
    samples: Annotated[
        int,
        typer.Option(
            "--samples", min=1, max=1000, help="with --luck-adjusted: outcomes drawn of each chance event"
        ),
    ] = 32,
    as_json: AsJson = False,
) -> None:
    """Play one cell and say what came out."""
    _prepare([game])
    from bartizan.policies.registry import line_ups
    from bartizan.simcore.game import load_game
    from bartizan.simcore.sweep import Plan, expand

    it = load_game(game)
    seats = line_ups(it, policy or [], together=True)
    if len(seats) > 1:
        raise UsageError(
            f"run plays one cell, but {len(seats)} policies are named; use: bartizan sweep {game} ... -o DIR"
        )
    sets = {path: [value] for path, value in _with_players(it, players, _one_value_each(set_)).items()}
    cells = expand([difficulty] if difficulty else [], seats, sets)
    plan = Plan(game, scenario, tuple(cells), games, seed, _half_width(precision), _command())
    with _folder(out) as folder:
        (document,) = _play(folder, plan, it, jobs)
    if luck_adjusted:
        document["luck_adjusted"] = _luck_adjusted(it, plan, document, samples, jobs)
    if as_json:
        return _print_json(document)
    _print_banner(it, document)
    _print_run(document)
    again = _same_cells(it, scenario, document["difficulty"], policy or [], players, set_ or [], games)
    print(
        f"Next: bartizan report {out} -o report.html"
        if out
        else f"Next: bartizan sweep {again} -o results, then: bartizan report results -o report.html"
    )
    return None


def _luck_adjusted(it, plan, played: dict, samples: int, jobs: int | None) -> dict:
    """The same games once more, with the luck of each: what `run --luck-adjusted` adds."""
    from bartizan.analyses.luck import analyze
    from bartizan.policies.registry import find_player
    from bartizan.reports import luck as text
    from bartizan.simcore.play.luck_adjusted import ADJUSTED
    from bartizan.simcore.sweep import make_ready

    _announce(it, ADJUSTED)
    (cell,) = make_ready(plan, it, find_player)
    jobs = jobs or os.cpu_count() or 1
    found = analyze(cell.match, played["games"], samples, jobs=jobs)
    return text.document(found, it.roles_in(cell.match.scenario), played["seconds"])


@app.command()
def sweep(
    game: Annotated[
        str, typer.Argument(metavar="GAME|PLAN.toml", help="a game, or a plan file that says everything")
    ],
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="DIR", help="folder of the results; run again to resume"),
    ] = None,
    scenario: ScenarioName = None,
    difficulty: Difficulties = None,
    policy: Policies = None,
    games: Annotated[
        int | None,
        typer.Option("--games", min=1, help="games a cell; 10,000 unless given, or as the plan says"),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            min=0,
            max=2**63 - 1,
            help="the same seed plays the same games; 1 unless given, or as the plan says",
        ),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PATH=A,B,C", help="values of a number or ruling, each makes a cell"),
    ] = None,
    jobs: Jobs = None,
    players: Players = None,
    precision: Precision = None,
    rotate: Annotated[
        bool, typer.Option("--rotate", help="play each line-up (P+Q) in every rotation of the seats")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="say what would be played, and how long it would take")
    ] = False,
    as_json: AsJson = False,
) -> int | None:
    """Play every combination of levels, policies and settings into a folder, and judge what the plan claims:
    exit code 0 all hold, 1 one fails, 3 one is open.
    """
    _prepare([game])
    from bartizan.analyses import claims
    from bartizan.policies.registry import line_ups
    from bartizan.reports import changes
    from bartizan.reports import claims as claim_text
    from bartizan.reports.study import cell_names
    from bartizan.simcore.changes import common
    from bartizan.simcore.game import load_game
    from bartizan.simcore.store import open_sweep
    from bartizan.simcore.sweep import Plan, expand, read_plan, rotations

    if game.endswith(".toml"):
        if players is not None:
            raise UsageError(f"--players: {game} says who plays; write players there, under [set]")
        plan = read_plan(Path(game), line_ups, load_game)
        it = load_game(plan.game)
        claims.read(plan.claims, game)
        plan = replace(
            plan, games=games or plan.games, seed=plan.seed if seed is None else seed, command=_command()
        )
    else:
        it = load_game(game)
        sets = {
            path: [value] for path, value in _with_players(it, players, _one_value_each(set_)).items()
        } | _many_values(set_)
        seats = line_ups(it, policy or [])
        cells = expand(difficulty or [], rotations(it, seats) if rotate else seats, sets)
        plan = Plan(
            game,
            scenario,
            tuple(cells),
            games or 10_000,
            1 if seed is None else seed,
            _half_width(precision),
            _command(),
        )
    if dry_run:
        return _print_dry_run(plan, it, jobs, as_json, game)
    if out is None:
        raise UsageError(
            "sweep: where to? give a folder with -o DIR (or --dry-run to see what would be played)"
        )
    documents = _play(out, plan, it, jobs, game)
    opened = open_sweep(out)
    banner, judged = _banner_of_all(documents), claim_text.of_sweep(opened)
    shared = common([document["changes"] for document in documents])
    if as_json:
        _print_json(
            {
                "schema": "bartizan.sweep-result/1",
                "folder": str(out),
                "changes": shared,
                **banner,
                "cells": documents,
                "claims": judged,
            }
        )
        return _claims_code(judged)
    _print_banner(it, banner)
    if shared:
        print(f"{changes.title(documents[0]['title'], shared)}: all cells")
    names = cell_names(opened.cells, it.alike)
    for document in documents:
        print(_one_line(document, names[document["cell"]]))
    _print_claims(judged, opened.manifest)
    print(f"\n{len(documents)} cells in {out}. Next: bartizan report {out} -o report.html")
    return _claims_code(judged)


def _claims_code(judged: list[dict]) -> int:
    """0 all claims hold, or nothing is claimed; 1 one fails; 3 none fails, but one is open."""
    from bartizan.analyses import claims

    return {claims.PASS: 0, claims.FAIL: 1, claims.INCONCLUSIVE: 3}[
        claims.overall(row["verdict"] for row in judged)
    ]


def _print_claims(judged: list[dict], manifest: dict) -> None:
    from bartizan.reports import claims as claim_text

    for line in claim_text.lines(judged, manifest) if judged else ():
        print(line)


def _refuse_empty_claims(plan, it, ready, named: str) -> None:
    """A claim that speaks of no cell is refused before a game is played. named: the plan's file."""
    from bartizan.analyses import claims
    from bartizan.simcore.store import sweep_of
    from bartizan.simcore.sweep import manifest

    if plan.claims:
        said = sweep_of(Path(), manifest(plan, it, ready))
        claims.cases(claims.read(plan.claims, named), said.cells, it.alike, named)


@app.command()
def report(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="folder of a sweep, or of a comparison (compare -o)")
    ],
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="FILE", help="report.html, .md or .json")
    ] = Path("report.html"),
    claims: Annotated[
        Path | None,
        typer.Option(
            "--claims",
            metavar="PLAN.toml",
            help="judge the [[claim]] tables of this file instead of those the sweep was played with",
        ),
    ] = None,
) -> int:
    """Win rates, scores, tiers, losses and claims of a sweep as a page to read or send; exit code 1 when a
    claim fails, 3 when one is open.
    """
    from bartizan.simcore.store import COMPARISON, open_sweep

    is_comparison = (folder / COMPARISON).is_file()
    _prepare([str((folder / "a" if is_comparison else folder) / "manifest.json")])
    from bartizan.reports import changes, comparison
    from bartizan.reports import claims as claim_text
    from bartizan.simcore.changes import common
    from bartizan.simcore.sweep import read_claims

    if is_comparison:
        if claims is not None:
            raise UsageError(
                f"--claims: {folder} holds a comparison; claims are judged over a sweep, such as "
                f"{folder / 'b'}"
            )
        path = _written(comparison.read(folder), out)
        print(f"{path} ({path.stat().st_size / 1024:.0f} kB)")
        return 0
    opened = open_sweep(folder)
    if claims is not None:
        opened = replace(
            opened,
            manifest={**opened.manifest, "claims": list(read_claims(claims)), "claims_from": str(claims)},
        )
    judged = claim_text.of_sweep(opened)
    path = _written(opened, out)
    shared = common([cell.changes for cell in opened.cells])
    if shared:
        print(changes.title(opened.manifest["title"], shared))
    print(f"{path} ({path.stat().st_size / 1024:.0f} kB)")
    _print_claims(judged, opened.manifest)
    return _claims_code(judged)


def _written(what, out: Path) -> Path:
    """A sweep, or a comparison, as a page."""
    from bartizan.reports import write_report

    try:
        return write_report(what, out)
    except OSError as error:
        raise UsageError(f"{out}: cannot be written: {error.strerror or error}") from error


@app.command()
def bands(as_json: AsJson = False) -> None:
    """Win rates to aim at that designers have named, for `preset` in a claim."""
    from bartizan.analyses.bands import presets

    if as_json:
        return _print_json(
            {
                "schema": "bartizan.bands/1",
                "bands": [{**vars(preset), "band": list(preset.band)} for preset in presets().values()],
            }
        )
    for preset in presets().values():
        print(
            f"{preset.name:<20} {preset.band[0]:.0%} to {preset.band[1]:.0%}   {preset.about} "
            f"[{preset.confidence}]"
        )
        print(f"{'':<20} {preset.source}")
    print('\nIn a plan: [[claim]] with preset = "coop-first-play" (docs/claims.md).')
    print("derived: the source names a number, the band around it is ours; assumed: no source.")
    return None


@app.command()
def trace(
    game: GameName,
    seed: Seed = 1,
    number: Annotated[int, typer.Option("--game", min=0, help="which game of the seed")] = 0,
    scenario: ScenarioName = None,
    difficulty: OneDifficulty = None,
    policy: Policies = None,
    set_: Sets = None,
    players: Players = None,
    as_json: AsJson = False,
) -> None:
    """One game as a readable log: the same game that `run` and `sweep` play under this seed and number."""
    _prepare([game])
    from bartizan.policies.registry import find_player, line_ups
    from bartizan.reports import changes
    from bartizan.simcore.changes import changes_of
    from bartizan.simcore.game import load_game
    from bartizan.simcore.play.match import Match
    from bartizan.simcore.play.replay import record_of, replay
    from bartizan.simcore.scenario import load_scenario

    it = load_game(game)
    s = load_scenario(it, scenario, difficulty, _with_players(it, players, _one_value_each(set_)))
    (seats, *more) = line_ups(it, policy or [], together=True)
    if more:
        raise UsageError("trace: name one policy (or one for each role)")
    match = Match(it, s, tuple(find_player(it, text) for text in it.seated(s, seats)), seed)
    names = " vs ".join(p.name for p in match.players)
    plies = []
    if not as_json:
        _print_banner(it, _banner(it, s))
        print(
            f"{changes.title(s.model.title, changes_of(it, s), s.difficulty, names)}: seed {seed}, game "
            f"{number}"
        )
    for ply in replay(match, number):
        if as_json:
            plies.append(
                {
                    "ply": ply.number,
                    "seat": ply.seat,
                    "action": ply.action,
                    "text": ply.text,
                    "events": ply.events,
                }
            )
            continue
        who = f"{it.roles[ply.seat]}: " if len(it.roles_in(s)) > 1 else ""
        print(f"{ply.number:>5}  {who}{ply.text}")
        for event in ply.events:
            print(event if event.startswith("==") else f"       {event}")
    record = record_of(match, number)
    ending = match.engine.reason_names().get(record["end_reason"], "over")
    tier = _tier_of(match, record)
    if as_json:
        names = [p.name for p in match.players]
        played = {
            "game": it.name,
            "title": s.model.title,
            "changes": changes_of(it, s),
            "difficulty": s.difficulty,
            "policies": names,
            "seed": seed,
            "number": number,
        }
        return _print_json(
            {
                "schema": "bartizan.trace/1",
                **played,
                **_banner(it, s),
                "plies": plies,
                "record": record,
                **tier,
            }
        )
    if tier:
        ending += f"; {tier['tier']}" + (f", {tier['tier_level']}" if tier["tier_level"] else "")
    print(
        f"end: {ending}; "
        + ", ".join(f"{key} {value}" for key, value in record.items() if key not in ("game", "end_reason"))
    )
    return None


def _tier_of(match, record: dict) -> dict:
    """{tier, tier_level} of one game; {} where it has no score or the game no tiers."""
    from bartizan.analyses.scores import best_first, tier_of

    tiers = best_first(match.engine.tiers(match.scenario))
    if not tiers or record["score"] == match.engine.nulls.get("score"):
        return {}
    name = tier_of(record["score"], tiers)
    return {"tier": name, "tier_level": match.engine.tier_levels(match.scenario).get(name, "")}


# ---------------------------------------------------------------- what a change does


@app.command()
def compare(
    game: GameName,
    change: Annotated[
        list[str] | None,
        typer.Option(
            "--change",
            metavar="PATH=VALUE",
            help="as --set; also difficulty=LEVEL, scenario=NAME|FILE, policy=P; repeat: all together are "
            "one change",
        ),
    ] = None,
    scenario: ScenarioName = None,
    difficulty: OneDifficulty = None,
    policy: Policies = None,
    players: Players = None,
    set_: Sets = None,
    games: Games = 20_000,
    seed: Seed = 1,
    jobs: Jobs = None,
    steps: Annotated[
        bool,
        typer.Option(
            "--steps",
            help="each change that the scenario lists as a step (another edition), by itself, then all "
            "together",
        ),
    ] = False,
    test: Annotated[
        str | None,
        typer.Option(
            "--test",
            metavar='"B - A > 2pp"',
            help="play pairs until this is answered (B: the change); --games is then the limit",
        ),
    ] = None,
    margin: Annotated[
        str | None,
        typer.Option(
            "--margin",
            metavar="1pp",
            help="with --test: differences so near to what is asked may be answered either way",
        ),
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option(
            "--alpha", min=0.0001, max=0.4, help="with --test: chance of a wrong yes; 0.05 unless given"
        ),
    ] = None,
    beta: Annotated[
        float | None,
        typer.Option(
            "--beta", min=0.0001, max=0.4, help="with --test: chance of a wrong no; 0.05 unless given"
        ),
    ] = None,
    luck_adjusted: Annotated[
        bool,
        typer.Option(
            "--luck-adjusted",
            help="also the difference without the luck of either side: narrower, for more time",
        ),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", metavar="DIR", help="keep the games in DIR/a (the baseline) and DIR/b (the change)"
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """A baseline against one change of it, the same games on common luck."""
    _prepare([game])
    from bartizan.policies.registry import other_line_up
    from bartizan.simcore.game import load_game
    from bartizan.simcore.store import COMPARISON, write_atomic
    from bartizan.simcore.sweep import plan_of

    it = load_game(game)
    claim = _claim(test, margin, alpha, beta, bool(out))
    if steps:
        if change or out or claim or luck_adjusted:
            raise UsageError(
                "compare --steps: the scenario says what is changed; leave out --change, --test, "
                "--luck-adjusted and -o"
            )
        return _print_steps(
            it,
            _step_by_step(it, game, scenario, difficulty, policy, players, set_, games, seed, jobs),
            as_json,
        )
    if not change:
        raise UsageError(
            "compare: what is changed? say --change PATH=VALUE (bartizan describe GAME --knobs lists the "
            "paths; also scenario=, difficulty=, policy=)"
        )
    line_up = _one_line_up(
        it, policy, "compare: name one policy for each seat; another line-up is a change: --change policy=P"
    )
    sets = _with_players(it, players, _one_value_each(set_)) | (
        {"difficulty": difficulty} if difficulty else {}
    )
    who = [text.partition("=")[2] for text in change if text.startswith("policy=")]
    changes = _one_value_each([text for text in change if not text.startswith("policy=")], "--change")
    other = changes.pop("scenario", scenario)
    plans = (
        plan_of(it, game, scenario, sets, line_up, games, seed, _command()),
        plan_of(
            it,
            game,
            other,
            sets | changes,
            other_line_up(it, line_up, who) if who else line_up,
            games,
            seed,
            _command(),
        ),
    )
    changed = _changed(it, *plans, changes)
    if luck_adjusted and claim:
        raise UsageError("compare --test: stops by the results as they come; leave out --luck-adjusted")
    if claim:
        return _print_tested(it, _tested(it, claim, plans, changed, jobs), as_json)
    with _folder(out) as folder:
        document = _compared(it, [folder / "a", folder / "b"], plans, changed, jobs)
    if luck_adjusted:
        document["luck_adjusted"] = _difference_without_luck(it, plans, document["by_player"], jobs)
    if out:
        write_atomic(out / COMPARISON, json.dumps(document, indent=2, default=_plain).encode() + b"\n")
    if as_json:
        return _print_json(document)
    _print_comparison(it, document)
    if out:
        print(f"Next: bartizan report {out} -o report.html")
    return None


def _has_levels(it) -> bool:
    """Does a sentence about this game have to say at which level it was played?"""
    from bartizan.simcore.scenario import load_scenario

    return len(load_scenario(it).model.difficulties()) > 1


def _one_line_up(it, policy: list[str] | None, refusal: str) -> tuple[str, ...]:
    """Who plays, as `run` reads it."""
    from bartizan.policies.registry import line_ups

    (line_up, *more) = line_ups(it, policy or [], together=True)
    if more:
        raise UsageError(refusal)
    return line_up


def _changed(it, base, changed, paths: dict[str, str]) -> list[dict]:
    """What differs between two plans: path, what it is called, from, to. Refused when nothing does."""
    from bartizan.policies.registry import option_lacked
    from bartizan.simcore.changes import changes_of, unit_of
    from bartizan.simcore.parameters import called
    from bartizan.simcore.scenario import get, load_scenario

    before, after = (
        load_scenario(it, plan.scenario, plan.cells[0].difficulty, dict(plan.cells[0].sets))
        for plan in (base, changed)
    )
    seats, others = (plan.cells[0].policies for plan in (base, changed))
    deck = changes_of(it, after)
    found = (
        [{"path": "scenario", "what": "scenario", "from": before.name, "to": after.name, "changes": deck}]
        if base.scenario != changed.scenario
        else []
    )
    for path in paths:
        here = path.rpartition(".")[0]
        was = (
            get(before.data, path)
            if path.rpartition(".")[2] in (get(before.data, here) if here else before.data)
            else None
        )
        found.append(
            {
                "path": path,
                "what": called(path, after.data),
                "from": was,
                "to": get(after.data, path),
                **unit_of(it, path),
            }
        )
    if _seats(it, seats) != _seats(it, others):
        lacks = option_lacked(it, seats, others)
        found.append(
            {
                "path": "policy",
                "what": "policy",
                "from": _seats(it, seats),
                "to": _seats(it, others),
                **({"lacks": lacks} if lacks else {}),
            }
        )
    if before.hash == after.hash and seats == others:
        already = [f"{row['path']} is {row['to']} already" for row in found]
        raise UsageError(f"compare: nothing changes: {', '.join(already) or 'the same policies play'}")
    return found


def _seats(it, policies: tuple[str, ...]) -> str:
    """A line-up in words: `steward`, `steward+raider`, `allied=random, german=greedy`."""
    if len(set(policies)) == 1:
        return policies[0]
    return (
        "+".join(policies)
        if it.alike
        else ", ".join(f"{role}={text}" for role, text in zip(it.roles, policies, strict=False))
    )


def _compared(it, folders: list[Path], plans, changed: list[dict], jobs: int | None) -> dict:
    """Play both sides and compare them: the document of `compare --json`."""
    from bartizan.analyses import comparison
    from bartizan.analyses.effects import effect_row
    from bartizan.analyses.line_ups import LineUp
    from bartizan.reports import sentences
    from bartizan.simcore.store import open_sweep

    documents = [_play(folder, plan, it, jobs) for folder, plan in zip(folders, plans, strict=True)]
    cells = [tuple(open_sweep(folder).cells) for folder in folders]
    players = tuple(
        dict.fromkeys(player for side in cells for line_up in [LineUp(side)] for player in line_up.players)
    )
    found = comparison.analyze(*(LineUp(side, players) for side in cells))
    use = _option_use(it, plans, changed)
    first = [side.names[0] for side in (found.base, found.changed)] if found.by_player else []
    a, b = ({**first, **({"rotations": rest} if rest else {})} for first, *rest in documents)
    roles = tuple(policy["role"] for policy in cells[0][0].policies)
    subject = sentences.headline(it.alike, roles, *first)
    return {
        "schema": "bartizan.compare/1",
        "game": a["game"],
        "title": a["title"],
        "changes": a["changes"],
        "change": changed,
        "sentence": sentences.comparison(
            found, a, b, changed, subject, _has_levels(it), use, it.alike, roles
        ),
        "moved": [sentences.effect_name(effect, found, roles) for effect in sentences.moved(found)],
        "n": found.games,
        "seed": a["seed"],
        "by_player": found.by_player,
        "headline": {
            "measure": subject.rstrip(","),
            "a": found.headline.base.interval.to_dict(),
            "b": found.headline.changed.interval.to_dict(),
        },
        "difference": found.difference.to_dict(),
        "is_clear": found.is_clear,
        "paired": found.paired,
        "pairing_factor": found.factor,
        "differing": found.headline.differing.to_dict(),
        "p": found.p,
        **({"option_use": use} if use else {}),
        "effects": [
            {"name": sentences.effect_name(effect, found, roles), **effect_row(effect)}
            for effect in found.effects
        ],
        "a": a,
        "b": b,
        **_banner_of_all([a, b]),
    }


def _claim(test: str | None, margin: str | None, alpha: float | None, beta: float | None, keeps: bool):
    """What --test asks, with its margin and errors; None without it."""
    given = [
        name
        for name, value in (("--margin", margin), ("--alpha", alpha), ("--beta", beta))
        if value is not None
    ]
    if test is None and given:
        raise UsageError(f'{given[0]}: belongs to --test; say what is asked, such as --test "B - A > 2pp"')
    if test is None:
        return None
    if keeps:
        raise UsageError(
            "compare --test: keeps no games; leave out -o, or leave out --test to play and keep a fixed "
            "number"
        )
    from bartizan.analyses.sequential import read_claim

    return read_claim(test, _half_width(margin or "1pp", "--margin"), alpha or 0.05, beta or 0.05)


def _tested(it, claim, plans, changed: list[dict], jobs: int | None) -> dict:
    """Play pairs until the claim is answered: the document of `compare --test --json`."""
    from bartizan.analyses import sequential
    from bartizan.policies.registry import find_player
    from bartizan.reports import sentences
    from bartizan.reports import sequential as text
    from bartizan.simcore.sweep import make_ready

    _announce(it)
    base, other = ([cell.match for cell in make_ready(plan, it, find_player)] for plan in plans)
    with _progress(it, plans[0].games) as watch:
        found = sequential.analyze(claim, base, other, plans[0].games, jobs or os.cpu_count() or 1, watch)
    a, b = (_side_document(side) for side in (base, other))
    subject = sentences.headline(
        it.alike, it.roles_in(base[0].scenario), *(found.names if found.by_player else ())
    )
    return {**text.document(found, a, b, changed, subject, _has_levels(it)), **_banner_of_all([a, b])}


def _side_document(seatings: list) -> dict:
    """One side of a test: what was played, in how many seatings, and on what it rests."""
    from bartizan.reports import played

    match = seatings[0]
    return {
        **played.head(match, match.scenario),
        "seatings": len(seatings),
        **played.tail(match.scenario),
        **_banner(match.game, match.scenario),
    }


def _print_tested(it, d: dict, as_json: bool) -> None:
    """The answer, and the exit code that says it too."""
    from bartizan.reports import sequential as text

    if as_json:
        _print_json(d)
    else:
        print(d["sentence"])
        _print_banner(it, d)
        for line in text.lines(d):
            print(f"  {line}")
        for line in _guesses(list(dict.fromkeys([*d["a"]["assumptions"], *d["b"]["assumptions"]])), d):
            print(f"  assumed  {line}")
    raise typer.Exit({"yes": 0, "no": 1}.get(d["answer"], INCONCLUSIVE))


def _option_use(it, plans, changed: list[dict]) -> dict | None:
    """Where the change is that an option is forbidden: how often it was used before, and still has to be."""
    from bartizan.analyses import option_use
    from bartizan.policies.registry import find_player
    from bartizan.simcore.play.match import Match
    from bartizan.simcore.scenario import load_scenario

    kinds = changed[0].get("lacks") if len(changed) == 1 else None
    if not kinds:
        return None
    cells = [(plan, plan.cells[0]) for plan in plans]
    matches = [
        Match(
            it,
            load_scenario(it, p.scenario, c.difficulty, dict(c.sets)),
            tuple(find_player(it, text) for text in c.policies),
            p.seed,
        )
        for p, c in cells
    ]
    return option_use.analyze(*matches, kinds).to_dict()


def _step_by_step(
    it, game: str, scenario, difficulty, policy, players, set_, games: int, seed: int, jobs
) -> dict:
    """Every step of a scenario against it, each by itself and all together: the document of `compare --steps
    --json`.
    """
    from bartizan.analyses.several import holm
    from bartizan.simcore.scenario import load_scenario
    from bartizan.simcore.sweep import plan_of

    model = load_scenario(it, scenario).model
    if not model.step:
        raise UsageError(
            f"compare --steps: scenario {model.name} lists no steps (a table [step.NAME] with title and set)"
        )
    line_up = _one_line_up(it, policy, "compare: name one policy for each seat")
    sets = _with_players(it, players, _one_value_each(set_)) | (
        {"difficulty": difficulty} if difficulty else {}
    )
    together = {path: value for step in model.step.values() for path, value in step.set.items()}
    wanted = {step.title: step.set for step in model.step.values()} | {"All of these together": together}
    found = []
    for title, changes in wanted.items():
        plans = tuple(
            plan_of(it, game, scenario, sets | more, line_up, games, seed, _command())
            for more in ({}, changes)
        )
        with _folder(None) as folder:
            document = _compared(it, [folder / "a", folder / "b"], plans, _changed(it, *plans, changes), jobs)
        found.append(
            {
                "title": title,
                "set": changes,
                **{
                    key: document[key]
                    for key in ("difference", "is_clear", "p", "pairing_factor", "headline", "effects")
                },
            }
        )
    for step, p in zip(found, holm([step["p"] for step in found]), strict=True):
        step["p_adjusted"] = p
    head = {key: document[key] for key in ("game", "title", "changes", "n", "seed")}
    return {
        "schema": "bartizan.steps/1",
        **head,
        "a": document["a"],
        "steps": found,
        **_banner_of_all([document["a"]]),
    }


def _print_steps(it, d: dict, as_json: bool) -> None:
    from bartizan.reports import sentences

    d["sentence"] = sentences.steps(d)
    if as_json:
        return _print_json(d)
    print(d["sentence"])
    _print_banner(it, d)
    for line in sentences.step_table(d["steps"]):
        print(f"  {line}")
    for line in _guesses(d["a"]["assumptions"], d):
        print(f"  assumed  {line}")
    return None


def _difference_without_luck(it, plans, by_player: bool, jobs: int | None) -> dict:
    """The same games once more, with the luck of each: what `compare --luck-adjusted` adds."""
    from bartizan.analyses.luck_difference import analyze
    from bartizan.policies.registry import find_player
    from bartizan.reports import luck as text
    from bartizan.simcore.play.luck_adjusted import ADJUSTED
    from bartizan.simcore.sweep import make_ready

    _announce(it, ADJUSTED)
    sides = [[cell.match for cell in make_ready(plan, it, find_player)] for plan in plans]
    return text.difference(analyze(*sides, by_player, plans[0].games, jobs=jobs or os.cpu_count() or 1))


def _print_comparison(it, d: dict) -> None:
    from bartizan.reports import luck, sentences

    print(d["sentence"])
    _print_banner(it, d)
    for line in sentences.effect_table(d["effects"]):
        print(f"  {line}")
    print(f"  {sentences.pairing(d['pairing_factor'], d['differing'])}")
    if "luck_adjusted" in d:
        print(f"  {luck.difference_line(d['luck_adjusted'])}")
    if "option_use" in d:
        print(f"  {sentences.option_use(d['option_use'])}")
    for line in _guesses(list(dict.fromkeys([*d["a"]["assumptions"], *d["b"]["assumptions"]])), d):
        print(f"  assumed  {line}")


@app.command()
def sensitivity(
    game: GameName,
    assumed: Annotated[
        bool,
        typer.Option(
            "--assumed", help="only guesses: values that are assumed, rulings that are assumed or inferred"
        ),
    ] = False,
    path: Annotated[
        list[str] | None,
        typer.Option(
            "--path",
            metavar="PREFIX",
            help="only values below this path, such as turn or card.ogre; repeat for several",
        ),
    ] = None,
    range_: Annotated[
        str, typer.Option("--range", metavar="25%", help="how far numbers are varied, up and down")
    ] = "25%",
    decks: Annotated[
        int, typer.Option("--decks", min=0, max=10_000, help="random draws of all values at once")
    ] = 32,
    effects: Annotated[
        int,
        typer.Option(
            "--effects",
            metavar="K",
            min=0,
            max=20,
            help="the K most influential: what each does over the others, and together; try 6",
        ),
    ] = 0,
    settings: Annotated[
        int, typer.Option("--settings", min=20, max=100_000, help="random settings of these, with --effects")
    ] = 200,
    levels: Annotated[
        bool,
        typer.Option(
            "--levels/--one-level",
            help="play every level too, where there are several: are harder ones harder whatever the values?",
        ),
    ] = True,
    scenario: ScenarioName = None,
    difficulty: OneDifficulty = None,
    policy: Policies = None,
    players: Players = None,
    set_: Sets = None,
    games: Annotated[int, typer.Option("--games", min=2, help="games a variation")] = 2000,
    seed: Seed = 1,
    jobs: Jobs = None,
    top: Annotated[int, typer.Option("--top", min=1, help="influences that are listed")] = 20,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FILE.json|DIR",
            help="write the document, or add it to this sweep's folder, for its report",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Which numbers move the result, and which conclusions stand whatever they are?"""
    _prepare([game])
    from bartizan.analyses.sensitivity import Question, analyze
    from bartizan.policies.registry import find_player
    from bartizan.reports import sensitivity as text
    from bartizan.simcore.game import load_game
    from bartizan.simcore.scenario import load_scenario

    it = load_game(game)
    line_up = _one_line_up(it, policy, "sensitivity: name one policy for each seat")
    sets = _with_players(it, players, _one_value_each(set_)) | (
        {"difficulty": difficulty} if difficulty else {}
    )
    s = load_scenario(it, scenario, None, sets)
    knobs = _knobs_in_question(it, s, assumed, path or [])
    spread = _share_of(range_)
    seats = it.seated(s, line_up)
    who = {named: find_player(it, named) for named in dict.fromkeys(seats)}
    question = Question(it, scenario, sets, tuple(who[named] for named in seats), games, seed)
    kept_in = _place_of(out, it, s) if out else None
    every = s.model.difficulties() if levels and len(s.model.difficulties()) > 1 else []
    _announce(it)
    with _progress(it, 0) as watch:
        found = analyze(
            question, knobs, spread, decks, every, jobs or os.cpu_count() or 1, watch, effects, settings
        )
    document = {**text.document(question, s, found, spread), **_banner(it, s)}
    if kept_in:
        _note(f"{kept_in(document)}: kept")
    if as_json:
        return _print_json(document)
    sentence, *lines = text.lines(document, top)
    print(sentence)
    _print_banner(it, document)
    for line in lines:
        print(line)
    return None


def _knobs_in_question(it, s, assumed: bool, prefixes: list[str]) -> list:
    """The values to vary; refused when there are none."""
    from bartizan.analyses.sensitivity import knobs_of
    from bartizan.simcore.errors import did_you_mean

    there = [knob.path for knob in knobs_of(s, it)]
    rooms = {".".join(path.split(".")[:depth]) for path in there for depth in range(1, path.count(".") + 2)}
    for prefix in prefixes:
        if prefix not in rooms:
            raise UsageError(
                f"--path {prefix}: no value of {it.name} lies there{did_you_mean(prefix, rooms)}"
            )
    knobs = knobs_of(s, it, assumed, prefixes)
    if not knobs:
        why = (
            "none of these values is assumed; leave out --assumed" if assumed else f"{it.name} has no values"
        )
        raise UsageError(f"sensitivity: nothing to vary: {why}")
    return knobs


def _share_of(text: str) -> float:
    """`25%` or `0.25` -> 0.25."""
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1:
        raise UsageError(f"--range {text}: give a share of each number, such as 25%")
    return value


def _place_of(out: Path, it, s):
    """What writes a document to a .json file or into a sweep of the same game and values; refused before
    anything is played.
    """
    from bartizan.simcore.store import SENSITIVITY, write_added

    if out.is_dir():
        opened = _sweep_with(out, it, s)
        return lambda document: write_added(
            opened, SENSITIVITY, json.loads(json.dumps(document, default=_plain))
        )
    if out.suffix != ".json":
        raise UsageError(f"-o {out}: name a .json file, or the folder of a sweep")
    return _json_file(out)


def _json_file(out: Path):
    """What writes a document to a .json file; refused before anything is played."""
    from bartizan.simcore.store import write_atomic

    if out.suffix != ".json":
        raise UsageError(f"-o {out}: name a .json file")
    if not out.parent.is_dir():
        raise UsageError(f"-o {out}: there is no folder {out.parent}")

    def write(document: dict) -> Path:
        try:
            write_atomic(out, json.dumps(document, indent=2, default=_plain).encode() + b"\n")
        except OSError as error:
            raise UsageError(f"-o {out}: cannot be written: {error.strerror or error}") from error
        return out

    return write


@app.command()
def tune(
    game: GameName,
    knob: Annotated[
        list[str] | None,
        typer.Option(
            "--knob",
            metavar="PATH=LO:HI[:STEP]|PATH=A,B|PATH",
            help="the value to tune, and what it may be; repeat for several",
        ),
    ] = None,
    path: Annotated[
        list[str] | None,
        typer.Option(
            "--path", metavar="PREFIX", help="without --knob: only values below this path; repeat for several"
        ),
    ] = None,
    range_: Annotated[
        str | None,
        typer.Option(
            "--range",
            metavar="25%",
            help="without --knob: how far numbers are varied, up and down; 25% unless given",
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            metavar="WHAT=VALUE",
            help="win_rate=0.30, win_rate=0.25..0.35 (a range), turns=18, score=10, draws=0.1 or "
            "tier:NAME=0.2",
        ),
    ] = None,
    scenario: ScenarioName = None,
    difficulty: OneDifficulty = None,
    policy: Policies = None,
    players: Players = None,
    set_: Sets = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            min=100,
            help="one knob: most games of a value, 20,000 unless given; several: games of a combination, "
            "4,000; none: of a value, 1,000",
        ),
    ] = None,
    cost: Annotated[
        list[str] | None,
        typer.Option(
            "--cost",
            metavar="PATH=NUMBER",
            help="several knobs, or none: what it costs to change values below this path",
        ),
    ] = None,
    length: Annotated[
        float | None,
        typer.Option("--length", min=0, help="several knobs: wished turns; as many as now unless given"),
    ] = None,
    trials: Annotated[
        int, typer.Option("--trials", min=2, max=10_000, help="several knobs: combinations that are played")
    ] = 100,
    fresh: Annotated[
        int, typer.Option("--fresh", min=100, help="games that check the winner, on other seeds")
    ] = 20_000,
    seed: Seed = 1,
    jobs: Jobs = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE.json", help="write the document")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Which value hits a target? It is searched for, and played again on fresh seeds. Several knobs: the
    Pareto front of distance, length and cost of change.

    Without --knob every value is varied once, and the nearest are played again.
    """
    _prepare([game])
    from bartizan.analyses.sensitivity import Question
    from bartizan.analyses.tuning import OPEN
    from bartizan.policies.registry import find_player
    from bartizan.simcore.game import load_game
    from bartizan.simcore.scenario import load_scenario

    if not target:
        paths = "bartizan describe GAME --knobs lists the paths; without --knob every value is varied once"
        raise UsageError(
            f"tune: say what to change and what to hit: --knob PATH=LO:HI --target win_rate=0.30 ({paths})"
        )
    if knob and (path or range_):
        raise UsageError(
            "tune: --path and --range are for tune without --knob, where every value is varied once; --knob "
            "PATH=LO:HI says its own range"
        )
    it = load_game(game)
    line_up = _one_line_up(it, policy, "tune: name one policy for each seat")
    sets = _with_players(it, players, _one_value_each(set_)) | (
        {"difficulty": difficulty} if difficulty else {}
    )
    s = load_scenario(it, scenario, None, sets)
    who = {named: find_player(it, named) for named in dict.fromkeys(it.seated(s, line_up))}
    question = Question(
        it,
        scenario,
        sets,
        tuple(who[named] for named in it.seated(s, line_up)),
        games or {0: 1000, 1: 20_000}.get(len(knob or []), 4000),
        seed,
    )
    keep = _json_file(out) if out else None
    knobs, wanted = _knobs_to_tune(question, s, knob or [], target)
    if not knobs:
        if length is not None:
            raise UsageError(
                "tune: --length weighs several knobs against each other; without --knob changes are ranked "
                "by nearness and cost"
            )
        document = _screened(
            question, s, wanted, cost or [], path or [], _share_of(range_ or "25%"), fresh, jobs
        )
    elif len(knobs) == 1:
        if cost or length is not None:
            raise UsageError(
                "tune: --cost and --length weigh several knobs against each other; with one knob there is "
                "nothing to weigh"
            )
        document = _tuned(question, s, knobs[0], wanted, fresh, jobs)
    else:
        document = _tuned_many(
            question,
            s,
            knobs,
            wanted,
            _costs(s, [one.knob.path for one in knobs], cost or []),
            length,
            trials,
            fresh,
            jobs,
        )
    document |= _banner(it, s)
    if keep:
        _note(f"{keep(document)}: kept")
    if as_json:
        _print_json(document)
    else:
        _print_tuning(it, document)
    if document["verdict"] == OPEN:
        raise typer.Exit(INCONCLUSIVE)


def _knobs_to_tune(question, s, knobs: list[str], target: str) -> tuple[list, Any]:
    """Each knob with the values it may take, and the target."""
    from bartizan.analyses.arms import tiers_of
    from bartizan.analyses.targets import read_knob, read_target

    asked = [read_knob(knob, s.knobs()) for knob in knobs]
    for one in asked:
        if one.knob.path in question.sets:
            raise UsageError(f"--knob {one.knob.path}: --set or --difficulty says what it is; name it once")
        if (
            one.knob.path == question.game.players_path
            or [other.knob.path for other in asked].count(one.knob.path) > 1
        ):
            is_players = one.knob.path == question.game.players_path
            raise UsageError(
                f"--knob {one.knob.path}: {'how many play is for --players' if is_players else 'named twice'}"
            )
    return asked, read_target(target, tiers_of(question))


def _costs(s, paths: list[str], said: list[str]) -> dict:
    """What the scenario says changes cost, and `--cost` beside it."""
    from bartizan.analyses.tuning_many import entry_of
    from bartizan.simcore.errors import did_you_mean
    from bartizan.simcore.scenario import ChangeCost

    costs = dict(s.model.change_cost)
    for path, text in _one_value_each(said, "--cost").items():
        if not any(entry_of(one, {path: 0}) for one in paths):
            raise UsageError(f"--cost {path}: no --knob lies there{did_you_mean(path, paths)}")
        try:
            costs[path] = ChangeCost(cost=float(text), why="--cost")
        except ValueError:
            raise UsageError(f"--cost {path}={text}: give a number, 0 or more") from None
    return costs


@contextmanager
def _two_seeds(question, wanted, jobs: int | None):
    """What plays the search, what plays the check, and the seed of the check."""
    from dataclasses import replace

    from bartizan.analyses.arms import Arms
    from bartizan.analyses.tuning import FRESH

    other = replace(question, seed=(question.seed + FRESH) % 2**63)
    _announce(question.game)
    with _progress(question.game, 0) as watch:
        search, check = (Arms(one, wanted, jobs or os.cpu_count() or 1, watch) for one in (question, other))
        yield search, check, other.seed


def _tuned(question, s, asked, wanted, fresh: int, jobs: int | None) -> dict:
    """Search and check: the document of `tune --json`, for one knob."""
    from dataclasses import replace

    from bartizan.analyses.arms import playable
    from bartizan.analyses.tuning import tune
    from bartizan.reports import tuning as text

    values, refused = playable(question, asked)
    with _two_seeds(question, wanted, jobs) as (search, check, fresh_seed):
        play, again = (
            lambda value, n, arms=arms: arms.play({asked.knob.path: value}, n) for arms in (search, check)
        )
        found = tune(play, again, values, wanted, asked.is_ordered, question.games, fresh, asked.knob.value)
    return text.document(
        question, s, replace(asked, values=values), found, fresh_seed, refused, s.model.change_cost
    )


def _screened(
    question, s, wanted, said: list[str], prefixes: list[str], spread: float, fresh: int, jobs: int | None
) -> dict:
    """The same for every value, varied once."""
    from bartizan.analyses.tuning_screen import changes_of, screen
    from bartizan.reports import tuning as text

    knobs = [
        knob
        for knob in _knobs_in_question(question.game, s, False, prefixes)
        if knob.path not in question.sets
    ]
    changes, unvaried = changes_of(knobs, spread)
    costs = _costs(s, [knob.path for knob in knobs], said)
    with _two_seeds(question, wanted, jobs) as (search, check, fresh_seed):
        search.progress.games_total = question.games * len(question.seatings()) * (len(changes) + 1)
        found = screen(search.play, check.play, changes, wanted, costs, question.games, fresh, unvaried)
    if found is None:
        raise UsageError("tune: no value can be varied and played; name one with --knob")
    return text.document_of_screen(question, s, found, costs, spread, fresh_seed)


def _tuned_many(
    question,
    s,
    knobs: list,
    wanted,
    costs: dict,
    length: float | None,
    trials: int,
    fresh: int,
    jobs: int | None,
) -> dict:
    """The same for several knobs."""
    from bartizan.analyses.tuning_many import tune_many
    from bartizan.reports import tuning as text

    with _two_seeds(question, wanted, jobs) as (search, check, fresh_seed):
        found = tune_many(
            search.play,
            check.play,
            knobs,
            wanted,
            costs,
            length,
            trials,
            question.games,
            fresh,
            question.seed,
        )
    return text.document_of_many(question, s, knobs, found, costs, fresh_seed)


def _print_tuning(it, document: dict) -> None:
    from bartizan.reports import tuning as text

    sentence, *lines = text.lines(document)
    print(sentence)
    _print_banner(it, document)
    for line in lines:
        print(line)
    for line in _guesses(document["assumptions"], document):
        print(f"  assumed  {line}")


@app.command()
def ladder(
    game: GameName,
    scenario: ScenarioName = None,
    difficulty: Difficulties = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            metavar="P|role=P|FILE.py",
            help="who is to stand on the ladder; all of the game's policies unless given; repeat for several",
        ),
    ] = None,
    noise: Annotated[
        str,
        typer.Option(
            "--noise",
            metavar="0.1,0.2|none",
            help="copies of the game's default policy that play at random with these chances",
        ),
    ] = "0.1,0.2,0.4",
    games: Games = 4000,
    seed: Seed = 1,
    set_: Sets = None,
    players: Players = None,
    jobs: Jobs = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE.json", help="write the document")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Policies from weakest to strongest, with skill and difficulty on one scale."""
    _prepare([game])
    from bartizan.analyses.ladder import Question, analyze, play
    from bartizan.reports import ladder as text
    from bartizan.simcore.game import load_game

    it = load_game(game)
    scenarios = _levels_of(
        it, scenario, difficulty, _at_two(it, _with_players(it, players, _one_value_each(set_)))
    )
    first = next(iter(scenarios.values()))
    sides = _sides(it, it.roles_in(first), policy or [], noise)
    write = _json_file(out) if out else None
    anchors = _anchors(it, sides, [_default_level(it, scenario), *scenarios])
    question = Question(it, scenarios, sides, anchors, games, seed)
    _announce(it)
    with _progress(it, 0) as watch:
        cells = play(question, jobs or os.cpu_count() or 1, watch)
    found = analyze(cells, anchors, list(scenarios) if len(scenarios) > 1 else [], seed)
    document = {**text.document(question, found), **_banner(it, first)}
    if write:
        _note(f"{write(document)}: kept")
    if as_json:
        return _print_json(document)
    sentence, *lines = text.lines(document)
    print(sentence)
    _print_banner(it, document)
    for line in lines:
        print(line)
    for line in _guesses(document["assumptions"], document):
        print(f"  assumed  {line}")
    return None


def _levels_of(it, scenario: str | None, difficulty: list[str] | None, sets: dict[str, str]) -> dict:
    """Level -> scenario, in the order of the game.

    Where all seats are alike a level is no opponent: one is played.
    """
    from bartizan.simcore.scenario import load_scenario

    base = load_scenario(it, scenario, None, sets)
    if it.alike and len(difficulty or []) > 1:
        raise UsageError(
            f"ladder: in {it.name} players meet each other and not a level: name one --difficulty"
        )
    named = difficulty or ([base.difficulty] if it.alike else base.model.difficulties())
    found = {level: load_scenario(it, scenario, level, sets) for level in named}
    return {level: found[level] for level in base.model.difficulties() if level in found}


def _default_level(it, scenario: str | None) -> str:
    from bartizan.simcore.scenario import load_scenario

    return load_scenario(it, scenario).difficulty


def _at_two(it, sets: dict[str, str]) -> dict[str, str]:
    """Alike seats are two unless somebody says otherwise: then every game is a meeting of two policies."""
    return {it.players_path: "2", **sets} if it.alike and 2 in it.player_counts else sets


def _sides(it, roles: tuple[str, ...], policy: list[str], noise: str) -> tuple[dict, ...]:
    """The players of each role (of all roles together where they are alike), noisy
    copies of the best added.
    """
    from bartizan.policies.modifiers import chance_of
    from bartizan.policies.registry import find_player, is_role, plays, policies_of, role_of

    if not it.alike and len(roles) > 2:
        raise UsageError(
            f"ladder: for one role, two roles, or seats that are alike; {it.name} has {len(roles)} roles"
        )
    chances = [] if noise == "none" else [f"{chance_of(text):g}" for text in noise.split(",")]
    named = [role_of(it, text) if is_role(it, text) else (None, text) for text in policy]
    for role, text in named:
        if role not in (None, *roles) or (role is None and not any(plays(it, text, one) for one in roles)):
            raise UsageError(
                f"ladder: {text} has no seat here, where {' and '.join(roles)} "
                f"play{'s' if len(roles) == 1 else ''}"
            )
    sides = []
    for role in roles[:1] if it.alike else roles:
        mine = [text for of, text in named if of in (None, role) and plays(it, text, role)]
        mine = list(dict.fromkeys(mine or [text for text in policies_of(it) if plays(it, text, role)]))
        best = it.default_for(role) if it.default_for(role) in mine else mine[-1]
        copies = (
            []
            if best == "random" or "noise=" in best
            else [f"{best}{',' if '=' in best else ':'}noise={chance}" for chance in chances]
        )
        sides.append({text: find_player(it, text) for text in dict.fromkeys([*mine, *copies])})
    return tuple(sides)


def _anchors(it, sides: tuple[dict, ...], levels: list[str]) -> tuple[tuple[str, str], ...]:
    """What is 0 on the scale: the default level, and the default policy of the side that is played against;
    else the first that has a place.
    """
    if it.alike:
        return tuple(("policy", name) for name in [it.default_policy, *reversed(sides[0])])
    opponents = [it.default_for(it.roles[1]), *reversed(sides[1])] if len(sides) > 1 else []
    return (*(("level", name) for name in levels), *(("opponent", name) for name in opponents))


# ---------------------------------------------------------------- single throws

odds = typer.Typer(
    help="Odds of single throws and fights: exact, and simulated with the engine's dice. castle: Castle; the "
    "others: Escape from Colditz.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(odds, name="odds")

Distance = Annotated[int, typer.Option("--distance", min=0, max=10_000, help="steps to reach")]
Cap = Annotated[
    int | None,
    typer.Option(
        "--cap",
        min=1,
        max=1000,
        help="at most so many rolls a throw; without it both readings are shown: no limit, and three",
    ),
]
Attempts = Annotated[
    int, typer.Option("--games", min=1, max=100_000_000, help="simulated attempts, for each line")
]


@odds.command("do-or-die")
def odds_do_or_die(
    distance: Annotated[
        int | None,
        typer.Option(
            "--distance", min=0, max=10_000, help="steps with what is held; else the least there is"
        ),
    ] = None,
    from_: Annotated[
        str | None,
        typer.Option("--from", metavar="CIRCLE|ROOM|appel", help="read the distance off the board"),
    ] = None,
    ropes: Annotated[int | None, typer.Option("--ropes", min=0, help="with --from: Rope cards held")] = None,
    cutters: Annotated[
        int | None, typer.Option("--cutters", min=0, help="with --from: Wire Cutters held")
    ] = None,
    card: Annotated[
        list[int] | None, typer.Option("--card", help="only the card with so many throws; repeat for several")
    ] = None,
    cap: Cap = None,
    games: Attempts = 200_000,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """A Do or Die: chance of success by card, and with a card drawn blind."""
    model, tables = _throwing("throw_totals")
    from bartizan.analyses.odds import do_or_die_odds
    from bartizan.simcore.colditz.board import least_stake, read_board, stake_from

    if from_ is not None and distance is not None:
        raise UsageError("odds do-or-die: give --distance or --from, not both")
    if from_ is None and (ropes is not None or cutters is not None):
        counts = f"; a distance counts them already: odds do-or-die --distance {distance}"
        need = "odds do-or-die: --ropes and --cutters need --from, the place they are held at"
        raise UsageError(need + (counts if distance is not None else ""))
    feet = model.drop.feet_per_rope
    stake = (
        stake_from(read_board(), from_, ropes or 0, cutters or 0, feet)
        if from_ is not None
        else None
        if distance is not None
        else least_stake(read_board(), feet)
    )
    steps = stake.distance if stake else distance
    found = [do_or_die_odds(tables, steps, one, games, seed, card) for one in _caps(cap)]
    where = (
        f" from {stake.place} with {stake.ropes} Rope cards and {stake.cutters} Wire Cutters" if stake else ""
    )
    document = {"distance": steps, "from": vars(stake) if stake else None}
    names = {case: "any card" if case == "any" else f"card x{case}" for case in found[0].exact}
    _say_odds("do-or-die", document, found, cap, seed, as_json, f"Do or Die, {steps} steps{where}", names)


@odds.command("staff-car")
def odds_staff_car(
    distance: Annotated[
        int | None,
        typer.Option(
            "--distance", min=0, max=10_000, help="steps to the target; as in the rules unless given"
        ),
    ] = None,
    cap: Cap = None,
    games: Attempts = 200_000,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """The Staff Car: chance of reaching the target over the main bridge."""
    model, tables = _throwing("throw_totals")
    from bartizan.analyses.odds import throws_odds

    steps, throws = model.staff_car.distance if distance is None else distance, model.staff_car.throws
    found = [throws_odds(tables, "staff-car", steps, throws, one, games, seed) for one in _caps(cap)]
    _say_odds(
        "staff-car",
        {"distance": steps, "throws": throws},
        found,
        cap,
        seed,
        as_json,
        f"Staff Car, {throws} throws for {steps} steps",
        {"staff-car": "arrives"},
    )


@odds.command("appel")
def odds_appel(
    distance: Distance, cap: Cap = None, games: Attempts = 200_000, seed: Seed = 1, as_json: AsJson = False
) -> None:
    """An Appel: chance that its range, one throw, reaches a POW so many steps away."""
    _, tables = _throwing("throw_totals")
    from bartizan.analyses.odds import throws_odds

    found = [throws_odds(tables, "appel", distance, 1, one, games, seed) for one in _caps(cap)]
    _say_odds(
        "appel",
        {"distance": distance},
        found,
        cap,
        seed,
        as_json,
        f"Appel, {distance} steps from a guard",
        {"appel": "in range"},
    )


@odds.command("shoot-to-kill")
def odds_shoot_to_kill(
    distance: Distance,
    talisman: Annotated[
        bool, typer.Option("--talisman", help="a Talisman is played: the first roll counts once")
    ] = False,
    cap: Cap = None,
    games: Attempts = 200_000,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """A Shoot to Kill: chance that the shot kills over so many steps."""
    _, tables = _throwing("throw_ranges")
    from bartizan.analyses.odds import shot_odds

    found = [shot_odds(tables, "shoot-to-kill", distance, talisman, one, games, seed) for one in _caps(cap)]
    what = f"Shoot to Kill over {distance} steps" + (", Talisman played" if talisman else "")
    _say_odds(
        "shoot-to-kill",
        {"distance": distance, "talisman": talisman},
        found,
        cap,
        seed,
        as_json,
        what,
        {"shoot-to-kill": "kills"},
    )


@odds.command("castle")
def odds_castle(
    attack: Annotated[
        str | None,
        typer.Option(
            "--attack",
            metavar="CARD|archers:CARD|ram|assassin",
            help="what attacks; without --attack and --defend a table of fights",
        ),
    ] = None,
    defend: Annotated[
        str | None, typer.Option("--defend", metavar="CARD|joker", help="what defends: A, 2 .. 10, J, Q, K")
    ] = None,
    queen: Annotated[
        str, typer.Option("--queen", metavar="alive|dead", help="the defender's Queen")
    ] = "alive",
    revealed: Annotated[bool, typer.Option("--revealed", help="the target already lies face up")] = False,
    same_suit: Annotated[bool, typer.Option("--same-suit", help="lead and target share the suit")] = False,
    add: Annotated[int, typer.Option("--add", min=0, max=100, help="the attacker's reinforcements")] = 0,
    defence_add: Annotated[
        int, typer.Option("--defence-add", min=0, max=100, help="the defender's reinforcements")
    ] = 0,
    set_: Sets = None,
    games: Attempts = 200_000,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """A fight in Castle: chance that the attacker wins one roll."""
    _prepare(["castle"])
    from bartizan.analyses.combat_odds import TABLE, Fight, fight_odds
    from bartizan.reports import changes
    from bartizan.simcore.changes import changes_of
    from bartizan.simcore.game import load_game
    from bartizan.simcore.scenario import load_scenario

    if queen not in ("alive", "dead"):
        raise UsageError(f"--queen {queen}: alive or dead")
    if (attack is None) != (defend is None):
        raise UsageError("odds castle: give --attack and --defend, or neither for a table")
    it = load_game("castle")
    s = load_scenario(it, sets=_one_value_each(set_))
    wanted = (
        [Fight(attack, defend, queen == "alive", not revealed, add, defence_add, same_suit)]
        if attack and defend
        else [Fight(*row) for row in TABLE]
    )
    if not cache.is_warm(Path(os.environ["NUMBA_CACHE_DIR"]), "fights"):
        _note("compiling the fights for this machine: a few seconds, once for each version of the code")
    found = [fight_odds(s.model, it.compiled.build_tables(s), fight, games, seed) for fight in wanted]
    if as_json:
        rows = [
            {
                **vars(f),
                "fight": vars(f.fight),
                "exact": {"wins": f.wins},
                "simulated": {"wins": {**f.simulated.to_dict(), "games": f.attempts}},
            }
            for f in found
        ]
        about = {"question": "castle", "title": s.model.title, "changes": changes_of(it, s)}
        head = {
            "schema": "bartizan.odds/1",
            **about,
            "scenario_hash": s.hash,
            "set": s.overrides,
            "seed": seed,
            "assumptions": s.model.assumptions(),
        }
        return _print_json({**head, **(rows[0] if attack else {}), "fights": rows})
    print(
        f"{changes.title('Castle', changes_of(it, s))}: one roll, {games:,} simulated fights a line, seed "
        f"{seed}; the attacker needs the higher total"
    )
    for f in found:
        them = f"{f.fight.attack} against {f.fight.defend}" + (", Queen dead" if not f.fight.queen else "")
        dice = f"{f.attack_dice} dice {f.edge:+d} against {f.defence_dice}"
        print(
            f"  {them:<28} {dice:<22} exact {f.wins:.6f}   simulated {_share(f.simulated)}"
            + (f"   goes on by a double {f.double:.1%}" if f.double else "")
        )
    print(
        "Exact: every roll counted, the defender's two more dice after a double (6.2) included. Intervals: "
        "95% Wilson."
    )
    return None


# ---------------------------------------------------------------- rare events


@app.command()
def rare(
    game: GameName,
    event: Annotated[
        str | None, typer.Option("--event", metavar="NAME", help="which event; without it they are listed")
    ] = None,
    scenario: ScenarioName = None,
    difficulty: OneDifficulty = None,
    policy: Policies = None,
    players: Players = None,
    set_: Sets = None,
    trajectories: Annotated[
        int,
        typer.Option(
            "--trajectories", min=10, max=100_000, help="games, or parts of games, played in each stage"
        ),
    ] = 500,
    replicates: Annotated[
        int,
        typer.Option(
            "--replicates",
            min=5,
            max=10_000,
            help="independent runs through all stages; they make the interval",
        ),
    ] = 30,
    every_level: Annotated[
        bool,
        typer.Option("--every-level", help="a stage for each value of progress; without it a pilot chooses"),
    ] = False,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            min=1,
            help="games of plain counting beside it; as many decisions as the splitting makes unless given",
        ),
    ] = None,
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """How rare is an event that most games never see? Multilevel splitting, with plain counting beside it."""
    _prepare([game])
    from bartizan.analyses.rare import analyze
    from bartizan.reports import rare as text
    from bartizan.simcore.game import load_game
    from bartizan.simcore.play.splitting import splitting_of
    from bartizan.simcore.scenario import load_scenario

    it = load_game(game)
    s = load_scenario(it, scenario, difficulty, _with_players(it, players, _one_value_each(set_)))
    if event is None:
        return _list_rare(it, s, as_json)
    splitting = splitting_of(_match_for(it, s, policy, seed, "rare: name one policy for each seat"), event)
    _announce(it, splitting.loop)
    found = analyze(splitting, trajectories, replicates, games, not every_level, jobs or os.cpu_count() or 1)
    document = {**text.document(splitting.match, found), **_banner(it, s)}
    return _say(it, document, text.lines(document), as_json)


@app.command()
def losses(
    game: GameName,
    scenario: ScenarioName = None,
    difficulty: OneDifficulty = None,
    policy: Policies = None,
    players: Players = None,
    set_: Sets = None,
    seat: Annotated[
        str | None, typer.Option("--seat", help="whose losses; the first seat unless given")
    ] = None,
    games: Games = 10_000,
    pilot: Annotated[
        int,
        typer.Option(
            "--pilot", min=1, max=100_000, help="of these games, how many are played on from every turn"
        ),
    ] = 100,
    rollouts: Annotated[
        int, typer.Option("--rollouts", min=60, max=100_000, help="how often from each turn")
    ] = 200,
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """When is a game really lost?

    Hazard by turn, chances turn by turn from rollouts, and games worth looking at.
    """
    _prepare([game])
    from bartizan.analyses.forensics import analyze
    from bartizan.analyses.tally import tally
    from bartizan.reports import forensics as text
    from bartizan.simcore.errors import did_you_mean
    from bartizan.simcore.game import load_game
    from bartizan.simcore.play.rollouts import CHUNK_GAMES, ROLLOUTS, Rollouts
    from bartizan.simcore.scenario import load_scenario
    from bartizan.simcore.store import open_sweep
    from bartizan.simcore.sweep import Plan, expand

    it = load_game(game)
    sets = _with_players(it, players, _one_value_each(set_))
    s = load_scenario(it, scenario, difficulty, sets)
    roles = it.roles_in(s)
    if seat is not None and seat not in roles:
        raise UsageError(f'no seat "{seat}"{did_you_mean(seat, roles)}: {it.name} has {", ".join(roles)}')
    match = _match_for(it, s, policy, seed, "losses: name one policy for each seat")
    line_up = it.seated(s, _one_line_up(it, policy, ""))
    cells = expand(
        [difficulty] if difficulty else [], [line_up], {path: [value] for path, value in sets.items()}
    )
    with _folder(None) as folder:
        _play(folder, Plan(game, scenario, tuple(cells), games, seed, None, _command()), it, jobs)
        (cell,) = open_sweep(folder).cells
        counts = tally(cell.scan(), cell)
    _announce(it, ROLLOUTS)
    found = analyze(
        counts,
        cell,
        Rollouts(match, rollouts // 2),
        min(pilot, games),
        roles.index(seat) if seat else 0,
        jobs or os.cpu_count() or 1,
        lambda chunks: _watched(chunks, min(pilot, games), CHUNK_GAMES, "playing on from every turn"),
    )
    document = {
        **text.document(
            match,
            found,
            _trace_command(game, scenario, s.difficulty, policy or [], players, set_ or [], seed),
        ),
        **_banner(it, s),
    }
    return _say(it, document, text.lines(document), as_json)


def _trace_command(
    game: str,
    scenario: str | None,
    difficulty: str,
    policy: list[str],
    players: int | None,
    sets: list[str],
    seed: int,
) -> list[str]:
    """The words that show a game of this cell, but for its number."""
    words = [
        "bartizan",
        "trace",
        game,
        *(["--scenario", scenario] if scenario else []),
        "--difficulty",
        difficulty,
    ]
    words += [part for text in policy for part in ("--policy", text)]
    words += ["--players", str(players)] if players is not None else []
    return [*words, *(part for text in sets for part in ("--set", text)), "--seed", str(seed)]


def _list_rare(it, s, as_json: bool) -> None:
    from bartizan.reports.rare import events

    rows = events(it.compiled, s)
    if as_json:
        return _print_json(
            {"schema": "bartizan.rare-events/1", "game": it.name, "scenario": s.name, "events": rows}
        )
    if not rows:
        raise UsageError(f"{it.name}: declares no rare events (docs/adding-a-game.md says how a game does)")
    for row in rows:
        print(f"{row['event']:<20} {row['title']}")
    print(f"\nNext: bartizan rare {_as_named(it)} --event {rows[0]['event']} {_default_policies(it, s)}")
    return None


def _match_for(it, s, policy, seed: int, refusal: str):
    """Who plays one cell."""
    from bartizan.policies.registry import find_player
    from bartizan.simcore.play.match import Match

    return Match(
        it, s, tuple(find_player(it, text) for text in it.seated(s, _one_line_up(it, policy, refusal))), seed
    )


def _say(it, document: dict, lines, as_json: bool) -> None:
    """A document, or its lines: the sentence, the banner, the rest, the guesses."""
    if as_json:
        return _print_json(document)
    sentence, *rest = lines
    print(sentence)
    _print_banner(it, document)
    for line in rest:
        print(line)
    for line in _guesses(document["assumptions"], document):
        print(f"  assumed  {line}")
    return None


# ---------------------------------------------------------------- cards


@app.command()
def cards(
    game: GameName,
    value: Annotated[
        bool, typer.Option("--value", help="play on with each card in hand: what is it worth?")
    ] = False,
    usage: Annotated[
        bool, typer.Option("--usage", help="what becomes of the cards in hand: which are hardly ever used?")
    ] = False,
    scenario: ScenarioName = None,
    difficulty: OneDifficulty = None,
    set_: Sets = None,
    players: Players = None,
    policy: Policies = None,
    seat: Annotated[
        str | None, typer.Option("--seat", help="with --value: whose card; the first seat unless given")
    ] = None,
    turn: Annotated[
        int, typer.Option("--turn", min=1, help="with --value: which of the cards this seat gets, from 1")
    ] = 1,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="CARD",
            help="with --value: compare with this card instead of the card as dealt",
        ),
    ] = None,
    games: Games = 2000,
    seed: Seed = 1,
    jobs: Jobs = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="DIR",
            help="with --value, --usage: add it to this sweep's folder, for its report",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """The deck with its sources, or what each card in hand is worth (--value), or how cards are used
    (--usage).
    """
    _prepare([game])
    from bartizan.simcore.changes import changes_of
    from bartizan.simcore.game import cards_of, load_game
    from bartizan.simcore.scenario import load_scenario

    it = load_game(game)
    s = load_scenario(it, scenario, difficulty, _with_players(it, players, _one_value_each(set_)))
    deck = cards_of(it)
    if value and usage:
        raise UsageError("cards: --value or --usage, one at a time")
    for option, given in {"--seat": seat, "--against": against}.items():
        if given and not value:
            raise UsageError(f"cards: {option} goes with --value")
    if value:
        return _card_value(it, s, policy, seat, turn, against, games, seed, jobs, out, as_json)
    if usage:
        return _card_usage(it, s, policy, games, seed, jobs, out, as_json)
    for option, given in {"--policy": policy, "-o": out}.items():
        if given:
            raise UsageError(f"cards: {option} goes with --value or --usage; without them the deck is listed")
    rows = deck.table(s)
    if as_json:
        head = {
            "schema": "bartizan.cards/1",
            "game": it.name,
            "title": s.model.title,
            "changes": changes_of(it, s),
        }
        head |= {"scenario": s.name, "scenario_hash": s.hash, "difficulty": s.difficulty}
        return _print_json(
            {
                **head,
                **_banner(it, s),
                "value_is": deck.value,
                "sources": s.model.sources,
                "cards": [vars(row) for row in rows],
            }
        )
    from bartizan.reports import card_text, changes

    _print_banner(it, _banner(it, s))
    print(f"{changes.title(s.model.title, changes_of(it, s), s.name)}: {card_text.deck_head(rows)}")
    for line in card_text.deck(rows, deck.value):
        print(line)
    for key, meaning in s.model.sources.items():
        print(f"  {key}: {meaning}")
    if deck.swap is not None:
        print(
            f"\nNext: bartizan cards {game} --value --policy {it.default_policy}: what is each card in hand "
            "worth?"
        )
    if deck.note is not None:
        print(f"      bartizan cards {game} --usage --policy {it.default_policy}: how are they used?")
    return None


def _card_value(it, s, policy, seat, turn, against, games, seed, jobs, out, as_json) -> None:
    """Play on with every card in hand, and say or keep what came out."""
    import numpy as np

    from bartizan.analyses.card_value import card_values
    from bartizan.simcore.errors import did_you_mean
    from bartizan.simcore.play.interventions import CHUNK_GAMES, INTERVENTIONS, interventions_of

    match = _card_match(it, s, policy, seed)
    swaps = interventions_of(match, it.roles_in(s)[0] if seat is None else seat, turn)
    kinds = {name: kind for kind, name in swaps.kinds.items()}
    if against is not None and against not in kinds:
        raise UsageError(f"--against {against}: no such card{did_you_mean(against, kinds)}")
    opened = _sweep_of(out, match) if out is not None else None
    _announce(it, INTERVENTIONS)
    outcomes = np.concatenate(
        list(
            _watched(
                swaps.play(games, jobs or os.cpu_count() or 1),
                games,
                CHUNK_GAMES,
                "playing on with each card",
            )
        )
    )
    found = card_values(outcomes, swaps.seat, swaps.kinds, kinds.get(against))
    if not found.reached:
        raise UsageError(
            f"--turn {turn}: in none of {games:,} games does the {it.roles[swaps.seat]} seat get so many "
            "cards"
        )
    document = _value_document(swaps, found, outcomes, kinds.get(against))
    if opened is not None:
        _note(
            f"{_keep_cards(opened, 'values', document, ('seat', 'turn', 'against'))}: kept; show it with: "
            f"bartizan report {out}"
        )
    if as_json:
        return _print_json(document)
    return _print_cards(it, document, "values")


def _card_match(it, s, policy, seed: int):
    """Who plays with the cards."""
    from bartizan.policies.registry import find_player, line_ups
    from bartizan.simcore.play.match import Match

    (line_up, *more) = line_ups(it, policy or [], together=True)
    if more:
        raise UsageError("cards: name one policy (or P+Q, one for each seat)")
    return Match(it, s, tuple(find_player(it, text) for text in it.seated(s, line_up)), seed)


def _watched(chunks, games: int, each: int, doing: str):
    """Chunks of `each` games, with a progress line when stderr is a terminal."""
    from rich.console import Console
    from rich.progress import track

    if not sys.stderr.isatty():
        return chunks
    return track(chunks, doing, total=-(-games // each), console=Console(stderr=True), transient=True)


def _sweep_of(folder: Path, match):
    """A finished sweep of the same game under the same scenario, to add to."""
    return _sweep_with(folder, match.game, match.scenario)


def _sweep_with(folder: Path, it, s):
    """The same, before anybody sits down."""
    from bartizan.simcore.store import open_sweep

    opened = open_sweep(folder)
    here = {"game": it.name, "behaviour": it.behaviour}
    for key, value in here.items():
        if opened.manifest[key] != value:
            raise UsageError(
                f"{folder}: holds a sweep of another game ({key} {opened.manifest[key]}, now {value})"
            )
    if s.hash not in {cell.scenario_hash for cell in opened.cells}:
        raise UsageError(
            f"{folder}: none of its cells was played under these numbers and rulings (hash {s.hash}); give "
            "the same --set, --players and --difficulty"
        )
    return opened


def _keep_cards(opened, what: str, document: dict, asked: tuple[str, ...]) -> Path:
    """Into cards.json under `what`, in the place of an earlier answer to the same question: the same game,
    players and values of `asked`.
    """
    from bartizan.simcore.store import CARDS, read_added, write_added

    def question(doc: dict) -> tuple:
        return tuple(
            json.dumps(doc[key], sort_keys=True)
            for key in ("scenario_hash", "policies", "policy_weights", *asked)
        )

    there = read_added(opened, CARDS)
    kept = {
        question(doc): doc for doc in [*there.get(what, []), json.loads(json.dumps(document, default=_plain))]
    }
    return write_added(
        opened, CARDS, {**there, "schema": "bartizan.card-values/1", what: list(kept.values())}
    )


def _value_document(swaps, found, outcomes, against: int | None) -> dict:
    """The values, and what they are for their price where cards cost cards."""
    from bartizan.analyses import card_price, card_value
    from bartizan.reports import played

    match = swaps.match
    rows = {row.name: row.cost for row in match.engine.cards.table(match.scenario)}
    costs = {kind: rows[name] for kind, name in swaps.kinds.items() if rows.get(name) is not None}
    told = (
        {
            "not_told_from_best": card_value.not_told_from_best(
                outcomes, swaps.seat, swaps.kinds, found.values[0].kind
            )
        }
        if against is None and found.values
        else {}
    )
    price = (
        {
            "price": card_price.to_document(
                card_price.card_prices(outcomes, swaps.seat, swaps.kinds, costs, against)
            )
        }
        if costs
        else {}
    )
    return {
        "schema": "bartizan.card-value/1",
        **played.head(match, match.scenario),
        "seat": match.game.roles[swaps.seat],
        "turn": swaps.card,
        **card_value.to_document(found),
        **told,
        **price,
        **_card_tail(match, card_value.RESTS_ON),
    }


def _card_tail(match, rests_on: str) -> dict:
    from bartizan.reports import played

    return {"rests_on": rests_on, **played.tail(match.scenario), **_banner(match.game, match.scenario)}


def _card_usage(it, s, policy, games, seed, jobs, out, as_json) -> None:
    """Play, count what becomes of each card, and say or keep it."""
    from bartizan.analyses import card_usage
    from bartizan.reports import played
    from bartizan.simcore.play.card_usage import CARD_USAGE, CHUNK_GAMES, card_usage_of

    match = _card_match(it, s, policy, seed)
    uses = card_usage_of(match)
    opened = _sweep_of(out, match) if out is not None else None
    _announce(it, CARD_USAGE)
    chunks = _watched(uses.play(games, jobs or os.cpu_count() or 1), games, CHUNK_GAMES, "playing")
    found = card_usage.card_usage(chunks, uses.kinds, uses.uses, uses.printed_for)
    if not found.kinds:
        raise UsageError(f"in none of {games:,} games does a card come into a hand")
    document = {
        "schema": "bartizan.card-usage/1",
        **played.head(match, match.scenario),
        **card_usage.to_document(found, uses.uses),
        **_card_tail(match, card_usage.RESTS_ON),
    }
    if opened is not None:
        _note(f"{_keep_cards(opened, 'usage', document, ())}: kept; show it with: bartizan report {out}")
    if as_json:
        return _print_json(document)
    return _print_cards(it, document, "usage")


def _print_cards(it, document: dict, what: str) -> None:
    """`what`: values, usage."""
    from bartizan.reports import card_text

    _print_banner(it, document)
    for line in {"values": card_text.values, "usage": card_text.usage}[what](document):
        print(line)
    for line in _guesses(document["assumptions"], document):
        print(f"  assumed  {line}")


# ---------------------------------------------------------------- checking


@app.command()
def check(
    target: Annotated[
        str, typer.Argument(metavar="GAME|FILE", help="a game, a game's .py file, or a scenario .toml file")
    ],
) -> None:
    """Does a game keep the engine contract, does a scenario file add up?"""
    _prepare([target])
    from bartizan.reports import changes
    from bartizan.simcore.changes import changes_of
    from bartizan.simcore.game import load_game
    from bartizan.simcore.scenario import load_scenario

    if target.endswith(".toml"):
        it = load_game(_game_of_file(Path(target)))
        own = load_scenario(it, target)
        _print_banner(it, _banner(it, own))
        if changed := changes_of(it, own):
            print(f"changed: {changes.listing(changed, None)}")
        for difficulty in load_scenario(it, target).model.difficulties():
            s = load_scenario(it, target, difficulty)
            print(f"ok  {target}, {difficulty}: valid, {_confidence(s.confidence)}")
        return
    from bartizan.policies.registry import find_player, policies_of
    from bartizan.simcore.conformance import check_game

    it = load_game(target)
    _print_banner(it, _banner(it, load_scenario(it)))
    players = [find_player(it, name) for name in policies_of(it)]
    for line in check_game(it, players, players[0]):
        print(f"ok  {line}")


@app.command()
def verify(folder: Annotated[Path, typer.Argument(metavar="DIR", help="folder of a sweep")]) -> None:
    """Are the files of a sweep what was written, and do its games still play the same?"""
    _prepare([str(folder / "manifest.json")])
    from bartizan.simcore.store import open_sweep
    from bartizan.simcore.sweep import resimulate, verify_sweep

    opened = open_sweep(folder)
    files = list(verify_sweep(opened))
    print(f"ok  {len(files)} files match SHA256SUMS")
    for cell in opened.cells[:: max(1, len(opened.cells) // 4)]:
        games = resimulate(cell, _match_of(opened, cell))
        print(f"ok  {cell.id}: {games} games of the first shard played again, row for row the same")


@app.command()
def bench(
    game: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...")] = None,
    policy: Policies = None,
    quick: Annotated[bool, typer.Option("--quick", help="leave out cold and warm starts")] = False,
    as_json: AsJson = False,
) -> None:
    """How fast each game plays here (random and its default policy, unless named), beside a yardstick
    measured in the same run.
    """
    _prepare(game or [])
    from bartizan.simcore.bench import peak_memory_mb, yardstick
    from bartizan.simcore.game import game_names

    rows = [row for name in (game or game_names()) for row in _bench_rows(name, policy, quick)]
    document = {
        "schema": "bartizan.bench/1",
        "yardstick_seconds": yardstick(),
        "cores": os.cpu_count(),
        "peak_memory_mb": peak_memory_mb(),
        "results": rows,
    }
    if as_json:
        return _print_json(document)
    print(
        f"{'game':<10} {'policy':<32} {'players':>7} {'games/s':>12} {'plies/s':>14} {'ns/ply':>8} "
        f"{'2 threads':>10} {'cold s':>7} {'warm s':>7}"
    )
    for r in rows:
        starts = (
            f"{r['cold_start_seconds']:>7.1f} {r['warm_start_seconds']:>7.2f}"
            if "cold_start_seconds" in r
            else ""
        )
        who = f"{r['game']:<10} {r['policy']:<32} {r['players'] or '':>7}"
        print(
            f"{who} {r['games_per_second']:>12,.0f} {r['plies_per_second']:>14,.0f} {r['ns_per_ply']:>8.1f} "
            f"{r['two_threads']:>9.2f}x {starts}"
        )
    print(
        f"yardstick: 50 million SplitMix64 words in {document['yardstick_seconds']:.3f} s; "
        f"{document['cores']} cores; peak memory {document['peak_memory_mb']:.0f} MiB"
    )
    return None


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Is this machine ready? Versions, cores, cache folder, and a game with a known answer."""
    import platform

    folder = cache.configure()
    from importlib.metadata import PackageNotFoundError, version

    found: dict[str, Any] = {
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": os.cpu_count(),
    }
    for name in (
        "bartizan",
        "numba",
        "numpy",
        "polars",
        "pyarrow",
        "scipy",
        "optuna",
        "pydantic",
        "typer",
        "rich",
        "matplotlib",
        "seaborn",
    ):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "missing"
    found["cache"] = str(folder)
    found["cache_writable"] = os.access(folder, os.W_OK)
    found["cache_warm"] = cache.is_warm(folder, "play_batch")
    found["compiles"] = _known_answer()
    if as_json:
        _print_json({"schema": "bartizan.doctor/1", **found})
    else:
        for key, value in found.items():
            print(f"{key:<15} {value}")
    if not found["compiles"] or "missing" in found.values():
        raise EngineError(
            "doctor: something above is missing or wrong; install anew with: pip install -r requirements.lock"
        )


# ---------------------------------------------------------------- shared steps


def _prepare(games: list[str]) -> None:
    """Point the compiler's cache at the folder for the house and these games, before anything imports numba.

    A game is named by itself, or by a plan or a manifest. Policies do not count: another one must not compile
    the game again.
    """
    named = {text for game in games for text in (game, _game_within(Path(game)))}
    cache.configure(
        tuple(sorted(Path(text) for text in named if text.endswith(".py") and Path(text).is_file()))
    )


def _game_within(path: Path) -> str:
    """The game that a plan or scenario (.toml) or a manifest (.json) names; "" when it names none.

    What is wrong with such a file is said by who reads it.
    """
    import tomllib

    reading, key = {".toml": (tomllib.loads, "game"), ".json": (json.loads, "game_as_named")}.get(
        path.suffix, (None, "")
    )
    try:
        said = reading(path.read_text(encoding="utf-8")) if reading else {}
    except (OSError, ValueError):
        return ""
    game = said.get(key) if isinstance(said, dict) else None
    return game if isinstance(game, str) else ""


def _default_policies(it, s) -> str:
    """The options that name the game's default players, one for each seat that is taken under a scenario."""
    seats = it.roles_in(s)
    if not it.defaults or len(seats) == 1:
        return f"--policy {it.default_for(seats[0])}"
    return " ".join(f"--policy {role}={it.default_for(role)}" for role in seats)


def _as_named(it) -> str:
    """The game as a command names it."""
    return it.name if not str(it.home).endswith(".py") else str(it.home)


def _same_cells(
    it,
    scenario: str | None,
    difficulty: str,
    policy: list[str],
    players: int | None,
    sets: list[str],
    games: int,
) -> str:
    """The words after `bartizan sweep` that play what `run` has just played."""
    import shlex

    together = it.alike and len(policy) > 1 and not any("=" in text.split(":")[0] for text in policy)
    words = [_as_named(it), *(["--scenario", scenario] if scenario else []), "--difficulty", difficulty]
    words += [part for text in (["+".join(policy)] if together else policy) for part in ("--policy", text)]
    words += ["--players", str(players)] if players is not None else []
    words += [part for text in sets for part in ("--set", text)]
    return shlex.join([*words, "--games", str(games)])


def _with_players(it, players: int | None, sets: dict[str, str]) -> dict[str, str]:
    """`--players` beside `--set`; refused when both say how many play."""
    if players is not None and it.players_path in sets:
        raise UsageError(
            f"--players {players}: --set {it.players_path} says how many play too; name one of them"
        )
    return _players(it, players) | sets


def _players(it, players: int | None) -> dict[str, str]:
    """What `--players` sets."""
    if players is None:
        return {}
    if players in it.player_counts:
        return {it.players_path: str(players)}
    if it.player_counts:
        raise UsageError(
            f"--players {players}: {it.name} is for {it.player_counts[0]} to {it.player_counts[-1]} "
            f"({it.players_path})"
        )
    if it.seats:
        raise UsageError(
            f"--players {players}: in {it.name} the scenario says how many play (bartizan describe {it.name} "
            "lists its scenarios)"
        )
    if players != len(it.roles):
        raise UsageError(f"--players {players}: {it.name} is for {len(it.roles)} ({', '.join(it.roles)})")
    return {}


def _play(folder: Path, plan, it, jobs: int | None, named: str = "") -> list[dict]:
    """Play a plan into a folder and summarise each cell: the documents of `run --json`."""
    from bartizan.analyses.intervals import confidence_sequence, proportion
    from bartizan.analyses.summary import summarize
    from bartizan.policies.registry import find_player
    from bartizan.reports.sequential import stopped
    from bartizan.simcore.store import open_sweep
    from bartizan.simcore.sweep import make_ready, play_sweep

    jobs = jobs or os.cpu_count() or 1
    _announce(it)
    ready = make_ready(plan, it, find_player)
    _refuse_empty_claims(plan, it, ready, named)
    rule = _stopping(plan)
    with _progress(it, plan.games * len(plan.cells)) as watch:
        results = play_sweep(folder, plan, it, ready, jobs, watch, rule and rule.is_enough)
    documents = []
    for cell, stored in zip(ready, open_sweep(folder).cells, strict=True):
        played = results[cell.plan.id]
        summary = summarize(stored.scan(), stored, method=confidence_sequence if rule else proportion)
        summary |= stopped(rule, played.games, summary["wins"], summary["capped"])
        documents.append(_document(cell, stored, played, summary, jobs))
    return documents


def _document(cell, stored, played, summary: dict, jobs: int) -> dict:
    """The `run --json` document of CLI.md."""
    from bartizan.simcore.sweep import versions

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


def _stopping(plan):
    """The rule of --precision: stop when the confidence sequence is narrow enough; its interval stays valid
    although it was watched.
    """
    from bartizan.analyses.after_stopping import Precision
    from bartizan.simcore.play.batch import CHUNK_GAMES

    return Precision(plan.precision, CHUNK_GAMES, plan.games) if plan.precision is not None else None


def _half_width(text: str | None, option: str = "--precision") -> float | None:
    """`0.5pp` or `0.005` -> 0.005."""
    if text is None:
        return None
    try:
        value = float(text.removesuffix("pp")) / (100 if text.endswith("pp") else 1)
    except ValueError:
        value = 0.0
    if not 0 < value < 0.5:
        raise UsageError(f"{option} {text}: give a half-width such as 0.5pp (percentage points)")
    return value


def _one_value_each(sets: list[str] | None, option: str = "--set") -> dict[str, str]:
    values = {}
    for text in sets or []:
        path, equals, value = text.partition("=")
        if not equals or not path or not value:
            raise UsageError(f'{option} "{text}": write PATH=VALUE, such as turn.ss_cards=4')
        values[path.strip()] = value.strip()
    return values


def _many_values(sets: list[str] | None) -> dict[str, list[str]]:
    """`path=a,b,c` -> three values; a list or table in brackets is one value."""
    return {
        path: [value] if value[0] in "[{" else [v.strip() for v in value.split(",")]
        for path, value in _one_value_each(sets).items()
    }


@contextmanager
def _folder(out: Path | None):
    if out is not None:
        yield out
        return
    with tempfile.TemporaryDirectory(prefix="bartizan-") as folder:
        yield Path(folder)


def _announce(it, loop=None) -> None:
    """The first compile on a machine takes a while: say so before it starts. loop: of an experiment, the
    plain batch unless given.
    """
    from bartizan.simcore.play.batch import BATCH

    if not (loop or BATCH).is_compiled(it.compiled):
        _note(f"compiling {it.name} for this machine: under a minute, once for each version of the code")


@contextmanager
def _progress(it, games: int):
    """A callback for whoever plays so many games: draws a progress line when stderr is a terminal, and keeps
    notes for the user in any case.
    """
    shown, seen = 0, 0.0

    def say_notes(progress) -> None:
        nonlocal shown
        for line in progress.notes[shown:]:
            _note(line)
        shown = len(progress.notes)

    if not sys.stderr.isatty():
        yield say_notes
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.fields[cell]}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[now]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(it.name, total=games, cell="", rate="", now="")

        def watch(p) -> None:
            nonlocal seen
            say_notes(p)
            if p.games_done < p.games_total and time.monotonic() < seen + REDRAWN:
                return
            seen = time.monotonic()
            rate = f"{p.played / p.seconds:,.0f} games/s" if p.seconds > 0.05 else ""
            bars.update(
                task, completed=p.games_done, total=p.games_total, cell=p.cell, rate=rate, now=_so_far(p)
            )

        yield watch


def _so_far(p) -> str:
    """The win rate of the cell that is being played, as it may be watched: a confidence sequence holds
    however often one looks.
    """
    from bartizan.analyses.intervals import confidence_sequence, with_cut_off

    if not p.games_of_cell:
        return ""
    interval = with_cut_off(p.wins, p.cut_off, p.games_of_cell, method=confidence_sequence)
    return f"win rate {interval.low:.1%} to {interval.high:.1%} so far (95% at every look)"


def _match_of(opened, cell):
    """The match a stored cell was played with; refused when its scenario or players have changed since."""
    from bartizan.policies.registry import find_player
    from bartizan.simcore.game import load_game
    from bartizan.simcore.play.match import Match
    from bartizan.simcore.scenario import load_scenario

    it = load_game(opened.manifest["game_as_named"])
    s = load_scenario(it, opened.manifest["scenario_as_named"], cell.difficulty, cell.set)
    if s.hash != cell.scenario_hash:
        raise EngineError(
            f"{cell.folder}: its scenario has changed since (hash {cell.scenario_hash}, now {s.hash}); its "
            "games cannot be played again"
        )
    players = tuple(find_player(it, entry["as_named"]) for entry in cell.policies)
    for entry, player in zip(cell.policies, players, strict=True):
        if (entry["weights"], entry["source_hash"]) != (player.weights, player.source_hash):
            raise EngineError(
                f"{cell.folder}: policy {player.name} has changed since; its games cannot be played again"
            )
    return Match(it, s, players, opened.manifest["seed"])


def _game_of_file(path: Path) -> str:
    """Which game a scenario file is for: it says so, or it extends a scenario that one game alone has."""
    import tomllib

    from bartizan.simcore.game import BUILTIN, load_game
    from bartizan.simcore.scenario import scenario_names

    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{path}: no such scenario file") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: not TOML: {error}") from error
    base = data.get("extends")
    having = [name for name in BUILTIN if base in scenario_names(load_game(name).scenarios)]
    if "game" not in data and len(having) > 1:
        raise UsageError(
            f'{path}: extends = "{base}" is a scenario of {", ".join(having)}: say which with game = '
            f'"{having[0]}"'
        )
    return data.get("game") or (having or list(BUILTIN))[0]


def warm_up(game: str, policy: list[str]) -> None:
    """Play one game: what a cold or warm start has to get through (`bench` times it)."""
    _prepare([game])
    from bartizan.policies.registry import find_player, line_ups
    from bartizan.simcore.game import load_game
    from bartizan.simcore.play.batch import Batch
    from bartizan.simcore.play.match import Match
    from bartizan.simcore.scenario import load_scenario

    it = load_game(game)
    (seats, *_) = line_ups(it, policy)
    s = load_scenario(it)
    Batch(Match(it, s, tuple(find_player(it, text) for text in it.seated(s, seats)), 1)).play(0, 1)


def _bench_rows(name: str, wanted: list[str] | None, quick: bool) -> list[dict]:
    """One row for each policy (random and the game's defaults unless named) and number of players."""
    from itertools import product

    from bartizan.policies.registry import find_player, line_ups
    from bartizan.simcore.bench import speed, start_seconds
    from bartizan.simcore.game import load_game
    from bartizan.simcore.play.match import Match
    from bartizan.simcore.scenario import load_scenario

    it = load_game(name)
    rows = []
    for texts, players in product(
        [[text] for text in wanted] if wanted else [["random"], []], it.player_counts or [None]
    ):
        (seats, *_) = line_ups(it, texts)
        s = load_scenario(it, sets=_players(it, players))
        seats = it.seated(s, seats)
        match = Match(it, s, tuple(find_player(it, text) for text in seats), 1)
        one, two = speed(match), speed(match, jobs=2)
        row = {
            "game": it.name,
            "policy": "+".join(dict.fromkeys(seats)),
            "players": players,
            **one,
            "two_threads": two["games_per_second"] / one["games_per_second"],
        }
        if not quick and players == (it.player_counts or [None])[0]:
            with tempfile.TemporaryDirectory(prefix="bartizan-") as fresh:
                row["cold_start_seconds"] = start_seconds(name, texts, fresh)
                row["warm_start_seconds"] = start_seconds(name, texts, fresh)
        rows.append(row)
    return rows


def _known_answer() -> bool:
    """Compile something and compare with the same thing in plain Python."""
    from bartizan.simcore.rng import mix

    try:
        import numpy as np

        z = 0x9E3779B97F4A7C15
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        return int(mix(np.uint64(0x9E3779B97F4A7C15))) == z ^ z >> 31
    except Exception:
        return False


def _draw_board(game: str, out: Path, as_json: bool) -> None:
    from bartizan.reports.board import write_board

    path = write_board(game, out)
    size = path.stat().st_size
    if as_json:
        return _print_json({"schema": "bartizan.board/1", "game": game, "file": str(path), "bytes": size})
    print(f"{path} ({size / 1024:.0f} kB)")
    return None


@odds.command("stake-or-wait")
def odds_stake_or_wait(
    distance: Annotated[
        int | None, typer.Option("--distance", min=0, max=400, help="steps of the best POW to the target")
    ] = None,
    within: Annotated[
        int | None,
        typer.Option("--within", min=0, max=400, help="so many steps more or fewer count as that distance"),
    ] = None,
    from_: Annotated[
        str | None,
        typer.Option("--from", metavar="CIRCLE|ROOM|appel", help="read the distance off the board"),
    ] = None,
    ropes: Annotated[
        int | None, typer.Option("--ropes", min=0, help="only with so many Rope cards held")
    ] = None,
    cutters: Annotated[
        int | None, typer.Option("--cutters", min=0, help="only with so many Wire Cutters held")
    ] = None,
    rounds_left: Annotated[
        int | None, typer.Option("--rounds-left", min=0, max=400, help="rounds after this one")
    ] = None,
    players: Players = None,
    policy: Policies = None,
    set_: Sets = None,
    games: Annotated[
        int,
        typer.Option(
            "--games", min=1, max=100_000, help="games played; each is played on from several moments"
        ),
    ] = 1000,
    futures: Annotated[
        int, typer.Option("--futures", min=1, max=1000, help="how often each way from a moment")
    ] = 2,
    seed: Seed = 1,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Stake a POW now, or not this turn? Both ways played on from the same moments, by distance and round."""
    _prepare(["colditz"])
    from bartizan.analyses.stake_or_wait import WITHIN, Situation, analyze, crossroads
    from bartizan.reports import stake_or_wait as text
    from bartizan.simcore.game import load_game
    from bartizan.simcore.play.choices import CHUNK_GAMES
    from bartizan.simcore.scenario import load_scenario

    it = load_game("colditz")
    s = load_scenario(it, sets=_with_players(it, players, _one_value_each(set_)))
    steps = _steps_asked(s.model, distance, from_, ropes, cutters)
    if steps is None and within is not None:
        raise UsageError("odds stake-or-wait: --within needs --distance or --from")
    asked = Situation(steps, ropes, cutters, rounds_left, WITHIN if within is None else within)
    match = _match_for(it, s, policy, seed, "odds stake-or-wait: name one policy for each role")
    question = crossroads(match, asked, futures)
    _announce(it, question.loop)
    watched = _watched(
        question.play(games, jobs or os.cpu_count() or 1), games, CHUNK_GAMES, "playing on both ways"
    )
    found = analyze(question, list(watched))
    if not found:
        raise UsageError(
            f"odds stake-or-wait: in none of {games:,} games did a player have the choice at "
            f"{text.situation(asked)}; ask for less, widen --within, or play more --games"
        )
    chance = match.tables().stake[min(steps, len(match.tables().stake) - 1)] if steps is not None else None
    document = text.document(match, asked, futures, games, found, chance)
    return _say(it, document, text.lines(document), as_json)


def _steps_asked(
    model, distance: int | None, from_: str | None, ropes: int | None, cutters: int | None
) -> int | None:
    """The distance that is asked about, if any."""
    if from_ is not None and distance is not None:
        raise UsageError("odds stake-or-wait: give --distance or --from, not both")
    if from_ is None:
        return distance
    from bartizan.simcore.colditz.board import read_board, stake_from

    return stake_from(read_board(), from_, ropes or 0, cutters or 0, model.drop.feet_per_rope).distance


def _share(interval) -> str:
    return f"{interval.estimate:.1%} ({interval.low:.1%} to {interval.high:.1%})"


def _throwing(compiled: str) -> tuple[Any, Any]:
    """The scenario's numbers and the engine's tables, for odds; `compiled`: the function whose compile is to
    be announced.
    """
    _prepare(["colditz"])
    from bartizan.simcore.game import load_game
    from bartizan.simcore.scenario import load_scenario

    if not cache.is_warm(Path(os.environ["NUMBA_CACHE_DIR"]), compiled):
        _note("compiling the dice for this machine: a few seconds, once for each version of the code")
    it = load_game("colditz")
    s = load_scenario(it)
    return s.model, it.compiled.build_tables(s)


def _caps(cap: int | None) -> tuple[int | None, ...]:
    """Both readings of ruling Q2, or the one asked for."""
    return (None, 3) if cap is None else (cap,)


# ---------------------------------------------------------------- saying it


def _print_json(document: dict) -> None:
    print(json.dumps(document, indent=2, default=_plain))


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else str(value)


def _note(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _banner(it, scenario) -> dict:
    """The part of a document that says it is about a reconstruction; nothing for a published game."""
    from bartizan.simcore.banner import banner_of

    banner = banner_of(it, scenario)
    return {"banner": banner} if banner else {}


def _banner_of_all(documents: list[dict]) -> dict:
    """One for many cells."""
    from bartizan.simcore.banner import together

    banner = together([document["banner"] for document in documents if "banner" in document])
    return {"banner": banner} if banner else {}


def _print_banner(it, document: dict) -> None:
    """The line that a result of a reconstruction opens with; and all that is changed, where a title has no
    room for it.
    """
    from bartizan.reports import banner, changes

    if "banner" in document:
        print(banner.line(document["banner"], _as_named(it)))
    for line in changes.lines(document.get("changes", ())):
        print(line)


def _guesses(assumptions: list[str], document: dict) -> list[str]:
    """Assumptions to be listed: what the banner has said is not said again."""
    return [line for line in assumptions if line != document.get("banner", {}).get("text")]


def _confidence(counts: dict[str, int]) -> str:
    return ", ".join(f"{n} {level}" for level, n in counts.items())


def _toml(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _one_line(document: dict, name: str) -> str:
    rate = document["win_rate"]
    interval = f"{rate['low']:.2%} to {rate['high']:.2%}"
    return (
        f"{name:<40} wins {document['wins']:>8,} of {document['games']:>9,}  {interval} "
        f"({rate['level']:.0%}, {rate['method']})"
    )


def _print_run(d: dict) -> None:
    """The verdict of one cell for a reader at a terminal."""
    from bartizan.reports import changes
    from bartizan.reports.sequential import stopped_lines

    rate = d["win_rate"]
    print(
        f"{changes.titled(d, d['difficulty'], ' vs '.join(d['policies']))}: {d['games']:,} games, seed "
        f"{d['seed']}"
    )
    print(
        f"  wins     {d['wins']:,} ({rate['low']:.2%} to {rate['high']:.2%}, {rate['level']:.0%} "
        f"{rate['method']})"
    )
    for line in stopped_lines(d):
        print(f"  {line}")
    print(
        f"  draws    {d['draws']:,}    losses {d['losses']:,}"
        + (f"    cut off {d['capped']:,}" if d["capped"] else "")
    )
    for seat in d.get("seats", []):
        print(
            f"  {seat['role']:<8} {seat['policy']}: {seat['wins']:,} wins ({seat['win_rate']['low']:.2%} to "
            f"{seat['win_rate']['high']:.2%})"
        )
    if d["score"].get("mean") is not None:
        s = d["score"]
        print(
            f"  score    mean {s['mean']:.2f}, sd {s['sd']:.2f}, from {s['min']} to {s['max']} (games that "
            "have one)"
        )
    if d["tiers"]:
        levels = d.get("tier_levels", {})
        print(
            "  tiers    "
            + ", ".join(
                f"{name}{f' ({levels[name]})' if name in levels else ''} {n:,}"
                for name, n in d["tiers"].items()
            )
        )
    print("  ends     " + ", ".join(f"{name} {n:,}" for name, n in d["end_reasons"].items() if n))
    print(f"  turns    mean {d['turns']['mean']:.2f}")
    for line in _guesses(d["assumptions"], d):
        print(f"  assumed  {line}")
    if "luck_adjusted" in d:
        from bartizan.reports import luck

        for line in luck.lines(d["luck_adjusted"]):
            print(line)
    speed = f"{d['games_per_second']:,.0f} games/s" if d["games_per_second"] else "kept from before"
    print(f"  {d['plies']:,} decisions in {d['seconds']:.2f} s, {speed}; digest {d['digest'][:16]}")


def _say_odds(
    question: str,
    about: dict,
    found: list,
    cap: int | None,
    seed: int,
    as_json: bool,
    title: str,
    names: dict[str, str],
) -> None:
    """Exact and simulated chances, for each cap on re-rolls.

    The first of `found` is what was asked; all stand under by_cap.
    """
    if as_json:
        by_cap = [
            {
                "cap": o.cap,
                "exact": o.exact,
                "simulated": {case: {**i.to_dict(), "games": o.attempts} for case, i in o.simulated.items()},
            }
            for o in found
        ]
        return _print_json(
            {
                "schema": "bartizan.odds/1",
                "question": question,
                **about,
                **by_cap[0],
                "by_cap": by_cap,
                "games": found[0].attempts,
                "seed": seed,
            }
        )
    print(f"{title}: {found[0].attempts:,} simulated attempts a line, seed {seed}")
    for o in found:
        print(
            "a double is rolled "
            f"again{', without limit' if o.cap is None else f', at most {o.cap} rolls a throw'}:"
        )
        for case, interval in o.simulated.items():
            simulated = (
                f"{interval.estimate:.3%} ({interval.low:.3%} to {interval.high:.3%}, {interval.level:.0%} "
                f"{interval.method})"
            )
            print(f"  {names[case]:<9} exact {o.exact[case]:>9.4%}   simulated {simulated}")
    return None


def _print_dry_run(plan, it, jobs: int | None, as_json: bool, named: str) -> None:
    """Cells, games, and time and disk from a short pilot of the first cell."""
    from bartizan.policies.registry import find_player
    from bartizan.simcore.play.batch import Batch
    from bartizan.simcore.sweep import make_ready

    _announce(it)
    ready = make_ready(plan, it, find_player)
    _refuse_empty_claims(plan, it, ready, named)
    seconds, row_bytes = 0.0, it.compiled.record_dtype.itemsize
    for cell in ready:
        table = Batch(cell.match)
        table.play(0, 64)
        since = time.perf_counter()
        table.play(0, 512)
        seconds += (time.perf_counter() - since) / 512 * cell.games
    seconds /= jobs or os.cpu_count() or 1
    total = sum(cell.games for cell in ready)
    document = {
        "schema": "bartizan.dry-run/1",
        "cells": [c.plan.id for c in ready],
        "games": total,
        "seconds": seconds,
        "bytes": int(total * row_bytes * 0.6),
    }
    if as_json:
        return _print_json(document)
    for cell in ready:
        print(f"{cell.plan.id:<40} {cell.games:>10,} games")
    print(f"{len(ready)} cells, {total:,} games, about {seconds:.0f} s and {document['bytes'] / 1e6:.1f} MB")
    return None


def _command() -> str:
    """The command line as typed, for the manifest; without what does not change the results: folder, threads,
    output form.
    """
    import shlex

    words, skip = ["bartizan"], False
    for word in sys.argv[1:]:
        if skip or word in ("-o", "--out", "--jobs"):
            skip = not skip
        elif word != "--json" and not word.startswith(("--out=", "--jobs=")):
            words.append(word)
    return shlex.join([*words, "-o", "DIR"])


def main() -> None:
    """Entry point: every failure becomes one line on stderr and an exit code."""
    debug = "--debug" in sys.argv
    if debug:
        sys.argv.remove("--debug")
    try:
        code = app(standalone_mode=False) or 0
    except BartizanError as error:
        code = _fail(error, error.exit_code, debug)
    except TyperException as error:
        text = error.format_message() if hasattr(error, "format_message") else str(error)
        if type(error).__name__ == "NoArgsIsHelpError":
            print(text)
            sys.exit(2)
        code = _fail(error, 2, debug, text)
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except SystemExit as stop:  # typer turns Ctrl-C into an exit of its own
        code = stop.code or 0
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except typer.Exit as error:
        code = error.exit_code
    except Exception as error:
        if debug:
            raise
        code = _fail(
            error,
            4,
            debug,
            f"unforeseen: {type(error).__name__}: {error} (a fault of bartizan: run again with --debug and "
            "report what it says)",
        )
    if code == INTERRUPTED:
        _note("interrupted: run the same command again; what it had finished in a folder (-o) is kept")
    sys.exit(code)


def _fail(error: Exception, code: int, debug: bool, text: str | None = None) -> int:
    if debug:
        import traceback

        traceback.print_exception(error)
    _note(f"error: {' '.join((text or str(error)).split())}")
    return code


if __name__ == "__main__":
    main()
