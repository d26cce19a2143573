"""The report's own pictures of what is played now and of what is pinned, without styles in line."""

import re
from dataclasses import replace
from functools import cache
from html import escape
from threading import Lock
from typing import Any

from bartizan.analyses.statistics.intervals import confidence_sequence
from bartizan.reports.blocks import Section
from bartizan.reports.pages.sweep import kind_of
from bartizan.reports.render.figures import drawn
from bartizan.reports.study import Finding, Study, finding_of
from bartizan.workbench.game_cache import CachedGames
from bartizan.workbench.live import PairedGames

NOW, PINNED = "Now", "Pinned"
MOST = 2  # pictures in a section: now and pinned
STYLE = re.compile(r' style="([^"]*)"')
ONE = Lock()  # matplotlib's settings are the process's


def document(pair: PairedGames) -> dict[str, Any]:
    """Sections, one a question of the report: title, caption, legend, pictures as SVG."""
    with ONE:
        study = _study(pair)
        shown = [section for section in kind_of(study).sections(study) if section.grids]
        sections = [_section(section, f"part-{number}") for number, section in enumerate(shown)]
    return {"games": study.findings[0].games, "sections": sections}


def _study(pair: PairedGames) -> Study:
    named = [(NOW, pair.now, pair.now.games)]
    if pair.pinned:
        named.append((PINNED, pair.pinned, pair.games))
    findings = tuple(_finding(name, kept, games) for name, kept, games in named)
    return Study(pair.now.sweep.manifest, findings, ())


def _finding(name: str, kept: CachedGames, games: int) -> Finding:
    cell, counted = kept.told(games)
    player = " against ".join(dict.fromkeys(policy["as_named"] for policy in cell.policies))
    names = (name, player, "")
    return finding_of(replace(cell, id=name), counted, names, confidence_sequence)


def _section(section: Section, name: str) -> dict[str, Any]:
    """name: makes the ids of its pictures unique."""
    pictures = [
        {"title": _titled(group.title, figure.title), "note": figure.note, "svg": without_styles(figure.svg)}
        for group in drawn(section, name, MOST).groups
        for figure in group.figures
    ]
    legend = [list(pair) for pair in section.legend]
    return {"title": section.title, "caption": section.caption, "legend": legend, "pictures": pictures}


def _titled(group: str, title: str) -> str:
    """Now or pinned: a picture stands alone here."""
    return title if not group or title.startswith(group) else ": ".join(filter(None, (group, title)))


def without_styles(svg: str) -> str:
    """`style="fill: #fff"` as `fill="#fff"`: SVG knows both, and a strict page only the second."""
    return STYLE.sub(_attributes, svg)


@cache
def _of_text(style: str) -> str:
    pairs = (part.partition(":")[::2] for part in style.split(";") if ":" in part)
    return "".join(f' {name.strip()}="{escape(value.strip(), quote=True)}"' for name, value in pairs)


def _attributes(match: re.Match) -> str:
    return _of_text(match[1])
