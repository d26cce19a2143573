"""One game as an HTML page to step through. Without JavaScript, the page lists the whole game."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from textwrap import shorten
from typing import Any

from bartizan.analyses.experiments.losses import GameChances
from bartizan.reports.blocks import VALIDITY_HEADING
from bartizan.reports.figures import chances as figure
from bartizan.reports.figures.scene import Drawn, boards, place_of
from bartizan.reports.render.html import render
from bartizan.reports.text import banner, changes
from bartizan.reports.text.visible import all_visible
from bartizan.simcore.game import Game

HEADING = "== "  # prefix of a log event that opens a turn
RULE = re.compile(r"^(?:## |\*\*)?(\d+\.\d+(?:\.\d+)?)\.? (.+)$")
# source references and markup in a rules page
SOURCES = re.compile(r" ?\[[^\]]*\]|[*`]")
RULE_LETTERS = 240
PLAYERS_SEEN = (
    "Played by computer policies, not people. All cards are shown, including face-down cards that the "
    "players could not see."
)


def page(
    document: Mapping[str, Any], game: Game, model: Any, command: str, odds: str, validity: Sequence[str] = ()
) -> str:
    """Return the HTML page of one game.

    document: the output of `trace` with the additional fields `opening`, a `snapshot` per ply (None for a
    game without a scene), `ended`, and `who` ({seat: name}). odds: command for the win probabilities from a
    position, to which the page adds the position. validity: lines of the game's validity card.
    """
    drawn = boards(game.name, model) if document["opening"] else ()
    chances = GameChances.read(document["chances"]) if "chances" in document else None
    return render(
        "watch.html.j2",
        title=changes.titled(document, document["difficulty"], " vs ".join(document["policies"])),
        ended=document["ended"],
        banner=banner.lines(document["banner"], game.name) if "banner" in document else (),
        changed=changes.lines(document["changes"]),
        seen=PLAYERS_SEEN if document["opening"] else PLAYERS_SEEN.partition(". ")[0] + ".",
        command=command,
        odds=odds if "positions" in document else "",
        number=document["number"],
        seed=document["seed"],
        boards=drawn,
        chances=chances,
        unit=document["turn_name"],
        figure=figure,
        groups=list(_groups(document)),
        rules=_rules(document, game.home),
        validity=validity,
        validity_heading=VALIDITY_HEADING,
        data=_data(document, drawn),
    )


# ---------------------------------------------------------------- the list


@dataclass
class TurnShown:
    """The steps of a turn. lead: events before its first decision. table: the snapshot at its beginning."""

    title: str
    number: int
    table: Mapping[str, Any] | None
    lead: list[dict[str, Any]] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)


def _groups(d: Mapping[str, Any]) -> Iterator[TurnShown]:
    """Yield the steps grouped by the turn headings of the log or, without headings, by turn number."""
    opening, unit = d["opening"], d["turn_name"][:1].upper() + d["turn_name"][1:]
    has_headings = any(line.startswith(HEADING) for ply in d["plies"] for line in ply["events"])
    begun = _turns_begun(d)
    title = "The game"
    if (opening and has_headings) or len({*begun}) > 1:
        title = f"{unit} {begun[0]}" if begun[0] else "Set-up"
    lead = [
        {"text": line.strip(), "rule": "", "mark": ""} for line in d["setup"] if not line.startswith(HEADING)
    ]
    group = TurnShown(title, 0, opening, lead)
    for index, ply in enumerate(d["plies"]):
        if index and not has_headings and begun[index] != begun[index - 1]:
            yield group
            table = d["plies"][index - 1].get("snapshot")
            group = TurnShown(f"{unit} {begun[index]}", group.number + 1, table)
        step = {**ply, "who": d["who"].get(ply["seat"], ""), "told": []}
        group.steps.append(step)
        told = step["told"]
        for line, shows in zip(ply["events"], ply["shows"], strict=True):
            if line.startswith(HEADING):
                yield group
                words = line.removeprefix(HEADING)
                title = words[:1].upper() + words[1:]
                group = TurnShown(title, group.number + 1, ply.get("snapshot"))
                told = group.lead
            else:
                told.append({"text": line.strip(), **shows})
    yield group


def _turns_begun(d: Mapping[str, Any]) -> list[int]:
    """Return the turn in which each step begins, which is the turn number of the state before the step."""
    after = [ply["turn"] for ply in d["plies"]]
    first = d["opening"]["turn"] if d["opening"] else min([1, *after[:1]])
    return [first, *after[:-1]]


# ---------------------------------------------------------------- sections of the rules


def _rules(d: Mapping[str, Any], home: Path) -> dict[str, str]:
    """Return {section: its first words} for the rules that the steps cite, in the order of the sections."""
    named = {ply["rule"] for ply in d["plies"]}
    named |= {shows["rule"] for ply in d["plies"] for shows in ply["shows"]}
    texts = rule_texts(home)
    return {
        rule: texts[rule]
        for rule in sorted(named & set(texts), key=lambda rule: [*map(int, rule.split("."))])
    }


@cache
def rule_texts(home: Path) -> dict[str, str]:
    """Return {section: its first words} of a game's RULES.md; {} if there is no such file.

    A section is a number such as `7.2`.
    """
    path, texts = home / "RULES.md", dict[str, str]()
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    for line, following in pairwise([*lines, ""]):
        if match := RULE.match(line):
            words = f"{match[2]}: {following}" if line.startswith("##") else match[2]
            texts.setdefault(match[1], shorten(SOURCES.sub("", words), RULE_LETTERS, placeholder=" ..."))
    return texts


# ---------------------------------------------------------------- data for the script


def _data(d: Mapping[str, Any], drawn: Sequence[Drawn]) -> str:
    """Return the JSON for the page's script.

    It contains the things and zones, which are numbered, and their changes in each step.
    """
    turns = [ply["turn"] for ply in d["plies"]]  # turn after each step
    data = {"plies": len(d["plies"]), "turns": turns, "positions": d.get("positions", {}), "tables": []}
    if d["opening"]:
        tables = all_visible([d["opening"], *(ply["snapshot"] for ply in d["plies"])])
        seen = _Seen(drawn)
        data |= {"tables": [seen.step(table) for table in tables], **seen.known()}
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return text.replace("<", "\\u003c")  # text must not close the script element


class _Seen:
    """Numbers for the things, zones and counters of a game, and their last known state."""

    def __init__(self, drawn: Sequence[Drawn]):
        self.drawn = drawn
        self.things: dict[tuple[Any, ...], int] = {}
        self.zones: dict[tuple[str, str], int] = {}
        self.counters: dict[str, int] = {}
        self.last: dict[str, dict[int, Any]] = {"z": {}, "c": {}, "d": {}}

    def known(self) -> dict[str, list[Any]]:
        return {
            "things": [[*thing, place_of(thing[2], self.drawn)] for thing in self.things],
            "zones": list(self.zones),
            "counters": list(self.counters),
        }

    def step(self, table: Mapping[str, Any]) -> dict[str, Any]:
        """Return the changes since the previous table, as {kind: {number: new state}}.

        kind: "z" for zones, "c" for counters, "d" for the deciding seat.
        """
        zones: dict[int, list[Any]] = {
            number: ["", []] for number in self.last["z"]
        }  # a zone that has disappeared is empty
        for zone in table["zones"]:
            number = self.zones.setdefault((zone["zone"], zone["shape"]), len(self.zones))
            things = [(thing["name"], thing["short"], thing["at"], thing["look"]) for thing in zone["things"]]
            numbers = [self.things.setdefault(thing, len(self.things)) for thing in things]
            zones[number] = [zone["note"], numbers]
        counters: dict[int, Any] = dict.fromkeys(self.last["c"])  # a counter that has disappeared is None
        for name, n in table["counters"].items():
            counters[self.counters.setdefault(name, len(self.counters))] = n
        now = {"z": zones, "c": counters, "d": {0: table["deciding"]}}
        changed = {
            key: {number: what for number, what in new.items() if self.last[key].get(number) != what}
            for key, new in now.items()
        }
        self.last = now
        return {key: what for key, what in changed.items() if what}
