"""Facts about the games of a report: their number, policies and assumptions, and the commands."""

import re
from collections.abc import Mapping
from typing import Any

from bartizan.analyses.records.seating import LineUp
from bartizan.reports import entries
from bartizan.reports.blocks import Definition, Entry, Table
from bartizan.reports.study import Finding, Study
from bartizan.reports.text import changes, differences, words
from bartizan.reports.text.cell_names import set_text
from bartizan.simcore.sweep.store import Cell

NOT_PEOPLE = "Played by computer policies, not people."
CONFIDENCES = {
    "rulebook": "stated by the rulebook",
    "public-port": "read from a public adaptation",
    "article": "from a published article",
    "inferred": "derived from other facts",
    "assumed": "unknown; a labelled assumption makes the game playable",
    "changed": "by the user",
}


def played(study: Study) -> str:
    """Return a sentence with the kind and the number of games."""
    cells = len(study.findings)
    games = {finding.games for finding in study.findings}
    each = f" of {words.count(games.pop())} games each" if len(games) == 1 and cells > 1 else ""
    settings = f"{cells} {'setting' if cells == 1 else 'settings'}{each}"
    noises = dict.fromkeys(re.findall(r"noise=([\d.]+)", "".join(study.players)))
    random = (
        f" noise={each}: {words.percent(float(each), 0)} of its decisions are random." for each in noises
    )
    return f"{words.many(study.games, 'game')}, {settings}: {_by_whom(study)}.{''.join(random)}"


def whose(study: Study) -> str:
    """Return a sentence on the kind of players.

    People are mentioned only if the folder has plays by people.
    """
    if study.is_imported:
        file = study.manifest["imported"]["file"]
        return f"Records of games that another program played, imported from {file}."
    if study.plays_by_people:
        return "Games by computer policies; plays by people are marked."
    return NOT_PEOPLE


def _by_whom(study: Study) -> str:
    levels = words.listing(list(study.levels))
    if not study.is_contest:
        return f"{levels} by {words.listing(study.players)}"
    seated = map(_alike, study.line_ups) if study.is_alike else map(_by_role, study.findings)
    line_ups = words.listing(list(dict.fromkeys(seated)))
    return f"{line_ups}; {levels}" if len(study.levels) > 1 else line_ups


def _alike(line_up: LineUp) -> str:
    if line_up.is_mirror:
        return f"{line_up.names[0]} in every seat"
    return f"{line_up.name}{' in all rotations' if line_up.is_complete else ''}"


def _by_role(finding: Finding) -> str:
    return " against ".join(
        f"{policy['name']} ({words.plain(policy['role'])})" for policy in finding.cell.policies
    )


def changed(study: Study) -> list[str]:
    """Return sentences on the changes that the title does not show.

    The title omits changes after the first few, and changes in only some of the settings.
    """
    lines = []
    if len(study.changes) > changes.MOST:
        lines.append(f"This is a changed game: {changes.listing(study.changes, None)}.")
    if study.varied:
        lines.append(f"Changed in some of the settings below: {'; '.join(study.varied)}.")
    return lines


def rules_source(study: Study) -> str:
    source = (study.manifest.get("rules_source") or "").strip().rstrip(".")
    return f"Rules: {source}." if source else ""


def stopping_rule(study: Study) -> str:
    precision = study.manifest.get("precision")
    if study.is_imported:
        return "Intervals assume that the number of games was fixed in advance."
    if precision is None:
        return "The number of games was fixed in advance."
    within = differences.points(f"{precision * 100:g}")
    return (
        f"Each setting was simulated until its win rate was accurate to ±{within} or its games were used "
        "up, with interim looks: win, draw and loss rates have confidence sequences, which are valid for "
        "any number of looks; all other intervals treat the number of games as fixed."
    )


def incomplete(study: Study) -> list[str]:
    """Return a line for each cell with fewer games than planned, including cells without games.

    If a target precision determines the number of games, returns only the cells without games.
    """
    missing = [f"{cell_id}: not simulated yet" for cell_id in study.unplayed]
    short = [f for f in study.findings if f.games < f.cell.games and not study.watched]
    return missing + [
        f"{finding.name}: {words.count(finding.games)} of {words.count(finding.cell.games)} games"
        for finding in short
    ]


def players(study: Study) -> list[Definition]:
    """Return the distinct players, each with its description and weights."""
    facts: dict[tuple[str, str, str], Definition] = {}
    for policy in (policy for finding in study.findings for policy in finding.cell.policies):
        weights = ", ".join(
            f"{words.plain(key)} {words.exact(value)}" for key, value in policy.get("weights", {}).items()
        )
        about = " ".join(filter(None, (policy.get("about", ""), weights and f"Weights: {weights}.")))
        role = words.plain(policy["role"])
        facts.setdefault((policy["name"], role, weights), Definition(policy["name"], about, role))
    return list(facts.values())


def signed(manifest: Mapping[str, Any]) -> str:
    """Return the name and version of the program that simulated the games, such as `Bartizan 0.1.0.`.

    There is no date, so that files are reproducible.
    """
    return f"Bartizan {manifest.get('versions', {}).get('bartizan', '')}".rstrip() + "."


def most_assumed(study: Study) -> Cell:
    """Return the cell with the most assumed values, which every count on the page describes."""
    return max((finding.cell for finding in study.findings), key=lambda cell: cell.assumed)


def assumptions(study: Study) -> list[str]:
    """Return the distinct assumptions. An assumption that only some cells use is followed by their names."""
    cells: dict[str, list[str]] = {}
    for finding in study.findings:
        caveat = (finding.banner or {}).get("text")  # already on the page
        for text in (text for text in finding.cell.assumptions if text != caveat):
            cells.setdefault(text, []).append(finding.name)
    return [
        text if len(names) == len(study.findings) else f"{text} (used by {_which(names, study)})"
        for text, names in cells.items()
    ]


def _which(names: list[str], study: Study) -> str:
    """Return cells as text: `all of Elite` for a level whose cells are all listed; otherwise, their names."""
    parts = []
    for level, findings in study.levels.items():
        here = [finding for finding in findings if finding.name in names]
        if len(here) == len(findings):
            parts.append(f"all of {level}")
        else:
            parts += [finding.name for finding in here]
    return "; ".join(parts)


def scenarios(study: Study) -> Table | None:
    """Return a table of the simulated scenarios and the sources of their data; None for imported records."""
    if study.is_imported:
        return None
    kinds = list(dict.fromkeys(kind for finding in study.findings for kind in finding.cell.confidence))
    kinds.sort(key=lambda kind: list(CONFIDENCES).index(kind) if kind in CONFIDENCES else -1)
    meaning = words.title("; ".join(f"{kind} = {CONFIDENCES[kind]}" for kind in kinds if kind in CONFIDENCES))
    rows = {}
    for finding in study.findings:
        cell, unchanged = finding.cell, "none" if finding.banner else "as published"
        rows[cell.scenario_hash] = (
            Entry(finding.level),
            Entry(cell.scenario, cell.scenario_hash),
            Entry(changes.listing(finding.changes, None) or set_text(cell) or unchanged),
            *(entries.count(cell.confidence.get(kind, 0)) for kind in kinds),
        )
    return Table(
        "Scenario data and their sources",
        f"Numbers and readings of each scenario. {meaning}.",
        ("Level", "Scenario (fingerprint)", "Changed setting", *map(words.title, kinds)),
        tuple(rows.values()),
    )


def versions(study: Study) -> str:
    return ", ".join(f"{name} {version}" for name, version in study.manifest.get("versions", {}).items())
