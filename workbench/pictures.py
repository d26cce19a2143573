"""The report's own pictures of what is played now and of what is pinned, without styles in line."""

import re
from dataclasses import replace
from functools import cache
from html import escape
from threading import Lock
from typing import Any

from bartizan.analyses.statistics.intervals import confidence_sequence
from bartizan.reports.pages.parts.pictures import Section
from bartizan.reports.pages.views import view_of
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
        found = _study(pair)
        sections = [_section(section) for section in view_of(found).sections(found, MOST) if section.groups]
    return {"games": found.findings[0].games, "sections": sections}


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


def _section(section: Section) -> dict[str, Any]:
    pictures = [
        {
            "title": _titled(group.title, picture.title),
            "note": picture.note,
            "svg": without_styles(picture.svg),
        }
        for group in section.groups
        for picture in group.pictures
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
