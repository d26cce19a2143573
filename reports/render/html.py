"""Pages as one HTML file, without external fonts or requests.

Scripts only sort tables, show the numbers of marks, and highlight the marks of one colour.
"""

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
LEFT_OUT = re.compile(r"^ *//.*\n| */\*.*?\*/|^ +", re.MULTILINE)  # full-line comments and indentation
# spaces of a style sheet without meaning: beside braces, after ";" and ",", after the colon of a property
SPACES = re.compile(r"(?<=[{};,]) | (?=[{}])|(?<=[a-z]:) ")
MOST_BYTES = 950_000  # small enough to send by mail


def page(content: Page) -> bytes:
    return light(
        content.every_part,
        lambda parts: render("report.html.j2", page=content, parts=parts).encode(),
        MOST_BYTES,
    )


def render(template: str, **parts: Any) -> str:
    """Return a rendered template with unsafe characters escaped.

    ` -> ` becomes a typographic arrow, which text for terminals avoids because some lack it.
    """
    return visible(environment().get_template(template).render(**parts).replace(" -&gt; ", " → "))


def picked(text: str, picks: Sequence[tuple[str, Sequence[str]]]) -> Markup:
    """Return `data-` attributes for the level and the player, each only if the text names exactly one.

    The page hides the text if the reader selects another level or player.
    """
    found: dict[str, set[int]] = {kind: set() for kind, _ in picks}
    wanted = [(name, kind, number) for kind, names in picks for number, name in enumerate(names, 1)]
    for name, kind, number in sorted(wanted, key=lambda one: -len(one[0])):  # a name may contain another
        text, times = re.subn(rf"(?:^|(?<=[,:;] )){re.escape(name)}(?=[,:;] |$)", "", text)
        if times:
            found[kind].add(number)
    alone = {kind: numbers for kind, numbers in found.items() if len(numbers) == 1}
    return Markup("".join(f' data-{kind}="{number}"' for kind, (number,) in alone.items()))


def commands(text: str) -> Markup:
    """Return the text with code elements in place of its backticks."""
    return Markup(re.sub("`([^`]*)`", r"<code>\1</code>", str(escape(text))))


def css_text(text: str) -> Markup:
    """Return the text as a CSS string for a `style` attribute."""
    escaped = re.sub(r"""[\\'"\n]""", lambda found: f"\\{ord(found.group()):x} ", visible(text))
    return Markup(f"'{html.escape(escaped, quote=False)}'")


def lean(text: str) -> Markup:
    """Return a style sheet or script without comments and indentation."""
    return Markup(LEFT_OUT.sub("", text))


def lean_style(text: str) -> Markup:
    """Return a style sheet without comments, indentation and redundant spaces."""
    return Markup(SPACES.sub("", lean(text)))


def kind(block: Block) -> str:
    """Return the class name of a block, by which the template selects its markup."""
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
        "lean_style": lean_style,
    }
    return environment
