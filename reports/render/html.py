"""Pages as one HTML file: sentences, figures, tables; no font, no request; its one script sorts tables."""

import html
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from bartizan.reports.blocks import Block, Page
from bartizan.reports.render.figures import light
from bartizan.reports.text.visible import visible

FOLDER = Path(__file__).parent.parent / "templates"
LEFT_OUT = re.compile(r"^ *//.*\n| */\*.*?\*/|^ +", re.MULTILINE)  # comments of whole lines, and indents
MOST_BYTES = 950_000  # a page must be light enough to mail


def page(content: Page) -> bytes:
    return light(
        content.every_part,
        lambda parts: render("report.html.j2", page=content, parts=parts).encode(),
        MOST_BYTES,
    )


def render(template: str, **parts: Any) -> str:
    """A page has the arrow that a terminal may lack, and no unsafe character."""
    return visible(environment().get_template(template).render(**parts).replace(" -&gt; ", " → "))


def picked(text: str, picks: Sequence[tuple[str, Sequence[str]]]) -> Markup:
    """The level and the player that a text names, as attributes; where a reader picks others it is hidden."""
    found: dict[str, set[int]] = {kind: set() for kind, _ in picks}
    wanted = [(name, kind, number) for kind, names in picks for number, name in enumerate(names, 1)]
    for name, kind, number in sorted(wanted, key=lambda one: -len(one[0])):  # a name may hold a shorter one
        text, times = re.subn(rf"(?:^|(?<=[,:;] )){re.escape(name)}(?=[,:;] |$)", "", text)
        if times:
            found[kind].add(number)
    alone = {kind: numbers for kind, numbers in found.items() if len(numbers) == 1}
    return Markup("".join(f' data-{kind}="{number}"' for kind, (number,) in alone.items()))


def commands(text: str) -> Markup:
    """What stands between backticks is to be typed."""
    return Markup(re.sub("`([^`]*)`", r"<code>\1</code>", str(escape(text))))


def css_text(text: str) -> Markup:
    """A text as a string of CSS inside a `style` attribute."""
    escaped = re.sub(r"""[\\'"\n]""", lambda found: f"\\{ord(found.group()):x} ", visible(text))
    return Markup(f"'{html.escape(escaped, quote=False)}'")


def lean(text: str) -> Markup:
    """A style or a script as a page has it."""
    return Markup(LEFT_OUT.sub("", text))


def kind(block: Block) -> str:
    """The name of its class, by which the template chooses how to show it."""
    return type(block).__name__


@cache
def environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {
        "picked": picked,
        "commands": commands,
        "kind": kind,
        "css_text": css_text,
        "lean": lean,
    }
    return environment
