"""Pages as one HTML file: sentences, figures, tables; no script, no font, no request leaves the page."""

from pathlib import Path

import jinja2

from bartizan.reports.blocks import Page
from bartizan.reports.render.figures import light

FOLDER = Path(__file__).parent.parent / "templates"
MOST_BYTES = 950_000  # a page must be light enough to mail


def page(content: Page) -> bytes:
    return light(
        content.sections,
        lambda sections: render("report.html.j2", page=content, sections=sections).encode(),
        MOST_BYTES,
    )


def render(template: str, **parts) -> str:
    """A page has the arrow that a terminal may lack."""
    return environment().get_template(template).render(**parts).replace(" -&gt; ", " → ")


def environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
