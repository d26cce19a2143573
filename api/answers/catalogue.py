"""`describe`: games, policies, target bands and values."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bartizan.analyses.records.claims import presets
from bartizan.api.answer import Answer
from bartizan.api.caveats import assumed, banner_lines, caveat
from bartizan.api.questions.catalogue import DescribeQuestion
from bartizan.policies.registry import policies_of
from bartizan.policies.request import Request, default_policy_words
from bartizan.policies.restricted import WORDS
from bartizan.policies.weights_file import shipped
from bartizan.reports.text import changes, words
from bartizan.simcore.commands import command_of
from bartizan.simcore.documentation import page
from bartizan.simcore.errors import UsageError
from bartizan.simcore.game import game_names, load_game
from bartizan.simcore.scenario.changes import changes_of
from bartizan.simcore.scenario.loading import load_scenario, scenario_names
from bartizan.simcore.scenario.parameters import unit_of


def answer(question: DescribeQuestion) -> Answer:
    """Describe one game or all games, with each requested list under its own key of the document."""
    if not question.name:
        for option in ("scenario", "difficulty", "set", "knobs", "rulings", "archive", "board"):
            if getattr(question, option):
                raise UsageError(
                    f"describe --{option}: no game given; write bartizan describe GAME --{option} ..."
                )
        about = None if question.policies or question.bands else games()
        return _together(about, question, None)
    request = question.request()
    if question.archive and not question.policies:
        raise UsageError("describe --archive: requires --policies; add it")
    if question.board is not None:
        for option in ("knobs", "rulings", "policies", "bands"):
            if getattr(question, option):
                raise UsageError(f"describe --{option}: prints a list, but --board draws; remove one of them")
        assert request.loaded
        return board(request.game.name, Path(question.board))
    lists = question.knobs or question.rulings or not (question.policies or question.bands)
    about = describe(request, question.knobs, question.rulings)
    return _together(about, question, request, lists)


def _together(
    about: Answer | None, question: DescribeQuestion, request: Request | None, is_said: bool = True
) -> Answer:
    """Combine the description with the policies and the target bands, if requested.

    is_said: whether the text includes `about`; the document always does.
    """
    parts = [about] if about is not None else []
    if question.policies:
        from bartizan.api.answers import best, bracket  # take a second to import

        named = request.named if request else None
        own = bracket.existing_archive(question.archive)
        parts += [policies(named), best.of_game(request, None, own) if request else best.best_of_all()]
    parts += [bands()] if question.bands else []
    if len(parts) == 1:
        return parts[0]
    document: dict[str, Any] = {}
    for part in parts:  # schema and title are those of the first part
        document |= {key: value for key, value in part.to_dict().items() if key not in document}
    said = parts if is_said or about is None else parts[1:]
    return Answer(
        document, lambda: [line for i, part in enumerate(said) for line in [""][:i] + [*part.lines()]]
    )


def games() -> Answer:
    """List the built-in games."""
    rows = []
    for name in game_names():
        game = load_game(name)
        base = load_scenario(game)
        row = {
            "game": name,
            "title": base.model.title,
            "scenarios": scenario_names(game.scenarios),
            "difficulties": base.model.difficulties(),
            "roles": list(game.roles),
            "behaviour": game.behaviour,
            "rules_source": game.rules_source,
            "confidence": base.confidence,
        }
        rows.append(row)
    document = {"schema": "bartizan.games/1", "games": rows}
    hint = "Next: bartizan describe GAME. For your own game, give the path of its .py file"
    return Answer(document, lambda: _game_lines(document), hints=["", f"{hint} (see {page('short-games')})."])


def _game_lines(d: Mapping[str, Any]) -> Iterator[str]:
    for row in d["games"]:
        yield f"{row['game']}: {row['title']}"
        yield (
            f"  scenarios {', '.join(row['scenarios'])}; difficulties {', '.join(row['difficulties'])}; "
            f"seats {', '.join(row['roles'])}; behaviour version {row['behaviour']}"
        )
        yield f"  rules: {row['rules_source']}"
        yield f"  data: {words.evidence(row['confidence'])}"


# ---------------------------------------------------------------- who can play


def policies(named: str | None = None) -> Answer:
    """List policies, their weights and their restrictions, for one game or for all built-in games."""
    by_game = {name: policies_of(load_game(name)).values() for name in ([named] if named else game_names())}
    document = {
        "schema": "bartizan.policies/1",
        "policies": [
            {
                "game": name,
                "policy": p.name,
                "about": p.about,
                "weights": p.weights,
                "roles": list(p.roles),
                "trained": list(shipped(p)),
            }
            for name, listed in by_game.items()
            for p in listed
        ],
        "modifiers": WORDS,
        "acts": {name: list(load_game(name).compiled.acts) for name in by_game},
    }
    return Answer(document, lambda: _policy_lines(document))


def _policy_lines(d: Mapping[str, Any]) -> Iterator[str]:
    for name, acts in d["acts"].items():
        yield f"{name}:"
        for policy in (row for row in d["policies"] if row["game"] == name):
            yield f"  {policy['policy']:<12} {policy['about']}"
            if policy["weights"]:
                weights = ", ".join(f"{key}={value:.15g}" for key, value in policy["weights"].items())
                yield f"  {'':<13}weights: {weights}"
            if policy["trained"]:
                names = ", ".join(f"{policy['policy']}@{name}" for name in policy["trained"])
                yield f"  {'':<13}trained: {names}"
        yield f"  kinds of action: {', '.join(acts) or 'not named'}"
    yield f"\nRestrict a policy with --policy NAME:MODIFIER,MODIFIER (see {page('ladder')}):"
    for modifier, meaning in d["modifiers"].items():
        yield f"  {modifier:<15} {meaning}"
    yield "\nSet weights with --policy NAME:weight=value, or with NAME@FILE.toml, a file from bartizan train."
    yield "Stronger but slower: --policy lookahead:base=NAME, which evaluates every action by rollouts"
    yield f"(see {page('strong-play')})."
    yield f"Use your own policy with --policy my_policy.py (see {page('adding-a-policy')})."


# ---------------------------------------------------------------- one game


def describe(request: Request, knobs: bool = False, rulings: bool = False) -> Answer:
    """Describe a scenario: levels, rulings, numbers and their evidence levels.

    knobs, rulings: whether the text lists the numbers or the rulings instead of the summary.
    """
    game, s = request.game, request.loaded
    document = {
        "schema": "bartizan.describe/1",
        "game": game.name,
        "title": s.model.title,
        "changes": changes_of(game, s),
        "scenario": s.name,
        "scenario_hash": s.hash,
        "scenarios": scenario_names(game.scenarios),
        "difficulty": s.difficulty,
        "difficulties": s.model.difficulties(),
        "other_difficulties": {level: s.model.only_at(level) for level in s.model.other_levels()},
        "roles": list(game.roles_in(s)),
        "behaviour": game.behaviour,
        "rules_source": game.rules_of(s),
        "confidence": s.confidence,
        "assumed": s.assumed,
        "assumptions": s.model.assumptions(),
        **caveat(game, s),
        "overrides": s.overrides,
        "knobs": [vars(knob) for knob in s.parameters()],
        "rulings": {
            key: {"reading": s.model.rulings[key], **ruling.model_dump()}
            for key, ruling in s.model.ruling.items()
        },
    }

    def lines() -> Iterator[str]:
        yield from banner_lines(game, document)
        if not knobs and not rulings:
            yield from _scenario_lines(request, document)
            return
        if document["changes"]:
            yield changes.titled(document)
        yield from _knob_lines(document) if knobs else _ruling_lines(document)

    return Answer(document, lines)


def _knob_lines(d: Mapping[str, Any]) -> Iterator[str]:
    for knob in d["knobs"]:
        value = json.dumps(knob["value"], ensure_ascii=False)
        source = f"{knob['confidence']}{': ' + knob['source'] if knob['source'] else ''}"
        unit = f", in {unit_of(scale)}" if (scale := knob["scale"]) > 1 else ""
        yield f"{knob['path']} = {value}    [{knob['allowed']}{unit}]    {source}"


def _ruling_lines(d: Mapping[str, Any]) -> Iterator[str]:
    for key, ruling in d["rulings"].items():
        readings = f"[{' | '.join(ruling['readings'])}]"
        impact = "" if ruling["impact"] == "unrated" else f"impact {ruling['impact']}, "
        sure = f"{impact}{ruling['confidence']}"
        yield f"{ruling['id']} rulings.{key} = {ruling['reading']}    {readings}    {sure}"
        yield f"    {ruling['question']} {ruling['meaning']}".rstrip()


def _scenario_lines(request: Request, d: Mapping[str, Any]) -> Iterator[str]:
    yield f"{changes.titled(d)}: scenario {d['scenario']}, {d['difficulty']} (hash {d['scenario_hash']})"
    yield (
        f"difficulties: {', '.join(d['difficulties'])}; scenarios: {', '.join(d['scenarios'])}; "
        f"seats: {', '.join(d['roles'])}"
    )
    if others := d["other_difficulties"]:
        yield f"  also, for {' and '.join(dict.fromkeys(others.values()))}: {', '.join(others)}"
    yield f"rules: {d['rules_source'] or 'not stated'}"
    yield f"data: {words.evidence(d['confidence']) or 'not stated'}"
    yield from (f"  assumed: {line}" for line in assumed(d))
    describing = command_of("describe", request.named, players=request.players)
    yield f"\n{words.many(len(d['knobs']), 'value')} can be changed with --set: {describing} --knobs"
    if d["rulings"]:
        yield f"{words.many(len(d['rulings']), 'unclear rule')} with several readings: {describing} --rulings"
    options = {"scenario": request.scenario, "difficulty": d["difficulty"], "players": request.players}
    policies = default_policy_words(request.game, request.loaded)
    yield f"Next: {command_of('run', request.named, **options)} {policies} --games 20000"


def board(game: str, out: Path) -> Answer:
    """Draw a game's board to a file, and return the path and the size of the file."""
    from bartizan.reports.render.board import write_board

    path = write_board(game, out)
    size = path.stat().st_size
    document = {"schema": "bartizan.board/1", "game": game, "file": str(path), "bytes": size}
    return Answer(document, lambda: [f"{path} ({size / 1024:.0f} kB)"])


# ---------------------------------------------------------------- what to aim at


def bands() -> Answer:
    """List target win rates that designers have published."""
    rows = [{**vars(preset), "band": list(preset.band)} for preset in presets().values()]
    document = {"schema": "bartizan.bands/1", "bands": rows}
    return Answer(document, lambda: _band_lines(document))


def _band_lines(d: Mapping[str, Any]) -> Iterator[str]:
    for row in d["bands"]:
        low, high = row["band"]
        band = f"{low:.0%} to {high:.0%} for {row['whose']}"
        yield f"{row['name']:<20} {band}. {row['about']} [{row['confidence']}]"
        yield f"{'':<20} {row['source']}"
    yield f'\nUse a band in a plan: [[claim]] with preset = "coop-first-play" (see {page("claims")}).'
    yield "A band is about people; the claim chooses the win rate to compare with it."
    yield "derived: the source gives one number, and we chose the band around it; assumed: no source."
